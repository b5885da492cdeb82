/* SPDX-License-Identifier: MIT
 *
 * What the files of tuning share. A work is one dispatch of a kernel of kernels/tune_*.wgsl; a trial is a work that is
 * timed in sets of dispatches between two marks; an experiment runs some trials in turn and makes facts of their times.
 *
 * A time is estimated from its rounds: their median, or on a CPU adapter, whose cores others take away, the least. The same
 * estimate from each third of the rounds alone (every third round) tells how well it repeats: a fact is computed from the
 * times of all rounds, and again from those of each third, and its spread is half of what lies between the three. */
#ifndef TL_HOST_TUNE_H
#define TL_HOST_TUNE_H

#include <telar/tune.h>

#include "host/host.h"

#define TL_TUNE_ROUNDS_MIN 3
#define TL_TUNE_ROUNDS_MAX 60
#define TL_TUNE_PARTS 3
#define TL_TUNE_ESTIMATES (1 + TL_TUNE_PARTS) /* of all rounds, then of each third */
#define TL_TUNE_DISPATCH_NS 50e6              /* at most, as far as can be foreseen */
#define TL_TUNE_VERDICT_WORDS 4
#define TL_TUNE_WORDS (1u << 16)                /* of a recording */
#define TL_TUNE_ARENA_BYTES (UINT32_C(1) << 18) /* for weaving */
#define TL_TUNE_READS 16                        /* of an invocation in tune_read.wgsl */

typedef enum tl_tune_data {
    TL_TUNE_FROM,
    TL_TUNE_TO,
    TL_TUNE_VERDICT, /* words that say whether all was right; zero before each set */
    TL_TUNE_DATA_COUNT
} tl_tune_data;

typedef struct tl_work {
    const char *wgsl;
    bool woven;       /* wgsl is an element function, woven as for any user ... */
    bool vector;      /* ... for elements of four words */
    bool subgroups;   /* the kernel asks for them */
    bool checked;     /* compiled with the checks of bounds and loops that users' kernels get */
    bool own_outputs; /* each dispatch of a set writes a buffer of its own */
    uint32_t group_size;
    uint32_t items; /* a constant of the kernel; 0: 1 */
    uint32_t groups;
    uint32_t less; /* of a woven function: elements that the last group has none of */
    uint32_t salt;
    uint32_t repeats;
    tl_tune_data input, output;
    uint32_t verdict[2];    /* what each dispatch adds, where that is the output */
    uint64_t checked_bytes; /* of another output, in 256s: words that must be their index and the salt ... */
    uint32_t adds;          /* ... and this for each dispatch; then they are copied there before the set */
} tl_work;

typedef struct tl_trial {
    tl_work work;
    uint32_t dispatches; /* of a set */
    telar_prepared *prepared;
    double rounds_ns[TL_TUNE_ROUNDS_MAX]; /* of one dispatch */
    double ns[TL_TUNE_ESTIMATES];
} tl_trial;

typedef struct tl_tune {
    telar_host *host;
    telar_facts *facts;
    WGPUBuffer data[TL_TUNE_DATA_COUNT];
    uint64_t data_bytes; /* of FROM and TO: a power of two */
    uint32_t *words;     /* for recordings */
    void *arena;         /* for weaving: TL_TUNE_ARENA_BYTES */
    double quantum_ns;   /* of what times a set */
    bool clock;          /* the GPU's; else submit to done */
    bool serial;         /* a CPU adapter: a thread does one thing after the other, and others take cores away */
    uint64_t until_ns;   /* the present experiment should end */
    uint32_t salt;
} tl_tune;

/* ---- tune_trial.c ---- */

/* Runs a work once: its time, and what it left in the verdict (either may be NULL). MISMATCH. */
telar_status tl_work_once(tl_tune *tune, const tl_work *work, double *ns, uint32_t *verdict, telar_diag *diag);
/* Submits a work so many times without waiting in between, then waits: the host's time of one. MISMATCH. */
telar_status tl_work_submitted(tl_tune *tune, const tl_work *work, uint32_t submissions, uint32_t rounds, double *ns,
                               telar_diag *diag);
/* Times the trials in turn, round by round, until their times repeat well or the experiment's time is over. */
telar_status tl_trials_run(tl_tune *tune, tl_trial *trials, size_t count, telar_diag *diag);

/* ---- tune_estimate.c ---- */

/* The estimates of a quantity from its rounds, TL_TUNE_PARTS at least. */
void tl_tune_estimate(const tl_tune *tune, const double *rounds, uint32_t count, double *estimates);
/* Half of what lies between the thirds, relative to the whole. */
double tl_tune_spread(const double *estimates);
/* The fact from its estimates. Values that are not positive leave it unknown. */
void tl_tune_fact(tl_tune *tune, telar_fact_name name, const double *estimates);
/* The fact from TL_TUNE_PARTS countings: the one in the middle, and their spread. */
void tl_tune_fact_counted(tl_tune *tune, telar_fact_name name, const double *counted);
/* A fact known by now, or what is usual; in microseconds or per microsecond, as facts are. */
double tl_tune_known(const tl_tune *tune, telar_fact_name name);
/* Group sizes that every device has are at most so large. */
uint32_t tl_tune_group_size(const tl_tune *tune, uint32_t wanted);

/* ---- tune_memory.c ---- */

/* The arrays that kernels work on, FROM filled; as large as the device has room and time for. */
telar_status tl_tune_data_make(tl_tune *tune, telar_diag *diag);
void tl_tune_data_drop(tl_tune *tune);
/* Copies for so long, so that a device that has slept has its clock up. */
telar_status tl_tune_wake(tl_tune *tune, double ns, telar_diag *diag);

/* ---- tune_residents.c ---- */

/* Groups that are there at the same time on a CPU adapter: its threads. */
telar_status tl_tune_count_threads(tl_tune *tune, double *threads, telar_diag *diag);

/* ---- Experiments ---- */

telar_status tl_tune_launch(tl_tune *tune, telar_diag *diag);    /* tune_launch.c */
telar_status tl_tune_memory(tl_tune *tune, telar_diag *diag);    /* tune_memory.c */
telar_status tl_tune_units(tl_tune *tune, telar_diag *diag);     /* tune_units.c */
telar_status tl_tune_residents(tl_tune *tune, telar_diag *diag); /* tune_residents.c */
telar_status tl_tune_subgroups(tl_tune *tune, telar_diag *diag); /* tune_subgroups.c */
telar_status tl_tune_latency(tl_tune *tune, telar_diag *diag);   /* tune_latency.c */
telar_status tl_tune_rates(tl_tune *tune, telar_diag *diag);     /* tune_rates.c */

#endif
