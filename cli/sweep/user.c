/* SPDX-License-Identifier: MIT
 *
 * The data of a user's kernel, by the same options as of `telar run`, on the device for a sweep. */
#include "sweep/user.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/quantity.h"
#include "run_launch.h"

#define SOURCE_BYTES 160
#define MEMORY_FIRST ((size_t)1 << 20)
#define MEMORY_MAX ((size_t)1 << 30)

/* ---- Options ----------------------------------------------------------------------------------------------------- */

static telar_status take_kind(void *field, const tl_option *option, const char *text, telar_diag *diag)
{
    for (int kind = TELAR_KIND_ELEMENT; kind <= TELAR_KIND_TILE; kind++) {
        if (strcmp(telar_kind_text((telar_kind)kind), text) != 0) continue;
        *(telar_kind *)field = (telar_kind)kind;
        return TELAR_OK;
    }
    return tl_fail(diag, TELAR_INVALID_ARGUMENT, "--kind: there is no '%.60s'; allowed are %s", text, option->argument);
}

#define FIELD(name) .offset = offsetof(tl_user_options, name)

static const tl_option options[] = {
    {.name = "element",
     .argument = "NAME",
     .take = tl_take_text,
     FIELD(entry.element),
     .help = {"the element function (default: element)", "la función de elemento (por defecto, element)"}},
    {.name = "entry",
     .argument = "NAME",
     .take = tl_take_text,
     FIELD(entry.entry),
     .help = {"the entry point (default: the only compute entry point)",
              "el punto de entrada (por defecto, el único de cómputo)"}},
    {.name = "bind",
     .argument = "NAME=SOURCE",
     .take = tl_take_texts,
     FIELD(binds),
     .help =
         {"data of a WGSL variable, as for run (default: inputs are random, outputs zeros)",
          "datos de una variable WGSL, como en run (por defecto, las entradas son aleatorias y las salidas, ceros)"}},
    {.name = "set",
     .argument = "NAME.FIELD=VALUE|NAME=VALUE[,VALUE...]",
     .take = tl_take_texts,
     FIELD(sets),
     .help = {"a field of a uniform, or an override; several values of an override are all tried",
              "un campo de un uniform, o un override; si un override lleva varios valores, se prueban todos"}},
    {.name = "kind",
     .argument = "element|reduce|scan|image|tile",
     .take = take_kind,
     FIELD(kind),
     .help = {"what a kernel of your own does (default element)",
              "lo que hace un kernel propio (por defecto, element)"}},
    {.name = "bytes",
     .argument = "B",
     .take = tl_take_u32,
     .min = 1,
     .max = 65536,
     FIELD(bytes),
     .help = {"bytes that it moves per element (default: as its accesses [i] show)",
              "bytes que mueve por elemento (por defecto, según sus accesos [i])"}},
    {.name = "halo",
     .argument = "R",
     .take = tl_take_u32,
     .max = 4096,
     FIELD(halo),
     .help = {"neighbours that it reads on each side", "vecinos que lee a cada lado"}},
};

const tl_option_group tl_user_group = {
    .title = {"A kernel of your own", "Un kernel propio"}, .options = options, .count = TL_COUNT(options)};

/* ---- Opening ----------------------------------------------------------------------------------------------------- */

/* Of a path: the file's name without its ending. */
static void name_of(const char *path, char name[TL_SWEEP_NAME_BYTES])
{
    const char *base = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
    const char *end = strrchr(base, '.');
    size_t len = end != NULL && end != base ? (size_t)(end - base) : strlen(base);
    snprintf(name, TL_SWEEP_NAME_BYTES, "%.*s", (int)len, base);
}

/* NAME=V,V of an override: a dimension of the search. */
static telar_status take_list(tl_user *user, const char *text, bool *taken, telar_diag *diag)
{
    const char *equals = strchr(text, '=');
    tl_subject *subject = &user->subject;
    *taken = false;
    if (equals == NULL || equals - text >= TL_SWEEP_NAME_BYTES || strchr(equals, ',') == NULL) return TELAR_OK;
    char *name = user->set_names[subject->sets_count];
    memcpy(name, text, (size_t)(equals - text));
    name[equals - text] = 0;
    if (!tl_kernel_has_override(&user->kernel, name)) return TELAR_OK;
    if (subject->sets_count == TL_SWEEP_SETS_MAX) {
        return tl_fail(diag, TELAR_LIMIT_EXCEEDED, "--set: more than %d lists of values", TL_SWEEP_SETS_MAX);
    }
    tl_sweep_set *set = &subject->sets[subject->sets_count++];
    *set = (tl_sweep_set){.name = name};
    for (const char *at = equals + 1;; at++) {
        size_t len = strcspn(at, ",");
        if (set->count == TL_SWEEP_VALUES_MAX) {
            return tl_fail(diag, TELAR_LIMIT_EXCEEDED, "--set %s: more than %d values", name, TL_SWEEP_VALUES_MAX);
        }
        TELAR_TRY(tl_number_f64("--set", (tl_str){at, len}, &set->values[set->count++], diag));
        at += len;
        if (*at == 0) break;
    }
    *taken = true;
    return TELAR_OK;
}

static telar_status sort_sets(tl_user *user, const tl_user_options *from, telar_diag *diag)
{
    for (uint32_t k = 0; k < from->sets.count; k++) {
        bool taken = false;
        TELAR_TRY(take_list(user, from->sets.items[k], &taken, diag));
        if (!taken) user->data_options.sets.items[user->data_options.sets.count++] = from->sets.items[k];
    }
    return TELAR_OK;
}

static telar_status open_subject(tl_user *user, const tl_user_options *from, telar_diag *diag)
{
    tl_subject *subject = &user->subject;
    tl_gpu_count none = {0};
    user->data_options.binds = from->binds;
    *subject = (tl_subject){.name = user->name,
                            .kind = from->kind,
                            .bytes = from->bytes,
                            .halo = from->halo,
                            .element = from->entry.element,
                            .entry = from->entry.entry};
    TELAR_TRY(sort_sets(user, from, diag));
    TELAR_TRY(tl_data_open(&user->data_options, &user->kernel, &none, &user->data, diag));
    if (user->data.overrides_count > TL_SWEEP_OVERRIDES_MAX - 4) {
        return tl_fail(diag, TELAR_LIMIT_EXCEEDED, "--set: more than %d overrides", TL_SWEEP_OVERRIDES_MAX - 4);
    }
    subject->overrides_count = user->data.overrides_count;
    memcpy(subject->overrides, user->data.overrides, subject->overrides_count * sizeof *subject->overrides);
    return tl_subject_open((const char *)user->kernel.file.data, (size_t)user->kernel.file.size_bytes, subject, diag);
}

int tl_user_open(const char *path, const tl_user_options *from, tl_user *user)
{
    telar_diag diag = {0};
    *user = (tl_user){0};
    int exit = tl_kernel_open(path, &user->kernel);
    if (exit != TL_EXIT_DONE) return exit;
    name_of(path, user->name);
    telar_status status = open_subject(user, from, &diag);
    if (status == TELAR_OK) return TL_EXIT_DONE;
    exit = tl_kernel_report(&user->kernel, status, &diag);
    tl_user_close(user);
    return exit;
}

void tl_user_close(tl_user *user)
{
    tl_subject_close(&user->subject);
    tl_data_close(&user->data);
    tl_kernel_close(&user->kernel);
}

telar_status tl_user_domain(const tl_user *user, tl_domain *domain, telar_diag *diag)
{
    tl_plan_options none = {0};
    *domain = (tl_domain){.count = {1, 1, 1}};
    return tl_data_count(&user->data, &none, &user->subject.forms[0].needs, domain->count, &domain->dimensions, diag);
}

/* ---- What nothing is bound to ------------------------------------------------------------------------------------ */

/* "NAME=vec4f:1000:random:1"; false where no numbers are known for the type. */
static bool source_of(const tl_variable *variable, uint64_t elements, uint32_t seed, char text[SOURCE_BYTES])
{
    const tl_slot *slot = &variable->slot;
    char type[8];
    if (slot->scalar == TL_DTYPE_BYTES || slot->fixed_elements != 0 || slot->components > 4) return false;
    const char *scalar = tl_dtype_text(slot->scalar);
    if (slot->components == 1) snprintf(type, sizeof type, "%s", scalar);
    else snprintf(type, sizeof type, "vec%u%c", slot->components, slot->scalar == TL_DTYPE_F16 ? 'h' : scalar[0]);
    int len =
        snprintf(text, SOURCE_BYTES, "%s=%s:%llu:random:%u", variable->name, type, (unsigned long long)elements, seed);
    return len > 0 && len < SOURCE_BYTES;
}

static bool is_bound(const tl_texts *binds, const char *name)
{
    size_t len = strlen(name);
    for (uint32_t k = 0; k < binds->count; k++) {
        if (strncmp(binds->items[k], name, len) == 0 && binds->items[k][len] == '=') return true;
    }
    return false;
}

static void add_sources(const tl_user *user, const tl_domain *domain, char (*texts)[SOURCE_BYTES],
                        tl_data_options *data_options)
{
    tl_texts *binds = &data_options->binds;
    for (uint32_t k = 0; k < user->kernel.variables_count && binds->count < TL_TEXTS_MAX; k++) {
        const tl_variable *variable = &user->kernel.variables[k];
        if (variable->space != TELAR_BINDING_STORAGE_READ || is_bound(binds, variable->name)) continue;
        if (source_of(variable, tl_domain_elements(domain), k + 1, texts[k])) binds->items[binds->count++] = texts[k];
    }
}

/* ---- The bed ----------------------------------------------------------------------------------------------------- */

static const tl_candidate *default_of(const tl_candidates *candidates)
{
    for (uint32_t k = 0; k < candidates->count; k++) {
        if ((candidates->items[k].roles & TL_ROLE_DEFAULT) != 0) return &candidates->items[k];
    }
    return &candidates->items[0];
}

static telar_status upload(const tl_cli *cli, telar_host *host, const tl_datum *datum, WGPUBuffer buffer,
                           telar_diag *diag)
{
    if (datum->bytes != NULL) {
        return telar_host_write(host, buffer, 0, datum->bytes, datum->layout.buffer_bytes, diag);
    }
    return tl_upload(cli, host, datum->variable->name, &datum->array, buffer, 0, diag);
}

static telar_status add_array(const tl_cli *cli, const tl_datum *datum, tl_bed *bed, telar_diag *diag)
{
    if (bed->arrays_count + 2 >= TL_SWEEP_ARRAYS_MAX) {
        return tl_fail(diag, TELAR_LIMIT_EXCEEDED, "the kernel has more than %d arrays", TL_SWEEP_ARRAYS_MAX - 2);
    }
    static const tl_array_role roles[] = {[TELAR_BINDING_UNIFORM] = TL_ARRAY_UNIFORM,
                                          [TELAR_BINDING_STORAGE_READ] = TL_ARRAY_INPUT,
                                          [TELAR_BINDING_STORAGE_READ_WRITE] = TL_ARRAY_OUTPUT};
    tl_bed_array *array = &bed->arrays[bed->arrays_count++];
    *array = (tl_bed_array){
        .name = datum->variable->name, .role = roles[datum->variable->space], .bytes = datum->buffer_bytes};
    TELAR_TRY(tl_bed_buffer(bed->host, array->bytes, &array->handle, diag));
    TELAR_TRY(upload(cli, bed->host, datum, array->handle, diag));
    bool kept = array->role == TL_ARRAY_OUTPUT && (datum->source != NULL || datum->bytes != NULL);
    if (!kept) return TELAR_OK;
    TELAR_TRY(tl_bed_buffer(bed->host, array->bytes, &array->initial, diag));
    return upload(cli, bed->host, datum, array->initial, diag);
}

/* The sizes of all arrays that the kernel uses; it is woven for that as the default candidate is. */
static telar_status settle(const tl_user *user, const tl_sweep_bench *bench, const tl_data_options *data_options,
                           const tl_sweep_work *work, tl_data *data, telar_woven *woven, void **memory,
                           telar_diag *diag)
{
    telar_weave_desc desc = {.module = user->subject.forms[0].module,
                             .element = user->subject.element,
                             .entry = user->subject.entry,
                             .plan = &work->passes[0].launch,
                             .dialect = telar_host_dialect(bench->host)};
    telar_override overrides[TL_SWEEP_OVERRIDES_MAX];
    tl_candidate plain = {.items = work->passes[0].plan.items};
    memcpy(plain.size, work->passes[0].plan.workgroup_size, sizeof plain.size);
    desc.overrides = overrides;
    desc.overrides_count = tl_subject_overrides(&user->subject, &plain, overrides);
    telar_status status = TELAR_NO_SPACE;
    for (size_t bytes = MEMORY_FIRST; status == TELAR_NO_SPACE && bytes <= MEMORY_MAX; bytes *= 2) {
        free(*memory);
        *memory = malloc(bytes);
        if (*memory == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory to weave a kernel");
        telar_arena arena = telar_arena_make(*memory, bytes);
        status = telar_weave(&desc, &arena, woven, diag);
    }
    return status == TELAR_OK ? tl_data_settle(data, data_options, &work->passes[0].plan, woven, diag) : status;
}

/* The outputs of one run of the default candidate. */
static telar_status expect(tl_user *user, tl_sweep_bench *bench, const tl_candidate *candidate, tl_bed *bed,
                           telar_diag *diag)
{
    tl_sweep_work *work = malloc(sizeof *work);
    tl_sweep_trial trial = {0};
    double us;
    if (work == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory for a trial");
    telar_status status = tl_sweep_work_make(&user->subject, bed, candidate, &bench->facts->untuned, work, diag);
    if (status == TELAR_OK) {
        status = tl_sweep_trial_check(bench, &user->subject, bed, work, candidate, &trial, &us, diag);
    }
    tl_sweep_trial_drop(&trial);
    free(work);
    for (uint32_t k = 0; status == TELAR_OK && k < bed->arrays_count; k++) {
        tl_bed_array *array = &bed->arrays[k];
        if (array->role != TL_ARRAY_OUTPUT) continue;
        status = tl_bed_buffer(bed->host, array->bytes, &array->expected, diag);
        if (status == TELAR_OK) status = tl_bed_copy(bed->host, array->handle, array->expected, array->bytes, diag);
    }
    return status;
}

static telar_status fill(const tl_cli *cli, tl_user *user, const tl_sweep_bench *bench, const tl_candidate *candidate,
                         tl_data *data, const tl_data_options *data_options, tl_bed *bed, telar_diag *diag)
{
    tl_sweep_work *work = malloc(sizeof *work);
    void *memory = NULL;
    telar_woven woven = {0};
    if (work == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory for a trial");
    telar_status status = tl_sweep_work_make(&user->subject, bed, candidate, &bench->facts->untuned, work, diag);
    if (status == TELAR_OK) status = settle(user, bench, data_options, work, data, &woven, &memory, diag);
    for (uint32_t k = 0; status == TELAR_OK && k < woven.kernel.bindings_count; k++) {
        const tl_datum *datum = tl_data_of(data, &woven.kernel.bindings[k]);
        if (datum != NULL) status = add_array(cli, datum, bed, diag);
    }
    free(memory);
    free(work);
    return status;
}

telar_status tl_user_bed(const tl_cli *cli, tl_user *user, tl_sweep_bench *bench, const tl_domain *domain,
                         const tl_candidates *candidates, tl_bed *bed, telar_diag *diag)
{
    const tl_gpu_count none = {0};
    tl_data data;
    tl_data_options data_options = user->data_options;
    char(*texts)[SOURCE_BYTES] = calloc(user->kernel.variables_count + 1, sizeof *texts);
    *bed = (tl_bed){.host = bench->host, .domain = *domain};
    if (texts == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory for data");
    tl_candidate candidate = *default_of(candidates);
    candidate.vector = false;
    add_sources(user, domain, texts, &data_options);
    telar_status status = tl_data_open(&data_options, &user->kernel, &none, &data, diag);
    if (status == TELAR_OK) {
        status = fill(cli, user, bench, &candidate, &data, &data_options, bed, diag);
        tl_data_close(&data);
    }
    free(texts);
    if (status == TELAR_OK) status = expect(user, bench, &candidate, bed, diag);
    if (status == TELAR_OK) {
        status = tl_bed_add_copy(
            bed, tl_domain_elements(domain) * (user->subject.bytes != 0 ? user->subject.bytes : 8) / 2, diag);
    }
    if (status != TELAR_OK) tl_bed_drop(bed);
    return status;
}
