/* SPDX-License-Identifier: MIT
 *
 * Graphs as adjacency lists: read from a Matrix Market file (coordinate, any field and symmetry) or an edge list (two
 * whole numbers a line, from 0; # and % begin comments), or generated. A file that is no such thing ends the program with
 * status 2, its name, the line and what is wrong there. */
#ifndef EXAMPLES_SHARED_GRAPH_H
#define EXAMPLES_SHARED_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct graph {
    uint32_t vertices;
    uint32_t edges;
    uint32_t base;     /* the number of the first vertex in the file */
    uint32_t *offsets; /* of a vertex's first edge in targets; one more at the end */
    uint32_t *targets;
} graph;

/* undirected: every edge goes both ways, whatever the file says. */
graph graph_read(const char *path, bool undirected);
graph graph_grid(uint32_t side);                            /* side * side, four neighbours each */
graph graph_random(uint32_t vertices, uint32_t edges_each); /* directed; the first vertices have many edges */
void graph_free(graph *g);

#endif
