// The pass of this dispatch.
//
//     RECORD: the binding; Pass
@group(0) @binding(RECORD) var<storage, read> bound_pass: Pass;

fn pass_runs() -> bool { return bound_pass.runs != 0u; }
fn pass_digit() -> Digit { return bound_pass.digit; }
fn goes_to_sorted() -> bool { return bound_pass.to_sorted != 0u; }
fn is_last_pass() -> bool { return bound_pass.is_last != 0u; }
fn digit_total(value: u32) -> u32 { return bound_pass.totals[value]; }
