/* SPDX-License-Identifier: MIT
 *
 * What came out of a run: files, JSON, text. */
#include "result_file.h"
#include "run_state.h"

#include <stdio.h>
#include <string.h>

typedef struct reading {
    const tl_launch *launch;
    uint32_t binding;
} reading;

static telar_status read_back(void *user, uint64_t offset_bytes, void *into, uint64_t bytes, telar_diag *diag)
{
    const reading *from = user;
    return tl_launch_read(from->launch, from->binding, offset_bytes, into, bytes, diag);
}

static telar_status write_outputs(tl_run *run)
{
    const telar_kernel_desc *kernel = &run->woven.kernel;
    for (uint32_t k = 0; k < kernel->bindings_count; k++) {
        tl_datum *datum = tl_data_of(&run->data, &kernel->bindings[k]);
        if (datum == NULL || datum->out == NULL) continue;
        reading from = {&run->launch, k};
        const tl_result result = {datum->out, &datum->output, &datum->variable->slot, &datum->layout, read_back, &from};
        TELAR_TRY(tl_result_write(run->cli, &result, &run->diag));
    }
    return TELAR_OK;
}

telar_status tl_run_write(tl_run *run)
{
    TELAR_TRY(write_outputs(run));
    if (run->options->record != NULL) TELAR_TRY(tl_launch_write(&run->launch, &run->recording, &run->diag));
    for (uint32_t k = 0; k < run->data.count; k++) {
        if (run->data.items[k].out != NULL) TELAR_TRY(tl_output_commit(&run->data.items[k].output, &run->diag));
    }
    return run->options->record != NULL ? tl_output_commit(&run->recording, &run->diag) : TELAR_OK;
}

static bool is_counted(const tl_run *run)
{
    return run->gpu_count.text != NULL;
}

/* Of one launch. */
static uint64_t elements(const tl_run *run)
{
    return is_counted(run) ? run->report.launched : run->plan.elements;
}

static uint64_t bytes_moved(const tl_run *run)
{
    uint64_t bytes;
    return telar_multiply(elements(run), run->needs.bytes_per_element, &bytes) ? bytes : 0;
}

/* A counted launch has the prepare kernel's before it. */
static uint64_t dispatches(const tl_run *run)
{
    return run->plan.window_count * run->options->runs.repeat * (is_counted(run) ? 2 : 1);
}

static void print_json(const tl_run *run)
{
    tl_json json = {0};
    tl_json_object(&json, NULL);
    tl_json_text(&json, "device", telar_host_adapter(run->device.host)->name);
    tl_plan_json(&json, "plan", &run->plan, &run->facts, &run->options->plan, run->cli->language);
    tl_json_u64(&json, "dispatches", dispatches(run));
    tl_times_json(&json, &run->times);
    if (run->plan.predicted_us < 0) tl_json_null(&json, "predicted_us");
    else tl_json_f64(&json, "predicted_us", run->plan.predicted_us);
    tl_json_u64(&json, "bytes", bytes_moved(run));
    tl_share_json(&json, &run->facts, bytes_moved(run), &run->times);
    if (run->options->verify) {
        tl_json_bool(&json, "verified", run->verified);
    } else {
        tl_json_null(&json, "verified");
    }
    tl_report_json(&json, is_counted(run) ? &run->report : NULL);
    tl_json_null(&json, "result");
    tl_json_array(&json, "out");
    for (uint32_t k = 0; k < run->data.count; k++) {
        const tl_datum *datum = &run->data.items[k];
        if (datum->out != NULL) tl_output_json(&json, datum->variable->name, datum->out, &datum->layout);
    }
    tl_json_end_array(&json);
    tl_json_end_object(&json);
}

static bool out_is_standard(const tl_run *run)
{
    if (run->options->record != NULL && strcmp(run->options->record, "-") == 0) return true;
    for (uint32_t k = 0; k < run->data.count; k++) {
        if (run->data.items[k].out != NULL && strcmp(run->data.items[k].out, "-") == 0) return true;
    }
    return false;
}

static void print_times(const tl_run *run, FILE *stream)
{
    const tl_cli *cli = run->cli;
    tl_times_text(cli, stream, &run->times);
    if (run->times.gpu && bytes_moved(run) > 0 && run->times.min_us > 0) {
        fprintf(stream, TL_PICK(cli, "%.2f GB/s of %u bytes per element\n", "%.2f GB/s de %u bytes por elemento\n"),
                (double)bytes_moved(run) / run->times.min_us / 1000, run->needs.bytes_per_element);
    }
}

/* What the plan says is for one launch of a known count. */
static void print_prediction(const tl_run *run, FILE *stream)
{
    if (run->plan.predicted_us < 0 || !run->times.gpu || is_counted(run)) return;
    fprintf(stream,
            TL_PICK(run->cli, "predicted %.2f us, measured %.2f us in the median (%.2f times as long)\n",
                    "previsto %.2f us, medido %.2f us en la mediana (%.2f veces lo previsto)\n"),
            run->plan.predicted_us, run->times.median_us, run->times.median_us / run->plan.predicted_us);
}

static void print_text(const tl_run *run)
{
    const tl_cli *cli = run->cli;
    FILE *stream = out_is_standard(run) ? stderr : stdout;
    const telar_adapter_info *adapter = telar_host_adapter(run->device.host);
    if (run->options->explain) tl_plan_text(stream, &run->plan, &run->facts, cli->language);
    const uint32_t *size = run->plan.workgroup_size;
    char items[48] = "";
    if (run->plan.items > 1) {
        snprintf(items, sizeof items, TL_PICK(cli, " x %u elements", " x %u elementos"), run->plan.items);
    }
    fprintf(stream,
            TL_PICK(cli, "%s (%s): %s%llu element%s, %llu workgroup%s of %ux%ux%u%s, %s\n",
                    "%s (%s): %s%llu elemento%s, %llu workgroup%s de %ux%ux%u%s, %s\n"),
            adapter->name, adapter->adapter, is_counted(run) ? TL_PICK(cli, "at most ", "hasta ") : "",
            (unsigned long long)run->plan.elements, run->plan.elements == 1 ? "" : "s",
            (unsigned long long)run->plan.groups, run->plan.groups == 1 ? "" : "s", size[0], size[1], size[2], items,
            telar_shape_text(run->plan.shape));
    if (is_counted(run)) tl_report_text(cli, stream, run->gpu_count.text, &run->report);
    if (run->options->runs.time) print_times(run, stream);
    if (run->options->explain) print_prediction(run, stream);
    for (uint32_t k = 0; k < run->data.count; k++) {
        const tl_datum *datum = &run->data.items[k];
        if (datum->out != NULL) tl_output_text(stream, datum->variable->name, datum->out, &datum->layout);
    }
    if (run->options->record != NULL)
        fprintf(stream, TL_PICK(cli, "recording -> %s\n", "grabación -> %s\n"), run->options->record);
    if (run->verified) {
        fputs(
            TL_PICK(cli,
                    "verified: nothing outside of the buffers was written, and a second launch shape gives the same\n",
                    "verificado: no se escribió nada fuera de los búferes y otra forma de lanzamiento da lo mismo\n"),
            stream);
    }
}

void tl_run_print(const tl_run *run)
{
    if (run->cli->json) {
        print_json(run);
    } else {
        print_text(run);
    }
}
