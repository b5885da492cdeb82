/* What check_indirect.c says: SAYING(NAME, words, english, spanish); see base/say.h. */
SAYING(CEILING_WRAPS, 2, "this ceiling by {0} wraps for counts above {1}",
       "este techo entre {0} se desborda con conteos mayores que {1}")
SAYING(WRITE_CEILING, 1, "write n / {0}u + u32(n % {0}u != 0u)", "escribir n / {0}u + u32(n % {0}u != 0u)")
SAYING(GROUPS_MISSING, 2, "groups are counted as (n + {0}) / {1}, so the last elements have no group",
       "los grupos se cuentan como (n + {0}) / {1}, así que los últimos elementos quedan sin grupo")
SAYING(GROUP_TOO_MANY, 2, "groups are counted as (n + {0}) / {1}, so a group too many is launched",
       "los grupos se cuentan como (n + {0}) / {1}, así que se lanza un grupo de más")
SAYING(ROUND_UP, 1, "round up: n / {0}u + u32(n % {0}u != 0u)",
       "redondear hacia arriba: n / {0}u + u32(n % {0}u != 0u)")
SAYING(UNSATURATED, 2, "'{0}' may exceed maxComputeWorkgroupsPerDimension ({1})",
       "'{0}' puede superar maxComputeWorkgroupsPerDimension ({1})")
SAYING(SATURATE, 1, "take min(groups, {0}u), and fold or loop over the rest",
       "tomar min(groups, {0}u), y plegar el resto o recorrerlo con un bucle")
SAYING(ONE_ARGUMENT_MISSING, 2, "of the arguments in '{0}', {1} is not written",
       "de los argumentos de '{0}' no se escribe {1}")
SAYING(ARGUMENTS_MISSING, 2, "of the arguments in '{0}', {1} are not written",
       "de los argumentos de '{0}' no se escriben {1}")
SAYING(WRITE_ALL_THREE, 0, "write all three; unused axes are 1", "escribir los tres; los ejes sin usar valen 1")
SAYING(ARGUMENTS_BOUND, 1, "'{0}' is bound read_write in the dispatch that takes its arguments from it",
       "'{0}' está enlazado como read_write en el dispatch que toma de ahí sus argumentos")
SAYING(
    ARGUMENTS_AND_WORK, 1,
    "the arguments in '{0}' are written by a kernel that does the work too: a dispatch that takes them from this "
    "buffer is refused",
    "los argumentos de '{0}' los escribe un kernel que hace también el trabajo: se rechaza un dispatch que los tome de "
    "este búfer")
SAYING(OWN_BUFFER, 0, "keep the arguments in a buffer of their own, or take turns with two",
       "guardar los argumentos en un búfer aparte, o alternar dos")
SAYING(OFFSET_ODD, 1, "the offset of the arguments ({0}) is not a multiple of 4",
       "el desplazamiento de los argumentos ({0}) no es múltiplo de 4")
SAYING(OFFSET_OUTSIDE, 3, "arguments of 12 bytes at offset {0} do not fit into the {1} bytes of '{2}'",
       "12 bytes de argumentos en el desplazamiento {0} no caben en los {1} bytes de '{2}'")
