/* SPDX-License-Identifier: MIT
 *
 * The arrays of a case over one domain: filled on the CPU, brought to the device, and beside them what plain C computes. */
#include "sweep/sweep.h"

#include <stdlib.h>
#include <string.h>

#define VECTOR_BYTES 16
#define COPY_BYTES_MAX (UINT64_C(1) << 30) /* there, and as many back */

uint64_t tl_bed_buffer_bytes(uint64_t bytes)
{
    return telar_ceil_div(bytes, VECTOR_BYTES) * VECTOR_BYTES;
}

telar_status tl_bed_buffer(telar_host *host, uint64_t bytes, WGPUBuffer *buffer, telar_diag *diag)
{
    return telar_host_buffer_create(host, tl_bed_buffer_bytes(bytes), buffer, diag);
}

telar_status tl_bed_copy(telar_host *host, WGPUBuffer source, WGPUBuffer target, uint64_t bytes, telar_diag *diag)
{
    uint32_t words[256];
    telar_recording recording;
    telar_prepared *prepared;
    telar_record record = telar_record_begin(words, TL_COUNT(words));
    telar_buffer_desc desc = {
        .name = "from", .size_bytes = tl_bed_buffer_bytes(bytes), .use = TELAR_USE_STORAGE | TELAR_USE_BOUND};
    telar_buffer from = telar_record_buffer(&record, &desc);
    desc.name = "to";
    telar_buffer to = telar_record_buffer(&record, &desc);
    telar_record_copy(&record, from, 0, to, 0, desc.size_bytes);
    TELAR_TRY(telar_record_end(&record, &recording, diag));
    const telar_bound_buffer bound[] = {{from, source}, {to, target}};
    TELAR_TRY(telar_host_prepare(host, recording, bound, TL_COUNT(bound), &prepared, diag));
    telar_status status = telar_prepared_run(prepared, diag);
    telar_prepared_release(prepared);
    return status;
}

uint32_t tl_bed_find(const tl_bed *bed, const char *name)
{
    for (uint32_t k = 0; k < bed->arrays_count; k++) {
        if (strcmp(bed->arrays[k].name, name) == 0) return k;
    }
    return UINT32_MAX;
}

/* ---- One case ---------------------------------------------------------------------------------------------------- */

static uint64_t words_of(const tl_case_array *array, const tl_domain *domain)
{
    return array->words != 0 ? array->words : tl_domain_elements(domain);
}

static void fill(const tl_case_array *array, const tl_domain *domain, uint32_t *words, uint64_t count)
{
    if (array->role == TL_ARRAY_INPUT) array->fill(words, count);
    else if (array->role == TL_ARRAY_UNIFORM) {
        words[0] = (uint32_t)domain->count[0];
        words[1] = (uint32_t)domain->count[1];
    }
}

static telar_status fill_all(const tl_case *builtin, const tl_domain *domain, uint32_t **words, telar_diag *diag)
{
    for (uint32_t k = 0; builtin->arrays[k].role != TL_ARRAY_NONE; k++) {
        uint64_t count = words_of(&builtin->arrays[k], domain);
        words[k] = calloc(count + 1, sizeof **words);
        if (words[k] == NULL) {
            return tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory for the %llu words of '%s'", (unsigned long long)count,
                           builtin->arrays[k].name);
        }
        fill(&builtin->arrays[k], domain, words[k], count);
    }
    builtin->reference(domain, words);
    return TELAR_OK;
}

/* An output begins as zeros, and what is expected of it stands beside it. */
static telar_status upload(tl_bed *bed, const tl_case_array *array, const uint32_t *words, telar_diag *diag)
{
    tl_bed_array *made = &bed->arrays[bed->arrays_count++];
    *made = (tl_bed_array){
        .name = array->name, .role = array->role, .bytes = words_of(array, &bed->domain) * sizeof *words};
    TELAR_TRY(tl_bed_buffer(bed->host, made->bytes, &made->handle, diag));
    WGPUBuffer *filled = &made->handle;
    if (array->role == TL_ARRAY_OUTPUT) {
        filled = &made->expected;
        TELAR_TRY(tl_bed_buffer(bed->host, made->bytes, filled, diag));
    }
    return telar_host_write(bed->host, *filled, 0, words, made->bytes, diag);
}

/* The two arrays of a copy that moves as many bytes; the one is what is expected of the other. */
telar_status tl_bed_add_copy(tl_bed *bed, uint64_t bytes, telar_diag *diag)
{
    uint64_t wanted = tl_bed_buffer_bytes(bytes);
    bytes = wanted > COPY_BYTES_MAX ? COPY_BYTES_MAX : wanted;
    bed->copy_scale = (double)wanted / (double)bytes;
    tl_bed_array *arrays = &bed->arrays[bed->arrays_count];
    bed->arrays_count += 2;
    arrays[0] = (tl_bed_array){.name = TL_COPY_SOURCE, .role = TL_ARRAY_INPUT, .bytes = bytes};
    arrays[1] = (tl_bed_array){.name = TL_COPY_TARGET, .role = TL_ARRAY_OUTPUT, .bytes = bytes};
    TELAR_TRY(tl_bed_buffer(bed->host, bytes, &arrays[0].handle, diag));
    TELAR_TRY(tl_bed_buffer(bed->host, bytes, &arrays[1].handle, diag));
    uint32_t *words = malloc(bytes);
    if (words == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory for a copy");
    for (uint64_t k = 0; k < bytes / sizeof *words; k++) words[k] = (uint32_t)k * 2654435761u + 1;
    telar_status status = telar_host_write(bed->host, arrays[0].handle, 0, words, bytes, diag);
    free(words);
    arrays[1].expected = arrays[0].handle;
    return status;
}

telar_status tl_bed_make(telar_host *host, const tl_case *builtin, const tl_domain *domain, tl_bed *bed,
                         telar_diag *diag)
{
    uint32_t *words[TL_SWEEP_ARRAYS_MAX] = {0};
    *bed = (tl_bed){.host = host, .domain = *domain};
    telar_status status = fill_all(builtin, domain, words, diag);
    for (uint32_t k = 0; status == TELAR_OK && builtin->arrays[k].role != TL_ARRAY_NONE; k++) {
        status = upload(bed, &builtin->arrays[k], words[k], diag);
    }
    if (status == TELAR_OK) status = tl_bed_add_copy(bed, tl_domain_elements(domain) * builtin->bytes / 2, diag);
    for (uint32_t k = 0; k < TL_SWEEP_ARRAYS_MAX; k++) free(words[k]);
    if (status != TELAR_OK) tl_bed_drop(bed);
    return status;
}

void tl_bed_drop(tl_bed *bed)
{
    for (uint32_t k = 0; k < bed->arrays_count; k++) {
        const tl_bed_array *array = &bed->arrays[k];
        bool shared = strcmp(array->name, TL_COPY_TARGET) == 0;
        telar_host_buffer_release(bed->host, array->handle);
        telar_host_buffer_release(bed->host, array->initial);
        if (!shared) telar_host_buffer_release(bed->host, array->expected);
    }
    *bed = (tl_bed){0};
}
