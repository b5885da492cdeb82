/* SPDX-License-Identifier: MIT
 *
 * All candidates over one domain: a first look at each, which also checks its output; then the best of them, the plan
 * (twice), the lesson's rule, the default plan and the copies in turn, for as many rounds as there is time. */
#include "sweep/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "progress.h"

#define HOPELESS 8.0         /* so many times slower than the best so far: one run says enough ... */
#define HOPELESS_US 300000.0 /* ... where it was longer than what a driver takes to compile at the first run */
#define SLOW 2.0             /* so many times slower: one look says enough */
#define ROUNDS_MIN 9
#define FINALISTS 12
#define TIME_S 3.0
#define SEARCH_PART 0.7 /* of the time, before the rounds */
#define ROUNDS_RUN_MAX 60

/* How a kind of device is timed. */
typedef struct timing {
    double look_us; /* of work in a first look ... */
    uint32_t looks; /* ... of which there are so many: the fastest counts */
    double set_us;  /* of work in a timed set */
    uint64_t warm_ns;
    double pace; /* a round that differs by more was run at another clock */
    tl_estimate estimate;
} timing;

static const timing on_gpu = {
    .look_us = 1000, .looks = 1, .set_us = 3000, .warm_ns = 150000000, .pace = 0.07, .estimate = TL_ESTIMATE_MEDIAN};
/* Other programs take its cores away for a while: short sets that they do not fall into, of which the fastest is nearest to the
 * truth, as telar tune does it. */
static const timing on_cpu = {
    .look_us = 500, .looks = 3, .set_us = 500, .pace = INFINITY, .estimate = TL_ESTIMATE_LEAST};

typedef struct measuring {
    tl_sweep_bench *bench;
    const timing *timing;
    const tl_subject *subject;
    const tl_bed *bed;
    const tl_measure_desc *desc;
    tl_candidates *candidates;
    tl_sweep_work *works; /* one a candidate */
    uint64_t begun_ns;
    double best_us;
} measuring;

static const tl_subject *subject_of(const measuring *m, const tl_candidate *candidate)
{
    return (candidate->roles & TL_ROLE_COPY) != 0 ? &m->bench->copy : m->subject;
}

/* What ends the whole, and what is one candidate's. */
static telar_status note(tl_candidate *candidate, telar_status status, telar_diag *diag)
{
    if (status == TELAR_OK) return TELAR_OK;
    if (status == TELAR_DEVICE_LOST || status == TELAR_TIMED_OUT) return status;
    candidate->verdict = status == TELAR_MISMATCH ? TL_VERDICT_WRONG : TL_VERDICT_REFUSED;
    telar_out out = {candidate->why, sizeof candidate->why, 0};
    tl_out_text(&out, diag->text);
    return TELAR_OK;
}

static telar_status time_of(const measuring *m, const tl_candidate *candidate, tl_sweep_trial *trial, double *us,
                            telar_diag *diag)
{
    TELAR_TRY(tl_sweep_trial_time(m->bench, trial, us, diag));
    if ((candidate->roles & TL_ROLE_COPY) != 0) *us *= m->bed->copy_scale;
    return TELAR_OK;
}

/* ---- The first look ---------------------------------------------------------------------------------------------- */

/* The passes of every candidate, and what they are predicted to take. */
static telar_status make_works(measuring *m, telar_diag *diag)
{
    for (uint32_t k = 0; k < m->candidates->count; k++) {
        tl_candidate *candidate = &m->candidates->items[k];
        telar_diag why = {0};
        telar_status status =
            tl_sweep_work_make(subject_of(m, candidate), m->bed, candidate, &m->bench->facts->plan, &m->works[k], &why);
        if (status == TELAR_OK) candidate->predicted_us = m->works[k].predicted_us;
        if (note(candidate, status, &why) != TELAR_OK) return tl_fail(diag, status, "%s", why.text);
    }
    return TELAR_OK;
}

/* The comparison must see that nothing was computed yet. A user's kernel may compute zeros. */
static telar_status prove(const measuring *m, telar_diag *diag)
{
    uint32_t k = 0;
    while (k < m->candidates->count && m->candidates->items[k].verdict != TL_VERDICT_NONE) k++;
    if (m->subject->builtin == NULL || k == m->candidates->count) return TELAR_OK;
    return tl_sweep_trial_prove(m->bench, m->bed, &m->works[k], diag);
}

/* Compiles a candidate and checks its output; the time of that run says how many make a set. */
static telar_status check(measuring *m, uint32_t at, telar_diag *diag)
{
    tl_candidate *candidate = &m->candidates->items[at];
    tl_sweep_trial trial = {0};
    telar_diag why = {0};
    if (candidate->verdict != TL_VERDICT_NONE) return TELAR_OK;
    telar_status status = tl_sweep_trial_check(m->bench, subject_of(m, candidate), m->bed, &m->works[at], candidate,
                                               &trial, &candidate->us, &why);
    tl_sweep_trial_drop(&trial);
    if (status == TELAR_OK) candidate->verdict = TL_VERDICT_RIGHT;
    return note(candidate, status, &why) == TELAR_OK ? TELAR_OK : tl_fail(diag, status, "%s", why.text);
}

/* A GPU that waited for compilers has lowered its clock: it works for a while before anything counts. A CPU runs once. */
static telar_status warm_up(const measuring *m, const tl_candidate *candidate, tl_sweep_trial *trial, telar_diag *diag)
{
    uint64_t until_ns = tl_clock_ns() + m->timing->warm_ns;
    double us;
    do {
        TELAR_TRY(time_of(m, candidate, trial, &us, diag));
    } while (tl_clock_ns() < until_ns);
    return TELAR_OK;
}

static bool is_hopeless(const measuring *m, const tl_candidate *candidate)
{
    return m->best_us > 0 && candidate->us > HOPELESS * m->best_us && candidate->us > HOPELESS_US;
}

static telar_status look(measuring *m, tl_candidate *candidate, const tl_sweep_work *work, tl_sweep_trial *trial,
                         telar_diag *diag)
{
    const tl_subject *subject = subject_of(m, candidate);
    if (is_hopeless(m, candidate)) return TELAR_OK;
    double us = candidate->us, look_us = m->timing->look_us;
    TELAR_TRY(tl_sweep_trial_repeat(m->bench, subject, m->bed, work, candidate, us, look_us, trial, diag));
    if (m->best_us == 0) TELAR_TRY(warm_up(m, candidate, trial, diag));
    TELAR_TRY(time_of(m, candidate, trial, &us, diag));
    /* A first run that paid for its pipeline has made a set that is too short. */
    if (us * trial->repeats < look_us / 4) {
        TELAR_TRY(tl_sweep_trial_repeat(m->bench, subject, m->bed, work, candidate, us, look_us, trial, diag));
        TELAR_TRY(time_of(m, candidate, trial, &us, diag));
    }
    candidate->us = us;
    bool slow = m->best_us > 0 && us > SLOW * m->best_us;
    for (uint32_t k = 1; k < m->timing->looks && !slow; k++) {
        TELAR_TRY(time_of(m, candidate, trial, &us, diag));
        candidate->us = fmin(candidate->us, us);
    }
    return TELAR_OK;
}

static telar_status look_at(measuring *m, uint32_t at, telar_diag *diag)
{
    tl_candidate *candidate = &m->candidates->items[at];
    tl_sweep_trial trial = {0};
    telar_diag why = {0};
    if (candidate->verdict != TL_VERDICT_RIGHT) return TELAR_OK;
    telar_status status = look(m, candidate, &m->works[at], &trial, &why);
    tl_sweep_trial_drop(&trial);
    if (note(candidate, status, &why) != TELAR_OK) return tl_fail(diag, status, "%s", why.text);
    bool counts = candidate->verdict == TL_VERDICT_RIGHT && (candidate->roles & TL_ROLE_COPY) == 0;
    if (counts && (m->best_us == 0 || candidate->us < m->best_us)) m->best_us = candidate->us;
    return TELAR_OK;
}

static void tell(const measuring *m, uint32_t done, uint32_t all)
{
    if (m->desc->progress != NULL) m->desc->progress(m->desc->user, done, all);
}

/* All are checked before any is timed, so that nothing is compiled meanwhile. */
static telar_status look_at_all(measuring *m, telar_diag *diag)
{
    uint32_t count = m->candidates->count;
    for (uint32_t k = 0; k < count; k++) {
        tell(m, k, 2 * count);
        TELAR_TRY(check(m, k, diag));
    }
    for (uint32_t k = 0; k < count; k++) {
        tell(m, count + k, 2 * count);
        TELAR_TRY(look_at(m, k, diag));
    }
    return TELAR_OK;
}

/* ---- A search that ends early ------------------------------------------------------------------------------------ */

static double hope(const tl_candidate *candidate)
{
    return candidate->roles != 0 ? 0 : candidate->predicted_us >= 0 ? candidate->predicted_us : 1;
}

/* Those with a role first, then by what is predicted. */
static void order_by_hope(const tl_candidates *candidates, uint32_t *order)
{
    for (uint32_t k = 0; k < candidates->count; k++) {
        uint32_t at = k;
        for (; at > 0 && hope(&candidates->items[order[at - 1]]) > hope(&candidates->items[k]); at--) {
            order[at] = order[at - 1];
        }
        order[at] = k;
    }
}

static double seconds(const measuring *m)
{
    return (double)(tl_clock_ns() - m->begun_ns) / 1e9;
}

static double time_meant(const measuring *m)
{
    return m->desc->time_s > 0 ? m->desc->time_s : TIME_S;
}

/* What the plan's first looks differ by, at least a hundredth. */
static double noise_of_looks(const tl_candidates *candidates)
{
    double us[2] = {0};
    for (uint32_t k = 0; k < candidates->count; k++) {
        if ((candidates->items[k].roles & TL_ROLE_PLAN) != 0) us[0] = candidates->items[k].us;
        if ((candidates->items[k].roles & TL_ROLE_AGAIN) != 0) us[1] = candidates->items[k].us;
    }
    double noise = us[0] > 0 && us[1] > 0 ? fabs(us[0] - us[1]) / us[0] : 0;
    return noise < 0.01 ? 0.01 : noise > 0.1 ? 0.1 : noise;
}

static telar_status search(measuring *m, telar_diag *diag)
{
    uint32_t order[TL_SWEEP_CANDIDATES_MAX];
    uint32_t count = m->candidates->count, idle = 0, tried = 0;
    order_by_hope(m->candidates, order);
    for (uint32_t k = 0; k < count; k++) {
        bool free = m->candidates->items[order[k]].roles == 0;
        double bar = m->best_us * (1 - noise_of_looks(m->candidates));
        bool late = seconds(m) > time_meant(m) * SEARCH_PART;
        if (free && (idle >= m->desc->patience || (late && tried > 0))) return TELAR_OK;
        tell(m, k, count);
        TELAR_TRY(check(m, order[k], diag));
        TELAR_TRY(look_at(m, order[k], diag));
        tried += free;
        if (free) idle = m->best_us < bar ? 0 : idle + 1;
    }
    return TELAR_OK;
}

/* ---- Rounds ------------------------------------------------------------------------------------------------------ */

static telar_status prepare(const measuring *m, uint32_t at, tl_sweep_trial *trial, telar_diag *diag)
{
    tl_candidate *candidate = &m->candidates->items[at];
    const tl_subject *subject = subject_of(m, candidate);
    const tl_sweep_work *work = &m->works[at];
    double us;
    TELAR_TRY(tl_sweep_trial_check(m->bench, subject, m->bed, work, candidate, trial, &us, diag));
    return tl_sweep_trial_repeat(m->bench, subject, m->bed, work, candidate, candidate->us, m->timing->set_us, trial,
                                 diag);
}

static bool goes_on(const measuring *m, uint32_t rounds)
{
    uint32_t least = m->desc->rounds != 0 ? m->desc->rounds : ROUNDS_MIN;
    if (rounds == TL_SWEEP_ROUNDS_MAX) return false;
    if (rounds < least) return true;
    if (m->desc->settled > 0 && tl_rank_noise(m->candidates, m->timing->estimate) < m->desc->settled) return false;
    return seconds(m) < time_meant(m);
}

static void summarize_all(const measuring *m, const uint32_t *order, uint32_t count, uint32_t rounds)
{
    for (uint32_t k = 0; k < count && rounds > 0; k++) {
        tl_candidate *candidate = &m->candidates->items[order[k]];
        if (candidate->verdict != TL_VERDICT_RIGHT) continue;
        candidate->rounds = rounds;
        candidate->us = tl_estimate_of(m->timing->estimate, candidate->round_us, rounds);
        candidate->spread = tl_half_spread(candidate->round_us, rounds);
    }
}

/* Each round begins with another one, so that none always follows the same. The times go to place `round`. */
static telar_status run_round(measuring *m, const uint32_t *order, uint32_t count, tl_sweep_trial *trials,
                              uint32_t round, uint32_t run, telar_diag *diag)
{
    for (uint32_t k = 0; k < count; k++) {
        uint32_t turn = (k + run * 5) % count;
        tl_candidate *candidate = &m->candidates->items[order[turn]];
        if (candidate->verdict != TL_VERDICT_RIGHT) continue;
        if (run > 0 && is_hopeless(m, candidate)) {
            candidate->round_us[round] = candidate->us;
            continue;
        }
        telar_diag why = {0};
        telar_status status = time_of(m, candidate, &trials[turn], &candidate->round_us[round], &why);
        if (note(candidate, status, &why) != TELAR_OK) return tl_fail(diag, status, "%s", why.text);
    }
    return TELAR_OK;
}

/* What all finalists took in a round. */
static double pace_of(const measuring *m, const uint32_t *order, uint32_t count, uint32_t round)
{
    double us = 0;
    for (uint32_t k = 0; k < count; k++) {
        const tl_candidate *candidate = &m->candidates->items[order[k]];
        if (candidate->verdict == TL_VERDICT_RIGHT) us += candidate->round_us[round];
    }
    return us;
}

/* The round is the first one again, and those before it never were. */
static void begin_with(const measuring *m, const uint32_t *order, uint32_t count, uint32_t round)
{
    for (uint32_t k = 0; k < count; k++) {
        tl_candidate *candidate = &m->candidates->items[order[k]];
        candidate->round_us[0] = candidate->round_us[round];
    }
}

/* A GPU's clock may still rise: rounds that were slower as a whole than the fastest one do not count. */
static telar_status run_rounds(measuring *m, const uint32_t *order, uint32_t count, tl_sweep_trial *trials,
                               telar_diag *diag)
{
    double fastest = 0, apart = m->timing->pace;
    uint32_t kept = 0;
    for (uint32_t run = 0; run < ROUNDS_RUN_MAX && goes_on(m, kept); run++) {
        TELAR_TRY(run_round(m, order, count, trials, kept, run, diag));
        double pace = pace_of(m, order, count, kept);
        if (fastest > 0 && pace < fastest * (1 - apart)) {
            begin_with(m, order, count, kept);
            kept = 0;
            fastest = pace;
        }
        if (fastest == 0 || pace < fastest) fastest = pace;
        if (pace <= fastest * (1 + apart)) kept++;
        summarize_all(m, order, count, kept);
    }
    return TELAR_OK;
}

/* Every set once, and on until the clock is up: it was low while they were prepared. */
static telar_status warm_up_all(measuring *m, const uint32_t *order, uint32_t count, tl_sweep_trial *trials,
                                telar_diag *diag)
{
    const tl_candidate *last = NULL;
    tl_sweep_trial *trial = NULL;
    for (uint32_t k = 0; k < count; k++) {
        tl_candidate *candidate = &m->candidates->items[order[k]];
        telar_diag why = {0};
        double us;
        if (candidate->verdict != TL_VERDICT_RIGHT || is_hopeless(m, candidate)) continue;
        telar_status status = time_of(m, candidate, &trials[k], &us, &why);
        if (note(candidate, status, &why) != TELAR_OK) return tl_fail(diag, status, "%s", why.text);
        last = candidate;
        trial = &trials[k];
    }
    return last == NULL ? TELAR_OK : warm_up(m, last, trial, diag);
}

static telar_status run_finals(measuring *m, const uint32_t *order, uint32_t count, tl_sweep_trial *trials,
                               telar_diag *diag)
{
    for (uint32_t k = 0; k < count; k++) {
        telar_diag why = {0};
        telar_status status = prepare(m, order[k], &trials[k], &why);
        if (note(&m->candidates->items[order[k]], status, &why) != TELAR_OK)
            return tl_fail(diag, status, "%s", why.text);
    }
    TELAR_TRY(warm_up_all(m, order, count, trials, diag));
    TELAR_TRY(run_rounds(m, order, count, trials, diag));
    for (uint32_t k = 0; k < count; k++) {
        tl_candidate *candidate = &m->candidates->items[order[k]];
        if (candidate->verdict != TL_VERDICT_RIGHT) continue;
        telar_diag why = {0};
        telar_status status = tl_sweep_trial_again(m->bed, &m->works[order[k]], &trials[k], &why);
        if (note(candidate, status, &why) != TELAR_OK) return tl_fail(diag, status, "%s", why.text);
    }
    return TELAR_OK;
}

static telar_status measure_finals(measuring *m, telar_diag *diag)
{
    uint32_t order[TL_SWEEP_CANDIDATES_MAX];
    uint32_t count = tl_rank_finalists(m->candidates, m->desc->finalists != 0 ? m->desc->finalists : FINALISTS, order);
    tl_sweep_trial *trials = calloc(count + 1, sizeof *trials);
    if (trials == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory for %u trials", count);
    telar_status status = run_finals(m, order, count, trials, diag);
    for (uint32_t k = 0; k < count; k++) tl_sweep_trial_drop(&trials[k]);
    free(trials);
    return status;
}

telar_status tl_measure(tl_sweep_bench *bench, const tl_subject *subject, const tl_bed *bed,
                        const tl_measure_desc *desc, tl_candidates *candidates, double *noise, telar_diag *diag)
{
    bool cpu = telar_host_facts(bench->host)->type == TELAR_DEVICE_CPU;
    measuring m = {.bench = bench,
                   .timing = cpu ? &on_cpu : &on_gpu,
                   .subject = subject,
                   .bed = bed,
                   .desc = desc,
                   .candidates = candidates,
                   .works = calloc(candidates->count, sizeof(tl_sweep_work)),
                   .begun_ns = tl_clock_ns()};
    *noise = 0;
    if (m.works == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory for %u candidates", candidates->count);
    telar_status status = make_works(&m, diag);
    if (status == TELAR_OK) status = prove(&m, diag);
    if (status == TELAR_OK) status = desc->patience > 0 ? search(&m, diag) : look_at_all(&m, diag);
    if (status == TELAR_OK) status = measure_finals(&m, diag);
    free(m.works);
    if (status != TELAR_OK) return status;
    *noise = tl_rank_noise(candidates, m.timing->estimate);
    tl_rank(candidates, *noise);
    return TELAR_OK;
}
