// Sums are added to what the result holds.
//
//     RESULT_FIRST

@group(0) @binding(1) var<storage, read_write> result: array<atomic<u32>>;

fn deliver(bin: u32, sum: u32, parts: u32) {
    if (sum != 0u) { atomicAdd(&result[bin + RESULT_FIRST], sum); }
}
