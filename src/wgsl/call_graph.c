/* SPDX-License-Identifier: MIT
 *
 * The order of functions in which callees come first. WGSL has no recursion: a cycle is an error. The walk keeps its own
 * stack, since a chain of calls can be as long as the module. */
#include "wgsl/resolver.h"

typedef struct frame {
    uint32_t function;
    uint32_t next_call;
} frame;

enum {
    NOT_SEEN,
    ON_STACK,
    DONE
};

static void report_recursion(tl_resolver *r, const tl_call *call)
{
    tl_str name = tl_symbol_name(r->m, r->s->functions[call->function].symbol);
    tl_resolve_error(r, call->node, "'%.*s' is called recursively, which WGSL does not allow", TL_STR_ARGS(name));
}

static void walk(tl_resolver *r, uint32_t start, frame *stack, uint8_t *states, uint32_t *order)
{
    tl_wgsl_semantics *s = r->s;
    uint32_t depth = 0;
    stack[depth++] = (frame){.function = start};
    states[start] = ON_STACK;
    while (depth > 0) {
        frame *top = &stack[depth - 1];
        tl_function *function = &s->functions[top->function];
        if (top->next_call == function->call_count) {
            states[top->function] = DONE;
            function->order = (*order)++;
            depth--;
            continue;
        }
        const tl_call *call = &s->calls[function->call_first + top->next_call++];
        if (states[call->function] == ON_STACK) report_recursion(r, call);
        if (states[call->function] != NOT_SEEN) continue;
        states[call->function] = ON_STACK;
        stack[depth++] = (frame){.function = call->function};
    }
}

void tl_resolve_call_graph(tl_resolver *r)
{
    uint32_t count = r->s->function_count, order = 0;
    frame *stack = TL_ARENA_ARRAY(r->arena, frame, count);
    uint8_t *states = TL_ARENA_ARRAY(r->arena, uint8_t, count);
    if (stack == NULL || states == NULL) {
        r->full = true;
        return;
    }
    for (uint32_t k = 0; k < count; k++) {
        if (states[k] == NOT_SEEN) walk(r, k, stack, states, &order);
    }
}
