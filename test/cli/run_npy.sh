# Data in every order and type that maps to WGSL, and back.
npy() { python3 "$CASES/tools.py" npy "$@"; }
show() { python3 "$CASES/tools.py" show "$@"; }
run() { telar run "$@" >/dev/null || echo "failed: $*"; }
kernel() { printf '%s\n@group(0) @binding(0) var<storage, read_write> d: array<%s>;\nfn element(i: u32) { d[i] = %s; }\n' "$4" "$2" "$3" >$1.wgsl; }
kernel f32 f32 'd[i] + 0.5' ''
kernel u32 u32 'd[i] ^ 1u' ''
kernel i32 i32 '-d[i]' ''
kernel vec3 vec3f 'd[i].zyx' ''
kernel vec2 vec2f 'd[i].yx' ''
kernel f16 f16 'd[i] * 2.0h' 'enable f16;'
npy f4.npy '<f4' '(2, 3)' i; run f32.wgsl --bind d=f4.npy --out d=o.npy; show o.npy
npy be.npy '>f4' '(2, 3)' i; run f32.wgsl --bind d=be.npy --out d=o.npy; show o.npy
npy fo.npy '<f4:F' '(2, 3, 2)' i; run f32.wgsl --bind d=fo.npy --out d=o.npy; show o.npy
npy i4.npy '>i4:F' '(3, 2)' i; run i32.wgsl --bind d=i4.npy --out d=o.npy; show o.npy
npy u4.npy '<u4' '(5,)' '4294967295 - i'; run u32.wgsl --bind d=u4.npy --out d=o.npy; show o.npy
npy u1.npy '|u1' '(5,)' i; run u32.wgsl --bind d=u1.npy --out d=o.npy; show o.npy
npy b1.npy '|b1' '(4,)' 'i % 2 == 0'; run u32.wgsl --bind d=b1.npy --out d=o.npy; show o.npy
npy i2.npy '<i2' '(4,)' '-i'; run u32.wgsl --bind d=i2.npy --out d=o.npy; show o.npy
npy v3.npy '<f4' '(2, 3)' i; run vec3.wgsl --bind d=v3.npy --out d=o.npy; show o.npy
npy v2.npy '<f4' '(4,)' i; run vec2.wgsl --bind d=v2.npy --out d=o.npy; show o.npy
npy f2.npy '<f2' '(4,)' i; run f16.wgsl --bind d=f2.npy --out d=o.npy; show o.npy
npy e.npy '<f4' '(0,)' i; run f32.wgsl --bind d=e.npy --out d=o.npy; show o.npy
telar run f32.wgsl --bind d=f4.npy --out d=- 2>/dev/null >p.npy; show p.npy
run vec3.wgsl --bind d=v3.npy --out d=o.bin; od -An -tf4 -v o.bin
run vec3.wgsl --bind d=o.bin --out d=o.npy; show o.npy
