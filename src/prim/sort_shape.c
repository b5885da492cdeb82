/* SPDX-License-Identifier: MIT
 *
 * Tiles and digits of a sort, by what a device allows. */
#include "prim/sort.h"

/* Best first; the first that fits is taken. Of the H200, 2^28 u32 keys, prototypes of 2026-11-29 (ms): 512x20 7.97,
 * 512x16 with the same memory 8.4, 384x20 9.1, 256x20 11.6. Long runs of a digit decide, so large tiles win until
 * registers or memory end. */
static const struct {
    uint32_t size, items, digit_bits;
} shapes[] = {
    {512, 20, 8}, {512, 16, 8}, {512, 12, 8}, {256, 20, 8}, {256, 12, 8}, {256, 8, 8},
    {128, 16, 8}, {64, 16, 8},  {256, 8, 4},  {128, 8, 4},  {64, 8, 4},
};

static uint32_t memory_words(const tl_sort_shape *shape, uint32_t lanes)
{
    uint32_t subgroups = shape->size / lanes, digits = 1u << shape->digit_bits;
    uint32_t tile = shape->size * shape->items;
    return (subgroups * digits > tile ? subgroups * digits : tile) + 2 * digits + 2 * subgroups;
}

/* Above 48 KiB an H200 hangs, in silence. */
#define MEMORY_BYTES_MAX (48 * 1024)

static bool fits(const tl_job *job, const tl_sort_shape *shape)
{
    const telar_limits *limits = &job->prim->facts->limits;
    uint64_t memory_bytes = 4 * (uint64_t)memory_words(shape, job->lanes);
    uint64_t copies_bytes = 4 * ((uint64_t)shape->copies << shape->digit_bits);
    return shape->size % job->lanes == 0 && shape->size <= limits->maxComputeInvocationsPerWorkgroup &&
           shape->size <= limits->maxComputeWorkgroupSizeX && memory_bytes <= limits->maxComputeWorkgroupStorageSize &&
           memory_bytes <= MEMORY_BYTES_MAX && copies_bytes <= limits->maxComputeWorkgroupStorageSize;
}

static uint32_t or_else(uint32_t asked, uint32_t usual)
{
    return asked != 0 ? asked : usual;
}

tl_sort_shape tl_sort_shape_of(tl_job *job, uint32_t element_words, const tl_sort_tuning *tuning)
{
    for (size_t k = 0; k < TL_COUNT(shapes); k++) {
        tl_sort_shape shape = {.size = or_else(tuning->size, shapes[k].size),
                               .items = or_else(tuning->items, shapes[k].items),
                               .digit_bits = or_else(tuning->digit_bits, shapes[k].digit_bits),
                               .copies = or_else(tuning->copies, 8),
                               .scan_size = tl_device_workgroup_size(job->prim->facts, 256),
                               .scan_items = 8};
        if (element_words > 2 && shape.items > 12 && tuning->items == 0) continue; /* registers */
        if (!fits(job, &shape)) continue;
        bool barrier = job->prim->dialect.subgroup_barrier;
        shape.rank_by_barriers = tuning->rank == TL_SORT_RANK_BEST ? barrier : tuning->rank == TL_SORT_RANK_BARRIER;
        return shape;
    }
    tl_job_fail(job, TELAR_LIMIT_EXCEEDED, "no tile fits the device's workgroups");
    return (tl_sort_shape){.size = 1, .items = 1, .digit_bits = 1, .copies = 1, .scan_size = 1, .scan_items = 1};
}
