/* SPDX-License-Identifier: MIT
 *
 * What the files of the resolver share. One walk: names of module scope, then global declarations as they need each
 * other, then function bodies, then the call graph. An expression in error has the unknown type, which silences what
 * would follow from it. */
#ifndef TL_WGSL_RESOLVER_H
#define TL_WGSL_RESOLVER_H

#include "wgsl/semantics.h"

/* Nested calls of the resolver: declarations in expressions in declarations. */
#define TL_RESOLVER_MAX_DEPTH 700
#define TL_MAX_STRUCT_MEMBERS 1023
#define TL_MAX_TYPE_DEPTH 250
/* 2 functions x 3 float types x 4 shapes, and a compare-exchange for each type that an atomic holds. */
#define TL_RESULT_STRUCTS_MAX 40

/* Statement behaviours: how control leaves a statement. */
enum {
    TL_LEAVES_NEXT = 1u,
    TL_LEAVES_BREAK = 2u,
    TL_LEAVES_CONTINUE = 4u,
    TL_LEAVES_RETURN = 8u
};

typedef struct tl_scope_entry {
    uint32_t symbol;
    uint32_t declaration; /* what the name meant outside */
    uint32_t level;
} tl_scope_entry;

typedef struct tl_resolver {
    telar_wgsl *m;
    tl_wgsl_semantics *s;
    telar_arena *arena;
    tl_wgsl_log *log;

    tl_scope_entry *scope;
    uint32_t scope_count, scope_capacity;
    uint32_t level;

    uint32_t function; /* whose body is walked, or TL_NO_INDEX */
    uint32_t depth;
    uint32_t muted; /* > 0: operands that are never evaluated; value errors are not errors there */
    uint32_t loops;
    uint32_t breakables; /* loops and switches around */
    uint32_t continuings;
    uint32_t results[TL_RESULT_STRUCTS_MAX]; /* structures of frexp, modf, compare-exchange made so far */
    uint32_t result_count;
    bool full; /* the arena did not suffice */
    char texts[4][160];
    uint32_t text_next;
} tl_resolver;

/* ---- resolve.c ---- */

/* Reports at a node's first byte, unless no more errors are wanted. */
void tl_resolve_error(tl_resolver *r, uint32_t node, const char *format, ...) TL_PRINTF(3, 4);
void tl_resolve_error_at(tl_resolver *r, uint32_t token, const char *format, ...) TL_PRINTF(3, 4);

/* The type as text; valid until the fourth call after this one. */
const char *tl_resolve_type_text(tl_resolver *r, tl_type type);

/* False, with an error, when calls are nested too deeply. Every true is followed by r->depth--. */
bool tl_resolve_enter(tl_resolver *r, uint32_t node);

/* Makes sure that a global declaration is resolved; false when it depends on itself. */
bool tl_resolve_global(tl_resolver *r, uint32_t node);

/* The declaration, or TL_NAME_* word, that an IDENT means; 0 with an error. Records it, and the use of a global. */
uint32_t tl_resolve_name(tl_resolver *r, uint32_t ident);

/* ---- scope.c ---- */

void tl_scope_declare(tl_resolver *r, uint32_t node);
uint32_t tl_scope_enter(tl_resolver *r);
void tl_scope_leave(tl_resolver *r, uint32_t mark);

/* ---- resolve_type.c ---- */

/* The type that an IDENT denotes; unknown with an error when it denotes none. */
tl_type tl_resolve_type(tl_resolver *r, uint32_t node);
/* The type of an IDENT that is the callee of a call; a generator without arguments gives *generator. Unknown and
 * *is_type false when the name is no type. */
tl_type tl_resolve_callee_type(tl_resolver *r, uint32_t ident, uint32_t declaration, bool *is_type,
                               const tl_predeclared_row **generator);
bool tl_resolve_enumerant(tl_resolver *r, uint32_t ident, tl_predeclared_class class_, uint32_t *value);
void tl_resolve_struct(tl_resolver *r, uint32_t node);
bool tl_type_is_constructible(const tl_types *types, tl_type type);

/* ---- resolve_attribute.c ---- */

void tl_resolve_attributes(tl_resolver *r, uint32_t list);
/* A constant non-negative integer argument; false with an error. */
bool tl_resolve_attribute_value(tl_resolver *r, uint32_t attribute, uint64_t limit, uint64_t *value);
void tl_resolve_entry_point(tl_resolver *r, uint32_t node);
tl_stage tl_attributes_stage(const telar_wgsl *m, uint32_t list);

/* ---- resolve_declaration.c ---- */

/* VAR, LET, CONST, OVERRIDE, global or local: type, value; does not declare the name. */
void tl_resolve_variable(tl_resolver *r, uint32_t node);
void tl_resolve_signature(tl_resolver *r, uint32_t node);
void tl_resolve_const_assert(tl_resolver *r, uint32_t node);

/* ---- resolve_expression.c ---- */

/* Gives the node and all below it type, constant, declaration. Returns the node's type. */
tl_type tl_resolve_expression(tl_resolver *r, uint32_t node);
/* The same, as a value: the reference is loaded, abstract and concrete stay as they are. */
tl_type tl_resolve_value(tl_resolver *r, uint32_t node);
tl_type tl_value_of(tl_resolver *r, uint32_t node);

/* ---- convert.c ---- */

/* The type that both can be converted to, or unknown. */
tl_kind tl_common_scalar(tl_kind a, tl_kind b);
bool tl_type_converts(const tl_types *types, tl_type from, tl_type to);
/* The abstract parts of a type made i32 and f32. */
tl_type tl_type_concrete(tl_types *types, tl_type type);
tl_type tl_type_common(tl_types *types, tl_type a, tl_type b);
/* Converts an expression's value to a type it converts to: an error only when the value does not fit. */
void tl_convert(tl_resolver *r, uint32_t node, tl_type to);
void tl_convert_concrete(tl_resolver *r, uint32_t node);
/* Reports a value error of folding, unless muted. */
void tl_resolve_fold_error(tl_resolver *r, uint32_t node, tl_fold fold, tl_type type);

/* ---- resolve_operator.c ---- */

void tl_resolve_unary(tl_resolver *r, uint32_t node);
void tl_resolve_binary(tl_resolver *r, uint32_t node); /* operands are resolved */
/* Result type of `a op b`, unknown when there is none; *a_to and *b_to are what the operands convert to. */
tl_type tl_binary_type(tl_types *types, tl_wgsl_op op, tl_type a, tl_type b, tl_type *a_to, tl_type *b_to);
/* A zero divisor is wrong whenever it is known, and so is a shift by the width or more. type is the left operand's. */
tl_fold tl_check_right(tl_resolver *r, tl_wgsl_op op, tl_type type, tl_constant right);
const char *tl_op_text(tl_wgsl_op op);

/* ---- resolve_access.c ---- */

void tl_resolve_index(tl_resolver *r, uint32_t node);  /* base is resolved, the index is not */
void tl_resolve_member(tl_resolver *r, uint32_t node); /* base is resolved */

/* ---- resolve_call.c, resolve_constructor.c, resolve_builtin.c, resolve_texture.c ---- */

void tl_resolve_call(tl_resolver *r, uint32_t node);
void tl_resolve_constructor(tl_resolver *r, uint32_t call, tl_type type, const tl_predeclared_row *generator);
void tl_resolve_builtin(tl_resolver *r, uint32_t node, tl_builtin builtin);
void tl_resolve_texture(tl_resolver *r, uint32_t node, const tl_builtin_row *row);
void tl_resolve_no_overload(tl_resolver *r, uint32_t node, const char *name);

/* ---- resolve_statement.c ---- */

void tl_resolve_body(tl_resolver *r, uint32_t function);

/* ---- call_graph.c ---- */

/* Orders the functions so that callees come first; reports recursion. */
void tl_resolve_call_graph(tl_resolver *r);

/* ---- small helpers ---- */

static inline const tl_wgsl_node *tl_at(const tl_resolver *r, uint32_t node)
{
    return &r->m->nodes[node];
}

static inline tl_kind tl_kind_of(const tl_resolver *r, tl_type type)
{
    return tl_type_kind(&r->s->types, type);
}

static inline void tl_set(tl_resolver *r, uint32_t node, tl_type type, tl_constant constant)
{
    r->s->type[node] = type;
    r->s->constant[node] = constant;
}

#endif
