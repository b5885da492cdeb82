// The pass of this dispatch, where none is left out: what the plan would say is known.
//
//     RECORD: the binding; TO_SORTED, IS_LAST, PASS; digit_of_pass
@group(0) @binding(RECORD) var<storage, read> bound_pass: Pass;

fn pass_runs() -> bool { return true; }
fn pass_digit() -> Digit { return digit_of_pass(PASS); }
fn goes_to_sorted() -> bool { return TO_SORTED; }
fn is_last_pass() -> bool { return IS_LAST; }
fn digit_total(value: u32) -> u32 { return bound_pass.totals[value]; }
