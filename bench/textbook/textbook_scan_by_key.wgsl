// The invocation at the beginning of a run of equal keys goes through it.
@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<storage, read> s: array<u32>;
@group(0) @binding(2) var<storage, read_write> d: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&keys);
    if (id.x >= n) { return; }
    let key = keys[id.x];
    if (id.x > 0u) {
        if (keys[id.x - 1u] == key) { return; }
    }
    var sum = 0u;
    for (var i = id.x; i < n; i++) {
        if (keys[i] != key) { break; }
        d[i] = sum;
        sum += s[i];
    }
}
