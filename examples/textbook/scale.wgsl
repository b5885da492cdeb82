// The same work as ../scale.wgsl, as textbooks write it: 64 invocations, one element each, one guard, groups on x alone.
@group(0) @binding(0) var<storage, read> s: array<f32>;
@group(0) @binding(1) var<storage, read_write> d: array<f32>;

struct Params { count: u32 }
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) gid: vec3u) {
    if (gid.x >= params.count) { return; }
    d[gid.x] = s[gid.x] * 0.99;
}
