/* SPDX-License-Identifier: MIT
 *
 * telar run: a kernel on data, results to files. First everything that needs no device (options, source, data, count),
 * then the device, then the launch; files get their names only when all of them were written. */
#include "device_find.h"
#include "progress.h"
#include "run_verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct run_options {
    tl_entry_options entry;
    tl_data_options data;
    tl_plan_options plan;
    const char *device;
    uint32_t repeat;
    bool time, explain, verify;
} run_options;

/* Everything of one run. */
typedef struct run_state {
    const tl_cli *cli;
    const run_options *options;
    tl_kernel_file kernel;
    tl_data data;
    tl_device device;
    telar_weave_desc weave;
    telar_weave_needs needs;
    telar_facts facts;
    telar_plan_desc plan_desc;
    telar_plan plan;
    telar_woven woven;
    tl_launch launch;
    tl_times times;
    bool verified, verify_failed;
    telar_diag verdict;
    telar_diag diag;
    bool source_error; /* the diagnostic belongs to the source */
} run_state;

/* ---- steps --------------------------------------------------------------------------------------------------------- */

static telar_status of_source(run_state *run, telar_status status)
{
    run->source_error = status != TELAR_OK;
    return status;
}

static telar_status make_plan(run_state *run)
{
    telar_diag *diag = &run->diag;
    run->plan_desc = tl_plan_desc_of(&run->options->plan);
    TELAR_TRY(tl_data_count(&run->data, &run->options->plan, &run->needs, run->plan_desc.count,
                            &run->plan_desc.dimensions, diag));
    return tl_kernel_plan_desc(&run->needs, &run->plan_desc, diag);
}

/* The device's limits always hold; --facts changes what is known beyond them. */
static telar_status find_facts(run_state *run)
{
    const tl_plan_options *options = &run->options->plan;
    telar_facts device = *telar_host_facts(run->device.host);
    if (options->facts != NULL) {
        TELAR_TRY(tl_facts_resolve(options, &run->facts, &run->diag));
        run->facts.limits = device.limits;
    } else {
        run->facts = device;
    }
    if (run->device.compatibility) run->facts.limits = telar_facts_compatibility().limits;
    return tl_facts_apply(options, &run->facts, &run->diag);
}

static void announce_cpu(const run_state *run)
{
    const telar_adapter_info *adapter = telar_host_adapter(run->device.host);
    if (adapter->type != TELAR_DEVICE_CPU || run->options->device != NULL || getenv("TELAR_DEVICE") != NULL) return;
    tl_notice(TL_PICK(run->cli, "no GPU is used: %s is %s, a CPU adapter",
                      "no se usa ninguna GPU: %s es %s, un adaptador de CPU"),
              adapter->name, adapter->adapter);
}

static telar_status launch_first(run_state *run)
{
    tl_launch_desc desc = {.cli = run->cli,
                           .host = run->device.host,
                           .data = &run->data,
                           .plan = &run->plan,
                           .woven = &run->woven,
                           .repeat = run->options->repeat,
                           .timed = run->options->time,
                           .guarded = run->options->verify};
    TELAR_TRY(tl_launch_begin(&desc, &run->launch, &run->diag));
    return tl_launch_run(&run->launch, run->options->repeat, &run->times, &run->diag);
}

/* Before any work: a name that cannot be written is found at once. */
static telar_status begin_outputs(run_state *run)
{
    for (uint32_t k = 0; k < run->data.count; k++) {
        tl_datum *datum = &run->data.items[k];
        if (datum->out != NULL && datum->output.fd < 0)
            TELAR_TRY(tl_output_begin(datum->out, &datum->output, &run->diag));
    }
    return TELAR_OK;
}

/* The second launch of a verification: MISMATCH goes to the verdict, all else is a failure of the run. */
static telar_status compare_second(run_state *run)
{
    tl_first first = {.kernel = &run->kernel,
                      .weave = &run->weave,
                      .plan_desc = &run->plan_desc,
                      .facts = &run->facts,
                      .plan = &run->plan,
                      .ordinary = run->needs.form == TELAR_FORM_PLAIN};
    tl_second second = {0};
    TELAR_TRY(tl_second_make(&first, &second, &run->diag));
    tl_launch_desc desc = {.cli = run->cli,
                           .host = run->device.host,
                           .data = &run->data,
                           .plan = &second.plan,
                           .woven = &second.woven,
                           .repeat = run->options->repeat,
                           .guarded = true};
    tl_launch launch;
    tl_times times;
    TELAR_TRY(tl_launch_begin(&desc, &launch, &run->diag));
    telar_status status = tl_launch_run(&launch, run->options->repeat, &times, &run->diag);
    if (status == TELAR_OK) status = tl_launch_check_guards(&launch, &run->diag);
    if (status == TELAR_OK) status = tl_launches_compare(&run->launch, &launch, &run->diag);
    tl_launch_end(&launch);
    return status;
}

static telar_status verify(run_state *run)
{
    telar_status status = tl_launch_check_guards(&run->launch, &run->diag);
    if (status == TELAR_OK && run->plan.shape != TELAR_SHAPE_EMPTY) status = compare_second(run);
    run->verified = status == TELAR_OK;
    run->verify_failed = status == TELAR_MISMATCH;
    if (run->verify_failed) run->verdict = run->diag;
    return run->verify_failed ? TELAR_OK : status;
}

static telar_status prepare_run(run_state *run)
{
    const run_options *options = run->options;
    telar_diag *diag = &run->diag;
    TELAR_TRY(tl_data_open(&options->data, &run->kernel, &run->data, diag));
    run->weave = (telar_weave_desc){.element = options->entry.element,
                                    .entry = options->entry.entry,
                                    .overrides = run->data.overrides,
                                    .overrides_count = run->data.overrides_count};
    TELAR_TRY(of_source(run, tl_kernel_inspect(&run->kernel, &run->weave, &run->needs, diag)));
    TELAR_TRY(make_plan(run));
    /* A first plan and weaving with the default limits, so that bad data is found where there is no device. */
    telar_facts facts = telar_facts_default();
    run->weave.dialect = telar_dialect_portable();
    run->weave.plan = &run->plan;
    if (telar_plan_make(&run->plan_desc, &facts, &run->plan, NULL) != TELAR_OK) return TELAR_OK;
    if (tl_kernel_weave(&run->kernel, &run->weave, &run->woven, NULL) != TELAR_OK) return TELAR_OK;
    TELAR_TRY(tl_data_settle(&run->data, &options->data, &run->plan, &run->woven, diag));
    return begin_outputs(run);
}

static telar_status run_on_device(run_state *run)
{
    telar_diag *diag = &run->diag;
    TELAR_TRY(tl_device_open(run->options->device, &run->device, diag));
    announce_cpu(run);
    TELAR_TRY(find_facts(run));
    run->weave.dialect = telar_host_dialect(run->device.host);
    TELAR_TRY(telar_plan_make(&run->plan_desc, &run->facts, &run->plan, diag));
    TELAR_TRY(of_source(run, tl_kernel_weave(&run->kernel, &run->weave, &run->woven, diag)));
    TELAR_TRY(tl_data_settle(&run->data, &run->options->data, &run->plan, &run->woven, diag));
    TELAR_TRY(begin_outputs(run));
    TELAR_TRY(launch_first(run));
    return run->options->verify ? verify(run) : TELAR_OK;
}

/* ---- results ------------------------------------------------------------------------------------------------------- */

typedef struct reading {
    const tl_launch *launch;
    uint32_t binding;
    uint64_t total_bytes;
    tl_progress *progress;
} reading;

static telar_status read_back(void *user, uint64_t offset_bytes, void *into, uint64_t bytes, telar_diag *diag)
{
    const reading *from = user;
    tl_progress_at(from->progress, offset_bytes, from->total_bytes);
    return tl_launch_read(from->launch, from->binding, offset_bytes, into, bytes, diag);
}

static telar_status write_outputs(run_state *run)
{
    const telar_kernel_desc *kernel = &run->woven.kernel;
    for (uint32_t k = 0; k < kernel->bindings_count; k++) {
        tl_datum *datum = tl_data_of(&run->data, &kernel->bindings[k]);
        if (datum->out == NULL) continue;
        tl_progress progress = tl_progress_begin(TL_PICK(run->cli, "writing results", "escribiendo los resultados"));
        reading from = {&run->launch, k, datum->layout.buffer_bytes, &progress};
        telar_status status =
            tl_save(datum->out, &datum->output, &datum->variable->slot, &datum->layout, read_back, &from, &run->diag);
        tl_progress_end(&progress);
        TELAR_TRY(status);
    }
    for (uint32_t k = 0; k < run->data.count; k++) {
        if (run->data.items[k].out != NULL) TELAR_TRY(tl_output_commit(&run->data.items[k].output, &run->diag));
    }
    return TELAR_OK;
}

static uint64_t bytes_moved(const run_state *run)
{
    uint64_t bytes;
    return telar_multiply(run->plan.elements, run->needs.bytes_per_element, &bytes) ? bytes : 0;
}

static uint64_t dispatches(const run_state *run)
{
    return run->plan.window_count * run->options->repeat;
}

static void json_out(tl_json *json, const tl_datum *datum)
{
    tl_json_object(json, NULL);
    tl_json_text(json, "name", datum->variable->name);
    tl_json_text(json, "file", datum->out);
    tl_json_text(json, "dtype", tl_dtype_text(datum->layout.dtype));
    tl_json_u64s(json, "shape", datum->layout.shape.sizes, datum->layout.shape.axes);
    tl_json_end_object(json);
}

static void print_json(const run_state *run)
{
    tl_json json = {0};
    tl_json_object(&json, NULL);
    tl_json_text(&json, "device", telar_host_adapter(run->device.host)->name);
    tl_plan_json(&json, "plan", &run->plan, &run->facts, &run->options->plan, run->cli->language);
    tl_json_u64(&json, "dispatches", dispatches(run));
    if (run->times.gpu) {
        tl_json_object(&json, "gpu_us");
        tl_json_f64(&json, "min", run->times.min_us);
        tl_json_f64(&json, "median", run->times.median_us);
        tl_json_u64(&json, "runs", run->times.runs);
        tl_json_end_object(&json);
    } else {
        tl_json_null(&json, "gpu_us");
    }
    tl_json_f64(&json, "wall_us", run->times.wall_us);
    tl_json_u64(&json, "bytes", bytes_moved(run));
    tl_json_null(&json, "share_of_copy");
    if (run->options->verify) {
        tl_json_bool(&json, "verified", run->verified);
    } else {
        tl_json_null(&json, "verified");
    }
    tl_json_null(&json, "report");
    tl_json_null(&json, "result");
    tl_json_array(&json, "out");
    for (uint32_t k = 0; k < run->data.count; k++) {
        if (run->data.items[k].out != NULL) json_out(&json, &run->data.items[k]);
    }
    tl_json_end_array(&json);
    tl_json_end_object(&json);
}

static bool out_is_standard(const run_state *run)
{
    for (uint32_t k = 0; k < run->data.count; k++) {
        if (run->data.items[k].out != NULL && strcmp(run->data.items[k].out, "-") == 0) return true;
    }
    return false;
}

static void print_times(const run_state *run, FILE *stream)
{
    const tl_cli *cli = run->cli;
    if (run->times.gpu) {
        fprintf(stream,
                TL_PICK(cli, "GPU time: %.2f us at least, %.2f us in the median of %u; wall time %.2f us\n",
                        "tiempo de GPU: %.2f us como mínimo, %.2f us en la mediana de %u; tiempo total %.2f us\n"),
                run->times.min_us, run->times.median_us, run->times.runs, run->times.wall_us);
    } else {
        fprintf(stream,
                TL_PICK(cli, "wall time %.2f us (this device has no GPU clock)\n",
                        "tiempo total %.2f us (este dispositivo no tiene reloj de GPU)\n"),
                run->times.wall_us);
    }
    if (run->times.gpu && bytes_moved(run) > 0 && run->times.min_us > 0) {
        fprintf(stream, TL_PICK(cli, "%.2f GB/s of %u bytes per element\n", "%.2f GB/s de %u bytes por elemento\n"),
                (double)bytes_moved(run) / run->times.min_us / 1000, run->needs.bytes_per_element);
    }
}

static void print_text(const run_state *run)
{
    const tl_cli *cli = run->cli;
    FILE *stream = out_is_standard(run) ? stderr : stdout;
    const telar_adapter_info *adapter = telar_host_adapter(run->device.host);
    if (run->options->explain) tl_plan_text(stream, &run->plan, &run->facts, cli->language);
    const uint32_t *size = run->plan.workgroup_size;
    fprintf(stream,
            TL_PICK(cli, "%s (%s): %llu element%s, %llu workgroup%s of %ux%ux%u, %s\n",
                    "%s (%s): %llu elemento%s, %llu workgroup%s de %ux%ux%u, %s\n"),
            adapter->name, adapter->adapter, (unsigned long long)run->plan.elements, run->plan.elements == 1 ? "" : "s",
            (unsigned long long)run->plan.groups, run->plan.groups == 1 ? "" : "s", size[0], size[1], size[2],
            telar_shape_text(run->plan.shape));
    if (run->options->time) print_times(run, stream);
    for (uint32_t k = 0; k < run->data.count; k++) {
        const tl_datum *datum = &run->data.items[k];
        if (datum->out == NULL) continue;
        char shape[TL_AXES_MAX * 24];
        telar_out out = {.data = shape, .cap = sizeof shape};
        tl_shape_text(&datum->layout.shape, &out);
        fprintf(stream, "%s -> %s  %s %s\n", datum->variable->name, datum->out, tl_dtype_text(datum->layout.dtype),
                shape);
    }
    if (run->verified) {
        fputs(
            TL_PICK(cli,
                    "verified: nothing outside of the buffers was written, and a second launch shape gives the same\n",
                    "verificado: no se escribió nada fuera de los búferes y otra forma de lanzamiento da lo mismo\n"),
            stream);
    }
}

/* ---- the command --------------------------------------------------------------------------------------------------- */

static int run_kernel(run_state *run)
{
    telar_status status = prepare_run(run);
    if (status == TELAR_OK) status = run_on_device(run);
    if (status == TELAR_OK) status = write_outputs(run);
    if (status != TELAR_OK) {
        int exit =
            run->source_error ? tl_kernel_report(&run->kernel, status, &run->diag) : tl_report(status, &run->diag);
        tl_device_hint(run->cli, status, &run->diag);
        return exit;
    }
    if (run->cli->json) {
        print_json(run);
    } else {
        print_text(run);
    }
    return run->verify_failed ? tl_report(TELAR_MISMATCH, &run->verdict) : TL_EXIT_DONE;
}

static int check_options(const tl_cli *cli, run_options *options)
{
    if (options->repeat == 0) options->repeat = 1;
    if (options->plan.count.text != NULL && options->plan.count.dimensions == 0) {
        return tl_error(TL_PICK(cli, "--count %s: counts on the GPU are not there yet; give a number",
                                "--count %s: todavía no se admiten conteos en la GPU; da un número"),
                        options->plan.count.text);
    }
    if (options->entry.element != NULL && options->entry.entry != NULL) {
        return tl_error(
            TL_PICK(cli, "run: --element and --entry exclude each other", "run: --element y --entry se excluyen"));
    }
    for (uint32_t k = 0; cli->json && k < options->data.outs.count; k++) {
        const char *equals = strchr(options->data.outs.items[k], '=');
        if (equals == NULL || strcmp(equals + 1, "-") != 0) continue;
        return tl_error(TL_PICK(cli, "run: --json and --out %s both want standard output",
                                "run: --json y --out %s quieren los dos la salida estándar"),
                        options->data.outs.items[k]);
    }
    return TL_EXIT_DONE;
}

static int run_run(tl_cli *cli, void *state, char **files, uint32_t files_count)
{
    (void)files_count;
    run_options *options = state;
    int exit = check_options(cli, options);
    if (exit != TL_EXIT_DONE) return exit;
    run_state *run = calloc(1, sizeof *run);
    if (run == NULL) return tl_report(TELAR_OUT_OF_MEMORY, NULL);
    run->cli = cli;
    run->options = options;
    exit = tl_kernel_open(files[0], &run->kernel);
    if (exit == TL_EXIT_DONE) {
        exit = run_kernel(run);
        tl_launch_end(&run->launch);
        tl_device_close(&run->device);
        tl_data_close(&run->data);
        tl_kernel_close(&run->kernel);
    }
    free(run);
    return exit;
}

#define FIELD(name) .offset = offsetof(run_options, name)

static const tl_option run_only[] = {
    {.name = "device",
     .argument = "DEVICE",
     .take = tl_take_text,
     FIELD(device),
     .help = {"as wgpu:0 or dawn:0; default or compatibility: the default device with those limits (see telar devices)",
              "como wgpu:0 o dawn:0; default o compatibility: el dispositivo por defecto con esos límites (mira telar "
              "devices)"}},
    {.name = "repeat",
     .argument = "K",
     .take = tl_take_u32,
     .min = 1,
     .max = 1000000,
     FIELD(repeat),
     .help = {"launches it K times on the same buffers", "lo lanza K veces sobre los mismos búferes"}},
    {.name = "time",
     .take = tl_take_flag,
     FIELD(time),
     .help = {"GPU time of a launch (least and median) and wall time",
              "tiempo de GPU de un lanzamiento (mínimo y mediana) y tiempo total"}},
    {.name = "explain",
     .take = tl_take_flag,
     FIELD(explain),
     .help = {"prints the plan too", "imprime también el plan"}},
    {.name = "verify",
     .take = tl_take_flag,
     FIELD(verify),
     .help =
         {"a guard band around every buffer, and the results compared with a second launch shape",
          "una franja de guarda alrededor de cada búfer, y los resultados comparados con otra forma de lanzamiento"}},
};
static const tl_option_group run_group = {
    .title = {"The run", "La ejecución"}, .options = run_only, .count = TL_COUNT(run_only)};

static const tl_group_at groups[] = {
    {&tl_entry_group, offsetof(run_options, entry)},
    {&tl_data_group, offsetof(run_options, data)},
    {&run_group, 0},
    {&tl_plan_launch_group, offsetof(run_options, plan)},
    {&tl_plan_facts_group, offsetof(run_options, plan)},
};

const tl_command tl_command_run = {
    .name = "run",
    .arguments = "FILE",
    .summary = {"runs a kernel on data and writes the results",
                "ejecuta un kernel sobre datos y escribe los resultados"},
    .about =
        {"FILE is WGSL: an element function (fn element) or an ordinary kernel. Names are those of its variables. The "
         "count is --count, or the length of the first bound array; a variable that only receives results needs no "
         "--bind: it gets as many elements as the count. Small integers and f16 are packed into array<u32> as they "
         "lie; pictures become array<u32> (a word a pixel), array<vec4f> or, in gray, array<f32> (0 to 1). Files get "
         "their names only when all of them are written.",
         "FILE es WGSL: una función de elemento (fn element) o un kernel corriente. Los nombres son los de sus "
         "variables. El conteo es --count, o la longitud del primer array con datos; una variable que solo recibe "
         "resultados no necesita --bind: tendrá tantos elementos como el conteo. Los enteros pequeños y los f16 se "
         "empaquetan en array<u32> tal como están; las imágenes pasan a array<u32> (una palabra por píxel), "
         "array<vec4f> o, en gris, array<f32> (de 0 a 1). Los archivos reciben su nombre solo cuando todos están "
         "escritos."},
    .example = {"telar run examples/scale.wgsl --bind s=in.npy --out d=out.npy --verify --time",
                "telar run examples/scale.wgsl --bind s=in.npy --out d=out.npy --verify --time"},
    .groups = groups,
    .groups_count = TL_COUNT(groups),
    .files_min = 1,
    .files_max = 1,
    .state_bytes = sizeof(run_options),
    .run = run_run,
};
