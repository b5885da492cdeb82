// Sums of counts over a subgroup.
fn lanes_from(x: A, lane: u32) -> A { return subgroupShuffle(x, lane); }
fn lanes_inclusive(x: A, lane: u32) -> A { return subgroupInclusiveAdd(x); }
fn lanes_total(x: A) -> A { return subgroupAdd(x); }
