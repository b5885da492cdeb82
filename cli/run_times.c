/* SPDX-License-Identifier: MIT
 *
 * How often something runs, and the times of it, as all commands that run something say them. */
#include "run_launch.h"

#include <stdio.h>

#define FIELD(name) .offset = offsetof(tl_repeat_options, name)

static const tl_option repeat_options[] = {
    {.name = "repeat",
     .argument = "K",
     .take = tl_take_u32,
     .min = 1,
     .max = 1000000,
     FIELD(repeat),
     .help = {"runs K times on the same buffers (default 1)",
              "ejecuta K veces sobre los mismos búferes (por defecto, 1)"}},
    {.name = "time",
     .take = tl_take_flag,
     FIELD(time),
     .help = {"GPU time of a run (least and median) and wall time",
              "tiempo de GPU de una ejecución (mínimo y mediana) y tiempo total"}},
};
const tl_option_group tl_repeat_group = {.title = {"Repetition and time", "Repetición y tiempo"},
                                         .options = repeat_options,
                                         .count = TL_COUNT(repeat_options)};

uint32_t tl_repeats(const tl_repeat_options *options)
{
    return options->repeat == 0 ? 1 : options->repeat;
}

void tl_times_json(tl_json *json, const tl_times *times)
{
    if (times->gpu) {
        tl_json_object(json, "gpu_us");
        tl_json_f64(json, "min", times->min_us);
        tl_json_f64(json, "median", times->median_us);
        tl_json_u64(json, "runs", times->runs);
        tl_json_end_object(json);
    } else {
        tl_json_null(json, "gpu_us");
    }
    tl_json_f64(json, "wall_us", times->wall_us);
}

static bool measured(const telar_facts *facts, telar_fact_name name)
{
    return facts->values[name].source >= TELAR_SOURCE_MEASURED && facts->values[name].value > 0;
}

double tl_share_of_copy(const telar_facts *facts, uint64_t bytes, double us)
{
    if (!(us > 0) || bytes == 0 || !measured(facts, TELAR_FACT_BANDWIDTH)) return 0;
    bool cached = measured(facts, TELAR_FACT_CACHE_BANDWIDTH) && measured(facts, TELAR_FACT_CACHE_BYTES) &&
                  (double)bytes <= facts->values[TELAR_FACT_CACHE_BYTES].value;
    telar_fact_name rate = cached ? TELAR_FACT_CACHE_BANDWIDTH : TELAR_FACT_BANDWIDTH;
    double overhead_us =
        measured(facts, TELAR_FACT_DISPATCH_OVERHEAD) ? facts->values[TELAR_FACT_DISPATCH_OVERHEAD].value : 0;
    return (overhead_us + (double)bytes / facts->values[rate].value) / us;
}

void tl_share_json(tl_json *json, const telar_facts *facts, uint64_t bytes, const tl_times *times)
{
    double share = times->gpu ? tl_share_of_copy(facts, bytes, times->median_us) : 0;
    if (share > 0) tl_json_f64(json, "share_of_copy", share);
    else tl_json_null(json, "share_of_copy");
}

void tl_times_text(const tl_cli *cli, FILE *stream, const tl_times *times)
{
    if (times->gpu) {
        fprintf(stream,
                TL_PICK(cli, "GPU time: %.2f us at least, %.2f us in the median of %u; wall time %.2f us\n",
                        "tiempo de GPU: %.2f us como mínimo, %.2f us en la mediana de %u; tiempo total %.2f us\n"),
                times->min_us, times->median_us, times->runs, times->wall_us);
    } else {
        fprintf(stream,
                TL_PICK(cli, "wall time %.2f us (this device has no GPU clock)\n",
                        "tiempo total %.2f us (este dispositivo no tiene reloj de GPU)\n"),
                times->wall_us);
    }
}

void tl_report_json(tl_json *json, const telar_count_report *report)
{
    if (report == NULL) {
        tl_json_null(json, "report");
        return;
    }
    tl_json_object(json, "report");
    tl_json_u64(json, "requested", report->requested);
    tl_json_u64(json, "launched", report->launched);
    tl_json_u64(json, "saturations", report->saturations);
    tl_json_end_object(json);
}

void tl_report_text(const tl_cli *cli, FILE *stream, const char *name, const telar_count_report *report)
{
    bool one = report->saturations == 1;
    fprintf(stream, TL_PICK(cli, "%s: %u requested, %u launched, %u %s\n", "%s: %u pedidos, %u lanzados, %u %s\n"),
            name, report->requested, report->launched, report->saturations,
            TL_PICK(cli, one ? "saturation" : "saturations", one ? "saturación" : "saturaciones"));
}

void tl_output_json(tl_json *json, const char *name, const char *file, const tl_layout *layout)
{
    tl_json_object(json, NULL);
    tl_json_text(json, "name", name);
    tl_json_text(json, "file", file);
    tl_json_text(json, "dtype", tl_dtype_text(layout->dtype));
    tl_json_u64s(json, "shape", layout->shape.sizes, layout->shape.axes);
    tl_json_end_object(json);
}

void tl_output_text(FILE *stream, const char *name, const char *file, const tl_layout *layout)
{
    char shape[TL_AXES_MAX * 24];
    telar_out out = {.data = shape, .cap = sizeof shape};
    tl_shape_text(&layout->shape, &out);
    fprintf(stream, "%s -> %s  %s %s\n", name, file, tl_dtype_text(layout->dtype), shape);
}
