// One workgroup joins the stretches of all others, and stores the runs that end in another part than they began in.
//
//     WORKGROUP_SIZE; A; Stretch, joined, store; STRETCHES: the binding
//     stretches_count() -> u32
//     carry_end(groups: u32, local: u32)    at the end

const CHUNK = 32u; // that an invocation joins, at least

@group(0) @binding(STRETCHES) var<storage, read> stretches: array<Stretch>;

var<workgroup> chunks: array<Stretch, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn runs_carry(@builtin(local_invocation_index) local: u32) {
    let count = stretches_count();
    let each = max(count / WORKGROUP_SIZE + u32(count % WORKGROUP_SIZE != 0u), CHUNK);
    var mine = nothing();
    for (var k = local * each; k < min(local * each + each, count); k++) { mine = joined(mine, stretches[k]); }
    chunks[local] = mine;
    workgroupBarrier();
    if (local == 0u) {
        var all = nothing();
        for (var k = 0u; k * each < count; k++) { all = joined(all, chunks[k]); }
        if (all.open != 0u) { store(all.open - 1u, all.after); }
    }
    carry_end(count, local);
}
