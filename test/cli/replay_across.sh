# Recorded on one implementation, replayed on the other: the same bytes. Where only one is installed, nothing is compared.
deps=$ROOT/.deps
printf '@group(0) @binding(0) var<storage, read> s: array<u32>;\n@group(0) @binding(1) var<storage, read_write> d: array<u32>;\nfn element(i: u32) { d[i] += (s[i] * 2654435761u) ^ i; }\n' >k.wgsl
printf '@group(0) @binding(0) var<storage, read_write> d: array<u32>;\n@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) { if (id.x >= arrayLength(&d)) { return; } d[id.x] += id.x * 3u; }\n' >plain.wgsl
printf 'struct P { n: u32, s: f32 }\n@group(0) @binding(0) var<uniform> p: P;\n@group(0) @binding(1) var<storage, read_write> d: array<f32>;\n@compute @workgroup_size(8, 8) fn main(@builtin(global_invocation_id) id: vec3u) { let i = id.y * p.n + id.x; if (id.x < p.n && i < arrayLength(&d)) { d[i] = d[i] * p.s; } }\n' >image.wgsl
on() { # on wgpu|dawn ARGUMENTS...
    case $1 in wgpu) library=$deps/wgpu/libwgpu_native-release.so ;; dawn) library=$deps/dawn/libwebgpu_wrapper.so ;; esac
    device=$1:0
    shift
    VK_ICD_FILENAMES=$deps/swiftshader/icd.json VK_DRIVER_FILES=$deps/swiftshader/icd.json TELAR_WEBGPU=$library TELAR_DEVICE=$device telar "$@"
}
[ -e $deps/wgpu/libwgpu_native-release.so ] && [ -e $deps/dawn/libwebgpu_wrapper.so ] && [ -e $deps/swiftshader/icd.json ] && both=1
across() { # across NAME BINDS RUN'S ARGUMENTS...
    name=$1 binds=$2
    shift 2
    for pair in wgpu:dawn dawn:wgpu; do
        if [ $both ]; then
            on ${pair%:*} run "$@" $binds --out d=first.npy --record k.rec >/dev/null || echo "$name: the run failed on ${pair%:*}"
            on ${pair#*:} replay k.rec $binds --out d=second.npy >/dev/null || echo "$name: the replay failed on ${pair#*:}"
            cmp first.npy second.npy || continue
            rm first.npy second.npy
        fi
        echo "$name: $pair"
    done
}
across element "--bind s=u32:100003:iota --bind d=u32:100003:random:7" k.wgsl
across stride "--bind s=u32:100003:iota --bind d=u32:100003:random:7" k.wgsl --shape stride --items 3
across windows "--bind s=u32:3M:iota --bind d=u32:3M:5" k.wgsl --limit maxStorageBufferBindingSize=8Mi
across fold "--bind d=u32:5M:2" plain.wgsl --count 5M
across image "--bind d=f32:480x640:iota" image.wgsl --count 640x480 --set p.n=640 --set p.s=0.25
for n in 0 1 63 64 65 4999 5000 5001 4294967295; do
    across "counted, $n" "--bind s=u32:5000:iota --bind d=u32:5000:1 --bind n=u32:2:$n" k.wgsl --count @n:4
done
across "counted, folded" "--bind d=u32:5M:2 --bind n=u32:1:4500032" plain.wgsl --count @n
