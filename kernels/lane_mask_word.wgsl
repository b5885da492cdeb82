// Sets of lanes, of subgroups of at most 32.
alias LaneMask = u32;
fn all_lanes() -> LaneMask { return 0xffffffffu >> (32u - LANES); }
fn lanes_where(condition: bool) -> LaneMask { return subgroupBallot(condition).x; }
fn lanes_below(lane: u32) -> LaneMask { return (1u << lane) - 1u; }
fn lanes_count(mask: LaneMask) -> u32 { return countOneBits(mask); }
fn lanes_highest(mask: LaneMask) -> u32 { return firstLeadingBit(mask); }
