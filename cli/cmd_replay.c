/* SPDX-License-Identifier: MIT
 *
 * telar replay: runs a recording that was made elsewhere, or earlier. Everything of it is checked before the device does
 * anything: the words when the file is opened, the commands against the device's limits. */
#include "device_find.h"
#include "result_file.h"
#include "replay_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct replay_options {
    tl_replay_options data;
    const char *device;
    tl_repeat_options runs;
} replay_options;

typedef struct replay_state {
    const tl_cli *cli;
    const replay_options *options;
    tl_recording_file file;
    tl_replay_data data;
    tl_device device;
    telar_prepared *prepared;
    uint32_t dispatches, marks; /* of one run */
    tl_times times;
    const tl_replayed *reporter; /* the buffer of a counted launch's report; NULL: none */
    telar_count_report report;
    telar_diag diag;
} replay_state;

/* ---- steps --------------------------------------------------------------------------------------------------------- */

static void count_commands(replay_state *replay)
{
    tl_cursor cursor = tl_cursor_begin(replay->file.recording);
    tl_op op;
    while (tl_cursor_next(&cursor, &op)) {
        replay->dispatches += op.code == TL_OP_DISPATCH || op.code == TL_OP_DISPATCH_COUNTED;
        replay->marks += op.code == TL_OP_MARK;
    }
}

static telar_status fill_buffers(replay_state *replay)
{
    telar_host *host = replay->device.host;
    for (uint32_t k = 0; k < replay->data.count; k++) {
        tl_replayed *item = &replay->data.items[k];
        TELAR_TRY(telar_host_buffer_create(host, item->buffer_bytes, &item->handle, &replay->diag));
        if (item->source == NULL) continue;
        TELAR_TRY(tl_upload(replay->cli, host, item->name, &item->array, item->handle, 0, &replay->diag));
    }
    return TELAR_OK;
}

static telar_status prepare(replay_state *replay)
{
    uint32_t count = replay->data.count;
    telar_bound_buffer *bound = calloc((size_t)count + 1, sizeof *bound);
    if (bound == NULL) return tl_fail(&replay->diag, TELAR_OUT_OF_MEMORY, "out of memory");
    for (uint32_t k = 0; k < count; k++) {
        bound[k] = (telar_bound_buffer){{replay->data.items[k].id}, replay->data.items[k].handle};
    }
    telar_status status =
        telar_host_prepare(replay->device.host, replay->file.recording, bound, count, &replay->prepared, &replay->diag);
    free(bound);
    return status;
}

static telar_status run_all(replay_state *replay)
{
    uint32_t repeat = replay->options->runs.repeat;
    bool clock = telar_host_time_quantum_ns(replay->device.host) > 0;
    replay->times = (tl_times){.runs = repeat};
    tl_rounds rounds = {.cli = replay->cli,
                        .host = replay->device.host,
                        .prepared = replay->prepared,
                        .repeat = repeat,
                        .batch = 1,
                        .spans = replay->options->runs.time && clock && replay->marks > 1 ? replay->marks - 1 : 0};
    if (replay->options->runs.time && replay->marks < 2) {
        tl_notice(TL_PICK(replay->cli, "the recording has no two marks, between which the GPU's time would be taken",
                          "la grabación no tiene dos marcas entre las que tomar el tiempo de la GPU"));
    }
    return tl_rounds_run(&rounds, &replay->times, &replay->diag);
}

static telar_status find_report(replay_state *replay)
{
    const tl_replayed *item = tl_replay_find(&replay->data, TL_REPORT_NAME);
    if (item == NULL || item->buffer_bytes < sizeof replay->report) return TELAR_OK;
    replay->reporter = item;
    return telar_host_read(replay->device.host, item->handle, 0, &replay->report, sizeof replay->report, &replay->diag);
}

typedef struct reading {
    telar_host *host;
    WGPUBuffer buffer;
} reading;

static telar_status read_back(void *user, uint64_t offset_bytes, void *into, uint64_t bytes, telar_diag *diag)
{
    const reading *from = user;
    return telar_host_read(from->host, from->buffer, offset_bytes, into, bytes, diag);
}

static telar_status write_outputs(replay_state *replay)
{
    for (uint32_t k = 0; k < replay->data.count; k++) {
        tl_replayed *item = &replay->data.items[k];
        if (item->out == NULL) continue;
        reading from = {replay->device.host, item->handle};
        const tl_result result = {item->out, &item->output, &item->slot, &item->layout, read_back, &from};
        TELAR_TRY(tl_result_write(replay->cli, &result, &replay->diag));
    }
    for (uint32_t k = 0; k < replay->data.count; k++) {
        if (replay->data.items[k].out != NULL)
            TELAR_TRY(tl_output_commit(&replay->data.items[k].output, &replay->diag));
    }
    return TELAR_OK;
}

static telar_status replay_all(replay_state *replay)
{
    telar_diag *diag = &replay->diag;
    TELAR_TRY(tl_recording_file_open(replay->file.path, &replay->file, diag));
    count_commands(replay);
    TELAR_TRY(tl_replay_open(&replay->options->data, replay->file.recording, &replay->data, diag));
    TELAR_TRY(tl_device_open(replay->options->device, &replay->device, diag));
    /* Before any memory is taken. */
    const telar_limits *limits = &telar_host_facts(replay->device.host)->limits;
    TELAR_TRY(telar_recording_verify(replay->file.recording, limits, diag));
    TELAR_TRY(fill_buffers(replay));
    TELAR_TRY(prepare(replay));
    TELAR_TRY(run_all(replay));
    TELAR_TRY(find_report(replay));
    return write_outputs(replay);
}

/* ---- results ------------------------------------------------------------------------------------------------------- */

static void print_json(const replay_state *replay)
{
    tl_json json = {0};
    tl_json_object(&json, NULL);
    tl_json_text(&json, "device", telar_host_adapter(replay->device.host)->name);
    tl_json_u64(&json, "dispatches", (uint64_t)replay->dispatches * replay->options->runs.repeat);
    tl_times_json(&json, &replay->times);
    tl_report_json(&json, replay->reporter != NULL ? &replay->report : NULL);
    tl_json_array(&json, "out");
    for (uint32_t k = 0; k < replay->data.count; k++) {
        const tl_replayed *item = &replay->data.items[k];
        if (item->out != NULL) tl_output_json(&json, item->name, item->out, &item->layout);
    }
    tl_json_end_array(&json);
    tl_json_end_object(&json);
}

static bool out_is_standard(const replay_state *replay)
{
    for (uint32_t k = 0; k < replay->data.count; k++) {
        if (replay->data.items[k].out != NULL && strcmp(replay->data.items[k].out, "-") == 0) return true;
    }
    return false;
}

static void print_text(const replay_state *replay)
{
    const tl_cli *cli = replay->cli;
    FILE *stream = out_is_standard(replay) ? stderr : stdout;
    const telar_adapter_info *adapter = telar_host_adapter(replay->device.host);
    uint32_t commands = telar_recording_command_count(replay->file.recording), dispatches = replay->dispatches;
    fprintf(stream, TL_PICK(cli, "%s (%s): %u command%s, %u dispatch%s\n", "%s (%s): %u %s, %u %s\n"), adapter->name,
            adapter->adapter, commands, TL_PICK(cli, commands == 1 ? "" : "s", commands == 1 ? "orden" : "órdenes"),
            dispatches, TL_PICK(cli, dispatches == 1 ? "" : "es", dispatches == 1 ? "dispatch" : "dispatches"));
    if (replay->reporter != NULL) tl_report_text(cli, stream, replay->reporter->name, &replay->report);
    if (replay->options->runs.time) tl_times_text(cli, stream, &replay->times);
    for (uint32_t k = 0; k < replay->data.count; k++) {
        const tl_replayed *item = &replay->data.items[k];
        if (item->out != NULL) tl_output_text(stream, item->name, item->out, &item->layout);
    }
}

/* ---- the command --------------------------------------------------------------------------------------------------- */

static void end(replay_state *replay)
{
    telar_prepared_release(replay->prepared);
    for (uint32_t k = 0; k < replay->data.count; k++) {
        if (replay->data.items[k].handle == NULL) continue;
        telar_host_buffer_release(replay->device.host, replay->data.items[k].handle);
    }
    tl_device_close(&replay->device);
    tl_replay_close(&replay->data);
    tl_recording_file_close(&replay->file);
}

static int replay_file(replay_state *replay)
{
    telar_status status = replay_all(replay);
    if (status != TELAR_OK) {
        int exit = tl_report(status, &replay->diag);
        tl_device_hint(replay->cli, status, &replay->diag);
        return exit;
    }
    if (replay->cli->json) {
        print_json(replay);
    } else {
        print_text(replay);
    }
    return TL_EXIT_DONE;
}

static int run_replay(tl_cli *cli, void *state, char **files, uint32_t files_count)
{
    (void)files_count;
    replay_options *options = state;
    options->runs.repeat = tl_repeats(&options->runs);
    for (uint32_t k = 0; cli->json && k < options->data.outs.count; k++) {
        const char *equals = strchr(options->data.outs.items[k], '=');
        if (equals == NULL || strcmp(equals + 1, "-") != 0) continue;
        return tl_error(TL_PICK(cli, "replay: --json and --out %s both want standard output",
                                "replay: --json y --out %s quieren los dos la salida estándar"),
                        options->data.outs.items[k]);
    }
    replay_state *replay = calloc(1, sizeof *replay);
    if (replay == NULL) return tl_report(TELAR_OUT_OF_MEMORY, NULL);
    replay->cli = cli;
    replay->options = options;
    replay->file.path = files[0];
    int exit = replay_file(replay);
    end(replay);
    free(replay);
    return exit;
}

static const tl_group_at groups[] = {
    {&tl_replay_data_group, offsetof(replay_options, data)},
    {&tl_device_group, offsetof(replay_options, device)},
    {&tl_repeat_group, offsetof(replay_options, runs)},
};

const tl_command tl_command_replay = {
    .name = "replay",
    .arguments = "FILE",
    .summary = {"runs a recording on other data, or on another device",
                "ejecuta una grabación con otros datos o en otro dispositivo"},
    .about =
        {"FILE is a recording, as telar run --record writes it. Its bound buffers are bound by their names, which "
         "telar show lists; data go in as they lie, in the layout that WGSL gives them. All of it is checked before "
         "anything runs: a file that is damaged, or asks for more than the device grants, is refused. The report of "
         "a count on the GPU is the buffer telar_report.",
         "FILE es una grabación, como la que escribe telar run --record. Sus búferes se enlazan por sus nombres, "
         "que telar show muestra; los datos entran tal como están, con la disposición que les da WGSL. Se comprueba "
         "todo antes de ejecutar nada: un archivo dañado, o que pide más de lo que el dispositivo concede, se "
         "rechaza. El informe de un conteo en la GPU es el búfer telar_report."},
    .example = {"telar run examples/scale.wgsl --bind s=in.npy --out d=out.npy --record scale.rec\n"
                "telar replay scale.rec --bind s=in.npy --bind d=f32:1000 --out d=again.npy --device dawn:0",
                "telar run examples/scale.wgsl --bind s=in.npy --out d=out.npy --record scale.rec\n"
                "telar replay scale.rec --bind s=in.npy --bind d=f32:1000 --out d=otra.npy --device dawn:0"},
    .groups = groups,
    .groups_count = TL_COUNT(groups),
    .files_min = 1,
    .files_max = 1,
    .state_bytes = sizeof(replay_options),
    .run = run_replay,
};
