/* SPDX-License-Identifier: MIT
 *
 * Primitives that do something for every element by itself: they declare their arrays, print a function element(i), and
 * kernels/map.wgsl calls it.
 *
 *     tl_elements elements = tl_elements_begin(record, prim, "fill", desc->length);
 *     tl_elements_array_of(&elements, "out", desc->type, desc->out, true);
 *     tl_text text = tl_elements_text(&elements);
 *     tl_text_add(&text, "fn element(i: u32) { out_put(i, 1u); }\n");
 *     tl_elements_end(&elements, &text); */
#ifndef TL_PRIM_ELEMENTS_H
#define TL_PRIM_ELEMENTS_H

#include "prim/prim.h"

enum {
    TL_ELEMENTS_ARRAYS_MAX = TELAR_MAP_INPUTS_MAX + 1
};

typedef struct tl_elements_array {
    const char *name;
    tl_view view;
    bool written;
} tl_elements_array;

typedef struct tl_elements {
    tl_job job;
    tl_elements_array arrays[TL_ELEMENTS_ARRAYS_MAX];
    uint32_t arrays_count;
    const char *types[TL_ELEMENTS_ARRAYS_MAX]; /* WGSL of their types, each once */
    uint32_t types_count;
    uint32_t size; /* of a workgroup; 0: by the criterion */
    uint32_t items;
    uint32_t tiling;
} tl_elements;

tl_elements tl_elements_begin(telar_record *record, const telar_prim *prim, const char *name, telar_length length);
/* An array as long as the length, touched only at [i]. */
void tl_elements_array_of(tl_elements *elements, const char *name, telar_type type, telar_array array, bool written);
/* An array of another length, touched at any place: it must fit one binding. */
void tl_elements_array_whole(tl_elements *elements, const char *name, telar_type type, telar_array array,
                             uint64_t count, bool written);
/* Whether `name`, the latest array, is the very same as `of`: then one binding is for both. */
bool tl_elements_alias(tl_elements *elements, const char *name, const char *of);
/* The text so far; fn index_of(i: u32) -> u32 gives the index in the whole array. */
tl_text tl_elements_text(tl_elements *elements);
void tl_elements_end(tl_elements *elements, tl_text *text);

typedef struct tl_map_tuning {
    uint32_t workgroup_size;
    uint32_t items;
} tl_map_tuning;
/* For measurements. NULL: as telar_record_map. */
void tl_record_map_tuned(telar_record *record, const telar_prim *prim, const telar_map_desc *desc,
                         const tl_map_tuning *tuning);

#endif
