/* SPDX-License-Identifier: MIT
 *
 * See reduce_verify.h. */
#include "reduce_verify.h"
#include "prim_verify.h"

#include <math.h>
#include <stdlib.h>

typedef struct extremes {
    double least, greatest;
    uint64_t least_at, greatest_at;
    double mean, squares; /* of distances from it */
} extremes;

/* NaN is as if it were not there; -0 is less than 0; the first of equal ones counts. */
static bool is_before(double a, double b)
{
    return a < b || (a == b && signbit(a) && !signbit(b));
}

/* Of the elements from `begin` to before `end`. */
static extremes look(const tl_prim_data *in, uint64_t begin, uint64_t end)
{
    extremes e = {.least = INFINITY, .greatest = -INFINITY, .least_at = UINT32_MAX, .greatest_at = UINT32_MAX};
    for (uint64_t k = begin; k < end; k++) {
        double value = tl_prim_number(in->dtype, in->array.data, k);
        double delta = value - e.mean;
        e.mean += delta / (double)(k - begin + 1); /* by Welford's recurrence */
        e.squares += delta * (value - e.mean);
        if (isnan(value)) continue;
        if (e.least_at == UINT32_MAX || is_before(value, e.least)) {
            e.least = value;
            e.least_at = k;
        }
        if (e.greatest_at == UINT32_MAX || is_before(e.greatest, value)) {
            e.greatest = value;
            e.greatest_at = k;
        }
    }
    return e;
}

static telar_status check_number(const tl_reduction_check *check, const void *result, uint64_t k, double wanted,
                                 double part)
{
    double got = tl_prim_number(check->out->dtype, result, k);
    if (tl_prim_is_near(check->out->dtype, got, wanted, part)) return TELAR_OK;
    return tl_prim_differs(check->tool, check->out->name, k, got, wanted);
}

static telar_status check_operator(const tl_reduction_check *check, uint64_t p, const void *result)
{
    tl_folding folding = tl_folding_begin(check->in->dtype, check->op);
    for (uint64_t k = check->begins[p]; k < check->begins[p + 1]; k++) {
        tl_folding_add(&folding, check->in->array.data, k);
    }
    return tl_folding_compare(check->tool, &folding, check->out->name, result, p);
}

static telar_status check_part(const tl_reduction_check *check, uint64_t p, const void *result)
{
    uint64_t begin = check->begins[p], end = check->begins[p + 1];
    if (check->kind == TELAR_REDUCE_OPERATOR) return check_operator(check, p, result);
    extremes e = look(check->in, begin, end);
    switch (check->kind) {
    case TELAR_REDUCE_ARG_MIN: return check_number(check, result, p, (double)e.least_at, 0);
    case TELAR_REDUCE_ARG_MAX: return check_number(check, result, p, (double)e.greatest_at, 0);
    case TELAR_REDUCE_MIN_MAX:
        if (begin == end && tl_dtype_kind(check->in->dtype) != 'f') return TELAR_OK;
        TELAR_TRY(check_number(check, result, 2 * p, e.least, 0));
        return check_number(check, result, 2 * p + 1, e.greatest, 0);
    default:
        TELAR_TRY(check_number(check, result, 2 * p, e.mean, 1e-4));
        return check_number(check, result, 2 * p + 1, begin == end ? 0 : e.squares / (double)(end - begin), 1e-3);
    }
}

telar_status tl_reduction_verify(const tl_reduction_check *check)
{
    void *result = NULL;
    telar_status status = tl_prim_read(check->tool, check->out, &result);
    for (uint64_t p = 0; status == TELAR_OK && p < check->parts; p++) status = check_part(check, p, result);
    free(result);
    return status;
}
