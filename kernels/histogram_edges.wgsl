// The bin of a sample among edges that go up, by binary search.
//
//     EDGES (one more than bins), EDGES_HALF (the largest power of two that is at most EDGES)
//     S, ordered(x: S) -> u32; edge_key(k)

// As many edges as are not above x, less one: before the first that wraps, from the last one on it is past the bins.
fn bin_of(x: S) -> u32 {
    let key = ordered(x);
    var below = 0u;
    for (var step = EDGES_HALF; step > 0u; step >>= 1u) {
        let next = min(below + step, EDGES);
        below = select(below, next, edge_key(next - 1u) <= key);
    }
    return below - 1u;
}
