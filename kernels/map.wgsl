// Calls element(i) for every element. An invocation's items are a workgroup apart, so that each access of a workgroup is
// one run of memory; full tiles run unguarded.
//
//     WORKGROUP_SIZE, ITEMS; fn element(i: u32), i counted within the window

const TILE = WORKGROUP_SIZE * ITEMS;

@compute @workgroup_size(WORKGROUP_SIZE)
fn map(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let group = group_number(id);
    if (group >= telar_launch.groups) { return; }
    let first = group * TILE + local;
    let count = telar_launch.count.x;
    if (group < count / TILE) {
        for (var k = 0u; k < ITEMS; k++) { element(first + k * WORKGROUP_SIZE); }
    } else {
        for (var k = 0u; k < ITEMS; k++) {
            if (first + k * WORKGROUP_SIZE < count) { element(first + k * WORKGROUP_SIZE); }
        }
    }
}

// The index in the whole array of an element of this window.
fn index_of(i: u32) -> u32 { return group_base() * TILE + i; }
