// The keys of the edges from where they are: too many for the workgroup's memory.
//
//     ordered(x: S) -> u32; edge_item

fn bins_prepare(local: u32) {}
fn edge_key(k: u32) -> u32 { return ordered(edge_item(k)); }
