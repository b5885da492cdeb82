// Packs sorted keys of 16 bits, two in a word. A half behind the end stays as it is.
//
//     WORKGROUP_SIZE; keys_sorted_item, key_word; words_out_item, words_out_put
@compute @workgroup_size(WORKGROUP_SIZE)
fn sort_pack(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) local: u32) {
    let group = group_number(id);
    let count = telar_launch.count.x;
    let i = (group * WORKGROUP_SIZE + local) * 2u;
    if (group >= telar_launch.groups || i >= count) { return; }
    var high = words_out_item(i / 2u) & 0xffff0000u;
    if (i + 1u < count) { high = keys_sorted_item(i + 1u) << 16u; }
    words_out_put(i / 2u, keys_sorted_item(i) | high);
}
