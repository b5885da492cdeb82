/* SPDX-License-Identifier: MIT
 *
 * What the commands share: the state of one call, the tables of commands and options, texts in both languages, errors
 * and exit statuses. A command is one row of the table in main.c and one file cmd_NAME.c. */
#ifndef TL_CLI_CLI_H
#define TL_CLI_CLI_H

#include "base/base.h"

#include <telar/plan.h>

enum {
    TL_EXIT_DONE = 0,
    TL_EXIT_FINDINGS = 1, /* findings, or a verification that failed */
    TL_EXIT_INPUT = 2,    /* bad usage or input */
    TL_EXIT_DEVICE = 3,   /* no usable device, or it was lost */
};

typedef struct tl_command tl_command;

/* One call of the tool. */
typedef struct tl_cli {
    const tl_command *command; /* that runs; NULL before it is known */
    telar_language language;
    bool json;
    bool help;
    bool version;
    const char *lang_text; /* of --lang */
} tl_cli;

/* The text of this call's language. Both are literals, so that the compiler checks both formats. */
#define TL_PICK(cli, english, spanish) ((cli)->language == TELAR_SPANISH ? (spanish) : (english))

/* ---- messages.c: errors and notices, all on standard error ---- */

/* LC_ALL, LC_MESSAGES, LANG: the first that is set and not empty decides. */
telar_language tl_language_of_locale(void);
/* "telar: " and the text and a line end; returns TL_EXIT_INPUT. */
int tl_error(const char *format, ...) TL_PRINTF(1, 2);
void tl_notice(const char *format, ...) TL_PRINTF(1, 2);
/* Prints a library's diagnostic and returns the exit status of its status. */
int tl_report(telar_status status, const telar_diag *diag);
int tl_exit_of_status(telar_status status);

/* The nearest of the names, when one is near enough to be meant; else NULL. */
const char *tl_nearest(const char *text, const char *const *names, size_t count);

/* ---- args.c: option tables ---- */

typedef struct tl_option tl_option;
typedef telar_status tl_take(void *field, const tl_option *option, const char *text, telar_diag *diag);

struct tl_option {
    const char *name;     /* without the two dashes */
    const char *argument; /* as shown in the help; NULL: a flag */
    tl_take *take;
    size_t offset;     /* of the field in the group's struct */
    uint64_t min, max; /* of a number; of a time in ms */
    const char *help[2];
};

/* Options that belong together. */
typedef struct tl_option_group {
    const char *title[2];
    const tl_option *options;
    size_t count;
} tl_option_group;

/* A group of a command, and where its struct lies in the command's state. */
typedef struct tl_group_at {
    const tl_option_group *group;
    size_t offset;
} tl_group_at;

struct tl_command {
    const char *name;
    const char *arguments; /* as shown after the name: "FILE" */
    const char *summary[2];
    const char *about[2];   /* a paragraph */
    const char *example[2]; /* lines of a shell */
    const tl_group_at *groups;
    size_t groups_count;
    uint32_t files_min, files_max;
    size_t state_bytes;
    const struct tl_prim_spec *prim; /* of a primitive's command, whose run is tl_prim_run; else NULL */
    int (*run)(tl_cli *cli, void *state, char **files, uint32_t files_count);
};

/* Text options that may be given several times, in their order. */
#define TL_TEXTS_MAX 64
typedef struct tl_texts {
    const char *items[TL_TEXTS_MAX];
    uint32_t count;
} tl_texts;

/* A text with where it was said, for those that need both "given" and the value. */
tl_take tl_take_flag, tl_take_text, tl_take_texts, tl_take_u32, tl_take_u64;
/* A time with its unit, "10s" or "500ms", as a double of seconds. */
tl_take tl_take_seconds;

extern const tl_option_group tl_common_options;

/* The options of a group within a command's state; the command has the group. */
const void *tl_group_options(const tl_command *command, const tl_option_group *group, const void *state);

/* Reads argv[1...] of a command into its state and the common options; files are moved to the end of argv and counted.
 * False after an error was printed. */
bool tl_args_read(tl_cli *cli, const tl_command *command, void *state, int argc, char **argv, char ***files,
                  uint32_t *files_count);

/* ---- help.c ---- */

void tl_help_tool(const tl_cli *cli, const tl_command *const *commands, size_t count);
void tl_help_command(const tl_cli *cli, const tl_command *command);
/* Columns that a UTF-8 text takes in a terminal, as far as the texts here go: one a code point. */
size_t tl_columns(const char *text, size_t bytes);

/* ---- the commands ---- */

extern const tl_command tl_command_devices, tl_command_plan, tl_command_check, tl_command_weave, tl_command_run,
    tl_command_show, tl_command_replay, tl_command_map, tl_command_reduce, tl_command_scan, tl_command_histogram,
    tl_command_sort, tl_command_fill, tl_command_iota, tl_command_generate, tl_command_gather, tl_command_scatter,
    tl_command_select, tl_command_partition, tl_command_run_length_encode, tl_command_find, tl_command_bounds,
    tl_command_stride_copy, tl_command_adjacent_difference, tl_command_tune, tl_command_sweep, tl_command_bench;

#endif
