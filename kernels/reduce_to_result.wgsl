// A workgroup that works alone has the result.
//
//     result_put
fn deliver(total: A, group: u32, local: u32) {
    if (local == 0u) { result_put(0u, total); }
}
