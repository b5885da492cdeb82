/* SPDX-License-Identifier: MIT
 *
 * The cases that are built in: a kernel each in wgsl/, the data it gets, and the same in plain C. Data are words, whatever
 * they mean: an f32 is its bits. */
#include "sweep/sweep.h"

#include <string.h>

#include "sweep/kernels/kernels.h"

/* ---- Data -------------------------------------------------------------------------------------------------------- */

static uint32_t hash(uint32_t x)
{
    x = (x + 1) * 2654435761u; /* 0 would stay 0, as an output before any run is */
    x ^= x >> 16;
    x *= 0x85ebca6bu;
    return x ^ x >> 13;
}

static void fill_hash(uint32_t *words, uint64_t count)
{
    for (uint64_t k = 0; k < count; k++) words[k] = hash((uint32_t)k);
}

/* Of two bytes, so that a filter's sums fit. */
static void fill_pixels(uint32_t *words, uint64_t count)
{
    for (uint64_t k = 0; k < count; k++) words[k] = hash((uint32_t)k) & 0xffff;
}

/* f32 from 0 to 1. */
static void fill_unit(uint32_t *words, uint64_t count)
{
    for (uint64_t k = 0; k < count; k++) {
        float value = (float)(hash((uint32_t)k) >> 8) * 0x1p-24f;
        memcpy(&words[k], &value, sizeof value);
    }
}

static void fill_unit_other(uint32_t *words, uint64_t count)
{
    for (uint64_t k = 0; k < count; k++) {
        float value = (float)(hash((uint32_t)k + 0x9e3779b9u) >> 8) * 0x1p-24f;
        memcpy(&words[k], &value, sizeof value);
    }
}

static float f32_of(uint32_t word)
{
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static uint32_t word_of(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

/* ---- References -------------------------------------------------------------------------------------------------- */

static void element_8(const tl_domain *domain, uint32_t *const *arrays)
{
    for (uint64_t i = 0; i < domain->count[0]; i++) arrays[1][i] = word_of(f32_of(arrays[0][i]) * 0.99f);
}

static void element_16(const tl_domain *domain, uint32_t *const *arrays)
{
    for (uint64_t i = 0; i < domain->count[0]; i++) {
        float x = f32_of(arrays[0][i]), y = f32_of(arrays[1][i]);
        arrays[2][i] = word_of(x + y);
        arrays[3][i] = word_of(x - y);
    }
}

/* Sixteen side by side, which do not wait for each other. */
static void sum_of_powers(const uint32_t *from, uint32_t *to, uint32_t count)
{
    enum {
        SIDE_BY_SIDE = 16
    };
    float x[SIDE_BY_SIDE] = {0}, y[SIDE_BY_SIDE];
    for (uint32_t j = 0; j < count; j++) x[j] = f32_of(from[j]) * 0.5f;
    for (uint32_t j = 0; j < SIDE_BY_SIDE; j++) y[j] = 1;
    for (int k = 0; k < 32; k++) {
        for (uint32_t j = 0; j < SIDE_BY_SIDE; j++) y[j] = y[j] * x[j] + 1;
    }
    for (uint32_t j = 0; j < count; j++) to[j] = word_of(y[j]);
}

static void element_64_flops(const tl_domain *domain, uint32_t *const *arrays)
{
    for (uint64_t i = 0; i < domain->count[0]; i += 16) {
        uint64_t rest = domain->count[0] - i;
        sum_of_powers(arrays[0] + i, arrays[1] + i, rest < 16 ? (uint32_t)rest : 16);
    }
}

static void reduce(const tl_domain *domain, uint32_t *const *arrays)
{
    uint32_t sum = 0;
    for (uint64_t i = 0; i < domain->count[0]; i++) sum += arrays[0][i];
    arrays[1][0] = sum;
}

static void scan(const tl_domain *domain, uint32_t *const *arrays)
{
    uint32_t sum = 0;
    for (uint64_t i = 0; i < domain->count[0]; i++) arrays[1][i] = sum += arrays[0][i];
}

static uint32_t filtered_row(const uint32_t *row, uint64_t x, uint64_t width)
{
    return row[x == 0 ? 0 : x - 1] + 2 * row[x] + row[x + 1 == width ? x : x + 1];
}

static void image_3x3(const tl_domain *domain, uint32_t *const *arrays)
{
    uint64_t width = domain->count[0], height = domain->count[1];
    for (uint64_t y = 0; y < height; y++) {
        const uint32_t *here = arrays[0] + y * width;
        const uint32_t *above = y == 0 ? here : here - width, *below = y + 1 == height ? here : here + width;
        for (uint64_t x = 0; x < width; x++) {
            uint32_t sum =
                filtered_row(above, x, width) + 2 * filtered_row(here, x, width) + filtered_row(below, x, width);
            arrays[1][y * width + x] = sum >> 4;
        }
    }
}

/* In blocks, since a row of the one is a column of the other. */
static void transpose(const tl_domain *domain, uint32_t *const *arrays)
{
    enum {
        SIDE = 32
    };
    uint64_t width = domain->count[0], height = domain->count[1];
    for (uint64_t top = 0; top < height; top += SIDE) {
        uint64_t bottom = top + SIDE < height ? top + SIDE : height;
        for (uint64_t x = 0; x < width; x++) {
            for (uint64_t y = top; y < bottom; y++) arrays[1][x * height + y] = arrays[0][y * width + x];
        }
    }
}

/* ---- The table --------------------------------------------------------------------------------------------------- */

const tl_case tl_cases[] = {
    {
        .name = "element-8",
        .wgsl = tl_wgsl_element_8,
        .about = {"d[i] = s[i] * 0.99", "d[i] = s[i] * 0.99"},
        .kind = TELAR_KIND_ELEMENT,
        .dimensions = 1,
        .bytes = 8,
        .flops = 1,
        .arrays = {{"s", TL_ARRAY_INPUT, fill_unit, 0}, {"d", TL_ARRAY_OUTPUT, NULL, 0}},
        .reference = element_8,
    },
    {
        .name = "element-16",
        .wgsl = tl_wgsl_element_16,
        .about = {"sum and difference of two arrays", "suma y diferencia de dos arrays"},
        .kind = TELAR_KIND_ELEMENT,
        .dimensions = 1,
        .bytes = 16,
        .flops = 2,
        .arrays = {{"a", TL_ARRAY_INPUT, fill_unit, 0},
                   {"b", TL_ARRAY_INPUT, fill_unit_other, 0},
                   {"sums", TL_ARRAY_OUTPUT, NULL, 0},
                   {"differences", TL_ARRAY_OUTPUT, NULL, 0}},
        .reference = element_16,
    },
    {
        .name = "element-64-flops",
        .wgsl = tl_wgsl_element_64_flops,
        .about = {"32 steps of y * x + 1", "32 pasos de y * x + 1"},
        .kind = TELAR_KIND_ELEMENT,
        .dimensions = 1,
        .bytes = 8,
        .flops = 65,
        .tolerance = 1e-5, /* a compiler may fuse y * x + 1 */
        .arrays = {{"s", TL_ARRAY_INPUT, fill_unit, 0}, {"d", TL_ARRAY_OUTPUT, NULL, 0}},
        .reference = element_64_flops,
    },
    {
        .name = "reduce",
        .wgsl = tl_wgsl_reduce,
        .about = {"a sum: a tree a group, then the partials", "una suma: un árbol por grupo y luego los parciales"},
        .kind = TELAR_KIND_REDUCE,
        .dimensions = 1,
        .bytes = 4,
        .flops = 1,
        .arrays = {{"s", TL_ARRAY_INPUT, fill_hash, 0}, {"d", TL_ARRAY_OUTPUT, NULL, 1}},
        .reference = reduce,
    },
    {
        .name = "scan",
        .wgsl = tl_wgsl_scan,
        .about = {"sums up to each element: groups, their totals, and these added",
                  "sumas hasta cada elemento: grupos, sus totales, y estos sumados"},
        .kind = TELAR_KIND_SCAN,
        .dimensions = 1,
        .bytes = 8,
        .flops = 1,
        .arrays = {{"s", TL_ARRAY_INPUT, fill_hash, 0}, {"d", TL_ARRAY_OUTPUT, NULL, 0}},
        .reference = scan,
    },
    {
        .name = "image-3x3",
        .wgsl = tl_wgsl_image_3x3,
        .about = {"a binomial filter of 3 x 3", "un filtro binomial de 3 x 3"},
        .kind = TELAR_KIND_IMAGE,
        .dimensions = 2,
        .halo = 1,
        .bytes = 8,
        .flops = 18,
        .arrays = {{"s", TL_ARRAY_INPUT, fill_pixels, 0},
                   {"d", TL_ARRAY_OUTPUT, NULL, 0},
                   {"domain", TL_ARRAY_UNIFORM, NULL, 2}},
        .reference = image_3x3,
    },
    {
        .name = "tile",
        .wgsl = tl_wgsl_tile,
        .about = {"transposition by tiles in workgroup memory", "transposición por tiles en memoria workgroup"},
        .kind = TELAR_KIND_TILE,
        .dimensions = 2,
        .bytes = 8,
        .flops = 0,
        .arrays = {{"s", TL_ARRAY_INPUT, fill_hash, 0},
                   {"d", TL_ARRAY_OUTPUT, NULL, 0},
                   {"domain", TL_ARRAY_UNIFORM, NULL, 2}},
        .reference = transpose,
    },
    {.name = NULL},
};

const tl_case *tl_case_find(const char *name)
{
    for (const tl_case *at = tl_cases; at->name != NULL; at++) {
        if (strcmp(at->name, name) == 0) return at;
    }
    return NULL;
}
