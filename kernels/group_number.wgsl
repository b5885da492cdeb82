// A workgroup's number in a folded dispatch.
fn group_number(id: vec3u) -> u32 {
    return (id.z * telar_launch.rows + id.y) * telar_launch.row_groups + id.x;
}
