// Segments without elements.
//
//     WORKGROUP_SIZE; identity, store

@compute @workgroup_size(WORKGROUP_SIZE)
fn runs_none(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let i = group_number(id) * WORKGROUP_SIZE + local;
    if (i < telar_launch.count.x) { store(i, identity()); }
}
