// The keys of the edges in the workgroup's memory.
//
//     WORKGROUP_SIZE, EDGES; ordered(x: S) -> u32; edge_item

var<workgroup> edge_keys: array<u32, EDGES>;

fn bins_prepare(local: u32) {
    for (var k = local; k < EDGES; k += WORKGROUP_SIZE) { edge_keys[k] = ordered(edge_item(k)); }
    workgroupBarrier();
}
fn edge_key(k: u32) -> u32 { return edge_keys[k]; }
