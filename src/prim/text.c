/* SPDX-License-Identifier: MIT
 *
 * Kernels out of a prelude and files: printed, read by our own reader (so that a mistake in the caller's WGSL has a line
 * and a message), unrolled, described, recorded. */
#include "prim/prim.h"
#include "weave/weave.h"

#include <string.h>

/* ---- Printing ---------------------------------------------------------------------------------------------------- */

enum {
    PARAMS_GROUP = 1
};

static bool takes_immediates(const tl_job *job)
{
    return job->prim->dialect.immediates && !job->counted;
}

tl_text tl_text_begin(tl_job *job, uint32_t tiling, const char *name)
{
    return tl_text_begin_directed(job, tiling, name, "");
}

tl_text tl_text_begin_directed(tl_job *job, uint32_t tiling, const char *name, const char *directives)
{
    telar_arena *arena = job->prim->arena;
    tl_text text = {.job = job, .name = name, .tiling = tiling};
    /* The text is read twice and printed once more; what is read takes about ten times the text. */
    size_t room = (arena->cap - arena->used) / 32;
    text.out = (telar_out){.data = TL_ARENA_ARRAY(arena, char, room), .cap = room};
    if (job->lanes > 1 && job->prim->dialect.subgroups == TELAR_SUBGROUPS_ENABLE) {
        tl_out_text(&text.out, "enable subgroups;\n");
    }
    if (job->prim->dialect.f16) tl_out_text(&text.out, "enable f16;\n");
    tl_out_text(&text.out, directives);
    tl_print_launch_block(
        (tl_launch_place){.kind = takes_immediates(job) ? TELAR_PARAMS_IMMEDIATE : TELAR_PARAMS_UNIFORM,
                          .group = PARAMS_GROUP},
        &text.out);
    tl_text_u32(&text, "LANES", job->lanes);
    tl_text_format(&text, "fn group_base() -> u32 { return %s; }\n", job->counted ? "0u" : "telar_launch.base");
    tl_text_add(&text, tl_wgsl_group_number);
    return text;
}

void tl_text_add(tl_text *text, const char *wgsl)
{
    tl_out_text(&text->out, wgsl);
}

void tl_text_add_own(tl_text *text, const char *wgsl)
{
    text->own = true;
    tl_out_text(&text->out, wgsl);
    tl_out_text(&text->out, "\n");
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static const char *renamed(tl_str word, const tl_rename *renames, size_t renames_count)
{
    for (size_t k = 0; k < renames_count; k++) {
        if (strlen(renames[k].from) == word.len && memcmp(renames[k].from, word.data, word.len) == 0) {
            return renames[k].to;
        }
    }
    return NULL;
}

void tl_text_rename(tl_text *text, size_t from, const tl_rename *renames, size_t renames_count)
{
    telar_arena *arena = text->job->prim->arena;
    size_t used = arena->used, len = text->out.len - from;
    if (text->out.len > text->out.cap) return;
    char *old = TL_ARENA_ARRAY(arena, char, len + 1);
    if (old == NULL) {
        tl_job_fail(text->job, TELAR_NO_SPACE, "the arena is too small");
        return;
    }
    memcpy(old, text->out.data + from, len);
    text->out.len = from;
    for (size_t at = 0; at < len;) {
        tl_str word = {old + at, 0};
        while (is_word(old[at + word.len])) word.len++;
        const char *to = renamed(word, renames, renames_count);
        if (word.len == 0) word.len = 1;
        if (to != NULL) tl_out_text(&text->out, to);
        else tl_out_bytes(&text->out, word.data, word.len);
        at += word.len;
    }
    arena->used = used;
}

void tl_text_format(tl_text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    tl_out_vformat(&text->out, format, args);
    va_end(args);
}

void tl_text_u32(tl_text *text, const char *constant, uint32_t value)
{
    tl_text_format(text, "const %s = %uu;\n", constant, value);
}

void tl_text_type(tl_text *text, const tl_type_facts *type)
{
    if (tl_job_failed(text->job)) return; /* what is printed may not exist */
    if (type->type.wgsl != NULL) tl_text_add_own(text, type->type.wgsl);
    if (strcmp(type->type.name, "T") != 0) tl_text_format(text, "alias T = %s;\n", type->type.name);
    tl_text_u32(text, "ROW", type->row);
    text->t = type->type.name;
}

void tl_text_offsets(tl_text *text, uint32_t subgroups)
{
    tl_text_u32(text, "SUBGROUPS", subgroups);
    tl_text_add(text, subgroups <= text->job->lanes ? tl_wgsl_workgroup_offsets_lanes : tl_wgsl_workgroup_offsets);
}

void tl_text_operator(tl_text *text, const tl_type_facts *type, telar_operator op)
{
    if (tl_job_failed(text->job)) return; /* what is printed may not exist */
    tl_operator_print(text, type, op);
}

void tl_text_choice(tl_text *text, const char *function, const char *type, const tl_type_facts *facts)
{
    /* Without a branch where WGSL can: some compilers take very long over many. */
    tl_text_format(text, "fn %s(condition: bool, yes: %s, no: %s) -> %s { %s }\n", function, type, type, type,
                   facts->number != NULL ? "return select(no, yes, condition);"
                                         : "if (condition) { return yes; } return no;");
}

/* ---- Arrays ------------------------------------------------------------------------------------------------------ */

typedef struct view_printer {
    tl_text *text;
    const char *name;
    const tl_view *view;
    const char *type;
} view_printer;

/* naga takes an alias for a type of its own where an array is made of it: T has to be called so everywhere. */
static const char *spelled(const tl_text *text, const char *type)
{
    return text->t != NULL && strcmp(text->t, type) == 0 ? "T" : type;
}

/* `i` counted from the bind's offset. */
static void print_rows_view(view_printer p, bool written)
{
    const char *name = p.name, *type = p.type;
    uint32_t first = p.view->first / 4;
    tl_text_format(
        p.text,
        "fn %s_item(i: u32) -> %s { return %s[i / 4u + %uu][i %% 4u]; }\n"
        "fn %s_row(i: u32) -> array<%s, 4> { let v = %s[i + %uu]; return array<%s, 4>(v.x, v.y, v.z, v.w); }\n",
        name, type, name, first, name, type, name, first, type);
    if (!written) return;
    tl_text_format(p.text,
                   "fn %s_put(i: u32, value: %s) { %s[i / 4u + %uu][i %% 4u] = value; }\n"
                   "fn %s_put_row(i: u32, row: array<%s, 4>) { %s[i + %uu] = vec4(row[0], row[1], row[2], row[3]); }\n",
                   name, type, name, first, name, type, name, first);
}

static void print_items_view(view_printer p, bool written)
{
    const char *name = p.name, *type = p.type;
    uint32_t first = p.view->first, row = p.view->type.row;
    tl_text_format(p.text, "fn %s_item(i: u32) -> %s { return %s[i + %uu]; }\n", name, type, name, first);
    tl_text_format(p.text, "fn %s_row(i: u32) -> array<%s, %u> { return array<%s, %u>(", name, type, row, type, row);
    for (uint32_t k = 0; k < row; k++) {
        tl_text_format(p.text, "%s%s[%uu * i + %uu]", k == 0 ? "" : ", ", name, row, first + k);
    }
    tl_text_add(p.text, "); }\n");
    if (!written) return;
    tl_text_format(p.text, "fn %s_put(i: u32, value: %s) { %s[i + %uu] = value; }\n", name, type, name, first);
    tl_text_format(p.text, "fn %s_put_row(i: u32, row: array<%s, %u>) {", name, type, row);
    for (uint32_t k = 0; k < row; k++) {
        tl_text_format(p.text, " %s[%uu * i + %uu] = row[%u];", name, row, first + k, k);
    }
    tl_text_add(p.text, " }\n");
}

void tl_text_view(tl_text *text, const char *name, uint32_t binding, const tl_view *view, bool written)
{
    if (tl_job_failed(text->job)) return; /* what is printed may not exist */
    const char *type = spelled(text, view->type.type.name);
    tl_text_format(text, "@group(0) @binding(%u) var<storage, %s> %s: array<", binding, written ? "read_write" : "read",
                   name);
    tl_text_format(text, view->rows ? "vec4<%s>>;\n" : "%s>;\n", type);
    view_printer printer = {text, name, view, type};
    if (view->rows) print_rows_view(printer, written);
    else print_items_view(printer, written);
}

/* ---- The kernel -------------------------------------------------------------------------------------------------- */

/* The launch block is filled by the host, or bound like any other. */
static void take_out_launch(telar_kernel_desc *desc)
{
    telar_binding *bindings = (telar_binding *)desc->bindings;
    uint32_t kept = 0;
    for (uint32_t k = 0; k < desc->bindings_count; k++) {
        if (strcmp(bindings[k].name, "telar_launch") != 0) bindings[kept++] = bindings[k];
    }
    desc->bindings_count = kept;
}

static bool binds_launch(const telar_kernel_desc *desc)
{
    for (uint32_t k = 0; k < desc->bindings_count; k++) {
        if (strcmp(desc->bindings[k].name, "telar_launch") == 0) return true;
    }
    return false;
}

static telar_status make(tl_text *text, tl_kernel *kernel, telar_diag *diag)
{
    telar_arena *arena = text->job->prim->arena;
    telar_wgsl *module;
    TELAR_TRY(telar_out_status(&text->out) == TELAR_OK ? TELAR_OK
                                                       : tl_fail(diag, TELAR_NO_SPACE, "the arena is too small"));
    TELAR_TRY(telar_wgsl_read(text->out.data, text->out.len, arena, &module, diag));
    tl_str straight = {text->out.data, text->out.len};
    if (!text->woven) {
        TELAR_TRY(tl_unroll(module, arena, &straight, diag));
        TELAR_TRY(telar_wgsl_read(straight.data, straight.len, arena, &module, diag));
    }
    bool immediates = takes_immediates(text->job);
    telar_weave_desc weave = {.module = module};
    TELAR_TRY(tl_kernel_describe(module, text->name, &weave, immediates ? 4 * TELAR_LAUNCH_WORDS : 0, arena,
                                 &kernel->desc, diag));
    kernel->desc.wgsl = straight.data;
    kernel->desc.wgsl_bytes = straight.len;
    kernel->desc.trusted = !text->own;
    if (text->job->counted && text->job->tilings[text->tiling].elements == 0) {
        kernel->launch_bound = binds_launch(&kernel->desc);
        return TELAR_OK;
    }
    take_out_launch(&kernel->desc);
    kernel->desc.params_kind = immediates ? TELAR_PARAMS_IMMEDIATE : TELAR_PARAMS_UNIFORM;
    kernel->desc.params_group = immediates ? 0 : PARAMS_GROUP;
    kernel->desc.params_words = TELAR_LAUNCH_WORDS;
    return TELAR_OK;
}

tl_kernel tl_text_end(tl_text *text)
{
    tl_job *job = text->job;
    tl_kernel kernel = {.tiling = text->tiling};
    telar_diag diag = {0};
    if (tl_job_failed(job)) return kernel;
    if (make(text, &kernel, &diag) != TELAR_OK) {
        tl_job_fail_limit(job, diag.status, diag.got, diag.limit, "kernel '%s': %s", text->name, diag.text);
        return kernel;
    }
    kernel.handle = telar_record_kernel(job->record, &kernel.desc);
    return kernel;
}
