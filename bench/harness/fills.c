/* SPDX-License-Identifier: MIT
 *
 * Input data, which companions make by themselves. Never zeros, whose cost differs from that of real data. */
#include "harness/bench.h"

#include <string.h>

uint32_t bench_hash(uint32_t index)
{
    uint32_t x = index * 2654435761u;
    x ^= x >> 16;
    x *= 0x85ebca6bu;
    x ^= x >> 13;
    x *= 0xc2b2ae35u;
    return x ^ x >> 16;
}

void bench_fill_hash(uint32_t *words, uint64_t words_count, uint64_t n)
{
    (void)n;
    for (uint64_t k = 0; k < words_count; k++) words[k] = bench_hash((uint32_t)k);
}

void bench_fill_byte(uint32_t *words, uint64_t words_count, uint64_t n)
{
    (void)n;
    for (uint64_t k = 0; k < words_count; k++) words[k] = bench_hash((uint32_t)k) & 255;
}

void bench_fill_unit(uint32_t *words, uint64_t words_count, uint64_t n)
{
    (void)n;
    for (uint64_t k = 0; k < words_count; k++) {
        float value = (float)(bench_hash((uint32_t)k) >> 8) * 0x1p-24f;
        memcpy(&words[k], &value, sizeof value);
    }
}

void bench_fill_index(uint32_t *words, uint64_t words_count, uint64_t n)
{
    (void)n;
    for (uint64_t k = 0; k < words_count; k++) words[k] = (uint32_t)k;
}

/* Which run of equal keys each stands in: a run begins at every hundredth index or so. */
void bench_fill_runs(uint32_t *words, uint64_t words_count, uint64_t n)
{
    uint32_t run = 0;
    (void)n;
    for (uint64_t k = 0; k < words_count; k++) words[k] = run += bench_hash((uint32_t)k) % 100 == 0;
}
