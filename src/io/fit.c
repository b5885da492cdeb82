/* SPDX-License-Identifier: MIT
 *
 * From data to a variable's memory. One function a rule of fit.h; the first that applies decides. */
#include "io/fit.h"

#include <stdlib.h>
#include <string.h>

typedef struct fitting {
    const char *what;
    const tl_slot *slot;
    tl_array *array;
    tl_layout *layout;
    telar_diag *diag;
} fitting;

/* ---- messages ------------------------------------------------------------------------------------------------------ */

static const char *advice_for(tl_dtype found, tl_dtype wanted)
{
    static const struct {
        tl_dtype wanted;
        const char *advice;
    } ways[] = {
        {TL_DTYPE_F32, "save it with .astype(numpy.float32)"}, {TL_DTYPE_F16, "save it with .astype(numpy.float16)"},
        {TL_DTYPE_U32, "save it with .astype(numpy.uint32)"},  {TL_DTYPE_I32, "save it with .astype(numpy.int32)"},
        {TL_DTYPE_U64, "save it with .astype(numpy.uint64)"},  {TL_DTYPE_I64, "save it with .astype(numpy.int64)"},
        {TL_DTYPE_F64, "save it with .astype(numpy.float64)"},
    };
    if (found == TL_DTYPE_F16 && wanted == TL_DTYPE_F32) {
        return "save it with .astype(numpy.float32), or declare array<f16> (enable f16)";
    }
    for (size_t k = 0; k < TL_COUNT(ways); k++) {
        if (ways[k].wanted == wanted) return ways[k].advice;
    }
    return "save the bytes as .bin";
}

static telar_status wrong_type(const fitting *fit)
{
    return tl_fail(fit->diag, TELAR_INVALID_DATA, "%s: the data is %s, the variable is %s; %s", fit->what,
                   tl_dtype_text(fit->array->dtype), fit->slot->type_text,
                   advice_for(fit->array->dtype, fit->slot->scalar));
}

static telar_status wrong_shape(const fitting *fit, const char *allowed)
{
    char shape[TL_AXES_MAX * 24];
    telar_out out = {.data = shape, .cap = sizeof shape};
    tl_shape_text(&fit->array->shape, &out);
    return tl_fail(fit->diag, TELAR_INVALID_DATA, "%s: the data has shape %s, the variable is %s; allowed is %s",
                   fit->what, shape, fit->slot->type_text, allowed);
}

/* ---- sizes --------------------------------------------------------------------------------------------------------- */

/* Sets the number of elements and checks it against a variable of fixed size. */
static telar_status set_elements(const fitting *fit, uint64_t elements)
{
    const tl_slot *slot = fit->slot;
    tl_layout *layout = fit->layout;
    layout->elements = elements;
    layout->stride_bytes = slot->stride_bytes;
    if (!telar_multiply(elements, slot->stride_bytes, &layout->buffer_bytes)) {
        return tl_fail(fit->diag, TELAR_OVERFLOWS, "%s: the size of %s does not fit in 64 bits", fit->what,
                       slot->type_text);
    }
    if (layout->buffer_bytes < slot->min_bytes && elements > 0 && slot->fixed_elements == 0) {
        return tl_fail_limit(fit->diag, TELAR_INVALID_DATA, layout->buffer_bytes, slot->min_bytes,
                             "%s: the data has %llu bytes, %s needs %llu at least", fit->what,
                             (unsigned long long)layout->buffer_bytes, slot->type_text,
                             (unsigned long long)slot->min_bytes);
    }
    if (slot->fixed_elements == 0 || slot->fixed_elements == elements) return TELAR_OK;
    uint64_t fixed_bytes = slot->fixed_elements * slot->stride_bytes;
    return tl_fail_limit(fit->diag, TELAR_INVALID_DATA, layout->buffer_bytes, fixed_bytes,
                         "%s: the data has %llu bytes for %s, which has %llu", fit->what,
                         (unsigned long long)layout->buffer_bytes, slot->type_text, (unsigned long long)fixed_bytes);
}

static telar_status whole_elements(const fitting *fit)
{
    uint64_t bytes = fit->array->size_bytes;
    uint32_t stride = fit->slot->stride_bytes;
    if (bytes % stride == 0) return set_elements(fit, bytes / stride);
    return tl_fail_limit(fit->diag, TELAR_INVALID_DATA, bytes, stride,
                         "%s: %llu bytes are no whole number of elements of %s (%u bytes each)", fit->what,
                         (unsigned long long)bytes, fit->slot->type_text, stride);
}

static tl_shape flat(uint64_t elements)
{
    return (tl_shape){1, {elements}};
}

/* ---- the rules ----------------------------------------------------------------------------------------------------- */

static telar_status fit_bytes(const fitting *fit)
{
    TELAR_TRY(whole_elements(fit));
    /* Written back as .npy it has the variable's own type. */
    tl_shape domain = flat(fit->layout->elements);
    return tl_layout_of(fit->slot, &domain, fit->layout, fit->diag);
}

/* A struct from 32-bit words. */
static telar_status fit_words(const fitting *fit)
{
    TELAR_TRY(whole_elements(fit));
    fit->layout->domain = flat(fit->layout->elements);
    fit->layout->tight_bytes = fit->slot->stride_bytes;
    return TELAR_OK;
}

/* Several small elements to a word of u32. */
static telar_status fit_packed(const fitting *fit)
{
    const tl_array *array = fit->array;
    uint32_t stride = fit->slot->stride_bytes;
    TELAR_TRY(set_elements(fit, telar_ceil_div(array->size_bytes, stride)));
    tl_layout *layout = fit->layout;
    layout->domain = array->shape;
    uint32_t last = array->shape.axes - 1;
    uint64_t row = array->shape.axes > 0 ? array->shape.sizes[last] * tl_dtype_bytes(array->dtype) : 0;
    if (row == 0 || row % stride != 0) {
        layout->domain = flat(layout->elements);
    } else if (row == stride && last > 0) {
        layout->domain.axes--;
    } else {
        layout->domain.sizes[last] = row / stride;
    }
    layout->tight_bytes = stride;
    return TELAR_OK;
}

/* Room between elements, as after each vec3f. */
static telar_status pad(const fitting *fit)
{
    tl_array *array = fit->array;
    const tl_layout *layout = fit->layout;
    TELAR_TRY(tl_array_settle(array, fit->diag));
    void *memory;
    TELAR_TRY(tl_array_alloc(fit->what, layout->buffer_bytes, &memory, fit->diag));
    memset(memory, 0, (size_t)layout->buffer_bytes);
    for (uint64_t k = 0; k < layout->elements; k++) {
        memcpy((unsigned char *)memory + k * layout->stride_bytes, array->data + k * layout->tight_bytes,
               layout->tight_bytes);
    }
    tl_file_close(&array->file);
    free(array->owned);
    array->owned = memory;
    array->data = memory;
    array->size_bytes = layout->buffer_bytes;
    return TELAR_OK;
}

/* The same scalar: components are the last axis, or lie one after another in a flat array. */
static telar_status fit_same(const fitting *fit)
{
    const tl_slot *slot = fit->slot;
    const tl_array *array = fit->array;
    tl_layout *layout = fit->layout;
    uint32_t axes = array->shape.axes;
    bool last_axis = axes > 0 && array->shape.sizes[axes - 1] == slot->components;
    if (slot->components > 1 && !last_axis && (axes > 1 || array->elements % slot->components != 0)) {
        char allowed[64];
        telar_out out = {.data = allowed, .cap = sizeof allowed};
        tl_out_format(&out, "a last axis of %u", slot->components);
        return wrong_shape(fit, allowed);
    }
    TELAR_TRY(set_elements(fit, array->elements / slot->components));
    layout->domain = array->shape;
    if (slot->components > 1) {
        layout->domain.axes = last_axis ? axes - 1 : axes;
        if (!last_axis || axes == 1) layout->domain = flat(layout->elements);
    }
    layout->tight_bytes = slot->components * tl_dtype_bytes(slot->scalar);
    return layout->tight_bytes == layout->stride_bytes ? TELAR_OK : pad(fit);
}

/* ---- pictures ------------------------------------------------------------------------------------------------------ */

static double sample(const tl_array *picture, uint64_t index)
{
    if (picture->dtype == TL_DTYPE_U8) return picture->data[index] / 255.0;
    uint16_t word;
    memcpy(&word, picture->data + 2 * index, 2);
    return word / 65535.0;
}

/* One f32 for each `step`-th sample. */
static telar_status picture_to_floats(const fitting *fit, uint32_t step)
{
    tl_array *array = fit->array;
    uint64_t samples = array->elements / step;
    void *memory;
    TELAR_TRY(tl_array_alloc(fit->what, samples * 4, &memory, fit->diag));
    for (uint64_t k = 0; k < samples; k++) {
        float value = (float)sample(array, k * step);
        memcpy((unsigned char *)memory + 4 * k, &value, 4);
    }
    free(array->owned);
    array->owned = memory;
    array->data = memory;
    array->size_bytes = samples * 4;
    return TELAR_OK;
}

/* A word a pixel: the bytes as they lie; of 16 bits the nearest of 8. */
static void picture_to_words(tl_array *array)
{
    if (array->dtype == TL_DTYPE_U8) return;
    unsigned char *bytes = array->owned;
    for (uint64_t k = 0; k < array->elements; k++) {
        uint16_t word;
        memcpy(&word, bytes + 2 * k, 2);
        bytes[k] = (unsigned char)((word * 255u + 32767u) / 65535u);
    }
    array->size_bytes = array->elements;
}

static telar_status fit_picture(const fitting *fit)
{
    const tl_slot *slot = fit->slot;
    tl_array *array = fit->array;
    bool words = slot->scalar == TL_DTYPE_U32 && slot->components == 1;
    bool colors = slot->scalar == TL_DTYPE_F32 && slot->components == 4;
    bool grays = slot->scalar == TL_DTYPE_F32 && slot->components == 1;
    if (!words && !colors && !grays) {
        return tl_fail(fit->diag, TELAR_INVALID_DATA,
                       "%s: a picture does not fit %s; allowed are array<u32>, array<vec4f> and, in gray, array<f32>",
                       fit->what, slot->type_text);
    }
    if (grays && !array->gray) {
        return tl_fail(fit->diag, TELAR_INVALID_DATA,
                       "%s: a picture in colour does not fit %s; allowed are array<vec4f> and array<u32>", fit->what,
                       slot->type_text);
    }
    tl_shape domain = {2, {array->shape.sizes[0], array->shape.sizes[1]}};
    TELAR_TRY(set_elements(fit, domain.sizes[0] * domain.sizes[1]));
    TELAR_TRY(tl_layout_of(slot, &domain, fit->layout, fit->diag));
    fit->layout->deep = array->dtype == TL_DTYPE_U16;
    if (colors) return picture_to_floats(fit, 1);
    if (grays) return picture_to_floats(fit, 4);
    picture_to_words(array);
    return TELAR_OK;
}

telar_status tl_fit(const char *what, const tl_slot *slot, tl_array *array, tl_layout *layout, telar_diag *diag)
{
    *layout = (tl_layout){.dtype = array->dtype, .shape = array->shape, .file_bytes = array->size_bytes};
    fitting fit = {what, slot, array, layout, diag};
    uint32_t bytes = tl_dtype_bytes(array->dtype);
    telar_status status;
    if (array->picture) {
        status = fit_picture(&fit);
    } else if (array->dtype == TL_DTYPE_BYTES) {
        status = fit_bytes(&fit);
    } else if (array->dtype == slot->scalar) {
        status = fit_same(&fit);
    } else if (slot->scalar == TL_DTYPE_BYTES && bytes == 4) {
        status = fit_words(&fit);
    } else if (slot->scalar == TL_DTYPE_U32 && bytes < 4) {
        status = fit_packed(&fit);
    } else {
        status = wrong_type(&fit);
    }
    if (status != TELAR_OK) *layout = (tl_layout){0};
    return status;
}

telar_status tl_layout_of(const tl_slot *slot, const tl_shape *domain, tl_layout *layout, telar_diag *diag)
{
    bool typed = slot->scalar != TL_DTYPE_BYTES;
    tl_dtype words = slot->stride_bytes % 4 == 0 ? TL_DTYPE_U32 : TL_DTYPE_BYTES;
    *layout = (tl_layout){.dtype = typed ? slot->scalar : words,
                          .shape = *domain,
                          .domain = *domain,
                          .tight_bytes = typed ? slot->components * tl_dtype_bytes(slot->scalar) : slot->stride_bytes,
                          .stride_bytes = slot->stride_bytes};
    bool fits = tl_shape_elements(domain, &layout->elements) &&
                telar_multiply(layout->elements, layout->stride_bytes, &layout->buffer_bytes);
    if (!fits || domain->axes == TL_AXES_MAX) {
        *layout = (tl_layout){0};
        return tl_fail(diag, TELAR_OVERFLOWS, "%s: the size of %s does not fit in 64 bits", slot->name,
                       slot->type_text);
    }
    layout->file_bytes = layout->elements * layout->tight_bytes;
    uint32_t inner = layout->tight_bytes / tl_dtype_bytes(layout->dtype);
    if (inner > 1) layout->shape.sizes[layout->shape.axes++] = inner;
    return TELAR_OK;
}
