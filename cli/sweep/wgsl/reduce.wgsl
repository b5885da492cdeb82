// The sum of u32, one partial a group: each invocation adds `items` elements a workgroup size apart, and goes on by all groups
// where there are fewer than tiles; a tree in workgroup memory adds the invocations. Dispatched again over the partials until
// one is left.
override size: u32 = 256;
override items: u32 = 1;

@group(0) @binding(0) var<storage, read> s: array<u32>;
@group(0) @binding(1) var<storage, read_write> d: array<u32>;

var<workgroup> sums: array<u32, 1024>; // of the largest group: not every engine takes a length from an override

@compute @workgroup_size(size)
fn reduce(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
          @builtin(local_invocation_index) lane: u32) {
    let count = arrayLength(&s);
    let tile = size * items;
    let tiles = count / tile + u32(count % tile != 0u);
    var sum = 0u;
    // telar: allow stride-indirect the sweep launches it directly
    for (var at = group.x; at < tiles; at += groups.x) {
        let first = at * tile + lane;
        for (var k = 0u; k < items; k++) {
            let i = first + k * size;
            if (i < count) { sum += s[i]; }
        }
    }
    sums[lane] = sum;
    for (var half = size / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (lane < half) { sums[lane] += sums[lane + half]; }
    }
    if (lane == 0u) { d[group.x] = sums[0]; }
}
