/* SPDX-License-Identifier: MIT
 *
 * The element kernel d[i] = s[i] * 0.99 under every candidate (sizes 32 to 1024, items 1 to 16), the default plan, the
 * textbook's 64 x 1, and the copy limit (copyBufferToBuffer and a vec4 copy kernel), all in one alternating run.
 *
 *     element [--facts FILE ...] [COUNT ...]
 *         counts: 100000 3000001 268435456 by default (TELAR_WEBGPU names the library); each facts file, as `telar tune`
 *         writes it, gives a plan of its own beside the default one
 *
 * Time is GPU time between two marks around enough launches to be well above the clock's quantum; the figure of a
 * candidate is the median of its rounds. Every candidate's whole output is compared with the CPU's after its rounds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <telar/host.h>
#include <telar/telar.h>

#include "io/facts_file.h"

enum {
    ROUNDS = 9,
    CANDIDATES_MAX = 64,
    FACTS_MAX = 4,
    WORDS = 1 << 20,
    ARENA_BYTES = 1 << 22
};

static const char scale_source[] = "@group(0) @binding(0) var<storage, read> s: array<f32>;\n"
                                   "@group(0) @binding(1) var<storage, read_write> d: array<f32>;\n"
                                   "fn element(i: u32) { d[i] = s[i] * 0.99; }\n";
static const char copy4_source[] = "@group(0) @binding(0) var<storage, read> s: array<vec4f>;\n"
                                   "@group(0) @binding(1) var<storage, read_write> d: array<vec4f>;\n"
                                   "fn element(i: u32) { d[i] = s[i]; }\n";

typedef enum expected {
    EXPECT_SCALED,
    EXPECT_COPIED
} expected;

typedef struct candidate {
    char name[48];
    expected expect;
    uint32_t repeats; /* launches between the marks */
    telar_plan plan;
    telar_prepared *prepared;
    double ns[ROUNDS];
    double median_ns;
} candidate;

typedef struct bench {
    telar_host *host;
    uint64_t n;
    WGPUBuffer s, d;
    float *data, *back;
    uint32_t *words;
    void *arena;
    telar_facts facts[1 + FACTS_MAX]; /* the host's, and those of files */
    const char *facts_names[1 + FACTS_MAX];
    uint32_t facts_count;
    candidate candidates[CANDIDATES_MAX]; /* the plans of the facts first */
    uint32_t count;
} bench;

static void check(telar_status status, const telar_diag *diag)
{
    if (status == TELAR_OK) return;
    fprintf(stderr, "element: %s: %s\n", telar_status_text(status), diag->text);
    exit(3);
}

/* ---- Candidates -------------------------------------------------------------------------------------------------- */

/* Whole vectors, also of an odd number of elements. */
static uint64_t array_bytes(const bench *b)
{
    return telar_ceil_div(b->n, 4) * 16;
}

static telar_record begin(bench *b, telar_buffer *s, telar_buffer *d)
{
    telar_record record = telar_record_begin(b->words, WORDS);
    telar_buffer_desc desc = {.name = "s", .size_bytes = array_bytes(b), .use = TELAR_USE_STORAGE | TELAR_USE_BOUND};
    *s = telar_record_buffer(&record, &desc);
    desc.name = "d";
    *d = telar_record_buffer(&record, &desc);
    return record;
}

static void finish(bench *b, telar_record *record, telar_buffer s, telar_buffer d, candidate *c)
{
    telar_diag diag = {0};
    telar_recording recording;
    check(telar_record_end(record, &recording, &diag), &diag);
    const telar_bound_buffer bound[] = {{s, b->s}, {d, b->d}};
    telar_prepared_release(c->prepared);
    check(telar_host_prepare(b->host, recording, bound, 2, &c->prepared, &diag), &diag);
}

static void prepare_kernel(bench *b, candidate *c, const char *source)
{
    telar_diag diag = {0};
    telar_arena arena = telar_arena_make(b->arena, ARENA_BYTES);
    telar_wgsl *module;
    telar_woven woven;
    telar_buffer s, d;
    check(telar_wgsl_read(source, strlen(source), &arena, &module, &diag), &diag);
    check(telar_weave(&(telar_weave_desc){.module = module, .plan = &c->plan, .dialect = telar_host_dialect(b->host)},
                      &arena, &woven, &diag),
          &diag);
    telar_record record = begin(b, &s, &d);
    telar_kernel kernel = telar_record_kernel(&record, &woven.kernel);
    const telar_bind binds[] = {{.buffer = s}, {.buffer = d}};
    telar_record_mark(&record, "begin");
    for (uint32_t k = 0; k < c->repeats; k++) {
        telar_record_launch(&record, kernel, &woven.kernel, &c->plan, binds, 2);
    }
    telar_record_mark(&record, "end");
    finish(b, &record, s, d, c);
}

static void prepare_copy(bench *b, candidate *c)
{
    telar_buffer s, d;
    telar_record record = begin(b, &s, &d);
    telar_record_mark(&record, "begin");
    for (uint32_t k = 0; k < c->repeats; k++) telar_record_copy(&record, s, 0, d, 0, b->n * 4);
    telar_record_mark(&record, "end");
    finish(b, &record, s, d, c);
}

static void prepare(bench *b, candidate *c)
{
    if (c->plan.window_count == 0) prepare_copy(b, c);
    else prepare_kernel(b, c, c->expect == EXPECT_COPIED ? copy4_source : scale_source);
}

static double run_ns(candidate *c)
{
    telar_diag diag = {0};
    double ns = 0;
    check(telar_prepared_run(c->prepared, &diag), &diag);
    check(telar_prepared_time_ns(c->prepared, 0, &ns, &diag), &diag);
    return ns / c->repeats;
}

/* Repeats so that one timed set takes about 5 ms: far above the clock's quantum. */
static void add(bench *b, const char *name, expected expect, const telar_plan *plan)
{
    candidate *c = &b->candidates[b->count++];
    *c = (candidate){.expect = expect, .repeats = 4};
    if (plan != NULL) c->plan = *plan;
    snprintf(c->name, sizeof c->name, "%s", name);
    prepare(b, c);
    run_ns(c);
    double wanted = 5e6 / (run_ns(c) + 1);
    c->repeats = wanted < 2 ? 2 : wanted > 1000 ? 1000 : (uint32_t)wanted;
    prepare(b, c);
}

static void add_plan(bench *b, const char *name, expected expect, telar_plan_desc desc)
{
    telar_plan plan;
    telar_diag diag = {0};
    if (telar_plan_make(&desc, &b->facts[0], &plan, &diag) != TELAR_OK) return; /* not allowed here */
    add(b, name, expect, &plan);
}

static void add_plan_of(bench *b, uint32_t facts)
{
    telar_plan plan;
    telar_diag diag = {0};
    telar_plan_desc desc = {.count = {b->n}, .binding_bytes_per_element = 4};
    check(telar_plan_make(&desc, &b->facts[facts], &plan, &diag), &diag);
    add(b, b->facts_names[facts], EXPECT_SCALED, &plan);
}

static void add_all(bench *b)
{
    char name[48];
    for (uint32_t k = 0; k < b->facts_count; k++) add_plan_of(b, k);
    for (uint32_t size = 32; size <= 1024; size *= 2) {
        for (uint32_t items = 1; items <= 16; items *= 2) {
            snprintf(name, sizeof name, "%u x %u", size, items);
            add_plan(
                b, name, EXPECT_SCALED,
                (telar_plan_desc){.count = {b->n}, .size = {size}, .items = items, .binding_bytes_per_element = 4});
        }
    }
    for (uint32_t size = 64; size <= 1024; size *= 2) {
        for (uint32_t items = 1; items <= 4; items *= 2) {
            snprintf(name, sizeof name, "copy vec4 %u x %u", size, items);
            add_plan(b, name, EXPECT_COPIED,
                     (telar_plan_desc){.count = {telar_ceil_div(b->n, 4)},
                                       .size = {size},
                                       .items = items,
                                       .binding_bytes_per_element = 16});
        }
    }
    add(b, "copyBufferToBuffer", EXPECT_COPIED, NULL);
}

/* ---- Results ----------------------------------------------------------------------------------------------------- */

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool right(bench *b, const candidate *c)
{
    telar_diag diag = {0};
    check(telar_host_read(b->host, b->d, 0, b->back, b->n * 4, &diag), &diag);
    for (uint64_t i = 0; i < b->n; i++) {
        float want = c->expect == EXPECT_COPIED ? b->data[i] : b->data[i] * 0.99f;
        if (b->back[i] != want) {
            printf("WRONG: %s: element %llu is %g, not %g\n", c->name, (unsigned long long)i, (double)b->back[i],
                   (double)want);
            return false;
        }
    }
    return true;
}

/* Clears the output, so that a candidate that wrote nothing is seen. */
static void clear_output(bench *b)
{
    telar_buffer s, d;
    candidate c = {0};
    telar_diag diag = {0};
    telar_record record = begin(b, &s, &d);
    telar_record_clear(&record, d, 0, 0);
    finish(b, &record, s, d, &c);
    check(telar_prepared_run(c.prepared, &diag), &diag);
    telar_prepared_release(c.prepared);
}

static bool check_all(bench *b)
{
    bool all = true;
    for (uint32_t k = 0; k < b->count; k++) {
        clear_output(b);
        run_ns(&b->candidates[k]);
        all = right(b, &b->candidates[k]) && all;
    }
    return all;
}

static const candidate *fastest(const bench *b, expected expect, uint32_t first)
{
    const candidate *best = NULL;
    for (uint32_t k = first; k < b->count; k++) {
        const candidate *c = &b->candidates[k];
        if (c->expect == expect && (best == NULL || c->median_ns < best->median_ns)) best = c;
    }
    return best;
}

static void report(const bench *b)
{
    double bytes = (double)b->n * 8;
    const candidate *best = fastest(b, EXPECT_SCALED, b->facts_count);
    const candidate *copy = fastest(b, EXPECT_COPIED, b->facts_count);
    printf("\n## n = %llu\n\n| candidate | us | GB/s | of the copy limit |\n|---|---|---|---|\n",
           (unsigned long long)b->n);
    for (uint32_t k = 0; k < b->count; k++) {
        const candidate *c = &b->candidates[k];
        printf("| %s%s | %.2f | %.1f | %.3f |\n", c->name, c == best ? " (best of the sweep)" : "", c->median_ns / 1e3,
               bytes / c->median_ns, copy->median_ns / c->median_ns);
    }
    for (uint32_t k = 0; k < b->facts_count; k++) {
        const candidate *plan = &b->candidates[k];
        printf("\n%s: %u x %u, %s, %.2f us", plan->name, plan->plan.workgroup_size[0], plan->plan.items,
               telar_shape_text(plan->plan.shape), plan->median_ns / 1e3);
        if (plan->plan.predicted_us >= 0) printf(" (predicted %.2f)", plan->plan.predicted_us);
        printf("; best of the sweep: %s, %.2f us; plan / best = %.3f; share of the copy limit (%s) = %.3f\n",
               best->name, best->median_ns / 1e3, plan->median_ns / best->median_ns, copy->name,
               copy->median_ns / plan->median_ns);
    }
}

static bool run_count(bench *b, uint64_t n)
{
    telar_diag diag = {0};
    b->n = n;
    b->count = 0;
    b->data = malloc(n * 4);
    b->back = malloc(n * 4);
    for (uint64_t i = 0; i < n; i++) b->data[i] = (float)(i * 2654435761u >> 8 & 0xffffff);
    check(telar_host_buffer_create(b->host, array_bytes(b), &b->s, &diag), &diag);
    check(telar_host_buffer_create(b->host, array_bytes(b), &b->d, &diag), &diag);
    check(telar_host_write(b->host, b->s, 0, b->data, n * 4, &diag), &diag);
    add_all(b);
    for (int round = 0; round < ROUNDS; round++) {
        for (uint32_t k = 0; k < b->count; k++) b->candidates[k].ns[round] = run_ns(&b->candidates[k]);
    }
    for (uint32_t k = 0; k < b->count; k++) {
        qsort(b->candidates[k].ns, ROUNDS, sizeof(double), compare_doubles);
        b->candidates[k].median_ns = b->candidates[k].ns[ROUNDS / 2];
    }
    bool all_right = check_all(b);
    report(b);
    printf("%s\n", all_right ? "all outputs right" : "WRONG outputs");
    for (uint32_t k = 0; k < b->count; k++) telar_prepared_release(b->candidates[k].prepared);
    telar_host_buffer_release(b->host, b->s);
    telar_host_buffer_release(b->host, b->d);
    free(b->data);
    free(b->back);
    return all_right;
}

/* What a file knows, within the limits of this device. */
static void add_facts(bench *b, const char *path)
{
    telar_diag diag = {0};
    if (b->facts_count == 1 + FACTS_MAX) return;
    check(tl_facts_file_read(path, &b->facts[b->facts_count], &diag), &diag);
    b->facts[b->facts_count].limits = telar_host_facts(b->host)->limits;
    b->facts_names[b->facts_count++] = path;
}

int main(int argc, char **argv)
{
    static const uint64_t counts[] = {100000, 3000001, UINT64_C(1) << 28};
    telar_diag diag = {0};
    telar_webgpu webgpu;
    bench b = {.words = malloc(WORDS * sizeof(uint32_t)), .arena = malloc(ARENA_BYTES)};
    check(telar_webgpu_load(NULL, &webgpu, &diag), &diag);
    check(telar_host_open(&(telar_host_desc){.webgpu = &webgpu}, &b.host, &diag), &diag);
    const telar_adapter_info *adapter = telar_host_adapter(b.host);
    printf("# element kernel: %s, %s %s, %s, quantum %.1f ns\n", adapter->adapter, adapter->name, adapter->version,
           adapter->driver, telar_host_time_quantum_ns(b.host));
    b.facts[b.facts_count] = *telar_host_facts(b.host);
    b.facts_names[b.facts_count++] = "plan";
    bool all_right = true, any = false;
    for (int k = 1; k < argc; k++) {
        if (strcmp(argv[k], "--facts") != 0) {
            all_right = run_count(&b, strtoull(argv[k], NULL, 10)) && all_right;
            any = true;
        } else if (k + 1 < argc) {
            add_facts(&b, argv[++k]);
        }
    }
    for (int k = 0; !any && k < 3; k++) all_right = run_count(&b, counts[k]) && all_right;
    telar_host_close(b.host);
    telar_webgpu_unload(&webgpu);
    free(b.words);
    free(b.arena);
    return all_right ? 0 : 1;
}
