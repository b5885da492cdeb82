/* What check_size.c says: SAYING(NAME, words, english, spanish); see base/say.h. */
SAYING(SIZE_AXIS, 4, "workgroup size {0} ({1}) exceeds maxComputeWorkgroupSize{0} ({2}){3}",
       "el tamaño {0} del grupo de trabajo ({1}) supera maxComputeWorkgroupSize{0} ({2}){3}")
SAYING(SIZE_PRODUCT, 6,
       "workgroup of {0} x {1} x {2} = {3} invocations exceeds maxComputeInvocationsPerWorkgroup ({4}){5}",
       "el grupo de trabajo de {0} x {1} x {2} = {3} invocaciones supera maxComputeInvocationsPerWorkgroup ({4}){5}")
SAYING(SIZE_MEMORY, 3,
       "workgroup memory ({0} bytes, each variable rounded up to 16) exceeds maxComputeWorkgroupStorageSize ({1}){2}",
       "la memoria workgroup ({0} bytes, cada variable redondeada a 16) supera maxComputeWorkgroupStorageSize ({1}){2}")
SAYING(GRANTED_BY_ALL, 0, ", which is what every device grants", ", que es lo que todo dispositivo concede")
SAYING(SIZE_LANES, 4, "workgroup of {0} invocations occupies {1} lanes of subgroups of {2}, so {3} idle",
       "el grupo de trabajo de {0} invocaciones ocupa {1} carriles de subgroups de {2}, así que {3} quedan ociosos")
SAYING(SIZE_ONE, 1, "{0} groups of one invocation each; groups of 64 would fill the lanes",
       "{0} grupos de una sola invocación; los grupos de 64 llenarían los carriles")
SAYING(ONE_WALKS_ALL, 1, "one invocation walks all of '{0}'", "una sola invocación recorre todo '{0}'")
SAYING(ONE_WALKS, 2, "one invocation walks the {0} elements of '{1}'",
       "una sola invocación recorre los {0} elementos de '{1}'")
SAYING(SHARE_OUT, 0, "share the elements out: a scan or a reduction where each needs those before it",
       "repartir los elementos: con un scan o una reducción donde cada uno necesita los anteriores")
SAYING(OVERRIDE_LENGTH, 1, "the length of workgroup array '{0}' depends on an override",
       "la longitud del array workgroup '{0}' depende de un override")
