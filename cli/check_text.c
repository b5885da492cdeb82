/* SPDX-License-Identifier: MIT
 *
 * Findings for people: the place, the line with carets under it, why, and what to change. */
#include "check_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void begin(tl_check_state *state)
{
    (void)state;
}

static const char *severity_word(const tl_cli *cli, telar_severity severity)
{
    if (severity == TELAR_SEVERITY_NOTE) return TL_PICK(cli, "note", "nota");
    return severity == TELAR_SEVERITY_WARNING ? TL_PICK(cli, "warning", "aviso") : "error";
}

/* telar_wgsl_caret's three lines; only its first says what to replace. */
static void print_place(const tl_cli *cli, const tl_checked *checked, const telar_finding *finding)
{
    telar_diag diag = {.line = finding->line, .column = finding->column, .offset = finding->offset};
    telar_out text = {.data = diag.text, .cap = sizeof diag.text};
    tl_out_text(&text, finding->message);
    telar_out size = {0};
    telar_wgsl_caret(checked->name, checked->source, checked->source_bytes, &diag, &size);
    char *shown = calloc(size.len + 1, 1);
    if (shown == NULL) return;
    telar_out out = {.data = shown, .cap = size.len + 1};
    telar_wgsl_caret(checked->name, checked->source, checked->source_bytes, &diag, &out);
    const char *rest = strchr(shown, '\n');
    printf("%s:%u:%u: %s: %s [%s]%s", checked->name, finding->line, finding->column,
           severity_word(cli, finding->severity), finding->message, finding->rule, rest != NULL ? rest : "\n");
    free(shown);
}

static void print_finding(const tl_cli *cli, const tl_checked *checked, const telar_finding *finding)
{
    print_place(cli, checked, finding);
    printf(TL_PICK(cli, "    why: %s\n", "    por qué: %s\n"), finding->why);
    if (finding->fix != NULL) printf(TL_PICK(cli, "    fix: %s\n", "    arreglo: %s\n"), finding->fix);
}

static void file(tl_check_state *state, const tl_checked *checked)
{
    for (uint32_t k = 0; k < checked->result.findings_count; k++) {
        print_finding(state->cli, checked, &checked->result.findings[k]);
    }
}

static void end(tl_check_state *state)
{
    const tl_cli *cli = state->cli;
    if (state->files == 0) return;
    const char *noun = state->files == 1 ? TL_PICK(cli, "file", "archivo") : TL_PICK(cli, "files", "archivos");
    if (state->errors + state->warnings + state->notes == 0) {
        printf(TL_PICK(cli, "%u %s: nothing found\n", "%u %s: sin hallazgos\n"), state->files, noun);
        return;
    }
    printf(TL_PICK(cli, "%u %s: errors %u, warnings %u, notes %u\n", "%u %s: errores %u, avisos %u, notas %u\n"),
           state->files, noun, state->errors, state->warnings, state->notes);
}

const tl_check_report tl_check_text = {begin, file, end};
