// The rank of an element among those of its digit that its subgroup has met so far: all peers read the counter, then the
// lowest of them moves it on. The barriers keep the two apart, and this element apart from the next.
//
//     words; LaneMask
fn rank_among(peers: LaneMask, counter: u32, lane: u32) -> u32 {
    let met = atomicLoad(&words[counter]);
    subgroupBarrier();
    let before = lanes_count(peers & lanes_below(lane));
    if (before == 0u) { atomicStore(&words[counter], met + lanes_count(peers)); }
    subgroupBarrier();
    return met + before;
}
