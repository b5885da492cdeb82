/* SPDX-License-Identifier: MIT
 *
 * Rules of the family "launch": what is bound and dispatched, against what the kernel needs and the device takes. */
#include "wgsl/check_access.h"

#include <string.h>

static const telar_wgsl_binding *binding_of(const tl_check *c, const char *name)
{
    for (uint32_t k = 0; k < c->entry->bindings_count; k++) {
        if (strcmp(c->entry->bindings[k]->name, name) == 0) return c->entry->bindings[k];
    }
    return NULL;
}

static uint32_t declaration_of(const tl_check *c, const char *name)
{
    return tl_query_global(c->m, tl_str_of(name));
}

/* ---- what is bound ----------------------------------------------------------------------------------------------- */

static void check_least(tl_check *c, const telar_check_bind *bind, const telar_wgsl_binding *binding)
{
    if (bind->bytes >= binding->min_bytes) return;
    tl_check_report(c, TL_CHECK_BINDING_SMALL, TELAR_SEVERITY_ERROR, declaration_of(c, bind->name),
                    TL_SAYS(BOUND_TOO_SMALL, TL_Z(bind->name), TL_U(bind->bytes), TL_U(binding->min_bytes)));
}

static void check_most(tl_check *c, const telar_check_bind *bind, const telar_wgsl_binding *binding)
{
    bool uniform = binding->space == TELAR_WGSL_UNIFORM;
    uint64_t most = uniform ? c->facts.limits.maxUniformBufferBindingSize : c->facts.limits.maxStorageBufferBindingSize;
    if (bind->bytes <= most) return;
    tl_finding *finding = tl_check_report(
        c, TL_CHECK_BINDING_LIMIT, c->desc->facts_are_device ? TELAR_SEVERITY_ERROR : TELAR_SEVERITY_WARNING,
        declaration_of(c, bind->name),
        TL_SAYS(BOUND_TOO_LARGE, TL_Z(bind->name), TL_U(bind->bytes), TL_Z(uniform ? "Uniform" : "Storage"), TL_U(most),
                tl_check_granted(c)));
    tl_check_fix(c, finding, TL_SAID(ASK_OR_CUT));
}

static void check_alias(tl_check *c, const telar_check_bind *a, const telar_check_bind *b)
{
    const telar_wgsl_binding *x = binding_of(c, a->name), *y = binding_of(c, b->name);
    if (x == NULL || y == NULL || a->buffer == NULL || b->buffer == NULL || strcmp(a->buffer, b->buffer) != 0) return;
    bool writes = x->access == TELAR_WGSL_READ_WRITE || y->access == TELAR_WGSL_READ_WRITE;
    if (!writes) return;
    const telar_check_bind *written = y->access == TELAR_WGSL_READ_WRITE ? b : a, *other = written == b ? a : b;
    tl_finding *finding =
        tl_check_report(c, TL_CHECK_BINDING_ALIAS, TELAR_SEVERITY_ERROR, declaration_of(c, written->name),
                        TL_SAYS(SHARED_BUFFER, TL_Z(written->name), TL_Z(other->name)));
    tl_check_fix(c, finding, TL_SAID(IN_PLACE_OR_TWO));
}

static void check_binds(tl_check *c)
{
    for (uint32_t k = 0; k < c->desc->binds_count; k++) {
        const telar_check_bind *bind = &c->desc->binds[k];
        const telar_wgsl_binding *binding = binding_of(c, bind->name);
        if (binding == NULL || binding->space == TELAR_WGSL_HANDLE) continue;
        check_least(c, bind, binding);
        check_most(c, bind, binding);
        for (uint32_t j = 0; j < k; j++) check_alias(c, &c->desc->binds[j], bind);
    }
}

/* ---- how many bindings ------------------------------------------------------------------------------------------- */

static void check_number(tl_check *c, uint32_t count, uint64_t most, tl_check_saying kind, const char *limit)
{
    if (count <= most) return;
    tl_finding *finding = tl_check_report(
        c, TL_CHECK_BINDING_COUNT, c->desc->facts_are_device ? TELAR_SEVERITY_ERROR : TELAR_SEVERITY_WARNING,
        c->entry_function,
        TL_SAYS(BINDINGS_TOO_MANY, TL_U(count), tl_check_word(kind), TL_Z(limit), TL_U(most), tl_check_granted(c)));
    tl_check_fix(c, finding, TL_SAID(PACK_ARRAYS));
}

/* The storage texture, sampled texture or sampler that a handle is. */
static void count_handle(const tl_check *c, const telar_wgsl_binding *binding, uint32_t counts[3])
{
    const tl_types *types = &c->m->semantics->types;
    const tl_type_info *info = tl_type_get(types, tl_node_value_type(c->m, declaration_of(c, binding->name)));
    if (info->kind == TL_KIND_SAMPLER) counts[2]++;
    if (info->kind == TL_KIND_TEXTURE) counts[info->columns == TL_TEXTURE_STORAGE ? 0 : 1]++;
}

static void check_numbers(tl_check *c)
{
    const telar_limits *limits = &c->facts.limits;
    uint32_t uniform = 0, storage = 0, handles[3] = {0};
    for (uint32_t k = 0; k < c->entry->bindings_count; k++) {
        const telar_wgsl_binding *binding = c->entry->bindings[k];
        uniform += binding->space == TELAR_WGSL_UNIFORM;
        storage += binding->space == TELAR_WGSL_STORAGE;
        if (binding->space == TELAR_WGSL_HANDLE) count_handle(c, binding, handles);
    }
    check_number(c, storage, limits->maxStorageBuffersPerShaderStage, TL_SAYS_STORAGE_BUFFERS,
                 "maxStorageBuffersPerShaderStage");
    check_number(c, uniform, limits->maxUniformBuffersPerShaderStage, TL_SAYS_UNIFORM_BUFFERS,
                 "maxUniformBuffersPerShaderStage");
    check_number(c, handles[0], limits->maxStorageTexturesPerShaderStage, TL_SAYS_STORAGE_TEXTURES,
                 "maxStorageTexturesPerShaderStage");
    check_number(c, handles[1], limits->maxSampledTexturesPerShaderStage, TL_SAYS_SAMPLED_TEXTURES,
                 "maxSampledTexturesPerShaderStage");
    check_number(c, handles[2], limits->maxSamplersPerShaderStage, TL_SAYS_SAMPLERS, "maxSamplersPerShaderStage");
}

/* ---- what is dispatched ------------------------------------------------------------------------------------------ */

static void check_dispatch_limit(tl_check *c)
{
    uint64_t most = c->facts.limits.maxComputeWorkgroupsPerDimension;
    for (uint32_t k = 0; k < 3; k++) {
        if (c->launch.dispatch[k] <= most) continue;
        tl_finding *finding =
            tl_check_report(c, TL_CHECK_DISPATCH_LIMIT, TELAR_SEVERITY_ERROR, c->entry_function,
                            TL_SAYS(DISPATCH_TOO_LARGE, TL_CHECK_AXIS(k), TL_U(c->launch.dispatch[k]), TL_U(most)));
        tl_check_fix(c, finding, TL_SAID(FOLD_OR_LOOP));
    }
}

typedef struct coverage {
    bool known;
    int64_t reached; /* elements from the first on that some write reaches */
    const tl_event *event;
    bool plain; /* one element an invocation */
    bool whole; /* and every element of the domain is meant */
} coverage;

/* Is the index tested against what the launch decides? Then all below that is the domain. */
static bool is_whole_domain(tl_check *c, const tl_access_at *access)
{
    tl_flow *flow = c->flow;
    uint32_t k = 0;
    for (uint32_t fact = access->event->facts; fact != 0 && k < 64; fact = flow->facts[fact].before, k++) {
        tl_bound bound;
        if (--*flow->work <= 0) return false;
        if (!tl_fact_bound(flow, fact, &bound) || bound.exact) continue;
        if (tl_term_plain(&flow->values, bound.left) != tl_term_plain(&flow->values, access->index)) continue;
        const tl_term_info *right = tl_term_get(&flow->values, tl_term_plain(&flow->values, bound.right));
        bool host = right->kind == TL_TERM_LOAD && (right->depends & (TL_ON_HOST | TL_ON_STORAGE)) != 0;
        if (host || right->kind == TL_TERM_LENGTH) return true;
    }
    return false;
}

#define ROUNDS_MAX (1 << 20)

/* The last value that an id or the variable of a short loop takes; -1 where it is not known, -2 of all else. */
static int64_t last_of(tl_check *c, const tl_access_at *access, tl_term atom)
{
    const tl_values *v = &c->flow->values;
    for (uint32_t axis = 0; axis < 3; axis++) {
        if (atom == v->local[axis]) return (int64_t)c->size[axis] - 1;
        if (atom == v->group[axis]) return (int64_t)c->launch.dispatch[axis] - 1;
    }
    if (!tl_term_is(v, atom, TL_TERM_LOOP)) return -2;
    tl_range range = tl_range_under(c->flow, atom, access->event->facts);
    return range.hi < ROUNDS_MAX ? range.hi : -1;
}

/* Elements one by one: of the global id, or of groups that take several rounds. */
static bool is_of_elements(const tl_check *c, const tl_access_at *access, const tl_sum *sum)
{
    const tl_values *v = &c->flow->values;
    return tl_term_spread(c->flow, access->index) != 0 ||
           (tl_sum_factor(sum, v->local[0]) == 1 && tl_sum_factor(sum, v->group[0]) >= (int64_t)c->size[0]);
}

/* The largest index that the launch writes to a runtime-sized array; a bound on the way does not make it more. */
static void cover(tl_check *c, const tl_access_at *access, void *user)
{
    coverage *all = user;
    const tl_values *v = &c->flow->values;
    const uint32_t ids = TL_ON_GROUP | TL_ON_LOCAL;
    tl_sum sum;
    if (!tl_access_writes(access) || !access->runtime || access->space != TL_SPACE_STORAGE) return;
    uint32_t depends = tl_term_get(v, access->index)->depends & ~(uint32_t)TL_ON_LOOP;
    bool known = (depends & ~ids) == 0 && tl_sum_of(v, access->index, &sum) && is_of_elements(c, access, &sum);
    for (uint32_t k = 0; known && k < sum.count; k++) {
        known = sum.products[k].count != 1 || last_of(c, access, sum.products[k].atoms[0]) != -1;
    }
    if (!known) {
        all->known = false; /* a loop, or a width from the host: it may reach anything */
        all->event = access->event;
        all->reached = INT64_MAX;
        return;
    }
    int64_t reached = sum.constant + 1;
    for (uint32_t k = 0; k < sum.count; k++) {
        const tl_product *product = &sum.products[k];
        if (product->count != 1) return;
        int64_t part = 0, last = last_of(c, access, product->atoms[0]);
        if (last >= 0 &&
            (__builtin_mul_overflow(last, product->factor, &part) || __builtin_add_overflow(reached, part, &reached))) {
            return;
        }
    }
    if (all->event == NULL || reached > all->reached) {
        all->known = all->event == NULL || all->known;
        all->reached = reached;
        all->event = access->event;
        all->whole = is_whole_domain(c, access);
        all->plain = tl_sum_factor(&sum, v->local[0]) == 1;
    }
}

static void check_linear(tl_check *c)
{
    coverage all = {.known = true};
    tl_each_access(c, cover, &all);
    int64_t count = (int64_t)c->launch.count[0];
    if (!all.known || all.event == NULL || !c->flow->complete) return;
    tl_str text = tl_node_text(c->m, all.event->node);
    if (all.reached < count && all.whole) {
        tl_finding *finding = tl_check_report(c, TL_CHECK_DISPATCH_SHORT, TELAR_SEVERITY_ERROR, all.event->node,
                                              TL_SAYS(REACHES_PART, TL_T(text), TL_I(all.reached), TL_I(count)));
        tl_check_fix(c, finding, TL_SAYS(LAUNCH_GROUPS, TL_U(telar_ceil_div((uint64_t)count, c->size[0]))));
        return;
    }
    uint64_t group = (uint64_t)c->size[0] * c->size[1] * c->size[2];
    bool far = all.plain && all.reached / 2 >= count && (uint64_t)(all.reached - count) > group;
    if (!far) return;
    tl_finding *finding = tl_check_report(c, TL_CHECK_DISPATCH_TWICE, TELAR_SEVERITY_WARNING, all.event->node,
                                          TL_SAYS(LAUNCHED_FOR, TL_I(all.reached), TL_I(count)));
    tl_check_fix(c, finding, TL_SAYS(NOT_ELEMENTS, TL_U(telar_ceil_div((uint64_t)count, group))));
}

/* Axis by axis, where the kernel takes a global id on each. */
static void check_axes(tl_check *c)
{
    const tl_flow *flow = c->flow;
    uint32_t used = 0;
    for (uint32_t k = 1; k < flow->values.induction_count; k++) {
        if (flow->values.inductions[k].step != 0 &&
            (tl_term_get(&flow->values, flow->values.inductions[k].start)->depends & TL_ON_GROUP) != 0) {
            return; /* a stride loop */
        }
    }
    for (uint32_t k = 0; k < flow->event_count; k++) {
        const tl_event *event = &flow->events[k];
        bool writes = event->kind == TL_EVENT_WRITE || event->kind == TL_EVENT_TEXTURE_STORE;
        if (writes && event->place != 0) used |= tl_term_get(&flow->values, event->place)->depends;
    }
    for (uint32_t k = 0; k < 3; k++) {
        uint64_t reached = (uint64_t)c->launch.dispatch[k] * c->size[k], count = c->launch.count[k];
        const uint32_t local = c->size[k] > 1 ? (uint32_t)TL_ON_LOCAL_X : 0u, both = (TL_ON_GROUP_X | local) << k;
        if ((used & both) != both || c->size[k] == 0 || count <= 1) continue;
        if (reached < count) {
            tl_finding *finding =
                tl_check_report(c, TL_CHECK_DISPATCH_SHORT, TELAR_SEVERITY_ERROR, c->entry_function,
                                TL_SAYS(REACHES_PART_ON_AXIS, TL_U(reached), TL_U(count), TL_CHECK_AXIS(k)));
            tl_check_fix(c, finding,
                         TL_SAYS(LAUNCH_GROUPS_ON_AXIS, TL_U(telar_ceil_div(count, c->size[k])), TL_CHECK_AXIS(k)));
        } else if (reached / 2 >= count && reached - count > c->size[k]) {
            tl_finding *finding =
                tl_check_report(c, TL_CHECK_DISPATCH_TWICE, TELAR_SEVERITY_WARNING, c->entry_function,
                                TL_SAYS(LAUNCHED_FOR_ON_AXIS, TL_U(reached), TL_CHECK_AXIS(k), TL_U(count)));
            tl_check_fix(c, finding,
                         TL_SAYS(NOT_ELEMENTS_ON_AXIS, TL_U(telar_ceil_div(count, c->size[k])), TL_CHECK_AXIS(k)));
        }
    }
}

/* ---- what an access needs ---------------------------------------------------------------------------------------- */

static void check_need(tl_check *c, const tl_access_at *access, void *user)
{
    tl_flow *flow = c->flow;
    const tl_values *v = &flow->values;
    bool linear = c->launch.count[0] != 0 && c->launch.count[1] <= 1 && c->launch.count[2] <= 1;
    (void)user;
    if (!access->runtime || access->length == 0 || access->space != TL_SPACE_STORAGE) return;
    uint32_t k = 0;
    for (uint32_t fact = access->event->facts; fact != 0 && k < 64; fact = flow->facts[fact].before, k++) {
        tl_bound bound;
        if (--*flow->work <= 0 || !tl_fact_bound(flow, fact, &bound) || bound.exact || bound.equal_too) continue;
        if (tl_term_plain(v, bound.left) != tl_term_plain(v, access->index)) continue;
        const tl_term_info *right = tl_term_get(v, bound.right);
        if ((right->depends & TL_ON_HOST) == 0 || tl_term_spread(flow, access->index) == 0) continue;
        int64_t need = right->lo == right->hi ? right->hi : linear ? (int64_t)c->launch.count[0] : 0;
        bool plain = right->kind == TL_TERM_LOAD;
        if (!plain || need <= (int64_t)access->length) continue;
        tl_check_report(
            c, TL_CHECK_BINDING_SMALL, TELAR_SEVERITY_ERROR, access->event->node,
            TL_SAYS(BOUND_ELEMENTS, TL_T(tl_node_text(c->m, access->event->node)), TL_I(need), TL_U(access->length)));
    }
}

void tl_check_launch_entry(tl_check *c)
{
    if (tl_flow_of(c) == NULL) return;
    check_numbers(c);
    if (c->launch.count[0] == 0 && c->launch.dispatch[0] == 0 && c->desc->binds_count == 0) return;
    check_binds(c);
    tl_each_access(c, check_need, NULL);
    check_dispatch_limit(c);
    bool known =
        c->launch.count[0] != 0 && c->launch.dispatch[0] != 0 && c->size[0] != 0 && c->size[1] != 0 && c->size[2] != 0;
    if (!known) return;
    if (c->launch.count[1] <= 1 && c->launch.count[2] <= 1) {
        check_linear(c);
    } else {
        check_axes(c);
    }
}
