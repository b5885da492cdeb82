/* SPDX-License-Identifier: MIT
 *
 * telar check: what is wrong with WGSL, alone or against a launch. Needs no device unless one is named. */
#include "check_files.h"
#include "check_fix.h"
#include "check_report.h"
#include "device_find.h"
#include "io/quantity.h"
#include "io/source.h"
#include "plan_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <telar/weave.h>

typedef struct check_options {
    tl_counts count;
    tl_texts binds;
    tl_texts sets;
    const char *dispatch;
    const char *entry;
    const char *device;
    const char *format;
    tl_texts rules;
    const char *stdin_filename;
    bool fix;
} check_options;

/* The desc that all files share, and what its pointers need. */
typedef struct launch {
    telar_check_desc desc;
    telar_facts facts;
    telar_check_bind binds[TL_TEXTS_MAX];
    telar_check_set sets[TL_TEXTS_MAX];
    telar_check_rule rules[TL_TEXTS_MAX];
    char *names[TL_TEXTS_MAX * 3]; /* owned copies of what stands before '=' */
    uint32_t names_count;
} launch;

/* ---- the options ------------------------------------------------------------------------------------------------- */

/* NAME=REST; the name is a copy that lives as long as the launch. */
static telar_status split(launch *l, const char *option, const char *form, const char *text, const char **name,
                          const char **rest, telar_diag *diag)
{
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text || equals[1] == 0) {
        (void)tl_fail(diag, TELAR_INVALID_ARGUMENT, "--%s: '%.80s' is not %s", option, text, form);
        return TELAR_INVALID_ARGUMENT;
    }
    char *copy = strndup(text, (size_t)(equals - text));
    if (copy == NULL) {
        (void)tl_fail(diag, TELAR_OUT_OF_MEMORY, "out of memory");
        return TELAR_OUT_OF_MEMORY;
    }
    l->names[l->names_count++] = copy;
    *name = copy;
    *rest = equals + 1;
    return TELAR_OK;
}

/* BYTES, a file or TYPE:N as run takes them, or @NAME: the buffer of that other variable. */
static telar_status read_bind(launch *l, const char *text, telar_diag *diag)
{
    telar_check_bind *bind = &l->binds[l->desc.binds_count++];
    const char *source;
    TELAR_TRY(split(l, "bind", "NAME=BYTES or NAME=FILE, as in src=4Mi", text, &bind->name, &source, diag));
    if (source[0] == '@') {
        bind->buffer = source + 1;
        for (uint32_t k = 0; k + 1 < l->desc.binds_count; k++) {
            if (strcmp(l->binds[k].name, bind->buffer) != 0) continue;
            if (l->binds[k].buffer == NULL) l->binds[k].buffer = bind->buffer;
            bind->buffer = l->binds[k].buffer;
            bind->bytes = l->binds[k].bytes;
            return TELAR_OK;
        }
        return tl_fail(diag, TELAR_INVALID_ARGUMENT, "--bind %s: @%.60s is not bound before it", bind->name,
                       bind->buffer);
    }
    char what[160];
    snprintf(what, sizeof what, "--bind %.120s", bind->name);
    if (source[0] >= '0' && source[0] <= '9' &&
        tl_number_u64(what, tl_str_of(source), 0, UINT64_MAX, &bind->bytes, NULL) == TELAR_OK) {
        return TELAR_OK;
    }
    tl_array array = {0};
    TELAR_TRY(tl_source_open(what, source, &array, diag));
    bind->bytes = array.size_bytes;
    if (array.fill == TL_FILL_NONE) bind->buffer = source; /* one file is one buffer */
    tl_array_close(&array);
    return TELAR_OK;
}

static telar_status read_set(launch *l, const check_options *options, const char *text, telar_diag *diag)
{
    telar_check_set *set = &l->sets[l->desc.sets_count++];
    const char *value;
    TELAR_TRY(split(l, "set", "NAME.FIELD=VALUE, as in params.n=1000", text, &set->path, &value, diag));
    char what[160];
    snprintf(what, sizeof what, "--set %.120s", set->path);
    bool yes = strcmp(value, "true") == 0, no = strcmp(value, "false") == 0;
    if (yes || no) {
        set->value = yes ? 1 : 0;
        return TELAR_OK;
    }
    if (strcmp(value, "count") == 0) {
        if (options->count.dimensions == 0) {
            return tl_fail(diag, TELAR_INVALID_ARGUMENT, "%s=count needs --count", what);
        }
        set->value = (double)options->count.values[0];
        return TELAR_OK;
    }
    return tl_number_f64(what, tl_str_of(value), &set->value, diag);
}

static telar_status read_rule(launch *l, const char *text, telar_diag *diag)
{
    static const telar_severity allowed[] = {TELAR_SEVERITY_ERROR, TELAR_SEVERITY_WARNING, TELAR_SEVERITY_NOTE,
                                             TELAR_SEVERITY_OFF};
    telar_check_rule *rule = &l->rules[l->desc.rules_count++];
    const char *severity;
    TELAR_TRY(split(l, "rule", "NAME=error, NAME=warning or NAME=off", text, &rule->rule, &severity, diag));
    for (size_t k = 0; k < TL_COUNT(allowed); k++) {
        if (strcmp(severity, telar_severity_text(allowed[k])) == 0) rule->severity = allowed[k];
    }
    if (rule->severity == TELAR_SEVERITY_DEFAULT) {
        return tl_fail(diag, TELAR_INVALID_ARGUMENT,
                       "--rule %s: there is no severity '%.60s'; allowed are error, warning, note, off", rule->rule,
                       severity);
    }
    const char *names[256];
    size_t count = 0;
    for (; count < TL_COUNT(names) && telar_rule_at((uint32_t)count) != NULL; count++) {
        names[count] = telar_rule_at((uint32_t)count)->name;
        if (strcmp(names[count], rule->rule) == 0) return TELAR_OK;
    }
    const char *near = tl_nearest(rule->rule, names, count);
    return tl_fail(diag, TELAR_NOT_FOUND, "--rule: there is no rule '%.60s'%s%s%s", rule->rule,
                   near != NULL ? "; did you mean " : "", near != NULL ? near : "", near != NULL ? "?" : "");
}

/* X[,Y[,Z]], or "indirect", or @NAME[:BYTE_OFFSET]: the groups come from a buffer. */
static telar_status read_dispatch(launch *l, const char *text, telar_diag *diag)
{
    if (text == NULL) return TELAR_OK;
    if (strcmp(text, "indirect") == 0) {
        l->desc.indirect = true;
        return TELAR_OK;
    }
    if (text[0] == '@') {
        const char *colon = strchr(text, ':');
        size_t len = colon != NULL ? (size_t)(colon - text - 1) : strlen(text + 1);
        char *copy = strndup(text + 1, len);
        if (copy == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "out of memory");
        l->names[l->names_count++] = copy;
        l->desc.indirect = true;
        l->desc.indirect_buffer = copy;
        if (colon == NULL) return TELAR_OK;
        return tl_number_u64("--dispatch", tl_str_of(colon + 1), 0, UINT64_MAX, &l->desc.indirect_offset, diag);
    }
    uint64_t values[3];
    uint32_t count;
    TELAR_TRY(tl_number_list("--dispatch", tl_str_of(text), ',', 3, 1, UINT32_MAX, values, &count, diag));
    for (uint32_t k = 0; k < count; k++) l->desc.dispatch[k] = (uint32_t)values[k];
    return TELAR_OK;
}

static telar_status read_device(launch *l, const check_options *options, telar_diag *diag)
{
    const tl_plan_options facts = {.facts = options->device};
    TELAR_TRY(tl_facts_resolve(&facts, &l->facts, diag));
    l->desc.facts = &l->facts;
    l->desc.facts_are_device = options->device != NULL;
    if (options->device != NULL && tl_is_device_name(options->device)) {
        bool naga = strncmp(options->device, "wgpu:", 5) == 0;
        l->desc.reader = naga ? TELAR_READER_NAGA : TELAR_READER_TINT;
    }
    return TELAR_OK;
}

static telar_status read_launch(launch *l, const tl_cli *cli, const check_options *options, telar_diag *diag)
{
    l->desc.language = cli->language;
    for (uint32_t k = 0; k < options->count.dimensions; k++) l->desc.count[k] = options->count.values[k];
    l->desc.entry = options->entry;
    l->desc.binds = l->binds;
    l->desc.sets = l->sets;
    l->desc.rules = l->rules;
    TELAR_TRY(read_dispatch(l, options->dispatch, diag));
    for (uint32_t k = 0; k < options->binds.count; k++) TELAR_TRY(read_bind(l, options->binds.items[k], diag));
    for (uint32_t k = 0; k < options->sets.count; k++) TELAR_TRY(read_set(l, options, options->sets.items[k], diag));
    for (uint32_t k = 0; k < options->rules.count; k++) TELAR_TRY(read_rule(l, options->rules.items[k], diag));
    return read_device(l, options, diag);
}

static void drop_launch(launch *l)
{
    for (uint32_t k = 0; k < l->names_count; k++) free(l->names[k]);
    free(l);
}

/* ---- one file ---------------------------------------------------------------------------------------------------- */

static bool make_arena(telar_arena *arena, size_t bytes)
{
    void *data = malloc(bytes);
    *arena = telar_arena_make(data, data != NULL ? bytes : 0);
    return data != NULL;
}

#define ARENA_BYTES_MAX ((size_t)8 << 30)

/* Calls telar_check with more memory until it suffices. */
static telar_status check_in_arena(const telar_check_desc *desc, telar_arena *arena, telar_check_result *result,
                                   telar_diag *diag)
{
    size_t bytes = telar_check_arena_bytes(desc->source_bytes);
    for (;;) {
        if (bytes > ARENA_BYTES_MAX || !make_arena(arena, bytes)) {
            return tl_fail(diag, TELAR_OUT_OF_MEMORY, "out of memory for %zu bytes of source", desc->source_bytes);
        }
        telar_status status = telar_check(desc, arena, result, diag);
        if (status != TELAR_NO_SPACE) return status;
        free(arena->data);
        *arena = (telar_arena){0};
        bytes *= 2;
    }
}

/* Whether each entry point can be folded, as weave says. */
static void find_foldable(const telar_check_result *result, size_t source_bytes, bool *foldable)
{
    telar_arena arena;
    if (!make_arena(&arena, 65536 + 2 * telar_wgsl_arena_bytes(source_bytes))) return;
    for (uint32_t k = 0; k < result->reflection->entries_count; k++) {
        telar_weave_desc desc = {.module = result->module, .entry = result->reflection->entries[k].name};
        telar_weave_needs needs;
        arena.used = 0;
        foldable[k] = telar_weave_inspect(&desc, &arena, &needs, NULL) == TELAR_OK && needs.foldable;
    }
    free(arena.data);
}

/* The first byte that is no UTF-8; SIZE_MAX when all is well. */
static size_t broken_utf8(const char *text, size_t bytes)
{
    for (size_t at = 0; at < bytes;) {
        const unsigned char *c = (const unsigned char *)text + at;
        size_t len = c[0] < 0x80 ? 1 : c[0] < 0xC2 ? 0 : c[0] < 0xE0 ? 2 : c[0] < 0xF0 ? 3 : c[0] < 0xF5 ? 4 : 0;
        if (len == 0 || len > bytes - at) return at;
        for (size_t k = 1; k < len; k++) {
            if ((c[k] & 0xC0) != 0x80) return at;
        }
        bool wrong = (c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xED && c[1] > 0x9F) || (c[0] == 0xF0 && c[1] < 0x90) ||
                     (c[0] == 0xF4 && c[1] > 0x8F);
        if (wrong) return at;
        at += len;
    }
    return SIZE_MAX;
}

typedef struct checking {
    tl_cli *cli;
    const check_options *options;
    const launch *launch;
    const tl_check_report *report;
    tl_check_state state;
    int exit;
} checking;

static void fail(checking *c, const char *name, telar_status status, const telar_diag *diag)
{
    tl_error("%s: %s", name, diag->text[0] != 0 ? diag->text : telar_status_text(status));
    c->exit = TL_EXIT_INPUT;
}

/* What is said of a launch is of one entry point. */
static void notice_entries(const checking *c, const tl_checked *checked)
{
    const telar_check_desc *desc = &c->launch->desc;
    const telar_wgsl_reflection *reflection = checked->result.reflection;
    bool launched = desc->count[0] != 0 || desc->dispatch[0] != 0 || desc->indirect || desc->indirect_buffer != NULL;
    uint32_t compute = 0;
    if (!launched || desc->entry != NULL || reflection == NULL) return;
    for (uint32_t k = 0; k < reflection->entries_count; k++)
        compute += reflection->entries[k].stage == TELAR_WGSL_COMPUTE;
    if (compute < 2) return;
    tl_notice(TL_PICK(c->cli,
                      "%s: has %u compute entry points, so --count and --dispatch are not used; add --entry NAME",
                      "%s: tiene %u puntos de entrada de cómputo, así que no se usan --count ni --dispatch; añada "
                      "--entry NAME"),
              checked->name, compute);
}

static telar_status check_source(checking *c, const char *path, tl_checked *checked, telar_diag *diag)
{
    size_t broken = broken_utf8(checked->source, checked->source_bytes);
    if (broken != SIZE_MAX) {
        return tl_fail(diag, TELAR_INVALID_DATA, "byte %zu is not UTF-8; WGSL sources are UTF-8", broken);
    }
    telar_check_desc desc = c->launch->desc;
    desc.source = checked->source;
    desc.source_bytes = checked->source_bytes;
    telar_arena arena = {0};
    telar_status status = check_in_arena(&desc, &arena, &checked->result, diag);
    bool *foldable = NULL;
    if (status == TELAR_OK && checked->result.reflection != NULL && c->cli->json) {
        foldable = calloc(checked->result.reflection->entries_count + 1, sizeof *foldable);
        if (foldable == NULL) {
            status = tl_fail(diag, TELAR_OUT_OF_MEMORY, "out of memory");
        } else {
            find_foldable(&checked->result, checked->source_bytes, foldable);
        }
    }
    checked->foldable = foldable;
    if (status == TELAR_OK) {
        c->state.files++;
        c->state.errors += checked->result.errors;
        c->state.warnings += checked->result.warnings;
        c->state.notes += checked->result.notes;
        c->report->file(&c->state, checked);
        uint32_t made = 0;
        if (c->options->fix) status = tl_check_fix_file(path, checked, &made, diag);
        if (status == TELAR_OK && made > 0) {
            tl_notice(made == 1 ? TL_PICK(c->cli, "%s: %u finding mended", "%s: %u hallazgo arreglado")
                                : TL_PICK(c->cli, "%s: %u findings mended", "%s: %u hallazgos arreglados"),
                      checked->name, made);
        }
        notice_entries(c, checked);
    }
    free(foldable);
    free(arena.data);
    return status;
}

static void check_file(checking *c, const char *path)
{
    tl_file file = {0};
    telar_diag diag = {0};
    bool stream = strcmp(path, "-") == 0;
    const char *name = !stream ? path : c->options->stdin_filename != NULL ? c->options->stdin_filename : "<stdin>";
    telar_status status = tl_file_open(path, &file, &diag);
    if (status != TELAR_OK) {
        tl_error("%s", diag.text);
        c->exit = TL_EXIT_INPUT;
        return;
    }
    tl_checked checked = {.name = name,
                          .source = file.data != NULL ? (const char *)file.data : "",
                          .source_bytes = (size_t)file.size_bytes};
    status = check_source(c, path, &checked, &diag);
    if (status != TELAR_OK) fail(c, name, status, &diag);
    tl_file_close(&file);
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

static const tl_check_report *report_of(tl_cli *cli, const char *format)
{
    if (format == NULL) return cli->json ? &tl_check_json : &tl_check_text;
    if (strcmp(format, "json") == 0) {
        cli->json = true;
        return &tl_check_json;
    }
    if (cli->json) return NULL;
    return strcmp(format, "text") == 0 ? &tl_check_text : strcmp(format, "sarif") == 0 ? &tl_check_sarif : NULL;
}

static void check_paths(checking *c, const tl_paths *paths)
{
    c->report->begin(&c->state);
    for (size_t k = 0; k < paths->count; k++) check_file(c, paths->items[k]);
    c->report->end(&c->state);
    if (paths->failed) c->exit = TL_EXIT_INPUT;
    if (c->exit == TL_EXIT_DONE && c->state.errors + c->state.warnings > 0) c->exit = TL_EXIT_FINDINGS;
}

static int run_with(tl_cli *cli, const check_options *options, launch *l, char **files, uint32_t files_count)
{
    telar_diag diag = {0};
    checking c = {.cli = cli, .options = options, .launch = l, .state = {.cli = cli}};
    c.report = report_of(cli, options->format);
    if (c.report == NULL) {
        return tl_error(TL_PICK(cli, "--format: there is no '%.60s'%s; allowed are text, json, sarif",
                                "--format: no existe '%.60s'%s; se admiten text, json, sarif"),
                        options->format, cli->json ? TL_PICK(cli, " beside --json", " junto a --json") : "");
    }
    telar_status status = read_launch(l, cli, options, &diag);
    if (status != TELAR_OK) {
        int exit = tl_report(status, &diag);
        tl_device_hint(cli, status, &diag);
        return exit;
    }
    tl_paths paths = {0};
    for (uint32_t k = 0; k < files_count; k++) {
        if (options->fix && strcmp(files[k], "-") == 0) {
            tl_paths_free(&paths);
            return tl_error(TL_PICK(cli, "check: --fix needs a file, not standard input",
                                    "check: --fix necesita un archivo, no la entrada estándar"));
        }
        size_t before = paths.count;
        if (tl_paths_add(&paths, files[k])) {
            if (paths.count == before && !paths.failed) {
                tl_notice(TL_PICK(cli, "%s: holds no *.wgsl", "%s: no contiene ningún *.wgsl"), files[k]);
            }
            continue;
        }
        tl_paths_free(&paths);
        return tl_report(TELAR_OUT_OF_MEMORY, NULL);
    }
    check_paths(&c, &paths);
    tl_paths_free(&paths);
    return c.exit;
}

static int run_check(tl_cli *cli, void *state, char **files, uint32_t files_count)
{
    launch *l = calloc(1, sizeof *l);
    if (l == NULL) return tl_report(TELAR_OUT_OF_MEMORY, NULL);
    int exit = run_with(cli, state, l, files, files_count);
    drop_launch(l);
    return exit;
}

#define FIELD(name) .offset = offsetof(check_options, name)
#define TEXT(name) .take = tl_take_text, FIELD(name)
#define TEXTS(name) .take = tl_take_texts, FIELD(name)

static const tl_option launch_options[] = {
    {.name = "count",
     .argument = "N|WxH|WxHxD",
     .take = tl_take_count,
     FIELD(count),
     .help = {"elements of the domain, one number an axis", "elementos del dominio, un número por eje"}},
    {.name = "dispatch",
     .argument = "X[,Y[,Z]]|indirect|@NAME[:OFFSET]",
     TEXT(dispatch),
     .help = {"groups an axis, or that they come from a buffer, perhaps that of variable NAME",
              "grupos por eje, o que vienen de un búfer, quizá el de la variable NAME"}},
    {.name = "bind",
     .argument = "NAME=BYTES|FILE|@NAME",
     TEXTS(binds),
     .help = {"what is bound to a variable: its size, a file, or the buffer of another variable; may be repeated",
              "qué se enlaza a una variable: su tamaño, un archivo o el búfer de otra variable; se puede repetir"}},
    {.name = "set",
     .argument = "NAME.FIELD=VALUE",
     TEXTS(sets),
     .help = {"a value in a uniform, or of an override; VALUE may be count; may be repeated",
              "un valor de un uniforme o de un override; VALUE puede ser count; se puede repetir"}},
    {.name = "entry",
     .argument = "NAME",
     TEXT(entry),
     .help = {"the entry point of the launch (default: the only compute entry point)",
              "el punto de entrada del lanzamiento (por defecto, el único de cómputo)"}},
    {.name = "device",
     .argument = "FILE|default|compatibility|DEVICE",
     TEXT(device),
     .help = {"the device that will run it: a facts file, one of the specification's two sets of limits, or wgpu:0",
              "el dispositivo que lo ejecutará: un archivo de datos, uno de los dos juegos de límites de la "
              "especificación, o wgpu:0"}},
};

static const tl_option report_options[] = {
    {.name = "format",
     .argument = "text|json|sarif",
     TEXT(format),
     .help = {"how findings are printed (default text)", "cómo se imprimen los hallazgos (por defecto, text)"}},
    {.name = "rule",
     .argument = "NAME=error|warning|note|off",
     TEXTS(rules),
     .help = {"the severity of a rule, or its end; may be repeated",
              "la gravedad de una regla, o que se calle; se puede repetir"}},
    {.name = "fix",
     .take = tl_take_flag,
     FIELD(fix),
     .help = {"makes the changes that are safe, in the files", "hace en los archivos los cambios seguros"}},
    {.name = "stdin-filename",
     .argument = "NAME",
     TEXT(stdin_filename),
     .help = {"the name to report for standard input, for editors",
              "el nombre con que se informa de la entrada estándar, para editores"}},
};

static const tl_option_group launch_group = {
    .title = {"The launch", "El lanzamiento"}, .options = launch_options, .count = TL_COUNT(launch_options)};
static const tl_option_group report_group = {
    .title = {"The findings", "Los hallazgos"}, .options = report_options, .count = TL_COUNT(report_options)};
static const tl_group_at groups[] = {{&launch_group, 0}, {&report_group, 0}};

const tl_command tl_command_check = {
    .name = "check",
    .arguments = "FILE...",
    .summary = {"finds what is wrong with WGSL, alone or against a launch; no device needed",
                "busca lo que está mal en un WGSL, solo o frente a un lanzamiento; no hace falta ningún dispositivo"},
    .about =
        {"Follows what each invocation does with its ids, the values that the launch writes and the sizes bound, and "
         "reports what is wrong in this launch or in every launch (error), wrong in a launch that is likely (warning), "
         "or a matter of portability, speed or style (note). Folders are walked for *.wgsl; - is standard input. In the "
         "source, // telar: allow RULE reason silences a rule on the next line. Rules: docs/rules.md. Exit status 1 on "
         "an error or warning.",
         "Sigue lo que cada invocación hace con sus ids, con los valores que escribe el lanzamiento y con los tamaños "
         "enlazados, e informa de lo que está mal en este lanzamiento o en todos (error), de lo que está mal en un "
         "lanzamiento probable (aviso), y de lo que toca a portabilidad, velocidad o estilo (nota). En las carpetas "
         "se buscan los *.wgsl; - es la entrada estándar. En el código, // telar: allow RULE motivo calla una regla "
         "en la línea siguiente. Reglas: docs/rules.md. Estado de salida 1 si hay un error o un aviso."},
    .example = {"telar check examples/scale.wgsl --count 3_000_001\n"
                "telar check shaders --format sarif",
                "telar check examples/scale.wgsl --count 3_000_001\n"
                "telar check shaders --format sarif --lang es"},
    .groups = groups,
    .groups_count = TL_COUNT(groups),
    .files_min = 1,
    .files_max = UINT32_MAX,
    .state_bytes = sizeof(check_options),
    .run = run_check,
};
