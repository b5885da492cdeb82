/* SPDX-License-Identifier: MIT
 *
 * What the tests of the host share: the library and device named by TELAR_WEBGPU and TELAR_DEVICE, an allocator that
 * counts, and recordings of one hand-written kernel. */
#ifndef HOST_HELP_H
#define HOST_HELP_H

#include <telar/host.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SKIPPED 77

/* Fails with the diagnostic's text. */
#define must(expression) must_at((expression), #expression, __FILE__, __LINE__)
void must_at(telar_status status, const char *what, const char *file, int line);
#define must_fail(status, expression) must_fail_at((status), (expression), #expression, __FILE__, __LINE__)
void must_fail_at(telar_status wanted, telar_status got, const char *what, const char *file, int line);

/* All calls of a test report here. */
extern telar_diag diag;

/* The table of TELAR_WEBGPU; ends the program as skipped when there is no library. Loaded once. */
const telar_webgpu *the_webgpu(void);
/* The table of TELAR_TEST_DAWN or TELAR_TEST_WGPU, whatever TELAR_WEBGPU is not; NULL: none. */
const telar_webgpu *the_other_webgpu(void);
/* A new host on TELAR_DEVICE. */
telar_host *open_host(void);
telar_host *open_host_with(telar_alloc alloc);

/* Memory that is counted. */
typedef struct counted {
    size_t bytes;
    size_t blocks;
} counted;
telar_alloc count_alloc(counted *counts);

#define RECORD_WORDS 65536

/* A recording under construction with room for all that tests record. */
typedef struct tape_deck {
    uint32_t *words;
    telar_record record;
} tape_deck;
tape_deck tape_begin(void);
/* The recording, verified in form; free it with tape_free. */
telar_recording tape_end(tape_deck *tape);
void tape_free(tape_deck *tape);

/* A kernel with up to 8 storage bindings in group 0, named a, b, c, ...; 'r' and 'w' in modes. Entry "main". */
telar_kernel tape_kernel(tape_deck *tape, const char *wgsl, const char *modes, uint32_t workgroup_size);
telar_buffer tape_buffer(tape_deck *tape, uint64_t size_bytes, uint32_t use);
void tape_dispatch(tape_deck *tape, telar_kernel kernel, uint32_t groups, const telar_buffer *buffers, uint32_t count);

/* a[i] = a[i] + b[i], guarded by the length of a. */
extern const char add_wgsl[];

#endif
