/* The rules of the checker: RULE(ENUMERATOR, name, family, strongest severity, why in English, in Spanish). Names are stable:
 * they stand in the users' sources and settings. docs/rules.md has a section for each, which a test compares with this
 * table. */
RULE(WGSL, "wgsl", "language", ERROR, "the source is not valid WGSL, so no implementation accepts it",
     "el código no es WGSL válido, así que ninguna implementación lo acepta")

RULE(WORKGROUP_SIZE, "workgroup-size", "size", ERROR,
     "a device takes a workgroup only when each axis and the product of the three are within its limits",
     "un dispositivo solo acepta un grupo de trabajo si cada eje y el producto de los tres caben en sus límites")
RULE(WORKGROUP_MEMORY, "workgroup-memory", "size", ERROR,
     "WebGPU adds the workgroup variables, each rounded up to 16 bytes, and refuses a pipeline over the limit",
     "WebGPU suma las variables workgroup, cada una redondeada a 16 bytes, y rechaza un pipeline que pase del "
     "límite")
RULE(PARTIAL_LANES, "partial-lanes", "size", NOTE,
     "a group occupies whole subgroups, so lanes of the last one idle in every group",
     "un grupo ocupa subgroups enteros, así que en cada grupo quedan ociosos carriles del último")
RULE(GROUP_OF_ONE, "group-of-one", "size", NOTE,
     "a group of one invocation still occupies a whole subgroup, so most lanes of the device idle",
     "un grupo de una sola invocación ocupa igualmente un subgroup entero, así que casi todos los carriles quedan "
     "ociosos")
RULE(OVERRIDE_ARRAY, "override-array", "size", WARNING,
     "a workgroup array whose length comes from an override got no room in at least one browser engine, without an error",
     "al menos en un motor de navegador, un array workgroup cuya longitud viene de un override se quedó sin sitio, "
     "sin dar error")

RULE(NONUNIFORM_BARRIER, "nonuniform-barrier", "barriers", ERROR,
     "a barrier waits for all invocations of the group, so it may stand only where all of them arrive",
     "una barrera espera a todas las invocaciones del grupo, así que solo puede estar donde lleguen todas")
RULE(NONUNIFORM_SUBGROUP, "nonuniform-subgroup", "barriers", ERROR,
     "a subgroup operation combines the lanes that reach it together, which is defined only where all of them do",
     "una operación de subgroup combina los carriles que llegan juntos, y eso solo está definido donde llegan "
     "todos")
RULE(NONUNIFORM_DERIVATIVE, "nonuniform-derivative", "barriers", ERROR,
     "a derivative compares neighbouring invocations, so it may stand only where all of them arrive",
     "una derivada compara invocaciones vecinas, así que solo puede estar donde lleguen todas")

RULE(UNBOUNDED_WAIT, "unbounded-wait", "barriers", WARNING,
     "invocations need not make progress while others run, so a loop that waits for one may never end",
     "nada obliga a que las invocaciones avancen mientras otras se ejecutan, así que un bucle que espera a una "
     "puede no acabar")

RULE(MISSING_BARRIER, "missing-barrier", "races", ERROR,
     "invocations of a group run in any order between two barriers, so what one writes another cannot read there",
     "entre dos barreras, las invocaciones de un grupo se ejecutan en cualquier orden: lo que una escribe ahí, "
     "otra no lo puede leer")
RULE(TILE_OVERWRITTEN, "tile-overwritten", "races", ERROR,
     "an invocation may run ahead of the others up to the next barrier, and overwrite what they still read",
     "una invocación puede adelantarse a las demás hasta la barrera siguiente, y pisar lo que aún están leyendo")
RULE(CROSS_GROUP_BARRIER, "cross-group-barrier", "races", ERROR,
     "barriers hold up and order the invocations of one workgroup; between workgroups only the next dispatch does",
     "las barreras detienen y ordenan las invocaciones de un grupo de trabajo; entre grupos solo lo hace el "
     "dispatch siguiente")
RULE(NEIGHBOUR_RACE, "neighbour-race", "races", ERROR,
     "workgroups of a dispatch run in any order, so reading what another writes gives the old value or the new one",
     "los grupos de un dispatch se ejecutan en cualquier orden, así que leer lo que otro escribe da el valor viejo "
     "o el nuevo")
RULE(UNWRITTEN_WORKGROUP, "unwritten-workgroup", "races", WARNING,
     "the specification clears workgroup memory, but wgpu-native on lavapipe was measured not to",
     "la especificación pone a cero la memoria workgroup, pero se midió que wgpu-native sobre lavapipe no lo hace")

RULE(UNORDERED_POSITION, "unordered-position", "races", WARNING,
     "invocations reach an atomic counter in any order, so positions taken from it keep no order",
     "las invocaciones llegan a un contador atómico en cualquier orden, así que las posiciones que da no conservan "
     "ninguno")

RULE(MISSING_LANE, "missing-lane", "subgroups", ERROR,
     "reading from a lane that does not exist, or is not active, gives an indeterminate value",
     "leer de un carril que no existe, o que no está activo, da un valor indeterminado")
RULE(ASSUMED_LANES, "assumed-lanes", "subgroups", ERROR,
     "a subgroup has 4 to 128 lanes, which differs between devices and between pipelines of one device",
     "un subgroup tiene de 4 a 128 carriles, y eso cambia entre dispositivos y entre pipelines de un mismo "
     "dispositivo")
RULE(LANES_FROM_INDEX, "lanes-from-index", "subgroups", WARNING,
     "nothing relates the local index to subgroups, so lanes counted by it need not be the lanes that work together",
     "nada relaciona el índice local con los subgroups, así que los carriles contados con él pueden no ser los que "
     "trabajan juntos")

RULE(MISSING_ENABLE, "missing-enable", "portability", ERROR,
     "the specification wants an enable directive for the feature, and implementations that follow it refuse the module",
     "la especificación pide una directiva enable para esa función, y las implementaciones que la siguen rechazan "
     "el módulo")
RULE(NAGA, "naga-refuses", "portability", ERROR,
     "naga, the front end of wgpu and wgpu-native, does not take all of the language yet",
     "naga, con la que leen WGSL wgpu y wgpu-native, aún no acepta todo el lenguaje")
RULE(UNIFORM_LAYOUT, "uniform-layout", "portability", ERROR,
     "without uniform_buffer_standard_layout, array strides and structures in uniform memory are multiples of 16",
     "sin uniform_buffer_standard_layout, en memoria uniform los pasos de array y las estructuras son múltiplos de "
     "16")
RULE(VEC3_LAYOUT, "vec3-layout", "portability", ERROR,
     "a vec3 takes 12 bytes and is aligned to 16, so hosts that pack tightly write every element at a wrong place",
     "un vec3 ocupa 12 bytes y se alinea a 16, así que un host que empaqueta sin huecos escribe cada elemento "
     "donde no es")
RULE(UNUSED_BINDING, "unused-binding", "portability", WARNING,
     "layout 'auto' holds only what the entry point uses, and a bind group with more is an error",
     "el layout 'auto' solo tiene lo que usa el punto de entrada, y un bind group con más es un error")
RULE(FLOAT_EXCHANGE, "float-exchange", "portability", WARNING,
     "compare-exchange compares bits; a loop that compares floats instead never ends on NaN",
     "compare-exchange compara bits; un bucle que en su lugar compara floats no acaba nunca con NaN")
RULE(NAN_TEST, "nan-test", "portability", WARNING,
     "implementations may assume that no float is NaN or infinite, and then x != x is always false",
     "las implementaciones pueden suponer que ningún float es NaN ni infinito, y entonces x != x es siempre falso")

RULE(UNGUARDED_INDEX, "unguarded-index", "mapping", ERROR,
     "a launch is rounded up to whole groups, so some invocations lie past the last element; what they write lands on the "
     "last element on some devices and nowhere on others",
     "un lanzamiento se redondea a grupos enteros, así que hay invocaciones más allá del último elemento; lo que "
     "escriben cae en el último elemento en unos dispositivos y en ninguna parte en otros")
RULE(GUARD_AFTER_ACCESS, "guard-after-access", "mapping", WARNING,
     "the access is made before the test that should protect it, by every invocation",
     "todas las invocaciones hacen el acceso antes de la comparación que debería protegerlo")
RULE(GUARD_ONE_AXIS, "guard-one-axis", "mapping", ERROR,
     "each axis of a launch is rounded up by itself, so each needs its own test",
     "cada eje de un lanzamiento se redondea por su cuenta, así que cada uno necesita su comparación")
RULE(GUARD_CAPACITY, "guard-capacity", "mapping", WARNING,
     "arrayLength is what fits in the binding; a pooled or padded buffer holds more than the logical count",
     "arrayLength es lo que cabe en el binding; un búfer reutilizado o con relleno tiene más que el conteo lógico")
RULE(GUARD_OFF_BY_ONE, "guard-off-by-one", "mapping", ERROR,
     "an index that may be equal to the count is one past the last element",
     "un índice que puede ser igual al conteo está uno más allá del último elemento")
RULE(GUARD_IN_BYTES, "guard-in-bytes", "mapping", ERROR,
     "an index counts elements, so a bound in bytes lets through a multiple of what is there",
     "un índice cuenta elementos, así que una cota en bytes deja pasar un múltiplo de los que hay")
RULE(UNGUARDED_PARTNER, "unguarded-partner", "mapping", WARNING,
     "the partner of an index inside the domain can lie outside of it unless the count is a power of two",
     "la pareja de un índice del dominio puede quedar fuera de él, salvo que el conteo sea una potencia de dos")
RULE(UNGUARDED_GROUP, "unguarded-group", "mapping", ERROR,
     "a folded launch has groups past the last one in its last row; an index made from them lies outside the domain, or "
     "wraps and comes back inside",
     "un lanzamiento plegado tiene, en su última fila, grupos más allá del último; un índice hecho con ellos queda "
     "fuera del dominio, o da la vuelta y vuelve a caer dentro")

RULE(FOLD_IGNORED, "fold-ignored", "mapping", ERROR,
     "groups that differ only in an axis that the kernel does not read do the same work on the same elements, and the "
     "rest of the domain is never visited",
     "los grupos que solo difieren en un eje que el kernel no lee hacen el mismo trabajo sobre los mismos "
     "elementos, y el resto del dominio no lo visita nadie")
RULE(ROW_WIDTH, "row-width", "mapping", ERROR,
     "a row of the launch is as wide as its groups times their size; with another width rows overlap or leave gaps",
     "una fila del lanzamiento es tan ancha como sus grupos por el tamaño de cada uno; con otro ancho, las filas "
     "se solapan o dejan huecos")
RULE(STRIDE_MISMATCH, "stride-mismatch", "mapping", ERROR,
     "the stride of a loop over the domain is the number of all invocations that share it; with another one elements are "
     "visited twice or never",
     "la zancada de un bucle sobre el dominio es el número de todas las invocaciones que se lo reparten; con otra, "
     "hay elementos visitados dos veces o ninguna")
RULE(CONTIGUOUS_ITEMS, "contiguous-items", "mapping", NOTE,
     "invocations that take neighbouring elements in turn read memory in whole lines; blocks of one invocation do not",
     "las invocaciones que toman por turno elementos vecinos leen la memoria por líneas enteras; las que toman un "
     "bloque cada una, no")
RULE(STRIDE_INDIRECT, "stride-indirect", "indirect", ERROR,
     "some implementations report num_workgroups as 0 in an indirect dispatch, and a loop with that stride never ends",
     "algunas implementaciones dan num_workgroups como 0 en un dispatch indirecto, y un bucle con esa zancada no "
     "acaba nunca")
RULE(INDEX_WRAPS, "index-wraps", "mapping", ERROR,
     "u32 arithmetic wraps at 2^32 without an error, and the index comes back inside the array",
     "la aritmética u32 da la vuelta en 2^32 sin error, y el índice vuelve a caer dentro del array")
RULE(UNSIGNED_UNDERFLOW, "unsigned-underflow", "mapping", ERROR,
     "an unsigned number has no value below 0: 0 - 1 is 4294967295, and >= 0 always holds",
     "un número sin signo no tiene valores por debajo de 0: 0 - 1 es 4294967295, y >= 0 se cumple siempre")
RULE(OUT_OF_BOUNDS, "out-of-bounds", "mapping", ERROR,
     "an index past the end is clamped, dropped or read as 0, as the device likes",
     "un índice más allá del final se recorta, se descarta o se lee como 0, según quiera el dispositivo")
RULE(UNBOUNDED_INDEX, "unbounded-index", "mapping", WARNING,
     "an index that comes from data or from the host is past the end as soon as they say so; the kernel itself has to "
     "bound it",
     "un índice que viene de los datos o del host queda más allá del final en cuanto ellos lo digan; acotarlo es "
     "cosa del kernel")

RULE(ONE_INVOCATION, "one-invocation", "size", WARNING,
     "one invocation walks what thousands could share; a long count takes seconds, and a watchdog ends the dispatch",
     "una sola invocación recorre lo que miles podrían repartirse; un conteo largo tarda segundos, y un vigilante "
     "corta el dispatch")
RULE(INDIRECT_PARTIAL, "indirect-partial", "indirect", WARNING,
     "a dispatch takes three numbers, and a zero in any of them means that nothing runs, without an error",
     "un dispatch toma tres números, y un cero en cualquiera de ellos significa que no se ejecuta nada, sin error")
RULE(INDIRECT_UNSATURATED, "indirect-unsaturated", "indirect", WARNING,
     "an indirect dispatch over maxComputeWorkgroupsPerDimension does nothing, without an error",
     "un dispatch indirecto que pase de maxComputeWorkgroupsPerDimension no hace nada, sin error")
RULE(INDIRECT_WRITABLE, "indirect-writable", "indirect", ERROR,
     "a buffer is the source of indirect arguments or writable in one dispatch, never both",
     "en un dispatch, un búfer es el origen de los argumentos indirectos o se puede escribir, nunca las dos cosas")
RULE(INDIRECT_OFFSET, "indirect-offset", "indirect", ERROR,
     "indirect arguments are 12 bytes at a multiple of 4, inside of their buffer",
     "los argumentos indirectos son 12 bytes en un múltiplo de 4, dentro de su búfer")
RULE(INDIRECT_SIZE, "indirect-size", "indirect", WARNING,
     "the groups of a count are its ceiling by the elements of a group; any other rounding loses elements or launches too "
     "many",
     "los grupos de un conteo son su techo entre los elementos de un grupo; con cualquier otro redondeo se pierden "
     "elementos o se lanzan grupos de más")
RULE(CEIL_WRAPS, "ceil-wraps", "mapping", NOTE,
     "n + (size - 1) wraps for the largest n; n / size + (n % size != 0) does not",
     "n + (size - 1) se desborda con los n más grandes; n / size + (n % size != 0) no")

RULE(BINDING_SMALL, "binding-small", "launch", ERROR,
     "WebGPU refuses a binding smaller than its type, and what a kernel accesses behind the end is lost or wrong",
     "WebGPU rechaza un binding menor que su tipo, y lo que un kernel accede detrás del final se pierde o está mal")
RULE(BINDING_ALIAS, "binding-alias", "launch", ERROR,
     "a buffer that a dispatch writes through one binding may not be bound a second time in it",
     "un búfer que un dispatch escribe por un binding no se puede enlazar en él una segunda vez")
RULE(BINDING_COUNT, "binding-count", "launch", ERROR,
     "a device takes a limited number of bindings of each kind in a stage",
     "un dispositivo acepta un número limitado de bindings de cada clase por etapa")
RULE(BINDING_LIMIT, "binding-limit", "launch", ERROR,
     "a device takes bindings up to a size, and refuses the bind group beyond it",
     "un dispositivo acepta bindings hasta cierto tamaño, y más allá rechaza el bind group")
RULE(DISPATCH_LIMIT, "dispatch-limit", "launch", ERROR,
     "a device takes so many groups on an axis, and refuses the dispatch beyond it",
     "un dispositivo acepta cierto número de grupos por eje, y más allá rechaza el dispatch")
RULE(DISPATCH_SHORT, "dispatch-short", "launch", ERROR,
     "elements that no invocation reaches keep what they had",
     "los elementos a los que no llega ninguna invocación conservan lo que tenían")
RULE(DISPATCH_TWICE, "dispatch-twice", "launch", WARNING,
     "invocations past the domain cost time and do nothing; a number of elements was taken for a number of groups",
     "las invocaciones más allá del dominio cuestan tiempo y no hacen nada; se tomó un número de elementos por uno "
     "de grupos")
