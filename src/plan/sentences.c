/* SPDX-License-Identifier: MIT
 *
 * The sentences in both languages, side by side, and how values are put into them: thousands and decimals as each
 * language writes them. */
#include "plan/sentences.h"

typedef struct sentence {
    const char *english;
    const char *spanish;
} sentence;

static const sentence sentences[TL_SAY_COUNT] = {
    /* headline */
    [TL_SAY_HEAD] =
        {
            "{0}, {1} kernel: workgroup {2}, {3} per invocation, {4}, dispatch ({5}), {6}",
            "{0}, kernel {1}: workgroup de {2}, {3} por invocación, {4}, dispatch ({5}), {6}",
        },
    [TL_SAY_HEAD_EMPTY] =
        {
            "no elements, {0} kernel: nothing to launch",
            "sin elementos, kernel {0}: nada que lanzar",
        },
    [TL_SAY_LESSON] =
        {
            "by the rule: workgroup {0}, {1}",
            "por la regla: workgroup de {0}, {1}",
        },
    [TL_SAY_LANES] =
        {
            "lanes of {0}: {1} reserved, {2} % used",
            "carriles de {0}: {1} reservados, {2} % aprovechados",
        },
    [TL_SAY_GROUP] = {"1 workgroup", "1 workgroup"},
    [TL_SAY_GROUPS] = {"{0} workgroups", "{0} workgroups"},
    [TL_SAY_ITEM] = {"1 element", "1 elemento"},
    [TL_SAY_ITEMS] = {"{0} elements", "{0} elementos"},
    /* names */
    [TL_SAY_KIND_ELEMENT] = {"element", "elemento a elemento"},
    [TL_SAY_KIND_REDUCE] = {"reduce", "de reducción"},
    [TL_SAY_KIND_SCAN] = {"scan", "de scan"},
    [TL_SAY_KIND_IMAGE] = {"image", "de imagen"},
    [TL_SAY_KIND_TILE] = {"tile", "con tile"},
    [TL_SAY_SHAPE_EMPTY] = {"empty", "vacío"},
    [TL_SAY_SHAPE_LINEAR] = {"linear", "lineal"},
    [TL_SAY_SHAPE_FOLD] = {"folded", "plegado"},
    [TL_SAY_SHAPE_STRIDE] = {"stride", "con zancada"},
    [TL_SAY_TYPE_UNKNOWN] = {"device", "dispositivo"},
    [TL_SAY_TYPE_DISCRETE] = {"discrete GPU", "GPU dedicada"},
    [TL_SAY_TYPE_INTEGRATED] = {"GPU that shares memory with the CPU", "GPU integrada"},
    [TL_SAY_TYPE_CPU] = {"CPU adapter", "adaptador de CPU"},
    [TL_SAY_BY_INVOCATIONS] = {"its invocations", "sus invocaciones"},
    [TL_SAY_BY_GROUPS] = {"its number of workgroups", "su número de workgroups"},
    [TL_SAY_BY_MEMORY] = {"workgroup memory", "la memoria workgroup"},
    [TL_SAY_BY_REGISTERS] = {"registers", "los registros"},
    /* reasons: size and items */
    [TL_SAY_EMPTY] =
        {
            "there are no elements: no dispatch is recorded, which is a defined result and no error",
            "no hay elementos: no se graba ningún dispatch, y eso es un resultado definido, no un error",
        },
    [TL_SAY_SIZE_ASKED] =
        {
            "the workgroup size {0} was asked for; by the rule it would be {1}",
            "el tamaño de workgroup {0} se pidió así; por la regla sería {1}",
        },
    [TL_SAY_SIZE_ASKED_SAME] =
        {
            "the workgroup size {0} was asked for, and the rule gives the same",
            "el tamaño de workgroup {0} se pidió así, y la regla da el mismo",
        },
    [TL_SAY_SIZE_ELEMENT] =
        {
            "{0} invocations share nothing in an element kernel: 64 is the least that fills lanes of 32 and "
            "of 64",
            "{0} invocaciones que no comparten nada en un kernel elemento a elemento: 64 es lo mínimo que "
            "llena carriles de 32 y de 64",
        },
    [TL_SAY_SIZE_TREE] =
        {
            "{0} invocations take {1} barrier steps and leave {2} partial results, where 64 would take 6 and "
            "leave {3}; each doubling costs one step and halves the partials",
            "{0} invocaciones dan {1} pasos con barrera y dejan {2} resultados parciales; con 64 serían 6 "
            "pasos y {3} parciales; cada duplicación cuesta un paso y deja la mitad de parciales",
        },
    [TL_SAY_SIZE_IMAGE] =
        {
            "{0} invocations in a square: as many as fill lanes of 32 and of 64, and the least border",
            "{0} invocaciones en cuadrado: las que llenan carriles de 32 y de 64, y el borde más corto",
        },
    [TL_SAY_SIZE_HALO] =
        {
            "with a halo of {0} a workgroup of {1} reads {2} elements for {3} of its own",
            "con un halo de {0}, un workgroup de {1} lee {2} elementos para {3} propios",
        },
    [TL_SAY_SIZE_TILE] =
        {
            "the tile in workgroup memory is the workgroup: its geometry decides, {0}",
            "el tile en memoria workgroup es el workgroup: decide su geometría, {0}",
        },
    [TL_SAY_SIZE_MODEL] =
        {
            "of all sizes and items, {0} with {1} per invocation is the cheapest on what is known here (a "
            "{2}); the rule, made for unknown devices, says {3}",
            "de todos los tamaños, {0} con {1} por invocación es lo más barato con lo que se sabe aquí "
            "({2}); la regla, hecha para dispositivos desconocidos, dice {3}",
        },
    [TL_SAY_SIZE_CLAMPED] =
        {
            "the rule's {0} invocations do not fit this device, whose maxComputeInvocationsPerWorkgroup is "
            "{1} (x {2}, y {3}, z {4}): {5} it is",
            "las {0} invocaciones de la regla no caben en este dispositivo, cuyo "
            "maxComputeInvocationsPerWorkgroup es {1} (x {2}, y {3}, z {4}): quedan {5}",
        },
    [TL_SAY_ITEMS_WHY] =
        {
            "{0} elements per invocation, a workgroup-size apart: neighbours read neighbours, and {1} "
            "workgroups are launched instead of {2}",
            "{0} elementos por invocación, separados por el tamaño del workgroup: vecinas leen vecinos, y se "
            "lanzan {1} workgroups en vez de {2}",
        },
    [TL_SAY_LANES_LOST] =
        {
            "on lanes of {0} the {1} invocations reserve {2}: {3} % are used",
            "con carriles de {0}, las {1} invocaciones reservan {2}: se aprovecha el {3} %",
        },
    [TL_SAY_LANES_FULL] =
        {
            "{0} invocations are a multiple of the largest subgroup ({1}): no lane is idle",
            "{0} invocaciones son múltiplo del subgroup más ancho ({1}): ningún carril queda ocioso",
        },
    [TL_SAY_HEAVY] =
        {
            "{0} registers per invocation keep workgroups small: a unit needs several to hide latency",
            "{0} registros por invocación piden workgroups pequeños: una unidad necesita varios para ocultar "
            "la latencia",
        },
    /* reasons: mapping */
    [TL_SAY_CEILING] =
        {
            "{0} in workgroups of {1} make {2}; invocations without an element: {3}, which the guard stops",
            "{0} en workgroups de {1} son {2}; invocaciones sin elemento: {3}, que el guardia para",
        },
    [TL_SAY_CEILING_PARTLY] =
        {
            "{0} in workgroups of {1} make {2}; the last is not full, and the guard keeps its items "
            "inside the domain",
            "{0} en workgroups de {1} son {2}; el último no está lleno, y el guardia lo mantiene "
            "dentro del dominio",
        },
    [TL_SAY_CEILING_EXACT] =
        {
            "{0} fill {1} of {2} exactly; the guard stays, since the next count may not",
            "{0} llenan exactamente {1} de {2}; el guardia se queda, porque el próximo "
            "conteo quizá no",
        },
    [TL_SAY_FOLDED] =
        {
            "{0} workgroups exceed maxComputeWorkgroupsPerDimension ({1}): folded into {2} rows of {3}, {4} "
            "workgroups idle; the index is rebuilt from workgroup_id",
            "{0} workgroups superan maxComputeWorkgroupsPerDimension ({1}): se pliegan en {2} filas de {3}, "
            "con {4} workgroups ociosos; el índice se reconstruye con workgroup_id",
        },
    [TL_SAY_FOLDED_ASKED] =
        {
            "a fold was asked for: {0} workgroups in {1} rows of {2}, {3} workgroups idle",
            "se pidió plegar: {0} workgroups en {1} filas de {2}, con {3} workgroups ociosos",
        },
    [TL_SAY_FOLD_FIXED] =
        {
            "the fixed width {0} leaves {1} workgroups idle; equal rows would leave {2}, and their product "
            "costs nothing that can be measured",
            "la anchura fija {0} deja {1} workgroups ociosos; con filas iguales serían {2}, y su "
            "multiplicación no cuesta nada que se pueda medir",
        },
    [TL_SAY_STRIDE] =
        {
            "{0} workgroups stride over the domain, {1} rounds each; the loop compares what is left, so that "
            "the index cannot wrap",
            "{0} workgroups recorren el dominio con zancada, {1} vueltas cada uno; el bucle compara lo que "
            "queda, así que el índice no puede desbordarse",
        },
    [TL_SAY_WINDOWS_INDEX] =
        {
            "{0} windows of {1} elements: a u32 index ends at 2^32, and a window is safe up to 2^31",
            "{0} ventanas de {1} elementos: un índice u32 acaba en 2^32, y una ventana es segura hasta 2^31",
        },
    [TL_SAY_WINDOWS_BINDING] =
        {
            "{0} windows of {1} elements: one binding holds {2} bytes on this device",
            "{0} ventanas de {1} elementos: un binding admite {2} bytes en este dispositivo",
        },
    /* reasons: occupancy */
    [TL_SAY_UNITS_IDLE] =
        {
            "{0} on {1} compute units leave {2} with nothing to do",
            "{0} en {1} unidades de cómputo dejan {2} sin trabajo",
        },
    [TL_SAY_UNITS_BUSY] =
        {
            "{0} on {1} compute units: every unit has work",
            "{0} en {1} unidades de cómputo: todas tienen trabajo",
        },
    [TL_SAY_RESIDENT] =
        {
            "a unit holds {0} such workgroups at once, bounded by {1}; waves: {2}, the last of {3}",
            "una unidad mantiene {0} de estos workgroups a la vez, limitada por {1}; oleadas: {2}, la última "
            "de {3}",
        },
    [TL_SAY_RESIDENT_ONLY] =
        {
            "a unit holds {0} such workgroups at once, bounded by {1}",
            "una unidad mantiene {0} de estos workgroups a la vez, limitada por {1}",
        },
    [TL_SAY_PREDICTED] =
        {
            "predicted {0} us: {1} for the dispatch, then together {2} of launch, {3} of latency, {4} of "
            "memory",
            "previsto {0} us: {1} del dispatch y luego, a la vez, {2} de lanzamiento, {3} de latencia y {4} "
            "de memoria",
        },
    [TL_SAY_TABLE] =
        {
            "not every time was measured on this device: those of a typical {0} stand in, good enough to "
            "rank and not to predict",
            "no todos los tiempos se midieron en este dispositivo: los suplen los habituales ({0}), que "
            "sirven para ordenar y no para predecir",
        },
    /* next steps */
    [TL_SAY_NEXT_EMPTY] =
        {
            "Limited by nothing; next step: none, there is nothing to do",
            "No lo limita nada; próximo paso: ninguno, no hay nada que hacer",
        },
    [TL_SAY_NEXT_NOTHING] =
        {
            "Limited by nothing that is known; next step: say what the device is (--facts), since on a large "
            "GPU one element per invocation can be bound by the launch of workgroups",
            "No lo limita nada que se sepa; próximo paso: decir qué dispositivo es (--facts), porque en una "
            "GPU grande un elemento por invocación puede quedar limitado por el lanzamiento de workgroups",
        },
    [TL_SAY_NEXT_WORKGROUPS] =
        {
            "Limited by maxComputeWorkgroupsPerDimension ({0}); next step: {1} elements per invocation would "
            "need {2} workgroups, in one row",
            "Lo limita maxComputeWorkgroupsPerDimension ({0}); próximo paso: con {1} elementos por "
            "invocación harían falta {2} workgroups, en una sola fila",
        },
    [TL_SAY_NEXT_WORKGROUPS_NONE] =
        {
            "Limited by maxComputeWorkgroupsPerDimension ({0}); next step: none, a fold costs nothing that "
            "can be measured",
            "Lo limita maxComputeWorkgroupsPerDimension ({0}); próximo paso: ninguno, plegar no cuesta nada "
            "que se pueda medir",
        },
    [TL_SAY_NEXT_INVOCATIONS] =
        {
            "Limited by maxComputeInvocationsPerWorkgroup ({0}); next step: ask for more when the device is "
            "made, if the adapter has it",
            "Lo limita maxComputeInvocationsPerWorkgroup ({0}); próximo paso: pedir más al crear el "
            "dispositivo, si el adaptador lo tiene",
        },
    [TL_SAY_NEXT_MEMORY] =
        {
            "Limited by workgroup memory: a unit holds {0} workgroups of {1} bytes; next step: {2} bytes or "
            "less would let it hold {3}",
            "Lo limita la memoria workgroup: una unidad mantiene {0} workgroups de {1} bytes; próximo paso: "
            "con {2} bytes o menos mantendría {3}",
        },
    [TL_SAY_NEXT_REGISTERS] =
        {
            "Limited by registers: a unit holds {0} workgroups at {1} registers per invocation; next step: "
            "keep fewer values alive, or take smaller workgroups",
            "Lo limitan los registros: una unidad mantiene {0} workgroups con {1} registros por invocación; "
            "próximo paso: mantener menos valores vivos, o workgroups más pequeños",
        },
    [TL_SAY_NEXT_BINDING] =
        {
            "Limited by the size of a binding ({0} bytes); next step: ask for maxStorageBufferBindingSize "
            "and maxBufferSize of {1} bytes, if the adapter has them",
            "Lo limita el tamaño de un binding ({0} bytes); próximo paso: pedir maxStorageBufferBindingSize "
            "y maxBufferSize de {1} bytes, si el adaptador los tiene",
        },
    [TL_SAY_NEXT_INDEX] =
        {
            "Limited by the width of an index (u32); next step: none, {0} windows run one after the other",
            "Lo limita el ancho de un índice (u32); próximo paso: ninguno, {0} ventanas se ejecutan una tras "
            "otra",
        },
    [TL_SAY_NEXT_LAUNCH] =
        {
            "Limited by the launch of workgroups ({0} at {1} million a second); next step: workgroup {2} "
            "with {3} per invocation would launch {4}",
            "Lo limita el lanzamiento de workgroups ({0}, a {1} millones por segundo); próximo paso: un "
            "workgroup de {2} con {3} por invocación lanzaría {4}",
        },
    [TL_SAY_NEXT_LAUNCH_TIMED] =
        {
            "Limited by the launch of workgroups ({0} at {1} million a second); next step: workgroup {2} "
            "with {3} per invocation would launch {4} and take {5} us instead of {6}",
            "Lo limita el lanzamiento de workgroups ({0}, a {1} millones por segundo); próximo paso: un "
            "workgroup de {2} con {3} por invocación lanzaría {4} y tardaría {5} us en vez de {6}",
        },
    [TL_SAY_NEXT_LAUNCH_NONE] =
        {
            "Limited by the launch of workgroups ({0} at {1} million a second); next step: none that the "
            "model knows, this is its cheapest",
            "Lo limita el lanzamiento de workgroups ({0}, a {1} millones por segundo); próximo paso: ninguno "
            "que conozca el modelo, este es su plan más barato",
        },
    [TL_SAY_NEXT_OVERHEAD] =
        {
            "Limited by the latency of a dispatch (about {0} us, whatever it does); next step: do more in "
            "one dispatch, or record dispatches back to back in one pass",
            "Lo limita la latencia de un dispatch (unos {0} us, haga lo que haga); próximo paso: hacer más "
            "en un solo dispatch, o grabarlos seguidos en un mismo pass",
        },
    [TL_SAY_NEXT_LATENCY] =
        {
            "Limited by latency: each invocation waits for its own loads; next step: workgroup {0} with {1} "
            "per invocation keeps more of them in flight",
            "Lo limita la latencia: cada invocación espera sus propias lecturas; próximo paso: un workgroup "
            "de {0} con {1} por invocación mantiene más en vuelo",
        },
    [TL_SAY_NEXT_LATENCY_NONE] =
        {
            "Limited by latency: each invocation waits for its own loads; next step: none that the model "
            "knows, this is its cheapest",
            "Lo limita la latencia: cada invocación espera sus propias lecturas; próximo paso: ninguno que "
            "conozca el modelo, este es su plan más barato",
        },
    [TL_SAY_NEXT_BANDWIDTH] =
        {
            "Limited by memory bandwidth ({0} bytes at {1} GB/s); next step: move fewer bytes, by fusing "
            "with the kernel before or after, or by a narrower type",
            "Lo limita el ancho de banda de la memoria ({0} bytes a {1} GB/s); próximo paso: mover menos "
            "bytes, fusionando con el kernel anterior o el siguiente, o con un tipo más estrecho",
        },
    [TL_SAY_NEXT_UNITS] =
        {
            "Limited by the compute units: {0} of {1} have no workgroup; next step: size {2} would give {3} "
            "workgroups",
            "Lo limitan las unidades de cómputo: {0} de {1} no tienen workgroup; próximo paso: con tamaño "
            "{2} serían {3} workgroups",
        },
    [TL_SAY_NEXT_UNITS_NONE] =
        {
            "Limited by the compute units: {0} of {1} have no workgroup; next step: none by size, the domain "
            "is too small to fill the device",
            "Lo limitan las unidades de cómputo: {0} de {1} no tienen workgroup; próximo paso: ninguno por "
            "tamaño, el dominio es demasiado pequeño para llenar el dispositivo",
        },
};

const char *tl_sentence_text(tl_sentence name, telar_language language)
{
    return language == TELAR_SPANISH ? sentences[name].spanish : sentences[name].english;
}

/* English: 5,000. Spanish: 5000, and 50.000 from five digits on. */
static void out_count(telar_out *out, telar_language language, uint64_t count)
{
    if (count < (language == TELAR_SPANISH ? 10000u : 1000u)) {
        tl_out_u64(out, count);
        return;
    }
    uint64_t scale = 1;
    while (count / scale >= 1000) scale *= 1000;
    tl_out_u64(out, count / scale);
    for (scale /= 1000; scale > 0; scale /= 1000) {
        uint64_t three = count / scale % 1000;
        tl_out_text(out, language == TELAR_SPANISH ? "." : ",");
        for (uint64_t place = 100; place > 0; place /= 10) tl_out_u64(out, three / place % 10);
    }
}

/* Three figures where the number is small, none after the point where it is large. */
static void out_real(telar_out *out, telar_language language, double value)
{
    uint64_t scale = value < 10 ? 100 : value < 100 ? 10 : 1;
    uint64_t scaled = value < 1e15 ? (uint64_t)(value * (double)scale + 0.5) : UINT64_C(1000000000000000);
    out_count(out, language, scaled / scale);
    uint64_t fraction = scaled % scale;
    if (fraction == 0) return;
    tl_out_text(out, language == TELAR_SPANISH ? "," : ".");
    for (uint64_t place = scale / 10; place > 0; place /= 10) tl_out_u64(out, fraction / place % 10);
}

static void out_size(telar_out *out, const uint32_t size[3])
{
    tl_out_u64(out, size[0]);
    int last = size[2] > 1 ? 2 : size[1] > 1 ? 1 : 0;
    for (int axis = 1; axis <= last; axis++) tl_out_format(out, "x%u", size[axis]);
}

static void out_value(telar_out *out, telar_language language, const tl_value *value)
{
    switch (value->kind) {
    case TL_VALUE_COUNT: out_count(out, language, value->count); break;
    case TL_VALUE_REAL: out_real(out, language, value->real); break;
    case TL_VALUE_SIZE: out_size(out, value->size); break;
    case TL_VALUE_TEXT: tl_out_text(out, value->text); break;
    case TL_VALUE_SENTENCE: tl_out_text(out, tl_sentence_text((tl_sentence)value->count, language)); break;
    case TL_VALUE_GROUPS:
        tl_say(out, language, value->count == 1 ? TL_SAY_GROUP : TL_SAY_GROUPS, &TL_N(value->count));
        break;
    case TL_VALUE_ITEMS:
        tl_say(out, language, value->count == 1 ? TL_SAY_ITEM : TL_SAY_ITEMS, &TL_N(value->count));
        break;
    }
}

void tl_say(telar_out *out, telar_language language, tl_sentence name, const tl_value *values)
{
    const char *text = tl_sentence_text(name, language);
    for (const char *p = text; *p != 0;) {
        const char *start = p;
        while (*p != 0 && *p != '{') p++;
        tl_out_bytes(out, start, (size_t)(p - start));
        if (*p == 0) break;
        out_value(out, language, &values[p[1] - '0']);
        p += 3;
    }
}
