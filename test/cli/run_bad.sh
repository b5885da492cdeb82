# Bad input: what was found and what is allowed, exit status 2, no file appears.
bad() { telar run "$@" 2>&1; echo "exit $?"; }
printf '@group(0) @binding(0) var<storage, read> src: array<f32>;\n@group(0) @binding(1) var<storage, read_write> dst: array<f32>;\nfn element(i: u32) { dst[i] = src[i]; }\n' >k.wgsl
python3 "$CASES/tools.py" npy good.npy '<f4' '(8,)' i
python3 "$CASES/tools.py" npy double.npy '<f8' '(8,)' i
python3 "$CASES/tools.py" npy int.npy '<i4' '(8,)' i
head -c 130 good.npy >cut.npy
sed 's/(8,)/(9,)/' good.npy >long.npy
sed "s/'<f4'/'<c9'/" good.npy >type.npy
bad k.wgsl --bind src=missing.npy --out dst=x.npy
bad k.wgsl --bind src=cut.npy --out dst=x.npy
bad k.wgsl --bind src=long.npy --out dst=x.npy
bad k.wgsl --bind src=type.npy --out dst=x.npy
bad k.wgsl --bind src=double.npy --out dst=x.npy
bad k.wgsl --bind src=int.npy --out dst=x.npy
bad k.wgsl --bind src=k.wgsl --out dst=x.npy
bad k.wgsl --bind scr=good.npy --out dst=x.npy
bad k.wgsl --bind src --out dst=x.npy
bad k.wgsl --bind src=good.npy --bind src=int.npy --out dst=x.npy
bad k.wgsl --bind src=good.npy --out src=x.npy
bad k.wgsl --bind src=good.npy --out dst=x.txt
bad k.wgsl --bind src=good.npy --out dst=no/such/x.npy
bad k.wgsl --bind src=good.npy --count 9 --out dst=x.npy
bad k.wgsl --bind src=good.npy --count 2x4 --out dst=x.npy
bad k.wgsl --bind src=good.npy --count -1 --out dst=x.npy
bad k.wgsl --bind src=good.npy --count @src --out dst=x.npy
bad k.wgsl --out dst=x.npy
bad k.wgsl --count 8 --out dst=x.npy
bad k.wgsl --bind src=f32:281474976710656 --out dst=x.npy | sed 's/at most maxBufferSize ([0-9]*)/at most maxBufferSize (N)/'
bad k.wgsl --bind src=good.npy --out dst=- --json
bad k.wgsl --bind src=good.npy --device gpu --out dst=x.npy
bad k.wgsl --bind src=good.npy --element main --out dst=x.npy
bad k.wgsl --bind src=good.npy --element element --entry main --out dst=x.npy
bad k.wgsl --bind src=f32:8:1e39 --out dst=x.npy
bad k.wgsl --bind src=f32:8:1e999 --out dst=x.npy
bad k.wgsl --bind src=f32:8: --out dst=x.npy
bad k.wgsl --bind src=good.npy --repeat 0 --out dst=x.npy
printf '@group(0) @binding(0) var<storage, read_write> a: array<f32>;\n@group(0) @binding(1) var<storage, read_write> b: array<f32>;\nfn element(i: u32) { a[i] = 1; b[i] = 2; }\n' >two.wgsl
mkdir folder
bad two.wgsl --count 8 --out a=x.npy --out b=x.npy
bad two.wgsl --count 8 --out a=x.npy --out b=./x.npy
bad two.wgsl --count 8 --out a=folder/x.npy --out b=folder/../folder/x.npy
bad two.wgsl --count 8 --out a=x.npy --record folder/../x.npy
rmdir folder
echo '@compute @workgroup_size(64) fn main() { let x = 1 }' >fault.wgsl; bad fault.wgsl --count 4
ls -A | grep -v -E '^(k|two|fault).wgsl$|^(good|double|int|cut|long|type).npy$'; true
