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
    /* filled by gpu_run */
    telar_plan plan;
    telar_woven woven;
    uint32_t *data;
    void *arena;
} gpu_launch;

/* Runs the kernel over its one buffer: `words_count` zero words, then a guard band that must not change. */
void gpu_run(gpu_launch *launch, uint64_t words_count);
void gpu_launch_free(gpu_launch *launch);

#endif
