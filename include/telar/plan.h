/* SPDX-License-Identifier: MIT
 *
 * telar/plan.h: from a count and facts to a launch, and why.
 *
 * A plan is a plain struct without pointers, made in well under a microsecond, with no device and no memory. It says
 * the workgroup size, the elements of one invocation, the shape of the dispatch and its windows, and what limits the
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
    X(REGISTERS, registers)                                                                                            \
    X(RESIDENT_INVOCATIONS, resident_invocations)                                                                      \
    X(RESIDENT_GROUPS, resident_groups)

/* The last two are only in resident_limited_by. */
typedef enum telar_limited_by {
#define TELAR_LIMITED_BY_ENUM(NAME, text) TELAR_LIMITED_BY_##NAME,
    TELAR_LIMITED_BY_LIST(TELAR_LIMITED_BY_ENUM)
#undef TELAR_LIMITED_BY_ENUM
} telar_limited_by;

/* Elements above this are refused (2^48). */
#define TELAR_COUNT_MAX (UINT64_C(1) << 48)
/* A window has at most this many elements (2^31), so that a u32 index cannot wrap inside it. */
#define TELAR_WINDOW_ELEMENTS_MAX (UINT64_C(1) << 31)
/* Items of one invocation are unrolled; more than this is refused. */
#define TELAR_ITEMS_MAX 64
/* Rounds of a stride loop: lavapipe stops the loops of an invocation after 65535, in silence. */
#define TELAR_STRIDE_ROUNDS_MAX 60000

/* Zero fields ask for the default. What is asked for explicitly is granted or refused (LIMIT_EXCEEDED with both
 * numbers), never adjusted. */
typedef struct telar_plan_desc {
    uint64_t count[3];   /* elements an axis; unused axes 0 or 1. Any 0 in a used axis: an empty plan */
    uint32_t dimensions; /* 1, 2 or 3; 0: 1 */
    telar_kind kind;
    uint32_t size[3]; /* workgroup size; 0: chosen (size[0] alone: the rest are 1) */
    uint32_t items;   /* elements an invocation; 0: chosen */
    telar_shape shape;
    uint32_t fold_width;                /* groups a row of a fold, and asks for one; 0: the fewest rows, equally long */
    uint32_t groups;                    /* of a stride launch, and asks for one; 0: chosen */
    uint32_t bytes_per_element;         /* moved to and from memory; 0: 8 (one f32 read, one written) */
    uint32_t flops_per_element;         /* additions and multiplications; 0: they do not matter */
    uint32_t workgroup_memory_bytes;    /* a group's, fixed */
    uint32_t registers_per_invocation;  /* 0: not known */
    uint32_t halo;                      /* image and tile: neighbours on each side that a group reads */
    uint32_t binding_bytes_per_element; /* largest stride of a windowed binding; 0: no binding bounds a window */
    bool no_windows;                    /* the kernel cannot be cut: refuse where windows would be needed */
} telar_plan_desc;

/* One of the lanes widths that a device may have, and how a group of this plan fills it. */
typedef struct telar_lanes {
    uint32_t width;
    uint32_t reserved; /* lanes that the group occupies */
    double efficiency; /* invocations / reserved */
} telar_lanes;
#define TELAR_LANES_MAX 6 /* 4 8 16 32 64 128 */

typedef struct telar_plan {
    telar_plan_desc asked; /* as given; shape as fold_width or groups imply it */
    telar_kind kind;
    uint32_t dimensions;
    uint64_t count[3]; /* unused axes are 1; an empty plan keeps its zero */
    uint64_t elements; /* their product */
    uint32_t workgroup_size[3];
    uint32_t items;
    telar_shape shape;
    uint64_t groups;          /* that have work, in all windows; of a stride launch: those launched */
    uint32_t dispatch[3];     /* of the first (and largest) window; {0, 1, 1} when empty */
    uint32_t row_groups;      /* fold: groups a row; else dispatch[0] */
    uint32_t groups_limit;    /* of one axis of a dispatch: the device's */
    uint64_t window_elements; /* elements of every window but the last */
    uint64_t window_count;    /* 0 when empty */
    uint64_t launched_invocations;
    uint64_t idle_invocations; /* launched with no element at all */
    uint64_t idle_groups;      /* launched with none */
    telar_lanes lanes[TELAR_LANES_MAX];
    uint32_t lanes_count;
    uint32_t steps;           /* barrier steps of a binary tree over the group */
    uint64_t partials;        /* reduce and scan: one a group; else 0 */
    uint32_t resident_groups; /* a unit's; 0: not known */
    telar_limited_by resident_limited_by;
    uint64_t waves; /* rounds of groups over the units; 0: not known */
    uint64_t last_wave_groups;
    uint64_t idle_units; /* max(0, units - groups); 0 when the units are not known */
    double predicted_us; /* below 0: the facts do not allow it */
    uint32_t lesson_workgroup_size[3];
    uint64_t lesson_groups;
    telar_limited_by limited_by;
} telar_plan;

/* Elements that one group covers (each round, in a stride launch). */
static inline uint64_t telar_plan_group_elements(const telar_plan *plan)
{
    return (uint64_t)plan->workgroup_size[0] * plan->workgroup_size[1] * plan->workgroup_size[2] * plan->items;
}

/* Plans a launch. facts may not be NULL. Statuses: INVALID_ARGUMENT (desc), LIMIT_EXCEEDED (an explicit wish, or a
 * count that even windows do not cover), OVERFLOWS (the product of a domain). On failure *plan is zeroed. */
TELAR_API telar_status telar_plan_make(const telar_plan_desc *desc, const telar_facts *facts, telar_plan *plan,
                                       telar_diag *diag);

/* One window of a plan: the part of a 1-D domain that one dispatch covers. 2-D and 3-D plans have one window. */
typedef struct telar_window {
    uint64_t first;
    uint64_t count;
    uint32_t groups;     /* that have work; at most 2^32 - 1, which only a linear 3-D launch can pass */
    uint32_t row_groups; /* groups a row: dispatch[0] */
    uint32_t dispatch[3];
} telar_window;

/* The window `index` < plan->window_count. A stride launch has the same dispatch in each. */
TELAR_API telar_window telar_plan_window(const telar_plan *plan, uint64_t index);

/* The fold of law 3 by itself: the fewest rows, equally long. groups > 0; false when limit^3 does not suffice. */
TELAR_API bool telar_fold(uint64_t groups, uint32_t limit, uint32_t dispatch[3]);

/* How a group of `invocations` fills lanes of this width (> 0). 40 on 32: 64 reserved, efficiency 0.625. */
TELAR_API telar_lanes telar_lanes_fill(uint32_t invocations, uint32_t width);

/* ---- A count that the GPU made ----------------------------------------------------------------------------------- */

/* What the prepare kernel writes for a dispatch under `plan` (1-D, not windowed) when a count of `requested` elements
 * stands in a GPU buffer whose data hold `capacity` elements. Count, capacity and what a folded dispatch can reach are
 * all kept; {0, 1, 1} for a count of 0. The kernel is one of shape FOLD (which serves a row too) or STRIDE, guarded on
 * `launched` elements and `groups` groups; asked.shape LINEAR keeps to one row. */
typedef struct telar_indirect {
    uint32_t dispatch[3];
    uint32_t row_groups; /* dispatch[0], which the kernel needs to number its groups */
    uint32_t groups;     /* that have work */
    uint32_t requested;  /* elements */
    uint32_t launched;   /* elements */
    bool saturated;      /* launched < requested */
} telar_indirect;
TELAR_API telar_indirect telar_plan_indirect(const telar_plan *plan, uint32_t requested, uint64_t capacity);

/* ---- Sizes that a plan needs beside it --------------------------------------------------------------------------- */

/* A view into a buffer must be bound at a multiple of `alignment` (minStorageBufferOffsetAlignment), and the kernel
 * starts some whole blocks later: the nearest such offset below `view_offset`. INVALID_ARGUMENT when there is none. */
typedef struct telar_view {
    uint64_t bind_offset; /* bytes */
    uint64_t first_block; /* the view's first block, counted from bind_offset */
} telar_view;
TELAR_API telar_status telar_view_bind(uint64_t view_offset, uint32_t block_bytes, uint32_t alignment, telar_view *view,
                                       telar_diag *diag);

/* The copy in whole words of 4 bytes that covers `size` bytes at `offset`: reading 3 at 5 copies 4 from 4 and takes
 * bytes 1 to 3. A write keeps the `skip` bytes before and the `rest` bytes after. OVERFLOWS near 2^64. */
typedef struct telar_cover {
    uint64_t offset; /* bytes, a multiple of 4 */
    uint64_t size;   /* bytes, a multiple of 4; 0 for no bytes */
    uint32_t skip;   /* bytes before the first one wanted, 0 to 3 */
    uint32_t rest;   /* bytes after the last one wanted, 0 to 3 */
} telar_cover;
TELAR_API telar_status telar_copy_cover(uint64_t offset, uint64_t size, telar_cover *cover, telar_diag *diag);

/* Into how many equal dispatches `elements` must be cut so that none takes longer than `slice_us` (a watchdog ends a
 * dispatch of some seconds). At least 1 where there is work, at most one element each. */
TELAR_API uint64_t telar_slices(uint64_t elements, double ns_per_element, double slice_us);

/* How many passes over the data `entries` counters of `entry_bytes` take when each pass keeps its share in workgroup
 * memory: 1 when all fit, 0 when not even one does. */
TELAR_API uint64_t telar_workgroup_passes(const telar_facts *facts, uint64_t entries, uint32_t entry_bytes);

/* The largest tile of a matrix product whose two operands (m x k and k x n) fit in workgroup memory. The last one
 * needs 512 bytes for f32, so every device has one; all zero only where a device has less. */
typedef struct telar_tile {
    uint32_t m, n, k;
    uint32_t bytes; /* of workgroup memory */
} telar_tile;
TELAR_API telar_tile telar_tile_fit(const telar_facts *facts, uint32_t element_bytes);

/* The most subgroups that a group of this size can have: an array with one row a subgroup needs as many rows, whatever
 * width the compiler takes. 4 lanes, WebGPU's least, where the minimum is not known. */
TELAR_API uint32_t telar_subgroups_max(const telar_facts *facts, uint32_t invocations);

/* ---- Words ------------------------------------------------------------------------------------------------------- */

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
