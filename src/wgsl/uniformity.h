/* SPDX-License-Identifier: MIT
 *
 * The uniformity analysis of the WGSL specification (section "Uniformity"): where a barrier, a derivative or a subgroup
 * operation stands in control flow that may differ between the invocations that must arrive together, and which value
 * makes it differ. It knows the specification only: no launch, no device.
 *
 * Functions are looked at from callees to callers. Each becomes a graph whose edges mean "is uniform only if"; what
 * callers must keep to is summed up in tags. See uniformity_walk.h. */
#ifndef TL_WGSL_UNIFORMITY_H
#define TL_WGSL_UNIFORMITY_H

#include "wgsl/semantics.h"

/* The specification's triggering rules. */
typedef enum tl_uniformity_rule {
    TL_UNIFORMITY_BARRIER, /* has no name and cannot be filtered */
    TL_UNIFORMITY_DERIVATIVE,
    TL_UNIFORMITY_SUBGROUP,
    TL_UNIFORMITY_MATRIX, /* chromium.subgroup_matrix_uniformity */
    TL_UNIFORMITY_RULE_COUNT
} tl_uniformity_rule;

typedef enum tl_uniformity_severity {
    TL_UNIFORMITY_OFF,
    TL_UNIFORMITY_INFO,
    TL_UNIFORMITY_WARNING,
    TL_UNIFORMITY_ERROR
} tl_uniformity_severity;

/* What a step on the way from a requirement to its cause stands for, and of which syntax. */
typedef enum tl_uniformity_cause {
    TL_CAUSE_NONE,
    TL_CAUSE_CONDITION, /* the expression of an if, loop, switch, && or || */
    TL_CAUSE_READ,      /* IDENT of a local variable or parameter */
    /* The last step is one of these. */
    TL_CAUSE_BUILTIN_VALUE, /* PARAM or MEMBER */
    TL_CAUSE_INPUT,         /* PARAM or MEMBER with @location */
    TL_CAUSE_STORAGE,       /* IDENT of a variable that can be written */
    TL_CAUSE_WORKGROUP,
    TL_CAUSE_PRIVATE,
    TL_CAUSE_POINTER, /* IDENT of a parameter */
    TL_CAUSE_ATOMIC,  /* CALL */
    TL_CAUSE_TEXTURE,
    TL_CAUSE_SUBGROUP,
    TL_CAUSE_DERIVATIVE,
    TL_CAUSE_CALL /* CALL of a function of the module; the cause in it is the next step */
} tl_uniformity_cause;

typedef struct tl_uniformity_step {
    tl_uniformity_cause cause;
    uint32_t node;
} tl_uniformity_step;

#define TL_UNIFORMITY_STEPS 8

typedef struct tl_uniformity_violation {
    uint32_t node;     /* the CALL in this function; of a rule of matrices also a VAR */
    uint32_t required; /* the CALL of the built-in that wants uniformity: node, or one in a function that it calls */
    uint32_t function; /* index in functions */
    tl_uniformity_rule rule;
    tl_uniformity_severity severity;
    bool of_value; /* an argument must be uniform, not the control flow */
    /* From the call to the cause; when there are more than fit, those in the middle are left out. */
    tl_uniformity_step steps[TL_UNIFORMITY_STEPS];
    uint32_t step_count;
    struct tl_uniformity_violation *next;
} tl_uniformity_violation;

typedef struct tl_uniformity {
    tl_uniformity_violation *violations; /* a list: callees before callers, then in the order of the text */
    uint32_t violation_count;
    bool complete; /* false: the arena or the bound on work did not suffice for some function */
} tl_uniformity;

/* Analyses every function. subgroup_scope: subgroup operations need uniformity among the invocations of a subgroup only
 * (the language extension subgroup_uniformity), else of the workgroup. */
void tl_uniformity_analyze(const telar_wgsl *m, bool subgroup_scope, telar_arena *arena, tl_uniformity *result);

#endif
