// Inclusive sums of u32. scan: an invocation adds `items` neighbours, the group scans these sums in workgroup memory, and
// each writes its own; the group's total goes to `totals`. Once these are scanned, add brings them to all later groups.
override size: u32 = 256;
override items: u32 = 1;

@group(0) @binding(0) var<storage, read> s: array<u32>;
@group(0) @binding(1) var<storage, read_write> d: array<u32>;
@group(0) @binding(2) var<storage, read_write> totals: array<u32>;
@group(0) @binding(3) var<storage, read> before: array<u32>;

var<workgroup> sums: array<u32, 1024>; // of the largest group: not every engine takes a length from an override

@compute @workgroup_size(size)
fn scan(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let count = arrayLength(&s);
    let first = min((group.x * size + lane) * items, count);
    let end = min(first + items, count);
    var sum = 0u;
    for (var i = first; i < end; i++) { sum += s[i]; }
    sums[lane] = sum;
    for (var step = 1u; step < size; step *= 2u) {
        workgroupBarrier();
        let left = select(0u, sums[max(lane, step) - step], lane >= step);
        workgroupBarrier();
        sums[lane] += left;
    }
    workgroupBarrier();
    var running = sums[lane] - sum;
    for (var i = first; i < end; i++) {
        running += s[i];
        d[i] = running;
    }
    if (lane == size - 1u) { totals[group.x] = sums[lane]; }
}

@compute @workgroup_size(size)
fn add(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    if (group.x == 0u) { return; }
    let count = arrayLength(&d);
    let sum = before[group.x - 1u];
    let first = group.x * size * items + lane;
    for (var k = 0u; k < items; k++) {
        let i = first + k * size;
        if (i < count) { d[i] += sum; }
    }
}
