/* SPDX-License-Identifier: MIT
 *
 * telar tune: measures a device in seconds and writes its facts; with a kernel, see tune_kernel.h. */
#include "device_find.h"
#include "facts_report.h"
#include "io/facts_file.h"
#include "profile.h"
#include "progress.h"
#include "tune_kernel.h"

#include <telar/tune.h>

#include <stdio.h>
#include <string.h>

typedef struct tune_options {
    const char *device;
    const char *out;
    double time_s; /* 0: the default */
    tl_tune_kernel_options kernel;
} tune_options;

/* ---- The report -------------------------------------------------------------------------------------------------- */

static void print_report(const tl_cli *cli, const tune_options *options, const telar_adapter_info *info,
                         const telar_facts *facts, const char *profile, double seconds)
{
    if (!cli->json) {
        printf(TL_PICK(cli, "%s %s, %s %s, measured in %.1f s\n", "%s %s, %s %s, medido en %.1f s\n"), info->name,
               info->adapter, tl_implementation_text(info->implementation), info->version, seconds);
        tl_facts_text(cli, facts, "  ");
        if (profile[0] != 0) {
            printf(TL_PICK(cli, "kept in %s, for all commands that open this device\n",
                           "guardado en %s, para todas las órdenes que abran este dispositivo\n"),
                   profile);
        }
        if (options->out != NULL) printf(TL_PICK(cli, "written to %s\n", "escrito en %s\n"), options->out);
        return;
    }
    tl_json json = {0};
    tl_json_object(&json, NULL);
    tl_json_text(&json, "device", info->name);
    tl_json_text(&json, "adapter", info->adapter);
    tl_json_text(&json, "implementation", tl_implementation_text(info->implementation));
    tl_json_text(&json, "version", info->version);
    tl_json_text(&json, "driver", info->driver);
    tl_json_f64(&json, "seconds", seconds);
    tl_facts_json(&json, "facts", facts);
    tl_json_text(&json, "profile", profile[0] != 0 ? profile : NULL);
    tl_json_text(&json, "out", options->out);
    tl_json_end_object(&json);
}

/* ---- The command ------------------------------------------------------------------------------------------------- */

static void show_progress(void *user, double done)
{
    tl_progress_at(user, (uint64_t)(done * 100), 100);
}

static telar_status tune(const tl_cli *cli, const tune_options *options, telar_host *host, telar_diag *diag)
{
    const telar_adapter_info *info = telar_host_adapter(host);
    telar_facts facts;
    char profile[TL_PATH_BYTES];
    tl_progress progress = tl_progress_begin(TL_PICK(cli, "measuring", "midiendo"));
    telar_tune_desc desc = {.time_ns = (uint64_t)(options->time_s * 1e9), .progress = show_progress, .user = &progress};
    telar_status status = telar_host_tune(host, &desc, &facts, diag);
    double seconds = (double)(tl_clock_ns() - progress.begun_ns) / 1e9;
    tl_progress_end(&progress);
    if (status == TELAR_OK && options->out != NULL) {
        status = tl_facts_file_write(options->out, &facts, telar_tune_how, diag);
    }
    if (status == TELAR_OK) status = tl_profile_write(info, &facts, profile, diag);
    if (status == TELAR_OK) print_report(cli, options, info, &facts, profile, seconds);
    return status;
}

static int run_tune(tl_cli *cli, void *state, char **files, uint32_t files_count)
{
    const tune_options *options = state;
    if (files_count == 1) {
        return tl_tune_kernel(cli, files[0], &options->kernel, options->device, options->time_s, options->out);
    }
    if (options->kernel.counts.count > 0 || options->kernel.wgsl != NULL || options->kernel.c != NULL) {
        return tl_error(TL_PICK(cli, "tune: --count, --wgsl and --c are of a kernel; name one",
                                "tune: --count, --wgsl y --c son de un kernel; indica uno"));
    }
    tl_device device;
    telar_diag diag = {0};
    telar_status status = tl_device_open(options->device, &device, &diag);
    if (status != TELAR_OK) {
        int exit = tl_report(status, &diag);
        tl_device_hint(cli, status, &diag);
        return exit;
    }
    status = tune(cli, options, device.host, &diag);
    tl_device_close(&device);
    return status == TELAR_OK ? TL_EXIT_DONE : tl_report(status, &diag);
}

static const tl_option options[] = {
    {.name = "time",
     .argument = "T",
     .take = tl_take_seconds,
     .min = 100,
     .max = 600000,
     .offset = offsetof(tune_options, time_s),
     .help = {"about how long, as in 10s or 500ms (default 10s); more time, more rounds",
              "cuánto, más o menos, como 10s o 500ms (por defecto, 10s); más tiempo, más rondas"}},
    {.name = "out",
     .argument = "FILE.json",
     .take = tl_take_text,
     .offset = offsetof(tune_options, out),
     .help = {"writes limits and facts to this facts file; what else an older one has is kept",
              "escribe límites y datos en este archivo de datos; lo demás que tenga uno anterior se conserva"}},
};
static const tl_option_group group = {
    .title = {"The measurement", "La medida"}, .options = options, .count = TL_COUNT(options)};
static const tl_group_at groups[] = {{&tl_device_group, offsetof(tune_options, device)},
                                     {&group, 0},
                                     {&tl_tune_kernel_group, offsetof(tune_options, kernel)},
                                     {&tl_user_group, offsetof(tune_options, kernel.user)}};

const tl_command tl_command_tune = {
    .name = "tune",
    .arguments = "[KERNEL]",
    .summary =
        {"measures a device in seconds: the facts that plans are made of; or the fastest launch of one kernel",
         "mide un dispositivo en segundos: los datos de los que salen los planes; o el lanzamiento más rápido de un kernel"},
    .about =
        {"Times small kernels on the device, in turn and for several rounds, and prints each fact with its spread (half of "
         "what lies between the least and the greatest round) and how it was got. What the kernels write is checked. "
         "Work of others on the machine shows in the spreads. The facts are kept for every command that opens this device, "
         "in $XDG_CACHE_HOME/telar or ~/.cache/telar; telar devices --facts shows them.\n"
         "With a kernel (a WGSL file, or a case of telar sweep) it looks for the fastest size, items and shape instead: the plan, the "
         "lesson's rule and what is predicted to be fast first, until nothing gets better by more than the noise. Every output "
         "is compared with the default plan's. The result goes to the facts file of --out, and as WGSL or C where these are wanted.",
         "Cronometra kernels pequeños en el dispositivo, por turnos y en varias rondas, e imprime cada dato con su "
         "dispersión (la mitad de lo que va de la menor a la mayor ronda) y cómo se obtuvo. Lo que escriben los kernels se "
         "comprueba. El trabajo ajeno en la máquina se nota en la dispersión. Los datos se guardan para todas las órdenes que abran "
         "este dispositivo, en $XDG_CACHE_HOME/telar o ~/.cache/telar; telar devices --facts los muestra.\n"
         "Con un kernel (un archivo WGSL, o un caso de telar sweep) busca, en cambio, el tamaño, los elementos y la forma más "
         "rápidos: primero el plan, la regla de la lección y lo que se predice rápido, hasta que nada mejora más que el ruido. Cada "
         "salida se compara con la del plan por defecto. El resultado va al archivo de datos de --out, y como WGSL o C si se pide."},
    .example = {"telar tune --out here.json && telar plan --count 256Mi --facts here.json\n"
                "telar tune kernel.wgsl --count 16Mi --wgsl tuned.wgsl --c -",
                "telar tune --out aqui.json && telar plan --count 256Mi --facts aqui.json --lang es\n"
                "telar tune kernel.wgsl --count 16Mi --wgsl afinado.wgsl --c -"},
    .groups = groups,
    .groups_count = TL_COUNT(groups),
    .files_max = 1,
    .state_bytes = sizeof(tune_options),
    .run = run_tune,
};
