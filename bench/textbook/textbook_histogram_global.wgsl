// An atomic in memory for each sample. Before this text stands `const samples_of_a_word = 1u;`, or 4 of a byte each.
@group(0) @binding(0) var<storage, read> s: array<u32>;
@group(0) @binding(1) var<storage, read_write> bins: array<atomic<u32>, 256>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if (id.x >= arrayLength(&s)) { return; }
    var word = s[id.x];
    for (var k = 0u; k < samples_of_a_word; k++) {
        atomicAdd(&bins[word & 255u], 1u);
        word >>= 8u;
    }
}
