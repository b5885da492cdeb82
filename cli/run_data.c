/* SPDX-License-Identifier: MIT
 *
 * Binding, sizing and setting the variables of a kernel. */
#include "run_data.h"
#include "io/quantity.h"
#include "io/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const tl_option data_options[] = {
    {.name = "bind",
     .argument = "NAME=SOURCE",
     .take = tl_take_texts,
     .offset = offsetof(tl_data_options, binds),
     .help = {"data of a WGSL variable: FILE.npy, FILE.png, FILE.bin, TYPE:N (zeros), TYPE:N:iota, "
              "TYPE:N:random[:SEED], TYPE:N:VALUE, with N as for --count; may be repeated",
              "datos de una variable WGSL: FILE.npy, FILE.png, FILE.bin, TYPE:N (ceros), TYPE:N:iota, "
              "TYPE:N:random[:SEED], TYPE:N:VALUE, con N como en --count; se puede repetir"}},
    {.name = "out",
     .argument = "NAME=FILE",
     .take = tl_take_texts,
     .offset = offsetof(tl_data_options, outs),
     .help = {"writes a variable afterwards, by the file's ending: .npy .png .bin, or - (a .npy on standard output)",
              "escribe después una variable, según la extensión: .npy .png .bin, o - (un .npy en la salida estándar)"}},
    {.name = "set",
     .argument = "NAME.FIELD=VALUE|NAME=VALUE",
     .take = tl_take_texts,
     .offset = offsetof(tl_data_options, sets),
     .help =
         {"a field of a uniform (several numbers with commas; count is the count; what is not set is 0), or an override",
          "un campo de un uniform (varios números con comas; count es el conteo; lo que no se fija es 0), o un override"}},
};

const tl_option_group tl_data_group = {
    .title = {"The data", "Los datos"}, .options = data_options, .count = TL_COUNT(data_options)};

#define NAME_BYTES 256

/* NAME=REST; false when there is no name or no rest. */
static bool split(const char *text, char name[NAME_BYTES], const char **rest)
{
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text || equals[1] == 0 || equals - text >= NAME_BYTES) return false;
    memcpy(name, text, (size_t)(equals - text));
    name[equals - text] = 0;
    *rest = equals + 1;
    return true;
}

/* The datum of NAME=REST; NULL after a failure. */
static tl_datum *find(const tl_data *data, const char *option, const char *form, const char *text, const char **rest,
                      telar_status *status, telar_diag *diag)
{
    char name[NAME_BYTES];
    if (!split(text, name, rest)) {
        *status = tl_fail(diag, TELAR_INVALID_ARGUMENT, "%s: '%.80s' is not %s", option, text, form);
        return NULL;
    }
    tl_datum *datum = data->counted;
    uint32_t index = 0;
    *status = TELAR_OK;
    if (data->counter.name == NULL || strcmp(name, data->counter.name) != 0) {
        *status = tl_kernel_variable(data->kernel, option, name, &index, diag);
        datum = *status == TELAR_OK ? &data->items[index] : NULL;
    }
    TELAR_ASSERT(datum == NULL || datum->variable != NULL);
    return datum;
}

static bool is_array(const tl_variable *variable)
{
    return variable->slot.fixed_elements == 0;
}

static telar_status bind(tl_data *data, const char *text, telar_diag *diag)
{
    telar_status status;
    const char *source;
    tl_datum *datum = find(data, "--bind", "NAME=SOURCE, as in src=data.npy", text, &source, &status, diag);
    if (datum == NULL) return status;
    const char *name = datum->variable->name;
    if (datum->source != NULL) {
        return tl_fail(diag, TELAR_INVALID_ARGUMENT, "--bind: %s is bound twice, to %.200s and %.200s", name,
                       datum->source, source);
    }
    char what[NAME_BYTES + 16];
    snprintf(what, sizeof what, "--bind %s", name);
    TELAR_TRY(tl_source_open(what, source, &datum->array, diag));
    datum->source = source;
    TELAR_TRY(tl_fit(what, &datum->variable->slot, &datum->array, &datum->layout, diag));
    datum->sized = true;
    uint32_t index = (uint32_t)(datum - data->items);
    if (data->first_bound == UINT32_MAX && is_array(datum->variable) && datum != data->counted) {
        data->first_bound = index;
    }
    return TELAR_OK;
}

static telar_status mark_out(tl_data *data, const char *text, telar_diag *diag)
{
    telar_status status;
    const char *file;
    tl_datum *datum = find(data, "--out", "NAME=FILE, as in dst=out.npy", text, &file, &status, diag);
    if (datum == NULL) return status;
    if (datum->variable->space != TELAR_BINDING_STORAGE_READ_WRITE) {
        return tl_fail(diag, TELAR_INVALID_ARGUMENT,
                       "--out: the kernel cannot write %s; allowed are var<storage, read_write>",
                       datum->variable->name);
    }
    if (datum->out != NULL) {
        return tl_fail(diag, TELAR_INVALID_ARGUMENT, "--out: %s is written twice, to %.200s and %.200s",
                       datum->variable->name, datum->out, file);
    }
    for (uint32_t k = 0; k < data->count; k++) {
        if (data->items[k].out == NULL || strcmp(data->items[k].out, file) != 0) continue;
        return tl_fail(diag, TELAR_INVALID_ARGUMENT, "--out: %s and %s go to the same file, %.200s",
                       data->items[k].variable->name, datum->variable->name, file);
    }
    datum->out = file;
    return TELAR_OK;
}

/* NAME=VALUE of an override; true when the text is one. */
static bool take_override(tl_data *data, const char *text, telar_status *status, telar_diag *diag)
{
    char name[NAME_BYTES];
    const char *value;
    if (!split(text, name, &value) || strlen(name) >= sizeof data->override_names[0]) return false;
    if (strpbrk(name, ".[") != NULL || !tl_kernel_has_override(data->kernel, name)) return false;
    char what[NAME_BYTES + 8];
    snprintf(what, sizeof what, "--set %s", name);
    double number = 0;
    bool yes = strcmp(value, "true") == 0, no = strcmp(value, "false") == 0;
    *status = yes || no ? TELAR_OK : tl_number_f64(what, tl_str_of(value), &number, diag);
    if (*status != TELAR_OK) return true;
    char *kept = data->override_names[data->overrides_count];
    memcpy(kept, name, strlen(name) + 1); /* its length is checked above */
    data->overrides[data->overrides_count++] = (telar_override){.name = kept, .value = yes ? 1 : number};
    return true;
}

static bool is_bound(const tl_data_options *options, const char *wanted)
{
    for (uint32_t k = 0; k < options->binds.count; k++) {
        char name[NAME_BYTES];
        const char *rest;
        if (split(options->binds.items[k], name, &rest) && strcmp(name, wanted) == 0) return true;
    }
    return false;
}

/* The nearest name that something is bound to, or that a variable has. */
static telar_status no_counter(const tl_data_options *options, const tl_data *data, const tl_gpu_count *count,
                               telar_diag *diag)
{
    char bound[TL_TEXTS_MAX][NAME_BYTES];
    const char *names[TL_TEXTS_MAX];
    uint32_t found = 0;
    for (uint32_t k = 0; k < options->binds.count; k++) {
        const char *rest;
        if (!split(options->binds.items[k], bound[found], &rest)) continue;
        names[found] = bound[found];
        found++;
    }
    for (uint32_t k = 0; k < data->count && found < TL_TEXTS_MAX; k++) names[found++] = data->items[k].variable->name;
    const char *near = tl_nearest(count->name, names, found);
    return tl_fail(diag, TELAR_NOT_FOUND, "--count %.80s: there is no buffer %.80s; %s%s%s", count->text, count->name,
                   near != NULL ? "did you mean @" : "give --bind ", near != NULL ? near : count->name,
                   near != NULL ? "?" : "=SOURCE");
}

/* The variable of that name, or one more buffer of words. */
static telar_status find_counter(const tl_data_options *options, const tl_gpu_count *count, tl_data *data,
                                 telar_diag *diag)
{
    if (count->text == NULL) return TELAR_OK;
    data->counted_bytes = count->offset_bytes;
    for (uint32_t k = 0; k < data->count; k++) {
        const tl_variable *variable = data->items[k].variable;
        if (strcmp(variable->name, count->name) != 0) continue;
        if (tl_dtype_kind(variable->slot.scalar) == 'f') {
            return tl_fail(diag, TELAR_INVALID_ARGUMENT, "--count %.80s: a count is a u32, %s is %s", count->text,
                           variable->name, variable->type_text);
        }
        data->counted = &data->items[k];
        return TELAR_OK;
    }
    if (!is_bound(options, count->name)) return no_counter(options, data, count, diag);
    tl_datum *datum = &data->items[data->count++];
    data->counter = (tl_variable){.name = data->counter_name,
                                  .type_text = data->counter_type,
                                  .group = UINT32_MAX,
                                  .space = TELAR_BINDING_STORAGE_READ,
                                  .slot = {.name = data->counter_name,
                                           .type_text = data->counter_type,
                                           .scalar = TL_DTYPE_U32,
                                           .components = 1,
                                           .stride_bytes = 4,
                                           .min_bytes = 4}};
    snprintf(data->counter_name, sizeof data->counter_name, "%s", count->name);
    snprintf(data->counter_type, sizeof data->counter_type, "array<u32>");
    datum->variable = &data->counter;
    datum->output.fd = -1;
    data->counted = datum;
    return TELAR_OK;
}

telar_status tl_data_open(const tl_data_options *options, const tl_kernel_file *kernel, const tl_gpu_count *count,
                          tl_data *data, telar_diag *diag)
{
    *data = (tl_data){.kernel = kernel, .count = kernel->variables_count, .first_bound = UINT32_MAX};
    data->items = calloc(kernel->variables_count + 2, sizeof *data->items);
    if (data->items == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "out of memory");
    for (uint32_t k = 0; k < data->count; k++) {
        data->items[k].variable = &kernel->variables[k];
        data->items[k].output.fd = -1;
    }
    telar_status status = find_counter(options, count, data, diag);
    for (uint32_t k = 0; status == TELAR_OK && k < options->binds.count; k++)
        status = bind(data, options->binds.items[k], diag);
    for (uint32_t k = 0; status == TELAR_OK && k < options->outs.count; k++)
        status = mark_out(data, options->outs.items[k], diag);
    for (uint32_t k = 0; status == TELAR_OK && k < options->sets.count; k++) {
        take_override(data, options->sets.items[k], &status, diag);
    }
    if (status != TELAR_OK) tl_data_close(data);
    return status;
}

void tl_data_close(tl_data *data)
{
    for (uint32_t k = 0; k < data->count; k++) {
        tl_array_close(&data->items[k].array);
        tl_output_abandon(&data->items[k].output);
        free(data->items[k].bytes);
    }
    free(data->items);
    *data = (tl_data){0};
}

/* ---- the count ----------------------------------------------------------------------------------------------------- */

/* The axes of a domain, width first, from a shape whose last axis is the width. */
static telar_status count_of_shape(const tl_datum *datum, uint32_t dimensions, uint64_t count[3], telar_diag *diag)
{
    const tl_shape *shape = &datum->layout.domain;
    if (dimensions == 1) {
        count[0] = datum->layout.elements;
        return TELAR_OK;
    }
    if (shape->axes != dimensions) {
        return tl_fail_limit(diag, TELAR_INVALID_ARGUMENT, shape->axes, dimensions,
                             "no --count is given, and %s has %u ax%s where the domain has %u; give --count %s",
                             datum->variable->name, shape->axes, shape->axes == 1 ? "is" : "es", dimensions,
                             dimensions == 2 ? "WxH" : "WxHxD");
    }
    for (uint32_t k = 0; k < dimensions; k++) count[k] = shape->sizes[dimensions - 1 - k];
    return TELAR_OK;
}

static uint32_t dimensions_of(const telar_weave_needs *needs)
{
    if (needs->dimensions != 0) return needs->dimensions;
    return needs->workgroup_size[2] > 1 ? 3 : needs->workgroup_size[1] > 1 ? 2 : 1;
}

telar_status tl_data_count(const tl_data *data, const tl_plan_options *options, const telar_weave_needs *needs,
                           uint64_t count[3], uint32_t *dimensions, telar_diag *diag)
{
    count[0] = count[1] = count[2] = 1;
    if (options->count.dimensions > 0) {
        *dimensions = options->count.dimensions;
        memcpy(count, options->count.values, *dimensions * sizeof *count);
        return TELAR_OK;
    }
    *dimensions = dimensions_of(needs);
    uint32_t index = data->first_bound;
    for (uint32_t k = 0; needs->count_binding != NULL && k < data->count; k++) {
        const tl_datum *datum = &data->items[k];
        if (datum->source != NULL && strcmp(datum->variable->name, needs->count_binding) == 0) index = k;
    }
    if (index == UINT32_MAX) {
        return tl_fail(
            diag, TELAR_INVALID_ARGUMENT,
            "no --count is given, and no array is bound that it could be taken from; give --count N or --bind NAME=SOURCE");
    }
    return count_of_shape(&data->items[index], *dimensions, count, diag);
}

/* ---- --set --------------------------------------------------------------------------------------------------------- */

typedef struct setting {
    tl_data *data;
    const telar_plan *plan;
    telar_diag *diag;
} setting;

/* The memory of the variable: zeros, or what is bound to it. */
static telar_status memory_of(tl_datum *datum, telar_diag *diag)
{
    if (datum->bytes != NULL) return TELAR_OK;
    const tl_slot *slot = &datum->variable->slot;
    if (is_array(datum->variable)) {
        return tl_fail(diag, TELAR_INVALID_ARGUMENT, "--set: %s has no fixed size; bind data to it",
                       datum->variable->name);
    }
    uint64_t bytes = slot->fixed_elements * slot->stride_bytes;
    void *memory;
    TELAR_TRY(tl_array_alloc(datum->variable->name, bytes, &memory, diag));
    memset(memory, 0, (size_t)bytes);
    datum->bytes = memory;
    if (datum->source == NULL) {
        datum->sized = true;
        return tl_layout_of(slot, &(tl_shape){1, {slot->fixed_elements}}, &datum->layout, diag);
    }
    TELAR_TRY(tl_array_settle(&datum->array, diag));
    memcpy(datum->bytes, datum->array.data, (size_t)datum->array.size_bytes);
    return TELAR_OK;
}

/* "count" stands for the elements, "count.x" and so on for an axis. */
static bool count_value(const telar_plan *plan, tl_str text, uint32_t component, uint32_t components, uint64_t *value)
{
    static const char *const axes[] = {"count.x", "count.y", "count.z"};
    for (size_t k = 0; k < TL_COUNT(axes); k++) {
        if (!tl_str_equal(text, tl_str_of(axes[k]))) continue;
        *value = plan->count[k];
        return true;
    }
    if (!tl_str_equal(text, TL_STR("count"))) return false;
    *value = components == 1 ? plan->elements : component < 3 ? plan->count[component] : 1;
    return true;
}

static telar_status write_scalar(const setting *set, const char *what, tl_str text, const tl_field *field,
                                 uint32_t component, unsigned char *at)
{
    uint32_t components = field->rows * field->columns;
    unsigned char value[8] = {0};
    uint64_t count;
    if (count_value(set->plan, text, component, components, &count)) {
        char digits[24];
        int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)count);
        TELAR_TRY(tl_scalar_read(what, field->scalar, (tl_str){digits, (size_t)len}, value, set->diag));
    } else {
        TELAR_TRY(tl_scalar_read(what, field->scalar, text, value, set->diag));
    }
    uint32_t bytes = tl_dtype_bytes(field->scalar);
    memcpy(at + (size_t)(component / field->rows) * field->column_stride + (size_t)(component % field->rows) * bytes,
           value, bytes);
    return TELAR_OK;
}

static telar_status write_field(const setting *set, const char *what, const char *text, const tl_field *field,
                                unsigned char *bytes)
{
    uint32_t components = field->rows * field->columns, given = 1;
    for (const char *at = text; *at != 0; at++) given += *at == ',';
    bool whole_count = strcmp(text, "count") == 0;
    if (given != components && !(whole_count && components <= 3)) {
        return tl_fail_limit(set->diag, TELAR_INVALID_ARGUMENT, given, components, "%s: %u numbers for %u components",
                             what, given, components);
    }
    for (uint32_t k = 0; k < components; k++) {
        size_t len = strcspn(text, ",");
        TELAR_TRY(write_scalar(set, what, (tl_str){text, len}, field, k, bytes + field->offset_bytes));
        if (text[len] == ',') text += len + 1;
    }
    return TELAR_OK;
}

static telar_status apply_set(const setting *set, const char *text)
{
    tl_data *data = set->data;
    char path[NAME_BYTES];
    const char *value;
    if (!split(text, path, &value)) {
        return tl_fail(set->diag, TELAR_INVALID_ARGUMENT, "--set: '%.80s' is not NAME.FIELD=VALUE or NAME=VALUE", text);
    }
    if (strpbrk(path, ".[") == NULL && tl_kernel_has_override(data->kernel, path)) return TELAR_OK;
    char what[NAME_BYTES + 8];
    snprintf(what, sizeof what, "--set %s", path);
    char name[NAME_BYTES];
    size_t len = strcspn(path, ".[");
    snprintf(name, sizeof name, "%.*s", (int)len, path);
    uint32_t index;
    TELAR_TRY(tl_kernel_variable(data->kernel, "--set", name, &index, set->diag));
    tl_datum *datum = &data->items[index];
    tl_field field;
    TELAR_TRY(tl_variable_field(data->kernel, datum->variable, path + len, &field, set->diag));
    TELAR_TRY(memory_of(datum, set->diag));
    return write_field(set, what, value, &field, datum->bytes);
}

/* ---- sizes --------------------------------------------------------------------------------------------------------- */

tl_datum *tl_data_of(const tl_data *data, const telar_binding *binding)
{
    for (uint32_t k = 0; k < data->count; k++) {
        const tl_variable *variable = data->items[k].variable;
        if (variable->group == binding->group && variable->binding == binding->binding &&
            strcmp(variable->name, binding->name) == 0) {
            return &data->items[k];
        }
    }
    return NULL;
}

static tl_shape shape_of_plan(const telar_plan *plan)
{
    tl_shape shape = {.axes = plan->dimensions};
    for (uint32_t k = 0; k < shape.axes; k++) shape.sizes[k] = plan->count[plan->dimensions - 1 - k];
    return shape;
}

/* What nothing is bound to: results as many as the count, the rest is missing. */
static telar_status size_unbound(const tl_data *data, tl_datum *datum, const telar_plan *plan, telar_diag *diag)
{
    const tl_variable *variable = datum->variable;
    bool written = variable->space == TELAR_BINDING_STORAGE_READ_WRITE;
    bool structure =
        is_array(variable) && variable->type_text != NULL && strncmp(variable->type_text, "array<", 6) != 0;
    if (!written || structure) {
        bool uniform = variable->space == TELAR_BINDING_UNIFORM;
        return tl_fail(diag, TELAR_INVALID_ARGUMENT, "nothing is bound to %s (%s); give --bind %s=SOURCE%s%s%s",
                       variable->name, variable->type_text, variable->name, uniform ? ", or --set " : "",
                       uniform ? variable->name : "", uniform ? ".FIELD=VALUE" : "");
    }
    datum->sized = true;
    tl_shape shape = shape_of_plan(plan);
    if (!is_array(variable)) shape = (tl_shape){1, {variable->slot.fixed_elements}};
    TELAR_TRY(tl_layout_of(&variable->slot, &shape, &datum->layout, diag));
    /* A result is as deep as the deepest picture that went in. */
    for (uint32_t k = 0; k < data->count; k++) datum->layout.deep = datum->layout.deep || data->items[k].layout.deep;
    return TELAR_OK;
}

/* An array that is walked along with the domain must have an element for each. */
static telar_status check_length(const tl_data *data, const tl_datum *datum, const telar_binding *binding,
                                 const telar_plan *plan, telar_diag *diag)
{
    const char *what = data->counted != NULL ? "capacity" : "count";
    if (!binding->windowed || datum->layout.elements >= plan->elements) return TELAR_OK;
    return tl_fail_limit(diag, TELAR_INVALID_DATA, datum->layout.elements, plan->elements,
                         "%s has %llu elements, the %s is %llu; bind as many, or give a smaller --%s",
                         datum->variable->name, (unsigned long long)datum->layout.elements, what,
                         (unsigned long long)plan->elements, what);
}

static telar_status size_buffer(tl_datum *datum, uint64_t min_bytes, telar_diag *diag)
{
    uint64_t bytes = datum->layout.buffer_bytes;
    if (bytes < min_bytes) bytes = min_bytes;
    if (bytes < 4) bytes = 4;
    if (telar_round_up(bytes, 4, &datum->buffer_bytes)) return TELAR_OK;
    return tl_fail(diag, TELAR_OVERFLOWS, "%s: its size does not fit in 64 bits", datum->variable->name);
}

static telar_status size_binding(tl_data *data, const telar_binding *binding, const telar_plan *plan, telar_diag *diag)
{
    tl_datum *datum = tl_data_of(data, binding);
    if (datum == NULL && data->counted != NULL && strcmp(binding->name, "telar_report") == 0) return TELAR_OK;
    if (datum == NULL)
        return tl_fail(diag, TELAR_NOT_FOUND, "the kernel's binding %s is no variable of the module", binding->name);
    if (!datum->sized) TELAR_TRY(size_unbound(data, datum, plan, diag));
    TELAR_TRY(check_length(data, datum, binding, plan, diag));
    return size_buffer(datum, binding->min_bytes, diag);
}

/* The word of the count lies in the data that were given. */
static telar_status size_counter(tl_data *data, telar_diag *diag)
{
    tl_datum *datum = data->counted;
    if (datum == NULL) return TELAR_OK;
    const char *name = datum->variable->name;
    if (!datum->sized) {
        return tl_fail(diag, TELAR_INVALID_ARGUMENT,
                       "--count: nothing is bound to %s, where the count should be; give --bind %s=SOURCE", name, name);
    }
    if (datum->buffer_bytes == 0) TELAR_TRY(size_buffer(datum, 4, diag));
    uint64_t bytes = datum->layout.buffer_bytes, offset = data->counted_bytes;
    if (bytes >= 4 && offset <= bytes - 4) return TELAR_OK;
    return tl_fail_limit(diag, TELAR_INVALID_ARGUMENT, offset, bytes,
                         "--count: a count of 4 bytes at byte %llu reaches past the end of %s (%llu bytes)",
                         (unsigned long long)offset, name, (unsigned long long)bytes);
}

telar_status tl_data_settle(tl_data *data, const tl_data_options *options, const telar_plan *plan,
                            const telar_woven *woven, telar_diag *diag)
{
    setting set = {data, plan, diag};
    for (uint32_t k = 0; k < options->sets.count; k++) TELAR_TRY(apply_set(&set, options->sets.items[k]));
    for (uint32_t k = 0; k < woven->kernel.bindings_count; k++) {
        TELAR_TRY(size_binding(data, &woven->kernel.bindings[k], plan, diag));
    }
    TELAR_TRY(size_counter(data, diag));
    for (uint32_t k = 0; k < data->count; k++) {
        tl_datum *datum = &data->items[k];
        if (datum->out == NULL) continue;
        if (datum->buffer_bytes == 0) {
            return tl_fail(diag, TELAR_INVALID_ARGUMENT, "--out: the kernel does not use %s", datum->variable->name);
        }
        TELAR_TRY(tl_save_check(datum->out, &datum->variable->slot, &datum->layout, diag));
    }
    return TELAR_OK;
}
