/* SPDX-License-Identifier: MIT
 *
 * What the larger examples share: a device, kernels woven from a file of element functions, and recordings whose launches
 * find their buffers by the names of the WGSL variables. Every failure here ends the program with the library's own
 * words: 1 for wrong results, 2 for bad arguments or input, 3 for a device that is missing or refuses. */
#ifndef EXAMPLES_SHARED_EXAMPLE_H
#define EXAMPLES_SHARED_EXAMPLE_H

#include <telar/host.h>
#include <telar/telar.h>

typedef struct example {
    telar_webgpu webgpu;
    telar_host *host;
    telar_arena arena;       /* woven kernels */
    telar_override override; /* of all kernels; name NULL: none */
} example;

/* Stands before every message. */
void example_name(const char *name);
void example_open(example *e);
void example_close(example *e);

/* Ends the program unless the status is OK. */
void example_check(telar_status status, const telar_diag *diag);
/* Prints and ends the program with this exit status. */
_Noreturn void example_fail(int exit_status, const char *format, ...) __attribute__((format(printf, 2, 3)));
void *example_alloc(size_t count, size_t size); /* zeroed, never NULL; free() it */

/* The value after argv[*k], which must be a number in [least, most]; moves *k on to it. */
uint32_t example_number(char **argv, int *k, uint32_t least, uint32_t most);
/* The text after argv[*k]; moves *k on to it. */
const char *example_text(char **argv, int *k);

WGPUBuffer example_buffer(example *e, uint64_t size_bytes);
void example_write(example *e, WGPUBuffer buffer, const void *data, uint64_t size_bytes);
void example_read(example *e, WGPUBuffer buffer, void *data, uint64_t size_bytes);

/* ---- A stage: one element function under one plan ---------------------------------------------------------------- */

typedef enum stage_counts {
    STAGE_HOST_COUNT = 0, /* the plan's count is the count */
    STAGE_GPU_COUNT = 1,  /* the plan's count is the capacity */
} stage_counts;

typedef struct kernel_stage {
    telar_plan plan;
    telar_kernel_desc kernel;
} kernel_stage;

kernel_stage example_stage(example *e, const char *wgsl, const char *element, telar_plan_desc desc,
                           stage_counts counts);

/* ---- A draft: a recording that is being built -------------------------------------------------------------------- */

enum {
    DRAFT_NAMES_MAX = 24,
    DRAFT_STAGES_MAX = 16
};

typedef struct draft {
    example *e;
    telar_record record;
    telar_bound_buffer bound[DRAFT_NAMES_MAX];
    uint32_t bound_count;
    struct {
        const char *name;
        telar_bind bind;
    } names[DRAFT_NAMES_MAX];
    uint32_t names_count;
    struct {
        const kernel_stage *stage;
        telar_kernel kernel;
    } stages[DRAFT_STAGES_MAX];
    uint32_t stages_count;
} draft;

void draft_begin(draft *d, example *e);
/* A buffer of the program's, under the name that the kernels' variable has. */
telar_buffer draft_buffer(draft *d, const char *name, WGPUBuffer handle, uint64_t size_bytes);
/* From now on `name` is this range. */
void draft_name(draft *d, const char *name, telar_bind bind);
/* Launches a stage; count NULL: as many elements as its plan says. */
void draft_launch(draft *d, const kernel_stage *stage, const telar_count *count);
/* Launches a stage as one of the counts of telar_record_counts says. */
void draft_launch_prepared(draft *d, const kernel_stage *stage, const telar_counted *counted);
/* The same over fewer elements than the stage's plan, known here: in the plan's shape and sizes. */
void draft_launch_some(draft *d, const kernel_stage *stage, uint32_t elements);
/* Ends the recording and prepares it; dump not NULL: its text is put there, to be freed. */
telar_prepared *draft_prepare(draft *d, char **dump);

#endif
