/* SPDX-License-Identifier: MIT
 *
 * Inside the uniformity analysis: the walk that makes a function's graph. uniformity.c drives it and reads the graph,
 * uniformity_walk.c does the statements, uniformity_value.c expressions and calls.
 *
 * The nodes are those of the specification. MayBeNonUniform is not one node: each place that would have an edge to it
 * becomes a node of a source kind, so that a way to it names its cause. RequiredToBeUniform.S is a list of requirements. */
#ifndef TL_WGSL_UNIFORMITY_WALK_H
#define TL_WGSL_UNIFORMITY_WALK_H

#include "wgsl/query.h"
#include "wgsl/uniformity.h"
#include "wgsl/uniformity_graph.h"

/* The specification's scopes of uniformity. */
typedef enum tl_uniform_scope {
    TL_SCOPE_BOTH, /* without the language extension subgroup_uniformity */
    TL_SCOPE_WORKGROUP,
    TL_SCOPE_SUBGROUP
} tl_uniform_scope;

/* The nodes that every function has. */
enum {
    TL_UNIFORM_NONE,
    TL_UNIFORM_START,  /* CF_start */
    TL_UNIFORM_RETURN, /* Value_return */
    TL_UNIFORM_PARAMS  /* of parameter k: param_k, param_k_contents, Value_return_k_contents */
};

static inline uint32_t tl_uniform_param_value(uint32_t k)
{
    return TL_UNIFORM_PARAMS + 3 * k;
}

static inline uint32_t tl_uniform_param_contents(uint32_t k)
{
    return TL_UNIFORM_PARAMS + 3 * k + 1;
}

static inline uint32_t tl_uniform_param_out(uint32_t k)
{
    return TL_UNIFORM_PARAMS + 3 * k + 2;
}

/* ---- What callers must know of a function ------------------------------------------------------------------------ */

/* Must be uniform, by rule: how severely, and for which built-in call. */
typedef struct tl_uniform_tag {
    uint32_t required[TL_UNIFORMITY_RULE_COUNT];
    uint8_t severity[TL_UNIFORMITY_RULE_COUNT];
} tl_uniform_tag;

typedef struct tl_uniform_param {
    tl_uniform_tag value;
    tl_uniform_tag contents;
    bool returns_value; /* the result is uniform only if it is */
    bool returns_contents;
    tl_uniformity_step becomes; /* what makes its contents non-uniform; cause NONE: nothing */
    uint32_t *feeds; /* bit 2j: its contents at the end depend on parameter j's value, 2j + 1: on its contents */
} tl_uniform_param;

typedef struct tl_uniform_summary {
    tl_uniform_tag site;       /* the control flow of its calls */
    tl_uniformity_step result; /* what makes the result non-uniform; cause NONE: nothing */
    tl_uniform_param *params;
    uint32_t param_count;
} tl_uniform_summary;

/* ---- The walk ---------------------------------------------------------------------------------------------------- */

/* The variable that a reference or pointer leads to. */
typedef struct tl_uniform_root {
    uint32_t declaration; /* VAR or PARAM; 0: not known */
    bool partial;         /* to a part of it */
} tl_uniform_root;

#define TL_UNIFORM_PARTIAL 0x80000000u

/* A variable of the function, or what a pointer parameter points to. */
typedef struct tl_uniform_variable {
    uint32_t value; /* graph node of its value at this point; 0: not declared yet */
    uint32_t mark;  /* last set that it was put in */
} tl_uniform_variable;

typedef struct tl_uniform_requirement {
    uint32_t node;     /* of the graph */
    uint32_t place;    /* CALL or VAR */
    uint32_t required; /* CALL of the built-in */
    tl_uniformity_rule rule;
    tl_uniformity_severity severity;
    bool of_value;
    bool violated;
} tl_uniform_requirement;

/* Where control flows join: a graph node for each variable that may be assigned on the way. */
typedef struct tl_uniform_join {
    uint32_t set;   /* in words: numbers of variables */
    uint32_t nodes; /* in words: for each its node, or 0 before the first flow arrives */
    uint32_t count;
    bool reached;
} tl_uniform_join;

/* What break and continue lead to. */
typedef struct tl_uniform_target {
    struct tl_uniform_target *outer;
    tl_uniform_join *exit;
    tl_uniform_join *next; /* NULL: a switch */
} tl_uniform_target;

typedef struct tl_uniform {
    const telar_wgsl *m;
    telar_arena *arena;
    tl_uniform_scope scope;
    tl_uniform_summary *summaries; /* by index of functions */
    bool full;                     /* of the function at hand */
    uint64_t work;                 /* edges and nodes looked at, of the module */

    /* Of the function at hand. */
    uint32_t function; /* FN node */
    tl_graph graph;
    uint32_t *value; /* by node: of LET its graph node, of VAR and of PARAM of a pointer its number in variables */
    uint32_t *root;  /* by node: of LET of a pointer the declaration that it leads to, over TL_UNIFORM_PARTIAL */
    tl_uniform_variable *variables; /* from 1 */
    uint32_t variables_count, variables_capacity;
    uint32_t marks;
    uint8_t *matrix; /* by global: 1 no subgroup matrix in it, 2 some; 0: not looked at */
    tl_uniform_requirement *requirements;
    uint32_t requirements_count, requirements_capacity;
    tl_uniformity_severity severity[TL_UNIFORMITY_RULE_COUNT]; /* at this place */
    uint32_t optional; /* right operands of && and || around this place: what they do may not happen */
    tl_uniform_target *target;
    tl_words words; /* a stack of what the walk holds */
} tl_uniform;

/* ---- uniformity_walk.c ---- */

/* Walks the body of u->function; the graph has its fixed nodes, the variables are numbered. */
void tl_uniform_walk(tl_uniform *u, uint32_t body);

/* What @diagnostic attributes or directives say of the rules. */
void tl_uniform_filter(tl_uniform *u, uint32_t controls);
void tl_uniform_filter_attributes(tl_uniform *u, uint32_t attributes);

/* ---- uniformity_value.c ---- */

/* The graph node of an expression's value under this control flow. */
uint32_t tl_uniform_value(tl_uniform *u, uint32_t node, uint32_t cf);

/* What the target of a compound assignment holds; its indices are not computed again. */
uint32_t tl_uniform_load(tl_uniform *u, uint32_t target, uint32_t cf);

/* The value of an expression as the condition of what follows. */
uint32_t tl_uniform_condition(tl_uniform *u, uint32_t node, uint32_t cf);

tl_uniform_root tl_uniform_root_of(const tl_uniform *u, uint32_t expression);

/* The variable that a root is; NULL when it is none of the function's. */
tl_uniform_variable *tl_uniform_variable_of(tl_uniform *u, uint32_t declaration);

/* A node that is uniform only if both are. cf: the control flow that both were computed in and so depend on; NONE where
 * one of them is older. */
uint32_t tl_uniform_both(tl_uniform *u, uint32_t a, uint32_t b, uint32_t cf);

/* required 0: place itself. */
void tl_uniform_require(tl_uniform *u, tl_uniformity_rule rule, uint32_t node, uint32_t place, bool of_value);

/* Does a type expression hold a subgroup matrix? */
bool tl_uniform_has_matrix(tl_uniform *u, uint32_t type_expression);

static inline bool tl_uniform_is_source(uint32_t kind)
{
    return kind >= TL_CAUSE_BUILTIN_VALUE;
}

#endif
