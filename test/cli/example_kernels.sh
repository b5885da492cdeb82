# The kernels of examples/kernels and examples/lessons: silent under the checker, run as their heads say, and right.
ln -s "$ROOT/examples" examples
telar check examples/kernels examples/lessons --rule naga-refuses=off --rule stride-indirect=off
for kernel in examples/kernels/*.wgsl examples/lessons/*.wgsl; do
    # A picture or data of the reader's own, in capitals, is not there.
    grep '^//     telar ' "$kernel" | grep -v '[A-Z]\.png' | cut -c 8- >commands
    sh -eu commands >/dev/null 2>messages && continue
    echo "$kernel"
    cat messages
done
telar map u32:1000000:random:1 --expr x --out values.npy >/dev/null 2>&1
python3 - <<'PY'
import struct


def values(name, code):
    data = open(name, "rb").read()
    return memoryview(data)[10 + struct.unpack("<H", data[8:10])[0]:].cast(code).tolist()


f32 = lambda x: struct.unpack("f", struct.pack("f", x))[0]
iota = range(1000000)
print("groups", *values("groups.npy", "I"))
print("bins", values("bins.npy", "f") == [0.25] * 63 + [0.25 * (100000 - 63)])
above = [x for x in values("values.npy", "I") if x > 3000000000]
print("kept", values("kept.npy", "I") == above + [0] * (1000000 - len(above)), len(above))
sums = [sum(iota[k:k + 256]) & 0xFFFFFFFF for k in range(0, 1000000, 256)]
print("sums", values("sums.npy", "I") == sums, values("p.npy", "I") == sums)
print("points", values("points.npy", "f") == [i + (i < 48000) for i in range(60000)])
scaled = [f32(i * f32(0.99)) for i in range(3000001)]
print("scaled", values("e.npy", "f") == scaled, values("z.npy", "f") == scaled)
PY
