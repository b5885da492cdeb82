// A tile's place among those of each digit, where all tiles have been counted and the counts scanned.
//
//     COUNTS: the binding
@group(0) @binding(COUNTS) var<storage, read> counts: array<u32>;

fn tile_number(id: vec3u, local: u32) -> u32 { return group_number(id); }
fn tile_counted(tile: u32, value: u32, count: u32) {}
fn tile_offset(tile: u32, value: u32, count: u32) -> u32 { return counts[value * telar_launch.groups + tile]; }
