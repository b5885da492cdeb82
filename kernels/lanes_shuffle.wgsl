// Another lane's value.
fn lanes_from(x: A, lane: u32) -> A { return subgroupShuffle(x, lane); }
