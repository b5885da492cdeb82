// Keys of 16 bits, two in a word.
fn keys_in_item(i: u32) -> u32 { return (words_in_item(i / 2u) >> (i % 2u * 16u)) & 0xffffu; }
fn keys_in_row(i: u32) -> array<u32, 4> {
    let a = words_in_item(i * 2u);
    let b = words_in_item(i * 2u + 1u);
    return array<u32, 4>(a & 0xffffu, a >> 16u, b & 0xffffu, b >> 16u);
}
