/* SPDX-License-Identifier: MIT
 *
 * One primitive on the device under test: arrays between guard bands, a recording, a run, the results.
 *
 *     prim_test test = prim_begin(path);
 *     telar_array in = prim_array(&test, "in", data, 4 * n, offset), out = prim_array(&test, "out", NULL, 4, 0);
 *     telar_record_reduce(&test.record, &test.prim, &(telar_reduce_desc){.length = prim_length(&test, n, form), ...});
 *     prim_run(&test);
 *     prim_read(&test, out, &sum);
 *     prim_end(&test);
 *
 * A failure of any step fails the running test with its message. */
#ifndef TEST_GPU_PRIM_H
#define TEST_GPU_PRIM_H

#include "launch.h"

enum {
    PRIM_ARRAYS_MAX = 16,
    PRIM_GUARD_BYTES = 256
};

typedef struct prim_test {
    telar_record record;
    telar_prim prim;
    telar_facts facts; /* prim's: a copy of the device's, to be changed by the test */
    telar_arena arena;
    telar_prepared *prepared;
    telar_bound_buffer bound[PRIM_ARRAYS_MAX];
    telar_array arrays[PRIM_ARRAYS_MAX];
    uint64_t array_bytes[PRIM_ARRAYS_MAX];
    uint32_t arrays_count;
    telar_status expected; /* of the end of recording; a test of a refusal sets it, and calls prim_refused */
} prim_test;

/* Where the length stands. */
typedef enum prim_form {
    PRIM_HOST,    /* on the host */
    PRIM_COUNTED, /* on the GPU, equal to the capacity */
    PRIM_PARTLY,  /* on the GPU, in a capacity of a third more (prim_capacity) */
    PRIM_FORMS
} prim_form;

/* Devices of the tests are CPUs, on which primitives use no subgroups, and have ways without barriers: taken for a GPU they
 * do not. */
typedef enum prim_path {
    PRIM_AS_IS,
    PRIM_AS_GPU,       /* with subgroups of 4 or 8 lanes */
    PRIM_AS_PLAIN_GPU, /* without */
    PRIM_PATHS
} prim_path;

prim_test prim_begin(prim_path path);
void prim_end(prim_test *test);

/* A buffer with `size_bytes` of data (NULL: a pattern) from offset_bytes on, and guard bands around them. */
telar_array prim_array(prim_test *test, const char *name, const void *data, uint64_t size_bytes, uint64_t offset_bytes);
/* The same with room to the end of 16 bytes, as fast paths want it. */
telar_array prim_roomy_array(prim_test *test, const char *name, const void *data, uint64_t size_bytes,
                             uint64_t offset_bytes);
uint64_t prim_capacity(uint64_t n, prim_form form);
telar_length prim_length(prim_test *test, uint64_t n, prim_form form);

/* Ends the recording, saves and opens it again, runs it as trusted, checks the guard bands. Again: only runs. */
void prim_run(prim_test *test);
/* The same with scratch full of this word before, but for what is kept from run to run. */
void prim_run_dirty(prim_test *test, uint32_t word);
/* The array's data, size_bytes of them. */
void prim_read(prim_test *test, telar_array array, void *data);
/* The recording must end with this status; its message is in gpu.diag. */
void prim_refused(prim_test *test, telar_status status);

/* Numbers that look random, the same for the same seed. */
void prim_random(uint32_t *words, uint64_t count, uint32_t seed);

#endif
