/* SPDX-License-Identifier: MIT
 *
 * Folding an ordinary kernel. Its entry point takes the folded workgroup id, and rebuilds at its top, under the user's
 * own names, every id that the unfolded launch would have had: whatever the kernel computes from them stays right. */
#include "weave/weave.h"

/* A built-in input and the expression that rebuilds it. telar_id is the unfolded workgroup id, telar_groups the unfolded
 * launch. Those with parameter keep the value that the device gives: the group itself is not changed. */
typedef struct rebuilt {
    const char *builtin;
    const char *expression;
    const char *parameter_type; /* of the parameter that carries it; NULL: computed */
} rebuilt;

static const rebuilt rebuilds[] = {
    {"workgroup_id", "telar_id", NULL},
    {"num_workgroups", "telar_groups", NULL},
    {"global_invocation_id", "telar_id * telar_size + telar_local", NULL},
    {"workgroup_index", "telar_group", NULL},
    {"local_invocation_id", "telar_local", "vec3u"},
    {"local_invocation_index", "telar_local_index", "u32"},
    {"subgroup_size", "telar_subgroup_size", "u32"},
    {"subgroup_invocation_id", "telar_subgroup_invocation_id", "u32"},
    {"subgroup_id", "telar_subgroup_id", "u32"},
    {"num_subgroups", "telar_num_subgroups", "u32"},
};

static const rebuilt *find_rebuilt(tl_str builtin)
{
    for (size_t k = 0; k < TL_COUNT(rebuilds); k++) {
        if (tl_str_equal(builtin, tl_str_of(rebuilds[k].builtin))) return &rebuilds[k];
    }
    return NULL;
}

static bool is_parameter(const rebuilt *r)
{
    return r->parameter_type != NULL;
}

/* The name of the built-in that an attribute list gives, or an empty text. */
static tl_str builtin_of(const telar_wgsl *m, uint32_t attributes)
{
    uint32_t attribute = tl_list_attribute(m, attributes, TL_ATTR_BUILTIN);
    if (attribute == 0) return (tl_str){NULL, 0};
    return tl_node_text(m, tl_list_at(m, m->nodes[attribute].a, 0));
}

/* ---- The parameters of an entry point, one by one or through structs ---------------------------------------------- */

typedef struct inputs {
    const telar_wgsl *module;
    uint32_t params; /* list */
} inputs;

static inputs inputs_of(const telar_wgsl *m, uint32_t function)
{
    return (inputs){m, TL_PARTS(tl_fn_parts, m, function)->params};
}

/* The list of members of a struct parameter, 0 when it is none. */
static uint32_t members_of(const telar_wgsl *m, uint32_t param)
{
    const tl_types *types = &m->semantics->types;
    tl_type type = tl_node_type(m, param);
    if (tl_type_kind(types, type) != TL_KIND_STRUCT) return 0;
    uint32_t declaration = tl_type_struct(types, type)->node;
    return declaration == 0 ? 0 : m->nodes[declaration].a;
}

static telar_status check_builtin(tl_str builtin, telar_diag *diag)
{
    if (find_rebuilt(builtin) != NULL) return TELAR_OK;
    return tl_fail(diag, TELAR_NOT_FOLDABLE,
                   "the entry point takes the built-in '%.*s', which a folded launch does not rebuild; use "
                   "global_invocation_id or workgroup_id instead",
                   TL_STR_ARGS(builtin));
}

telar_status tl_can_fold(const telar_wgsl *m, uint32_t function, telar_diag *diag)
{
    inputs in = inputs_of(m, function);
    for (uint32_t k = 0; k < tl_list_count(m, in.params); k++) {
        uint32_t param = tl_list_at(m, in.params, k);
        tl_str builtin = builtin_of(m, TL_PARTS(tl_member_parts, m, param)->attributes);
        uint32_t members = members_of(m, param);
        if (builtin.len > 0 || members == 0) {
            TELAR_TRY(check_builtin(builtin, diag));
            continue;
        }
        for (uint32_t j = 0; j < tl_list_count(m, members); j++) {
            uint32_t member = tl_list_at(m, members, j);
            TELAR_TRY(check_builtin(builtin_of(m, TL_PARTS(tl_member_parts, m, member)->attributes), diag));
        }
    }
    return TELAR_OK;
}

static bool takes_builtin(inputs in, const rebuilt *wanted)
{
    const telar_wgsl *m = in.module;
    for (uint32_t k = 0; k < tl_list_count(m, in.params); k++) {
        uint32_t param = tl_list_at(m, in.params, k);
        if (find_rebuilt(builtin_of(m, TL_PARTS(tl_member_parts, m, param)->attributes)) == wanted) return true;
        uint32_t members = members_of(m, param);
        for (uint32_t j = 0; j < tl_list_count(m, members); j++) {
            uint32_t member = tl_list_at(m, members, j);
            if (find_rebuilt(builtin_of(m, TL_PARTS(tl_member_parts, m, member)->attributes)) == wanted) return true;
        }
    }
    return false;
}

/* ---- Printing ---------------------------------------------------------------------------------------------------- */

static void print_params(inputs in, telar_out *out)
{
    tl_out_text(out, "@builtin(workgroup_id) telar_workgroup: vec3u, @builtin(local_invocation_id) telar_local: vec3u");
    for (size_t k = 0; k < TL_COUNT(rebuilds); k++) {
        const rebuilt *r = &rebuilds[k];
        bool local = tl_str_equal(tl_str_of(r->expression), TL_STR("telar_local"));
        if (!is_parameter(r) || local || !takes_builtin(in, r)) continue;
        tl_out_format(out, ", @builtin(%s) %s: %s", r->builtin, r->expression, r->parameter_type);
    }
}

static void print_size(const telar_wgsl *m, uint32_t function, telar_out *out)
{
    uint32_t attribute = tl_list_attribute(m, TL_PARTS(tl_fn_parts, m, function)->attributes, TL_ATTR_WORKGROUP_SIZE);
    uint32_t arguments = m->nodes[attribute].a;
    tl_out_text(out, "    let telar_size = vec3u(");
    for (uint32_t axis = 0; axis < 3; axis++) {
        if (axis > 0) tl_out_text(out, ", ");
        if (axis >= tl_list_count(m, arguments)) tl_out_text(out, "1");
        else tl_out_format(out, "u32(%.*s)", TL_STR_ARGS(tl_node_text(m, tl_list_at(m, arguments, axis))));
    }
    tl_out_text(out, ");\n");
}

static void print_groups(const telar_plan *plan, telar_out *out)
{
    if (plan->dimensions == 1) {
        tl_out_text(out, "    let telar_groups = vec3u(telar_launch.groups, 1, 1);\n"
                         "    let telar_id = vec3u(telar_group, 0, 0);\n");
        return;
    }
    tl_out_text(out, "    let telar_groups = telar_launch.count / telar_size"
                     " + vec3u(telar_launch.count % telar_size != vec3u());\n"
                     "    let telar_id = vec3u(telar_group % telar_groups.x, telar_group / telar_groups.x"
                     " % telar_groups.y, telar_group / (telar_groups.x * telar_groups.y));\n");
}

static void print_struct_value(const telar_wgsl *m, uint32_t param, telar_out *out)
{
    uint32_t members = members_of(m, param);
    tl_out_format(out, "%.*s(", TL_STR_ARGS(tl_node_text(m, TL_PARTS(tl_member_parts, m, param)->type)));
    for (uint32_t j = 0; j < tl_list_count(m, members); j++) {
        uint32_t member = tl_list_at(m, members, j);
        tl_str builtin = builtin_of(m, TL_PARTS(tl_member_parts, m, member)->attributes);
        tl_out_format(out, "%s%s", j == 0 ? "" : ", ", find_rebuilt(builtin)->expression);
    }
    tl_out_text(out, ")");
}

/* `let gid = ...;` for each parameter: the user's names, in the scope where the parameters were. Structures come first,
 * since another parameter may have the name of a structure's type. */
static void print_user_names(inputs in, bool structs, telar_out *out)
{
    const telar_wgsl *m = in.module;
    for (uint32_t k = 0; k < tl_list_count(m, in.params); k++) {
        uint32_t param = tl_list_at(m, in.params, k);
        tl_str builtin = builtin_of(m, TL_PARTS(tl_member_parts, m, param)->attributes);
        if (structs != (builtin.len == 0)) continue;
        tl_out_format(out, "    let %.*s = ", TL_STR_ARGS(tl_node_name(m, param)));
        if (structs) print_struct_value(m, param, out);
        else tl_out_text(out, find_rebuilt(builtin)->expression);
        tl_out_text(out, ";\n");
    }
}

typedef struct fold_text {
    const telar_wgsl *module;
    uint32_t function;
    const telar_plan *plan;
    bool canary;
} fold_text;

static void print_prologue(const fold_text *text, telar_out *out)
{
    const telar_wgsl *m = text->module;
    tl_out_text(out, "\n");
    if (text->canary) tl_print_canary("all(telar_local == vec3u())", out);
    tl_out_text(out, "    let telar_group = ");
    tl_print_group_number(TELAR_SHAPE_FOLD, out);
    tl_out_text(out, ";\n    if (telar_group >= telar_launch.groups) { return; }\n");
    print_size(m, text->function, out);
    print_groups(text->plan, out);
    print_user_names(inputs_of(m, text->function), true, out);
    print_user_names(inputs_of(m, text->function), false, out);
}

/* ---- Edits ------------------------------------------------------------------------------------------------------- */

static void write_params(const fold_text *text, telar_out *out)
{
    print_params(inputs_of(text->module, text->function), out);
}

static void write_prologue(const fold_text *text, telar_out *out)
{
    print_prologue(text, out);
}

static telar_status replace_by(tl_edits *edits, uint32_t begin, uint32_t end, const fold_text *text,
                               void (*write)(const fold_text *, telar_out *))
{
    telar_out size = {0};
    write(text, &size);
    char *data = TL_ARENA_ARRAY(edits->arena, char, size.len + 1);
    if (data == NULL) return TELAR_NO_SPACE;
    telar_out out = {data, size.len + 1, 0};
    write(text, &out);
    tl_edit_replace(edits, begin, end, (tl_str){data, size.len});
    return TELAR_OK;
}

/* Between the parentheses after the name. */
static void params_span(const telar_wgsl *m, uint32_t function, uint32_t *begin, uint32_t *end)
{
    uint32_t open = m->nodes[function].b + 1;
    uint32_t params = TL_PARTS(tl_fn_parts, m, function)->params;
    uint32_t count = tl_list_count(m, params);
    uint32_t close = count == 0 ? open + 1 : m->nodes[tl_list_at(m, params, count - 1)].last + 1;
    if (tl_token_kind(m, close) == TL_TOKEN_COMMA) close++;
    *begin = tl_token_end(m, open);
    *end = m->tokens[close].offset;
}

telar_status tl_fold_entry(const telar_wgsl *m, uint32_t function, const telar_plan *plan, bool canary, tl_edits *edits,
                           telar_diag *diag)
{
    TELAR_TRY(tl_can_fold(m, function, diag));
    fold_text text = {m, function, plan, canary};
    uint32_t begin, end;
    params_span(m, function, &begin, &end);
    TELAR_TRY(replace_by(edits, begin, end, &text, write_params));
    uint32_t body = m->tokens[m->nodes[TL_PARTS(tl_fn_parts, m, function)->body].first].offset + 1;
    return replace_by(edits, body, body, &text, write_prologue);
}
