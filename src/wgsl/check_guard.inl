/* What check_guard.c says: SAYING(NAME, words, english, spanish); see base/say.h. */
SAYING(WRITE_OF, 0, "write of", "la escritura de")
SAYING(ATOMIC_ON, 0, "atomic on", "la operación atómica sobre")
SAYING(OUTSIDE_ARRAY, 4, "{0} '{1}' reaches index ({2}) in this launch, but the array has {3} elements",
       "{0} '{1}' llega al índice ({2}) en este lanzamiento, pero el array tiene {3} elementos")
SAYING(OUTSIDE_DOMAIN, 4, "{0} '{1}' reaches index ({2}) in this launch, but the domain has {3} elements",
       "{0} '{1}' llega al índice ({2}) en este lanzamiento, pero el dominio tiene {3} elementos")
SAYING(UNGUARDED, 3,
       "{0} '{1}' is made on axis {2} by every invocation of the last group too, and no test on the way bounds it",
       "{0} '{1}' la hacen en el eje {2} también todas las invocaciones del último grupo, y ninguna comparación previa "
       "la acota")
SAYING(RETURN_FIRST, 0, "return first where the index is not below the number of elements",
       "salir antes con return donde el índice no sea menor que el número de elementos")
SAYING(TEST_EACH, 0, "test each of the elements that an invocation takes",
       "comparar cada uno de los elementos que toma una invocación")
SAYING(ACCESS_BEFORE_TEST, 2, "'{0}' is accessed before the test '{1}' that bounds its index",
       "se accede a '{0}' antes de la comparación '{1}' que acota su índice")
SAYING(ACCESS_INSIDE, 0, "make the access where the test holds", "acceder donde la comparación se cumple")
SAYING(TEST_AXIS_TOO, 1, "test the global id on axis {0} too", "comparar también el id global en el eje {0}")
SAYING(EQUAL_TO_LENGTH, 2,
       "'{0}' lets an index through that is equal to the length of the array, and '{1}' is accessed there",
       "'{0}' deja pasar un índice igual a la longitud del array, y ahí se accede a '{1}'")
SAYING(EQUAL_TO_COUNT, 3, "'{0}' lets an index through that is equal to the count {1}, and '{2}' is accessed there",
       "'{0}' deja pasar un índice igual al conteo {1}, y ahí se accede a '{2}'")
SAYING(CUT_TO_LENGTH, 1, "the index of '{0}' is cut to the length of the array, which is one past the last element",
       "el índice de '{0}' se recorta a la longitud del array, que está uno más allá del último elemento")
SAYING(CUT_TO_COUNT, 2, "the index of '{0}' is cut to the count {1}, which is one past the last element",
       "el índice de '{0}' se recorta al conteo {1}, que está uno más allá del último elemento")
SAYING(CUT_TO_LAST, 0, "cut it to the last index, one less", "recortarlo al último índice, uno menos")
SAYING(ONLY_BELOW_COUNT, 0, "let only indices below the count through",
       "dejar pasar solo índices menores que el conteo")
SAYING(BOUND_IN_BYTES, 3, "'{0}' bounds the index of '{1}' by {2} times its elements",
       "'{0}' acota el índice de '{1}' con {2} veces sus elementos")
SAYING(COMPARE_WITH_ELEMENTS, 0, "compare the index with the number of elements",
       "comparar el índice con el número de elementos")
SAYING(PARTNER_UNTESTED, 1, "the partner '{0}' is not compared with the count that bounds its index",
       "la pareja '{0}' no se compara con el conteo que acota su índice")
SAYING(SKIP_PAIR, 0, "skip the pair when the partner is not below the count",
       "saltarse el par cuando la pareja no sea menor que el conteo")
SAYING(GROUPS_TOO_MANY, 3, "'{0}' is written by {1} groups, {2} more than the domain has, and no test keeps them back",
       "'{0}' lo escriben {1} grupos, {2} más de los que tiene el dominio, y ninguna comparación los detiene")
SAYING(GROUP_UNTESTED, 1,
       "'{0}' is written by every group of the fold, and no test compares the group with their number",
       "'{0}' lo escriben todos los grupos del pliegue, y ninguna comparación contrasta el grupo con su número")
SAYING(GROUPS_GIVEN, 2, "'{0}' is written by every group of the fold; '{1}' is given and compared with nothing",
       "'{0}' lo escriben todos los grupos del pliegue; '{1}' se da y no se compara con nada")
SAYING(RETURN_GROUP_FIRST, 0, "return first where the folded group is not below the number of groups",
       "salir antes con return donde el grupo plegado no sea menor que el número de grupos")
SAYING(BOUND_BY_CAPACITY, 3,
       "'{0}' bounds the index by what fits in the binding of '{1}', although the launch gives '{2}'",
       "'{0}' acota el índice con lo que cabe en el binding de '{1}', aunque el lanzamiento da '{2}'")
SAYING(COMPARE_WITH, 1, "compare the index with '{0}'", "comparar el índice con '{0}'")
SAYING(AXIS_X, 0, "x", "x")
SAYING(AXIS_Y, 0, "y", "y")
SAYING(AXES_XY, 0, "x and y", "x, y")
SAYING(AXIS_Z, 0, "z", "z")
SAYING(AXES_XZ, 0, "x and z", "x, z")
SAYING(AXES_YZ, 0, "y and z", "y, z")
SAYING(AXES_XYZ, 0, "x, y and z", "x, y, z")
