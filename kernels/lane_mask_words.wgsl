// Sets of lanes, of subgroups of more than 32.
alias LaneMask = vec4u;
fn all_lanes() -> LaneMask { return lanes_below(LANES); }
fn lanes_where(condition: bool) -> LaneMask { return subgroupBallot(condition); }
fn lanes_below(lane: u32) -> LaneMask {
    let first = vec4u(0u, 32u, 64u, 96u);
    let whole = vec4u(lane) >= first + 32u;
    let part = (vec4u(1u) << ((vec4u(lane) - first) & vec4u(31u))) - 1u;
    return select(select(vec4u(0u), part, vec4u(lane) >= first), vec4u(0xffffffffu), whole);
}
fn lanes_count(mask: LaneMask) -> u32 {
    let counts = countOneBits(mask);
    return counts.x + counts.y + counts.z + counts.w;
}
fn lanes_highest(mask: LaneMask) -> u32 {
    var highest = firstLeadingBit(mask.x);
    if (mask.y != 0u) { highest = 32u + firstLeadingBit(mask.y); }
    if (mask.z != 0u) { highest = 64u + firstLeadingBit(mask.z); }
    if (mask.w != 0u) { highest = 96u + firstLeadingBit(mask.w); }
    return highest;
}
