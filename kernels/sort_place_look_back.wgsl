// A tile's place among those of each digit, found by looking at what the tiles before it have posted: first what they have
// of the digit themselves, then what all up to them have. Tiles begin in the order of their tickets, so that those before
// this one have all begun. Where one of them is long in coming, its keys are counted here: nothing waits for ever.
//
//     SPINE_HEAD (words before the entries), TILE, DIGITS, POLLS; SPINE: the binding; posts(tile: u32) -> bool
//     Digit, digit_of, other_key, sorted_key; pass_digit,
//     goes_to_sorted
@group(0) @binding(SPINE) var<storage, read_write> spine: array<atomic<u32>>;

const COUNT_POSTED = 0x40000000u;
const ALL_POSTED = 0x80000000u;
const POSTED_COUNT = 0x3fffffffu;

var<workgroup> ticket: u32;

fn tile_number(id: vec3u, local: u32) -> u32 {
    if (group_number(id) >= telar_launch.groups) { return telar_launch.groups; }
    if (local == 0u) { ticket = atomicAdd(&spine[0], 1u); }
    return workgroupUniformLoad(&ticket);
}

fn entry_of(tile: u32, value: u32) -> u32 { return SPINE_HEAD + tile * DIGITS + value; }

fn post(tile: u32, value: u32, entry: u32) {
    if (posts(tile)) { atomicStore(&spine[entry_of(tile, value)], entry); }
}

fn tile_counted(tile: u32, value: u32, count: u32) {
    post(tile, value, count | select(COUNT_POSTED, ALL_POSTED, tile == 0u));
}

fn count_again(tile: u32, value: u32) -> u32 {
    let digit = pass_digit();
    let from_other = goes_to_sorted();
    var sum = 0u;
    for (var i = tile * TILE; i < tile * TILE + TILE; i++) {
        var key: Key;
        if (from_other) { key = other_key(i); } else { key = sorted_key(i); }
        sum += u32(digit_of(key, digit) == value);
    }
    return sum;
}

// Elements found so far, and entries in front of which there is still to look.
struct Found {
    elements: u32,
    left: u32,
}

// Adds the next entry; whether there is another to add.
fn take(found: ptr<function, Found>, posted: u32) -> bool {
    if (posted == 0u || (*found).left == 0u) { return false; }
    (*found).elements += posted & POSTED_COUNT;
    (*found).left = select((*found).left - 1u, 0u, posted >= ALL_POSTED);
    return true;
}

fn tile_offset(tile: u32, value: u32, count: u32) -> u32 {
    if (tile == 0u) { return 0u; }
    var found = Found(0u, tile);
    var polls = 0u;
    while (found.left > 0u) {
        // Four are on their way at once.
        let nearest = entry_of(found.left - 1u, value);
        let a = atomicLoad(&spine[nearest]);
        let b = atomicLoad(&spine[nearest - min(found.left - 1u, 1u) * DIGITS]);
        let c = atomicLoad(&spine[nearest - min(found.left - 1u, 2u) * DIGITS]);
        let d = atomicLoad(&spine[nearest - min(found.left - 1u, 3u) * DIGITS]);
        if (take(&found, a)) {
            polls = 0u;
            if (take(&found, b)) {
                if (take(&found, c)) { _ = take(&found, d); }
            }
        } else {
            polls++;
            if (polls == POLLS) {
                found.left--;
                found.elements += count_again(found.left, value);
                polls = 0u;
            }
        }
    }
    post(tile, value, ALL_POSTED | (found.elements + count));
    return found.elements;
}
