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

RULE(UNBOUNDED_WAIT, "unbounded-wait", "barriers", WARNING,
     "invocations need not make progress while others run, so a loop that waits for one may never end")

RULE(MISSING_BARRIER, "missing-barrier", "races", ERROR,
     "invocations of a group run in any order between two barriers, so what one writes another cannot read there")
RULE(TILE_OVERWRITTEN, "tile-overwritten", "races", ERROR,
     "an invocation may run ahead of the others up to the next barrier, and overwrite what they still read")
RULE(CROSS_GROUP_BARRIER, "cross-group-barrier", "races", ERROR,
     "barriers hold up and order the invocations of one workgroup; between workgroups only the next dispatch does")
RULE(NEIGHBOUR_RACE, "neighbour-race", "races", ERROR,
     "workgroups of a dispatch run in any order, so reading what another writes gives the old value or the new one")
RULE(UNWRITTEN_WORKGROUP, "unwritten-workgroup", "races", WARNING,
     "the specification clears workgroup memory, but wgpu-native on lavapipe was measured not to")

RULE(UNORDERED_POSITION, "unordered-position", "races", WARNING,
     "invocations reach an atomic counter in any order, so positions taken from it keep no order")

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
RULE(FLOAT_EXCHANGE, "float-exchange", "portability", WARNING,
     "compare-exchange compares bits; a loop that compares floats instead never ends on NaN")
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

RULE(FOLD_IGNORED, "fold-ignored", "mapping", ERROR,
     "groups that differ only in an axis that the kernel does not read do the same work on the same elements, and the "
     "rest of the domain is never visited")
RULE(ROW_WIDTH, "row-width", "mapping", ERROR,
     "a row of the launch is as wide as its groups times their size; with another width rows overlap or leave gaps")
RULE(STRIDE_MISMATCH, "stride-mismatch", "mapping", ERROR,
     "the stride of a loop over the domain is the number of all invocations that share it; with another one elements are "
     "visited twice or never")
RULE(CONTIGUOUS_ITEMS, "contiguous-items", "mapping", NOTE,
     "invocations that take neighbouring elements in turn read memory in whole lines; blocks of one invocation do not")
RULE(STRIDE_INDIRECT, "stride-indirect", "indirect", ERROR,
     "some implementations report num_workgroups as 0 in an indirect dispatch, and a loop with that stride never ends")
RULE(INDEX_WRAPS, "index-wraps", "mapping", ERROR,
     "u32 arithmetic wraps at 2^32 without an error, and the index comes back inside the array")
RULE(UNSIGNED_UNDERFLOW, "unsigned-underflow", "mapping", ERROR,
     "an unsigned number has no value below 0: 0 - 1 is 4294967295, and >= 0 always holds")
RULE(OUT_OF_BOUNDS, "out-of-bounds", "mapping", ERROR,
     "an index past the end is clamped, dropped or read as 0, as the device likes")
RULE(UNBOUNDED_INDEX, "unbounded-index", "mapping", WARNING,
     "an index that comes from data or from the host is past the end as soon as they say so; the kernel itself has to "
     "bound it")

RULE(ONE_INVOCATION, "one-invocation", "size", WARNING,
     "one invocation walks what thousands could share; a long count takes seconds, and a watchdog ends the dispatch")
RULE(INDIRECT_PARTIAL, "indirect-partial", "indirect", WARNING,
     "a dispatch takes three numbers, and a zero in any of them means that nothing runs, without an error")
RULE(INDIRECT_UNSATURATED, "indirect-unsaturated", "indirect", WARNING,
     "an indirect dispatch over maxComputeWorkgroupsPerDimension does nothing, without an error")
RULE(INDIRECT_WRITABLE, "indirect-writable", "indirect", ERROR,
     "a buffer is the source of indirect arguments or writable in one dispatch, never both")
RULE(INDIRECT_OFFSET, "indirect-offset", "indirect", ERROR,
     "indirect arguments are 12 bytes at a multiple of 4, inside of their buffer")
RULE(INDIRECT_SIZE, "indirect-size", "indirect", WARNING,
     "the groups of a count are its ceiling by the elements of a group; any other rounding loses elements or launches too "
     "many")
RULE(CEIL_WRAPS, "ceil-wraps", "mapping", NOTE,
     "n + (size - 1) wraps for the largest n; n / size + (n % size != 0) does not")

RULE(BINDING_SMALL, "binding-small", "launch", ERROR,
     "WebGPU refuses a binding smaller than its type, and what a kernel accesses behind the end is lost or wrong")
RULE(BINDING_ALIAS, "binding-alias", "launch", ERROR,
     "a buffer that a dispatch writes through one binding may not be bound a second time in it")
RULE(BINDING_COUNT, "binding-count", "launch", ERROR,
     "a device takes a limited number of bindings of each kind in a stage")
RULE(BINDING_LIMIT, "binding-limit", "launch", ERROR,
     "a device takes bindings up to a size, and refuses the bind group beyond it")
RULE(DISPATCH_LIMIT, "dispatch-limit", "launch", ERROR,
     "a device takes so many groups on an axis, and refuses the dispatch beyond it")
RULE(DISPATCH_SHORT, "dispatch-short", "launch", ERROR,
     "elements that no invocation reaches keep what they had")
RULE(DISPATCH_TWICE, "dispatch-twice", "launch", WARNING,
     "invocations past the domain cost time and do nothing; a number of elements was taken for a number of groups")
