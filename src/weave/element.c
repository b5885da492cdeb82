/* SPDX-License-Identifier: MIT
 *
 * The entry point around an element function: which elements an invocation calls it for, and the guards. A full group
 * runs its items unrolled and unguarded; a group at the border guards each. Where that does not pay, items are a loop. The
 * index formulas are those of plan.h. */
#include "weave/weave.h"

/* How the index of one, two or three dimensions is written. */
typedef struct index_form {
    const char *type;    /* of the index */
    const char *swizzle; /* of vec3u values: count, workgroup id */
    const char *local;   /* the invocation within its group */
} index_form;

static const index_form index_forms[] = {
    {"u32", ".x", "telar_local"},
    {"vec2u", ".xy", "telar_local.xy"},
    {"vec3u", ".xyz", "telar_local.xyz"},
};

typedef struct printer {
    const tl_element_entry *entry;
    const telar_plan *plan;
    index_form form;
    telar_out *out;
    unsigned indent;
} printer;

static void line_begin(const printer *p)
{
    for (unsigned k = 0; k < p->indent; k++) tl_out_text(p->out, "    ");
}

#define LINE(p, ...)                                                                                                   \
    do {                                                                                                               \
        line_begin(p);                                                                                                 \
        tl_out_format((p)->out, __VA_ARGS__);                                                                          \
        tl_out_text((p)->out, "\n");                                                                                   \
    } while (0)

static uint32_t invocations(const telar_plan *plan)
{
    return plan->workgroup_size[0] * plan->workgroup_size[1] * plan->workgroup_size[2];
}

/* Elements that a group covers, along each axis of the domain, as a constant of the index type. */
static void out_tile_size(const printer *p)
{
    const telar_plan *plan = p->plan;
    if (plan->dimensions == 1) {
        tl_out_format(p->out, "%uu", invocations(plan) * plan->items);
        return;
    }
    tl_out_format(p->out, "%s(%u, %u", p->form.type, plan->workgroup_size[0] * plan->items, plan->workgroup_size[1]);
    if (plan->dimensions == 3) tl_out_format(p->out, ", %u", plan->workgroup_size[2]);
    tl_out_text(p->out, ")");
}

/* Elements between an item and the next, along x. */
static uint32_t item_step(const telar_plan *plan)
{
    return plan->dimensions == 1 ? invocations(plan) : plan->workgroup_size[0];
}

/* `telar_first + offset`, the offset along x. */
static void out_item_index(const printer *p, const char *offset)
{
    if (p->plan->dimensions == 1) tl_out_format(p->out, "telar_first + %s", offset);
    else
        tl_out_format(p->out, "telar_first + %s(%s, 0%s)", p->form.type, offset, p->plan->dimensions == 3 ? ", 0" : "");
}

static void out_call_begin(const printer *p)
{
    tl_out_format(p->out, "%.*s(%s", TL_STR_ARGS(p->entry->function), p->entry->based ? "telar_launch.base + " : "");
}

static void print_full_group(const printer *p)
{
    for (uint32_t item = 0; item < p->plan->items; item++) {
        char offset[16];
        telar_out text = {offset, sizeof offset, 0};
        tl_out_format(&text, "%uu", item * item_step(p->plan));
        line_begin(p);
        out_call_begin(p);
        if (item == 0) tl_out_text(p->out, "telar_first");
        else out_item_index(p, offset);
        tl_out_text(p->out, ");\n");
    }
}

static void out_guard(const printer *p, const char *index)
{
    if (p->plan->dimensions == 1) tl_out_format(p->out, "%s < telar_launch.count.x", index);
    else tl_out_format(p->out, "all(%s < telar_launch.count%s)", index, p->form.swizzle);
}

static void print_guarded_call(const printer *p, const char *index)
{
    line_begin(p);
    tl_out_text(p->out, "if (");
    out_guard(p, index);
    tl_out_text(p->out, ") { ");
    out_call_begin(p);
    tl_out_format(p->out, "%s); }\n", index);
}

static void print_border_group(printer *p)
{
    LINE(p, "for (var telar_item = 0u; telar_item < %uu; telar_item++) {", p->plan->items);
    p->indent++;
    char offset[32];
    telar_out text = {offset, sizeof offset, 0};
    tl_out_format(&text, "telar_item * %uu", item_step(p->plan));
    line_begin(p);
    tl_out_text(p->out, "let telar_index = ");
    out_item_index(p, offset);
    tl_out_text(p->out, ";\n");
    print_guarded_call(p, "telar_index");
    p->indent--;
    LINE(p, "}");
}

static void print_loop(const printer *p, const char *variable, const char *first, const char *end, tl_str function)
{
    LINE(p, "for (var %s = %s + telar_local; %s < %s; %s += %uu) { %.*s(%s); }", variable, first, variable, end,
         variable, item_step(p->plan), TL_STR_ARGS(function), variable);
}

/* The last group alone may have elements that are no whole row. */
static void print_looped_group(const printer *p)
{
    uint32_t tile = invocations(p->plan) * p->plan->items;
    LINE(p, "let telar_first = telar_tile * %uu;", tile);
    LINE(p, "let telar_end = min(telar_launch.count.x, telar_first + %uu);", tile);
    if (p->entry->function_of_row.len == 0) {
        print_loop(p, "telar_index", "telar_first", "telar_end", p->entry->function);
        return;
    }
    LINE(p, "let telar_end_row = telar_end / %uu;", TL_ELEMENT_ROW);
    LINE(p, "let telar_rest = telar_end_row * %uu;", TL_ELEMENT_ROW);
    LINE(p, "let telar_first_row = telar_first / %uu;", TL_ELEMENT_ROW);
    print_loop(p, "telar_row", "telar_first_row", "telar_end_row", p->entry->function_of_row);
    print_loop(p, "telar_index", "telar_rest", "telar_end", p->entry->function);
}

/* The elements of group telar_tile. */
static void print_group(printer *p)
{
    if (p->entry->looped) {
        print_looped_group(p);
        return;
    }
    line_begin(p);
    tl_out_text(p->out, "let telar_first = telar_tile * ");
    out_tile_size(p);
    tl_out_format(p->out, " + %s;\n", p->form.local);
    if (p->plan->items == 1) {
        print_guarded_call(p, "telar_first");
        return;
    }
    line_begin(p);
    tl_out_text(p->out, p->plan->dimensions == 1 ? "if (" : "if (all(");
    tl_out_format(p->out, "telar_tile < telar_launch.count%s / ", p->form.swizzle);
    out_tile_size(p);
    tl_out_text(p->out, p->plan->dimensions == 1 ? ") {\n" : ")) {\n");
    p->indent++;
    print_full_group(p);
    p->indent--;
    LINE(p, "} else {");
    p->indent++;
    print_border_group(p);
    p->indent--;
    LINE(p, "}");
}

/* telar_tile, the group's place in the grid of groups, from its number: x first. */
static void print_tile_of_number(const printer *p)
{
    const telar_plan *plan = p->plan;
    if (plan->dimensions == 1) {
        LINE(p, "let telar_tile = telar_group;");
        return;
    }
    uint32_t x = plan->workgroup_size[0] * plan->items;
    LINE(p, "let telar_columns = telar_launch.count.x / %uu + u32(telar_launch.count.x %% %uu != 0);", x, x);
    if (plan->dimensions == 2) {
        LINE(p, "let telar_tile = vec2u(telar_group %% telar_columns, telar_group / telar_columns);");
        return;
    }
    uint32_t y = plan->workgroup_size[1];
    LINE(p, "let telar_lines = telar_launch.count.y / %uu + u32(telar_launch.count.y %% %uu != 0);", y, y);
    LINE(p, "let telar_tile = vec3u(telar_group %% telar_columns, telar_group / telar_columns %% telar_lines,");
    LINE(p, "                       telar_group / (telar_columns * telar_lines));");
}

static void print_linear(printer *p)
{
    LINE(p, "let telar_tile = telar_workgroup%s;", p->form.swizzle);
    print_group(p);
}

static void print_group_number(const printer *p, const char *declaration)
{
    line_begin(p);
    tl_out_format(p->out, "%s telar_group = ", declaration);
    tl_print_group_number(p->plan->shape, p->out);
    tl_out_text(p->out, ";\n");
    /* The last row of a fold is not full, and an element index could wrap past 2^32 and come back inside. */
    LINE(p, "if (telar_group >= telar_launch.groups) { return; }");
}

static void print_fold(printer *p)
{
    print_group_number(p, "let");
    print_tile_of_number(p);
    print_group(p);
}

/* Goes on by all the groups of the launch; the comparison is written so that it cannot wrap. */
static void print_stride(printer *p)
{
    print_group_number(p, "var");
    LINE(p, "loop {");
    p->indent++;
    print_tile_of_number(p);
    print_group(p);
    LINE(p, "if (telar_launch.groups - telar_group <= telar_launch.stride) { break; }");
    LINE(p, "telar_group += telar_launch.stride;");
    p->indent--;
    LINE(p, "}");
}

void tl_print_element_entry(const tl_element_entry *entry, telar_out *out)
{
    const telar_plan *plan = entry->plan;
    printer p = {.entry = entry, .plan = plan, .form = index_forms[plan->dimensions - 1], .out = out};
    const uint32_t *size = plan->workgroup_size;
    LINE(&p, "@compute @workgroup_size(%u, %u, %u)", size[0], size[1], size[2]);
    LINE(&p, "fn %s(@builtin(workgroup_id) telar_workgroup: vec3u,", entry->name);
    LINE(&p, "              @builtin(%s) telar_local: %s) {",
         plan->dimensions == 1 ? "local_invocation_index" : "local_invocation_id",
         plan->dimensions == 1 ? "u32" : "vec3u");
    p.indent++;
    if (entry->canary) tl_print_canary(plan->dimensions == 1 ? "telar_local == 0" : "all(telar_local == vec3u())", out);
    switch (plan->shape) {
    case TELAR_SHAPE_FOLD: print_fold(&p); break;
    case TELAR_SHAPE_STRIDE: print_stride(&p); break;
    case TELAR_SHAPE_AUTO:
    case TELAR_SHAPE_EMPTY:
    case TELAR_SHAPE_LINEAR: print_linear(&p); break;
    }
    p.indent--;
    LINE(&p, "}");
}
