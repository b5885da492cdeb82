/* What check_subgroups.c says: SAYING(NAME, words, english, spanish); see base/say.h. */
SAYING(
    LANE_MISSING, 4,
    "lane ({0}) does not exist in every subgroup: with {1} lanes a subgroup and {2} invocations a group, one has {3}",
    "el carril ({0}) no existe en todos los subgroups: con {1} carriles por subgroup y {2} invocaciones por grupo, hay "
    "uno que tiene {3}")
SAYING(READ_LANE_0, 0, "read from lane 0, or use subgroupBroadcastFirst",
       "leer del carril 0, o usar subgroupBroadcastFirst")
SAYING(PLACE_OF_SUBGROUP, 0, "the place of what each subgroup computes", "el sitio de lo que calcula cada subgroup")
SAYING(DISTANCE_OF_SHUFFLE, 0, "the distance of the shuffle", "la distancia del shuffle")
SAYING(LANES_ASSUMED, 4, "{0} takes a subgroup to have {1} lanes; it has {2} to {3}, depending on the device",
       "{0} da por hecho que un subgroup tiene {1} carriles; tiene de {2} a {3}, según el dispositivo")
SAYING(LANES_ASSUMED_HERE, 4, "{0} takes a subgroup to have {1} lanes; it has {2} to {3} on this device",
       "{0} da por hecho que un subgroup tiene {1} carriles; en este dispositivo tiene de {2} a {3}")
SAYING(
    LANES_FROM_BUILTINS, 0,
    "take the number from @builtin(subgroup_size) and the lane from @builtin(subgroup_invocation_id), or add up with "
    "atomics and subgroupElect",
    "tomar el número de @builtin(subgroup_size) y el carril de @builtin(subgroup_invocation_id), o sumar con atómicas y "
    "subgroupElect")
SAYING(
    MORE_SUBGROUPS_THAN_LANES, 3,
    "with ({0}) lanes a subgroup, a group of ({1}) has ({2}) subgroups, and this reads one value a lane, so the others are "
    "lost",
    "con ({0}) carriles por subgroup, un grupo de ({1}) tiene ({2}) subgroups, y aquí se lee un valor por carril, así que "
    "los demás se pierden")
SAYING(LOOP_OVER_SUBGROUPS, 0, "let each lane add up the values k = lane, lane + subgroup_size, ...",
       "que cada carril sume los valores k = lane, lane + subgroup_size, ...")
SAYING(
    LANE_DERIVED, 0,
    "this takes the lane from the local index and subgroup_size, but which invocations share a subgroup is not defined",
    "esto saca el carril del índice local y de subgroup_size, pero no está definido qué invocaciones comparten subgroup")
SAYING(SUBGROUP_DERIVED, 0,
       "this takes the subgroup from the local index and subgroup_size, but which invocations share a subgroup is not "
       "defined",
       "esto saca el subgroup del índice local y de subgroup_size, pero no está definido qué invocaciones comparten "
       "subgroup")
SAYING(USE_BUILTIN, 1, "use @builtin({0})", "usar @builtin({0})")
