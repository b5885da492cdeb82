// The invocation at the beginning of a run adds it up. `places` is the scan of the flags: which run it is.
@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<storage, read> s: array<u32>;
@group(0) @binding(2) var<storage, read> flags: array<u32>;
@group(0) @binding(3) var<storage, read> places: array<u32>;
@group(0) @binding(4) var<storage, read_write> unique: array<u32>;
@group(0) @binding(5) var<storage, read_write> d: array<u32>;
@group(0) @binding(6) var<storage, read_write> count: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let n = arrayLength(&keys);
    if (id.x >= n) { return; }
    if (id.x == n - 1u) { count[0] = places[id.x] + flags[id.x]; }
    if (flags[id.x] == 0u) { return; }
    let key = keys[id.x];
    var sum = 0u;
    for (var i = id.x; i < n; i++) {
        if (keys[i] != key) { break; }
        sum += s[i];
    }
    unique[places[id.x]] = key;
    d[places[id.x]] = sum;
}
