// Where a digit stands in a key.
struct Digit {
    word: u32,
    shift: u32,
    mask: u32,
}

fn digit_of(key: Key, digit: Digit) -> u32 { return (key_word(key, digit.word) >> digit.shift) & digit.mask; }
