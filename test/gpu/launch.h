/* SPDX-License-Identifier: MIT
 *
 * The device under test, and one whole launch on it: source, plan, weave, record, run, read. A failure of any step fails
 * the running test with its message. */
#ifndef TEST_GPU_LAUNCH_H
#define TEST_GPU_LAUNCH_H

#include <telar/host.h>
#include <telar/telar.h>

#define GPU_GUARD_WORDS 64u

typedef struct gpu_state {
    telar_webgpu webgpu;
    telar_host *host;
    telar_diag diag;
} gpu_state;
extern gpu_state gpu;

/* Group set-up and tear-down: opens what TELAR_WEBGPU and TELAR_DEVICE name. */
int gpu_open(void **state);
int gpu_close(void **state);

#define GPU_OK(expression) gpu_expect_ok((expression), #expression, __FILE__, __LINE__)
void gpu_expect_ok(telar_status status, const char *expression, const char *file, int line);

typedef struct gpu_launch {
    const char *source;
    telar_plan_desc desc;
    const telar_facts *facts; /* to plan for; NULL: the device's */
    bool uniform_params;      /* no immediates, even where there are */
    bool counted;             /* for a count that the GPU makes */
    const telar_override *overrides;
    uint32_t overrides_count;
    /* filled by gpu_run */
    telar_plan plan;
    telar_woven woven;
    uint32_t *data;
    void *arena;
} gpu_launch;

/* What one binding of the kernel holds: copied in, run, copied out. A guard band follows it, which must not change. */
typedef struct gpu_data {
    void *words;
    uint64_t words_count;
    uint64_t bound_words; /* that the kernel sees; 0: the guard band too */
} gpu_data;

/* Reads, plans and weaves the source: fills plan and woven. */
void gpu_weave(gpu_launch *launch);
/* Weaves the kernel and runs it over data, one for each of its bindings in the order of (group, binding). */
void gpu_run_on(gpu_launch *launch, const gpu_data *data, uint32_t data_count);
/* The same with a kernel already woven. */
void gpu_run_woven(const gpu_launch *launch, const gpu_data *data, uint32_t data_count);

/* Runs the kernel over its one buffer: `words_count` zero words, then a guard band that must not change. */
void gpu_run(gpu_launch *launch, uint64_t words_count);
void gpu_launch_free(gpu_launch *launch);

#endif
