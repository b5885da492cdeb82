"""A file includes only its own layer and those to its left: base plan wgsl weave record prim host io harness cases cli."""
import pathlib
import re
import sys

LAYERS = "base plan wgsl weave record prim host io harness cases cli".split()
HEADERS = {"facts": "plan", "check": "wgsl", "tune": "host"}  # public headers named after a part of their layer
root = pathlib.Path(sys.argv[1])
faults = checked = 0
for path in [*root.glob("src/*/*.[ch]"), *root.glob("src/*/*.inl"), *root.glob("bench/harness/*.[ch]"),
             *root.glob("bench/cases/*.[ch]"), *root.glob("cli/**/*.[ch]"), *root.glob("include/telar/*.h")]:
    public = path.parent.name == "telar"
    layer = path.stem if public else "cli" if path.is_relative_to(root / "cli") else path.parent.name
    if public and layer == "telar":
        continue  # telar/telar.h includes them all
    layer = HEADERS.get(layer, layer) if public else layer
    if layer not in LAYERS:
        sys.exit(f"{path}: {layer} is no layer; test/layers.py knows {' '.join(LAYERS)}")
    checked += 1
    for number, line in enumerate(path.read_text().splitlines(), 1):
        found = re.match(r'\s*#\s*include\s+(?:<telar/(\w+)\.h>|"(?:\.\./)*(\w+)/)', line)
        other = found and (HEADERS.get(found[1], found[1]) or found[2])
        if other == "telar" or other in LAYERS and LAYERS.index(other) > LAYERS.index(layer):
            print(f"{path.relative_to(root)}:{number}: layer {layer} includes {other}, which is to its right: {line.strip()}")
            faults += 1
print(f"{checked} files, {faults} includes against the order of the layers")
sys.exit(1 if faults or not checked else 0)
