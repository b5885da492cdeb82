/* SPDX-License-Identifier: MIT
 *
 * Option tables to values. Long options only, in full, anywhere between the files; what does not exist gets the nearest
 * name as a suggestion. */
#include "cli.h"
#include "io/quantity.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

static telar_status take_lang(void *field, const tl_option *option, const char *text, telar_diag *diag)
{
    (void)option;
    if (strcmp(text, "en") != 0 && strcmp(text, "es") != 0) {
        return tl_fail(diag, TELAR_INVALID_ARGUMENT, "--lang: '%s' is no language; allowed are en, es", text);
    }
    *(const char **)field = text;
    return TELAR_OK;
}

static const tl_option common[] = {
    {.name = "json",
     .take = tl_take_flag,
     .offset = offsetof(tl_cli, json),
     .help = {"one JSON object on standard output, nothing else", "un objeto JSON en la salida estándar y nada más"}},
    {.name = "lang",
     .argument = "en|es",
     .take = take_lang,
     .offset = offsetof(tl_cli, lang_text),
     .help = {"language of texts (default: the locale's)",
              "idioma de los textos (por defecto, el de la configuración regional)"}},
    {.name = "help", .take = tl_take_flag, .offset = offsetof(tl_cli, help), .help = {"this text", "este texto"}},
    {.name = "version",
     .take = tl_take_flag,
     .offset = offsetof(tl_cli, version),
     .help = {"the version", "la versión"}},
};

const tl_option_group tl_common_options = {
    .title = {"Common options", "Opciones comunes"}, .options = common, .count = TL_COUNT(common)};

telar_status tl_take_flag(void *field, const tl_option *option, const char *text, telar_diag *diag)
{
    (void)option, (void)text, (void)diag;
    *(bool *)field = true;
    return TELAR_OK;
}

telar_status tl_take_text(void *field, const tl_option *option, const char *text, telar_diag *diag)
{
    if (text[0] == 0) {
        return tl_fail(diag, TELAR_INVALID_ARGUMENT, "--%s: %s is empty", option->name, option->argument);
    }
    *(const char **)field = text;
    return TELAR_OK;
}

telar_status tl_take_texts(void *field, const tl_option *option, const char *text, telar_diag *diag)
{
    tl_texts *texts = field;
    if (texts->count == TL_TEXTS_MAX) {
        return tl_fail_limit(diag, TELAR_LIMIT_EXCEEDED, TL_TEXTS_MAX + 1, TL_TEXTS_MAX,
                             "--%s is given more than %d times", option->name, TL_TEXTS_MAX);
    }
    texts->items[texts->count++] = text;
    return TELAR_OK;
}

static telar_status take_number(const tl_option *option, const char *text, uint64_t *value, telar_diag *diag)
{
    char what[64];
    snprintf(what, sizeof what, "--%s", option->name);
    return tl_number_u64(what, tl_str_of(text), option->min, option->max, value, diag);
}

telar_status tl_take_u32(void *field, const tl_option *option, const char *text, telar_diag *diag)
{
    uint64_t value;
    TELAR_TRY(take_number(option, text, &value, diag));
    *(uint32_t *)field = (uint32_t)value;
    return TELAR_OK;
}

telar_status tl_take_u64(void *field, const tl_option *option, const char *text, telar_diag *diag)
{
    return take_number(option, text, (uint64_t *)field, diag);
}

/* "10s", "500ms": a bound as it would be given. */
static void format_ms(uint64_t ms, char text[32])
{
    bool whole = ms % 1000 == 0;
    snprintf(text, 32, "%llu%s", (unsigned long long)(whole ? ms / 1000 : ms), whole ? "s" : "ms");
}

telar_status tl_take_seconds(void *field, const tl_option *option, const char *text, telar_diag *diag)
{
    static const struct {
        const char *unit;
        double s;
    } units[] = {{"ms", 1e-3}, {"s", 1}};
    char what[64], least[32], most[32];
    snprintf(what, sizeof what, "--%s", option->name);
    format_ms(option->min, least);
    format_ms(option->max, most);
    size_t len = strlen(text);
    for (size_t k = 0; k < TL_COUNT(units); k++) {
        size_t unit_len = strlen(units[k].unit);
        if (len <= unit_len || strcmp(text + len - unit_len, units[k].unit) != 0) continue;
        double value;
        TELAR_TRY(tl_number_f64(what, (tl_str){text, len - unit_len}, &value, diag));
        value *= units[k].s;
        if (!(value * 1e3 >= (double)option->min && value * 1e3 <= (double)option->max)) {
            return tl_fail(diag, TELAR_OVERFLOWS, "%s: '%.60s' is outside of %s to %s", what, text, least, most);
        }
        *(double *)field = value;
        return TELAR_OK;
    }
    return tl_fail(diag, TELAR_INVALID_ARGUMENT, "%s: '%.60s' is no time; write it as in 10s or 500ms", what, text);
}

/* ---- getopt's table, and what each row of it stands for ---- */

#define OPTIONS_MAX 96

typedef struct row {
    const tl_option *option;
    void *base;
} row;

typedef struct table {
    struct option longs[OPTIONS_MAX + 1];
    row rows[OPTIONS_MAX];
    const char *names[OPTIONS_MAX];
    size_t count;
} table;

static void add_group(table *into, const tl_option_group *group, void *base)
{
    for (size_t k = 0; k < group->count; k++) {
        const tl_option *option = &group->options[k];
        TELAR_ASSERT(into->count < OPTIONS_MAX);
        into->longs[into->count] =
            (struct option){option->name, option->argument != NULL ? required_argument : no_argument, NULL, 1};
        into->rows[into->count] = (row){option, base};
        into->names[into->count++] = option->name;
    }
}

/* "plan: " before a command's messages; the tool's own say "telar: " anyway. */
typedef struct command_prefix {
    char text[32];
} command_prefix;

static command_prefix prefix_of(const char *command)
{
    command_prefix prefix = {{0}};
    if (strcmp(command, "telar") != 0) snprintf(prefix.text, sizeof prefix.text, "%s: ", command);
    return prefix;
}

static bool unknown_option(const tl_cli *cli, const table *options, const char *command, const char *word)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    const char *near = tl_nearest(name + strspn(name, "-"), options->names, options->count);
    bool tool = strcmp(command, "telar") == 0;
    if (near != NULL) {
        tl_error(TL_PICK(cli, "%sthere is no option '%s'; did you mean --%s?",
                         "%sno existe la opción '%s'; ¿querías decir --%s?"),
                 prefix_of(command).text, name, near);
    } else {
        tl_error(TL_PICK(cli, "%sthere is no option '%s'; see telar %s%s--help",
                         "%sno existe la opción '%s'; mira telar %s%s--help"),
                 prefix_of(command).text, name, tool ? "" : command, tool ? "" : " ");
    }
    return false;
}

static bool misused_option(const tl_cli *cli, const table *options, const char *command, const char *word)
{
    char name[64];
    size_t len = strcspn(word, "=");
    snprintf(name, sizeof name, "%.*s", (int)len, word);
    for (size_t k = 0; k < options->count; k++) {
        if (strcmp(name + strspn(name, "-"), options->names[k]) != 0) continue;
        if (options->rows[k].option->argument == NULL) {
            tl_error(TL_PICK(cli, "%s%s takes no value", "%s%s no admite ningún valor"), prefix_of(command).text, name);
        } else {
            tl_error(TL_PICK(cli, "%s%s needs a value, %s", "%sa %s le falta su valor, %s"), prefix_of(command).text,
                     name, options->rows[k].option->argument);
        }
        return false;
    }
    return unknown_option(cli, options, command, word);
}

/* getopt takes unambiguous beginnings of names; those would change their meaning with every option added. */
static bool whole_name(const char *word, const char *name)
{
    size_t len = strlen(name);
    return strncmp(word, "--", 2) == 0 && strncmp(word + 2, name, len) == 0 &&
           (word[2 + len] == 0 || word[2 + len] == '=');
}

/* The word that getopt has just read: the one before its value, where that is a word of its own. */
static const char *word_read(char **argv)
{
    bool separate = optarg != NULL && optarg == argv[optind - 1];
    return argv[optind - (separate ? 2 : 1)];
}

const void *tl_group_options(const tl_command *command, const tl_option_group *group, const void *state)
{
    size_t k = 0;
    while (k < command->groups_count && command->groups[k].group != group) k++;
    TELAR_ASSERT(k < command->groups_count);
    return (const char *)state + command->groups[k].offset;
}

static bool right_number_of_files(const tl_cli *cli, const tl_command *command, uint32_t count)
{
    if (cli->help || cli->version) return true;
    if (count < command->files_min) {
        tl_error(TL_PICK(cli, "%s: %s is missing; see telar %s --help", "%s: falta %s; mira telar %s --help"),
                 command->name, command->arguments, command->name);
        return false;
    }
    return true;
}

bool tl_args_read(tl_cli *cli, const tl_command *command, void *state, int argc, char **argv, char ***files,
                  uint32_t *files_count)
{
    table options = {0};
    for (size_t k = 0; k < command->groups_count; k++) {
        add_group(&options, command->groups[k].group, (char *)state + command->groups[k].offset);
    }
    add_group(&options, &tl_common_options, cli);
    optind = 1;
    opterr = 0;
    telar_diag diag = {0};
    for (;;) {
        int index = -1;
        int found = getopt_long(argc, argv, ":h", options.longs, &index);
        if (found == -1) break;
        if (found == 'h') {
            cli->help = true;
            continue;
        }
        if (found == '?' || found == ':') {
            char letter[] = {'-', (char)optopt, 0};
            bool is_letter = optopt > 1; /* 0: an unknown name, 1: a known one */
            return misused_option(cli, &options, command->name, is_letter ? letter : argv[optind - 1]);
        }
        const row *chosen = &options.rows[index];
        const char *word = word_read(argv);
        if (!whole_name(word, chosen->option->name)) { return unknown_option(cli, &options, command->name, word); }
        telar_status status =
            chosen->option->take((char *)chosen->base + chosen->option->offset, chosen->option, optarg, &diag);
        if (status != TELAR_OK) {
            tl_report(status, &diag);
            return false;
        }
    }
    *files = argv + optind;
    *files_count = (uint32_t)(argc - optind);
    if (*files_count > command->files_max && !cli->help) {
        tl_error(TL_PICK(cli, "%s: '%s' is one argument too many", "%s: '%s' sobra"), command->name,
                 (*files)[command->files_max]);
        return false;
    }
    return right_number_of_files(cli, command, *files_count);
}
