/* SPDX-License-Identifier: MIT
 *
 * telar/plan.h: from a count and facts to a launch, and why.
 *
 * A plan is a plain struct without pointers, made in well under a microsecond, with no device and no memory. It says the
 * workgroup size, the elements of one invocation, the shape of the dispatch and its windows, and what limits the
 * choice. telar_plan_explain writes the reasons in English or Spanish.
 *
 * How a group finds its elements (weave.h prints exactly this)
 *   1-D  A group covers workgroup_size * items consecutive elements; an invocation's items lie a workgroup size apart.
 *        LINEAR  group = workgroup_id.x
 *        FOLD    group = (workgroup_id.z * rows + workgroup_id.y) * row_groups + workgroup_id.x, guarded on the group
 *        STRIDE  a fixed number of groups; each goes on by all of them until the domain ends
 *   2-D and 3-D  A group covers workgroup_size[0] * items by workgroup_size[1] by workgroup_size[2] elements; items lie
 *        workgroup_size[0] apart on x. LINEAR: one axis of the dispatch for each of the domain. FOLD: groups are
 *        numbered x first and the number is folded as in 1-D.
 *
 * Example
 *     telar_facts facts = telar_facts_default();
 *     telar_plan_desc desc = {.count = {3000001}};
 *     telar_plan plan;
 *     telar_diag diag;
 *     if (telar_plan_make(&desc, &facts, &plan, &diag) == TELAR_OK) {
 *         // plan.workgroup_size[0] == 64, plan.groups == 46876, plan.idle_invocations == 63
 *     }
 */
#ifndef TELAR_PLAN_H
#define TELAR_PLAN_H

#include <telar/base.h>
#include <telar/facts.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the kernel does, as far as the criterion cares. */
typedef enum telar_kind {
    TELAR_KIND_ELEMENT = 0, /* each element alone: no workgroup memory */
    TELAR_KIND_REDUCE = 1,  /* a tree in workgroup memory, one partial a group */
    TELAR_KIND_SCAN = 2,
    TELAR_KIND_IMAGE = 3, /* a 2-D neighbourhood, maybe with a halo */
    TELAR_KIND_TILE = 4,  /* the tile in workgroup memory is the workgroup */
} telar_kind;

typedef enum telar_shape {
    TELAR_SHAPE_AUTO = 0, /* only asked for, never in a plan */
    TELAR_SHAPE_EMPTY = 1,
    TELAR_SHAPE_LINEAR = 2,
    TELAR_SHAPE_FOLD = 3,
    TELAR_SHAPE_STRIDE = 4,
} telar_shape;

/* What bounds the plan. The texts are the names in lower case. */
#define TELAR_LIMITED_BY_LIST(X)                                                                                       \
    X(NOTHING, nothing)                                                                                                \
    X(WORKGROUPS_PER_DIMENSION, workgroups_per_dimension)                                                              \
    X(INVOCATIONS_PER_WORKGROUP, invocations_per_workgroup)                                                            \
    X(WORKGROUP_MEMORY, workgroup_memory)                                                                              \
    X(BINDING_SIZE, binding_size)                                                                                      \
    X(INDEX_WIDTH, index_width)                                                                                        \
    X(LAUNCH_RATE, launch_rate)                                                                                        \
    X(LATENCY, latency)                                                                                                \
    X(BANDWIDTH, bandwidth)                                                                                            \
    X(UNITS, units)                                                                                                    \
    X(REGISTERS, registers)

typedef enum telar_limited_by {
#define TELAR_LIMITED_BY_ENUM(NAME, text) TELAR_LIMITED_BY_##NAME,
    TELAR_LIMITED_BY_LIST(TELAR_LIMITED_BY_ENUM)
#undef TELAR_LIMITED_BY_ENUM
} telar_limited_by;

/* Elements above this are refused (2^48). */
#define TELAR_COUNT_MAX (UINT64_C(1) << 48)
/* A window has at most this many elements (2^31), so that a u32 index cannot wrap inside it. */
#define TELAR_WINDOW_ELEMENTS_MAX (UINT64_C(1) << 31)

/* Zero fields ask for the default. What is asked for explicitly is granted or refused (LIMIT_EXCEEDED with both
 * numbers), never adjusted. */
typedef struct telar_plan_desc {
    uint64_t count[3];              /* elements an axis; unused axes 0 or 1. Any 0 in a used axis: an empty plan */
    uint32_t dimensions;            /* 1, 2 or 3; 0: 1 */
    telar_kind kind;
    uint32_t size[3];               /* workgroup size; 0: chosen (size[0] alone: the rest are 1) */
    uint32_t items;                 /* elements an invocation; 0: chosen */
    telar_shape shape;
    uint32_t fold_width;            /* groups a row of a fold; 0: as few rows as there can be, equally long */
    uint32_t groups;                /* of a stride launch; 0: chosen */
    uint32_t bytes_per_element;     /* moved to and from memory; 0: 8 (one f32 read, one written) */
    uint32_t workgroup_memory_bytes;      /* a group's, fixed */
    uint32_t registers_per_invocation;    /* 0: not known */
    uint32_t halo;                  /* image and tile: neighbours on each side that a group reads */
    uint32_t binding_bytes_per_element;   /* largest stride of a windowed binding; 0: no binding bounds a window */
    bool no_windows;                /* the kernel cannot be cut: refuse where windows would be needed */
} telar_plan_desc;

/* One of the lanes widths that a device may have, and how a group of this plan fills it. */
typedef struct telar_lanes {
    uint32_t width;
    uint32_t reserved; /* lanes that the group occupies */
    double efficiency; /* invocations / reserved */
} telar_lanes;
#define TELAR_LANES_MAX 6 /* 4 8 16 32 64 128 */

typedef struct telar_plan {
    telar_kind kind;
    uint32_t dimensions;
    uint64_t count[3]; /* unused axes are 1; an empty plan keeps its zero */
    uint64_t elements; /* their product */
    uint32_t workgroup_size[3];
    uint32_t items;
    telar_shape shape;
    uint64_t groups;                 /* in all windows; of a stride launch: those launched */
    uint32_t dispatch[3];            /* of the first (and largest) window; {0, 1, 1} when empty */
    uint32_t row_groups;             /* fold: groups a row; else dispatch[0] */
    uint64_t window_elements;        /* elements of every window but the last */
    uint64_t window_count;           /* 0 when empty */
    uint64_t launched_invocations;
    uint64_t idle_invocations;       /* launched with no element at all */
    uint64_t idle_groups;            /* launched with none */
    telar_lanes lanes[TELAR_LANES_MAX];
    uint32_t lanes_count;
    uint32_t steps;                  /* barrier steps of a binary tree over the group */
    uint64_t partials;               /* reduce and scan: one a group; else 0 */
    uint32_t resident_groups;        /* a unit's; 0: not known */
    telar_limited_by resident_limited_by;
    uint64_t waves;                  /* rounds of groups over the units; 0: not known */
    uint64_t last_wave_groups;
    uint64_t idle_units;             /* max(0, units - groups); 0 when the units are not known */
    double predicted_us;             /* below 0: the facts do not allow it */
    uint32_t lesson_workgroup_size[3];
    uint64_t lesson_groups;
    telar_limited_by limited_by;
} telar_plan;

/* Plans a launch. facts may not be NULL. Statuses: INVALID_ARGUMENT (desc), LIMIT_EXCEEDED (an explicit wish, or a count
 * that even windows do not cover), OVERFLOWS (the product of a domain). On failure *plan is zeroed. */
TELAR_API telar_status telar_plan_make(const telar_plan_desc *desc, const telar_facts *facts, telar_plan *plan,
                                       telar_diag *diag);

/* One window of a plan: the part of a 1-D domain that one dispatch covers. 2-D and 3-D plans have one window. */
typedef struct telar_window {
    uint64_t first;
    uint64_t count;
    uint32_t groups;      /* that have work */
    uint32_t row_groups;  /* groups a row: dispatch[0] */
    uint32_t dispatch[3];
} telar_window;

/* The window `index` < plan->window_count. */
TELAR_API telar_window telar_plan_window(const telar_plan *plan, uint64_t index);

/* The fold of law 3 by itself: the fewest rows, equally long. groups > 0; false when limit^3 does not suffice. */
TELAR_API bool telar_fold(uint64_t groups, uint32_t limit, uint32_t dispatch[3]);

typedef enum telar_language { TELAR_ENGLISH = 0, TELAR_SPANISH = 1 } telar_language;

TELAR_API const char *telar_kind_text(telar_kind kind);                   /* "element" */
TELAR_API const char *telar_shape_text(telar_shape shape);                /* "fold" */
TELAR_API const char *telar_limited_by_text(telar_limited_by limited_by); /* "launch_rate" */

/* One reason, a sentence without line break, into out. False (and nothing written) when index is past the last. */
TELAR_API bool telar_plan_reason(const telar_plan *plan, const telar_facts *facts, telar_language language,
                                 size_t index, telar_out *out);
/* "Limited by ...; next step ..." */
TELAR_API void telar_plan_next_step(const telar_plan *plan, const telar_facts *facts, telar_language language,
                                    telar_out *out);
/* The whole explanation for people, several lines. */
TELAR_API void telar_plan_explain(const telar_plan *plan, const telar_facts *facts, telar_language language,
                                  telar_out *out);

#ifdef __cplusplus
}
#endif

#endif
