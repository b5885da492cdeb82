# 2^25 + 1 f32 are more than one binding of 128 MiB: two windows where the device's bindings end there.
printf '@group(0) @binding(0) var<storage, read_write> d: array<u32>;\nfn element(i: u32) { d[i] = i * 2654435761u; }\n' >k.wgsl
telar run k.wgsl --count 33554433 --out d=o.npy --limit maxStorageBufferBindingSize=128Mi --json | python3 "$CASES/tools.py" keys - dispatches plan.windows.1.count
python3 - <<'PY'
import zlib, array
data = open("o.npy", "rb").read()[-4 * 33554433:]
values = array.array("I", data)
print(len(values), all(values[i] == i * 2654435761 & 0xFFFFFFFF for i in [0, 1, 33554430, 33554431, 33554432, *range(0, 33554433, 4099)]))
PY
