// One invocation, one element, groups of 64: the kernel of every first chapter.
@group(0) @binding(0) var<storage, read> s: array<f32>;
@group(0) @binding(1) var<storage, read_write> d: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if (id.x >= arrayLength(&d)) { return; }
    d[id.x] = s[id.x] * 0.99;
}
