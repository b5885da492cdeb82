/* SPDX-License-Identifier: MIT
 *
 * histogram: workgroups stride over the samples and count in their own memory; what they found is added up in the result.
 * One dispatch, or two where the result must be zeroed before. */
#include "prim/histogram.h"
#include "prim/prim.h"

#include <math.h>
#include <string.h>

enum {
    CHANNELS_MAX = 4,
    PIXELS_MAX = UINT32_MAX / CHANNELS_MAX,
    PIXELS_STEP = 256,           /* tiles are multiples of it */
    BINS_FEW = 4096,             /* one workgroup zeroes them, or all meet at each */
    RANGES_MAX = 8,              /* more re-reads of the samples cost more than counting in the result */
    MEMORY_BYTES_MAX = 48 << 10, /* of a workgroup, whatever the device says: an H200 hangs beyond */
    COPIES_BYTES = 32 << 10,     /* two such workgroups are resident on a unit of an H200 */
    WORDS_FEW = 1 << 24,
    UNITS_UNKNOWN = 132, /* an H200's: what a device does not tell */
    /* Of CPU adapters: */
    CPU_SIZE = 8,
    CPU_BINS_MAX = 512,         /* of an invocation's own */
    CPU_BIN_SAMPLES = 16,       /* for each counter that is delivered, at least */
    CPU_GROUP_SAMPLES = 1 << 14 /* of a workgroup, at least */
};

/* ---- Samples ----------------------------------------------------------------------------------------------------- */

/* `extract` gives the k-th sample of a word; `type` names what it is then. */
static const struct {
    const char *type;
    const char *extract;
    uint32_t of_word;
} samples[] = {
    [TELAR_SAMPLE_U32] = {"u32", "word", 1},
    [TELAR_SAMPLE_I32] = {"i32", "bitcast<i32>(word)", 1},
    [TELAR_SAMPLE_F32] = {"f32", "bitcast<f32>(word)", 1},
    [TELAR_SAMPLE_F16] = {"f32", "unpack2x16float(word >> (16u * k)).x", 2},
    [TELAR_SAMPLE_U16] = {"u32", "extractBits(word, 16u * k, 16u)", 2},
    [TELAR_SAMPLE_I16] = {"i32", "extractBits(bitcast<i32>(word), 16u * k, 16u)", 2},
    [TELAR_SAMPLE_U8] = {"u32", "extractBits(word, 8u * k, 8u)", 4},
    [TELAR_SAMPLE_I8] = {"i32", "extractBits(bitcast<i32>(word), 8u * k, 8u)", 4},
};

static bool is_type(telar_sample sample, const char *type)
{
    return strcmp(samples[sample].type, type) == 0;
}

/* Keys that are ordered as the samples are, NaN above or below all numbers. */
static const char *ordered_of(telar_sample sample)
{
    if (is_type(sample, "u32")) return "fn ordered(x: S) -> u32 { return x; }\n";
    if (is_type(sample, "i32")) return "fn ordered(x: S) -> u32 { return bitcast<u32>(x) ^ 0x80000000u; }\n";
    return "fn ordered(x: S) -> u32 {\n"
           "    let bits = bitcast<u32>(x);\n"
           "    let flipped = bits ^ select(0x80000000u, 0xffffffffu, bits > 0x80000000u);\n"
           "    return select(flipped, bits, bits == 0x80000000u);\n"
           "}\n";
}

static uint32_t key_of_float(float x)
{
    uint32_t bits;
    if (x == 0) return UINT32_C(0x80000000);
    memcpy(&bits, &x, sizeof bits);
    return bits ^ (bits >> 31 != 0 ? UINT32_MAX : UINT32_C(0x80000000));
}

/* ---- How it is done ---------------------------------------------------------------------------------------------- */

typedef enum counting {
    COUNT_SHARED, /* in the workgroup's memory */
    COUNT_NONE,   /* in the result */
    COUNT_OWN,    /* each invocation for itself */
} counting;

typedef struct plan {
    const telar_histogram_desc *desc;
    const char *kernel; /* its text */
    counting counting;
    uint32_t channels;
    uint32_t bins; /* of all channels */
    uint32_t workgroup_size;
    uint32_t rows;
    uint32_t copies;
    uint32_t ranges;
    uint32_t range_bins;
    bool near_edges; /* in the workgroup's memory */
    uint32_t groups_max;
    uint32_t of_group; /* that deliver sums, of each workgroup */
    uint32_t tile;     /* pixels that a workgroup has on their way at once */
    uint32_t sum_bits; /* above 0: the last one delivers; a sum has so many bits */
} plan;

static uint32_t bits_of(uint64_t value)
{
    uint32_t bits = 0;
    for (; value > 0; value /= 2) bits++;
    return bits;
}

static uint32_t or_default(uint32_t asked, uint32_t otherwise)
{
    return asked == 0 ? otherwise : asked;
}

/* Copies of all counters while they fit, else ranges of single ones, else none. */
static void share_memory(plan *p, const telar_facts *facts, uint32_t copies_wanted)
{
    uint64_t memory = facts->limits.maxComputeWorkgroupStorageSize, edges = 4 * ((uint64_t)p->desc->bins + 1);
    if (memory > MEMORY_BYTES_MAX) memory = MEMORY_BYTES_MAX;
    p->near_edges = p->desc->edges.buffer.id != 0 && edges <= memory / 4;
    if (p->near_edges) memory -= edges;
    uint64_t bytes = 4 * (uint64_t)p->bins, most = (memory < COPIES_BYTES ? memory : COPIES_BYTES) / bytes;
    p->copies = tl_power_up_to(most < copies_wanted ? most : copies_wanted);
    p->ranges = (uint32_t)telar_ceil_div(bytes, memory);
    p->counting = p->ranges <= RANGES_MAX ? COUNT_SHARED : COUNT_NONE;
    if (p->counting == COUNT_NONE) p->ranges = 1;
    p->range_bins = (uint32_t)telar_ceil_div(p->bins, p->ranges);
}

/* H200, wgpu-native 29.0.1.1, 2026-11-30, CUB's time / ours at 256 bins. Words, 1024 invocations, 16 copies, 4 rows at once,
 * two workgroups a unit: 2^28 2.38 (32 copies 2.35, 2 rows 2.37, 1 row 1.84); bytes with 32 copies: 2^30 1.90 (16: 1.5). Up to
 * 2^24 words one workgroup a unit (2.00). */
static void plan_gpu(plan *p, const telar_facts *facts, const tl_histogram_tuning *tuning)
{
    uint32_t of_word = samples[p->desc->sample].of_word;
    p->kernel = tl_wgsl_histogram_count;
    p->of_group = 1;
    p->rows = or_default(tuning->rows, 4);
    share_memory(p, facts, or_default(tuning->copies, of_word > 1 ? 32 : 16));
    p->workgroup_size = tl_device_workgroup_size(facts, or_default(tuning->workgroup_size, 1024));
    uint32_t units = tl_device_units(facts, UNITS_UNKNOWN);
    uint64_t words = p->desc->length.count * p->channels / of_word;
    uint32_t groups = or_default(tuning->groups, units * (words <= WORDS_FEW ? 1 : 2));
    p->groups_max = tl_device_groups(facts, groups < p->ranges ? p->ranges : groups);
}

/* A CPU adapter runs invocations one after the other: what they share costs more than it saves, and it reaches private memory with
 * fewer instructions. The textbook's time / ours, 2^16 words and 2^18 bytes on two threads, wgpu-native 29.0.1.1, 2026-11-30:
 * lavapipe 2.4 and 1.9, SwiftShader 6.6 and 3.4. Counters side by side in the workgroup's memory took 1.8 and 5.2 times as long
 * on lavapipe, 0.7 and 1.0 on SwiftShader. */
static void plan_cpu(plan *p, const telar_facts *facts, const tl_histogram_tuning *tuning)
{
    p->kernel = tl_wgsl_histogram_count_apart;
    p->rows = 1;
    p->workgroup_size = tl_device_workgroup_size(facts, or_default(tuning->workgroup_size, CPU_SIZE));
    p->counting = p->bins <= CPU_BINS_MAX ? COUNT_OWN : COUNT_NONE;
    p->copies = p->ranges = 1;
    p->range_bins = p->bins;
    p->of_group = p->workgroup_size;
    uint64_t share = p->counting == COUNT_OWN ? (uint64_t)CPU_BIN_SAMPLES * p->workgroup_size * p->bins : 0;
    if (share < CPU_GROUP_SAMPLES) share = CPU_GROUP_SAMPLES;
    uint64_t groups = telar_ceil_div(p->desc->length.count * p->channels, share);
    p->groups_max = tl_device_groups(facts, tuning->groups == 0 ? groups : tuning->groups);
}

static plan plan_of(const telar_prim *prim, const telar_histogram_desc *desc, const tl_histogram_tuning *tuning)
{
    plan p = {.desc = desc, .channels = or_default(desc->channels, 1)};
    p.bins = p.channels * desc->bins;
    if (tl_device_is_cpu(prim->facts)) plan_cpu(&p, prim->facts, tuning);
    else plan_gpu(&p, prim->facts, tuning);
    uint64_t row_pixels = UINT64_C(4) * samples[desc->sample].of_word;
    uint64_t tile = row_pixels * p.rows * p.workgroup_size / p.channels / p.ranges;
    p.tile = tile < PIXELS_STEP ? PIXELS_STEP : (uint32_t)(tile / PIXELS_STEP * PIXELS_STEP);
    return p;
}

/* A bin's word may hold how many have come beside their sum, where that is small enough. */
static uint32_t sum_bits_of(const tl_job *job, const plan *p, uint32_t tiling)
{
    const telar_histogram_desc *desc = p->desc;
    bool fits = p->counting != COUNT_NONE && p->bins <= BINS_FEW && tl_job_windows(job) == 1;
    if (!fits || desc->add || job->counted || desc->weights.buffer.id != 0 || desc->length.count == 0) return 0;
    uint64_t parts = tl_job_groups(job, tiling) / p->ranges * p->of_group;
    uint32_t sum_bits = 32 - bits_of(parts == 0 ? 1 : parts);
    return bits_of(desc->length.count) <= sum_bits ? sum_bits : 0;
}

/* ---- Which bin --------------------------------------------------------------------------------------------------- */

static void print_even_floats(tl_text *text, const telar_histogram_desc *desc)
{
    float lower = (float)desc->lower, upper = (float)desc->upper, scale = (float)desc->bins / (upper - lower);
    uint32_t lower_bits, scale_bits;
    if (desc->lower == 0 && desc->upper == 0) upper = (float)desc->bins, scale = 1;
    memcpy(&lower_bits, &lower, sizeof lower);
    memcpy(&scale_bits, &scale, sizeof scale);
    tl_text_format(text,
                   "fn bin_of(x: S) -> u32 {\n"
                   "    let key = ordered(x);\n"
                   "    let place = (x - bitcast<f32>(%uu)) * bitcast<f32>(%uu);\n"
                   "    return select(min(u32(place), BINS - 1u), NOWHERE, (key < %uu) | (key >= %uu));\n"
                   "}\n",
                   lower_bits, scale_bits, key_of_float(lower), key_of_float(upper));
}

/* The bin of d = x - lower, exactly. Where neither a shift, a division nor a product of 32 bits gives it, an estimate in
 * f32 is at most one off, and the first d of a bin is known exactly: width / bins = whole + rest / bins. */
static void print_even_integers(tl_text *text, const telar_histogram_desc *desc)
{
    int64_t lower = (int64_t)desc->lower, upper = (int64_t)desc->upper;
    if (lower == 0 && upper == 0) upper = desc->bins;
    uint64_t width = (uint64_t)(upper - lower);
    uint32_t bins = desc->bins, whole = (uint32_t)(width / bins), rest = (uint32_t)(width % bins);
    char drop[64];
    telar_out outside = {drop, sizeof drop, 0};
    if (width <= UINT32_MAX) tl_out_format(&outside, "d >= %uu", (uint32_t)width);
    else tl_out_text(&outside, "false");
    tl_text_format(text,
                   "fn bin_of(x: S) -> u32 {\n"
                   "    let d = bitcast<u32>(x) - %uu;\n"
                   "    return select(bin_of_distance(d), NOWHERE, %s);\n"
                   "}\n",
                   (uint32_t)lower, drop);
    if (rest == 0) {
        tl_text_format(text, "fn bin_of_distance(d: u32) -> u32 { return d / %uu; }\n", whole);
    } else if ((width - 1) * bins <= UINT32_MAX) {
        tl_text_format(text, "fn bin_of_distance(d: u32) -> u32 { return d * %uu / %uu; }\n", bins, (uint32_t)width);
    } else {
        tl_text_u32(text, "BIN_WHOLE", whole);
        tl_text_u32(text, "BIN_REST", rest);
        tl_text_format(text, "const BIN_SCALE = %u.0 / %llu.0;\n", bins, (unsigned long long)width);
        tl_text_add(text, tl_wgsl_histogram_nearest_bin);
    }
}

/* A byte that is its bin: the shift to its counter is folded into the one that extracts it. */
static void print_place_of_byte(tl_text *text, const plan *p)
{
    uint32_t shift = 0; /* copies are a power of two */
    while (UINT32_C(1) << shift < p->copies) shift++;
    tl_text_format(text,
                   "fn place_of(word: u32, k: u32) -> u32 {\n"
                   "    return select(word >> (8u * k - %uu), word << (%uu - 8u * k), 8u * k < %uu) & %uu;\n"
                   "}\n",
                   shift, shift, shift, 255u << shift);
}

static bool is_byte_its_bin(const telar_histogram_desc *desc)
{
    bool to_256 = desc->lower == 0 && (desc->upper == 0 || desc->upper == 256);
    return desc->sample == TELAR_SAMPLE_U8 && desc->bins == 256 && desc->edges.buffer.id == 0 && to_256;
}

static void print_bins(tl_text *text, const plan *p)
{
    const telar_histogram_desc *desc = p->desc;
    bool edges = desc->edges.buffer.id != 0, all_inside = is_byte_its_bin(desc);
    tl_text_format(text, "const ALL_INSIDE = %s;\n", all_inside ? "true" : "false");
    if (!edges) tl_text_add(text, "fn bins_prepare(local: u32) {}\n");
    if (all_inside) {
        print_place_of_byte(text, p);
        return;
    }
    tl_text_u32(text, "NOWHERE", UINT32_MAX);
    tl_text_format(text, "alias S = %s;\n", samples[desc->sample].type);
    tl_text_add(text, ordered_of(desc->sample));
    tl_text_format(text, "fn place_of(word: u32, k: u32) -> u32 { return bin_of(%s) * COPIES; }\n",
                   samples[desc->sample].extract);
    if (edges) {
        tl_text_u32(text, "EDGES", desc->bins + 1);
        tl_text_u32(text, "EDGES_HALF", tl_power_up_to(desc->bins + 1));
        tl_text_add(text, tl_wgsl_histogram_edges);
        tl_text_add(text, p->near_edges ? tl_wgsl_histogram_edges_near : tl_wgsl_histogram_edges_far);
    } else if (is_type(desc->sample, "f32")) {
        print_even_floats(text, desc);
    } else {
        print_even_integers(text, desc);
    }
}

/* ---- Kernels ----------------------------------------------------------------------------------------------------- */

typedef struct views {
    tl_view in, edges, weights, out;
} views;

/* Binds are listed as they are printed: their order is that of the bindings. */
typedef struct bind_list {
    tl_stage_bind items[TL_STAGE_BINDS_MAX];
    uint32_t count;
} bind_list;

static uint32_t add_bind(bind_list *list, tl_stage_bind bind)
{
    list->items[list->count] = bind;
    return list->count++;
}

static void print_counters(tl_text *text, const plan *p)
{
    static const char *const texts[] = {
        [COUNT_SHARED] = tl_wgsl_histogram_counters_shared,
        [COUNT_NONE] = tl_wgsl_histogram_counters_none,
        [COUNT_OWN] = tl_wgsl_histogram_counters_own,
    };
    tl_text_add(text, texts[p->counting]);
}

static void print_result(tl_text *text, const plan *p, const views *v, bind_list *binds)
{
    uint32_t binding = add_bind(binds, v->out.bind);
    if (p->sum_bits == 0) {
        tl_text_u32(text, "RESULT_FIRST", v->out.first);
        tl_text_add(text, tl_wgsl_histogram_deliver_add);
        return;
    }
    telar_buffer meeting = tl_job_kept(text->job, "meeting", p->bins, 4);
    add_bind(binds, tl_bind_whole(meeting));
    tl_text_view(text, "result", binding, &v->out, true);
    tl_text_u32(text, "SUM_BITS", p->sum_bits);
    tl_text_add(text, tl_wgsl_histogram_deliver_last);
}

static void print_weights(tl_text *text, const plan *p, const views *v, bind_list *binds)
{
    if (p->desc->weights.buffer.id == 0) {
        tl_text_add(text, "fn weight_of(pixel: u32) -> u32 { return 1u; }\n");
        return;
    }
    tl_text_view(text, "weights", add_bind(binds, v->weights.bind), &v->weights, false);
    tl_text_add(text, "fn weight_of(pixel: u32) -> u32 { return weights_item(pixel); }\n");
}

static tl_kernel count_kernel(tl_job *job, uint32_t tiling, const plan *p, const views *v, bind_list *binds)
{
    tl_text text = tl_text_begin(job, tiling, "histogram_count");
    tl_text_u32(&text, "WORKGROUP_SIZE", p->workgroup_size);
    tl_text_u32(&text, "ROWS", p->rows);
    tl_text_u32(&text, "COPIES", p->copies);
    tl_text_u32(&text, "RANGES", p->ranges);
    tl_text_u32(&text, "RANGE_BINS", p->range_bins);
    tl_text_u32(&text, "KEPT_BINS", p->range_bins);
    tl_text_u32(&text, "CHANNELS", p->channels);
    tl_text_u32(&text, "BINS", p->desc->bins);
    tl_text_u32(&text, "WORD_SAMPLES", samples[p->desc->sample].of_word);
    tl_text_type(&text, &v->in.type);
    tl_text_view(&text, "source", add_bind(binds, v->in.bind), &v->in, false);
    print_result(&text, p, v, binds);
    print_weights(&text, p, v, binds);
    if (p->desc->edges.buffer.id != 0) {
        tl_text_view(&text, "edge", add_bind(binds, v->edges.bind), &v->edges, false);
    }
    print_bins(&text, p);
    print_counters(&text, p);
    tl_text_add(&text, tl_wgsl_histogram_sample);
    tl_text_add(&text, p->kernel);
    return tl_text_end(&text);
}

static tl_kernel clear_kernel(tl_job *job, uint32_t tiling, const plan *p, const views *v)
{
    tl_text text = tl_text_begin(job, tiling, "histogram_clear");
    tl_text_u32(&text, "WORKGROUP_SIZE", tl_device_workgroup_size(job->prim->facts, 256));
    tl_text_u32(&text, "BINS", p->bins);
    tl_text_view(&text, "result", 0, &v->out, true);
    tl_text_add(&text, tl_wgsl_histogram_clear);
    return tl_text_end(&text);
}

/* ---- The call ---------------------------------------------------------------------------------------------------- */

static bool is_whole(double x)
{
    return x == floor(x);
}

static void check_range(tl_job *job, const telar_histogram_desc *desc)
{
    double lower = desc->lower, upper = desc->upper;
    bool edges = desc->edges.buffer.id != 0, own = lower != 0 || upper != 0;
    if (edges && own) {
        tl_job_fail(job, TELAR_INVALID_ARGUMENT, "there are edges and a range; give one of them");
    } else if (own && !(lower < upper && isfinite(lower) && isfinite(upper))) {
        tl_job_fail(job, TELAR_INVALID_ARGUMENT, "lower must be below upper, and both finite");
    } else if (is_type(desc->sample, "f32")) {
        float scale = (float)desc->bins / ((float)upper - (float)lower);
        if (own && !(isfinite(scale) && scale > 0))
            tl_job_fail(job, TELAR_INVALID_ARGUMENT, "lower and upper are too near or too far for f32");
    } else {
        double least = is_type(desc->sample, "i32") ? -0x1p31 : 0,
               most = is_type(desc->sample, "i32") ? 0x1p31 : 0x1p32;
        if (!is_whole(lower) || !is_whole(upper) || lower < least || upper > most)
            tl_job_fail(job, TELAR_INVALID_ARGUMENT, "lower and upper of integers must be whole and in their range");
    }
}

static void check(tl_job *job, const telar_histogram_desc *desc)
{
    if (desc->bins < 2 || desc->bins > TELAR_BINS_MAX) {
        tl_job_fail_limit(job, TELAR_INVALID_ARGUMENT, desc->bins, TELAR_BINS_MAX, "%u bins; there are 2 to %u",
                          desc->bins, TELAR_BINS_MAX);
    } else if (desc->channels > CHANNELS_MAX) {
        tl_job_fail_limit(job, TELAR_INVALID_ARGUMENT, desc->channels, CHANNELS_MAX, "%u channels; there are 1 to %u",
                          desc->channels, CHANNELS_MAX);
    } else if ((uint32_t)desc->sample >= TL_COUNT(samples)) {
        tl_job_fail(job, TELAR_INVALID_ARGUMENT, "there is no sample %u", (uint32_t)desc->sample);
    } else {
        check_range(job, desc);
    }
}

/* Samples are bound as words, whatever they are, and cut at pixels. */
static tl_view view_samples(tl_job *job, const plan *p, const tl_type_facts *word)
{
    const telar_histogram_desc *desc = p->desc;
    uint32_t of_word = samples[desc->sample].of_word, pixel_bytes = 4 / of_word * p->channels;
    uint64_t words = telar_ceil_div(desc->length.count * p->channels, of_word);
    tl_view view = tl_job_view_whole(job, "in", word, desc->in, words);
    uint64_t bytes = telar_usable_binding_bytes(job->prim->facts, 4), lost = 4 * ((uint64_t)view.first + 4);
    uint64_t most = bytes < lost ? 0 : (bytes - lost) / pixel_bytes;
    if (most > PIXELS_MAX) most = PIXELS_MAX;
    if (most < job->window_elements) job->window_elements = most;
    view.bind.element_bytes = pixel_bytes;
    view.bind.lead_bytes = 4 * view.first;
    return view;
}

static views views_of(tl_job *job, const plan *p)
{
    const telar_histogram_desc *desc = p->desc;
    tl_type_facts word = tl_job_type(job, (telar_type){"u32", NULL});
    tl_type_facts edge = tl_job_type(job, (telar_type){samples[desc->sample].type, NULL});
    views v = {.in = view_samples(job, p, &word), .out = tl_job_view_whole(job, "out", &word, desc->out, p->bins)};
    v.out.rows = false; /* neighbours write neighbouring words */
    if (desc->edges.buffer.id != 0) v.edges = tl_job_view_whole(job, "edges", &edge, desc->edges, desc->bins + 1);
    if (desc->weights.buffer.id != 0) v.weights = tl_job_view(job, "weights", &word, desc->weights, desc->length.count);
    return v;
}

static void clear(tl_job *job, const plan *p, const views *v, uint32_t alone)
{
    if (p->bins > BINS_FEW) {
        telar_record_clear(job->record, p->desc->out.buffer, p->desc->out.offset_bytes, 4 * (uint64_t)p->bins);
        return;
    }
    tl_kernel kernel = clear_kernel(job, alone, p, v);
    tl_job_launch(job, &kernel, &v->out.bind, 1);
}

void tl_record_histogram_tuned(telar_record *record, const telar_prim *prim, const telar_histogram_desc *desc,
                               const tl_histogram_tuning *tuning)
{
    tl_job job = tl_job_begin(record, prim, "histogram", desc->length);
    check(&job, desc);
    if (tl_job_failed(&job)) {
        tl_job_end(&job);
        return;
    }
    plan p = plan_of(prim, desc, tuning);
    views v = views_of(&job, &p);
    uint32_t tiles = tl_job_tiling(&job, (tl_tiling){.elements = p.tile, .groups_max = p.groups_max});
    uint32_t alone = tl_job_tiling(&job, (tl_tiling){0});
    tl_job_prepare(&job);
    p.sum_bits = sum_bits_of(&job, &p, tiles);
    bind_list binds = {0};
    tl_kernel count = count_kernel(&job, tiles, &p, &v, &binds);
    if (!desc->add && p.sum_bits == 0) clear(&job, &p, &v, alone);
    tl_job_launch(&job, &count, binds.items, binds.count);
    tl_job_end(&job);
}

void telar_record_histogram(telar_record *record, const telar_prim *prim, const telar_histogram_desc *desc)
{
    tl_record_histogram_tuned(record, prim, desc, &(tl_histogram_tuning){0});
}
