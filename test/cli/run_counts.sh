# Every element right and nothing beside it, at the counts where launches go wrong.
printf '@group(0) @binding(0) var<storage, read> s: array<f32>;\n@group(0) @binding(1) var<storage, read_write> d: array<f32>;\nfn element(i: u32) { d[i] = s[i] * 2.0; }\n' >k.wgsl
for n in 0 1 63 64 65 4095 4097 3000001; do
    telar run k.wgsl --bind s=f32:$n:iota --out d=o.npy --verify --json >run.json || echo "failed at $n"
    python3 "$CASES/tools.py" keys run.json verified out.0.shape
    python3 - $n <<'PY'
import struct, sys
n = int(sys.argv[1])
data = open("o.npy", "rb").read()
values = memoryview(data[len(data) - 4 * n:]).cast("f") if n else []
print(n, all(values[i] == float(2 * i) for i in range(n)))
PY
done
for shape in linear fold stride; do for size in 1 64 256; do
    telar run k.wgsl --bind s=f32:1000:iota --out d=o.npy --shape $shape --size $size --items 3 --verify --json >run.json || echo "failed: $shape $size"
    python3 "$CASES/tools.py" keys run.json verified plan.shape plan.workgroup_size plan.items
done; done
