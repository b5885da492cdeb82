// 1 for what is selected: the odd ones.
@group(0) @binding(0) var<storage, read> s: array<u32>;
@group(0) @binding(1) var<storage, read_write> flags: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if (id.x >= arrayLength(&s)) { return; }
    flags[id.x] = s[id.x] & 1u;
}
