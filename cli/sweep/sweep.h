/* SPDX-License-Identifier: MIT
 *
 * What a sweep is made of. Each noun is a file:
 *
 *     subject    a kernel that takes a size: an element function, or an entry point with overrides for its size and items;
 *                one of the cases that are built in, or a user's file
 *     candidate  one way to launch it: size x items x shape, plain or by vectors; what its trial came to
 *     work       the passes (dispatches) that a candidate takes over one domain
 *     bed        the subject's arrays on the device for one domain, and what must come out
 *     trial      a candidate's work, compiled and ready to be checked and timed
 *     measure    all candidates of one domain: a first look at each, then the best ones in turn
 *     rank       medians, noise, ties, and the roles that rows have
 *     table      rows of results, which CSV, text and page (csv.c, text.c, page.c) are made of
 *
 * Nothing here reads options or prints but the last three. */
#ifndef TL_CLI_SWEEP_H
#define TL_CLI_SWEEP_H

#include "base/base.h"

#include <telar/host.h>
#include <telar/plan.h>
#include <telar/record.h>
#include <telar/weave.h>

enum {
    TL_SWEEP_CANDIDATES_MAX = 320,
    TL_SWEEP_ARRAYS_MAX = 16,
    TL_SWEEP_PASSES_MAX = 16,
    TL_SWEEP_SCRATCH_MAX = 16,
    TL_SWEEP_ROUNDS_MAX = 31,
    TL_SWEEP_SIZES_MAX = 24,
    TL_SWEEP_ITEMS_MAX = 8,
    TL_SWEEP_SHAPES_MAX = 3,
    TL_SWEEP_OVERRIDES_MAX = 16,
    TL_SWEEP_SETS_MAX = 4,
    TL_SWEEP_VALUES_MAX = 16,
    TL_SWEEP_NAME_BYTES = 64,
};

/* ---- Domains and candidates -------------------------------------------------------------------------------------- */

typedef struct tl_domain {
    uint64_t count[3]; /* unused axes: 1 */
    uint32_t dimensions;
} tl_domain;

static inline uint64_t tl_domain_elements(const tl_domain *domain)
{
    return domain->count[0] * domain->count[1] * domain->count[2];
}

/* So many elements, or nearly: a domain of two axes is as square as it can be. */
tl_domain tl_domain_of(uint64_t elements, uint32_t dimensions);

/* What a row is beside a candidate of the sweep; or-ed. */
typedef enum tl_role {
    TL_ROLE_PLAN = 1,    /* what the facts given or tuned lead to */
    TL_ROLE_AGAIN = 2,   /* the same, entered a second time: what it differs by is noise */
    TL_ROLE_LESSON = 4,  /* the fixed rule: no fact but the limits */
    TL_ROLE_DEFAULT = 8, /* what a device that was never tuned gets: its type's usual facts */
    TL_ROLE_COPY = 16,   /* not the kernel: a copy that moves as many bytes */
    TL_ROLE_BEST = 32,
    TL_ROLE_TIE = 64,      /* no slower than the best by more than the noise */
    TL_ROLE_OUTSIDE = 128, /* of what the choices allow: measured, and never the best */
} tl_role;

typedef enum tl_verdict {
    TL_VERDICT_NONE = 0, /* not tried */
    TL_VERDICT_RIGHT = 1,
    TL_VERDICT_WRONG = 2,
    TL_VERDICT_REFUSED = 3, /* not possible here */
} tl_verdict;

typedef struct tl_candidate {
    uint32_t size[3];
    uint32_t items;
    telar_shape shape; /* as planned: LINEAR, FOLD or STRIDE */
    bool vector;
    double sets[TL_SWEEP_SETS_MAX]; /* values of the subject's further overrides */
    uint32_t roles;
    double predicted_us; /* of all passes; below 0: the facts do not allow it */
    tl_verdict verdict;
    char why[160]; /* where it is not RIGHT */
    double us;     /* what the rounds come to; without rounds: the first look; 0: none */
    double spread; /* half of what lies between the extremes, relative; 0: a single round */
    uint32_t rounds;
    double round_us[TL_SWEEP_ROUNDS_MAX];
} tl_candidate;

/* What candidates are made of. Empty lists: all there are. */
typedef struct tl_choices {
    uint32_t sizes[TL_SWEEP_SIZES_MAX][3];
    uint32_t sizes_count;
    uint32_t items[TL_SWEEP_ITEMS_MAX];
    uint32_t items_count;
    telar_shape shapes[TL_SWEEP_SHAPES_MAX];
    uint32_t shapes_count;
    bool no_vectors;
} tl_choices;

/* ---- Subjects ---------------------------------------------------------------------------------------------------- */

typedef enum tl_array_role {
    TL_ARRAY_NONE = 0, /* ends a list */
    TL_ARRAY_INPUT,
    TL_ARRAY_OUTPUT,
    TL_ARRAY_UNIFORM, /* of a case: a vec2u, the domain's width and height */
} tl_array_role;

typedef void tl_fill_words(uint32_t *words, uint64_t count);

typedef struct tl_case_array {
    const char *name;
    tl_array_role role;
    tl_fill_words *fill; /* of an input */
    uint64_t words;      /* 0: one an element */
} tl_case_array;

/* A case: its kernel is wgsl/NAME.wgsl, with _ for -. */
typedef struct tl_case {
    const char *name;
    const char *wgsl;
    const char *about[2];
    telar_kind kind;
    uint32_t dimensions;
    uint32_t halo;
    uint32_t bytes;   /* an element: what must be moved, whoever does it */
    uint32_t flops;   /* an element */
    double tolerance; /* of outputs that are f32; 0: the same bits */
    tl_case_array arrays[TL_SWEEP_ARRAYS_MAX];
    /* Plain C. Arrays as listed. */
    void (*reference)(const tl_domain *domain, uint32_t *const *arrays);
} tl_case;

extern const tl_case tl_cases[]; /* ended by a name of NULL */
const tl_case *tl_case_find(const char *name);

/* A source as it is read: plain, and with vectors where its alias `value` allows them. */
typedef struct tl_form {
    telar_wgsl *module; /* NULL: there is no such form */
    telar_weave_needs needs;
    char *text;
    void *memory; /* of the module and the needs */
} tl_form;

/* An override of which several values are tried. */
typedef struct tl_sweep_set {
    const char *name;
    double values[TL_SWEEP_VALUES_MAX];
    uint32_t count;
} tl_sweep_set;

typedef struct tl_subject {
    const char *name;
    const tl_case *builtin; /* NULL: a user's file */
    telar_kind kind;
    uint32_t dimensions;
    uint32_t halo;
    uint32_t bytes; /* an element; 0: not known */
    uint32_t flops;
    double tolerance;
    const char *element; /* names of the functions, as in telar_weave_desc */
    const char *entry;
    bool ordinary; /* an entry point, not an element function */
    bool strides;  /* it asks for num_workgroups: it goes on by all of its groups */
    tl_form forms[2];
    telar_override overrides[TL_SWEEP_OVERRIDES_MAX]; /* fixed ones */
    uint32_t overrides_count;
    const char *size_names[3]; /* of its overrides; NULL: none */
    const char *items_name;
    tl_sweep_set sets[TL_SWEEP_SETS_MAX];
    uint32_t sets_count;
} tl_subject;

/* The text's kernel; name, texts and overrides of *subject are set by the caller before. The text is copied. Statuses of
 * telar_wgsl_read and telar_weave_inspect; UNSUPPORTED. */
telar_status tl_subject_open(const char *text, size_t bytes, tl_subject *subject, telar_diag *diag);
telar_status tl_subject_of_case(const tl_case *builtin, tl_subject *subject, telar_diag *diag);
void tl_subject_close(tl_subject *subject);

/* What a plan of this subject is asked for; size, items and shape are left open. */
telar_plan_desc tl_subject_plan_desc(const tl_subject *subject, const tl_domain *domain, bool vector);
/* Whether the entry point has no overrides for its size: it is its own. */
bool tl_subject_has_fixed_size(const tl_subject *subject);
/* A shape for so many elements that the kernel can have: linear, or folded where one row does not reach. */
telar_status tl_subject_plan(const tl_subject *subject, const telar_plan_desc *desc, const telar_facts *facts,
                             telar_plan *plan, telar_diag *diag);
/* The values of all overrides for this candidate; how many. */
uint32_t tl_subject_overrides(const tl_subject *subject, const tl_candidate *candidate,
                              telar_override overrides[TL_SWEEP_OVERRIDES_MAX]);

/* ---- candidates.c ------------------------------------------------------------------------------------------------ */

typedef struct tl_candidates {
    tl_candidate items[TL_SWEEP_CANDIDATES_MAX];
    uint32_t count;
} tl_candidates;

/* The facts that plans of the three roles are made with. */
typedef struct tl_sweep_facts {
    telar_facts plan;
    telar_facts untuned;
    telar_facts lesson;
} tl_sweep_facts;
tl_sweep_facts tl_sweep_facts_of(const telar_facts *host, const telar_facts *plan);

/* All that choices and limits allow, and those of the roles (the plan's twice). A status only where the plan itself is
 * refused. */
telar_status tl_candidates_list(const tl_subject *subject, const tl_domain *domain, const tl_sweep_facts *facts,
                                const tl_choices *choices, tl_candidates *candidates, telar_diag *diag);

/* ---- work.c ------------------------------------------------------------------------------------------------------ */

/* A range of an array of the bed, or of scratch: those come after them. */
typedef struct tl_pass_bind {
    const char *name; /* of the WGSL variable */
    uint32_t array;
    uint64_t bytes; /* 0: all */
} tl_pass_bind;

typedef struct tl_pass {
    const char *entry; /* NULL: the subject's */
    telar_plan plan;   /* as the model sees it: elements and items */
    telar_plan launch; /* as it is woven: an ordinary kernel's invocations, one item each */
    tl_pass_bind binds[TL_SWEEP_ARRAYS_MAX];
    uint32_t binds_count;
} tl_pass;

typedef struct tl_sweep_work {
    tl_pass passes[TL_SWEEP_PASSES_MAX];
    uint32_t count;
    uint64_t scratch_bytes[TL_SWEEP_SCRATCH_MAX];
    uint32_t scratch_count;
    double predicted_us; /* below 0: the facts do not allow it */
} tl_sweep_work;

struct tl_bed;
/* LIMIT_EXCEEDED and others: this candidate is not possible here. */
telar_status tl_sweep_work_make(const tl_subject *subject, const struct tl_bed *bed, const tl_candidate *candidate,
                                const telar_facts *facts, tl_sweep_work *work, telar_diag *diag);

/* ---- bed.c ------------------------------------------------------------------------------------------------------- */

typedef struct tl_bed_array {
    const char *name;
    tl_array_role role;
    uint64_t bytes; /* that kernels see; the buffer is larger by what fills up a vector */
    WGPUBuffer handle;
    WGPUBuffer initial;  /* of an output that is read too: what it holds before; NULL: zeros */
    WGPUBuffer expected; /* of an output; NULL: not compared */
} tl_bed_array;

typedef struct tl_bed {
    telar_host *host;
    tl_domain domain;
    tl_bed_array arrays[TL_SWEEP_ARRAYS_MAX];
    uint32_t arrays_count;
    double copy_scale; /* of what the kernel moves, against what the copy does */
} tl_bed;

/* The arrays of the copy that stands beside every sweep. */
#define TL_COPY_SOURCE "copied"
#define TL_COPY_TARGET "copy"

/* The arrays of a case, filled, and its reference's outputs. */
telar_status tl_bed_make(telar_host *host, const tl_case *builtin, const tl_domain *domain, tl_bed *bed,
                         telar_diag *diag);
void tl_bed_drop(tl_bed *bed);
/* A buffer of so many bytes and what fills up a vector, all zero. */
telar_status tl_bed_buffer(telar_host *host, uint64_t bytes, WGPUBuffer *buffer, telar_diag *diag);
uint64_t tl_bed_buffer_bytes(uint64_t bytes);
/* Adds the arrays of a copy of so many bytes. */
telar_status tl_bed_add_copy(tl_bed *bed, uint64_t bytes, telar_diag *diag);
telar_status tl_bed_copy(telar_host *host, WGPUBuffer source, WGPUBuffer target, uint64_t bytes, telar_diag *diag);
/* The array of that name; UINT32_MAX: none. */
uint32_t tl_bed_find(const tl_bed *bed, const char *name);

/* ---- trial.c ----------------------------------------------------------------------------------------------------- */

/* What trials need of one device, and memory that they share. */
typedef struct tl_sweep_bench {
    telar_host *host;
    const tl_sweep_facts *facts;
    tl_subject check; /* the kernel that compares */
    tl_subject copy;
    uint32_t *words; /* of recordings */
    size_t words_cap;
    void *memory; /* of weaving */
    size_t memory_bytes;
} tl_sweep_bench;
telar_status tl_sweep_bench_open(telar_host *host, const tl_sweep_facts *facts, tl_sweep_bench *bench,
                                 telar_diag *diag);
void tl_sweep_bench_close(tl_sweep_bench *bench);

typedef struct tl_sweep_trial {
    telar_prepared *check; /* outputs as they were, one run, its time, the comparison */
    telar_prepared *set;   /* many runs between two marks */
    uint32_t repeats;      /* of the set */
} tl_sweep_trial;

/* Compiles the work and runs it once. MISMATCH: an output differs from what is expected. *us: of this one run. */
telar_status tl_sweep_trial_check(tl_sweep_bench *bench, const tl_subject *subject, const tl_bed *bed,
                                  const tl_sweep_work *work, const tl_candidate *candidate, tl_sweep_trial *trial,
                                  double *us, telar_diag *diag);
/* Checks once more. */
telar_status tl_sweep_trial_again(const tl_bed *bed, const tl_sweep_work *work, tl_sweep_trial *trial,
                                  telar_diag *diag);
/* The set, long enough for set_us and for the clock, for runs that take about run_us. */
telar_status tl_sweep_trial_repeat(tl_sweep_bench *bench, const tl_subject *subject, const tl_bed *bed,
                                   const tl_sweep_work *work, const tl_candidate *candidate, double run_us,
                                   double set_us, tl_sweep_trial *trial, telar_diag *diag);
telar_status tl_sweep_trial_time(const tl_sweep_bench *bench, tl_sweep_trial *trial, double *us, telar_diag *diag);
void tl_sweep_trial_drop(tl_sweep_trial *trial);
/* Proves that the comparison finds something: outputs as they were before any run are not what is expected. */
telar_status tl_sweep_trial_prove(tl_sweep_bench *bench, const tl_bed *bed, const tl_sweep_work *work,
                                  telar_diag *diag);

/* ---- measure.c --------------------------------------------------------------------------------------------------- */

typedef struct tl_measure_desc {
    double time_s;      /* meant to be spent on one domain; 0: 3 */
    uint32_t finalists; /* of the first look; 0: 12 */
    uint32_t rounds;    /* at least; 0: 5 */
    double settled;     /* end once the noise is below this; 0: never before the time is over */
    uint32_t
        patience; /* the first look ends after so many candidates in turn that are no better than the best by more than
                           the noise, those predicted to be fastest first; 0: it is at all of them */
    void (*progress)(void *user, uint32_t done, uint32_t all);
    void *user;
} tl_measure_desc;

/* Fills in what trials came to. Statuses of the device; a candidate that is wrong or refused is a row with its verdict. */
telar_status tl_measure(tl_sweep_bench *bench, const tl_subject *subject, const tl_bed *bed,
                        const tl_measure_desc *desc, tl_candidates *candidates, double *noise, telar_diag *diag);

/* ---- rank.c ------------------------------------------------------------------------------------------------------ */

/* What the rounds of a candidate come to: their median, or on a CPU adapter, whose cores others take away, the least. */
typedef enum tl_estimate {
    TL_ESTIMATE_MEDIAN,
    TL_ESTIMATE_LEAST,
} tl_estimate;

double tl_median(const double *values, uint32_t count);
double tl_estimate_of(tl_estimate estimate, const double *values, uint32_t count);
double tl_half_spread(const double *values, uint32_t count);
/* From the plan's two entries, relative: the larger of what their medians differ by and the median of what they differ by in a
 * round; of least times, what those of the even and the odd rounds of both differ by at most. 0 where there is no pair. */
double tl_rank_noise(const tl_candidates *candidates, tl_estimate estimate);
/* Sets BEST and TIE among those with rounds. */
void tl_rank(tl_candidates *candidates, double noise);
/* Orders `order` by time, those without one last; the first `count` of it are the finalists. Copies, plan and lesson are
 * always among them. */
uint32_t tl_rank_finalists(const tl_candidates *candidates, uint32_t wanted, uint32_t *order);

#endif
