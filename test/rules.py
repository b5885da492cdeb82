"""usage: rules.py TELAR RULES_MD

docs/rules.md has a section for each rule of the tool, in the order of families, with why, example, fix and when to allow;
and the tool finds the rule in the section's example, with the options that stand beside it."""
import json
import re
import subprocess
import sys

telar, path = sys.argv[1:]
run = lambda *args, text="": subprocess.run([telar, "check", "-", *args], input=text, capture_output=True, text=True)
log = json.loads(run("--format", "sarif").stdout)
rules = [rule["id"] for rule in log["runs"][0]["tool"]["driver"]["rules"]]
sections = re.split(r"^## ", open(path, encoding="utf-8").read(), flags=re.M)[1:]
names = [section.split("\n", 1)[0] for section in sections]
faults = [f"no section: {name}" for name in rules if name not in names]
faults += [f"no such rule: {name}" for name in names if name not in rules]
faults += [f"twice: {name}" for name in set(names) if names.count(name) > 1]
for name, section in zip(names, sections):
    for part in ("**Why.**", "**Example.**", "**Fix.**", "**Allow** when:"):
        if part not in section:
            faults.append(f"{name}: no {part}")
    example = re.search(r"\*\*Example\.\*\*(?: With `([^`]*)`:)?\n\n```wgsl\n(.*?)```", section, re.S)
    if not example:
        faults.append(f"{name}: no example")
        continue
    result = run("--json", *(example[1] or "").split(), text=example[2])
    files = json.loads(result.stdout)["files"] if result.stdout else []
    found = {finding["rule"] for file in files for finding in file["findings"]}
    if name not in found:
        faults.append(f"{name}: its example gives {sorted(found)} {result.stderr.strip()}")
print(f"{len(names)} sections, {len(rules)} rules", *faults, sep="\n")
sys.exit(1 if faults or not rules else 0)
