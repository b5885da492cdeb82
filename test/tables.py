"""usage: tables.py [--write] PRIMITIVES_MD PROGRAM...

The table of docs/primitives.md under "What is tried" is what the programs of test/gpu/test_table_*.c print of their rows."""
import subprocess
import sys

BEGIN, END = "<!-- what is tried -->\n", "<!-- end -->\n"
arguments = [argument for argument in sys.argv[1:] if argument != "--write"]
path, programs = arguments[0], sorted(arguments[1:])
rows = "".join(subprocess.run([program, "--print"], capture_output=True, text=True, check=True).stdout for program in programs)
wanted = "| what | types | count on the GPU | in place |\n|---|---|---|---|\n" + rows
with open(path, encoding="utf-8") as file:
    text = file.read()
before, rest = text.split(BEGIN, 1)
table, after = rest.split(END, 1)
if table != wanted and "--write" in sys.argv:
    with open(path, "w", encoding="utf-8") as file:
        file.write(before + BEGIN + wanted + END + after)
elif table != wanted:
    print(f"{path}: the table is not what the tests try; run this with --write")
    sys.exit(1)
