/* SPDX-License-Identifier: MIT
 *
 * What times say: medians, the noise of the same kernel against itself, the best, and what cannot be told from it. Pure. */
#include "sweep/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double least_of(const double *values, uint32_t first, uint32_t step, uint32_t count)
{
    double least = INFINITY;
    for (uint32_t k = first; k < count; k += step) least = fmin(least, values[k]);
    return least;
}

double tl_median(const double *values, uint32_t count)
{
    double sorted[TL_SWEEP_ROUNDS_MAX];
    if (count == 0) return 0;
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_value);
    return count % 2 != 0 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

double tl_estimate_of(tl_estimate estimate, const double *values, uint32_t count)
{
    return estimate == TL_ESTIMATE_LEAST ? least_of(values, 0, 1, count) : tl_median(values, count);
}

double tl_half_spread(const double *values, uint32_t count)
{
    double least = INFINITY, most = 0;
    for (uint32_t k = 0; k < count; k++) {
        if (values[k] < least) least = values[k];
        if (values[k] > most) most = values[k];
    }
    return count < 2 ? 0 : (most - least) / 2 / tl_median(values, count);
}

static const tl_candidate *with_role(const tl_candidates *candidates, uint32_t role)
{
    for (uint32_t k = 0; k < candidates->count; k++) {
        if ((candidates->items[k].roles & role) != 0) return &candidates->items[k];
    }
    return NULL;
}

static double median_in_a_round(const tl_candidate *once, const tl_candidate *again)
{
    double apart[TL_SWEEP_ROUNDS_MAX];
    for (uint32_t k = 0; k < once->rounds; k++) apart[k] = fabs(once->round_us[k] - again->round_us[k]);
    return tl_median(apart, once->rounds);
}

/* What lies between the least times of the even and of the odd rounds, of both. */
static double between_halves(const tl_candidate *once, const tl_candidate *again)
{
    double least = INFINITY, most = 0;
    for (uint32_t half = 0; half < 2 && half < once->rounds; half++) {
        double one = least_of(once->round_us, half, 2, once->rounds);
        double other = least_of(again->round_us, half, 2, once->rounds);
        least = fmin(least, fmin(one, other));
        most = fmax(most, fmax(one, other));
    }
    return most - least;
}

double tl_rank_noise(const tl_candidates *candidates, tl_estimate estimate)
{
    const tl_candidate *once = with_role(candidates, TL_ROLE_PLAN), *again = with_role(candidates, TL_ROLE_AGAIN);
    if (once == NULL || again == NULL || once->rounds == 0 || again->rounds != once->rounds) return 0;
    if (estimate == TL_ESTIMATE_LEAST) return between_halves(once, again) / once->us;
    return fmax(median_in_a_round(once, again), fabs(once->us - again->us)) / once->us;
}

static bool competes(const tl_candidate *candidate)
{
    return candidate->verdict == TL_VERDICT_RIGHT && candidate->rounds > 0 &&
           (candidate->roles & (TL_ROLE_COPY | TL_ROLE_AGAIN | TL_ROLE_OUTSIDE)) == 0;
}

void tl_rank(tl_candidates *candidates, double noise)
{
    tl_candidate *best = NULL;
    for (uint32_t k = 0; k < candidates->count; k++) {
        tl_candidate *at = &candidates->items[k];
        if (competes(at) && (best == NULL || at->us < best->us)) best = at;
    }
    if (best == NULL) return;
    best->roles |= TL_ROLE_BEST;
    for (uint32_t k = 0; k < candidates->count; k++) {
        tl_candidate *at = &candidates->items[k];
        if (at != best && competes(at) && at->us <= best->us * (1 + noise)) at->roles |= TL_ROLE_TIE;
    }
}

/* ---- Finalists --------------------------------------------------------------------------------------------------- */

static double time_of(const tl_candidate *candidate)
{
    return candidate->verdict == TL_VERDICT_RIGHT && candidate->us > 0 ? candidate->us : INFINITY;
}

/* Those that are measured whatever their first look was. */
static bool is_set(const tl_candidate *candidate)
{
    uint32_t set = TL_ROLE_PLAN | TL_ROLE_AGAIN | TL_ROLE_LESSON | TL_ROLE_DEFAULT | TL_ROLE_COPY;
    return (candidate->roles & set) != 0;
}

static void sort_by_time(const tl_candidates *candidates, uint32_t *order, uint32_t count)
{
    for (uint32_t k = 1; k < count; k++) {
        uint32_t moved = order[k], at = k;
        for (; at > 0 && time_of(&candidates->items[order[at - 1]]) > time_of(&candidates->items[moved]); at--) {
            order[at] = order[at - 1];
        }
        order[at] = moved;
    }
}

uint32_t tl_rank_finalists(const tl_candidates *candidates, uint32_t wanted, uint32_t *order)
{
    uint32_t sorted[TL_SWEEP_CANDIDATES_MAX], taken = 0, count = 0;
    for (uint32_t k = 0; k < candidates->count; k++) sorted[k] = k;
    sort_by_time(candidates, sorted, candidates->count);
    for (uint32_t k = 0; k < candidates->count; k++) {
        const tl_candidate *at = &candidates->items[sorted[k]];
        if (time_of(at) == INFINITY) continue;
        bool among_best = !is_set(at) && taken < wanted;
        if (!among_best && !is_set(at)) continue;
        taken += (at->roles & (TL_ROLE_AGAIN | TL_ROLE_COPY)) == 0;
        order[count++] = sorted[k];
    }
    return count;
}
