// Sums of weights by bin. There is no atomicAdd for f32, so the bits are exchanged until nobody came between; whether one
// did is what .exchanged says, and no comparison of floats.
//     telar run examples/kernels/weighted_histogram.wgsl --bind bins=u32:100000:iota --bind weights=f32:100000:0.25 --bind sums=u32:64 --set params.count=count --out sums=bins.npy
struct Params { count: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bins: array<u32>;
@group(0) @binding(2) var<storage, read> weights: array<f32>;
@group(0) @binding(3) var<storage, read_write> sums: array<atomic<u32>, 64>; // f32 in each

fn add(bin: u32, weight: f32) {
    var old = atomicLoad(&sums[bin]);
    loop {
        let tried = atomicCompareExchangeWeak(&sums[bin], old, bitcast<u32>(bitcast<f32>(old) + weight));
        if (tried.exchanged) { break; }
        old = tried.old_value;
    }
}

@compute @workgroup_size(64)
fn weighted_histogram(@builtin(global_invocation_id) gid: vec3u) {
    if (gid.x >= params.count) { return; }
    add(min(bins[gid.x], 63u), weights[gid.x]);
}
