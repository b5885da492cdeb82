// A workgroup that works alone has the result.
//
//     store(k: u32, a: A): result k
fn deliver_soon(local: u32) {}

fn deliver(total: A, group: u32, local: u32) {
    if (local == 0u) { store(0u, total); }
}
