/* SPDX-License-Identifier: MIT
 *
 * scan: the call. */
#include "prim/scan.h"

#include <string.h>

enum {
    ALONE_TURNS_MAX = 2, /* a turn takes about as long as a dispatch */
};

/* ---- The choice -------------------------------------------------------------------------------------------------- */

static bool same_array(const tl_view *a, const tl_view *b)
{
    return a->bind.bind.buffer.id == b->bind.bind.buffer.id && a->bind.bind.offset_bytes == b->bind.bind.offset_bytes &&
           a->first == b->first;
}

/* Why a look-back cannot be had; NULL: it can. */
static const char *against_look_back(const tl_scan *s)
{
    const tl_type_facts *value = &s->values.held;
    tl_scan_shape shape = tl_scan_shape_of(s, TL_SCAN_LOOK_BACK);
    if (!value->scalar || value->is_float) return "what is combined is not a u32 or i32";
    if (s->job.counted) return "the length is on the GPU";
    if (s->in_place) return "it is in place";
    if (tl_job_windows(&s->job) > 1) return "the data exceed one binding";
    if (telar_ceil_div(s->job.length.count, shape.tile) > TL_LOOK_BACK_TILES_MAX)
        return "there are more than 2^17 tiles";
    if (s->job.lanes == 1) return "the device has no subgroups of one known size";
    if (!tl_device_has_progress(s->job.prim->facts)) return "the device is not known to let waiting workgroups go on";
    return NULL;
}

static tl_scan_form choose(tl_scan *s)
{
    const char *against = against_look_back(s);
    bool asked = s->desc->way == TELAR_SCAN_LOOK_BACK;
    tl_scan_shape alone = tl_scan_shape_of(s, TL_SCAN_ALONE);
    if (asked && against != NULL) tl_job_fail(&s->job, TELAR_UNSUPPORTED, "a look-back cannot be had: %s", against);
    bool tuned = s->tuning.size != 0;
    if (!tuned && s->job.length.count <= (uint64_t)ALONE_TURNS_MAX * alone.tile) return TL_SCAN_ALONE;
    if (asked || (s->desc->way == TELAR_SCAN_AUTO && against == NULL)) return TL_SCAN_LOOK_BACK;
    return tl_device_is_cpu(s->job.prim->facts) && !tuned ? TL_SCAN_APART : TL_SCAN_DETERMINISTIC;
}

/* ---- Segments ---------------------------------------------------------------------------------------------------- */

/* An array of a number an element, read in rows as long as the elements'. */
static tl_view view_beside(tl_scan *s, const char *name, telar_type type, telar_array array)
{
    tl_type_facts facts = tl_job_type(&s->job, type);
    tl_view view = tl_job_view(&s->job, name, &facts, array, s->job.length.count);
    view.rows = view.rows && s->type.row == 4;
    view.type.row = s->type.row;
    return view;
}

/* What is combined where there are segments: a value, and whether a segment begins in what it is the sum of. */
static tl_type_facts segment_type(tl_scan *s)
{
    telar_arena *arena = s->job.prim->arena;
    const telar_type *type = &s->values.held.type;
    const char *wgsl = type->wgsl == NULL ? "" : type->wgsl;
    size_t cap = strlen(wgsl) + strlen(type->name) + 128;
    char *text = TL_ARENA_ARRAY(arena, char, cap);
    if (text == NULL) {
        tl_job_fail(&s->job, TELAR_NO_SPACE, "the arena is too small");
        return s->values.held;
    }
    telar_out out = {text, cap, 0};
    tl_out_format(&out, "%s\nstruct Segment { head: u32, value: %s }\n", wgsl, type->name);
    return tl_job_type(&s->job, (telar_type){"Segment", text});
}

static tl_segments_kind kind_of(const telar_segments *segments)
{
    if (segments->heads.buffer.id != 0) return TL_BY_HEADS;
    if (segments->keys.buffer.id != 0) return TL_BY_KEYS;
    return segments->offsets.buffer.id != 0 ? TL_BY_OFFSETS : TL_NO_SEGMENTS;
}

static void find_segments(tl_scan *s)
{
    const telar_segments *segments = &s->desc->segments;
    if ((segments->heads.buffer.id != 0) + (segments->keys.buffer.id != 0) + (segments->offsets.buffer.id != 0) > 1) {
        tl_job_fail(&s->job, TELAR_INVALID_ARGUMENT, "segments are by heads, by keys or by offsets, not by several");
    }
    s->segments = kind_of(segments);
    s->sums = s->segments == TL_NO_SEGMENTS ? s->values.held : segment_type(s);
    if (s->segments == TL_BY_HEADS) s->parts = view_beside(s, "heads", (telar_type){0}, segments->heads);
    if (s->segments == TL_BY_KEYS) s->parts = view_beside(s, "keys", segments->key_type, segments->keys);
    if (s->segments == TL_BY_KEYS && s->parts.type.number == NULL) {
        tl_job_fail(&s->job, TELAR_UNSUPPORTED, "keys of type '%s' are neither numbers nor vectors of them",
                    s->parts.type.type.name);
    }
    bool whole = s->segments == TL_BY_KEYS || s->segments == TL_BY_OFFSETS;
    if (whole && tl_job_windows(&s->job) > 1) {
        tl_job_fail_limit(&s->job, TELAR_LIMIT_EXCEEDED, s->job.length.count, s->job.window_elements,
                          "by keys or offsets %llu elements exceed what one binding holds (%llu); give heads",
                          (unsigned long long)s->job.length.count, (unsigned long long)s->job.window_elements);
    }
    if (s->segments == TL_BY_OFFSETS) tl_scan_make_marks(s);
}

/* ---- A call ------------------------------------------------------------------------------------------------------ */

void tl_record_scan_tuned(telar_record *record, const telar_prim *prim, const telar_scan_desc *desc,
                          const tl_scan_tuning *tuning)
{
    static void (*const forms[])(tl_scan *) = {[TL_SCAN_ALONE] = tl_scan_alone,
                                               [TL_SCAN_DETERMINISTIC] = tl_scan_deterministic,
                                               [TL_SCAN_APART] = tl_scan_apart,
                                               [TL_SCAN_LOOK_BACK] = tl_scan_look_back};
    tl_scan s = {.job = tl_job_begin(record, prim, "scan", desc->length), .desc = desc, .tuning = *tuning};
    s.type = tl_job_type(&s.job, desc->type);
    s.in = tl_job_view(&s.job, "in", &s.type, desc->in, desc->length.count);
    s.out = tl_job_view(&s.job, "out", &s.type, desc->out, desc->length.count);
    s.in_place = same_array(&s.in, &s.out);
    if (desc->initial != NULL && desc->initial_word.buffer.id != 0) {
        tl_job_fail(&s.job, TELAR_INVALID_ARGUMENT, "there are two initial values, of which one is on the GPU");
    }
    if (desc->initial_word.buffer.id != 0) {
        s.initial = tl_job_view_whole(&s.job, "initial_word", &s.type, desc->initial_word, 1);
    }
    s.values = tl_accumulator_of(&s.job, &s.type, &(telar_reduction){.op = desc->op});
    find_segments(&s);
    forms[choose(&s)](&s);
    tl_job_end(&s.job);
}

void telar_record_scan(telar_record *record, const telar_prim *prim, const telar_scan_desc *desc)
{
    tl_record_scan_tuned(record, prim, desc, &(tl_scan_tuning){0});
}
