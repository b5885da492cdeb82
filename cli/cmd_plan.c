/* SPDX-License-Identifier: MIT
 *
 * telar plan: from counts and facts to a launch, explained. Needs no device unless one is named. */
#include "device_find.h"
#include "plan_options.h"

static int run_plan(tl_cli *cli, void *state, char **files, uint32_t files_count)
{
    (void)files, (void)files_count;
    const tl_plan_options *options = state;
    if (options->count.dimensions == 0) {
        if (options->count.text != NULL) {
            return tl_error(TL_PICK(cli, "--count %s: a plan needs a number; counts on the GPU belong to run",
                                    "--count %s: un plan necesita un número; los conteos en la GPU son cosa de run"),
                            options->count.text);
        }
        return tl_error(TL_PICK(cli, "plan: --count is missing, as in telar plan --count 3_000_001",
                                "plan: falta --count, como en telar plan --count 3_000_001"));
    }
    telar_diag diag = {0};
    telar_facts facts;
    telar_status status = tl_facts_resolve(options, &facts, &diag);
    if (status != TELAR_OK) {
        int exit = tl_report(status, &diag);
        tl_device_hint(cli, status, &diag);
        return exit;
    }
    telar_plan_desc desc = tl_plan_desc_of(options);
    telar_plan plan;
    status = telar_plan_make(&desc, &facts, &plan, &diag);
    if (status != TELAR_OK) return tl_report(status, &diag);
    if (cli->json) {
        tl_json json = {0};
        tl_plan_json(&json, NULL, &plan, &facts, options, cli->language);
    } else {
        tl_plan_text(stdout, &plan, &facts, cli->language);
    }
    return TL_EXIT_DONE;
}

static const tl_group_at groups[] = {{&tl_plan_launch_group, 0}, {&tl_plan_facts_group, 0}};

const tl_command tl_command_plan = {
    .name = "plan",
    .arguments = "--count N",
    .summary = {"from counts and facts to a launch, explained; no device needed",
                "de conteos y datos a un lanzamiento, explicado; no hace falta ningún dispositivo"},
    .about =
        {"Chooses the workgroup size, the elements of an invocation, the shape of the dispatch and its windows, and "
         "says why: what the lesson's rule would give, what was chosen, what limits it, what to change next. What "
         "is asked for explicitly is granted or refused with both numbers, never adjusted.",
         "Elige el tamaño de workgroup, los elementos de cada invocación, la forma del dispatch y sus ventanas, y "
         "dice por qué: lo que daría la regla de la lección, lo elegido, lo que lo limita y qué cambiar después. "
         "Lo que se pide de forma explícita se concede o se rechaza con los dos números; nunca se ajusta."},
    .example = {"telar plan --count 5000 --units 30\n"
                "telar plan --count 640x480 --kind image --halo 2 --json",
                "telar plan --count 5000 --units 30 --lang es\n"
                "telar plan --count 640x480 --kind image --halo 2 --json"},
    .groups = groups,
    .groups_count = TL_COUNT(groups),
    .state_bytes = sizeof(tl_plan_options),
    .run = run_plan,
};
