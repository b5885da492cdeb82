// What the lanes of a subgroup tell each other of numbers.
fn lanes_number_up(number: u32, by: u32) -> u32 { return subgroupShuffleUp(number, by); }
fn lanes_number_of_last(number: u32) -> u32 { return subgroupShuffle(number, LANES - 1u); }
fn lanes_sum_before(number: u32) -> u32 { return subgroupExclusiveAdd(number); }
fn lanes_sum(number: u32) -> u32 { return subgroupAdd(number); }
