// There is one tile, and nothing before it.

fn tile_take(turn: u32, id: vec3u, groups: vec3u, local: u32) -> u32 { return 0u; }
fn tile_tell(tile: u32, total: A, local: u32, lane: u32) {}
fn tile_prefix_told(tile: u32, total: A, local: u32, lane: u32) -> A { return A(); }
