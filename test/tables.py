"""usage: tables.py [--write] PAGE.md... PROGRAM...

The table of docs/primitives.md under "What is tried" is what the programs of test/gpu/test_table_*.c print of their rows;
a page PAGE.es.md has the same rows with the answers in Spanish. Rows keep their names: they are what the programs take."""
import subprocess
import sys

BEGIN, END = "<!-- what is tried -->\n", "<!-- end -->\n"
HEAD = "| what | types | count on the GPU | in place |\n|---|---|---|---|\n"
SPANISH = {
    "| what | types | count on the GPU | in place |": "| qué | tipos | conteo en la GPU | in situ |",
    "| yes |": "| sí |",
    "| right |": "| correcto |",
    "| refused |": "| se rechaza |",
}


def wanted(path, rows):
    table = HEAD + rows
    if path.endswith(".es.md"):
        for english, spanish in SPANISH.items():
            table = table.replace(english, spanish)
    return table


arguments = [argument for argument in sys.argv[1:] if argument != "--write"]
pages = [argument for argument in arguments if argument.endswith(".md")]
programs = sorted(argument for argument in arguments if argument not in pages)
rows = "".join(subprocess.run([program, "--print"], capture_output=True, text=True, check=True).stdout for program in programs)
stale = 0
for path in pages:
    with open(path, encoding="utf-8") as file:
        before, rest = file.read().split(BEGIN, 1)
    table, after = rest.split(END, 1)
    if table == wanted(path, rows):
        continue
    if "--write" in sys.argv:
        with open(path, "w", encoding="utf-8") as file:
            file.write(before + BEGIN + wanted(path, rows) + END + after)
    else:
        print(f"{path}: the table is not what the tests try; run this with --write")
        stale += 1
sys.exit(stale > 0)
