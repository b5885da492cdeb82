/* SPDX-License-Identifier: MIT
 *
 * telar run: a kernel on data, results to files. First everything that needs no device (options, source, data, count),
 * then the device, then the launch; files get their names only when all of them were written. */
#include "progress.h"
#include "run_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- steps --------------------------------------------------------------------------------------------------------- */

static telar_status of_source(tl_run *run, telar_status status)
{
    run->source_error = status != TELAR_OK;
    return status;
}

static bool is_counted(const tl_run *run)
{
    return run->gpu_count.text != NULL;
}

static telar_status make_plan(tl_run *run)
{
    telar_diag *diag = &run->diag;
    run->plan_desc = tl_plan_desc_of(&run->options->plan);
    if (is_counted(run)) {
        run->plan_desc.dimensions = 1;
        run->plan_desc.count[1] = run->plan_desc.count[2] = 1;
        TELAR_TRY(tl_gpu_count_capacity(&run->data, &run->options->capacity, &run->needs, run->plan_desc.count, diag));
        return tl_kernel_plan_desc(&run->needs, &run->plan_desc, diag);
    }
    TELAR_TRY(tl_data_count(&run->data, &run->options->plan, &run->needs, run->plan_desc.count,
                            &run->plan_desc.dimensions, diag));
    return tl_kernel_plan_desc(&run->needs, &run->plan_desc, diag);
}

/* The device's limits always hold; --facts changes what is known beyond them. */
static telar_status find_facts(tl_run *run)
{
    const tl_plan_options *options = &run->options->plan;
    telar_facts device = tl_device_plan_facts(&run->device);
    if (options->facts != NULL) {
        TELAR_TRY(tl_facts_resolve(options, &run->facts, &run->diag));
        run->facts.limits = device.limits;
    } else {
        run->facts = device;
    }
    return tl_facts_apply(options, &run->facts, &run->diag);
}

/* Where there is no room at all nothing was launched, so nothing has reported. */
static telar_status find_report(tl_run *run)
{
    if (run->plan.shape != TELAR_SHAPE_EMPTY) return tl_launch_report(&run->launch, &run->report, &run->diag);
    uint32_t value;
    TELAR_TRY(
        tl_launch_read(&run->launch, run->launch.count_at, run->data.counted_bytes, &value, sizeof value, &run->diag));
    run->report = (telar_count_report){.requested = value, .saturations = value > 0 ? run->options->runs.repeat : 0};
    return TELAR_OK;
}

static telar_status launch_first(tl_run *run)
{
    tl_launch_desc desc = {.cli = run->cli,
                           .host = run->device.host,
                           .data = &run->data,
                           .plan = &run->plan,
                           .woven = &run->woven,
                           .repeat = run->options->runs.repeat,
                           .timed = run->options->runs.time || run->options->explain,
                           .guarded = run->options->verify,
                           .counted = is_counted(run)};
    TELAR_TRY(tl_launch_begin(&desc, &run->launch, &run->diag));
    TELAR_TRY(tl_launch_run(&run->launch, run->options->runs.repeat, &run->times, &run->diag));
    return is_counted(run) ? find_report(run) : TELAR_OK;
}

static telar_status begin_output(tl_run *run, const char *path, tl_output *output)
{
    if (path == NULL || output->fd >= 0) return TELAR_OK;
    TELAR_TRY(tl_output_begin(path, output, &run->diag));
    for (uint32_t k = 0; k < run->data.count; k++) {
        const tl_output *other = &run->data.items[k].output;
        if (other != output) TELAR_TRY(tl_output_apart(other, output, &run->diag));
    }
    return TELAR_OK;
}

/* Before any work: a name that cannot be written is found at once. */
static telar_status begin_outputs(tl_run *run)
{
    for (uint32_t k = 0; k < run->data.count; k++) {
        TELAR_TRY(begin_output(run, run->data.items[k].out, &run->data.items[k].output));
    }
    return begin_output(run, run->options->record, &run->recording);
}

/* What the second launch is made to differ from: the first, or the launch of a count that is known by now. */
typedef struct comparand {
    telar_plan_desc plan_desc;
    telar_weave_desc weave;
    telar_plan plan;
} comparand;

static telar_status find_comparand(tl_run *run, comparand *from)
{
    *from = (comparand){run->plan_desc, run->weave, run->plan};
    if (!is_counted(run)) return TELAR_OK;
    from->weave.counted = from->weave.canary = false;
    from->plan_desc.count[0] = run->report.launched;
    return telar_plan_make(&from->plan_desc, &run->facts, &from->plan, &run->diag);
}

/* The second launch of a verification: MISMATCH goes to the verdict, all else is a failure of the run. */
static telar_status compare_second(tl_run *run)
{
    comparand from;
    TELAR_TRY(find_comparand(run, &from));
    tl_first first = {.kernel = &run->kernel,
                      .weave = &from.weave,
                      .plan_desc = &from.plan_desc,
                      .facts = &run->facts,
                      .plan = &from.plan,
                      .ordinary = run->needs.form == TELAR_FORM_PLAIN};
    tl_second second = {0};
    TELAR_TRY(tl_second_make(&first, &second, &run->diag));
    tl_launch_desc desc = {.cli = run->cli,
                           .host = run->device.host,
                           .data = &run->data,
                           .plan = &second.plan,
                           .woven = &second.woven,
                           .repeat = run->options->runs.repeat,
                           .guarded = true};
    tl_launch launch;
    tl_times times;
    TELAR_TRY(tl_launch_begin(&desc, &launch, &run->diag));
    telar_status status = tl_launch_run(&launch, run->options->runs.repeat, &times, &run->diag);
    if (status == TELAR_OK) status = tl_launch_check_guards(&launch, &run->diag);
    if (status == TELAR_OK) status = tl_launches_compare(&run->launch, &launch, &run->diag);
    tl_launch_end(&launch);
    return status;
}

/* Against the count that stood there before the first launch. */
static telar_status check_report(tl_run *run)
{
    if (!is_counted(run) || run->plan.shape == TELAR_SHAPE_EMPTY) return TELAR_OK;
    telar_count_report expected = tl_gpu_count_expect(&run->plan, run->launch.count_value, run->options->runs.repeat);
    return tl_gpu_count_check_report(&run->report, &expected, &run->diag);
}

static telar_status verify(tl_run *run)
{
    telar_status status = tl_launch_check_guards(&run->launch, &run->diag);
    if (status == TELAR_OK) status = check_report(run);
    if (status == TELAR_OK && run->plan.shape != TELAR_SHAPE_EMPTY) status = compare_second(run);
    run->verified = status == TELAR_OK;
    run->verify_failed = status == TELAR_MISMATCH;
    if (run->verify_failed) run->verdict = run->diag;
    return run->verify_failed ? TELAR_OK : status;
}

/* Each launch would have a count of its own, and the host would have to follow them all. */
static telar_status check_repeated_count(tl_run *run)
{
    const tl_datum *counted = run->data.counted;
    if (counted == NULL || !run->options->verify || run->options->runs.repeat == 1) return TELAR_OK;
    if (counted->variable->space != TELAR_BINDING_STORAGE_READ_WRITE) return TELAR_OK;
    return tl_fail(&run->diag, TELAR_INVALID_ARGUMENT,
                   "--verify --repeat %u: the kernel may write its own count, %s; verify one launch",
                   run->options->runs.repeat, counted->variable->name);
}

static telar_status prepare_run(tl_run *run)
{
    const tl_run_options *options = run->options;
    telar_diag *diag = &run->diag;
    TELAR_TRY(tl_data_open(&options->data, &run->kernel, &run->gpu_count, &run->data, diag));
    run->weave = (telar_weave_desc){.element = options->entry.element,
                                    .entry = options->entry.entry,
                                    .overrides = run->data.overrides,
                                    .overrides_count = run->data.overrides_count,
                                    .counted = is_counted(run),
                                    .canary = is_counted(run) && options->verify};
    TELAR_TRY(of_source(run, tl_kernel_inspect(&run->kernel, &run->weave, &run->needs, diag)));
    TELAR_TRY(make_plan(run));
    TELAR_TRY(check_repeated_count(run));
    /* A first plan and weaving with the default limits, so that bad data is found where there is no device. */
    telar_facts facts = telar_facts_default();
    run->weave.dialect = telar_dialect_portable();
    run->weave.plan = &run->plan;
    if (telar_plan_make(&run->plan_desc, &facts, &run->plan, NULL) != TELAR_OK) return TELAR_OK;
    if (tl_kernel_weave(&run->kernel, &run->weave, &run->woven, NULL) != TELAR_OK) return TELAR_OK;
    TELAR_TRY(tl_data_settle(&run->data, &options->data, &run->plan, &run->woven, diag));
    return begin_outputs(run);
}

/* For a recording, text that every implementation takes; where the source wants more, this device's without immediates. */
static telar_status weave_for_device(tl_run *run)
{
    telar_dialect own = telar_host_dialect(run->device.host);
    if (run->options->record == NULL) {
        run->weave.dialect = own;
        return tl_kernel_weave(&run->kernel, &run->weave, &run->woven, &run->diag);
    }
    telar_diag why = {0};
    run->weave.dialect = telar_dialect_portable();
    if (tl_kernel_weave(&run->kernel, &run->weave, &run->woven, &why) == TELAR_OK) return TELAR_OK;
    own.immediates = false;
    run->weave.dialect = own;
    TELAR_TRY(tl_kernel_weave(&run->kernel, &run->weave, &run->woven, &run->diag));
    tl_notice(TL_PICK(run->cli, "%s replays on implementations that take the WGSL of %s: %s",
                      "%s se repite en implementaciones que admiten el WGSL de %s: %s"),
              run->options->record, tl_implementation_text(telar_host_adapter(run->device.host)->implementation),
              why.text);
    return TELAR_OK;
}

static telar_status run_on_device(tl_run *run)
{
    telar_diag *diag = &run->diag;
    TELAR_TRY(tl_device_open(run->options->device, &run->device, diag));
    tl_device_announce(run->cli, &run->device);
    TELAR_TRY(find_facts(run));
    TELAR_TRY(telar_plan_make(&run->plan_desc, &run->facts, &run->plan, diag));
    if (is_counted(run)) TELAR_TRY(tl_gpu_count_check_plan(&run->gpu_count, &run->plan, diag));
    TELAR_TRY(of_source(run, weave_for_device(run)));
    if (run->woven.kernel.missing_override != NULL) {
        return tl_fail(diag, TELAR_INVALID_ARGUMENT, "the override '%s' has no default; give --set %s=VALUE",
                       run->woven.kernel.missing_override, run->woven.kernel.missing_override);
    }
    TELAR_TRY(tl_data_settle(&run->data, &run->options->data, &run->plan, &run->woven, diag));
    TELAR_TRY(begin_outputs(run));
    TELAR_TRY(launch_first(run));
    return run->options->verify ? verify(run) : TELAR_OK;
}

/* ---- the command --------------------------------------------------------------------------------------------------- */

static int run_kernel(tl_run *run)
{
    telar_status status = prepare_run(run);
    if (status == TELAR_OK) status = run_on_device(run);
    if (status == TELAR_OK) status = tl_run_write(run);
    if (status != TELAR_OK) {
        int exit =
            run->source_error ? tl_kernel_report(&run->kernel, status, &run->diag) : tl_report(status, &run->diag);
        tl_device_hint(run->cli, status, &run->diag);
        return exit;
    }
    tl_run_print(run);
    return run->verify_failed ? tl_report(TELAR_MISMATCH, &run->verdict) : TL_EXIT_DONE;
}

/* A count on the GPU, and a capacity for it. */
static int check_count(const tl_cli *cli, const tl_run_options *options, tl_gpu_count *count)
{
    const char *text = options->plan.count.text;
    if (text == NULL || text[0] != '@') {
        if (options->capacity.text == NULL) return TL_EXIT_DONE;
        return tl_error(TL_PICK(cli, "run: --capacity is for a count on the GPU; give --count @NAME with it",
                                "run: --capacity es para un conteo en la GPU; da con ella --count @NAME"));
    }
    telar_diag diag = {0};
    telar_status status = tl_gpu_count_read(text, count, &diag);
    return status == TELAR_OK ? TL_EXIT_DONE : tl_report(status, &diag);
}

static int check_standard_output(const tl_cli *cli, const tl_run_options *options)
{
    const char *taken = options->record != NULL && strcmp(options->record, "-") == 0 ? "--record -" : NULL;
    if (taken != NULL && cli->json) {
        return tl_error(TL_PICK(cli, "run: --json and --record - both want standard output",
                                "run: --json y --record - quieren los dos la salida estándar"));
    }
    for (uint32_t k = 0; k < options->data.outs.count; k++) {
        const char *equals = strchr(options->data.outs.items[k], '=');
        if (equals == NULL || strcmp(equals + 1, "-") != 0 || (!cli->json && taken == NULL)) continue;
        return tl_error(TL_PICK(cli, "run: %s and --out %s both want standard output",
                                "run: %s y --out %s quieren los dos la salida estándar"),
                        cli->json ? "--json" : taken, options->data.outs.items[k]);
    }
    return TL_EXIT_DONE;
}

static int check_options(const tl_cli *cli, tl_run_options *options, tl_gpu_count *count)
{
    options->runs.repeat = tl_repeats(&options->runs);
    if (options->entry.element != NULL && options->entry.entry != NULL) {
        return tl_error(
            TL_PICK(cli, "run: --element and --entry exclude each other", "run: --element y --entry se excluyen"));
    }
    int exit = check_count(cli, options, count);
    return exit != TL_EXIT_DONE ? exit : check_standard_output(cli, options);
}

static int run_run(tl_cli *cli, void *state, char **files, uint32_t files_count)
{
    (void)files_count;
    tl_run_options *options = state;
    tl_gpu_count count = {0};
    int exit = check_options(cli, options, &count);
    if (exit != TL_EXIT_DONE) return exit;
    tl_run *run = calloc(1, sizeof *run);
    if (run == NULL) return tl_report(TELAR_OUT_OF_MEMORY, NULL);
    run->cli = cli;
    run->options = options;
    run->gpu_count = count;
    run->recording.fd = -1;
    exit = tl_kernel_open(files[0], &run->kernel);
    if (exit == TL_EXIT_DONE) {
        exit = run_kernel(run);
        tl_launch_end(&run->launch);
        tl_device_close(&run->device);
        tl_output_abandon(&run->recording);
        tl_data_close(&run->data);
        tl_kernel_close(&run->kernel);
    }
    free(run);
    return exit;
}

#define FIELD(name) .offset = offsetof(tl_run_options, name)

static const tl_option run_only[] = {
    {.name = "capacity",
     .argument = "N",
     .take = tl_take_capacity,
     .max = UINT32_MAX,
     FIELD(capacity),
     .help =
         {"with --count @NAME[:BYTE_OFFSET], a u32 in a bound buffer, which no variable needs to be: the most elements "
          "that are launched (default: those of the first array accessed at [i])",
          "con --count @NAME[:BYTE_OFFSET], un u32 en un búfer con datos, que no tiene que ser una variable: lo más "
          "que se lanza (por defecto, los elementos del primer array al que se accede en [i])"}},
    {.name = "record",
     .argument = "FILE",
     .take = tl_take_text,
     FIELD(record),
     .help =
         {"writes the recording of one launch, for telar show and telar replay; what --set gave is part of it, what "
          "was bound is bound again by its name",
          "escribe la grabación de un lanzamiento, para telar show y telar replay; lo que fijó --set va en ella, lo "
          "demás se vuelve a enlazar por su nombre"}},
    {.name = "explain",
     .take = tl_take_flag,
     FIELD(explain),
     .help = {"prints the plan too, and what it predicts beside what was measured",
              "imprime también el plan, y lo que prevé junto a lo medido"}},
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
    {&tl_entry_group, offsetof(tl_run_options, entry)},
    {&tl_data_group, offsetof(tl_run_options, data)},
    {&tl_device_group, offsetof(tl_run_options, device)},
    {&tl_repeat_group, offsetof(tl_run_options, runs)},
    {&run_group, 0},
    {&tl_plan_launch_group, offsetof(tl_run_options, plan)},
    {&tl_plan_facts_group, offsetof(tl_run_options, plan)},
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
    .state_bytes = sizeof(tl_run_options),
    .run = run_run,
};
