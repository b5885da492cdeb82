# Counts that stand in a GPU buffer: right elements, right report, both kinds of kernels; what cannot be is refused.
printf '@group(0) @binding(0) var<storage, read_write> d: array<u32>;\nfn element(i: u32) { d[i] += i + 1u; }\n' >k.wgsl
printf '@group(0) @binding(0) var<storage, read_write> d: array<u32>;\n@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) { if (id.x >= arrayLength(&d)) { return; } d[id.x] += id.x + 1u; }\n' >plain.wgsl
printf 'struct Counts { unused: u32, n: u32 }\n@group(0) @binding(0) var<storage, read_write> d: array<u32>;\n@group(0) @binding(1) var<storage, read_write> c: Counts;\nfn element(i: u32) { d[i] += i + 1u; if (i == 0u) { c.n /= 2u; } }\n' >chain.wgsl
keys() { python3 "$CASES/tools.py" keys "$@"; }
check() { python3 -c 'import struct, sys
n, times, data = int(sys.argv[1]), int(sys.argv[2]), open("o.npy", "rb").read()
values = memoryview(data[128:]).cast("I")
print(len(values), all(values[i] == (times * (i + 1) if i < n else 0) for i in range(len(values))))' "$@"; }
for n in 0 1 63 64 65 4095 4096 4097 4294967295; do
    telar run k.wgsl --bind d=u32:4096 --bind n=u32:1:$n --count @n --out d=o.npy --verify --json >run.json || echo "failed at $n"
    keys run.json verified report dispatches; check $((n < 4096 ? n : 4096)) 1
done
python3 "$CASES/tools.py" npy counts.npy '<u4' '(4,)' 'i * 100'
telar run k.wgsl --bind d=u32:1000 --bind n=counts.npy --count @n:12 --repeat 3 --out d=o.npy --verify --json | keys - verified report; check 300 3
telar run k.wgsl --bind d=u32:1000 --bind n=counts.npy --count @n:12 --capacity 250 --repeat 5 --time --out d=o.npy --json | keys - report gpu_us.runs plan.count; check 250 5
for shape in linear fold stride; do telar run k.wgsl --bind d=u32:1000 --bind n=u32:1:777 --count @n --shape $shape --size 32 --items 3 --verify --json --out d=o.npy | keys - verified plan.shape report; check 777 1; done
telar run plain.wgsl --bind d=u32:5M --bind n=u32:1:4500032 --count @n --out d=o.npy --verify --json | keys - verified report plan.shape; check 4500032 1
telar run chain.wgsl --bind d=u32:1000 --set c.n=600 --count @c:4 --verify --json --out c=c.bin | keys - verified report; od -An -tu4 c.bin
telar run chain.wgsl --bind d=u32:1000 --set c.n=600 --count @c:4 --repeat 3 --json --out c=c.bin | keys - report; od -An -tu4 c.bin
telar run k.wgsl --bind d=u32:0 --bind n=u32:1:7 --count @n --repeat 2 --verify --json | keys - verified report plan.shape
telar run k.wgsl --bind d=u32:1000 --bind n=u32:1:1001 --count @n 2>/dev/null | tail -n 1
telar run k.wgsl --bind d=u32:1000 --bind n=u32:1:1001 --count @n --lang es 2>/dev/null | tail -n 1
bad() { telar run "$@" 2>&1 >/dev/null | grep -v 'no GPU is used'; }
bad k.wgsl --bind d=u32:1000 --bind alive=u32:1 --count @alve
bad k.wgsl --bind d=u32:1000 --count @completely_other
bad k.wgsl --bind d=u32:1000 --bind n=u32:4 --count @n:2
bad k.wgsl --bind d=u32:1000 --bind n=u32:4 --count @n:16
bad k.wgsl --bind d=u32:1000 --bind n=u32:4 --count @n:x
bad k.wgsl --bind d=u32:1000 --bind n=f32:4 --count @n
bad k.wgsl --bind d=u32:1000 --bind n=u32:4 --count @
bad k.wgsl --bind d=u32:1000 --bind n=u32:4 --count @n --capacity 1001
bad k.wgsl --bind d=u32:1000 --bind n=u32:4 --count 10 --capacity 100
bad k.wgsl --bind n=u32:4 --count @n
bad k.wgsl --bind n=u32:4 --count @n --capacity 33554433 --limit maxStorageBufferBindingSize=128Mi
bad chain.wgsl --bind d=u32:1000 --set c.n=1 --count @c:4 --repeat 2 --verify
sed 's/i: u32/p: vec2u/; s/d\[i\] += i + 1u/d[p.x] += p.y/' k.wgsl >two.wgsl; bad two.wgsl --bind d=u32:1000 --bind n=u32:4 --count @n
ls x.* .telar* 2>/dev/null; true
