/* SPDX-License-Identifier: MIT
 *
 * Valid WGSL on which wgpu-native 29 ends the process instead of refusing it (its compiler panics where nothing can catch
 * that). Such a text is refused here, with the place and a way out. Each row says what was seen, and goes when it is mended
 * there:
 *   a pointer to a part of a variable as an argument: "Expression is not cached"
 *   a whole value with a matrix of two rows inside a structure, loaded from a uniform: "no entry found for key" */
#include "host/host.h"

#include "wgsl/semantics.h"

static bool points_to_part(const telar_wgsl *m, uint32_t argument)
{
    const tl_wgsl_node *node = &m->nodes[tl_without_parentheses(m, argument)];
    if (node->kind != TL_NODE_UNARY || node->op != TL_OP_ADDRESS) return false;
    uint8_t kind = m->nodes[tl_without_parentheses(m, node->a)].kind;
    return kind == TL_NODE_INDEX || kind == TL_NODE_MEMBER_ACCESS;
}

/* Built-in functions take such pointers well: atomicAdd(&v[i], 1). */
static bool calls_own_function(const telar_wgsl *m, const tl_wgsl_node *call)
{
    uint32_t declaration = tl_node_declaration(m, call->a);
    return declaration < m->node_count && m->nodes[declaration].kind == TL_NODE_FN;
}

static uint32_t part_as_argument(const telar_wgsl *m, const tl_wgsl_node *node)
{
    if (node->kind != TL_NODE_CALL || !calls_own_function(m, node)) return 0;
    for (uint32_t k = 0; k < tl_list_count(m, node->b); k++) {
        uint32_t argument = tl_list_at(m, node->b, k);
        if (points_to_part(m, argument)) return argument;
    }
    return 0;
}

/* ---- Whole uniform values ---------------------------------------------------------------------------------------- */

/* What is known of each structure: structures nest, and each is asked for once. */
enum {
    NOT_ASKED,
    HAS_NONE,
    HAS_ONE
};

typedef struct hazards {
    const telar_wgsl *m;
    uint8_t *two_rows; /* by structure */
    uint8_t *stepped;  /* by node: a step of an access chain, not a value that is loaded */
} hazards;

static bool holds_two_rows(const hazards *h, tl_type type);

static bool struct_has_two_rows(const hazards *h, tl_type type)
{
    const tl_types *types = &h->m->semantics->types;
    const tl_member *members = tl_type_members(types, type);
    for (uint32_t k = 0; k < tl_type_struct(types, type)->member_count; k++) {
        const tl_type_info *member = tl_type_get(types, members[k].type);
        if (member->kind == TL_KIND_MATRIX && member->rows == 2) return true;
        if (holds_two_rows(h, members[k].type)) return true;
    }
    return false;
}

/* Whether values of the type hold a structure with a member that is a matrix of two rows. */
static bool holds_two_rows(const hazards *h, tl_type type)
{
    const tl_types *types = &h->m->semantics->types;
    const tl_type_info *info = tl_type_get(types, type);
    while (info->kind == TL_KIND_ARRAY) {
        type = info->element;
        info = tl_type_get(types, type);
    }
    if (info->kind != TL_KIND_STRUCT) return false;
    uint8_t *known = &h->two_rows[info->element];
    if (*known == NOT_ASKED) *known = struct_has_two_rows(h, type) ? HAS_ONE : HAS_NONE;
    return *known == HAS_ONE;
}

static bool is_whole_uniform_value(const hazards *h, uint32_t node)
{
    uint8_t kind = h->m->nodes[node].kind;
    if (h->stepped[node] || (kind != TL_NODE_IDENT && kind != TL_NODE_MEMBER_ACCESS && kind != TL_NODE_INDEX))
        return false;
    const tl_type_info *info = tl_type_get(&h->m->semantics->types, tl_node_type(h->m, node));
    return info->kind == TL_KIND_REFERENCE && info->space == TL_SPACE_UNIFORM && holds_two_rows(h, info->element);
}

static void mark_step(const hazards *h, const tl_wgsl_node *node)
{
    bool through = node->kind == TL_NODE_MEMBER_ACCESS || node->kind == TL_NODE_INDEX || node->kind == TL_NODE_PAREN ||
                   (node->kind == TL_NODE_UNARY && node->op == TL_OP_ADDRESS);
    if (through) h->stepped[node->a] = 1;
}

/* ---- Refusal ----------------------------------------------------------------------------------------------------- */

static telar_status refuse(const telar_wgsl *m, uint32_t node, const char *what, telar_diag *diag)
{
    uint32_t line = 1;
    uint32_t begin = tl_node_begin(m, node);
    for (uint32_t at = 0; at < begin; at++) line += m->source[at] == '\n';
    telar_status status = tl_fail(diag, TELAR_SHADER_REJECTED, "line %u, '%.*s': wgpu-native 29 ends the process on %s",
                                  line, TL_STR_ARGS(tl_node_text(m, node)), what);
    if (diag != NULL) {
        diag->line = line;
        diag->offset = begin;
    }
    return status;
}

static telar_status find_hazard(const hazards *h, telar_diag *diag)
{
    const telar_wgsl *m = h->m;
    for (uint32_t node = 1; node < m->node_count; node++) {
        uint32_t part = part_as_argument(m, &m->nodes[node]);
        if (part != 0) {
            return refuse(m, part,
                          "a pointer to a part of a variable as an argument; copy the part to a variable first", diag);
        }
        mark_step(h, &m->nodes[node]);
    }
    for (uint32_t node = 1; node < m->node_count; node++) {
        if (!is_whole_uniform_value(h, node)) continue;
        return refuse(m, node, "a whole uniform value with a matrix of two rows; load its members one by one", diag);
    }
    return TELAR_OK;
}

telar_status tl_hazards_check(telar_host *host, tl_str text, telar_diag *diag)
{
    if (host->webgpu->implementation != TELAR_IMPLEMENTATION_WGPU) return TELAR_OK;
    size_t cap = telar_wgsl_arena_bytes(text.len) + text.len * 20;
    void *memory = tl_take(&host->alloc, cap, 1);
    if (memory == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory to read a shader");
    telar_arena arena = telar_arena_make(memory, cap);
    telar_wgsl *m;
    telar_status status = TELAR_OK;
    /* A text that our reader does not take is the implementation's to refuse. */
    if (telar_wgsl_read(text.data, text.len, &arena, &m, NULL) == TELAR_OK) {
        hazards h = {.m = m,
                     .two_rows = TL_ARENA_ARRAY(&arena, uint8_t, m->semantics->types.struct_count),
                     .stepped = TL_ARENA_ARRAY(&arena, uint8_t, m->node_count)};
        if (h.two_rows != NULL && h.stepped != NULL) status = find_hazard(&h, diag);
    }
    tl_give(&host->alloc, memory, cap, 1);
    return status;
}
