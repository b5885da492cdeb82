// Zeroes all bins.
//
//     WORKGROUP_SIZE, BINS (of all channels); result_put

@compute @workgroup_size(WORKGROUP_SIZE)
fn histogram_clear(@builtin(local_invocation_index) local: u32) {
    for (var bin = local; bin < BINS; bin += WORKGROUP_SIZE) { result_put(bin, 0u); }
}
