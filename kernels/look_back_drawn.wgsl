// Tiles in the order in which their workgroups begin, so that all earlier ones have begun before.
//
//     ticket_draw
fn tile_of_workgroup(id: vec3u, groups: u32, local: u32) -> u32 { return ticket_draw(groups, local); }

fn run_begin(lane: u32) {}
