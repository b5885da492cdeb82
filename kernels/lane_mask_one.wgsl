// Sets of lanes, where every invocation is one of a single lane.
alias LaneMask = u32;
fn all_lanes() -> LaneMask { return 1u; }
fn lanes_where(condition: bool) -> LaneMask { return u32(condition); }
fn lanes_below(lane: u32) -> LaneMask { return 0u; }
fn lanes_count(mask: LaneMask) -> u32 { return mask; }
fn lanes_highest(mask: LaneMask) -> u32 { return 0u; }
