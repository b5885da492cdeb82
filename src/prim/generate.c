/* SPDX-License-Identifier: MIT
 *
 * generate: Philox random numbers. One dispatch; bound by arithmetic. */
#include "prim/prim.h"

#include <string.h>

enum {
    ITEMS = 4
};

/* A word as an element; NULL: not of this type. */
static const char *number_of(const char *type)
{
    static const struct {
        const char *type;
        const char *expression;
    } numbers[] = {
        {"u32", "word"},
        {"i32", "bitcast<i32>(word)"},
        {"f32", "f32(word >> 8u) * 0x1p-24f"},
    };
    for (size_t k = 0; k < TL_COUNT(numbers); k++) {
        if (strcmp(numbers[k].type, type) == 0) return numbers[k].expression;
    }
    return NULL;
}

static uint32_t low(uint64_t value)
{
    return (uint32_t)value;
}

static uint32_t high(uint64_t value)
{
    return (uint32_t)(value >> 32);
}

void telar_record_generate(telar_record *record, const telar_prim *prim, const telar_generate_desc *desc)
{
    tl_job job = tl_job_begin(record, prim, "generate", desc->length);
    tl_type_facts type = tl_job_type(&job, desc->type);
    const char *number = number_of(type.type.name);
    tl_view out = tl_job_view(&job, "out", &type, desc->out, desc->length.count);
    uint32_t size = tl_device_workgroup_size(prim->facts, 256);
    uint32_t tiles = tl_job_tiling(&job, (tl_tiling){.elements = (uint64_t)size * 4 * ITEMS});
    if (number == NULL) {
        tl_job_fail(&job, TELAR_UNSUPPORTED, "random numbers are u32, i32 or f32, not '%s'", type.type.name);
    }
    tl_job_prepare(&job);
    tl_text text = tl_text_begin(&job, tiles, "generate");
    tl_text_u32(&text, "WORKGROUP_SIZE", size);
    tl_text_u32(&text, "ITEMS", ITEMS);
    tl_text_type(&text, &type);
    tl_text_format(&text, "const FIRST = vec4u(%uu, %uu, %uu, %uu);\nconst KEY = vec2u(%uu, %uu);\n",
                   low(desc->counter[0]), high(desc->counter[0]), low(desc->counter[1]), high(desc->counter[1]),
                   low(desc->seed), high(desc->seed));
    tl_text_format(&text, "fn number(word: u32) -> T { return %s; }\n", number == NULL ? "" : number);
    tl_text_view(&text, "out", 0, &out, true);
    tl_text_add(&text, tl_wgsl_philox);
    tl_text_add(&text, tl_wgsl_generate);
    tl_kernel kernel = tl_text_end(&text);
    tl_job_launch(&job, &kernel, &out.bind, 1);
    tl_job_end(&job);
}
