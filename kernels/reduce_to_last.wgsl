// The workgroup that arrives last combines the totals of all of them, in their order, so that one dispatch does it all.
//
// WGSL's atomics order nothing but one word. So a total travels as halves of words, each in a word of its own with a mark
// that it is there; the count of arrivals only says who is last. The last one waits for marks that it does not see yet:
// their workgroups have counted themselves, so they have no more to do than to write them. Only for devices on which
// such a wait ends (tl_device_has_progress). It leaves all words zero, as it found them, for the next run.
//
//     ARRIVALS: the binding; WORKGROUP_SIZE, GROUPS (a multiple of 4 * WORKGROUP_SIZE, at least the workgroups that there are)
//     WORDS; words_of(a: A) -> array<u32, WORDS>, of_words(words: array<u32, WORDS>) -> A; store(k: u32, a: A)

const MARK = 0x10000u;
const TURNS_MAX = 0x100000u; // of a wait: no loop of ours is without an end
const POSTS = 32u;           // arrivals[0] counts; the halves begin on another cache line

@group(0) @binding(ARRIVALS) var<storage, read_write> arrivals: array<atomic<u32>>;

var<workgroup> is_last: u32;

fn post(total: A, group: u32) {
    let words = words_of(total);
    for (var w = 0u; w < WORDS; w++) {
        atomicStore(&arrivals[POSTS + 2u * w * GROUPS + group], MARK | (words[w] & 0xffffu));
        atomicStore(&arrivals[POSTS + (2u * w + 1u) * GROUPS + group], MARK | (words[w] >> 16u));
    }
}

// A half of each of four workgroups.
fn posted(at: vec4u) -> vec4u {
    return vec4u(atomicLoad(&arrivals[at.x]), atomicLoad(&arrivals[at.y]), atomicLoad(&arrivals[at.z]),
                 atomicLoad(&arrivals[at.w]));
}

fn unpost(at: vec4u) {
    atomicStore(&arrivals[at.x], 0u);
    atomicStore(&arrivals[at.y], 0u);
    atomicStore(&arrivals[at.z], 0u);
    atomicStore(&arrivals[at.w], 0u);
}

// Word w of four workgroups.
fn fetch(groups: vec4u, w: u32) -> vec4u {
    let at = POSTS + 2u * w * GROUPS + groups;
    let wanted = groups < vec4u(telar_launch.stride);
    var low = posted(at);
    var high = posted(at + GROUPS);
    for (var turn = 0u; turn < TURNS_MAX && any(wanted & (min(low, high) == vec4u())); turn++) {
        low = posted(at);
        high = posted(at + GROUPS);
    }
    unpost(at);
    unpost(at + GROUPS);
    return (low & vec4u(0xffffu)) | (high << vec4u(16u));
}

fn deliver(total: A, group: u32, local: u32) {
    if (local == 0u) {
        post(total, group);
        is_last = u32(atomicAdd(&arrivals[0], 1u) + 1u == telar_launch.stride);
    }
    if (workgroupUniformLoad(&is_last) == 0u) { return; }
    var sum = identity();
    for (var first = local; first < telar_launch.stride; first += 4u * WORKGROUP_SIZE) {
        let groups = first + WORKGROUP_SIZE * vec4u(0u, 1u, 2u, 3u);
        var words: array<vec4u, WORDS>;
        for (var w = 0u; w < WORDS; w++) { words[w] = fetch(groups, w); }
        for (var k = 0u; k < 4u; k++) {
            var one: array<u32, WORDS>;
            for (var w = 0u; w < WORDS; w++) { one[w] = words[w][k]; }
            if (groups[k] < telar_launch.stride) { sum = combine(sum, of_words(one)); }
        }
    }
    let all = workgroup_total(sum, local);
    if (local == 0u) {
        atomicStore(&arrivals[0], 0u);
        store(0u, all);
    }
}
