/* SPDX-License-Identifier: MIT
 *
 * Features and limits across the implementations' numberings. Only what an adapter lists is asked for, so a wrong row
 * can at most hide a feature; what a device then takes is found by compiling probes. */
#include "host/host.h"

/* Builds of Dawn before the standard header's numbering export no SetImmediates. */
typedef enum numbering {
    NUMBERS_WGPU,
    NUMBERS_DAWN,
    NUMBERS_DAWN_2025,
} numbering;

static numbering numbering_of(const telar_webgpu *webgpu)
{
    if (webgpu->implementation != TELAR_IMPLEMENTATION_DAWN) return NUMBERS_WGPU;
    return webgpu->ComputePassEncoderSetImmediates != NULL ? NUMBERS_DAWN : NUMBERS_DAWN_2025;
}

static const struct {
    numbering numbering;
    tl_feature feature;
    uint32_t number;
} rows[] = {
    {NUMBERS_WGPU, TL_FEATURE_TIMESTAMPS, 0x9},
    {NUMBERS_WGPU, TL_FEATURE_F16, 0xb},
    {NUMBERS_WGPU, TL_FEATURE_SUBGROUPS, 0x12},
    {NUMBERS_WGPU, TL_FEATURE_SUBGROUPS, 0x30021},
    {NUMBERS_WGPU, TL_FEATURE_IMMEDIATES, 0x30001},
    {NUMBERS_WGPU, TL_FEATURE_SUBGROUP_BARRIER, 0x30023},
    {NUMBERS_WGPU, TL_FEATURE_INT64, 0x30026},
    {NUMBERS_WGPU, TL_FEATURE_INT64_ATOMICS, 0x3002c},
    {NUMBERS_WGPU, TL_FEATURE_INT64_ATOMICS, 0x3002d},
    {NUMBERS_DAWN, TL_FEATURE_TIMESTAMPS, 0x9},
    {NUMBERS_DAWN, TL_FEATURE_F16, 0xb},
    {NUMBERS_DAWN, TL_FEATURE_SUBGROUPS, 0x12},
    {NUMBERS_DAWN_2025, TL_FEATURE_TIMESTAMPS, 0x3},
    {NUMBERS_DAWN_2025, TL_FEATURE_F16, 0xa},
    {NUMBERS_DAWN_2025, TL_FEATURE_SUBGROUPS, 0x11},
};

static uint32_t feature_of(numbering scheme, uint32_t number)
{
    for (size_t k = 0; k < TL_COUNT(rows); k++) {
        if (rows[k].numbering == scheme && rows[k].number == number) return rows[k].feature;
    }
    return 0;
}

uint32_t tl_features_from(const telar_webgpu *webgpu, const WGPUSupportedFeatures *list)
{
    uint32_t features = 0;
    for (size_t k = 0; k < list->featureCount; k++) {
        features |= feature_of(numbering_of(webgpu), (uint32_t)list->features[k]);
    }
    return features;
}

size_t tl_features_wanted(const telar_webgpu *webgpu, const WGPUSupportedFeatures *list, WGPUFeatureName *wanted,
                          size_t cap)
{
    size_t count = 0;
    for (size_t k = 0; k < list->featureCount && count < cap; k++) {
        if (feature_of(numbering_of(webgpu), (uint32_t)list->features[k]) != 0) wanted[count++] = list->features[k];
    }
    return count;
}

tl_limits_room tl_limits_undefined(void)
{
    tl_limits_room room;
    for (size_t k = 0; k < TL_COUNT(room.words); k++) room.words[k] = UINT32_MAX;
    room.limits.nextInChain = NULL;
    return room;
}

telar_limits tl_limits_from(const tl_limits_room *room)
{
    telar_limits limits;
#define COPY(name, default_value, compatibility) limits.name = room->limits.name;
    TELAR_LIMIT_LIST(COPY)
#undef COPY
    /* A field that an implementation does not know stays undefined: nothing is granted. */
    if (limits.maxImmediateSize == WGPU_LIMIT_U32_UNDEFINED) limits.maxImmediateSize = 0;
    return limits;
}
