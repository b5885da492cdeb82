/* The sentences of the explanation: SAYING(NAME, words, english, spanish); see base/say.h. */
/* headline */
SAYING(HEAD, 7, "{0}, {1} kernel: workgroup {2}, {3} per invocation, {4}, dispatch ({5}), {6}",
       "{0}, kernel {1}: workgroup de {2}, {3} por invocación, {4}, dispatch ({5}), {6}")
SAYING(HEAD_EMPTY, 1, "no elements, {0} kernel: nothing to launch", "sin elementos, kernel {0}: nada que lanzar")
SAYING(LESSON, 2, "by the rule: workgroup {0}, {1}", "por la regla: workgroup de {0}, {1}")
SAYING(LANES, 3, "lanes of {0}: {1} reserved, {2} % used", "carriles de {0}: {1} reservados, {2} % aprovechados")
SAYING(GROUP, 0, "1 workgroup", "1 workgroup")
SAYING(GROUPS, 1, "{0} workgroups", "{0} workgroups")
SAYING(ITEM, 0, "1 element", "1 elemento")
SAYING(ITEMS, 1, "{0} elements", "{0} elementos")

/* names */
SAYING(KIND_ELEMENT, 0, "element", "elemento a elemento")
SAYING(KIND_REDUCE, 0, "reduce", "de reducción")
SAYING(KIND_SCAN, 0, "scan", "de scan")
SAYING(KIND_IMAGE, 0, "image", "de imagen")
SAYING(KIND_TILE, 0, "tile", "con tile")
SAYING(SHAPE_EMPTY, 0, "empty", "vacío")
SAYING(SHAPE_LINEAR, 0, "linear", "lineal")
SAYING(SHAPE_FOLD, 0, "folded", "plegado")
SAYING(SHAPE_STRIDE, 0, "stride", "con zancada")
SAYING(TYPE_UNKNOWN, 0, "device", "dispositivo")
SAYING(TYPE_DISCRETE, 0, "discrete GPU", "GPU dedicada")
SAYING(TYPE_INTEGRATED, 0, "GPU that shares memory with the CPU", "GPU integrada")
SAYING(TYPE_CPU, 0, "CPU adapter", "adaptador de CPU")
SAYING(BY_INVOCATIONS, 0, "its invocations", "sus invocaciones")
SAYING(BY_GROUPS, 0, "its number of workgroups", "su número de workgroups")
SAYING(BY_MEMORY, 0, "workgroup memory", "la memoria workgroup")
SAYING(BY_REGISTERS, 0, "registers", "los registros")

/* reasons: size and items */
SAYING(EMPTY, 0, "there are no elements: no dispatch is recorded, which is a defined result and no error",
       "no hay elementos: no se graba ningún dispatch, y eso es un resultado definido, no un error")
SAYING(SIZE_ASKED, 2, "the workgroup size {0} was asked for; by the rule it would be {1}",
       "el tamaño de workgroup {0} se pidió así; por la regla sería {1}")
SAYING(SIZE_ASKED_SAME, 1, "the workgroup size {0} was asked for, and the rule gives the same",
       "el tamaño de workgroup {0} se pidió así, y la regla da el mismo")
SAYING(
    SIZE_ELEMENT, 1,
    "{0} invocations share nothing in an element kernel: 64 is the least that fills lanes of 32 and of 64",
    "{0} invocaciones que no comparten nada en un kernel elemento a elemento: 64 es lo mínimo que llena carriles de 32 y de 64")
SAYING(
    SIZE_TREE, 4,
    "{0} invocations take {1} barrier steps and leave {2} partial results, where 64 would take 6 and leave {3}; each doubling costs one step and halves the partials",
    "{0} invocaciones dan {1} pasos con barrera y dejan {2} resultados parciales; con 64 serían 6 pasos y {3} parciales; cada duplicación cuesta un paso y deja la mitad de parciales")
SAYING(SIZE_IMAGE, 1, "{0} invocations in a square: as many as fill lanes of 32 and of 64, and the least border",
       "{0} invocaciones en cuadrado: las que llenan carriles de 32 y de 64, y el borde más corto")
SAYING(SIZE_HALO, 4, "with a halo of {0} a workgroup of {1} reads {2} elements for {3} of its own",
       "con un halo de {0}, un workgroup de {1} lee {2} elementos para {3} propios")
SAYING(SIZE_TILE, 1, "the tile in workgroup memory is the workgroup: its geometry decides, {0}",
       "el tile en memoria workgroup es el workgroup: decide su geometría, {0}")
SAYING(
    SIZE_MODEL, 4,
    "of all sizes and items, {0} with {1} per invocation is the cheapest on what is known here (a {2}); the rule, made for unknown devices, says {3}",
    "de todos los tamaños, {0} con {1} por invocación es lo más barato con lo que se sabe aquí ({2}); la regla, hecha para dispositivos desconocidos, dice {3}")
SAYING(
    SIZE_CLAMPED, 6,
    "the rule's {0} invocations do not fit this device, whose maxComputeInvocationsPerWorkgroup is {1} (x {2}, y {3}, z {4}): {5} it is",
    "las {0} invocaciones de la regla no caben en este dispositivo, cuyo maxComputeInvocationsPerWorkgroup es {1} (x {2}, y {3}, z {4}): quedan {5}")
SAYING(
    ITEMS_WHY, 3,
    "{0} elements per invocation, a workgroup-size apart: neighbours read neighbours, and {1} workgroups are launched instead of {2}",
    "{0} elementos por invocación, separados por el tamaño del workgroup: vecinas leen vecinos, y se lanzan {1} workgroups en vez de {2}")
SAYING(LANES_LOST, 4, "on lanes of {0} the {1} invocations reserve {2}: {3} % are used",
       "con carriles de {0}, las {1} invocaciones reservan {2}: se aprovecha el {3} %")
SAYING(LANES_FULL, 2, "{0} invocations are a multiple of the largest subgroup ({1}): no lane is idle",
       "{0} invocaciones son múltiplo del subgroup más ancho ({1}): ningún carril queda ocioso")
SAYING(HEAVY, 1, "{0} registers per invocation keep workgroups small: a unit needs several to hide latency",
       "{0} registros por invocación piden workgroups pequeños: una unidad necesita varios para ocultar la latencia")

/* reasons: mapping */
SAYING(CEILING, 4, "{0} in workgroups of {1} make {2}; invocations without an element: {3}, which the guard stops",
       "{0} en workgroups de {1} son {2}; invocaciones sin elemento: {3}, que el guardia para")
SAYING(CEILING_PARTLY, 3,
       "{0} in workgroups of {1} make {2}; the last is not full, and the guard keeps its items inside the domain",
       "{0} en workgroups de {1} son {2}; el último no está lleno, y el guardia lo mantiene dentro del dominio")
SAYING(CEILING_EXACT, 3, "{0} fill {1} of {2} exactly; the guard stays, since the next count may not",
       "{0} llenan exactamente {1} de {2}; el guardia se queda, porque el próximo conteo quizá no")
SAYING(
    FOLDED, 5,
    "{0} workgroups exceed maxComputeWorkgroupsPerDimension ({1}): folded into {2} rows of {3}, {4} workgroups idle; the index is rebuilt from workgroup_id",
    "{0} workgroups superan maxComputeWorkgroupsPerDimension ({1}): se pliegan en {2} filas de {3}, con {4} workgroups ociosos; el índice se reconstruye con workgroup_id")
SAYING(FOLDED_ASKED, 4, "a fold was asked for: {0} workgroups in {1} rows of {2}, {3} workgroups idle",
       "se pidió plegar: {0} workgroups en {1} filas de {2}, con {3} workgroups ociosos")
SAYING(
    FOLD_FIXED, 3,
    "the fixed width {0} leaves {1} workgroups idle; equal rows would leave {2}, and their product costs nothing that can be measured",
    "la anchura fija {0} deja {1} workgroups ociosos; con filas iguales serían {2}, y su multiplicación no cuesta nada que se pueda medir")
SAYING(
    STRIDE, 2,
    "{0} workgroups stride over the domain, {1} rounds each; the loop compares what is left, so that the index cannot wrap",
    "{0} workgroups recorren el dominio con zancada, {1} vueltas cada uno; el bucle compara lo que queda, así que el índice no puede desbordarse")
SAYING(WINDOWS_INDEX, 2, "{0} windows of {1} elements: a u32 index ends at 2^32, and a window is safe up to 2^31",
       "{0} ventanas de {1} elementos: un índice u32 acaba en 2^32, y una ventana es segura hasta 2^31")
SAYING(WINDOWS_BINDING, 3, "{0} windows of {1} elements: one binding holds {2} bytes on this device",
       "{0} ventanas de {1} elementos: un binding admite {2} bytes en este dispositivo")

/* reasons: occupancy */
SAYING(UNITS_IDLE, 3, "{0} on {1} compute units leave {2} with nothing to do",
       "{0} en {1} unidades de cómputo dejan {2} sin trabajo")
SAYING(UNITS_BUSY, 2, "{0} on {1} compute units: every unit has work",
       "{0} en {1} unidades de cómputo: todas tienen trabajo")
SAYING(RESIDENT, 4, "a unit holds {0} such workgroups at once, bounded by {1}; waves: {2}, the last of {3}",
       "una unidad mantiene {0} de estos workgroups a la vez, limitada por {1}; oleadas: {2}, la última de {3}")
SAYING(RESIDENT_ONLY, 2, "a unit holds {0} such workgroups at once, bounded by {1}",
       "una unidad mantiene {0} de estos workgroups a la vez, limitada por {1}")
SAYING(PREDICTED, 5,
       "predicted {0} us: {1} for the dispatch, then together {2} of launch, {3} of latency, {4} of memory",
       "previsto {0} us: {1} del dispatch y luego, a la vez, {2} de lanzamiento, {3} de latencia y {4} de memoria")
SAYING(PREDICTED_SERIAL, 5,
       "predicted {0} us: {1} for the dispatch, then one after the other {2} of launch, {3} of work, {4} of arithmetic",
       "previsto {0} us: {1} del dispatch y luego, uno tras otro, {2} de lanzamiento, {3} de trabajo y {4} de aritmética")
SAYING(ARITHMETIC, 2, "its {0} operations take {1} us beside that", "sus {0} operaciones ocupan {1} us a la vez")
SAYING(LATER, 3, "the {0} partial results take dispatches of their own, {1} in all, about {2} us",
       "los {0} resultados parciales piden sus propios dispatches, {1} en total, unos {2} us")
SAYING(
    TABLE, 1,
    "not every time was measured on this device: those of a typical {0} stand in, good enough to rank and not to predict",
    "no todos los tiempos se midieron en este dispositivo: los suplen los habituales ({0}), que sirven para ordenar y no para predecir")

/* next steps */
SAYING(NEXT_EMPTY, 0, "Limited by nothing; next step: none, there is nothing to do",
       "No lo limita nada; próximo paso: ninguno, no hay nada que hacer")
SAYING(
    NEXT_NOTHING, 0,
    "Limited by nothing that is known; next step: say what the device is (--facts), since on a large GPU one element per invocation can be bound by the launch of workgroups",
    "No lo limita nada que se sepa; próximo paso: decir qué dispositivo es (--facts), porque en una GPU grande un elemento por invocación puede quedar limitado por el lanzamiento de workgroups")
SAYING(
    NEXT_WORKGROUPS, 3,
    "Limited by maxComputeWorkgroupsPerDimension ({0}); next step: {1} elements per invocation would need {2} workgroups, in one row",
    "Lo limita maxComputeWorkgroupsPerDimension ({0}); próximo paso: con {1} elementos por invocación harían falta {2} workgroups, en una sola fila")
SAYING(
    NEXT_WORKGROUPS_NONE, 1,
    "Limited by maxComputeWorkgroupsPerDimension ({0}); next step: none, a fold costs nothing that can be measured",
    "Lo limita maxComputeWorkgroupsPerDimension ({0}); próximo paso: ninguno, plegar no cuesta nada que se pueda medir")
SAYING(
    NEXT_INVOCATIONS, 1,
    "Limited by maxComputeInvocationsPerWorkgroup ({0}); next step: ask for more when the device is made, if the adapter has it",
    "Lo limita maxComputeInvocationsPerWorkgroup ({0}); próximo paso: pedir más al crear el dispositivo, si el adaptador lo tiene")
SAYING(
    NEXT_MEMORY, 4,
    "Limited by workgroup memory: a unit holds {0} workgroups of {1} bytes; next step: {2} bytes or less would let it hold {3}",
    "Lo limita la memoria workgroup: una unidad mantiene {0} workgroups de {1} bytes; próximo paso: con {2} bytes o menos mantendría {3}")
SAYING(
    NEXT_REGISTERS, 2,
    "Limited by registers: a unit holds {0} workgroups at {1} registers per invocation; next step: keep fewer values alive, or take smaller workgroups",
    "Lo limitan los registros: una unidad mantiene {0} workgroups con {1} registros por invocación; próximo paso: mantener menos valores vivos, o workgroups más pequeños")
SAYING(
    NEXT_BINDING, 2,
    "Limited by the size of a binding ({0} bytes); next step: ask for maxStorageBufferBindingSize and maxBufferSize of {1} bytes, if the adapter has them",
    "Lo limita el tamaño de un binding ({0} bytes); próximo paso: pedir maxStorageBufferBindingSize y maxBufferSize de {1} bytes, si el adaptador los tiene")
SAYING(NEXT_INDEX, 1, "Limited by the width of an index (u32); next step: none, {0} windows run one after the other",
       "Lo limita el ancho de un índice (u32); próximo paso: ninguno, {0} ventanas se ejecutan una tras otra")
SAYING(
    NEXT_LAUNCH, 5,
    "Limited by the launch of workgroups ({0} at {1} million a second); next step: workgroup {2} with {3} per invocation would launch {4}",
    "Lo limita el lanzamiento de workgroups ({0}, a {1} millones por segundo); próximo paso: un workgroup de {2} con {3} por invocación lanzaría {4}")
SAYING(
    NEXT_LAUNCH_TIMED, 7,
    "Limited by the launch of workgroups ({0} at {1} million a second); next step: workgroup {2} with {3} per invocation would launch {4} and take {5} us instead of {6}",
    "Lo limita el lanzamiento de workgroups ({0}, a {1} millones por segundo); próximo paso: un workgroup de {2} con {3} por invocación lanzaría {4} y tardaría {5} us en vez de {6}")
SAYING(
    NEXT_LAUNCH_NONE, 2,
    "Limited by the launch of workgroups ({0} at {1} million a second); next step: none that the model knows, this is its cheapest",
    "Lo limita el lanzamiento de workgroups ({0}, a {1} millones por segundo); próximo paso: ninguno que conozca el modelo, este es su plan más barato")
SAYING(
    NEXT_OVERHEAD, 1,
    "Limited by the latency of a dispatch (about {0} us, whatever it does); next step: do more in one dispatch, or record dispatches back to back in one pass",
    "Lo limita la latencia de un dispatch (unos {0} us, haga lo que haga); próximo paso: hacer más en un solo dispatch, o grabarlos seguidos en un mismo pass")
SAYING(
    NEXT_LATENCY, 2,
    "Limited by latency: each invocation waits for its own loads; next step: workgroup {0} with {1} per invocation keeps more of them in flight",
    "Lo limita la latencia: cada invocación espera sus propias lecturas; próximo paso: un workgroup de {0} con {1} por invocación mantiene más en vuelo")
SAYING(
    NEXT_LATENCY_NONE, 0,
    "Limited by latency: each invocation waits for its own loads; next step: none that the model knows, this is its cheapest",
    "Lo limita la latencia: cada invocación espera sus propias lecturas; próximo paso: ninguno que conozca el modelo, este es su plan más barato")
SAYING(
    NEXT_BANDWIDTH, 2,
    "Limited by memory bandwidth ({0} bytes at {1} GB/s); next step: move fewer bytes, by fusing with the kernel before or after, or by a narrower type",
    "Lo limita el ancho de banda de la memoria ({0} bytes a {1} GB/s); próximo paso: mover menos bytes, fusionando con el kernel anterior o el siguiente, o con un tipo más estrecho")
SAYING(
    NEXT_UNITS, 4,
    "Limited by the compute units: {0} of {1} have no workgroup; next step: size {2} would give {3} workgroups",
    "Lo limitan las unidades de cómputo: {0} de {1} no tienen workgroup; próximo paso: con tamaño {2} serían {3} workgroups")
SAYING(
    NEXT_UNITS_NONE, 2,
    "Limited by the compute units: {0} of {1} have no workgroup; next step: none by size, the domain is too small to fill the device",
    "Lo limitan las unidades de cómputo: {0} de {1} no tienen workgroup; próximo paso: ninguno por tamaño, el dominio es demasiado pequeño para llenar el dispositivo")
