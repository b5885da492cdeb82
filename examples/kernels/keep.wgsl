// Elements above a threshold, in the order in which they came: the place of each is the exclusive prefix sum of the flags
// before it, so the result is stable and the same on every run.
//     telar map u32:1000000:random:1 --expr 'u32(x > 3000000000u)' --out flags.npy
//     telar scan flags.npy --out places.npy
//     telar run examples/kernels/keep.wgsl --bind values=u32:1000000:random:1 --bind places=places.npy --set params.count=count --set params.threshold=3000000000 --out kept=kept.npy
struct Params { count: u32, threshold: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> values: array<u32>;
@group(0) @binding(2) var<storage, read> places: array<u32>;
@group(0) @binding(3) var<storage, read_write> kept: array<u32>;

@compute @workgroup_size(64)
fn keep(@builtin(global_invocation_id) gid: vec3u) {
    if (gid.x >= params.count) { return; }
    let value = values[gid.x];
    if (value > params.threshold) { kept[places[gid.x]] = value; }
}
