// A pass of a sort, of which each dispatch is bound to its own. Only the digits in which keys differ get one. The elements
// go to and fro between the arrays `other` and `sorted`, so that the last pass ends in `sorted`.
//
//     DIGITS
struct Pass {
    runs: u32, // 0: the passes before have been all
    to_sorted: u32,
    is_last: u32,
    digit: Digit,
    number: u32, // of the digit
    totals: array<u32, DIGITS>, // elements of each digit
    rest: array<u32, PASS_REST>,
}

// A record is a multiple of 256 bytes, at which bindings may begin.
const PASS_REST = 64u - (7u + DIGITS) % 64u;
