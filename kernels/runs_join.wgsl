// Stretches of elements in which runs begin and end. A head is the first element of a run.
//
//     A, identity, combine; store(k: u32, a: A): the result of run k

struct Stretch {
    before: A, // up to its first head; all of it where it has none
    after: A,  // from its last head on
    open: u32, // the run that its last head begins, counted from 1; 0: it has no head
}

fn nothing() -> Stretch { return Stretch(identity(), identity(), 0u); }

// Two neighbours as one. A run that begins in the first and ends in the second is complete.
fn joined(first: Stretch, second: Stretch) -> Stretch {
    if (second.open == 0u) {
        if (first.open == 0u) { return Stretch(combine(first.before, second.before), identity(), 0u); }
        return Stretch(first.before, combine(first.after, second.before), first.open);
    }
    if (first.open == 0u) { return Stretch(combine(first.before, second.before), second.after, second.open); }
    store(first.open - 1u, combine(first.after, second.before));
    return Stretch(first.before, second.after, second.open);
}
