// Moves the live ones of a pool of points: the guard is their count, since the buffers hold more. Points are vec4f, whose 16
// bytes are the same in WGSL and on the host; a vec3f takes 12 and is aligned to 16.
//     telar run examples/kernels/points.wgsl --count 12000 --bind positions=f32:60000:iota --bind velocities=f32:60000:2 --set params.count=count --set params.step=0.5 --out positions=points.npy
struct Params { count: u32, step: f32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> positions: array<vec4f>;
@group(0) @binding(2) var<storage, read> velocities: array<vec4f>;

@compute @workgroup_size(64)
fn points(@builtin(global_invocation_id) gid: vec3u) {
    if (gid.x >= params.count) { return; }
    positions[gid.x] += velocities[gid.x] * params.step;
}
