/* SPDX-License-Identifier: MIT
 *
 * The sizes that stand beside a launch: what can be bound, where a view begins, which words a copy covers, how long
 * work is sliced, what fits in workgroup memory. */
#include "plan/plan.h"

#define WORD_BYTES 4
/* The largest binding that implementations handle which count bytes in 31 bits. */
#define BINDING_SAFE_BYTES ((UINT64_C(1) << 31) - WORD_BYTES)
#define SUBGROUP_LEAST 4 /* WebGPU's smallest */

typedef unsigned long long ull;

uint64_t telar_usable_binding_bytes(const telar_facts *facts, uint32_t element_bytes)
{
    uint64_t bytes = facts->limits.maxStorageBufferBindingSize;
    if (facts->limits.maxBufferSize < bytes) bytes = facts->limits.maxBufferSize;
    double tested = facts->values[TELAR_FACT_BINDING_TESTED].value;
    uint64_t safe = tested >= 9e18 ? UINT64_MAX : (uint64_t)tested;
    if (safe < BINDING_SAFE_BYTES) safe = BINDING_SAFE_BYTES;
    if (safe < bytes) bytes = safe;
    uint64_t step = element_bytes == 0 ? WORD_BYTES : element_bytes / tl_gcd(element_bytes, WORD_BYTES) * WORD_BYTES;
    return bytes / step * step;
}

telar_status telar_view_bind(uint64_t view_offset, uint32_t block_bytes, uint32_t alignment, telar_view *view,
                             telar_diag *diag)
{
    *view = (telar_view){0};
    if (block_bytes == 0 || alignment == 0) {
        return tl_fail(diag, TELAR_INVALID_ARGUMENT, "a view needs a block (%u) and an alignment (%u) above 0",
                       block_bytes, alignment);
    }
    /* Offsets that leave whole blocks repeat after block / gcd steps: further back there is nothing new. */
    uint64_t steps = block_bytes / tl_gcd(block_bytes, alignment);
    uint64_t bind = view_offset / alignment * alignment;
    for (uint64_t k = 0; k < steps; k++, bind -= alignment) {
        if ((view_offset - bind) % block_bytes == 0) {
            *view = (telar_view){.bind_offset = bind, .first_block = (view_offset - bind) / block_bytes};
            return TELAR_OK;
        }
        if (bind < alignment) break;
    }
    return tl_fail_limit(
        diag, TELAR_INVALID_ARGUMENT, view_offset, alignment,
        "a view at byte %llu is no whole number of blocks (%u bytes) after any offset that can be bound "
        "(multiples of %u); copy it to an aligned place",
        (ull)view_offset, block_bytes, alignment);
}

telar_status telar_copy_cover(uint64_t offset, uint64_t size, telar_cover *cover, telar_diag *diag)
{
    *cover = (telar_cover){0};
    uint64_t end;
    if (size > UINT64_MAX - offset || !telar_round_up(offset + size, WORD_BYTES, &end)) {
        return tl_fail(diag, TELAR_OVERFLOWS, "a copy of %llu bytes at %llu does not fit 64 bits", (ull)size,
                       (ull)offset);
    }
    cover->offset = offset / WORD_BYTES * WORD_BYTES;
    if (size == 0) return TELAR_OK;
    cover->size = end - cover->offset;
    cover->skip = (uint32_t)(offset - cover->offset);
    cover->rest = (uint32_t)(end - (offset + size));
    return TELAR_OK;
}

uint64_t telar_slices(uint64_t elements, double ns_per_element, double slice_us)
{
    if (elements == 0) return 0;
    double slices = slice_us > 0 ? (double)elements * ns_per_element / 1e3 / slice_us : 1;
    if (!(slices > 1)) return 1;
    if (slices >= (double)elements) return elements;
    uint64_t whole = (uint64_t)slices;
    return whole + (uint64_t)((double)whole < slices);
}

uint64_t telar_workgroup_passes(const telar_facts *facts, uint64_t entries, uint32_t entry_bytes)
{
    uint64_t room = facts->limits.maxComputeWorkgroupStorageSize;
    uint64_t share = entry_bytes == 0 ? entries : room / entry_bytes;
    if (entries == 0) return 1;
    return share == 0 ? 0 : telar_ceil_div(entries, share);
}

telar_tile telar_tile_fit(const telar_facts *facts, uint32_t element_bytes)
{
    static const struct {
        uint16_t m, n, k;
    } tiles[] = {
        {256, 128, 32}, {128, 128, 32}, {128, 128, 16}, {64, 64, 32},
        {64, 64, 16},   {32, 32, 16},   {16, 16, 16},   {8, 8, 8},
    };
    for (size_t t = 0; t < TL_COUNT(tiles); t++) {
        uint64_t elements = (uint64_t)tiles[t].k * (uint64_t)(tiles[t].m + tiles[t].n);
        uint64_t bytes = elements * element_bytes;
        if (bytes > facts->limits.maxComputeWorkgroupStorageSize) continue;
        return (telar_tile){tiles[t].m, tiles[t].n, tiles[t].k, (uint32_t)bytes};
    }
    return (telar_tile){0};
}

uint32_t telar_subgroups_max(const telar_facts *facts, uint32_t invocations)
{
    double least = facts->values[TELAR_FACT_SUBGROUP_MIN].value;
    uint32_t width = least >= 1 && least < 65536 ? (uint32_t)least : SUBGROUP_LEAST;
    return (uint32_t)telar_ceil_div(invocations, width);
}
