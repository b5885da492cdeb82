# A run's recording in a file: shown, compared, replayed with the same bytes out.
printf 'struct P { n: u32, s: f32 }\n@group(0) @binding(0) var<uniform> p: P;\n@group(0) @binding(1) var<storage, read_write> d: array<f32>;\nfn element(i: u32) { d[i] += p.s; }\n' >set.wgsl
printf '@group(0) @binding(0) var<storage, read> s: array<u32>;\n@group(0) @binding(1) var<storage, read_write> d: array<u32>;\nfn element(i: u32) { d[i] += s[i] * 3u; }\n' >k.wgsl
keys() { python3 "$CASES/tools.py" keys "$@"; }
# --set goes into the recording, --bind does not.
telar run set.wgsl --bind d=f32:10:1 --set p.s=2.5 --size 64 --out d=o.npy --record set.rec --verify --json 2>/dev/null | keys - verified
telar show set.rec | sed 's/wgsl [0-9]*/wgsl N/'
telar replay set.rec --bind d=f32:10:1 --out d=p.npy >/dev/null 2>&1; cmp o.npy p.npy; python3 "$CASES/tools.py" show p.npy
telar replay set.rec --bind d=f32:2x5:1 --out d=p.npy --repeat 3 --json 2>/dev/null | keys - dispatches report out; python3 "$CASES/tools.py" show p.npy
telar replay set.rec --out d=p.npy --json 2>/dev/null | keys - out gpu_us; python3 "$CASES/tools.py" show p.npy
telar replay set.rec --bind d=f32:12 --out d=- 2>/dev/null >p.npy; python3 "$CASES/tools.py" show p.npy
telar replay set.rec --time --repeat 4 --json 2>/dev/null | keys - gpu_us.runs
# A count on the GPU stays one: other data, other counts.
telar run k.wgsl --bind s=u32:1000:iota --bind d=u32:1000 --bind n=u32:2:700 --size 64 --count @n:4 --out d=o.npy --record k.rec >/dev/null 2>&1
telar show k.rec | grep -E "^buffer.* bound$|kernel 1|mark|counted" | sed 's/by buffer [0-9]* \[[0-9]*\]/by .../; s/wgsl [0-9]*/wgsl N/'
telar replay k.rec --bind s=u32:1000:iota --bind n=u32:2:700 --out d=p.npy --json 2>/dev/null | keys - report; cmp o.npy p.npy
telar replay k.rec --bind s=u32:1000:iota --bind n=u32:2:1700 --repeat 2 --out telar_report=r.npy --json 2>/dev/null | keys - report; python3 "$CASES/tools.py" show r.npy
telar replay k.rec --bind n=u32:2:5 2>/dev/null | tail -n 1
# The same run records the same; another one says where it differs.
telar run k.wgsl --bind s=u32:1000 --bind d=u32:1000 --bind n=u32:2:1 --size 64 --count @n:4 --record - 2>/dev/null | cmp - k.rec
telar show k.rec --compare k.rec; echo "exit $?"
telar show k.rec --compare set.rec; echo "exit $?"
telar show k.rec --compare set.rec --json; echo "exit $?"
telar show - --compare k.rec --lang es <k.rec
telar show set.rec --json | python3 -c 'import json, sys
shown = json.load(sys.stdin)
print(*shown)
print(shown["version"], shown["buffers"], *shown["kernels"][0], *(command["op"] for command in shown["commands"]))
print(shown["commands"][2])'
# Windows, nothing at all, and text that only some implementations take.
telar run k.wgsl --bind s=u32:3M --bind d=u32:3M --record w.rec --limit maxStorageBufferBindingSize=8Mi --out d=o.npy >/dev/null 2>&1; telar replay w.rec --bind s=u32:3M --out d=p.npy --json 2>/dev/null | keys - dispatches; cmp o.npy p.npy
telar run set.wgsl --count 0 --set p.s=1 --record z.rec >/dev/null 2>&1; telar replay z.rec --json 2>/dev/null | keys - dispatches
printf 'enable f16;\n@group(0) @binding(0) var<storage, read_write> d: array<f16>;\nfn element(i: u32) { d[i] += 1.0h; }\n' >h.wgsl
telar run h.wgsl --bind d=f16:4 --record h.rec 2>&1 >/dev/null | grep h.rec | sed 's/WGSL of [a-z]*/WGSL of .../'
telar replay h.rec --bind d=f16:4:2 --out d=p.npy >/dev/null 2>&1; python3 "$CASES/tools.py" show p.npy
telar run h.wgsl --bind d=f16:4 --record no/such/h.rec 2>&1 >/dev/null | grep 'No such'
telar run h.wgsl --bind d=f16:4 --record - --json; echo "exit $?"
ls -A | grep -v -E '[.](wgsl|rec|npy)$'; true
