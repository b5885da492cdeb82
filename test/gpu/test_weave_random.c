/* SPDX-License-Identifier: MIT
 *
 * Random launches: size, items, shape, width of a fold, groups of a stride, count, one to three dimensions, element
 * functions and ordinary kernels, for the device as it is or for one of fewer groups an axis and smaller bindings, so
 * that folds take three axes and domains are cut into windows. Each element is visited exactly once and nothing beside
 * the data changes. TELAR_SEED repeats a run, TELAR_LAUNCHES makes it longer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "launch.h"

enum {
    ELEMENTS_MAX = 1 << 17, /* groups of one invocation then pass 65535 */
    ELEMENTS_USUAL = 1 << 13,
    CALLS_MAX = 1 << 20, /* idle ones too: adapters on the CPU are slow */
    LAUNCHES = 200
};

static uint64_t random_state;
static uint32_t windows, folds_in_three; /* launches */

static uint32_t below(uint32_t bound)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) % bound);
}

/* Small numbers as often as large ones. */
static uint32_t up_to(uint32_t most)
{
    uint32_t bits = 0;
    while ((most >> bits) > 1) bits++;
    uint32_t value = 1 + below(2u << below(bits + 1));
    return value < most ? value : most;
}

static void random_counts(telar_plan_desc *desc)
{
    uint32_t left = below(16) == 0 ? ELEMENTS_MAX : ELEMENTS_USUAL;
    for (uint32_t axis = 0; axis < desc->dimensions; axis++) {
        desc->count[axis] = below(40) == 0 ? 0 : up_to(left);
        if (desc->count[axis] > 0) left /= (uint32_t)desc->count[axis];
        if (left == 0) left = 1;
    }
}

static void random_size(telar_plan_desc *desc)
{
    const telar_limits *limits = &telar_host_facts(gpu.host)->limits;
    uint32_t left = (uint32_t)limits->maxComputeInvocationsPerWorkgroup;
    const uint64_t most[] = {limits->maxComputeWorkgroupSizeX, limits->maxComputeWorkgroupSizeY,
                             limits->maxComputeWorkgroupSizeZ};
    for (uint32_t axis = 0; axis < 3; axis++) {
        desc->size[axis] = axis < desc->dimensions ? up_to(left < most[axis] ? left : (uint32_t)most[axis]) : 1;
        left /= desc->size[axis];
    }
}

static telar_plan_desc random_wish(void)
{
    static const telar_shape shapes[] = {TELAR_SHAPE_AUTO, TELAR_SHAPE_LINEAR, TELAR_SHAPE_FOLD, TELAR_SHAPE_FOLD,
                                         TELAR_SHAPE_STRIDE};
    telar_plan_desc desc = {.dimensions = 1 + below(3), .kind = below(4) == 0 ? TELAR_KIND_IMAGE : TELAR_KIND_ELEMENT};
    random_counts(&desc);
    if (below(8) > 0) random_size(&desc);
    if (below(8) > 0) desc.items = up_to(8);
    desc.shape = shapes[below(sizeof shapes / sizeof *shapes)];
    if (desc.shape == TELAR_SHAPE_FOLD && below(2) == 0) desc.fold_width = up_to(3000);
    if (desc.shape == TELAR_SHAPE_STRIDE && below(2) == 0) desc.groups = up_to(3000);
    return desc;
}

/* An element function, or the same as an ordinary kernel with its own guard; both count visits. */
static void print_source(const telar_plan_desc *desc, bool ordinary, char *text, size_t bytes)
{
    static const char *const types[] = {"u32", "vec2u", "vec3u"};
    static const char *const from_id[] = {"g.x", "g.xy", "g"};
    static const char *const inside[] = {"g.x < N.x", "all(g.xy < N.xy)", "all(g < N)"};
    static const char *const numbers[] = {"p", "p.y * N.x + p.x", "(p.z * N.y + p.y) * N.x + p.x"};
    uint32_t d = desc->dimensions - 1;
    int used =
        snprintf(text, bytes,
                 "@group(0) @binding(0) var<storage, read_write> v: array<u32>;\n"
                 "const N = vec3u(%u, %u, %u);\n"
                 "fn visit(p: %s) { let i = %s; v[i] += i + 1; }\n",
                 (uint32_t)desc->count[0], (uint32_t)desc->count[1], (uint32_t)desc->count[2], types[d], numbers[d]);
    text += used;
    bytes -= (size_t)used;
    if (!ordinary && desc->dimensions == 1) {
        snprintf(text, bytes, "fn element(p: u32) { v[p] += p + 1; }");
    } else if (ordinary) {
        snprintf(text, bytes,
                 "@compute @workgroup_size(%u, %u, %u) fn main(@builtin(global_invocation_id) g: vec3u) {\n"
                 "    if (%s) { visit(%s); }\n"
                 "}",
                 desc->size[0], desc->size[1], desc->size[2], inside[d], from_id[d]);
    } else {
        snprintf(text, bytes, "fn element(p: %s) { visit(p); } // the end", types[d]);
    }
}

static uint64_t elements_of(const telar_plan_desc *desc)
{
    uint64_t elements = 1;
    for (uint32_t axis = 0; axis < desc->dimensions; axis++) elements *= desc->count[axis];
    return elements;
}

static void say(const telar_plan_desc *desc, bool ordinary, const char *what)
{
    print_error("%s: %s, count %llu x %llu x %llu (%u), size %u x %u x %u, items %u, shape %s, width %u, groups %u\n",
                what, ordinary ? "ordinary" : "element", (unsigned long long)desc->count[0],
                (unsigned long long)desc->count[1], (unsigned long long)desc->count[2], desc->dimensions, desc->size[0],
                desc->size[1], desc->size[2], desc->items, telar_shape_text(desc->shape), desc->fold_width,
                desc->groups);
}

/* The device's facts, or those of a smaller one. */
static telar_facts random_facts(void)
{
    telar_facts facts = *telar_host_facts(gpu.host);
    if (below(3) == 0) facts.limits.maxComputeWorkgroupsPerDimension = 2 + up_to(30);
    if (below(2) == 0) facts.limits.maxStorageBufferBindingSize = 1024 + 4 * up_to(1024);
    return facts;
}

/* False when the plan is refused (a stride of too many rounds, a width that the device does not have) or large. */
static bool try_launch(const telar_plan_desc *desc, bool ordinary)
{
    char source[1024];
    telar_plan plan;
    telar_facts facts = random_facts();
    gpu_launch launch = {.source = source, .desc = *desc, .facts = &facts, .uniform_params = below(4) == 0};
    launch.desc.binding_bytes_per_element = ordinary || desc->dimensions > 1 ? 0 : 4;
    if (telar_plan_make(&launch.desc, &facts, &plan, &gpu.diag) != TELAR_OK) return false;
    if (plan.launched_invocations * plan.items > CALLS_MAX) return false;
    if (ordinary && plan.shape == TELAR_SHAPE_STRIDE) return false; /* they do not loop */
    print_source(desc, ordinary, source, sizeof source);
    uint64_t elements = elements_of(desc);
    uint32_t *v = calloc(elements + 1, sizeof *v);
    windows += plan.window_count > 1;
    folds_in_three += plan.shape == TELAR_SHAPE_FOLD && plan.dispatch[2] > 1;
    gpu_run_on(&launch, &(gpu_data){.words = v, .words_count = elements}, 1);
    for (uint64_t k = 0; k < elements; k++) {
        if (v[k] == (uint32_t)k + 1) continue;
        say(desc, ordinary, "wrong");
        print_error("planned: %s, %u x %u x %u groups of %u allowed an axis, %llu windows\n",
                    telar_shape_text(plan.shape), plan.dispatch[0], plan.dispatch[1], plan.dispatch[2],
                    plan.groups_limit, (unsigned long long)plan.window_count);
        fail_msg("element %llu is %u\n%s", (unsigned long long)k, v[k], launch.woven.kernel.wgsl);
    }
    gpu_launch_free(&launch);
    free(v);
    return true;
}

static void each_element_once(void **state)
{
    (void)state;
    const char *seed = getenv("TELAR_SEED"), *launches = getenv("TELAR_LAUNCHES");
    uint32_t wanted = launches == NULL ? LAUNCHES : (uint32_t)strtoul(launches, NULL, 10);
    random_state = seed == NULL ? (uint64_t)time(NULL) : strtoull(seed, NULL, 10);
    printf("TELAR_SEED=%llu\n", (unsigned long long)random_state);
    fflush(stdout);
    uint32_t refused = 0;
    folds_in_three = windows = 0;
    for (uint32_t done = 0; done < wanted;) {
        telar_plan_desc desc = random_wish();
        bool ordinary = below(3) == 0 && desc.size[0] > 0 && desc.shape != TELAR_SHAPE_STRIDE;
        if (ordinary) desc.items = 1;
        if (try_launch(&desc, ordinary)) done++;
        else if (++refused > 10 * wanted) fail_msg("nearly all plans are refused: %s", gpu.diag.text);
    }
    printf("%u launches (%u in windows, %u folded over three axes), %u plans refused or large\n", wanted, windows,
           folds_in_three, refused);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_element_once),
    };
    return cmocka_run_group_tests_name("random launches", tests, gpu_open, gpu_close);
}
