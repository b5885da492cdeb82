// Tiles in the order of their workgroups, all of which run at once: none reads its elements later because it waits for a
// ticket first. The tickets still count the runs.
//
//     spine, TICKETS, run; group_number

var<private> ticket: u32;
var<private> tickets: u32; // of a run

fn tile_of_workgroup(id: vec3u, groups: u32, local: u32) -> u32 {
    if (local == 0u) { ticket = atomicAdd(&spine[0], 1u); }
    tickets = groups;
    return group_number(id);
}

// By the first subgroup, when it needs the run.
fn run_begin(lane: u32) {
    // Nobody draws after the last of this run: the next one begins.
    if (lane == 0u && (ticket & TICKETS) == tickets - 1u) { atomicStore(&spine[0], (ticket | TICKETS) + 1u); }
    run = subgroupBroadcast(ticket, 0u) & ~TICKETS;
}
