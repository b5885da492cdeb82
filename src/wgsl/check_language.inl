/* What the check_language*.c say: SAYING(NAME, words, english, spanish); see base/say.h. */
SAYING(AS_READ, 1, "{0}", "{0}")
SAYING(ID_TWICE, 1, "@id({0}) is the number of another override", "@id({0}) es el número de otro override")
SAYING(ATOMICS_READ_ONLY, 1, "atomics need var<storage, read_write>, '{0}' is read-only",
       "las atómicas necesitan var<storage, read_write>, y '{0}' es de solo lectura")
SAYING(BINDING_TWICE, 5, "'{0}' and '{1}' share @group({2}) @binding({3}), and '{4}' uses both",
       "'{0}' y '{1}' comparten @group({2}) @binding({3}), y '{4}' usa los dos")
SAYING(NAME_OF_NAGA, 1, "'{0}' is a name of naga, and not of WGSL", "'{0}' es un nombre de naga, y no de WGSL")
SAYING(ITS_NAME, 0, "its name", "por su nombre")
SAYING(ANOTHER_ARGUMENT, 0, "another argument", "por otro argumento")
SAYING(POINTER_ALIAS, 2, "the call gets '{0}' by this pointer and by {1}, and writes by one of them",
       "la llamada recibe '{0}' por este puntero y {1}, y escribe por uno de los dos")
SAYING(LOOP_WITHOUT_END, 0, "nothing ends this loop: it has no condition, break or return",
       "nada acaba este bucle: no tiene condición, break ni return")
SAYING(CONTINUE_PAST, 1, "'continue' can come here past the declaration of '{0}'",
       "'continue' puede llegar aquí saltándose la declaración de '{0}'")
SAYING(PHONY_ADDRESS, 1, "a value with atomics or without a size cannot be assigned; write _ = &{0}",
       "un valor con atómicas o sin tamaño no se puede asignar; escriba _ = &{0}")
SAYING(CLAMP_REVERSED, 2, "clamp's low ({0}) is above its high ({1})",
       "el mínimo de clamp ({0}) es mayor que su máximo ({1})")
SAYING(SIZE_TYPES, 0, "the sizes of @workgroup_size must be all i32 or all u32",
       "los tamaños de @workgroup_size deben ser todos i32 o todos u32")
SAYING(LOCATION_TWICE, 2, "'{0}' has @location({1}) twice", "'{0}' tiene @location({1}) dos veces")
SAYING(INTEGERS_FLAT, 0, "integers between vertex and fragment stage need @interpolate(flat)",
       "los enteros entre la etapa de vértices y la de fragmentos necesitan @interpolate(flat)")
SAYING(WRITE_FLAT, 0, "write @interpolate(flat) before it", "escribir antes @interpolate(flat)")
SAYING(BUILTIN_TWICE, 2, "'{0}' has @builtin({1}) twice", "'{0}' tiene @builtin({1}) dos veces")
SAYING(INVARIANT_ALONE, 0, "@invariant stands with @builtin(position) only",
       "@invariant solo va con @builtin(position)")
SAYING(VERTEX_POSITION, 1, "the vertex entry point '{0}' must return @builtin(position)",
       "el punto de entrada de vértices '{0}' debe devolver @builtin(position)")
SAYING(STAGE_REACHES, 3, "'{0}' {1}; the entry point '{2}' reaches it",
       "'{0}' {1}; el punto de entrada '{2}' llega ahí")
SAYING(IN_FRAGMENT, 0, "works in fragment shaders only", "solo funciona en shaders de fragmentos")
SAYING(IN_COMPUTE, 0, "works in compute shaders only", "solo funciona en shaders de cómputo")
SAYING(IN_COMPUTE_OR_FRAGMENT, 0, "works in compute and fragment shaders only",
       "solo funciona en shaders de cómputo y de fragmentos")
SAYING(STANDS_IN_FRAGMENT, 0, "stands in fragment shaders only", "solo va en shaders de fragmentos")
SAYING(MEMORY_IN_COMPUTE, 0, "is workgroup memory, which compute shaders alone have",
       "es memoria workgroup, que solo tienen los shaders de cómputo")
SAYING(STORAGE_IN_VERTEX, 0, "is storage that can be written, which vertex shaders may not use",
       "es storage que se puede escribir, que los shaders de vértices no pueden usar")
SAYING(TEXTURE_IN_VERTEX, 0, "is a texture that can be written, which vertex shaders may not use",
       "es una textura que se puede escribir, que los shaders de vértices no pueden usar")
