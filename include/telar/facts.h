/* SPDX-License-Identifier: MIT
 *
 * telar/facts.h: what is known of a device: its limits (WebGPU's), and hardware facts, each with where it is from.
 *
 * A telar_facts is a plain struct without pointers: copy it, compare it, keep it. Zero is not useful: start from
 * telar_facts_default() (the limits that every WebGPU device grants, and nothing else) or telar_facts_compatibility().
 *
 * Example
 *     telar_facts facts = telar_facts_default();
 *     telar_facts_set_limit(&facts, "maxComputeInvocationsPerWorkgroup", 1024, NULL);
 *     telar_facts_set(&facts, TELAR_FACT_COMPUTE_UNITS, 30, TELAR_SOURCE_GIVEN);
 *
 * Source: WebGPU, section "Limits" (defaults and the compatibility feature level).
 */
#ifndef TELAR_FACTS_H
#define TELAR_FACTS_H

#include <telar/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* X(name as in WebGPU, default, compatibility). Bytes where the name says size; alignments are minima: larger is
 * stricter. */
#define TELAR_LIMIT_LIST(X)                                                                                            \
    X(maxTextureDimension1D, 8192, 4096)                                                                               \
    X(maxTextureDimension2D, 8192, 4096)                                                                               \
    X(maxTextureDimension3D, 2048, 1024)                                                                               \
    X(maxTextureArrayLayers, 256, 256)                                                                                 \
    X(maxBindGroups, 4, 4)                                                                                             \
    X(maxBindingsPerBindGroup, 1000, 1000)                                                                             \
    X(maxDynamicUniformBuffersPerPipelineLayout, 8, 8)                                                                 \
    X(maxDynamicStorageBuffersPerPipelineLayout, 4, 4)                                                                 \
    X(maxSampledTexturesPerShaderStage, 16, 16)                                                                        \
    X(maxSamplersPerShaderStage, 16, 16)                                                                               \
    X(maxStorageBuffersPerShaderStage, 8, 8)                                                                           \
    X(maxStorageTexturesPerShaderStage, 4, 4)                                                                          \
    X(maxUniformBuffersPerShaderStage, 12, 12)                                                                         \
    X(maxUniformBufferBindingSize, 65536, 16384)                                                                       \
    X(maxStorageBufferBindingSize, 134217728, 134217728)                                                               \
    X(minUniformBufferOffsetAlignment, 256, 256)                                                                       \
    X(minStorageBufferOffsetAlignment, 256, 256)                                                                       \
    X(maxBufferSize, 268435456, 268435456)                                                                             \
    X(maxImmediateSize, 0, 0)                                                                                          \
    X(maxComputeWorkgroupStorageSize, 16384, 16384)                                                                    \
    X(maxComputeInvocationsPerWorkgroup, 256, 128)                                                                     \
    X(maxComputeWorkgroupSizeX, 256, 128)                                                                              \
    X(maxComputeWorkgroupSizeY, 256, 128)                                                                              \
    X(maxComputeWorkgroupSizeZ, 64, 64)                                                                                \
    X(maxComputeWorkgroupsPerDimension, 65535, 65535)

typedef struct telar_limits {
#define TELAR_LIMIT_FIELD(name, default_value, compatibility) uint64_t name;
    TELAR_LIMIT_LIST(TELAR_LIMIT_FIELD)
#undef TELAR_LIMIT_FIELD
} telar_limits;

typedef enum telar_device_type {
    TELAR_DEVICE_UNKNOWN = 0,
    TELAR_DEVICE_DISCRETE = 1,
    TELAR_DEVICE_INTEGRATED = 2,
    TELAR_DEVICE_CPU = 3,
} telar_device_type;

/* Where a fact is from, weakest first. */
typedef enum telar_fact_source {
    TELAR_SOURCE_NONE = 0,     /* not known */
    TELAR_SOURCE_TABLE = 1,    /* what devices of this type usually are */
    TELAR_SOURCE_ADAPTER = 2,  /* the adapter says so */
    TELAR_SOURCE_PROBE = 3,    /* a kernel was run to find out */
    TELAR_SOURCE_MEASURED = 4, /* timed */
    TELAR_SOURCE_GIVEN = 5,    /* the user says so */
} telar_fact_source;

/* X(ENUMERATOR, name in a facts file, unit). "unit" in compute_units means what WebGPU cannot see: a compute unit
 * (streaming multiprocessor, core). Per-unit facts are what one unit holds at once.
 *   bandwidth, cache_bandwidth  what a kernel moves, reads and writes together, from memory and from the last cache
 *   cache_bytes                 the most that moves at cache_bandwidth
 *   read_bandwidth              what a kernel reads from memory that writes next to nothing
 *   cache_read_bandwidth        the same from the last cache
 *   group_launch_rate           empty groups that the device starts; of a CPU adapter, which calls invocations one after the
 *                               other, without what these take
 *   dispatch_overhead_us        one dispatch among many, back to back, each after the one before
 *   dispatch_independent_us     the same where each writes a buffer of its own, so that none waits for another
 *   submit_overhead_us          one submission among many, back to back, by the host's clock
 *   wave_latency_us             a full device (units x resident invocations) reading and writing one element each
 *   wave_several_us             what the entry point for several elements adds to that, and
 *   wave_item_us                what each further element adds: on a CPU adapter, where a thread does one after the other
 *   wave_border_us              what an element takes longer in a group of several elements an invocation that is not full
 *   wave_vector_us, wave_vector_several_us, wave_vector_item_us, wave_vector_border_us
 *                               the same four of elements of 16 bytes, of a CPU adapter
 *   wave_loop_us                a full device reading one word each in a loop, and
 *   wave_turn_us                what a turn of the loop around that one takes: on a CPU adapter
 *   item_latency_us             what one more element costs an invocation that runs alone
 *   loop_latency_us             the same of a kernel that goes over its elements in a loop
 *   barrier_us                  one workgroupBarrier of a group of 256 (or the most the device allows) that runs alone
 *   shared_group_of_N_us        a group of N that shares 4096 bytes of workgroup memory behind one barrier, beyond an empty one:
 *                               on a CPU adapter, where the memory is cleared and each subgroup becomes a coroutine
 *   atomic_rate                 atomicAdd in storage memory on many words
 *   atomic_one_rate             the same on one word, which all share
 *   arithmetic_rate             additions and multiplications of f32 on a full device, a fused one counted as two
 *   subgroup_of_N               lanes of a subgroup in a pipeline whose groups have N invocations
 *   resident_groups_of_N        groups of N invocations that a unit holds
 *   resident_groups_with_N      groups of 32 with N bytes of workgroup memory that a unit holds
 *   repeat_spread               by how much the same kernel differs from itself, when it takes turns with itself: what is
 *                               closer together than that is not ranked
 *   binding_tested_bytes        the largest binding whose last bytes were written and read back (see
 *                               telar_usable_binding_bytes)
 *   forward_progress            1: a workgroup that has begun goes on while others wait for it. WebGPU promises nothing;
 *                               hosts know it of some vendors. Unknown is no */
#define TELAR_FACT_LIST(X)                                                                                             \
    X(SUBGROUP_MIN, subgroup_min, "invocations")                                                                       \
    X(SUBGROUP_MAX, subgroup_max, "invocations")                                                                       \
    X(COMPUTE_UNITS, compute_units, "units")                                                                           \
    X(RESIDENT_INVOCATIONS, resident_invocations, "invocations/unit")                                                  \
    X(RESIDENT_GROUPS, resident_groups, "groups/unit")                                                                 \
    X(UNIT_MEMORY, unit_memory_bytes, "bytes/unit")                                                                    \
    X(UNIT_REGISTERS, unit_registers, "registers/unit")                                                                \
    X(BANDWIDTH, bandwidth, "bytes/us")                                                                                \
    X(CACHE_BANDWIDTH, cache_bandwidth, "bytes/us")                                                                    \
    X(CACHE_BYTES, cache_bytes, "bytes")                                                                               \
    X(READ_BANDWIDTH, read_bandwidth, "bytes/us")                                                                      \
    X(CACHE_READ_BANDWIDTH, cache_read_bandwidth, "bytes/us")                                                          \
    X(GROUP_LAUNCH_RATE, group_launch_rate, "groups/us")                                                               \
    X(DISPATCH_OVERHEAD, dispatch_overhead_us, "us")                                                                   \
    X(DISPATCH_INDEPENDENT, dispatch_independent_us, "us")                                                             \
    X(SUBMIT_OVERHEAD, submit_overhead_us, "us")                                                                       \
    X(WAVE_LATENCY, wave_latency_us, "us")                                                                             \
    X(WAVE_SEVERAL, wave_several_us, "us")                                                                             \
    X(WAVE_ITEM, wave_item_us, "us")                                                                                   \
    X(WAVE_BORDER, wave_border_us, "us")                                                                               \
    X(WAVE_VECTOR, wave_vector_us, "us")                                                                               \
    X(WAVE_VECTOR_SEVERAL, wave_vector_several_us, "us")                                                               \
    X(WAVE_VECTOR_ITEM, wave_vector_item_us, "us")                                                                     \
    X(WAVE_VECTOR_BORDER, wave_vector_border_us, "us")                                                                 \
    X(WAVE_LOOP, wave_loop_us, "us")                                                                                   \
    X(WAVE_TURN, wave_turn_us, "us")                                                                                   \
    X(ITEM_LATENCY, item_latency_us, "us")                                                                             \
    X(LOOP_LATENCY, loop_latency_us, "us")                                                                             \
    X(BARRIER, barrier_us, "us")                                                                                       \
    X(SHARED_GROUP_OF_32, shared_group_of_32_us, "us")                                                                 \
    X(SHARED_GROUP_OF_256, shared_group_of_256_us, "us")                                                               \
    X(ATOMIC_RATE, atomic_rate, "atomics/us")                                                                          \
    X(ATOMIC_ONE_RATE, atomic_one_rate, "atomics/us")                                                                  \
    X(ARITHMETIC_RATE, arithmetic_rate, "flops/us")                                                                    \
    X(REPEAT_SPREAD, repeat_spread, "of the time")                                                                     \
    X(SUBGROUP_OF_32, subgroup_of_32, "invocations")                                                                   \
    X(SUBGROUP_OF_64, subgroup_of_64, "invocations")                                                                   \
    X(SUBGROUP_OF_128, subgroup_of_128, "invocations")                                                                 \
    X(SUBGROUP_OF_256, subgroup_of_256, "invocations")                                                                 \
    X(SUBGROUP_OF_512, subgroup_of_512, "invocations")                                                                 \
    X(SUBGROUP_OF_1024, subgroup_of_1024, "invocations")                                                               \
    X(RESIDENT_GROUPS_OF_32, resident_groups_of_32, "groups/unit")                                                     \
    X(RESIDENT_GROUPS_OF_64, resident_groups_of_64, "groups/unit")                                                     \
    X(RESIDENT_GROUPS_OF_128, resident_groups_of_128, "groups/unit")                                                   \
    X(RESIDENT_GROUPS_OF_256, resident_groups_of_256, "groups/unit")                                                   \
    X(RESIDENT_GROUPS_OF_512, resident_groups_of_512, "groups/unit")                                                   \
    X(RESIDENT_GROUPS_OF_1024, resident_groups_of_1024, "groups/unit")                                                 \
    X(RESIDENT_GROUPS_WITH_4KI, resident_groups_with_4ki, "groups/unit")                                               \
    X(RESIDENT_GROUPS_WITH_8KI, resident_groups_with_8ki, "groups/unit")                                               \
    X(RESIDENT_GROUPS_WITH_16KI, resident_groups_with_16ki, "groups/unit")                                             \
    X(RESIDENT_GROUPS_WITH_32KI, resident_groups_with_32ki, "groups/unit")                                             \
    X(BINDING_TESTED, binding_tested_bytes, "bytes")                                                                   \
    X(FORWARD_PROGRESS, forward_progress, "yes")

typedef enum telar_fact_name {
#define TELAR_FACT_ENUM(NAME, name, unit) TELAR_FACT_##NAME,
    TELAR_FACT_LIST(TELAR_FACT_ENUM)
#undef TELAR_FACT_ENUM
    TELAR_FACT_COUNT
} telar_fact_name;

typedef struct telar_fact {
    double value;
    double spread; /* relative, 0.01 = 1 %; 0 when it was not measured */
    telar_fact_source source;
} telar_fact;

typedef struct telar_facts {
    char device[128]; /* a name for people; "" when only limits are known */
    telar_device_type type;
    telar_limits limits;
    telar_fact values[TELAR_FACT_COUNT];
} telar_facts;

/* The specification's two sets of limits; no hardware fact is known. */
TELAR_API telar_facts telar_facts_default(void);
TELAR_API telar_facts telar_facts_compatibility(void);

/* WebGPU's names, in the order of TELAR_LIMIT_LIST; NULL past the end. */
TELAR_API const char *telar_limit_name(size_t index);
/* By name. NOT_FOUND when WebGPU has no such limit (or none that matters to compute). */
TELAR_API telar_status telar_facts_set_limit(telar_facts *facts, const char *name, uint64_t value, telar_diag *diag);
TELAR_API telar_status telar_facts_get_limit(const telar_facts *facts, const char *name, uint64_t *value,
                                             telar_diag *diag);

TELAR_API const char *telar_fact_text(telar_fact_name name); /* "compute_units"; "" past the end */
TELAR_API const char *telar_fact_unit(telar_fact_name name); /* "units" */
TELAR_API telar_status telar_fact_find(const char *text, telar_fact_name *name, telar_diag *diag);
TELAR_API const char *telar_fact_source_text(telar_fact_source source); /* "measured" */

/* A value that is zero, negative or not a number makes the fact unknown: adapters report subgroups of 0..0. */
TELAR_API void telar_facts_set(telar_facts *facts, telar_fact_name name, double value, telar_fact_source source);
static inline bool telar_facts_know(const telar_facts *facts, telar_fact_name name)
{
    return facts->values[name].source != TELAR_SOURCE_NONE;
}

/* The fact, or else what devices of this type usually have (source TABLE), or else unknown (source NONE). */
TELAR_API telar_fact telar_facts_assume(const telar_facts *facts, telar_fact_name name);

/* May `wanted` of this limit be used? LIMIT_EXCEEDED with both numbers when not; when `adapter` (may be NULL) has more
 * than the device was granted, the text says so. Names that begin with "min" are alignments: `wanted` is one that a
 * layout was made for. NOT_FOUND as above. */
TELAR_API telar_status telar_facts_check(const telar_facts *facts, const telar_facts *adapter, const char *name,
                                         uint64_t wanted, telar_diag *diag);

/* The largest binding in bytes that is safe to use for elements of `element_bytes` (0: any): the smaller of the binding
 * and the buffer limit, rounded down to whole elements and to 4. Above 2^31 - 4 only as far as BINDING_TESTED says:
 * some implementations report more and lose what lies beyond, in silence. */
TELAR_API uint64_t telar_usable_binding_bytes(const telar_facts *facts, uint32_t element_bytes);

#ifdef __cplusplus
}
#endif

#endif
