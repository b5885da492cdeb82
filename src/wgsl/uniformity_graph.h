/* SPDX-License-Identifier: MIT
 *
 * The graph of one function: nodes with a place in the syntax, edges "from is uniform only if to is". Grown in the
 * caller's arena and used again for the next function. It knows nothing of WGSL. */
#ifndef TL_WGSL_UNIFORMITY_GRAPH_H
#define TL_WGSL_UNIFORMITY_GRAPH_H

#include "base/base.h"

/* A growing array of words. */
typedef struct tl_words {
    uint32_t *data;
    uint32_t count, capacity;
} tl_words;

/* False when the arena is full; nothing is lost then. */
bool tl_words_reserve(tl_words *words, uint32_t count, telar_arena *arena);
bool tl_words_push(tl_words *words, uint32_t word, telar_arena *arena);

typedef struct tl_graph {
    telar_arena *arena;
    bool full;       /* the arena or the bound did not suffice: the rest is missing */
    tl_words places; /* by node: a place in the syntax */
    tl_words kinds;  /* by node */
    tl_words from, to;
    /* After tl_graph_index: edges of node k are list[start[k]] .. list[start[k + 1] - 1]. */
    tl_words out_start, out_list;
    tl_words in_start, in_list;
    tl_words seen, stack; /* of a search */
    uint32_t search;
} tl_graph;

/* Forgets the graph; node 0 is "none". */
void tl_graph_begin(tl_graph *graph);

/* 0 when there is no space. */
uint32_t tl_graph_node(tl_graph *graph, uint32_t kind, uint32_t place);
void tl_graph_edge(tl_graph *graph, uint32_t from, uint32_t to);

/* Prepares for searches; no node or edge may come after. */
bool tl_graph_index(tl_graph *graph);

/* Starts a search, in which each node is met once. */
void tl_graph_search(tl_graph *graph);

/* Goes on in the search from here, along the edges, to every node not met yet; those are stack.data[0 .. count - 1], the
 * start first. */
void tl_graph_reach(tl_graph *graph, uint32_t start);

/* Was the node met in this search? */
bool tl_graph_met(const tl_graph *graph, uint32_t node);

/* next.data[k]: the node after k on a shortest way to a node of a kind >= kind, k itself where it is one, 0 where there
 * is no way. */
bool tl_graph_ways(tl_graph *graph, uint32_t kind, tl_words *next);

#endif
