/* What check_mapping.c says: SAYING(NAME, words, english, spanish); see base/say.h. */
SAYING(COLUMNS, 0, "columns", "columnas")
SAYING(ROWS, 0, "rows", "filas")
SAYING(LAYERS, 0, "layers", "capas")
SAYING(AXIS_IGNORED, 4,
       "the launch has {0} {1} of groups, but nothing depends on workgroup_id.{2}: '{3}' is the same in all of them",
       "el lanzamiento tiene {0} {1} de grupos, pero nada depende de workgroup_id.{2}: '{3}' es lo mismo en todas")
SAYING(REBUILD_INDEX, 0, "rebuild the linear index from all axes that the launch uses",
       "reconstruir el índice lineal con todos los ejes que usa el lanzamiento")
SAYING(
    AXIS_OVERFLOWS, 4,
    "{0} elements in groups of {1} are {2} groups, over maxComputeWorkgroupsPerDimension ({3}), and the index reads "
    "axis x alone",
    "{0} elementos en grupos de {1} son {2} grupos, más que maxComputeWorkgroupsPerDimension ({3}), y el índice solo "
    "lee el eje x")
SAYING(FOLD_AND_REBUILD, 0, "fold the launch over y and rebuild the linear index from both axes",
       "plegar el lanzamiento en y, y reconstruir el índice lineal con los dos ejes")
SAYING(ROW_WITHOUT_SIZE, 2, "the row width of '{0}' is num_workgroups.x, without the group's size ({1})",
       "el ancho de fila de '{0}' es num_workgroups.x, sin el tamaño del grupo ({1})")
SAYING(
    ROW_OF_OTHER_AXIS, 1,
    "the row width of '{0}' is made of num_workgroups.y, the number of rows, where num_workgroups.x is that of a row's "
    "groups",
    "el ancho de fila de '{0}' sale de num_workgroups.y, el número de filas, y los grupos de una fila son "
    "num_workgroups.x")
SAYING(
    GROUPS_OVERLAP, 3,
    "the groups of '{0}' are ({1}) elements apart, but a group has ({2}) invocations on that axis, so groups overlap",
    "los grupos de '{0}' están a ({1}) elementos uno de otro, pero un grupo tiene ({2}) invocaciones en ese eje, así que "
    "los grupos se solapan")
SAYING(ROW_OF_HEIGHT, 3, "the rows of '{0}' are as wide as '{1}', but the elements of a row are tested against '{2}'",
       "las filas de '{0}' son tan anchas como '{1}', pero los elementos de una fila se comparan con '{2}'")
SAYING(ROW_TIMES_SIZE, 0, "multiply the row width by the workgroup size on x",
       "multiplicar el ancho de fila por el tamaño en x del grupo de trabajo")
SAYING(
    ROW_TOO_WIDE, 3,
    "the row width of '{0}' ({1}) is more than the {2} invocations of a row, so elements between rows are never visited",
    "el ancho de fila de '{0}' ({1}) es mayor que las {2} invocaciones de una fila, así que entre filas hay elementos "
    "que nadie visita")
SAYING(ROW_TOO_NARROW, 3, "the row width of '{0}' ({1}) is less than the {2} invocations of a row, so rows overlap",
       "el ancho de fila de '{0}' ({1}) es menor que las {2} invocaciones de una fila, así que las filas se solapan")
SAYING(ROW_FIXED, 2, "the row width of '{0}' ({1}) does not grow with the groups of a row, so rows overlap",
       "el ancho de fila de '{0}' ({1}) no crece con los grupos de una fila, así que las filas se solapan")
SAYING(INVOCATIONS_OF_LAUNCH, 0, "the number of invocations of the launch", "el número de invocaciones del lanzamiento")
SAYING(INVOCATIONS_OF_GROUP, 0, "the number of invocations of a group", "el número de invocaciones de un grupo")
SAYING(STRIDE_TOO_SHORT, 3, "the stride ({0}) is not {1} ({2}), so elements are visited more than once",
       "la zancada ({0}) no es {1} ({2}), así que hay elementos que se visitan más de una vez")
SAYING(STRIDE_TOO_LONG, 3, "the stride ({0}) is not {1} ({2}), so elements are never visited",
       "la zancada ({0}) no es {1} ({2}), así que hay elementos que nadie visita")
SAYING(STEP_BY_SHARERS, 0, "step by the number of invocations that share the loop",
       "avanzar tanto como invocaciones se reparten el bucle")
SAYING(STRIDE_OF_GROUP, 1,
       "the stride ({0}) is that of one group although the loop starts at the global id, so every group but the last "
       "visits what later ones visit too",
       "la zancada ({0}) es la de un grupo aunque el bucle empieza en el id global, así que cada grupo salvo el último "
       "visita lo que también visitan los siguientes")
SAYING(STEP_BY_LAUNCH, 0, "step by the number of invocations of the launch",
       "avanzar tanto como invocaciones tiene el lanzamiento")
SAYING(STRIDE_IN_GROUPS, 3, "the stride is num_workgroups.{0} times {1}, but a group has {2} invocations on that axis",
       "la zancada es num_workgroups.{0} por {1}, pero un grupo tiene {2} invocaciones en ese eje")
SAYING(STEP_BY_GROUPS, 0, "step by num_workgroups times the workgroup size",
       "avanzar num_workgroups por el tamaño del grupo de trabajo")
SAYING(STRIDE_MAY_BE_ZERO, 1, "the loop steps by num_workgroups.{0}, which an indirect dispatch may report as 0",
       "el bucle avanza num_workgroups.{0}, que un dispatch indirecto puede dar como 0")
SAYING(STRIDE_FROM_UNIFORM, 0, "take the stride from a uniform, or launch directly",
       "tomar la zancada de un uniform, o lanzar sin indirección")
SAYING(ITEMS_IN_A_ROW, 2, "each invocation takes {0} elements in a row of '{1}'",
       "cada invocación toma {0} elementos seguidos de '{1}'")
SAYING(ITEMS_APART, 0, "let an invocation's elements be a workgroup size apart",
       "separar los elementos de una invocación por el tamaño del grupo de trabajo")
SAYING(PRODUCT_WRAPS, 3, "the index of '{0}' holds a product with {1}, which wraps from element {2} on",
       "el índice de '{0}' contiene un producto por {1}, que se desborda a partir del elemento {2}")
SAYING(DIVIDE_FIRST, 0, "divide first, or multiply by what is left of both",
       "dividir primero, o multiplicar por lo que queda de ambos")
SAYING(CUT_INTO_WINDOWS, 0, "cut the domain into windows", "cortar el dominio en ventanas")
SAYING(BELOW_ZERO, 1, "the index of '{0}' is below zero for the first invocation, and wraps",
       "el índice de '{0}' es menor que cero en la primera invocación, y da la vuelta")
SAYING(BELOW_ZERO_BY, 3, "the index of '{0}' is ({1}) for the first invocation, which wraps to {2}",
       "el índice de '{0}' es ({1}) en la primera invocación, que da la vuelta a {2}")
SAYING(REMAINDER_WRAPS, 2,
       "in the index of '{0}' a remainder is taken of ({1}), which wraps first: right for powers of two only",
       "en el índice de '{0}' se toma el resto de ({1}), que antes da la vuelta: solo vale con potencias de dos")
SAYING(ADD_DIVISOR, 0, "add the divisor before the remainder is taken", "sumar el divisor antes de tomar el resto")
SAYING(DECIDED_ALREADY, 1, "'{0}' is decided already, since an unsigned number is never below 0",
       "'{0}' ya está decidido, pues un número sin signo nunca es menor que 0")
SAYING(BOUND_WRAPS, 2, "in '{0}' the bound wraps to {1} where the count is 0",
       "en '{0}' la cota da la vuelta a {1} cuando el conteo es 0")
SAYING(ADD_TO_OTHER_SIDE, 1, "add ({0}) to the other side instead", "sumar ({0}) al otro lado en su lugar")
SAYING(ALWAYS_HOLDS, 1, "'{0}' always holds, since the number is unsigned, so the loop does not end by it",
       "'{0}' se cumple siempre, pues el número no tiene signo, así que el bucle no acaba por ello")
SAYING(INDEX_REACHES, 3, "the index of '{0}' reaches ({1}), but the array has {2} elements",
       "el índice de '{0}' llega a ({1}), pero el array tiene {2} elementos")
SAYING(INDEX_AT_LEAST, 3, "the index of '{0}' is at least ({1}), but the array has {2} elements",
       "el índice de '{0}' es al menos ({1}), pero el array tiene {2} elementos")
SAYING(THE_HOST, 0, "the host", "del host")
SAYING(THE_DATA, 0, "data", "de los datos")
SAYING(INDEX_UNBOUNDED, 3, "the index of '{0}' comes from {1} and is never compared with the {2} elements of the array",
       "el índice de '{0}' viene {1} y nunca se compara con los {2} elementos del array")
SAYING(CUT_TOO_FAR, 3, "the index of '{0}' is cut to ({1}) at most, but the array has {2} elements",
       "el índice de '{0}' se recorta a ({1}) como mucho, pero el array tiene {2} elementos")
SAYING(BOUND_IT, 0, "bound it with min, or skip what lies outside", "acotarlo con min, o saltarse lo que quede fuera")
