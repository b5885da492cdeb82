// The workgroup that arrives last combines the totals of all of them, in their order, so that one dispatch does it all.
// More workgroups than CLUSTER do it in two steps: the last of a cluster of neighbours combines the cluster's totals to
// one, and of these last ones the last one combines those.
//
// WGSL's atomics order nothing but one word: that a workgroup has arrived does not say that its total is to be seen. So
// totals are posted as those of look-back, and the last workgroup looks at each for a while. What it does not see by then
// it makes again, to the same bits: nothing waits for ever, and nothing is left out.
//
//     total_again (group, local) -> A
//     ENTRIES, run_look, ticket_draw, post, entry_of; POLLS, posts(place: u32) -> bool
//     WORKGROUP_SIZE, CLUSTER
//     WORDS; words_of(a: A) -> array<u32, WORDS>, of_words(words: array<u32, WORDS>) -> A; store(k: u32, a: A)

var<workgroup> unseen: atomic<u32>; // one more than the place of a total that is; 0: none
var<workgroup> missing: u32; // the greatest of them

// Whose totals are combined. Places are those of the workgroups, and after them those of the clusters.
struct Cluster {
    first: u32, // place
    count: u32,
    tickets: u32, // the word of those who arrive
}

fn clusters_count() -> u32 { return telar_launch.stride / CLUSTER + u32(telar_launch.stride % CLUSTER != 0u); }

fn places_count() -> u32 { return telar_launch.stride + clusters_count(); }

// Tickets of all are drawn from word 0, those of one cluster of several behind the entries.
fn cluster_at(k: u32) -> Cluster {
    let own = ENTRIES + 2u * (WORDS * places_count() + k);
    return Cluster(k * CLUSTER, min(CLUSTER, telar_launch.stride - k * CLUSTER), select(own, 0u, clusters_count() == 1u));
}

fn all_clusters() -> Cluster { return Cluster(telar_launch.stride, clusters_count(), 0u); }

fn is_all(cluster: Cluster) -> bool { return cluster.tickets == 0u; }

// On its way while the elements are.
fn deliver_soon(group: u32, local: u32) {
    if (local == 0u) { run_look(cluster_at(group / CLUSTER).tickets); }
}

fn post_total(total: A, place: u32) {
    let words = words_of(total);
    for (var w = 0u; w < WORDS; w++) { post(w * places_count() + place, TOTAL_POSTED, words[w]); }
}

// A word of four totals of a cluster.
fn posted_words(cluster: Cluster, numbers: vec4u, word: u32) -> vec4u {
    let wanted = numbers < vec4u(cluster.count);
    let places = cluster.first + min(numbers, vec4u(cluster.count - 1u));
    let at = word * places_count() + places;
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
    let names = select(vec4u(), places + 1u, hidden);
    if (any(hidden)) { atomicMax(&unseen, max(max(names.x, names.y), max(names.z, names.w))); }
    return bits;
}

fn combine_all(cluster: Cluster, local: u32) -> A {
    var sum = identity();
    for (var first = local; first < cluster.count; first += 4u * WORKGROUP_SIZE) {
        let numbers = first + WORKGROUP_SIZE * vec4u(0u, 1u, 2u, 3u);
        var words: array<vec4u, WORDS>;
        for (var w = 0u; w < WORDS; w++) { words[w] = posted_words(cluster, numbers, w); }
        for (var k = 0u; k < 4u; k++) {
            var one: array<u32, WORDS>;
            for (var w = 0u; w < WORDS; w++) { one[w] = words[w][k]; }
            if (numbers[k] < cluster.count) { sum = combine(sum, of_words(one)); }
        }
    }
    return workgroup_total(sum, local);
}

fn arrives_last(cluster: Cluster, local: u32) -> bool {
    return ticket_draw(cluster.tickets, cluster.count, local) == cluster.count - 1u;
}

// By the invocation that looks at it: what it has written itself it sees.
fn post_again(total: A, place: u32, cluster: Cluster, local: u32) {
    if (local == (place - cluster.first) % WORKGROUP_SIZE) { post_total(total, place); }
}

fn deliver(total: A, group: u32, local: u32) {
    var cluster = cluster_at(group / CLUSTER);
    if (local == 0u) {
        if (posts(group)) { post_total(total, group); }
        atomicStore(&unseen, 0u);
    }
    if (!arrives_last(cluster, local)) { return; }
    var is_last = is_all(cluster); // of all workgroups
    while (true) {
        let sum = combine_all(cluster, local);
        if (local == 0u) {
            missing = atomicExchange(&unseen, 0u);
            if (missing == 0u && is_all(cluster)) { store(0u, sum); }
        }
        let name = workgroupUniformLoad(&missing);
        if (name > telar_launch.stride) {
            cluster = cluster_at(name - 1u - telar_launch.stride);
        } else if (name != 0u) {
            post_again(total_again(name - 1u, local), name - 1u, cluster, local);
            workgroupBarrier();
        } else {
            if (is_all(cluster)) { return; }
            let place = telar_launch.stride + cluster.first / CLUSTER;
            cluster = all_clusters();
            if (is_last) {
                post_again(sum, place, cluster, local);
            } else {
                if (local == 0u && posts(place)) { post_total(sum, place); }
                if (!arrives_last(cluster, local)) { return; }
                is_last = true;
            }
        }
    }
}
