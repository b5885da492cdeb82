# Files that are no recording, are damaged, or do not fit: what was found, exit status 2.
printf '@group(0) @binding(0) var<storage, read_write> data: array<u32>;\nfn element(i: u32) { data[i] += 1u; }\n' >k.wgsl
telar run k.wgsl --bind data=u32:100 --size 64 --record k.rec >/dev/null 2>&1
bad() { telar "$@" 2>message >out; status=$?; grep -v 'no GPU is used' message; cat out; echo "exit $status"; }
patch() { python3 -c 'import struct, sys
data = bytearray(open("k.rec", "rb").read())
for at, value in zip(sys.argv[1::2], sys.argv[2::2]): data[4 * int(at):4 * int(at) + 4] = struct.pack("<I", int(value))
open("bad.rec", "wb").write(data)' "$@"; }
bad replay
bad replay missing.rec
bad replay k.wgsl
: >empty.rec; bad replay empty.rec
head -c 100 k.rec >cut.rec; bad replay cut.rec
head -c 101 k.rec >odd.rec; bad show odd.rec
mkdir folder; bad replay folder
patch 0 0; bad replay bad.rec
patch 1 3; bad show bad.rec
patch 3 2; bad show bad.rec
patch 6 77; bad show bad.rec
patch 9 0; bad replay bad.rec
patch 9 402; bad replay bad.rec
patch 10 4096; bad replay bad.rec 2>&1 | sed 's/([0-9]*)/(N)/'
patch 8 10; bad replay bad.rec
bad replay k.rec --bind dat=u32:100
bad replay k.rec --bind other=u32:100
bad replay k.rec --bind data
bad replay k.rec --bind data=u32:99
bad replay k.rec --bind data=f64:100
bad replay k.rec --bind data=u32:100 --bind data=u32:100
bad replay k.rec --out data=x.txt
bad replay k.rec --out data=x.npy --out data=y.npy
bad replay k.rec --out data=- --json
bad replay k.rec --out data=x.png
bad replay k.rec --repeat 0
bad replay k.rec --device gpu
bad show k.rec --compare missing.rec
printf '@group(0) @binding(0) var<storage, read_write> a: array<u32>;\n@group(0) @binding(1) var<storage, read_write> b: array<u32>;\nfn element(i: u32) { a[i] = 1u; b[i] = 2u; }\n' >two.wgsl
telar run two.wgsl --count 100 --record two.rec >/dev/null 2>&1
bad replay two.rec --out a=x.npy --out b=x.npy
bad replay two.rec --out a=x.npy --out b=folder/../x.npy
ls x.* y.* .telar* 2>/dev/null; true
