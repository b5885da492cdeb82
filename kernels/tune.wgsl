// What the kernels of tuning share. `group_size` and `items` are constants that are printed before.
struct Tune {
    groups: u32,
    row_groups: u32, // of a folded dispatch
    salt: u32,       // what is written depends on it, so that nothing right is left from an earlier run
    repeats: u32,
}
@group(0) @binding(2) var<uniform> tune: Tune;

fn group_number(id: vec3u) -> u32 {
    return id.y * tune.row_groups + id.x;
}
