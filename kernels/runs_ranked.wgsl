// Runs are numbered as they begin: those before a part are what runs_count has counted in the parts before it.
//
//     WORKGROUP_SIZE; workgroup_sums; COUNTS: the binding

@group(0) @binding(COUNTS) var<storage, read> run_counts: array<u32>;

// Of the first so many parts.
fn runs_in(parts_count: u32, local: u32) -> u32 {
    var mine = 0u;
    for (var k = local; k < parts_count; k += WORKGROUP_SIZE) { mine += run_counts[k]; }
    return workgroup_sums(mine, local).all;
}

fn tiles_begin(element: u32, group: u32, local: u32) -> u32 {
    let runs = runs_in(group, local);
    workgroupBarrier(); // that the sums of the first tile wait for
    return runs;
}

fn tile_begin(tile: u32, count: u32, local: u32) {}
fn tile_ranks(mine: u32, local: u32) -> Sums { return workgroup_sums(mine, local); }
fn run_of(rank: u32, place: u32) -> u32 { return rank; }
