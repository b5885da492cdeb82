// One workgroup joins the stretches of all others, and stores the runs that end in another part than they began in.
//
//     WORKGROUP_SIZE; A; Stretch, joined, store; STRETCHES: the binding
//     stretches_count() -> u32
//     carry_end(groups: u32, local: u32)    at the end

@group(0) @binding(STRETCHES) var<storage, read> stretches: array<Stretch>;

var<workgroup> chunks: array<Stretch, WORKGROUP_SIZE>;

// All of them, in the first: neighbours, then neighbours of twice as many. A function, so that the loop stays one.
fn join_chunks(local: u32) {
    for (var distance = 1u; distance < WORKGROUP_SIZE; distance *= 2u) {
        let first = 2u * distance * local;
        if (first < WORKGROUP_SIZE) { chunks[first] = joined(chunks[first], chunks[first + distance]); }
        workgroupBarrier();
    }
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn runs_carry(@builtin(local_invocation_index) local: u32) {
    let count = stretches_count();
    let each = count / WORKGROUP_SIZE + u32(count % WORKGROUP_SIZE != 0u);
    var mine = nothing();
    for (var k = local * each; k < min(local * each + each, count); k++) { mine = joined(mine, stretches[k]); }
    chunks[local] = mine;
    workgroupBarrier();
    join_chunks(local);
    if (local == 0u && chunks[0].open != 0u) { store(chunks[0].open - 1u, chunks[0].after); }
    carry_end(count, local);
}
