/* What check_launch.c says: SAYING(NAME, words, english, spanish); see base/say.h. */
SAYING(BOUND_TOO_SMALL, 3, "'{0}' is bound with {1} bytes, but its type takes {2}",
       "'{0}' está enlazado con {1} bytes, pero su tipo ocupa {2}")
SAYING(BOUND_TOO_LARGE, 5, "'{0}' is bound with {1} bytes, over max{2}BufferBindingSize ({3}){4}",
       "'{0}' está enlazado con {1} bytes, más que max{2}BufferBindingSize ({3}){4}")
SAYING(ASK_OR_CUT, 0, "ask the device for more, or cut the data into several bindings",
       "pedir más al dispositivo, o repartir los datos en varios bindings")
SAYING(SHARED_BUFFER, 2, "'{0}' is written and shares its buffer with '{1}'",
       "'{0}' se escribe y comparte su búfer con '{1}'")
SAYING(IN_PLACE_OR_TWO, 0, "work in place through one read_write binding, or use two buffers",
       "trabajar en el sitio con un solo binding read_write, o usar dos búferes")
SAYING(STORAGE_BUFFERS, 0, "storage buffers", "búferes storage")
SAYING(UNIFORM_BUFFERS, 0, "uniform buffers", "búferes uniform")
SAYING(STORAGE_TEXTURES, 0, "storage textures", "texturas storage")
SAYING(SAMPLED_TEXTURES, 0, "sampled textures", "texturas muestreadas")
SAYING(SAMPLERS, 0, "samplers", "muestreadores")
SAYING(BINDINGS_TOO_MANY, 5, "{0} {1} in one stage exceed {2} ({3}){4}", "{0} {1} en una etapa superan {2} ({3}){4}")
SAYING(PACK_ARRAYS, 0, "pack several arrays into one buffer with offsets",
       "juntar varios arrays en un búfer con desplazamientos")
SAYING(DISPATCH_TOO_LARGE, 3, "dispatch {0} ({1}) exceeds maxComputeWorkgroupsPerDimension ({2})",
       "el dispatch en {0} ({1}) supera maxComputeWorkgroupsPerDimension ({2})")
SAYING(FOLD_OR_LOOP, 0, "fold the launch, or loop over the domain",
       "plegar el lanzamiento, o recorrer el dominio con un bucle")
SAYING(REACHES_PART, 3, "'{0}' reaches {1} of {2} elements in this launch",
       "'{0}' llega a {1} de {2} elementos en este lanzamiento")
SAYING(LAUNCH_GROUPS, 1, "launch {0} groups", "lanzar {0} grupos")
SAYING(LAUNCHED_FOR, 2, "{0} invocations are launched for {1} elements",
       "se lanzan {0} invocaciones para {1} elementos")
SAYING(NOT_ELEMENTS, 1, "launch groups, not elements: {0} of them", "lanzar grupos, no elementos: {0}")
SAYING(REACHES_PART_ON_AXIS, 3, "{0} of {1} elements on axis {2} are reached in this launch",
       "este lanzamiento llega a {0} de {1} elementos en el eje {2}")
SAYING(LAUNCH_GROUPS_ON_AXIS, 2, "launch {0} groups on {1}", "lanzar {0} grupos en {1}")
SAYING(LAUNCHED_FOR_ON_AXIS, 3, "{0} invocations on axis {1} are launched for {2} elements",
       "en el eje {1} se lanzan {0} invocaciones para {2} elementos")
SAYING(NOT_ELEMENTS_ON_AXIS, 2, "launch groups, not elements: {0} on {1}", "lanzar grupos, no elementos: {0} en {1}")
SAYING(BOUND_ELEMENTS, 3, "'{0}' is accessed at {1} elements, but {2} are bound",
       "se accede a '{0}' en {1} elementos, pero hay enlazados {2}")
