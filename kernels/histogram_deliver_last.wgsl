// The result need not be zero before: a bin's word holds how many have come, of `parts`, and what they brought, in one
// atomic, so that the last one knows the total. It leaves the word zero for the next run.
//
//     SUM_BITS; result_put

@group(0) @binding(2) var<storage, read_write> meeting: array<atomic<u32>>;

fn deliver(bin: u32, sum: u32, parts: u32) {
    let before = atomicAdd(&meeting[bin], (1u << SUM_BITS) + sum);
    if (before >> SUM_BITS == parts - 1u) {
        result_put(bin, (before + sum) & ((1u << SUM_BITS) - 1u));
        atomicStore(&meeting[bin], 0u);
    }
}
