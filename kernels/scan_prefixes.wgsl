// Tiles whose prefixes are known, one a workgroup. The last tiles come first: the totals were made in the order of the
// tiles, so that what was read last is still in the cache.
//
//     A, partials

fn tile_turns() -> u32 { return 1u; }

fn tile_take(turn: u32, id: vec3u, groups: vec3u, local: u32) -> u32 {
    return telar_launch.groups - 1u - group_number(id);
}

fn tile_prefix(tile: u32, total: A, local: u32, lane: u32) -> A { return partials[group_base() + tile]; }
