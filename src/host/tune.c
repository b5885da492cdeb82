/* SPDX-License-Identifier: MIT
 *
 * Tuning as a list of experiments, each with its share of the time. How times are taken is tune_trial.c's business. */
#include "host/tune.h"

#define TIME_NS UINT64_C(10000000000)
/* Of submit to done: what the sleeps of a wait add. */
#define HOST_QUANTUM_NS 1e5
#define WAKE_SHARE 0.02 /* of the time */

typedef struct experiment {
    telar_status (*run)(tl_tune *tune, telar_diag *diag);
    double share; /* of the time */
} experiment;

/* Later ones use the facts of earlier ones. */
static const experiment experiments[] = {
    {tl_tune_launch, 0.15},    {tl_tune_memory, 0.3},   {tl_tune_units, 0.1}, {tl_tune_residents, 0.05},
    {tl_tune_subgroups, 0.05}, {tl_tune_latency, 0.25}, {tl_tune_rates, 0.1},
};

#define HOW_SUBGROUP                                                                                                   \
    {"pipelines without subgroup operations and with one; the spread tells whether they differ",                       \
     "pipelines sin operaciones de subgrupo y con una; la dispersión dice si difieren"}
/* Of words and of vectors. */
#define HOW_SEVERAL                                                                                                    \
    {"the same with 2 and with 8 elements an invocation: what they have in common",                                    \
     "lo mismo con 2 y con 8 elementos por invocación: lo que tienen en común"}
#define HOW_ITEM {"the same: by what they differ, an element", "lo mismo: en qué difieren, por elemento"}
#define HOW_BORDER                                                                                                     \
    {"a group of 256 alone, 8 elements an invocation, full and less than full",                                        \
     "un grupo de 256 a solas, 8 elementos por invocación, lleno y no lleno"}
#define HOW_SHARED_GROUP                                                                                               \
    {"groups of that size with 4096 bytes of workgroup memory and a barrier, less empty ones",                         \
     "grupos de ese tamaño con 4096 bytes de memoria de workgroup y una barrera, menos los vacíos"}
#define HOW_RESIDENT_OF                                                                                                \
    {"groups that stay for a while are counted, by unit", "se cuentan los grupos que se quedan un rato, por unidad"}
#define HOW_RESIDENT_WITH                                                                                              \
    {"the same, groups of 32 with so much workgroup memory", "lo mismo, grupos de 32 con esa memoria de workgroup"}

static const char *const hows[TELAR_FACT_COUNT][2] = {
    [TELAR_FACT_BANDWIDTH] = {"copies the largest array, 16 bytes an invocation",
                              "copia la matriz más grande, 16 bytes por invocación"},
    [TELAR_FACT_READ_BANDWIDTH] = {"sums up the largest array, 256 bytes an invocation",
                                   "suma la matriz más grande, 256 bytes por invocación"},
    [TELAR_FACT_CACHE_BANDWIDTH] =
        {"copies arrays of growing size: the fastest, less a dispatch's own time",
         "copia matrices cada vez mayores: la más rápida, sin el tiempo propio del dispatch"},
    [TELAR_FACT_CACHE_READ_BANDWIDTH] =
        {"sums up arrays of growing size: the fastest, less a dispatch's own time",
         "suma matrices cada vez mayores: la más rápida, sin el tiempo propio del dispatch"},
    [TELAR_FACT_CACHE_BYTES] = {"the largest of these copies that is nearer to the fastest than to memory",
                                "la mayor de esas copias que está más cerca de la más rápida que de la memoria"},
    [TELAR_FACT_GROUP_LAUNCH_RATE] = {"empty groups of 64 invocations in one dispatch",
                                      "grupos vacíos de 64 invocaciones en un dispatch"},
    [TELAR_FACT_DISPATCH_OVERHEAD] = {"an element function over 64 elements, each dispatch after the one before",
                                      "una función por elemento sobre 64 elementos, cada dispatch tras el anterior"},
    [TELAR_FACT_DISPATCH_INDEPENDENT] = {"the same, each with an output of its own: none waits for another",
                                         "lo mismo, cada uno con su propia salida: ninguno espera a otro"},
    [TELAR_FACT_SUBMIT_OVERHEAD] = {"submissions of one dispatch, 32 in a row, by the host's clock",
                                    "envíos de un dispatch, 32 seguidos, con el reloj del anfitrión"},
    [TELAR_FACT_COMPUTE_UNITS] =
        {"the most groups of 256 that only calculate and take no longer than one; on a CPU adapter, groups there at once",
         "los grupos de 256 que solo calculan sin tardar más que uno, como mucho; en un adaptador CPU, los que están a la vez"},
    [TELAR_FACT_RESIDENT_INVOCATIONS] = {"of the group size that gives most", "los del tamaño de grupo que da más"},
    [TELAR_FACT_RESIDENT_GROUPS] = {"groups of 32", "grupos de 32"},
    [TELAR_FACT_UNIT_MEMORY] = {"groups of 32 with workgroup memory, as many bytes as stay at once",
                                "grupos de 32 con memoria de workgroup: los bytes que caben a la vez"},
    [TELAR_FACT_WAVE_LATENCY] =
        {"an element function of 4 bytes over the largest array, less launch and memory as in the model",
         "una función por elemento de 4 bytes en la matriz más grande, sin lanzamiento ni memoria, como en el modelo"},
    [TELAR_FACT_WAVE_SEVERAL] = HOW_SEVERAL,
    [TELAR_FACT_WAVE_ITEM] = HOW_ITEM,
    [TELAR_FACT_WAVE_BORDER] = HOW_BORDER,
    [TELAR_FACT_WAVE_VECTOR] = {"an element function of 16 bytes over the same array",
                                "una función por elemento de 16 bytes en la misma matriz"},
    [TELAR_FACT_WAVE_VECTOR_SEVERAL] = HOW_SEVERAL,
    [TELAR_FACT_WAVE_VECTOR_ITEM] = HOW_ITEM,
    [TELAR_FACT_WAVE_VECTOR_BORDER] = HOW_BORDER,
    [TELAR_FACT_WAVE_LOOP] =
        {"reads the same array in two loops, one in the other, with 8 turns of the inner one and with 1",
         "lee la misma matriz en dos bucles, uno dentro de otro, con 8 vueltas del interior y con 1"},
    [TELAR_FACT_WAVE_TURN] = {"the same: what a turn of the outer loop takes",
                              "lo mismo: lo que tarda una vuelta del exterior"},
    [TELAR_FACT_ITEM_LATENCY] = {"a group of 64 alone, with 16 elements an invocation and with 1",
                                 "un grupo de 64 a solas, con 16 elementos por invocación y con 1"},
    [TELAR_FACT_LOOP_LATENCY] = {"the same in a kernel with a loop over its elements",
                                 "lo mismo en un kernel con un bucle sobre sus elementos"},
    [TELAR_FACT_BARRIER] = {"a group of 256 alone, with some barriers and with twice as many, and what they guard",
                            "un grupo de 256 a solas, con unas barreras y con el doble, y lo que protegen"},
    [TELAR_FACT_SHARED_GROUP_OF_32] = HOW_SHARED_GROUP,
    [TELAR_FACT_SHARED_GROUP_OF_256] = HOW_SHARED_GROUP,
    [TELAR_FACT_ATOMIC_RATE] = {"each invocation adds to 8 of 65536 words",
                                "cada invocación suma en 8 de 65536 palabras"},
    [TELAR_FACT_ATOMIC_ONE_RATE] = {"each invocation adds 8 times to one word",
                                    "cada invocación suma 8 veces en una palabra"},
    [TELAR_FACT_ARITHMETIC_RATE] = {"four chains of x * a + b an invocation, 8 groups of 256 a unit",
                                    "cuatro cadenas de x * a + b por invocación, 8 grupos de 256 por unidad"},
    [TELAR_FACT_REPEAT_SPREAD] = {"three times the same launch, in turn: the largest difference",
                                  "tres veces el mismo lanzamiento, por turnos: la mayor diferencia"},
    [TELAR_FACT_SUBGROUP_OF_32] = HOW_SUBGROUP,
    [TELAR_FACT_SUBGROUP_OF_64] = HOW_SUBGROUP,
    [TELAR_FACT_SUBGROUP_OF_128] = HOW_SUBGROUP,
    [TELAR_FACT_SUBGROUP_OF_256] = HOW_SUBGROUP,
    [TELAR_FACT_SUBGROUP_OF_512] = HOW_SUBGROUP,
    [TELAR_FACT_SUBGROUP_OF_1024] = HOW_SUBGROUP,
    [TELAR_FACT_RESIDENT_GROUPS_OF_32] = HOW_RESIDENT_OF,
    [TELAR_FACT_RESIDENT_GROUPS_OF_64] = HOW_RESIDENT_OF,
    [TELAR_FACT_RESIDENT_GROUPS_OF_128] = HOW_RESIDENT_OF,
    [TELAR_FACT_RESIDENT_GROUPS_OF_256] = HOW_RESIDENT_OF,
    [TELAR_FACT_RESIDENT_GROUPS_OF_512] = HOW_RESIDENT_OF,
    [TELAR_FACT_RESIDENT_GROUPS_OF_1024] = HOW_RESIDENT_OF,
    [TELAR_FACT_RESIDENT_GROUPS_WITH_4KI] = HOW_RESIDENT_WITH,
    [TELAR_FACT_RESIDENT_GROUPS_WITH_8KI] = HOW_RESIDENT_WITH,
    [TELAR_FACT_RESIDENT_GROUPS_WITH_16KI] = HOW_RESIDENT_WITH,
    [TELAR_FACT_RESIDENT_GROUPS_WITH_32KI] = HOW_RESIDENT_WITH,
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
    if (!tune->serial) TELAR_TRY(tl_tune_wake(tune, WAKE_SHARE * time_ns, diag));
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
                    .serial = host->facts.type == TELAR_DEVICE_CPU,
                    .words = tl_take(&host->alloc, TL_TUNE_WORDS, sizeof(uint32_t)),
                    .arena = tl_take(&host->alloc, TL_TUNE_ARENA_BYTES, 1),
                    .clock = quantum_ns > 0,
                    .quantum_ns = quantum_ns > 0 ? quantum_ns : HOST_QUANTUM_NS};
    telar_status status = TELAR_OK;
    if (tune.words == NULL || tune.arena == NULL) status = tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory for tuning");
    if (status == TELAR_OK) status = tl_tune_data_make(&tune, diag);
    if (status == TELAR_OK) status = run_experiments(&tune, desc, diag);
    tl_tune_data_drop(&tune);
    tl_give(&host->alloc, tune.arena, TL_TUNE_ARENA_BYTES, 1);
    tl_give(&host->alloc, tune.words, TL_TUNE_WORDS, sizeof(uint32_t));
    if (status != TELAR_OK) *facts = (telar_facts){0};
    return status;
}
