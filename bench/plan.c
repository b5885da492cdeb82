/* SPDX-License-Identifier: MIT
 *
 * What one plan costs on the host, for each type of device: nanoseconds a call, the least of several runs. The search
 * over all sizes and items is part of it. */
#include <stdio.h>
#include <time.h>

#include <telar/plan.h>

#define CALLS 2000
#define RUNS 300

typedef struct bench_case {
    const char *name;
    telar_device_type type;
    telar_plan_desc desc;
} bench_case;

static const bench_case cases[] = {
    {"limits only, element", TELAR_DEVICE_UNKNOWN, {.count = {3000001}}},
    {"limits only, image 2-D",
     TELAR_DEVICE_UNKNOWN,
     {.count = {3840, 2160}, .dimensions = 2, .kind = TELAR_KIND_IMAGE}},
    {"discrete, element", TELAR_DEVICE_DISCRETE, {.count = {3000001}}},
    {"discrete, element in windows",
     TELAR_DEVICE_DISCRETE,
     {.count = {UINT64_C(1) << 33}, .binding_bytes_per_element = 4}},
    {"discrete, element 3-D", TELAR_DEVICE_DISCRETE, {.count = {512, 512, 512}, .dimensions = 3}},
    {"discrete, image 2-D", TELAR_DEVICE_DISCRETE, {.count = {3840, 2160}, .dimensions = 2, .kind = TELAR_KIND_IMAGE}},
    {"discrete, reduce",
     TELAR_DEVICE_DISCRETE,
     {.count = {1 << 28}, .kind = TELAR_KIND_REDUCE, .workgroup_memory_bytes = 1024}},
    {"integrated, element", TELAR_DEVICE_INTEGRATED, {.count = {3000001}}},
    {"CPU adapter, element", TELAR_DEVICE_CPU, {.count = {3000001}}},
};

static double now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static telar_facts facts_of(telar_device_type type)
{
    telar_facts facts = telar_facts_default();
    facts.type = type;
    if (type == TELAR_DEVICE_UNKNOWN) return facts;
    telar_facts_set_limit(&facts, "maxComputeInvocationsPerWorkgroup", 1024, NULL);
    telar_facts_set_limit(&facts, "maxComputeWorkgroupSizeX", 1024, NULL);
    telar_facts_set_limit(&facts, "maxComputeWorkgroupSizeY", 1024, NULL);
    telar_facts_set(&facts, TELAR_FACT_SUBGROUP_MAX, 32, TELAR_SOURCE_PROBE);
    telar_facts_set(&facts, TELAR_FACT_COMPUTE_UNITS, 132, TELAR_SOURCE_GIVEN);
    telar_facts_set(&facts, TELAR_FACT_RESIDENT_INVOCATIONS, 2048, TELAR_SOURCE_GIVEN);
    return facts;
}

static double ns_per_plan(const bench_case *row, uint64_t *sum)
{
    telar_facts facts = facts_of(row->type);
    telar_plan_desc desc = row->desc;
    double least = 1e300;
    for (int run = 0; run < RUNS; run++) {
        double start = now_ns();
        for (uint64_t k = 0; k < CALLS; k++) {
            desc.count[0] = row->desc.count[0] + k % 1000;
            telar_plan plan;
            if (telar_plan_make(&desc, &facts, &plan, NULL) == TELAR_OK) *sum += plan.groups;
        }
        double each = (now_ns() - start) / CALLS;
        if (each < least) least = each;
    }
    return least;
}

int main(void)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        printf("%-32s %6.0f ns a plan\n", cases[k].name, ns_per_plan(&cases[k], &sum));
    }
    printf("(sum of groups %llu)\n", (unsigned long long)sum);
    return 0;
}
