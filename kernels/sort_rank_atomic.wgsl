// The rank of an element among those of its digit that its subgroup has met so far: the highest peer counts all of them
// and tells what it found. Each shuffle waits for the atomic before it.
//
//     words; LaneMask
fn rank_among(peers: LaneMask, counter: u32, lane: u32) -> u32 {
    let highest = lanes_highest(peers);
    var met = 0u;
    if (lane == highest) { met = atomicAdd(&words[counter], lanes_count(peers)); }
    return subgroupShuffle(met, highest) + lanes_count(peers & lanes_below(lane));
}
