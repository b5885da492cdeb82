/* SPDX-License-Identifier: MIT
 *
 * A second launch shape, and the comparison of two launches. Whole numbers must be equal; floats may differ as much as
 * another order of compilation makes them (a fused multiply-add, a reciprocal). */
#include "run_verify.h"
#include "progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PART_BYTES ((uint64_t)16 << 20)

/* ---- the second plan ----------------------------------------------------------------------------------------------- */

static bool differs(const telar_plan *a, const telar_plan *b)
{
    return a->shape != b->shape || a->items != b->items ||
           memcmp(a->workgroup_size, b->workgroup_size, sizeof a->workgroup_size) != 0 ||
           memcmp(a->dispatch, b->dispatch, sizeof a->dispatch) != 0;
}

/* Another size of the same form: half of it, or twice as much of a small one. */
static void other_size(const telar_plan *first, uint32_t size[3])
{
    memcpy(size, first->workgroup_size, 3 * sizeof *size);
    if (first->dimensions > 1) {
        size[1] = size[1] > 1 ? size[1] / 2 : 2;
    } else {
        size[0] = size[0] > 32 ? size[0] / 2 : size[0] * 2;
    }
}

typedef struct candidate {
    telar_shape shape;
    bool other_size;
} candidate;

/* Two rows where one would do; 0, as few as there can be, where the rows would be too long. */
static uint32_t two_rows(const telar_plan *first)
{
    uint64_t width = first->groups / 2 + 1;
    return width < first->groups_limit ? (uint32_t)width : 0;
}

static bool make_candidate(const tl_first *first, candidate wanted, telar_plan *plan)
{
    telar_plan_desc desc = *first->plan_desc;
    desc.shape = wanted.shape;
    desc.groups = 0;
    desc.fold_width = wanted.shape == TELAR_SHAPE_FOLD ? two_rows(first->plan) : 0;
    if (wanted.other_size) {
        other_size(first->plan, desc.size);
        desc.items = first->plan->items > 1 ? 1 : 2;
    }
    return telar_plan_make(&desc, first->facts, plan, NULL) == TELAR_OK && differs(plan, first->plan);
}

telar_status tl_second_make(const tl_first *first, tl_second *second, telar_diag *diag)
{
    static const candidate candidates[] = {
        {TELAR_SHAPE_STRIDE, true}, {TELAR_SHAPE_FOLD, true},    {TELAR_SHAPE_LINEAR, true},
        {TELAR_SHAPE_FOLD, false},  {TELAR_SHAPE_LINEAR, false},
    };
    telar_shape shape = first->plan->shape;
    telar_weave_desc desc = *first->weave;
    desc.plan = &second->plan;
    for (size_t k = 0; k < TL_COUNT(candidates); k++) {
        candidate wanted = candidates[k];
        if (wanted.other_size && first->ordinary) continue;
        if (wanted.shape == shape && (!wanted.other_size || shape == TELAR_SHAPE_STRIDE)) continue;
        if (!make_candidate(first, wanted, &second->plan)) continue;
        if (tl_kernel_weave(first->kernel, &desc, &second->woven, NULL) == TELAR_OK) return TELAR_OK;
    }
    second->again = true;
    second->plan = *first->plan;
    return tl_kernel_weave(first->kernel, &desc, &second->woven, diag);
}

/* ---- comparing ----------------------------------------------------------------------------------------------------- */

static double value_at(tl_dtype dtype, const unsigned char *at)
{
    float single;
    double value;
    switch (dtype) {
    case TL_DTYPE_F16: return tl_half_get(at);
    case TL_DTYPE_F64: memcpy(&value, at, 8); return value;
    default: memcpy(&single, at, 4); return single;
    }
}

static bool near(tl_dtype dtype, double a, double b)
{
    if (isnan(a) && isnan(b)) return true;
    double unit = dtype == TL_DTYPE_F16 ? 1.0 / 512 : dtype == TL_DTYPE_F32 ? 1.0 / 2097152 : 1.0 / 1125899906842624.0;
    double largest = fmax(fabs(a), fabs(b));
    return fabs(a - b) <= unit * largest || fabs(a - b) < 1e-37;
}

typedef struct comparison {
    const tl_launch *first, *second;
    uint32_t first_at, second_at; /* among what they hold */
    const tl_datum *datum;
    telar_diag *diag;
} comparison;

static telar_status differ(const comparison *compared, uint64_t index, tl_dtype dtype, const unsigned char *a,
                           const unsigned char *b)
{
    const char *name = compared->datum->variable->name;
    if (tl_dtype_kind(dtype) == 'f') {
        return tl_fail(compared->diag, TELAR_MISMATCH, "%s: value %llu is %.6f in one launch shape and %.6f in another",
                       name, (unsigned long long)index, value_at(dtype, a), value_at(dtype, b));
    }
    uint64_t x = 0, y = 0;
    memcpy(&x, a, tl_dtype_bytes(dtype));
    memcpy(&y, b, tl_dtype_bytes(dtype));
    return tl_fail_limit(compared->diag, TELAR_MISMATCH, x, y,
                         "%s: value %llu is 0x%llx in one launch shape and 0x%llx in another", name,
                         (unsigned long long)index, (unsigned long long)x, (unsigned long long)y);
}

static telar_status compare_part(const comparison *compared, uint64_t offset, const unsigned char *a,
                                 const unsigned char *b, uint64_t bytes)
{
    if (memcmp(a, b, (size_t)bytes) == 0) return TELAR_OK;
    tl_dtype dtype = compared->datum->variable->slot.scalar;
    if (dtype == TL_DTYPE_BYTES && bytes % 4 == 0) dtype = TL_DTYPE_U32;
    uint32_t step = tl_dtype_bytes(dtype);
    bool floats = tl_dtype_kind(dtype) == 'f';
    for (uint64_t k = 0; k + step <= bytes; k += step) {
        if (memcmp(a + k, b + k, step) == 0) continue;
        if (floats && near(dtype, value_at(dtype, a + k), value_at(dtype, b + k))) continue;
        return differ(compared, (offset + k) / step, dtype, a + k, b + k);
    }
    return TELAR_OK;
}

static telar_status compare_binding(const comparison *compared, unsigned char *a, unsigned char *b)
{
    uint64_t total = compared->datum->layout.buffer_bytes;
    for (uint64_t at = 0; at < total; at += PART_BYTES) {
        uint64_t bytes = total - at < PART_BYTES ? total - at : PART_BYTES;
        TELAR_TRY(tl_launch_read(compared->first, compared->first_at, at, a, bytes, compared->diag));
        TELAR_TRY(tl_launch_read(compared->second, compared->second_at, at, b, bytes, compared->diag));
        TELAR_TRY(compare_part(compared, at, a, b, bytes));
    }
    return TELAR_OK;
}

/* Both weavings have the same variables; only one may have a report. */
telar_status tl_launches_compare(const tl_launch *first, const tl_launch *second, telar_diag *diag)
{
    const telar_kernel_desc *kernel = &first->woven->kernel;
    void *parts;
    TELAR_TRY(tl_array_alloc("the comparison", 2 * PART_BYTES, &parts, diag));
    tl_progress progress = tl_progress_begin(TL_PICK(first->cli, "comparing", "comparando"));
    telar_status status = TELAR_OK;
    for (uint32_t k = 0; status == TELAR_OK && k < kernel->bindings_count; k++) {
        tl_progress_at(&progress, k, kernel->bindings_count);
        if (kernel->bindings[k].space != TELAR_BINDING_STORAGE_READ_WRITE) continue;
        const tl_datum *datum = first->held[k].datum;
        if (datum == NULL) continue;
        comparison compared = {first, second, k, tl_launch_find(second, datum), datum, diag};
        status = compare_binding(&compared, parts, (unsigned char *)parts + PART_BYTES);
    }
    tl_progress_end(&progress);
    free(parts);
    return status;
}
