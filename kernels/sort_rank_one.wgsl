// The rank of an element among those of its digit that its invocation has met so far: nobody else has this counter.
//
//     words; LaneMask
fn rank_among(peers: LaneMask, counter: u32, lane: u32) -> u32 {
    let met = atomicLoad(&words[counter]);
    atomicStore(&words[counter], met + 1u);
    return met;
}
