/* The rules of the checker: RULE(ENUMERATOR, name, family, strongest severity, why). Names are stable: they stand in the
 * users' sources and settings. docs/rules.md has a section for each, which a test compares with this table. */
RULE(WGSL, "wgsl", "language", ERROR, "the source is not valid WGSL, so no implementation accepts it")

RULE(WORKGROUP_SIZE, "workgroup-size", "size", ERROR,
     "a device takes a workgroup only when each axis and the product of the three are within its limits")
RULE(WORKGROUP_MEMORY, "workgroup-memory", "size", ERROR,
     "WebGPU adds the workgroup variables, each rounded up to 16 bytes, and refuses a pipeline over the limit")
RULE(PARTIAL_LANES, "partial-lanes", "size", NOTE,
     "a group occupies whole subgroups, so lanes of the last one idle in every group")
RULE(GROUP_OF_ONE, "group-of-one", "size", NOTE,
     "a group of one invocation still occupies a whole subgroup, so most lanes of the device idle")
RULE(OVERRIDE_ARRAY, "override-array", "size", WARNING,
     "a workgroup array whose length comes from an override got no room in at least one browser engine, without an error")

RULE(NONUNIFORM_BARRIER, "nonuniform-barrier", "barriers", ERROR,
     "a barrier waits for all invocations of the group, so it may stand only where all of them arrive")
RULE(NONUNIFORM_SUBGROUP, "nonuniform-subgroup", "barriers", ERROR,
     "a subgroup operation combines the lanes that reach it together, which is defined only where all of them do")
RULE(NONUNIFORM_DERIVATIVE, "nonuniform-derivative", "barriers", ERROR,
     "a derivative compares neighbouring invocations, so it may stand only where all of them arrive")

RULE(MISSING_LANE, "missing-lane", "subgroups", ERROR,
     "reading from a lane that does not exist, or is not active, gives an indeterminate value")
RULE(ASSUMED_LANES, "assumed-lanes", "subgroups", ERROR,
     "a subgroup has 4 to 128 lanes, which differs between devices and between pipelines of one device")
RULE(LANES_FROM_INDEX, "lanes-from-index", "subgroups", WARNING,
     "nothing relates the local index to subgroups, so lanes counted by it need not be the lanes that work together")

RULE(MISSING_ENABLE, "missing-enable", "portability", ERROR,
     "the specification wants an enable directive for the feature, and implementations that follow it refuse the module")
RULE(NAGA, "naga-refuses", "portability", ERROR,
     "naga, the front end of wgpu and wgpu-native, does not take all of the language yet")
RULE(UNIFORM_LAYOUT, "uniform-layout", "portability", ERROR,
     "without uniform_buffer_standard_layout, array strides and structures in uniform memory are multiples of 16")
RULE(VEC3_LAYOUT, "vec3-layout", "portability", ERROR,
     "a vec3 takes 12 bytes and is aligned to 16, so hosts that pack tightly write every element at a wrong place")
RULE(UNUSED_BINDING, "unused-binding", "portability", WARNING,
     "layout 'auto' holds only what the entry point uses, and a bind group with more is an error")
RULE(NAN_TEST, "nan-test", "portability", WARNING,
     "implementations may assume that no float is NaN or infinite, and then x != x is always false")

RULE(UNGUARDED_INDEX, "unguarded-index", "mapping", ERROR,
     "a launch is rounded up to whole groups, so some invocations lie past the last element; what they write lands on the "
     "last element on some devices and nowhere on others")
RULE(GUARD_AFTER_ACCESS, "guard-after-access", "mapping", WARNING,
     "the access is made before the test that should protect it, by every invocation")
RULE(GUARD_ONE_AXIS, "guard-one-axis", "mapping", ERROR,
     "each axis of a launch is rounded up by itself, so each needs its own test")
RULE(GUARD_CAPACITY, "guard-capacity", "mapping", WARNING,
     "arrayLength is what fits in the binding; a pooled or padded buffer holds more than the logical count")
RULE(GUARD_OFF_BY_ONE, "guard-off-by-one", "mapping", ERROR,
     "an index that may be equal to the count is one past the last element")
RULE(GUARD_IN_BYTES, "guard-in-bytes", "mapping", ERROR,
     "an index counts elements, so a bound in bytes lets through a multiple of what is there")
RULE(UNGUARDED_PARTNER, "unguarded-partner", "mapping", WARNING,
     "the partner of an index inside the domain can lie outside of it unless the count is a power of two")
RULE(UNGUARDED_GROUP, "unguarded-group", "mapping", ERROR,
     "a folded launch has groups past the last one in its last row; an index made from them lies outside the domain, or "
     "wraps and comes back inside")
