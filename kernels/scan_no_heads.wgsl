// Nothing parts the elements.
//
//     ROW
fn heads_row(i: u32) -> array<u32, ROW> { return array<u32, ROW>(); }
fn heads_item(i: u32) -> u32 { return 0u; }
