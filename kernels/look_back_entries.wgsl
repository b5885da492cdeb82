// What tiles post for later tiles of the same dispatch, and the order in which they begin.
//
// Nothing is ordered between workgroups but each word by itself. So a value stands in two words of 16 bits, which both
// carry its state and the run's number, and is taken when they agree. Nothing needs to be cleared: the word that tickets
// are drawn from counts the runs above them, and what an earlier run has posted bears another number. Every run posts
// all entries, so that the numbers may begin again after 2^14 runs: only the run before is still to be seen.
//
//     spine: array<atomic<u32>>, kept from run to run and zero at first

const TICKETS = 0x3ffffu; // the lower bits of a word: 2^18 tiles; above them the run
const TOTAL_POSTED = 1u;  // the tile's total
const ALL_POSTED = 2u;    // all up to the tile
const ENTRIES = 64u;      // the words of the entries begin here, apart from the tickets

var<workgroup> drawn: u32;
var<private> run: u32;

// Which run this is, before one's own ticket is drawn.
fn run_look() { run = atomicLoad(&spine[0]) & ~TICKETS; }

// The number of a workgroup among the `groups` of this run, by the time of its begin.
fn ticket_draw(groups: u32, local: u32) -> u32 {
    if (local == 0u) {
        let ticket = atomicAdd(&spine[0], 1u);
        // Nobody draws after the last of this run: the next one begins.
        if ((ticket & TICKETS) == groups - 1u) { atomicStore(&spine[0], (ticket | TICKETS) + 1u); }
        drawn = ticket;
    }
    let ticket = workgroupUniformLoad(&drawn);
    run = ticket & ~TICKETS;
    return ticket & TICKETS;
}

fn post(tile: u32, state: u32, bits: u32) {
    let head = run | (state << 16u);
    atomicStore(&spine[ENTRIES + 2u * tile], head | (bits & 0xffffu));
    atomicStore(&spine[ENTRIES + 2u * tile + 1u], head | (bits >> 16u));
}

struct Entry {
    state: u32, // 0: not posted
    bits: u32,
}

fn entry_of(tile: u32) -> Entry {
    let low = atomicLoad(&spine[ENTRIES + 2u * tile]);
    let high = atomicLoad(&spine[ENTRIES + 2u * tile + 1u]);
    let posted = (low ^ high) >> 16u == 0u && (low & ~TICKETS) == run;
    return Entry(select(0u, (low >> 16u) & 3u, posted), (low & 0xffffu) | (high << 16u));
}
