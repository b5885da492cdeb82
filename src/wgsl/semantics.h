/* SPDX-License-Identifier: MIT
 *
 * What the resolver knows about a module: three words for every node, and the tables that they point into. This is what
 * reflection, queries, weaving and checking stand on. Written by resolve*.c, read by all others through query.h where a
 * question has a name.
 *
 *   type[node]         of an expression its type (a REFERENCE type when it denotes memory; what a load yields is its
 *                      element), of a type expression the type it denotes, of a declaration its type: VAR a reference,
 *                      LET, CONST, OVERRIDE, PARAM, MEMBER the value's, STRUCT and ALIAS the type, FN the result
 *                      An abstract literal that was converted has the type it was converted to; operands inside a
 *                      converted expression keep their abstract types.
 *   constant[node]     tl_constant of an expression, CONST or OVERRIDE; NONE of what is known only at run time
 *   declaration[node]  of an IDENT the node that declares it, or a TL_NAME_* word for a predeclared name; of a
 *                      MEMBER_ACCESS the MEMBER, 0 for a swizzle; of a CALL that of its callee; of a global declaration
 *                      its index in globals; of a PARAM its position; of a @builtin attribute the tl_builtin_value */
#ifndef TL_WGSL_SEMANTICS_H
#define TL_WGSL_SEMANTICS_H

#include "wgsl/constant.h"
#include "wgsl/module.h"

#define TL_NO_INDEX UINT32_MAX

typedef struct tl_symbol {
    uint64_t head;   /* its first 8 bytes, zeros behind the end: most names are told apart without their text */
    uint32_t offset; /* where the name stands first in the source */
    uint32_t length;
    uint32_t hash;
    uint32_t declaration; /* the node that the name means at this point of the walk; 0: none in the module */
    uint32_t level;       /* scope of that declaration: 0 module, 1 parameters and body, then blocks */
    uint32_t meaning;     /* tl_name_find, or TL_NO_INDEX when not looked up yet */
} tl_symbol;

typedef enum tl_stage {
    TL_STAGE_NONE,
    TL_STAGE_VERTEX,
    TL_STAGE_FRAGMENT,
    TL_STAGE_COMPUTE,
    TL_STAGE_OTHER /* mesh, task, ray tracing */
} tl_stage;

enum {
    TL_GLOBAL_NEW,
    TL_GLOBAL_IN_PROGRESS,
    TL_GLOBAL_DONE
};

/* A declaration of module scope, in source order. */
typedef struct tl_global {
    uint32_t node;
    uint32_t symbol; /* TL_NO_INDEX for a const_assert */
    uint8_t state;
    uint8_t space;  /* tl_space of a VAR */
    uint8_t access; /* tl_access of a VAR */
    uint8_t used;   /* by a function */
    uint32_t group; /* TL_NO_INDEX when absent; of an OVERRIDE its @id */
    uint32_t binding;
    uint32_t function;      /* of an FN its index in functions */
    uint32_t last_function; /* that recorded a use, to record it once */
} tl_global;

typedef struct tl_function {
    uint32_t node;
    uint32_t symbol;
    tl_stage stage;
    uint32_t builtin_flags; /* TL_IS_* of all built-ins that its body calls */
    uint32_t barrier_count; /* calls of barriers in its body */
    uint32_t call_first;    /* in calls: the functions that it calls, each once */
    uint32_t call_count;
    uint32_t use_first; /* in uses: the globals (VAR, OVERRIDE) that it uses, each once */
    uint32_t use_count;
    uint32_t last_caller; /* that recorded a call, to record it once */
    uint32_t order;       /* callees have smaller numbers */
    bool must_use;
} tl_function;

typedef struct tl_call {
    uint32_t function; /* called */
    uint32_t node;     /* the first CALL */
} tl_call;

typedef struct tl_use {
    uint32_t global;
    uint32_t node; /* the first IDENT */
} tl_use;

typedef struct tl_wgsl_semantics {
    tl_type *type;
    tl_constant *constant;
    uint32_t *declaration;
    tl_types types;
    tl_constants constants;

    tl_symbol *symbols; /* from 1 */
    uint32_t *symbol_buckets;
    uint32_t symbol_count, symbol_capacity, symbol_bucket_count;

    tl_global *globals;
    uint32_t global_count;
    tl_function *functions;
    uint32_t function_count;
    tl_call *calls;
    uint32_t call_count, call_capacity;
    tl_use *uses;
    uint32_t use_count, use_capacity;
} tl_wgsl_semantics;

/* ---- symbol.c ---- */

bool tl_symbols_init(telar_wgsl *m, telar_arena *arena);

/* The symbol of a token's text, made when it is new; 0 when the arena is full. */
uint32_t tl_symbol_of(telar_wgsl *m, telar_arena *arena, uint32_t token);

/* The symbol of a text, or 0 when no identifier of the module is spelled so. */
uint32_t tl_symbol_find(const telar_wgsl *m, tl_str text);
tl_str tl_symbol_name(const telar_wgsl *m, uint32_t symbol);

/* The declared name nearest to this one that a typing error can explain, else an empty text. */
tl_str tl_symbol_suggest(const telar_wgsl *m, tl_str text);

/* tl_symbol_text for tl_type_print; user is the module. */
tl_str tl_symbol_text_of(const void *module, uint32_t symbol);

/* ---- access without clutter ---- */

static inline tl_type tl_node_type(const telar_wgsl *m, uint32_t node)
{
    return m->semantics->type[node];
}

/* What a value of this expression has: the store type of a reference. */
static inline tl_type tl_node_value_type(const telar_wgsl *m, uint32_t node)
{
    const tl_wgsl_semantics *s = m->semantics;
    const tl_type_info *info = &s->types.info[s->type[node]];
    return info->kind == TL_KIND_REFERENCE ? info->element : s->type[node];
}

static inline uint32_t tl_node_declaration(const telar_wgsl *m, uint32_t node)
{
    return m->semantics->declaration[node];
}

#endif
