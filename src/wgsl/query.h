/* SPDX-License-Identifier: MIT
 *
 * Questions about a resolved module, by name. Nodes are those of ast.h; 0 is "none". Those that walk all nodes say so.
 * The text of a node is [tl_node_begin, tl_node_end), the type tl_node_type, both in module.h and semantics.h. */
#ifndef TL_WGSL_QUERY_H
#define TL_WGSL_QUERY_H

#include "wgsl/semantics.h"

/* ---- Nodes by kind ----------------------------------------------------------------------------------------------- */

/* The nodes of each kind, ascending: nodes[begin[kind]] .. nodes[begin[kind + 1] - 1]. */
typedef struct tl_kinds {
    uint32_t *nodes;
    uint32_t begin[TL_NODE_KIND_COUNT + 1];
} tl_kinds;

/* Walks nodes, so that questions about one kind need not. False when the arena is full. */
bool tl_query_kinds(const telar_wgsl *m, telar_arena *arena, tl_kinds *kinds);

/* ---- Declarations and references --------------------------------------------------------------------------------- */

/* The node that declares what an IDENT names; 0 for predeclared names. */
uint32_t tl_query_declaration(const telar_wgsl *m, uint32_t ident);

/* The built-in function that a CALL calls, TL_BUILTIN_COUNT when it calls something else. */
tl_builtin tl_query_builtin_call(const telar_wgsl *m, uint32_t call);

/* The first IDENT after node `after` that names this declaration; 0 at the end. Walks nodes: start with 0. */
uint32_t tl_query_next_reference(const telar_wgsl *m, uint32_t declaration, uint32_t after);

/* Is the expression this declaration's name, and nothing else but parentheses? */
bool tl_query_is_reference(const telar_wgsl *m, uint32_t expression, uint32_t declaration);

/* The IDENT that a chain of [], . and () starts with; through * and & too. 0 when it starts with something else. */
uint32_t tl_query_root(const telar_wgsl *m, uint32_t expression);

/* The declaration of a global of this name; 0 when there is none. Walks globals. */
uint32_t tl_query_global(const telar_wgsl *m, tl_str name);

/* The index among globals of the override of this name, or of this @id as decimal text; TL_NO_INDEX when there is none.
 * Walks globals. */
uint32_t tl_query_override(const telar_wgsl *m, tl_str name);

/* The record of a function (an FN node) and of a global declaration. */
const tl_function *tl_query_function(const telar_wgsl *m, uint32_t node);
const tl_global *tl_query_global_record(const telar_wgsl *m, uint32_t node);

/* ---- Names and groups to add to a module ------------------------------------------------------------------------- */

/* Does the module spell this name anywhere? A new declaration of another name can neither collide nor shadow. */
bool tl_query_spells(const telar_wgsl *m, tl_str name);

/* The least @group that no variable has. Walks globals. */
uint32_t tl_query_free_group(const telar_wgsl *m);

/* ---- Entry points ------------------------------------------------------------------------------------------------ */

/* Where an entry point takes a built-in value: the PARAM, and the MEMBER when it stands in a structure. */
typedef struct tl_builtin_place {
    uint32_t param;
    uint32_t member; /* 0: the parameter itself */
} tl_builtin_place;

/* False when the function does not take it. */
bool tl_query_builtin_place(const telar_wgsl *m, uint32_t function, tl_builtin_value value, tl_builtin_place *place);

/* Is the expression exactly this built-in value: `id`, or `in.id`? */
bool tl_query_is_place(const telar_wgsl *m, uint32_t expression, tl_builtin_place place);

/* ---- Accesses ---------------------------------------------------------------------------------------------------- */

typedef struct tl_array_access {
    uint32_t node;      /* INDEX */
    uint32_t index;     /* expression between the brackets */
    uint32_t reference; /* the IDENT of the variable */
} tl_array_access;

/* The next access `v[i]`, or `v.member[i]` for a variable whose structure ends with an array, after node `after`. False
 * at the end. Walks nodes: start with 0, then give access->node. */
bool tl_query_next_access(const telar_wgsl *m, uint32_t variable, uint32_t after, tl_array_access *access);

/* A reference that is no such access (arrayLength, a pointer, the whole value, another member); 0 when all are
 * accesses. Walks nodes. */
uint32_t tl_query_other_reference(const telar_wgsl *m, uint32_t variable);

#endif
