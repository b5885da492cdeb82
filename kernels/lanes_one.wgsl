// Without subgroups every invocation is one of a single lane.
fn lanes_from(x: A, lane: u32) -> A { return x; }
fn lanes_up(x: A, by: u32) -> A { return x; }
fn lanes_inclusive(x: A, lane: u32) -> A { return x; }
fn lanes_total(x: A) -> A { return x; }
fn lanes_before(inclusive: A, x: A, lane: u32) -> A { return identity(); }
