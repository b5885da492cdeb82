// A histogram of each group in workgroup memory, added to the one in memory at the end. Before this text stands
// `const samples_of_a_word = 1u;`, or 4 of a byte each.
@group(0) @binding(0) var<storage, read> s: array<u32>;
@group(0) @binding(1) var<storage, read_write> bins: array<atomic<u32>, 256>;

var<workgroup> own: array<atomic<u32>, 256>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) local: u32) {
    atomicStore(&own[local], 0u);
    workgroupBarrier();
    for (var k = 0u; k < 16u; k++) {
        let i = (group.x * 16u + k) * 256u + local;
        if (i >= arrayLength(&s)) { break; }
        var word = s[i];
        for (var sample = 0u; sample < samples_of_a_word; sample++) {
            atomicAdd(&own[word & 255u], 1u);
            word >>= 8u;
        }
    }
    workgroupBarrier();
    let sum = atomicLoad(&own[local]);
    if (sum > 0u) { atomicAdd(&bins[local], sum); }
}
