/* SPDX-License-Identifier: MIT
 *
 * Tuning as a list of experiments, each with its share of the time. How times are taken is tune_trial.c's business. */
#include "host/tune.h"

#define TIME_NS UINT64_C(10000000000)
/* Of submit to done: what the sleeps of a wait add. */
#define HOST_QUANTUM_NS 1e5

typedef struct experiment {
    telar_status (*run)(tl_tune *tune, telar_diag *diag);
    double share; /* of the time */
} experiment;

/* Later ones use the facts of earlier ones. */
static const experiment experiments[] = {
    {tl_tune_launch, 0.1}, {tl_tune_memory, 0.4}, {tl_tune_units, 0.2}, {tl_tune_latency, 0.15}, {tl_tune_rates, 0.15},
};

static const char *const hows[TELAR_FACT_COUNT][2] = {
    [TELAR_FACT_BANDWIDTH] = {"copies the largest array, 16 bytes an invocation",
                              "copia la matriz más grande, 16 bytes por invocación"},
    [TELAR_FACT_READ_BANDWIDTH] = {"sums up the largest array, 256 bytes an invocation",
                                   "suma la matriz más grande, 256 bytes por invocación"},
    [TELAR_FACT_CACHE_BANDWIDTH] =
        {"copies arrays of growing size: the fastest, less a dispatch's own time",
         "copia matrices cada vez mayores: la más rápida, sin el tiempo propio del dispatch"},
    [TELAR_FACT_CACHE_BYTES] = {"the largest of these copies that is nearer to the fastest than to memory",
                                "la mayor de esas copias que está más cerca de la más rápida que de la memoria"},
    [TELAR_FACT_GROUP_LAUNCH_RATE] = {"empty groups of 64 invocations in one dispatch",
                                      "grupos vacíos de 64 invocaciones en un dispatch"},
    [TELAR_FACT_DISPATCH_OVERHEAD] = {"dispatches of one empty group, each after the one before",
                                      "dispatches de un grupo vacío, cada uno tras el anterior"},
    [TELAR_FACT_COMPUTE_UNITS] = {"the most groups of 256 that only calculate and take no longer than one",
                                  "los grupos de 256 que solo calculan sin tardar más que uno solo, como mucho"},
    [TELAR_FACT_RESIDENT_INVOCATIONS] = {"groups that stay are counted: of the best size, by unit",
                                         "se cuentan los grupos que se quedan: los del mejor tamaño, por unidad"},
    [TELAR_FACT_RESIDENT_GROUPS] = {"groups of 32 that stay are counted, by unit",
                                    "se cuentan los grupos de 32 que se quedan, por unidad"},
    [TELAR_FACT_WAVE_LATENCY] =
        {"4 bytes an invocation over the largest array, less launch and memory as in the model",
         "4 bytes por invocación en la matriz más grande, sin lanzamiento ni memoria, como en el modelo"},
    [TELAR_FACT_ITEM_LATENCY] = {"a group of 64 alone, with 16 elements an invocation and with 1",
                                 "un grupo de 64 a solas, con 16 elementos por invocación y con 1"},
    [TELAR_FACT_BARRIER] = {"a group of 256 alone, with some barriers and with twice as many, and what they guard",
                            "un grupo de 256 a solas, con unas barreras y con el doble, y lo que protegen"},
    [TELAR_FACT_ATOMIC_RATE] = {"each invocation adds to 8 of 65536 words",
                                "cada invocación suma en 8 de 65536 palabras"},
    [TELAR_FACT_ATOMIC_ONE_RATE] = {"each invocation adds 8 times to one word",
                                    "cada invocación suma 8 veces en una palabra"},
    [TELAR_FACT_ARITHMETIC_RATE] = {"four chains of x * a + b an invocation, 8 groups of 256 a unit",
                                    "cuatro cadenas de x * a + b por invocación, 8 grupos de 256 por unidad"},
};

const char *telar_tune_how(telar_fact_name name, telar_language language)
{
    if ((size_t)name >= TL_COUNT(hows) || hows[name][0] == NULL) return "";
    return hows[name][language == TELAR_SPANISH];
}

static telar_status run_experiments(tl_tune *tune, const telar_tune_desc *desc, telar_diag *diag)
{
    double time_ns = (double)(desc->time_ns == 0 ? TIME_NS : desc->time_ns), share = 0;
    uint64_t begin_ns = tl_now_ns();
    for (size_t k = 0; k < TL_COUNT(experiments); k++) {
        if (desc->progress != NULL) desc->progress(desc->user, share);
        share += experiments[k].share;
        tune->until_ns = begin_ns + (uint64_t)(share * time_ns);
        TELAR_TRY(experiments[k].run(tune, diag));
    }
    if (desc->progress != NULL) desc->progress(desc->user, 1);
    return TELAR_OK;
}

telar_status telar_host_tune(telar_host *host, const telar_tune_desc *desc, telar_facts *facts, telar_diag *diag)
{
    *facts = host->facts;
    double quantum_ns = telar_host_time_quantum_ns(host);
    tl_tune tune = {.host = host,
                    .facts = facts,
                    .words = tl_take(&host->alloc, TL_TUNE_WORDS, sizeof(uint32_t)),
                    .clock = quantum_ns > 0,
                    .quantum_ns = quantum_ns > 0 ? quantum_ns : HOST_QUANTUM_NS};
    telar_status status = TELAR_OK;
    if (tune.words == NULL) status = tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory for tuning");
    if (status == TELAR_OK) status = tl_tune_data_make(&tune, diag);
    if (status == TELAR_OK) status = run_experiments(&tune, desc, diag);
    tl_tune_data_drop(&tune);
    tl_give(&host->alloc, tune.words, TL_TUNE_WORDS, sizeof(uint32_t));
    if (status != TELAR_OK) *facts = (telar_facts){0};
    return status;
}
