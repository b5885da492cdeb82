// `places` is the scan of the flags: where a selected element goes.
@group(0) @binding(0) var<storage, read> s: array<u32>;
@group(0) @binding(1) var<storage, read> flags: array<u32>;
@group(0) @binding(2) var<storage, read> places: array<u32>;
@group(0) @binding(3) var<storage, read_write> d: array<u32>;
@group(0) @binding(4) var<storage, read_write> count: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&s);
    if (id.x >= n) { return; }
    if (flags[id.x] == 1u) { d[places[id.x]] = s[id.x]; }
    if (id.x == n - 1u) { count[0] = places[id.x] + flags[id.x]; }
}
