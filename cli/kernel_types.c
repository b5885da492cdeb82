/* SPDX-License-Identifier: MIT
 *
 * What the reader knows of uniform and storage variables, as slots for data and as fields that can be set. */
#include "kernel_types.h"
#include "io/quantity.h"
#include "wgsl/query.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- types --------------------------------------------------------------------------------------------------------- */

static const tl_type_info *info_of(const telar_wgsl *module, tl_type type)
{
    return &module->semantics->types.info[type];
}

static tl_dtype scalar_of(const telar_wgsl *module, tl_type type)
{
    static const tl_dtype scalars[] = {
        [TL_KIND_I32] = TL_DTYPE_I32, [TL_KIND_U32] = TL_DTYPE_U32, [TL_KIND_F32] = TL_DTYPE_F32,
        [TL_KIND_F16] = TL_DTYPE_F16, [TL_KIND_I64] = TL_DTYPE_I64, [TL_KIND_U64] = TL_DTYPE_U64,
        [TL_KIND_F64] = TL_DTYPE_F64, [TL_KIND_I8] = TL_DTYPE_I8,   [TL_KIND_U8] = TL_DTYPE_U8,
        [TL_KIND_I16] = TL_DTYPE_I16, [TL_KIND_U16] = TL_DTYPE_U16,
    };
    const tl_type_info *info = info_of(module, type);
    if (info->kind == TL_KIND_ATOMIC) return scalar_of(module, info->element);
    return info->kind < TL_COUNT(scalars) ? scalars[info->kind] : TL_DTYPE_BYTES;
}

static uint32_t stride_of(const tl_type_info *element)
{
    uint64_t stride = element->size;
    if (element->align > 0) telar_round_up(element->size, element->align, &stride);
    return stride < UINT32_MAX ? (uint32_t)stride : UINT32_MAX;
}

/* Scalars of a type that lie one after another without room between; 0 for all others. */
static uint32_t tight_scalars(const telar_wgsl *module, tl_type type, tl_dtype *scalar)
{
    const tl_type_info *info = info_of(module, type);
    *scalar = scalar_of(module, type);
    if (*scalar != TL_DTYPE_BYTES) return 1;
    if (info->kind == TL_KIND_VECTOR) {
        *scalar = scalar_of(module, info->element);
        return *scalar == TL_DTYPE_BYTES ? 0 : info->rows;
    }
    if (info->kind == TL_KIND_ARRAY && info->count > 0) {
        uint32_t inner = tight_scalars(module, info->element, scalar);
        bool tight = stride_of(info_of(module, info->element)) == inner * tl_dtype_bytes(*scalar);
        return inner > 0 && tight && info->count <= UINT32_MAX / 64 / inner ? inner * info->count : 0;
    }
    if (info->kind == TL_KIND_MATRIX) {
        uint32_t count = (uint32_t)info->rows * info->columns;
        for (tl_dtype candidate = TL_DTYPE_F16; candidate <= TL_DTYPE_F64; candidate++) {
            *scalar = candidate;
            if (info->size == (uint64_t)count * tl_dtype_bytes(candidate)) return count;
        }
    }
    return 0;
}

static void fill_element(const telar_wgsl *module, tl_type element, tl_slot *slot)
{
    slot->components = tight_scalars(module, element, &slot->scalar);
    if (slot->components == 0) *slot = (tl_slot){.scalar = TL_DTYPE_BYTES, .components = 1};
}

static tl_slot slot_of(const telar_wgsl *module, tl_type type)
{
    const tl_type_info *info = info_of(module, type);
    tl_slot slot = {0};
    if (info->kind == TL_KIND_ARRAY) {
        fill_element(module, info->element, &slot);
        slot.stride_bytes = stride_of(info_of(module, info->element));
        slot.fixed_elements = info->count;
    } else if ((info->flags & TL_TYPE_HAS_RUNTIME) != 0) {
        slot = (tl_slot){.scalar = TL_DTYPE_BYTES, .components = 1, .stride_bytes = 4};
    } else {
        fill_element(module, type, &slot);
        slot.stride_bytes = info->size < UINT32_MAX ? (uint32_t)info->size : UINT32_MAX;
        slot.fixed_elements = 1;
    }
    if (slot.stride_bytes == 0) slot.stride_bytes = 4;
    slot.min_bytes = info->size;
    return slot;
}

/* ---- variables ----------------------------------------------------------------------------------------------------- */

static char *copy_of(tl_str text)
{
    char *copy = malloc(text.len + 1);
    if (copy == NULL) return NULL;
    memcpy(copy, text.data, text.len);
    copy[text.len] = 0;
    return copy;
}

static char *type_text_of(const telar_wgsl *module, tl_type type)
{
    telar_out size = {0};
    tl_type_print(&size, &module->semantics->types, type, tl_symbol_text_of, module);
    char *text = calloc(size.len + 1, 1);
    telar_out out = {.data = text, .cap = text != NULL ? size.len + 1 : 0};
    tl_type_print(&out, &module->semantics->types, type, tl_symbol_text_of, module);
    return text;
}

static bool is_data(const tl_global *global)
{
    return (global->space == TL_SPACE_UNIFORM || global->space == TL_SPACE_STORAGE) && global->group != TL_NO_INDEX &&
           global->binding != TL_NO_INDEX;
}

static telar_binding_space space_of(const tl_global *global)
{
    if (global->space == TL_SPACE_UNIFORM) return TELAR_BINDING_UNIFORM;
    bool written = global->access == TL_ACCESS_WRITE || global->access == TL_ACCESS_READ_WRITE;
    return written ? TELAR_BINDING_STORAGE_READ_WRITE : TELAR_BINDING_STORAGE_READ;
}

telar_status tl_kernel_list_variables(tl_kernel_file *kernel, telar_diag *diag)
{
    const telar_wgsl *module = kernel->module;
    const tl_wgsl_semantics *semantics = module->semantics;
    kernel->variables = calloc(semantics->global_count + 1, sizeof *kernel->variables);
    if (kernel->variables == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "out of memory");
    for (uint32_t k = 0; k < semantics->global_count; k++) {
        const tl_global *global = &semantics->globals[k];
        if (module->nodes[global->node].kind != TL_NODE_VAR || !is_data(global)) continue;
        tl_type type = tl_node_value_type(module, global->node);
        tl_variable *variable = &kernel->variables[kernel->variables_count++];
        *variable = (tl_variable){.name = copy_of(tl_symbol_name(module, global->symbol)),
                                  .type_text = type_text_of(module, type),
                                  .group = global->group,
                                  .binding = global->binding,
                                  .space = space_of(global),
                                  .slot = slot_of(module, type),
                                  .type = type};
        if (variable->name == NULL || variable->type_text == NULL)
            return tl_fail(diag, TELAR_OUT_OF_MEMORY, "out of memory");
        variable->slot.name = variable->name;
        variable->slot.type_text = variable->type_text;
    }
    return TELAR_OK;
}

/* "a, b, c" of names, cut when there are many. */
static void list_names(const char *const *names, size_t count, char *text, size_t cap)
{
    telar_out out = {.data = text, .cap = cap};
    for (size_t k = 0; k < count; k++) {
        if (k == 12) {
            tl_out_text(&out, ", ...");
            return;
        }
        tl_out_format(&out, "%s%.60s", k > 0 ? ", " : "", names[k]);
    }
}

telar_status tl_kernel_variable(const tl_kernel_file *kernel, const char *option, const char *name, uint32_t *index,
                                telar_diag *diag)
{
    *index = 0;
    for (uint32_t k = 0; k < kernel->variables_count; k++) {
        if (strcmp(kernel->variables[k].name, name) != 0) continue;
        *index = k;
        return TELAR_OK;
    }
    const char **names = calloc(kernel->variables_count + 1, sizeof *names);
    if (names == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "out of memory");
    for (uint32_t k = 0; k < kernel->variables_count; k++) names[k] = kernel->variables[k].name;
    const char *near = tl_nearest(name, names, kernel->variables_count);
    char all[1024] = "none";
    list_names(names, kernel->variables_count, all, sizeof all);
    free(names);
    if (near != NULL) {
        return tl_fail(diag, TELAR_NOT_FOUND, "%s: %s has no variable '%.60s'; did you mean %s?", option, kernel->path,
                       name, near);
    }
    return tl_fail(diag, TELAR_NOT_FOUND, "%s: %s has no variable '%.60s'; its uniform and storage variables are: %s",
                   option, kernel->path, name, all);
}

bool tl_kernel_has_override(const tl_kernel_file *kernel, const char *name)
{
    return tl_query_override(kernel->module, tl_str_of(name)) != TL_NO_INDEX;
}

/* ---- fields -------------------------------------------------------------------------------------------------------- */

typedef struct walk {
    const tl_kernel_file *kernel;
    const tl_variable *variable;
    const char *at; /* in the path */
    tl_type type;
    uint64_t offset;
    telar_diag *diag;
} walk;

static tl_str member_name(const telar_wgsl *module, const tl_member *member)
{
    return member->text != NULL ? tl_str_of(member->text) : tl_symbol_name(module, member->name);
}

static telar_status no_member(const walk *path, tl_str name, const tl_struct *structure)
{
    const telar_wgsl *module = path->kernel->module;
    char all[1024];
    telar_out out = {.data = all, .cap = sizeof all};
    for (uint32_t k = 0; k < structure->member_count && k < 16; k++) {
        tl_str member = member_name(module, &module->semantics->types.members[structure->member_first + k]);
        tl_out_format(&out, "%s%.*s", k > 0 ? ", " : "", TL_STR_ARGS(member));
    }
    return tl_fail(path->diag, TELAR_NOT_FOUND, "--set %s: there is no field '%.*s'; there are: %s",
                   path->variable->name, (int)(name.len < 60 ? name.len : 60), name.data, all);
}

static telar_status step_member(walk *path, tl_str name)
{
    const telar_wgsl *module = path->kernel->module;
    const tl_types *types = &module->semantics->types;
    const tl_type_info *info = info_of(module, path->type);
    if (info->kind == TL_KIND_VECTOR && name.len == 1) {
        const char *letters = "xyzw", *colors = "rgba";
        const char *found = strchr(letters, name.data[0]);
        size_t place = found != NULL ? (size_t)(found - letters) : 4;
        if (found == NULL && (found = strchr(colors, name.data[0])) != NULL) place = (size_t)(found - colors);
        if (place < info->rows) {
            path->offset += place * info_of(module, info->element)->size;
            path->type = info->element;
            return TELAR_OK;
        }
    }
    if (info->kind != TL_KIND_STRUCT) {
        return tl_fail(path->diag, TELAR_NOT_FOUND, "--set %s: there is no field '%.*s' in a value that is no struct",
                       path->variable->name, TL_STR_ARGS(name));
    }
    const tl_struct *structure = &types->structs[info->element];
    for (uint32_t k = 0; k < structure->member_count; k++) {
        const tl_member *member = &types->members[structure->member_first + k];
        if (!tl_str_equal(member_name(module, member), name)) continue;
        path->offset += member->offset;
        path->type = member->type;
        return TELAR_OK;
    }
    return no_member(path, name, structure);
}

static telar_status step_index(walk *path, tl_str text)
{
    const tl_type_info *info = info_of(path->kernel->module, path->type);
    if (info->kind != TL_KIND_ARRAY || info->count == 0) {
        return tl_fail(path->diag, TELAR_NOT_FOUND, "--set %s: [%.*s] indexes no array of fixed size",
                       path->variable->name, TL_STR_ARGS(text));
    }
    uint64_t index;
    TELAR_TRY(tl_number_u64("--set: an index", text, 0, info->count - 1, &index, path->diag));
    path->offset += index * stride_of(info_of(path->kernel->module, info->element));
    path->type = info->element;
    return TELAR_OK;
}

static telar_status step(walk *path)
{
    bool index = *path->at == '[';
    const char *start = path->at + 1;
    size_t len = strcspn(start, index ? "]" : ".[");
    path->at = start + len;
    if (index && *path->at == ']') path->at++;
    return index ? step_index(path, (tl_str){start, len}) : step_member(path, (tl_str){start, len});
}

telar_status tl_variable_field(const tl_kernel_file *kernel, const tl_variable *variable, const char *path,
                               tl_field *field, telar_diag *diag)
{
    *field = (tl_field){0};
    walk at = {kernel, variable, path, variable->type, 0, diag};
    while (*at.at != 0) TELAR_TRY(step(&at));
    const telar_wgsl *module = kernel->module;
    const tl_type_info *info = info_of(module, at.type);
    field->offset_bytes = at.offset;
    field->columns = info->kind == TL_KIND_MATRIX ? info->columns : 1;
    field->rows = info->kind == TL_KIND_MATRIX || info->kind == TL_KIND_VECTOR ? info->rows : 1;
    field->scalar = scalar_of(module, field->rows > 1 ? info->element : at.type);
    field->column_stride = (uint32_t)(info->size / field->columns);
    if (field->scalar != TL_DTYPE_BYTES) return TELAR_OK;
    char *text = type_text_of(module, at.type);
    telar_status status = tl_fail(diag, TELAR_INVALID_ARGUMENT,
                                  "--set %s%s: the type %s takes no single value; set its fields, or bind a FILE.bin",
                                  variable->name, path, text != NULL ? text : "");
    free(text);
    return status;
}
