/* SPDX-License-Identifier: MIT
 *
 * Primitives that do something for every element by itself. They declare their arrays and print a function of the elements
 * at [i], in the order in which their arrays were declared, and of the index i in the whole array; what it returns is the
 * element of the array that is written at [i], and where there is none it writes itself:
 *
 *     tl_elements elements = tl_elements_begin(record, prim, "gather", desc->length);
 *     tl_elements_array_of(&elements, "out", desc->type, desc->out, true);
 *     tl_elements_array_of(&elements, "index", (telar_type){0}, desc->index, false);
 *     tl_elements_array_whole(&elements, "in", desc->type, desc->in, desc->in_count, false);
 *     tl_text *text = tl_elements_text(&elements);
 *     tl_text_add(text, "fn telar_value(index: u32, i: u32) -> f32 { return in_item(index); }\n");
 *     tl_elements_end(&elements);
 *
 * The entry point around it is the one that element functions are woven into (src/weave/element.c), of a plan by the
 * criterion. On CPU adapters invocations loop, over rows of four elements where the arrays allow it. */
#ifndef TL_PRIM_ELEMENTS_H
#define TL_PRIM_ELEMENTS_H

#include "prim/prim.h"

enum {
    TL_ELEMENTS_ARRAYS_MAX = TELAR_MAP_INPUTS_MAX + 1
};

typedef struct tl_elements_array {
    const char *name;
    const char *bound_as; /* its own name, or that of the written array whose very place it has */
    tl_view view;
    bool at_i; /* touched only there */
    bool written;
} tl_elements_array;

typedef struct tl_elements {
    tl_job job;
    tl_prim_stage stage;
    telar_plan plan;
    tl_elements_array arrays[TL_ELEMENTS_ARRAYS_MAX];
    uint32_t arrays_count;
    bool conditional; /* a function telar_where, of what telar_value takes, says which elements it is called for */
    bool looped;
    bool rows;
} tl_elements;

tl_elements tl_elements_begin(telar_record *record, const telar_prim *prim, const char *name, telar_length length);
/* An array as long as the length, touched only at [i]; the one that is written comes first. One that is read may be the very
 * same array. */
void tl_elements_array_of(tl_elements *elements, const char *name, telar_type type, telar_array array, bool written);
/* An array of another length, touched at any place: it must fit one binding. */
void tl_elements_array_whole(tl_elements *elements, const char *name, telar_type type, telar_array array,
                             uint64_t count, bool written);
/* The text so far: the arrays. */
tl_text *tl_elements_text(tl_elements *elements);
void tl_elements_end(tl_elements *elements);

#endif
