// Without subgroups every invocation is one of a single lane.
fn lanes_number_up(number: u32, by: u32) -> u32 { return number; }
fn lanes_number_of_last(number: u32) -> u32 { return number; }
fn lanes_sum_before(number: u32) -> u32 { return 0u; }
fn lanes_sum(number: u32) -> u32 { return number; }
