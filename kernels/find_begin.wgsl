// Nothing has been found yet: that is the length.
//
//     result_put, elements() -> u32

@compute @workgroup_size(1)
fn find_begin() { result_put(0u, elements()); }
