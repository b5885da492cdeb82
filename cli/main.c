/* SPDX-License-Identifier: MIT
 *
 * telar: the table of commands. A command is added by its row here and its file cmd_NAME.c. */
#include "cli.h"
#include "io/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const tl_command *const commands[] = {
    &tl_command_devices,   &tl_command_plan,        &tl_command_tune,
    &tl_command_sweep,     &tl_command_bench,       &tl_command_check,
    &tl_command_weave,     &tl_command_run,         &tl_command_show,
    &tl_command_replay,    &tl_command_map,         &tl_command_reduce,
    &tl_command_scan,      &tl_command_select,      &tl_command_partition,
    &tl_command_histogram, &tl_command_sort,        &tl_command_run_length_encode,
    &tl_command_find,      &tl_command_bounds,      &tl_command_gather,
    &tl_command_scatter,   &tl_command_stride_copy, &tl_command_adjacent_difference,
    &tl_command_fill,      &tl_command_iota,        &tl_command_generate,
};

static const tl_command *find_command(const char *name)
{
    for (size_t k = 0; k < TL_COUNT(commands); k++) {
        if (strcmp(commands[k]->name, name) == 0) return commands[k];
    }
    return NULL;
}

static int unknown_command(const tl_cli *cli, const char *name)
{
    const char *names[TL_COUNT(commands)];
    for (size_t k = 0; k < TL_COUNT(commands); k++) names[k] = commands[k]->name;
    const char *near = tl_nearest(name, names, TL_COUNT(names));
    if (near != NULL) {
        return tl_error(TL_PICK(cli, "there is no command '%.60s'; did you mean %s?",
                                "no existe la orden '%.60s'; ¿querías decir %s?"),
                        name, near);
    }
    return tl_error(
        TL_PICK(cli, "there is no command '%.60s'; see telar --help", "no existe la orden '%.60s'; mira telar --help"),
        name);
}

/* --lang is looked for first, so that every message is in its language. */
static void choose_language(tl_cli *cli, int argc, char **argv)
{
    cli->language = tl_language_of_locale();
    for (int k = 1; k < argc && argv[k] != NULL && strcmp(argv[k], "--") != 0; k++) {
        const char *value = NULL;
        if (strncmp(argv[k], "--lang=", 7) == 0) value = argv[k] + 7;
        if (strcmp(argv[k], "--lang") == 0 && k + 1 < argc) value = argv[k + 1];
        if (value == NULL) continue;
        if (strcmp(value, "es") == 0) cli->language = TELAR_SPANISH;
        if (strcmp(value, "en") == 0) cli->language = TELAR_ENGLISH;
    }
}

static int run_command(tl_cli *cli, const tl_command *command, int argc, char **argv)
{
    void *state = calloc(1, command->state_bytes);
    if (state == NULL) return tl_report(TELAR_OUT_OF_MEMORY, NULL);
    char **files = NULL;
    uint32_t files_count = 0;
    int status = TL_EXIT_INPUT;
    if (tl_args_read(cli, command, state, argc, argv, &files, &files_count)) {
        status = TL_EXIT_DONE;
        if (cli->version) {
            printf("telar %s\n", telar_version());
        } else if (cli->help) {
            tl_help_command(cli, command);
        } else {
            cli->command = command;
            status = command->run(cli, state, files, files_count);
        }
    }
    free(state);
    return status;
}

static const tl_command no_command = {.name = "telar", .arguments = "", .files_max = UINT32_MAX, .state_bytes = 1};

/* Without a command: only the common options make sense. */
static int run_tool(tl_cli *cli, int argc, char **argv)
{
    char state, **rest;
    uint32_t rest_count;
    if (!tl_args_read(cli, &no_command, &state, argc, argv, &rest, &rest_count)) return TL_EXIT_INPUT;
    if (cli->version) {
        printf("telar %s\n", telar_version());
        return TL_EXIT_DONE;
    }
    if (!cli->help) {
        return tl_error(TL_PICK(cli, "a command is missing; see telar --help", "falta una orden; mira telar --help"));
    }
    tl_help_tool(cli, commands, TL_COUNT(commands));
    return TL_EXIT_DONE;
}

/* What was printed may still be on its way: a full disk or a closed pipe shows here. */
static int finish(const tl_cli *cli, int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    tl_error(TL_PICK(cli, "standard output: %s", "salida estándar: %s"), strerror(errno));
    return status != TL_EXIT_DONE ? status : TL_EXIT_INPUT;
}

int main(int argc, char **argv)
{
    tl_file_guard();
    tl_cli cli = {0};
    choose_language(&cli, argc, argv);
    int status;
    if (argc < 2 || argv[1][0] == '-') {
        status = run_tool(&cli, argc, argv);
    } else if (strcmp(argv[1], "help") == 0) {
        const tl_command *command = argc > 2 ? find_command(argv[2]) : NULL;
        status = TL_EXIT_DONE;
        if (argc > 2 && command == NULL) {
            status = unknown_command(&cli, argv[2]);
        } else if (command != NULL) {
            tl_help_command(&cli, command);
        } else {
            tl_help_tool(&cli, commands, TL_COUNT(commands));
        }
    } else {
        const tl_command *command = find_command(argv[1]);
        status = command == NULL ? unknown_command(&cli, argv[1]) : run_command(&cli, command, argc - 1, argv + 1);
    }
    return finish(&cli, status);
}
