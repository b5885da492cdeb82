// A later pass, which has been planned.
//
//     RECORD: the binding; Pass
@group(0) @binding(RECORD) var<storage, read_write> scanned_pass: Pass;

fn plan_passes() {}
fn pass_runs() -> bool { return scanned_pass.runs != 0u; }
fn keep_total(value: u32, total: u32) { scanned_pass.totals[value] = total; }
