/* SPDX-License-Identifier: MIT
 *
 * What came out of a run: files, JSON, text. */
#include "progress.h"
#include "run_state.h"

#include <stdio.h>
#include <string.h>

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

static telar_status write_outputs(tl_run *run)
{
    const telar_kernel_desc *kernel = &run->woven.kernel;
    for (uint32_t k = 0; k < kernel->bindings_count; k++) {
        tl_datum *datum = tl_data_of(&run->data, &kernel->bindings[k]);
        if (datum == NULL || datum->out == NULL) continue;
        tl_progress progress = tl_progress_begin(TL_PICK(run->cli, "writing results", "escribiendo los resultados"));
        reading from = {&run->launch, k, datum->layout.buffer_bytes, &progress};
        telar_status status =
            tl_save(datum->out, &datum->output, &datum->variable->slot, &datum->layout, read_back, &from, &run->diag);
        tl_progress_end(&progress);
        TELAR_TRY(status);
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
    return run->plan.window_count * run->options->repeat * (is_counted(run) ? 2 : 1);
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

static void json_report(tl_json *json, const tl_run *run)
{
    if (!is_counted(run)) {
        tl_json_null(json, "report");
        return;
    }
    tl_json_object(json, "report");
    tl_json_u64(json, "requested", run->report.requested);
    tl_json_u64(json, "launched", run->report.launched);
    tl_json_u64(json, "saturations", run->report.saturations);
    tl_json_end_object(json);
}

static void print_json(const tl_run *run)
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
    json_report(&json, run);
    tl_json_null(&json, "result");
    tl_json_array(&json, "out");
    for (uint32_t k = 0; k < run->data.count; k++) {
        if (run->data.items[k].out != NULL) json_out(&json, &run->data.items[k]);
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

static void print_report(const tl_run *run, FILE *stream)
{
    const telar_count_report *report = &run->report;
    fprintf(
        stream,
        TL_PICK(run->cli, "%s: %u requested, %u launched, %u saturation%s\n", "%s: %u pedidos, %u lanzados, %u %s\n"),
        run->gpu_count.text, report->requested, report->launched, report->saturations,
        TL_PICK(run->cli, report->saturations == 1 ? "" : "s",
                report->saturations == 1 ? "saturación" : "saturaciones"));
}

static void print_text(const tl_run *run)
{
    const tl_cli *cli = run->cli;
    FILE *stream = out_is_standard(run) ? stderr : stdout;
    const telar_adapter_info *adapter = telar_host_adapter(run->device.host);
    if (run->options->explain) tl_plan_text(stream, &run->plan, &run->facts, cli->language);
    const uint32_t *size = run->plan.workgroup_size;
    fprintf(stream,
            TL_PICK(cli, "%s (%s): %s%llu element%s, %llu workgroup%s of %ux%ux%u, %s\n",
                    "%s (%s): %s%llu elemento%s, %llu workgroup%s de %ux%ux%u, %s\n"),
            adapter->name, adapter->adapter, is_counted(run) ? TL_PICK(cli, "at most ", "hasta ") : "",
            (unsigned long long)run->plan.elements, run->plan.elements == 1 ? "" : "s",
            (unsigned long long)run->plan.groups, run->plan.groups == 1 ? "" : "s", size[0], size[1], size[2],
            telar_shape_text(run->plan.shape));
    if (is_counted(run)) print_report(run, stream);
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
