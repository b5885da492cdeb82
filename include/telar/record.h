/* SPDX-License-Identifier: MIT
 *
 * telar/record.h: the recording, the unit of work between the core and a host.
 *
 * A recording is one flat, position-free array of little-endian 32-bit words: buffers as numbered proxies (size, use,
 * name), kernels as WGSL text with their bindings, and commands: dispatch, copy, clear, upload, download, mark. It can
 * be copied, hashed, saved, verified, dumped as text and replayed by any host. Nothing in it points outside.
 *
 * Building is sticky: pushes return handles or nothing, the first failure is kept, telar_record_end reports it.
 * A recording that came from elsewhere (a file) must pass telar_recording_open, which checks every word, and
 * telar_recording_verify, which checks it against a device's limits; hosts do both before they touch a device.
 *
 * Example
 *     uint32_t words[4096];
 *     telar_record record = telar_record_begin(words, 4096);
 *     telar_buffer data = telar_record_buffer(&record, &(telar_buffer_desc){.name = "d", .size_bytes = 4 * n,
 *                                             .use = TELAR_USE_STORAGE | TELAR_USE_BOUND});
 *     telar_kernel scale = telar_record_kernel(&record, &woven.kernel);
 *     telar_record_launch(&record, scale, &woven.kernel, &plan, &(telar_bind){.buffer = data}, 1);
 *     telar_recording recording;
 *     if (telar_record_end(&record, &recording, &diag) != TELAR_OK) puts(diag.text);
 */
#ifndef TELAR_RECORD_H
#define TELAR_RECORD_H

#include <telar/base.h>
#include <telar/facts.h>
#include <telar/plan.h>
#include <telar/weave.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Handles: numbered from 1 per recording; 0 is none ------------------------------------------------------------ */

typedef struct telar_buffer {
    uint32_t id;
} telar_buffer;

typedef struct telar_kernel {
    uint32_t id;
} telar_kernel;

/* A recording has at most this many buffers, and as many kernels. */
#define TELAR_RECORDING_HANDLES_MAX 1024

/* What a buffer is used for; WebGPU's usages plus where its memory is from. */
typedef enum telar_use {
    TELAR_USE_STORAGE = 1u << 0,
    TELAR_USE_UNIFORM = 1u << 1,
    TELAR_USE_INDIRECT = 1u << 2,
    TELAR_USE_BOUND = 1u << 3, /* the caller binds it when the recording is prepared; else it is scratch: the host's,
                                  zeroed the first time, its content undefined at the next run */
    TELAR_USE_KEPT = 1u << 4,  /* scratch whose content stays from run to run of one prepared recording */
} telar_use;

typedef struct telar_buffer_desc {
    const char *name;    /* may be NULL; bound buffers are found by it */
    uint64_t size_bytes; /* a multiple of 4, above 0 */
    uint32_t use;        /* telar_use, or-ed */
} telar_buffer_desc;

/* A range of a buffer at one binding of a kernel. Binds stand in the order of the kernel's bindings (by group and binding),
 * or, in launches, all have the names of the kernel's WGSL variables and stand in any order. */
typedef struct telar_bind {
    telar_buffer buffer;
    uint64_t offset_bytes; /* a multiple of the device's offset alignment */
    uint64_t size_bytes;   /* 0: to the end of the buffer */
    const char *name;      /* NULL: by order */
} telar_bind;

typedef struct telar_dispatch_desc {
    telar_kernel kernel;
    uint32_t groups[3];
    const uint32_t *params; /* the kernel's parameter words (weave.h: telar_launch_params) */
    uint32_t params_words;
    const telar_bind *binds; /* one for each binding of the kernel */
    uint32_t binds_count;
} telar_dispatch_desc;

/* A count that the GPU makes: a u32 in a buffer, which never comes back. Elements = count / divide * multiply, so that
 * it may be a length in bytes (divide by the size of an element), in rows or groups (multiply by their elements). A
 * count that does not fit a u32 after that counts as 2^32 - 1. */
typedef struct telar_count {
    telar_buffer buffer; /* id 0: the count is the plan's, known on the host */
    uint64_t offset_bytes;
    uint32_t multiply;   /* 0: 1 */
    uint32_t divide;     /* 0: 1 */
    telar_buffer report; /* a telar_count_report a count, from its first byte; id 0: none is wanted */
} telar_count;

/* Counts that one dispatch of the prepare kernel can take. */
#define TELAR_COUNTS_MAX 16

/* A dispatch that the GPU has prepared; see telar_record_counts. */
typedef struct telar_counted {
    telar_buffer launch;
    uint32_t index;
    telar_buffer report;
    uint64_t capacity; /* elements of its plan */
} telar_counted;

/* What a counted launch reports, in elements. saturations goes up at each run that launched fewer than were requested;
 * clear it when you like. ran is for telar_count_report_check. */
typedef struct telar_count_report {
    uint32_t requested; /* at the latest run */
    uint32_t launched;  /* at the latest run */
    uint32_t saturations;
    uint32_t ran; /* 1 once a kernel that was woven with a canary has run */
} telar_count_report;

/* MISMATCH when the latest run of a kernel woven with a canary launched elements and did nothing: the dispatch was
 * skipped, in silence. */
TELAR_API telar_status telar_count_report_check(const telar_count_report *report, telar_diag *diag);

/* ---- Building ------------------------------------------------------------------------------------------------------ */

typedef struct telar_record {
    uint32_t *words;
    size_t words_cap;
    size_t words_len; /* keeps counting when full: the words that the whole recording needs */
    uint32_t buffers;
    uint32_t kernels;
    uint32_t commands;
    uint32_t downloads;
    uint64_t scratch_bytes; /* of all buffers that the caller does not bind */
    telar_kernel prepare;   /* of counted launches; one a recording */
    telar_status status;
    telar_diag diag;
} telar_record;

typedef struct telar_recording {
    const uint32_t *words;
    size_t words_count;
} telar_recording;

/* words may be NULL with cap 0: everything is counted, nothing kept, and end says NO_SPACE with the need in got. */
TELAR_API telar_record telar_record_begin(uint32_t *words, size_t words_cap);
TELAR_API telar_buffer telar_record_buffer(telar_record *record, const telar_buffer_desc *desc);
TELAR_API telar_kernel telar_record_kernel(telar_record *record, const telar_kernel_desc *desc);
TELAR_API void telar_record_dispatch(telar_record *record, const telar_dispatch_desc *desc);
TELAR_API void telar_record_copy(telar_record *record, telar_buffer from, uint64_t from_bytes, telar_buffer to,
                                 uint64_t to_bytes, uint64_t size_bytes);
/* Zeroes a range; size 0: to the end. */
TELAR_API void telar_record_clear(telar_record *record, telar_buffer buffer, uint64_t offset_bytes,
                                  uint64_t size_bytes);
/* The data is kept in the recording: for parameters and small tables. Large data is written to bound buffers. */
TELAR_API void telar_record_upload(telar_record *record, telar_buffer buffer, uint64_t offset_bytes, const void *data,
                                   size_t size_bytes);
/* Brings a range back; the host gives it under the number returned (0, 1, ... in the order of the calls). */
TELAR_API uint32_t telar_record_download(telar_record *record, telar_buffer buffer, uint64_t offset_bytes,
                                         uint64_t size_bytes);
/* A point in GPU time; between two marks the host reports the time. Ends the running pass. */
TELAR_API void telar_record_mark(telar_record *record, const char *name);
/* All windows of a plan: a dispatch each, windowed bindings cut, parameters filled. The binds cover the whole domain: an
 * array that is accessed at [i] alone and is shorter than the domain is a failure. An empty plan records nothing. */
TELAR_API void telar_record_launch(telar_record *record, telar_kernel kernel, const telar_kernel_desc *desc,
                                   const telar_plan *plan, const telar_bind *binds, uint32_t binds_count);

/* The same, for as many elements as `count` says when the GPU comes to it; the plan, of one dimension and one window, is
 * the capacity. A prepare kernel turns the count into a dispatch on the GPU: clamped to the capacity, folded by the same
 * formula as telar_fold, saturated where even that does not reach. The kernel must be woven with `counted`. Two
 * dispatches and, the first time, a small scratch buffer each. */
TELAR_API void telar_record_launch_counted(telar_record *record, telar_kernel kernel, const telar_kernel_desc *desc,
                                           const telar_plan *plan, const telar_count *count, const telar_bind *binds,
                                           uint32_t binds_count);

/* The two halves, for several counts that are there at the same time: one dispatch prepares all of them. They stand in one
 * buffer, at any offsets, and share one report buffer (count k has the k-th report). counted[k] is for launches under
 * plans[k], as many as you like, until the counts are prepared anew. At most TELAR_COUNTS_MAX. */
TELAR_API void telar_record_counts(telar_record *record, const telar_count *counts, const telar_plan *const *plans,
                                   uint32_t counts_count, telar_counted *counted);
TELAR_API void telar_record_launch_prepared(telar_record *record, telar_kernel kernel, const telar_kernel_desc *desc,
                                            const telar_counted *counted, const telar_bind *binds,
                                            uint32_t binds_count);

/* *recording points into the words given to begin. */
TELAR_API telar_status telar_record_end(telar_record *record, telar_recording *recording, telar_diag *diag);

/* ---- Reading ------------------------------------------------------------------------------------------------------- */

/* Takes words from anywhere; every count, offset, id and length is checked, so that all later calls may trust them.
 * INVALID_RECORDING names the command. words must stay alive. */
TELAR_API telar_status telar_recording_open(const uint32_t *words, size_t words_count, telar_recording *recording,
                                            telar_diag *diag);
/* Against a device: limits, alignments, binding ranges and their minimum sizes, usage (indirect or writable, not both;
 * writable overlaps), group counts, scratch that is read before it is written. INVALID_RECORDING or LIMIT_EXCEEDED; names the command, the buffer, the numbers. */
TELAR_API telar_status telar_recording_verify(telar_recording recording, const telar_limits *limits, telar_diag *diag);
/* The first difference of two recordings as one line ("command 3: ..."), or nothing: then they are the same. */
TELAR_API bool telar_recording_same(telar_recording a, telar_recording b, telar_out *difference);
/* One line a buffer, kernel and command; stable, for people and golden tests. */
TELAR_API void telar_recording_dump(telar_recording recording, telar_out *out);

TELAR_API uint32_t telar_recording_buffer_count(telar_recording recording);
TELAR_API uint32_t telar_recording_kernel_count(telar_recording recording);
TELAR_API uint32_t telar_recording_command_count(telar_recording recording);

#ifdef __cplusplus
}
#endif

#endif
