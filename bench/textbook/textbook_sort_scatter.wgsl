// Sorts a block of 256 keys by one digit, a bit at a time, and writes each digit's keys where the scan of the counts
// says. Before this text stand `const shift = 0u;` and `const pairs = false;`; without pairs the values are not touched.
@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<storage, read> places: array<u32>;
@group(0) @binding(2) var<storage, read_write> sorted: array<u32>;
@group(0) @binding(3) var<storage, read> values: array<u32>;
@group(0) @binding(4) var<storage, read_write> sorted_values: array<u32>;

var<workgroup> zeros: array<u32, 256>;
var<workgroup> block: array<vec2u, 256>;
var<workgroup> starts: array<u32, 16>;

// The zeros among the invocations up to this one, by Hillis and Steele.
fn count_zeros(local: u32, zero: bool) -> u32 {
    zeros[local] = u32(zero);
    workgroupBarrier();
    for (var step = 1u; step < 256u; step *= 2u) {
        var sum = zeros[local];
        if (local >= step) { sum += zeros[local - step]; }
        workgroupBarrier();
        zeros[local] = sum;
        workgroupBarrier();
    }
    return zeros[local];
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
    let n = arrayLength(&keys);
    let i = group.x * 256u + local;
    // What is past the end stays behind every key of its block.
    var entry = vec2u(0xffffffffu, 0u);
    if (i < n) { entry.x = keys[i]; }
    if (pairs && i < n) { entry.y = values[i]; }
    for (var bit = 0u; bit < 4u; bit++) {
        let zero = ((entry.x >> (shift + bit)) & 1u) == 0u;
        let before = count_zeros(local, zero);
        var place = local - before + zeros[255];
        if (zero) { place = before - 1u; }
        block[place] = entry;
        workgroupBarrier();
        entry = block[local];
        workgroupBarrier();
    }
    let digit = (entry.x >> shift) & 15u;
    if (local == 0u) { starts[digit] = 0u; }
    if (local > 0u && ((block[local - 1u].x >> shift) & 15u) != digit) { starts[digit] = local; }
    workgroupBarrier();
    if (group.x * 256u + local >= n) { return; }
    let blocks = arrayLength(&places) / 16u;
    let to = places[digit * blocks + group.x] + local - starts[digit];
    sorted[to] = entry.x;
    if (pairs) { sorted_values[to] = entry.y; }
}
