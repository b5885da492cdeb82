/* SPDX-License-Identifier: MIT
 *
 * What the files of the weave layer share: edits of the user's text, and the printing of entry points. */
#ifndef TL_WEAVE_WEAVE_H
#define TL_WEAVE_WEAVE_H

#include <telar/weave.h>

#include "base/base.h"
#include "wgsl/semantics.h"

/* ---- edit.c: the user's text with some spans replaced ------------------------------------------------------------ */

/* Bytes [begin, end) of the source become `text`. */
typedef struct tl_edit {
    uint32_t begin;
    uint32_t end;
    tl_str text;
} tl_edit;

typedef struct tl_edits {
    telar_arena *arena;
    tl_edit *list; /* in the order of the source */
    uint32_t count;
    uint32_t cap;
    bool failed; /* the arena was full */
} tl_edits;

void tl_edit_replace(tl_edits *edits, uint32_t begin, uint32_t end, tl_str text);
/* Spans must not overlap. */
void tl_edit_print(tl_edits *edits, tl_str source, telar_out *out);

/* ---- source.c: what the user's module holds ----------------------------------------------------------------------- */

/* A storage array as the element function uses it. */
typedef struct tl_window_use {
    uint32_t node;         /* its VAR */
    uint32_t accesses;     /* at [i], i the function's parameter */
    uint32_t only_written; /* of these, targets of a plain `=` */
    uint32_t written;      /* of these, written in some way */
    uint32_t other;        /* the first reference that is no access at [i]; 0: none */
} tl_window_use;

typedef struct tl_source {
    const telar_wgsl *module;
    telar_weave_form form;   /* ELEMENT or PLAIN */
    uint32_t function;       /* its FN */
    uint32_t dimensions;     /* of an element function's index */
    uint32_t index;          /* the PARAM of an element function */
    uint32_t index_as_value; /* the first use of the index other than in an access [i]; 0: none */
    tl_window_use *uses;     /* by global; node 0: not a storage array that the function uses */
    uint32_t *index_ends;    /* byte after the index of each access [i] in a windowed array, ascending */
    uint32_t index_ends_count;
} tl_source;

telar_status tl_source_find(const telar_weave_desc *desc, telar_arena *arena, tl_source *source, telar_diag *diag);
static inline bool tl_is_windowed(const tl_window_use *use)
{
    return use->node != 0 && use->accesses > 0 && use->other == 0;
}

/* ---- kernel.c: a complete text read back --------------------------------------------------------------------------- */

/* What a host must know of an entry point: bindings, sizes, memory. Reading our own print back keeps text and facts from
 * drifting apart. our_immediate_bytes are those that weaving added. Textures, samplers and immediates of the user's
 * own are UNSUPPORTED. */
telar_status tl_kernel_describe(const telar_wgsl *module, const char *entry, const telar_weave_desc *desc,
                                uint32_t our_immediate_bytes, telar_arena *arena, telar_kernel_desc *kernel,
                                telar_diag *diag);

/* ---- dialect.c: directives and extensions ------------------------------------------------------------------------- */

/* Edits the directives for the dialect; UNSUPPORTED when the source uses what the dialect lacks. */
telar_status tl_dialect_edit(const telar_wgsl *module, telar_dialect dialect, tl_edits *edits, telar_diag *diag);

/* ---- unroll.c: loops of our own kernels, written out --------------------------------------------------------------- */

/* The module's text with the constant loops of its entry points unrolled; zero-terminated, in the arena. */
telar_status tl_unroll(const telar_wgsl *module, telar_arena *arena, tl_str *text, telar_diag *diag);

/* ---- launch.c: what both kinds of entry point begin with ---------------------------------------------------------- */

/* struct telar_launch_block and the variable telar_launch, in the place given. */
typedef struct tl_launch_place {
    telar_params_kind kind;
    uint32_t group;
    uint32_t binding;
    bool canary; /* also telar_report, at the next binding */
} tl_launch_place;
void tl_print_launch_block(tl_launch_place place, telar_out *out);
/* The first invocation of a launch marks that it ran. `local` is 0 in the first invocation of a group. */
void tl_print_canary(const char *local, telar_out *out);
/* The group's number across the rows of a fold, as an expression. */
void tl_print_group_number(telar_shape shape, telar_out *out);

/* ---- element.c and fold.c: the entry point itself ---------------------------------------------------------------- */

enum {
    TL_ELEMENT_ROW = 4
};

typedef struct tl_element_entry {
    const char *name; /* of the entry point */
    tl_str function;
    const telar_plan *plan;
    bool canary;
    bool based; /* indices begin at telar_launch.base: the plan has windows and the index counts through them */
    /* An invocation goes through its items in a loop, and where there is such a function first through whole rows of
     * TL_ELEMENT_ROW elements. In one dimension, where the function takes the index as it is. */
    bool looped;
    tl_str function_of_row;
} tl_element_entry;
void tl_print_element_entry(const tl_element_entry *entry, telar_out *out);

/* Edits that make the entry point `function` (a node) rebuild the ids of its unfolded launch. NOT_FOLDABLE names the
 * built-in that cannot be rebuilt. */
telar_status tl_fold_entry(const telar_wgsl *module, uint32_t function, const telar_plan *plan, bool canary,
                           tl_edits *edits, telar_diag *diag);
/* The same question without edits. */
telar_status tl_can_fold(const telar_wgsl *module, uint32_t function, telar_diag *diag);

#endif
