/* What check_races.c says: SAYING(NAME, words, english, spanish); see base/say.h. */
SAYING(READS, 0, "reads", "lee")
SAYING(WRITES, 0, "writes", "escribe")
SAYING(CHANGES, 0, "changes", "cambia")
SAYING(
    BOTH_WRITE, 3,
    "invocations {0} and {1} of a group write values of their own to the same place of '{2}', and nothing orders them",
    "las invocaciones {0} y {1} de un grupo escriben valores propios en el mismo sitio de '{2}', y nada las ordena")
SAYING(MEET, 8, "invocation {0} {1} what invocation {2} {3} at line {4}{5} ('{6}'), and {7} stands between",
       "la invocación {0} {1} lo que la invocación {2} {3} en la línea {4}{5} ('{6}'), y entre ambas {7}")
SAYING(ROUND_BEFORE, 0, " in the round before", " en la vuelta anterior")
SAYING(NO_BARRIER, 0, "no barrier", "no hay barrera")
SAYING(STORAGE_BARRIER_ONLY, 0, "only storageBarrier, which orders no workgroup memory,",
       "solo hay storageBarrier, que no ordena la memoria workgroup")
SAYING(BARRIER_AT_END, 1, "put {0} at the end of the loop's body", "poner {0} al final del cuerpo del bucle")
SAYING(BARRIER_BETWEEN, 1, "put {0} between the two", "poner {0} entre las dos")
SAYING(GROUPS_MEET_AT_BARRIER, 4,
       "one workgroup {0} parts of '{1}' that another {2} at line {3}, and a barrier orders one workgroup only",
       "un grupo de trabajo {0} partes de '{1}' que otro {2} en la línea {3}, y una barrera ordena un solo grupo")
SAYING(GROUPS_MEET, 4,
       "one workgroup {0} parts of '{1}' that another {2} at line {3} in the same dispatch, and nothing orders them",
       "un grupo de trabajo {0} partes de '{1}' que otro {2} en la línea {3} en el mismo dispatch, y nada los ordena")
SAYING(
    COUNTED_BY_DATA, 1,
    "'{0}' is read and written back at a place that data choose, so invocations that meet there lose what the other added",
    "'{0}' se lee y se vuelve a escribir en un sitio que eligen los datos, así que las invocaciones que coinciden ahí pierden "
    "lo que sumó la otra")
SAYING(USE_ATOMICS, 0, "make the elements atomic, and add with atomicAdd",
       "hacer atómicos los elementos, y sumar con atomicAdd")
SAYING(DISPATCH_EACH_PHASE, 0, "make a dispatch of each phase", "hacer un dispatch de cada fase")
SAYING(SECOND_BUFFER, 0, "write to a second buffer, and swap the two between dispatches",
       "escribir en un segundo búfer, e intercambiar los dos entre dispatches")
SAYING(
    READ_UNWRITTEN, 1,
    "'{0}' is read before anything is written to it, so the result rests on workgroup memory being zero at the start",
    "'{0}' se lee antes de que se escriba nada en ella, así que el resultado depende de que la memoria workgroup empiece "
    "a cero")
SAYING(
    COUNTED_UNWRITTEN, 1,
    "'{0}' is counted in before anything is written to it, so the result rests on workgroup memory being zero at the "
    "start",
    "se cuenta en '{0}' antes de que se escriba nada en ella, así que el resultado depende de que la memoria workgroup "
    "empiece a cero")
SAYING(CLEAR_FIRST, 1, "let the group clear '{0}' first, with a barrier behind it",
       "que el grupo ponga antes a cero '{0}', con una barrera detrás")
