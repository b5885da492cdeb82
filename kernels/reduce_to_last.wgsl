// The workgroup that arrives last combines the totals of all of them, in their order, so that one dispatch does it all.
//
// WGSL's atomics order nothing but one word: that a workgroup has arrived does not say that its total is to be seen. So
// totals are posted as those of look-back, and the last workgroup looks at each for a while. What it does not see by then
// it reduces again, to the same bits: nothing waits for ever, and nothing is left out.
//
//     total_again (group, local) -> A
//     run_look, ticket_draw, post, entry_of; POLLS, posts(group: u32) -> bool
//     WORKGROUP_SIZE, GROUPS (a multiple of 4 * WORKGROUP_SIZE, at least the workgroups that there are)
//     WORDS; words_of(a: A) -> array<u32, WORDS>, of_words(words: array<u32, WORDS>) -> A; store(k: u32, a: A)

var<workgroup> unseen: atomic<u32>; // one more than the number of a workgroup whose total is; 0: none
var<workgroup> missing: u32; // the greatest of them

// On its way while the last elements are.
fn deliver_soon(local: u32) {
    if (local == 0u) { run_look(); }
}

fn post_total(total: A, group: u32) {
    let words = words_of(total);
    for (var w = 0u; w < WORDS; w++) { post(w * GROUPS + group, TOTAL_POSTED, words[w]); }
}

// A word of four workgroups' totals.
fn posted_words(groups: vec4u, word: u32) -> vec4u {
    let wanted = groups < vec4u(telar_launch.stride);
    let at = groups + word * GROUPS;
    var bits = vec4u();
    var hidden = wanted;
    for (var k = 0u; k < POLLS && any(hidden); k++) {
        let x = entry_of(at.x);
        let y = entry_of(at.y);
        let z = entry_of(at.z);
        let w = entry_of(at.w);
        bits = vec4u(x.bits, y.bits, z.bits, w.bits);
        hidden = wanted & (vec4u(x.state, y.state, z.state, w.state) == vec4u());
    }
    let numbers = select(vec4u(), groups + 1u, hidden);
    if (any(hidden)) { atomicMax(&unseen, max(max(numbers.x, numbers.y), max(numbers.z, numbers.w))); }
    return bits;
}

fn combine_all(local: u32) -> A {
    var sum = identity();
    for (var first = local; first < telar_launch.stride; first += 4u * WORKGROUP_SIZE) {
        let groups = first + WORKGROUP_SIZE * vec4u(0u, 1u, 2u, 3u);
        var words: array<vec4u, WORDS>;
        for (var w = 0u; w < WORDS; w++) { words[w] = posted_words(groups, w); }
        for (var k = 0u; k < 4u; k++) {
            var one: array<u32, WORDS>;
            for (var w = 0u; w < WORDS; w++) { one[w] = words[w][k]; }
            if (groups[k] < telar_launch.stride) { sum = combine(sum, of_words(one)); }
        }
    }
    return workgroup_total(sum, local);
}

fn deliver(total: A, group: u32, local: u32) {
    if (local == 0u) {
        if (posts(group)) { post_total(total, group); }
        atomicStore(&unseen, 0u);
    }
    if (ticket_draw(telar_launch.stride, local) != telar_launch.stride - 1u) { return; }
    while (true) {
        let all = combine_all(local);
        if (local == 0u) {
            missing = atomicExchange(&unseen, 0u);
            if (missing == 0u) { store(0u, all); }
        }
        let number = workgroupUniformLoad(&missing);
        if (number == 0u) { return; }
        let again = total_again(number - 1u, local);
        // By the invocation that looks at it: what it has written itself it sees.
        if (local == (number - 1u) % WORKGROUP_SIZE) { post_total(again, number - 1u); }
        workgroupBarrier();
    }
}
