/* SPDX-License-Identifier: MIT
 *
 * Nodes and edges as words; searches with an explicit stack, since a chain can be as long as the source. */
#include "wgsl/uniformity_graph.h"

#include <string.h>

/* Nodes, and edges, of one function: beyond any that people write, and a bound for hostile sources. */
#define GRAPH_MOST (1u << 21)

bool tl_words_reserve(tl_words *words, uint32_t count, telar_arena *arena)
{
    if (count <= words->capacity) return true;
    uint32_t capacity = words->capacity < 128 ? 256 : words->capacity * 2;
    if (capacity < count) capacity = count;
    uint32_t *data = TL_ARENA_ARRAY(arena, uint32_t, capacity);
    if (data == NULL) return false;
    if (words->count > 0) memcpy(data, words->data, words->count * sizeof *data);
    words->data = data;
    words->capacity = capacity;
    return true;
}

bool tl_words_push(tl_words *words, uint32_t word, telar_arena *arena)
{
    if (!tl_words_reserve(words, words->count + 1, arena)) return false;
    words->data[words->count++] = word;
    return true;
}

void tl_graph_begin(tl_graph *graph)
{
    graph->places.count = graph->kinds.count = graph->from.count = graph->to.count = 0;
    graph->full = false;
    (void)tl_graph_node(graph, 0, 0);
}

uint32_t tl_graph_node(tl_graph *graph, uint32_t kind, uint32_t place)
{
    uint32_t node = graph->places.count;
    if (graph->full || node >= GRAPH_MOST || !tl_words_push(&graph->kinds, kind, graph->arena) ||
        !tl_words_push(&graph->places, place, graph->arena)) {
        graph->full = true;
        return 0;
    }
    return node;
}

void tl_graph_edge(tl_graph *graph, uint32_t from, uint32_t to)
{
    if (from == 0 || to == 0 || from == to || graph->full) return;
    if (graph->from.count >= GRAPH_MOST || !tl_words_push(&graph->from, from, graph->arena) ||
        !tl_words_push(&graph->to, to, graph->arena)) {
        graph->full = true;
    }
}

/* Counting sort of the edges by one end. */
static bool sort_edges(tl_graph *graph, const tl_words *key, const tl_words *other, tl_words *start, tl_words *list)
{
    uint32_t nodes = graph->places.count, edges = key->count;
    if (!tl_words_reserve(start, nodes + 2, graph->arena) || !tl_words_reserve(list, edges, graph->arena)) return false;
    /* start[k + 2] counts first, so that filling moves start[k + 1] to where list k ends. */
    memset(start->data, 0, (nodes + 2) * sizeof(uint32_t));
    for (uint32_t k = 0; k < edges; k++) start->data[key->data[k] + 2]++;
    for (uint32_t k = 2; k < nodes + 2; k++) start->data[k] += start->data[k - 1];
    for (uint32_t k = 0; k < edges; k++) list->data[start->data[key->data[k] + 1]++] = other->data[k];
    return true;
}

bool tl_graph_index(tl_graph *graph)
{
    uint32_t nodes = graph->places.count;
    bool fits = !graph->full && sort_edges(graph, &graph->from, &graph->to, &graph->out_start, &graph->out_list) &&
                sort_edges(graph, &graph->to, &graph->from, &graph->in_start, &graph->in_list) &&
                tl_words_reserve(&graph->seen, nodes, graph->arena) &&
                tl_words_reserve(&graph->stack, nodes, graph->arena);
    if (!fits) {
        graph->full = true;
        return false;
    }
    memset(graph->seen.data, 0, nodes * sizeof(uint32_t));
    graph->search = 0;
    return true;
}

void tl_graph_search(tl_graph *graph)
{
    graph->search++;
}

bool tl_graph_met(const tl_graph *graph, uint32_t node)
{
    return graph->seen.data[node] == graph->search;
}

static void meet(tl_graph *graph, uint32_t node)
{
    if (tl_graph_met(graph, node)) return;
    graph->seen.data[node] = graph->search;
    graph->stack.data[graph->stack.count++] = node;
}

void tl_graph_reach(tl_graph *graph, uint32_t start)
{
    graph->stack.count = 0;
    meet(graph, start);
    for (uint32_t k = 0; k < graph->stack.count; k++) {
        uint32_t node = graph->stack.data[k];
        for (uint32_t e = graph->out_start.data[node]; e < graph->out_start.data[node + 1]; e++) {
            meet(graph, graph->out_list.data[e]);
        }
    }
}

bool tl_graph_ways(tl_graph *graph, uint32_t kind, tl_words *next)
{
    uint32_t nodes = graph->places.count;
    if (!tl_words_reserve(next, nodes, graph->arena)) return false;
    memset(next->data, 0, nodes * sizeof(uint32_t));
    uint32_t *queue = graph->stack.data, count = 0;
    for (uint32_t node = 1; node < nodes; node++) {
        if (graph->kinds.data[node] < kind) continue;
        next->data[node] = node;
        queue[count++] = node;
    }
    for (uint32_t k = 0; k < count; k++) {
        uint32_t to = queue[k];
        for (uint32_t e = graph->in_start.data[to]; e < graph->in_start.data[to + 1]; e++) {
            uint32_t from = graph->in_list.data[e];
            if (next->data[from] != 0) continue;
            next->data[from] = to;
            queue[count++] = from;
        }
    }
    return true;
}
