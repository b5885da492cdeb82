/* SPDX-License-Identifier: MIT
 *
 * What the primitives share. One call of a primitive is a tl_job. It makes kernels (tl_text) out of the files in
 * kernels/ behind a prelude, and launches them over the elements by tilings:
 *
 *     tl_job job = tl_job_begin(record, prim, "reduce", desc->length);
 *     tl_type_facts type = tl_job_type(&job, desc->type);
 *     tl_view in = tl_job_view(&job, "in", &type, desc->in, desc->length.count);
 *     uint32_t tiles = tl_job_tiling(&job, (tl_tiling){.elements = 4096, .groups_max = 1024});
 *     tl_job_prepare(&job);                                  the one dispatch that a count on the GPU needs
 *     tl_text text = tl_text_begin(&job, tiles, "reduce_tiles");
 *     tl_text_u32(&text, "WORKGROUP_SIZE", 256);               constants, types, operators: the prelude
 *     tl_text_add(&text, tl_wgsl_reduce_tiles);                files of kernels/
 *     tl_kernel kernel = tl_text_end(&text);
 *     tl_job_launch(&job, &kernel, (tl_stage_bind[]){in.bind, ...}, 2);
 *     tl_job_end(&job);
 *
 * All is sticky, as recording is: after a failure nothing more is recorded, and every function may still be called. */
#ifndef TL_PRIM_PRIM_H
#define TL_PRIM_PRIM_H

#include <telar/prim.h>

#include "base/base.h"
#include "kernels.h"
#include "prim/waiting.h"

enum {
    TL_TILINGS_MAX = 8,
    TL_STAGE_BINDS_MAX = 16,
    TL_TYPE_PARTS_MAX = 32,
};

/* How the workgroups of a stage cover the elements. */
typedef struct tl_tiling {
    uint64_t elements;   /* of a workgroup's tile; 0: one workgroup alone, which also runs for no elements */
    uint32_t groups_max; /* workgroups that stride over the tiles; 0: one a tile */
} tl_tiling;

typedef struct tl_job {
    telar_record *record;
    const telar_prim *prim;
    const char *name; /* of the primitive, for messages */
    telar_length length;
    bool counted;             /* the length is on the GPU */
    uint32_t lanes;           /* of a subgroup, known for sure; 1: no subgroup operations */
    uint64_t window_elements; /* that the bindings of all views hold */
    tl_tiling tilings[TL_TILINGS_MAX];
    telar_counted prepared[TL_TILINGS_MAX]; /* of a counted call */
    uint32_t tilings_count;
    size_t arena_used; /* at the begin */
} tl_job;

/* ---- job.c: one call of a primitive ----------------------------------------------------------------------------- */

tl_job tl_job_begin(telar_record *record, const telar_prim *prim, const char *name, telar_length length);
void tl_job_end(tl_job *job);
bool tl_job_failed(const tl_job *job);
/* Keeps a failure; its text begins with the primitive's name. */
void tl_job_fail(tl_job *job, telar_status status, const char *format, ...) TL_PRINTF(3, 4);
void tl_job_fail_limit(tl_job *job, telar_status status, uint64_t got, uint64_t limit, const char *format, ...)
    TL_PRINTF(5, 6);

/* Scratch of this recording: an array, of one element at least. */
telar_buffer tl_job_scratch(tl_job *job, const char *name, uint64_t count, uint64_t stride_bytes);
/* Scratch that keeps its content from run to run and is zero at first. */
telar_buffer tl_job_kept(tl_job *job, const char *name, uint64_t count, uint64_t stride_bytes);

/* ---- traits.c: what may be presumed of the device ---------------------------------------------------------------- */

/* The size of a subgroup, where all have the same; else 1. */
uint32_t tl_device_lanes(const telar_prim *prim);
/* A workgroup that waits for an earlier one, which has begun, is sure to see it go on. */
bool tl_device_has_progress(const telar_facts *facts);
bool tl_device_is_cpu(const telar_facts *facts);
/* Its compute units; `otherwise` where they are not known. */
uint32_t tl_device_units(const telar_facts *facts, uint32_t otherwise);
/* The largest power of two, at most `wanted`, that the limits allow as the x of a workgroup size. */
uint32_t tl_device_workgroup_size(const telar_facts *facts, uint32_t wanted);
/* As many workgroups that stride, one at least, but no more than one dimension of a dispatch may have: they need no fold, which may
 * have more of them than were meant. */
uint32_t tl_device_groups(const telar_facts *facts, uint64_t wanted);
enum {
    /* Of an invocation on a CPU adapter, in all its loops: lavapipe ends them after 65535, in silence. */
    TL_CPU_TURNS_MAX = 1 << 15
};
/* The largest power of two that is no more than `limit`; 1 of 0. */
uint32_t tl_power_up_to(uint64_t limit);

/* ---- stage.c: tilings, windows, counts on the GPU, dispatches ----------------------------------------------------- */

/* Declares a tiling and gives its number. Equal ones share it. */
uint32_t tl_job_tiling(tl_job *job, tl_tiling tiling);
/* After all views and tilings, before the first launch. */
void tl_job_prepare(tl_job *job);
/* Dispatches of a stage: more than 1 where the data exceed a binding. Primitives that cannot be cut refuse that. */
uint64_t tl_job_windows(const tl_job *job);
/* Of every window but the last. */
uint64_t tl_job_window_elements(const tl_job *job);
/* Workgroups of a tiling at full length, of all windows. */
uint64_t tl_job_groups(const tl_job *job, uint32_t tiling_number);

typedef struct tl_kernel {
    telar_kernel handle;
    telar_kernel_desc desc;
    uint32_t tiling;
    bool launch_bound; /* the launch block is an ordinary binding, the last */
} tl_kernel;

/* A binding of a stage: cut along windows where element_bytes is not 0. */
typedef struct tl_stage_bind {
    telar_bind bind;
    uint32_t element_bytes;
    uint32_t lead_bytes;    /* before the array's first element */
    uint32_t back_elements; /* before a window, but the first one, that are bound with it */
} tl_stage_bind;

/* The kernel over its tiling: one dispatch a window. Binds in the order of the kernel's bindings. In the kernel,
 *     telar_launch.count.x   elements of this window          telar_launch.groups   tiles of this window
 *     telar_launch.stride    workgroups of this dispatch      tl_text's group_base()  workgroups of earlier windows */
void tl_job_launch(tl_job *job, const tl_kernel *kernel, const tl_stage_bind *binds, uint32_t binds_count);

static inline tl_stage_bind tl_bind_whole(telar_buffer buffer)
{
    return (tl_stage_bind){.bind = {.buffer = buffer}};
}

/* ---- type.c: element types, and arrays of them -------------------------------------------------------------------- */

typedef struct tl_type_facts {
    telar_type type; /* name is never NULL */
    uint32_t stride; /* bytes from element to element */
    uint32_t row;    /* elements of a row, 4, 2 or 1: at most 16 bytes */
    bool scalar;     /* u32, i32, f32 or f16: then 4 elements can be bound as one vector */
    /* Of a number, or of a vector of numbers; else NULL, 0 and false. */
    const char *number; /* "f32" */
    uint32_t components;
    bool is_float;
    bool is_signed;
} tl_type_facts;

/* A number or vector that a type is made of: a whole one, a member, a column of a matrix. */
typedef struct tl_type_part {
    char path[48];      /* ".position[1]"; "" for the type itself */
    const char *number; /* "f32" */
    uint32_t components;
} tl_type_part;

tl_type_facts tl_job_type(tl_job *job, telar_type type);
/* Their count; refuses types of more than TL_TYPE_PARTS_MAX. */
uint32_t tl_type_parts(tl_job *job, telar_type type, tl_type_part parts[TL_TYPE_PARTS_MAX]);

/* How an array is bound. */
typedef struct tl_view {
    tl_stage_bind bind;
    tl_type_facts type;
    uint32_t first; /* the array's first element, counted from the bind's offset */
    bool rows;      /* bound as vectors of 4 */
} tl_view;

/* An array of `elements` of the length's (they decide the windows). */
tl_view tl_job_view(tl_job *job, const char *name, const tl_type_facts *type, telar_array array, uint64_t elements);
/* An array of another number of elements, bound as a whole. */
tl_view tl_job_view_whole(tl_job *job, const char *name, const tl_type_facts *type, telar_array array,
                          uint64_t elements);
/* What is written must not stand where something is read, even where no single dispatch would do both. */
void tl_job_keep_apart(tl_job *job, const char *written_name, const tl_view *written, const char *read_name,
                       const tl_view *read);

/* ---- text.c: kernels out of a prelude and files ------------------------------------------------------------------- */

typedef struct tl_text {
    tl_job *job;
    const char *name;
    uint32_t tiling;
    telar_out out;
    bool own;      /* holds WGSL of the caller's: its bounds are checked */
    bool woven;    /* its entry point is unrolled as far as it should be */
    const char *t; /* the type that T stands for; NULL: none yet */
} tl_text;

/* `name` is the entry point's. Prints the launch block, LANES, and
 *     fn group_number(id: vec3u) -> u32     of a workgroup among all of this dispatch
 *     fn group_base() -> u32                workgroups of the windows before */
tl_text tl_text_begin(tl_job *job, uint32_t tiling, const char *name);
/* With directives besides "enable". */
tl_text tl_text_begin_directed(tl_job *job, uint32_t tiling, const char *name, const char *directives);
void tl_text_add(tl_text *text, const char *wgsl);
void tl_text_add_own(tl_text *text, const char *wgsl);
typedef struct tl_rename {
    const char *from;
    const char *to;
} tl_rename;
/* Other names for what has been printed since the text was `from` long. */
void tl_text_rename(tl_text *text, size_t from, const tl_rename *renames, size_t renames_count);
void tl_text_format(tl_text *text, const char *format, ...) TL_PRINTF(2, 3);
void tl_text_u32(tl_text *text, const char *constant, uint32_t value);
/* alias T, const ROW, and the type's own declarations. */
void tl_text_type(tl_text *text, const tl_type_facts *type);
/* alias A for what is accumulated, fn identity() -> A, fn combine(a: A, b: A) -> A, and over a subgroup
 *     fn lanes_inclusive(x: A, lane: u32) -> A   of this lane and those before it
 *     fn lanes_total(x: A) -> A                  of all lanes
 *     fn lanes_from(x: A, lane: u32) -> A        another lane's
 *     fn lanes_before(inclusive: A, x: A, lane: u32) -> A   of those before it, from what lanes_inclusive(x) gave */
void tl_text_operator(tl_text *text, const tl_type_facts *type, telar_operator op);
/* const SUBGROUPS, of a workgroup, and after the operator
 *     struct Offsets { before: A, total: A }
 *     fn workgroup_offsets(total: A, local: u32, lane: u32) -> Offsets
 * of the subgroups before this one and of all, whose totals are given (without subgroups: of the invocations). It has
 * barriers; between two calls there must be one more. */
void tl_text_offsets(tl_text *text, uint32_t subgroups);
/* fn FUNCTION(condition: bool, yes: TYPE, no: TYPE) -> TYPE, TYPE standing for the type of these facts. */
void tl_text_choice(tl_text *text, const char *function, const char *type, const tl_type_facts *facts);
/* An array at group 0, after tl_text_type: fn NAME_item(i: u32) -> T, fn NAME_row(i: u32) -> array<T, ROW> (a whole row
 * that the array has), and when written fn NAME_put(i: u32, value: T), fn NAME_put_row(i: u32, row: array<T, ROW>). T is
 * the view's own type here, and ROW its own row. */
void tl_text_view(tl_text *text, const char *name, uint32_t binding, const tl_view *view, bool written);
/* Reads, unrolls, describes and records the kernel. */
tl_kernel tl_text_end(tl_text *text);

/* ---- stage.c: a kernel in the making ------------------------------------------------------------------------------- */

/* Its text and its bindings, numbered as they are added. */
typedef struct tl_prim_stage {
    tl_text text;
    tl_stage_bind binds[TL_STAGE_BINDS_MAX];
    uint32_t binds_count;
} tl_prim_stage;

void tl_stage_view(tl_prim_stage *stage, const char *name, const tl_view *view, bool written);
/* `declaration` is what follows `var<storage, `: "read> counts: array<u32>". */
void tl_stage_declare(tl_prim_stage *stage, telar_buffer buffer, const char *declaration);
/* A file declares it; the constant tells it the number of the binding. */
void tl_stage_number(tl_prim_stage *stage, const char *constant, telar_buffer buffer);
void tl_stage_number_part(tl_prim_stage *stage, const char *constant, telar_bind part);
/* Ends the text, records the kernel and launches it. */
void tl_stage_launch(tl_prim_stage *stage);

/* ---- waiting.c: workgroups that wait for others ------------------------------------------------------------------------ */

/* const POLLS, fn posts(tile: u32) -> bool. */
void tl_text_waiting(tl_text *text, tl_waiting waiting);
/* These and kernels/look_back_entries.wgsl, with room for so many entries. */
void tl_stage_entries(tl_prim_stage *stage, uint64_t entries, tl_waiting waiting);
/* What kernels/scan_look_back.wgsl needs of both, for a dispatch of so many tiles, and the masks of lanes. */
enum {
    /* Of 2^18 TICKETS in look_back_entries.wgsl: a folded dispatch may have more workgroups than there are tiles. */
    TL_LOOK_BACK_TILES_MAX = 1 << 17,
};
void tl_stage_look_back(tl_prim_stage *stage, uint64_t tiles, tl_waiting waiting);

/* ---- operator.c --------------------------------------------------------------------------------------------------- */

/* A named operator as WGSL of a and b, and its identity; NULL: there is none, or the type has none. */
const char *tl_operator_combine(telar_op op);
const char *tl_operator_identity(const tl_type_facts *type, telar_op op);
/* Prints what tl_text_operator says. */
void tl_operator_print(tl_text *text, const tl_type_facts *type, telar_operator op);
/* What a subgroup does with it, where A is of this type. */
void tl_lanes_print(tl_text *text, const tl_type_facts *type, telar_op op);

#endif
