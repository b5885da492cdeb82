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
