#!/bin/sh
# What `make run` shows, in a few seconds: examples/scale.wgsl, a body for one element, on 3,000,001 f32 of a .npy file.
# Plan, woven kernel, run on the default device, every result checked against Python's arithmetic, the bytes after the last
# one too, and times beside the textbook kernel's and a copy's. Exit status 1 when anything differs.
#     usage: BUILD=build sh examples/run.sh
set -eu
cd "$(dirname "$0")/.."
telar=${BUILD:-build}/telar
case $telar in /*) ;; *) telar=./$telar ;; esac
count=3000001
tail=1000 # elements of the destination after the last one
mark=-7.5 # what they hold before and must hold after
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-$work}" # the Vulkan loaders' own messages ask for one

show() { printf '\n\033[1m%s\033[0m\n' "$*"; }
[ -t 1 ] || show() { printf '\n# %s\n' "$*"; }

show "1. data: $count random f32 in data.npy"
python3 - "$work/data.npy" $count <<'PY'
import array, random, struct, sys
path, count = sys.argv[1], int(sys.argv[2])
draw = random.Random(1).random
values = array.array("f", (200 * draw() - 100 for _ in range(count)))
if sys.byteorder == "big":
    values.byteswap()
header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({count},), }}"
header += " " * (-(10 + len(header) + 1) % 64) + "\n"
with open(path, "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + values.tobytes())
PY
ls -l "$work/data.npy" | awk '{print $5, "bytes"}'

device=${TELAR_DEVICE:-$("$telar" devices --json 2>/dev/null | python3 -c 'import json, sys
print(next((device["name"] for device in json.load(sys.stdin)["devices"] if device["default"]), ""))')}
if [ -z "$device" ]; then
    "$telar" devices
    exit 3
fi
show "2. the kernel for $device, around the body of examples/scale.wgsl"
"$telar" weave examples/scale.wgsl --count $count --facts "$device" --dialect "$device" 2>/dev/null | sed -n '/^@compute/,$p'

show "3. telar run examples/scale.wgsl --explain --verify --time"
"$telar" run examples/scale.wgsl --explain --verify --time --repeat 10 --count $count --device "$device" \
    --bind s="$work/data.npy" --bind d=f32:$((count + tail)):$mark --out d="$work/scaled.npy"

show "4. every element and the $tail after the last, against Python"
python3 - "$work/data.npy" "$work/scaled.npy" $count $tail $mark <<'PY'
import array, struct, sys
def read(path):
    data = open(path, "rb").read()
    start = 10 + struct.unpack("<H", data[8:10])[0]
    if data[:6] != b"\x93NUMPY" or b"'<f4'" not in data[:start]:
        sys.exit(f"{path} is no .npy file of f32")
    values = array.array("f", data[start:])
    if sys.byteorder == "big":
        values.byteswap()
    return values
count, tail, mark = int(sys.argv[3]), int(sys.argv[4]), float(sys.argv[5])
source, result = read(sys.argv[1]), read(sys.argv[2])
if len(source) != count or len(result) != count + tail:
    sys.exit(f"{len(source)} and {len(result)} elements, not {count} and {count + tail}")
# 0.99 as f32, and the product, exact in a double, rounded once to f32: what WGSL asks of a multiplication.
factor = array.array("f", [0.99])[0]
expected = array.array("f", (value * factor for value in source))
wrong = sum(a != b for a, b in zip(expected, result))
touched = sum(value != mark for value in result[count:])
print(f"{count - wrong:,} of {count:,} elements right, {tail - touched:,} of {tail:,} after the last untouched")
sys.exit(1 if wrong or touched else 0)
PY

show "5. telar bench map --count $count: as a primitive, woven as above, by the textbook's kernel (64 invocations, one element each)"
"$telar" bench map --count $count --device "$device"

show "More: $telar --help, and a --help of each command"
