/* SPDX-License-Identifier: MIT
 *
 * Sizes of scan: which tiles, by what was measured, within what the device allows. */
#include "prim/scan.h"

/* The first row that fits is taken: from so many elements on, and not more invocations than the device has. H200,
 * wgpu-native 29.0.1.1, 2026-11-30, u32, CUB's time / ours; all that was tried stands in bench/results/h200-variants.md.
 * What counts is the size of a tile, as long as registers let a unit hold two or three. */
static const struct {
    tl_scan_form form;
    bool segmented;
    uint64_t from;
    uint32_t size;
    uint32_t rows;
} shapes[] = {
    {TL_SCAN_LOOK_BACK, false, 1u << 26, 384, 10},    /* 2^28: 1.02 (640x8 1.01, 512x8 0.93, 256x8 0.98) */
    {TL_SCAN_LOOK_BACK, false, 1u << 23, 640, 8},     /* 2^24: 0.99 (384x10 0.97, 512x4 0.95) */
    {TL_SCAN_LOOK_BACK, false, 1u << 23, 384, 10},    /* 2^24: 0.97 */
    {TL_SCAN_LOOK_BACK, false, 1u << 21, 1024, 4},    /* 2^22: 1.10 (512x8 1.08, 640x8 0.84); 2^21: 1.25 (512x4 1.14) */
    {TL_SCAN_LOOK_BACK, false, 1u << 22, 256, 8},     /* 2^24: 0.97, 2^28: 0.98 */
    {TL_SCAN_LOOK_BACK, false, 0, 512, 4},            /* 2^20: 1.41 (1024x2 1.40, 512x6 1.31, 256x4 1.29) */
    {TL_SCAN_LOOK_BACK, false, 0, 256, 4},            /* 2^20: 1.23 */
    {TL_SCAN_LOOK_BACK, true, 1u << 22, 384, 4},      /* 2^28: 0.94, 2^24: 0.97 (512x4 0.89, 384x8 0.80) */
    {TL_SCAN_LOOK_BACK, true, 0, 256, 4},             /* 2^20: 0.94 */
    {TL_SCAN_DETERMINISTIC, false, 1u << 26, 512, 8}, /* 2^28: 0.907 (512x4 0.903, 384x8 0.88, 1024x4 0.80) */
    {TL_SCAN_DETERMINISTIC, false, 0, 256, 4},        /* 2^20: 0.92, 2^24: 0.92 */
    {TL_SCAN_DETERMINISTIC, true, 0, 256, 4},         /* 2^28: 0.84, 2^24: 0.88, 2^20: 0.78 */
    {TL_SCAN_ALONE, false, 0, 512, 4},                /* not measured */
    {TL_SCAN_ALONE, true, 0, 512, 4},
};

enum {
    APART_SIZE = 16,
    APART_PART = 256, /* elements, at least */
    APART_PARTS_MAX = TL_CPU_TURNS_MAX / 4,
    CPU_SIZE = 64,
    ROW_BYTES_MAX = 256, /* of an invocation, in registers */
    SHARED_BYTES = 64,   /* of a workgroup, beside the sums of its subgroups */
};

/* Rows have `row` elements, whose sums take `sum_bytes` each. */
static tl_scan_shape shape_make(const tl_scan *s, uint32_t size, uint32_t rows, uint32_t row)
{
    const telar_facts *facts = s->job.prim->facts;
    uint32_t sum_bytes = s->sums.stride;
    uint32_t subgroups = tl_device_workgroup_size(facts, size) / s->job.lanes;
    uint64_t limit = facts->limits.maxComputeWorkgroupStorageSize;
    while (subgroups > 1 && (uint64_t)subgroups * sum_bytes + SHARED_BYTES > limit) subgroups /= 2;
    size = (subgroups == 0 ? 1 : subgroups) * s->job.lanes;
    while (rows > 1 && rows * row * sum_bytes > ROW_BYTES_MAX) rows /= 2;
    return (tl_scan_shape){size, rows, size * rows * row};
}

tl_scan_shape tl_scan_shape_of(const tl_scan *s, tl_scan_form form)
{
    const telar_facts *facts = s->job.prim->facts;
    uint32_t row = s->type.row;
    if (form != TL_SCAN_ALONE && s->tuning.size != 0) return shape_make(s, s->tuning.size, s->tuning.rows, row);
    if (tl_device_is_cpu(facts)) return shape_make(s, CPU_SIZE, 4, row);
    for (size_t k = 0; k < TL_COUNT(shapes); k++) {
        bool fits = shapes[k].size <= facts->limits.maxComputeInvocationsPerWorkgroup;
        bool same = shapes[k].form == form && shapes[k].segmented == (s->segments != TL_NO_SEGMENTS);
        bool wanted = same && s->job.length.count >= shapes[k].from;
        if (wanted && fits && shapes[k].size % s->job.lanes == 0) {
            return shape_make(s, shapes[k].size, shapes[k].rows, row);
        }
    }
    return shape_make(s, 256, 4, row);
}

tl_scan_shape tl_scan_shape_apart(const tl_scan *s)
{
    uint32_t part = APART_PART;
    while (telar_ceil_div(s->job.length.count, part) > APART_PARTS_MAX) part *= 2;
    return (tl_scan_shape){.size = APART_SIZE, .rows = part / s->type.row, .tile = part};
}

/* One workgroup over the totals: as few turns as there can be, and no more invocations and rows than they need. */
tl_scan_shape tl_scan_spine_shape(const tl_scan *s, uint64_t totals)
{
    uint32_t size = s->tuning.spine_size, rows = 1, row = s->sums.row;
    if (size == 0) size = tl_device_is_cpu(s->job.prim->facts) ? CPU_SIZE : 128;
    bool grows = size == 128 && s->tuning.spine_size == 0;
    while (rows < 4 && (uint64_t)size * rows * row < totals) rows *= 2;
    while (grows && size < 1024 && (uint64_t)size * rows * row < totals) size *= 2;
    return shape_make(s, size, rows, row);
}
