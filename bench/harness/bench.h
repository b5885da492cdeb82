/* SPDX-License-Identifier: MIT
 *
 * The measuring harness: what is measured is data, how it is measured stands here once.
 *
 *     problem   what is computed: input data, the bytes that must move, the expected result in plain C
 *     way       who computes it: a function that records it (Telar's primitive, a textbook kernel), a companion, or the
 *               plain C that everything is compared with
 *     case      one way at one n
 *     run       the ways of one problem at one n, and the copy limit, in turn
 *
 * A timed set is the recording repeated between two marks, as often as the clock needs. Before it the same work runs
 * for settings.warm_ms, since an idle GPU lowers its clock; then the outputs are cleared. After each round of sets the
 * whole output of every case is compared with the expected one. A figure is the median over the rounds. How far a case is
 * from itself from one round to the next (A/A) is the noise of that figure: differences within it are not ranked.
 *
 * A companion is a program that solves the same problems by other means (CUB, Gridwise, NumPy). It lives as long as the
 * bench and takes its turn in the rounds, so that both sides see the same card at the same clock. It reads lines
 *     measure N PROBLEM
 * and answers each with one of
 *     ns TIME [DIGEST]     of one run, from a set of its own; DIGEST of its outputs in hexadecimal, as bench_digest
 *     unsupported WHY      it does not know this problem, or not this n
 *     failed WHY
 *
 * There is no main and no variable here: programs and the tool bring their own `bench`. */
#ifndef BENCH_HARNESS_BENCH_H
#define BENCH_HARNESS_BENCH_H

#include <stdio.h>

#include <telar/host.h>
#include <telar/prim.h>
#include <telar/weave.h>

enum {
    BENCH_ARRAYS_MAX = 6,
    BENCH_BINDS_MAX = 8,
    BENCH_ROUNDS_MAX = 64,
    BENCH_COMPANIONS_MAX = 4,
    BENCH_WAYS_MAX = 64, /* of one run */
    BENCH_NAME_BYTES = 48
};

/* ---- Problems ---------------------------------------------------------------------------------------------------- */

typedef uint64_t bench_size(uint64_t n);
/* The same words every time: they are kept as long as they are used. */
typedef void bench_fill(uint32_t *words, uint64_t words_count, uint64_t n);

/* Data are words, whatever they mean: an f32 is its bits. A name of NULL ends a list of arrays. */
typedef struct bench_input {
    const char *name;
    bench_fill *fill;
    bench_size *words; /* NULL: n */
} bench_input;

typedef struct bench_output {
    const char *name;
    bench_size *words; /* NULL: n */
} bench_output;

typedef struct bench_data {
    uint64_t n;
    const uint32_t *inputs[BENCH_ARRAYS_MAX];
    uint32_t *outputs[BENCH_ARRAYS_MAX];
    uint64_t words[BENCH_ARRAYS_MAX]; /* of the outputs; a reference lowers it where only so many are defined */
    double reference_ns;              /* what the plain C took */
} bench_data;

typedef struct bench_problem {
    const char *name; /* "scan exclusive u32": companions know it by this */
    double bytes;     /* an element: what must be read and written once, whoever does it */
    uint32_t scale;   /* n is so many times the count asked for (samples of a byte: 4); 0: 1 */
    double tolerance; /* outputs are f32 and may differ by this part of themselves; 0: the same bits */
    bench_input inputs[BENCH_ARRAYS_MAX];
    bench_output outputs[BENCH_ARRAYS_MAX];
    void (*reference)(bench_data *data); /* plain C */
} bench_problem;

/* The index, hashed; the low 8 bits of that; f32 in [0, 1), multiples of 2^-24, of its high 24 bits; the index; sorted keys
 * in runs of 100 or so. */
uint32_t bench_hash(uint32_t index);
bench_fill bench_fill_hash, bench_fill_byte, bench_fill_unit, bench_fill_index, bench_fill_runs;

/* ---- Ways -------------------------------------------------------------------------------------------------------- */

typedef struct bench_recorder {
    const telar_host *host;
    const telar_facts *facts; /* of the settings */
    telar_arena *arena;
    telar_record *record;
    const void *options; /* the way's */
    uint64_t n;
    telar_buffer inputs[BENCH_ARRAYS_MAX]; /* as the problem lists them */
    telar_buffer outputs[BENCH_ARRAYS_MAX];
    uint64_t inputs_words[BENCH_ARRAYS_MAX]; /* the buffers reach to the end of the last 16 bytes */
    uint64_t outputs_words[BENCH_ARRAYS_MAX];
} bench_recorder;

typedef struct bench_way {
    const char *name; /* "telar", "textbook" */
    const bench_problem *problem;
    /* Records one run, which leaves the inputs as they are. UNSUPPORTED: not on this device, or not for this n. */
    telar_status (*record)(bench_recorder *recorder, telar_diag *diag);
    const void *options;
} bench_way;

/* Ended by a name of NULL. The fastest of them is the copy limit. */
extern const bench_way bench_copy_ways[];

/* Of an input or an output: its words, and the bytes of a buffer for so many (to the end of the last 16). */
uint64_t bench_words(const bench_recorder *recorder, telar_buffer buffer);
uint64_t bench_buffer_bytes(uint64_t words);
/* Reads, plans, weaves and launches a kernel over `count` elements (element functions) or invocations. */
telar_status bench_launch(bench_recorder *recorder, const char *wgsl, uint64_t count, const telar_bind *binds,
                          uint32_t binds_count, telar_diag *diag);
/* `first` and then `second`, in the arena; NULL when it is full. */
const char *bench_join(bench_recorder *recorder, const char *first, const char *second);
/* A scratch buffer of the recording. */
telar_buffer bench_scratch(bench_recorder *recorder, const char *name, uint64_t words);

/* ---- Results ----------------------------------------------------------------------------------------------------- */

typedef enum bench_verdict {
    BENCH_RIGHT = 0,
    BENCH_UNCHECKED = 1, /* a companion that gave no digest */
    BENCH_WRONG = 2,
    BENCH_UNSUPPORTED = 3, /* not here: no time */
    BENCH_FAILED = 4,      /* no time */
} bench_verdict;
typedef enum bench_clock {
    BENCH_CLOCK_GPU = 0,
    BENCH_CLOCK_HOST = 1,      /* a device without timestamps: submit to done; plain C */
    BENCH_CLOCK_COMPANION = 2, /* its own */
} bench_clock;
/* As archives say it. */
const char *bench_verdict_text(bench_verdict verdict);
const char *bench_clock_text(bench_clock clock);

typedef struct bench_result {
    char problem[BENCH_NAME_BYTES];
    char way[BENCH_NAME_BYTES];
    uint64_t n;
    double bytes; /* in all */
    bench_clock clock;
    bench_verdict verdict;
    char text[256];      /* why, where the verdict is not RIGHT */
    uint32_t dispatches; /* of one run; 0: not known */
    uint32_t repeats;    /* in a set */
    uint32_t rounds;
    double ns[BENCH_ROUNDS_MAX]; /* of one run, by round */
    double median_ns;            /* 0: no time */
    double spread;               /* (largest - least) / median */
    /* A/A: the upper quartile of the differences between a round and the next, / median; below 0: one round, not known. */
    double noise;
    double copy_ns; /* a copy of as many bytes, in the same rounds; 0: not measured */
} bench_result;

/* Median, spread and noise of the times of `rounds` rounds. */
void bench_result_sum_up(bench_result *result);
/* The time of a copy of as many bytes / this time; 0: not known. */
double bench_share_of_copy(const bench_result *result);

/* What must be known to compare results. */
typedef struct bench_environment {
    char adapter[128], driver[256], implementation[64];
    bool tuned; /* plans of what telar tune measured */
    double quantum_ns;
    uint32_t rounds; /* 0: as many as fitted into a time */
    double set_ms, warm_ms;
    bool checked;
    char date[16]; /* the caller's to fill in: "2026-11-30" */
} bench_environment;

typedef struct bench_results {
    bench_environment environment;
    bench_result *items;
    size_t count, cap;
} bench_results;
void bench_results_free(bench_results *results);

/* ---- Measuring --------------------------------------------------------------------------------------------------- */

typedef struct bench_settings {
    const telar_facts *facts; /* that plans are made of; NULL: the host's */
    uint32_t rounds;          /* 0: 5 */
    double run_ms;  /* instead: rounds until a run has taken as long, at least three; 0: as many as `rounds` says */
    double set_ms;  /* of a timed set; 0: 12 */
    double warm_ms; /* before it; 0: 100, on a CPU adapter, whose clock does not wait for it, 10 */
    uint32_t repeats_max; /* in a set, unless the clock needs more; 0: 500 */
    bool checked;         /* keep bounds checks in the library's own kernels too */
    bool as_gpu;          /* take a CPU adapter for a GPU: its kernels, with subgroups, for a test of them */
} bench_settings;

typedef struct bench_companion {
    char name[BENCH_NAME_BYTES];
    int pid, to, from; /* the process and its pipes */
} bench_companion;

typedef struct bench_cached bench_cached;

/* How much of a run is done, 0 to 1. */
typedef void bench_progress(void *user, double part);

typedef struct bench {
    telar_host *host;
    telar_facts facts;
    bench_settings settings;
    bench_companion companions[BENCH_COMPANIONS_MAX];
    uint32_t companions_count;
    bench_results results;
    bench_cached *inputs; /* kept while the next run has the same */
    uint32_t *back;       /* outputs, read back */
    uint64_t back_words;
    bench_progress *progress; /* the caller's to set; NULL: none */
    void *progress_user;
} bench;

/* The host stays the caller's. Open it with trusted_modules: the library's own kernels then run without bounds checks. */
void bench_open(bench *b, telar_host *host, const bench_settings *settings);
void bench_close(bench *b);
/* Starts `command` by the shell. IO_FAILED. */
telar_status bench_companion_start(bench *b, const char *name, const char *command, telar_diag *diag);

/* Measures these ways of one problem, and every companion, in turn. A way that does not run is a result with its
 * verdict; a status only where nothing more can be measured. */
telar_status bench_run(bench *b, const bench_way *const *ways, uint32_t ways_count, uint64_t n, telar_diag *diag);

/* A companion's digest: the sum over all words k of all outputs of words[k] * (2k + 1), modulo 2^64. */
uint64_t bench_digest(const bench_data *data, const bench_problem *problem);

/* ---- Archives and comparison ------------------------------------------------------------------------------------- */

typedef enum bench_change {
    BENCH_SAME = 0, /* within the noise of both */
    BENCH_FASTER = 1,
    BENCH_SLOWER = 2,
    BENCH_UNKNOWN = 3, /* there is no time, or no noise is known */
} bench_change;
const char *bench_change_text(bench_change change);

typedef struct bench_difference {
    bench_change change;
    double ratio; /* now / before; 0: one of them has no time */
    double noise; /* of both: slower is a ratio above 1 + noise, faster one below 1 / (1 + noise); below 0: not known */
} bench_difference;

bench_difference bench_differ(const bench_result *now, const bench_result *before);
/* What an archive has for this way of this problem at this n; NULL: nothing. */
const bench_result *bench_find(const bench_results *results, const bench_result *like);

/* Results as JSON. With `before`, also how each way differs from it. */
telar_status bench_archive_write(const bench_results *results, const char *path, telar_diag *diag);
telar_status bench_archive_print(const bench_results *results, const bench_results *before, FILE *out,
                                 telar_diag *diag);
telar_status bench_archive_read(const char *path, bench_results *results, telar_diag *diag);

#endif
