# A result that depends on the order of the launch does not pass a verification: exit status 1.
printf '@group(0) @binding(0) var<storage, read_write> c: atomic<u32>;\n@group(0) @binding(1) var<storage, read_write> d: array<u32>;\nfn element(i: u32) { d[i] = atomicAdd(&c, 1u) * 2u + u32(i > 3u); }\n' >k.wgsl
telar run k.wgsl --count 100000 --out d=o.npy --verify --json 2>message >run.json; echo "exit $?"
python3 "$CASES/tools.py" keys run.json verified out.0.shape
grep -c 'in one launch shape and' message
telar run k.wgsl --count 1000 --out d=o.npy --json | python3 "$CASES/tools.py" keys - verified report result share_of_copy
telar run k.wgsl --count 1000 --out c=c.npy --repeat 3 >/dev/null; python3 "$CASES/tools.py" show c.npy
telar run k.wgsl --count 1000 --out c=c.npy --time --repeat 4 --json | python3 "$CASES/tools.py" keys - gpu_us.runs dispatches
telar run k.wgsl --count 1000 --json | python3 -c 'import json, sys; print(*json.load(sys.stdin))'
# An ordinary kernel keeps its size; it is compared in another shape, or run again where it cannot be folded.
printf '@group(0) @binding(0) var<storage, read_write> d: array<u32>;\n@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) { if (id.x >= arrayLength(&d)) { return; } d[id.x] += id.x; }\n' >plain.wgsl
telar run plain.wgsl --bind d=u32:1001:1 --out d=o.npy --verify --json | python3 "$CASES/tools.py" keys - verified plan.workgroup_size plan.groups
telar run plain.wgsl --bind d=u32:5M --verify --json | python3 "$CASES/tools.py" keys - verified plan.shape plan.dispatch
telar run plain.wgsl --bind d=u32:1001 --size 32 2>&1; echo "exit $?"
