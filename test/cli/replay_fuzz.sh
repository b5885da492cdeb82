# 500 damaged copies of two recordings: each is refused or runs inside its bounds.
printf '@group(0) @binding(0) var<storage, read_write> d: array<u32>;\nfn element(i: u32) { d[i] += i + 1u; }\n' >k.wgsl
printf 'struct P { n: u32, s: f32 }\n@group(0) @binding(0) var<uniform> p: P;\n@group(0) @binding(1) var<storage, read_write> d: array<f32>;\nfn element(i: u32) { d[i] += p.s; }\n' >u.wgsl
telar run k.wgsl --bind d=u32:1000 --bind n=u32:1:700 --count @n --size 64 --record k.rec >/dev/null 2>&1
telar run u.wgsl --bind d=f32:1000 --set p.s=3 --size 64 --record u.rec >/dev/null 2>&1
python3 "$CASES/mutate.py" k.rec 300 1 --bind n=u32:1:700
python3 "$CASES/mutate.py" u.rec 200 2
