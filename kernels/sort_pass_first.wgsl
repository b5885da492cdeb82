// The first pass, before there is a plan: it reads what it is given.
fn pass_runs() -> bool { return true; }
fn pass_digit() -> Digit { return digit_of_pass(0u); }
fn goes_to_sorted() -> bool { return false; }
