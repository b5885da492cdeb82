// Transposition: a tile goes through workgroup memory, so that both sides are read and written along rows. An invocation
// takes `items` tiles one after the other, along x.
override size_x: u32 = 16;
override size_y: u32 = 16;
override items: u32 = 1;

@group(0) @binding(0) var<storage, read> s: array<u32>;
@group(0) @binding(1) var<storage, read_write> d: array<u32>;
@group(0) @binding(2) var<uniform> domain: vec2u;

var<workgroup> tile: array<u32, 1056>; // 33 columns for 32 rows, the most that is tried: one more, against conflicts of banks

@compute @workgroup_size(size_x, size_y)
fn transpose(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) local: vec3u,
             @builtin(local_invocation_index) lane: u32) {
    let across = vec2u(lane / size_y, lane % size_y); // the place in the tile whose element this lane writes
    for (var k = 0u; k < items; k++) {
        let corner = vec2u((group.x * items + k) * size_x, group.y * size_y);
        let origin = corner + local.xy;
        workgroupBarrier();
        if (all(origin < domain)) { tile[local.y * (size_x + 1u) + local.x] = s[origin.y * domain.x + origin.x]; }
        workgroupBarrier();
        let place = corner + across;
        if (all(place < domain)) { d[place.x * domain.y + place.y] = tile[across.y * (size_x + 1u) + across.x]; }
    }
}
