/* SPDX-License-Identifier: MIT
 *
 * Graphs from files and by rule; see graph.h. */
#include "shared/graph.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "shared/example.h"

enum {
    VERTICES_MAX = 1 << 28,
    EDGES_MAX = 1 << 30
};

typedef struct edge {
    uint32_t from, to;
} edge;

typedef struct edge_list {
    edge *edges;
    size_t count, cap;
    uint32_t vertices;
} edge_list;

static bool add_edge(edge_list *list, uint32_t from, uint32_t to)
{
    if (list->count == EDGES_MAX) return false;
    if (list->count == list->cap) {
        size_t cap = list->cap == 0 ? 1024 : 2 * list->cap;
        edge *edges = realloc(list->edges, cap * sizeof *edges);
        if (edges == NULL) example_fail(3, "no memory for %zu edges", cap);
        list->edges = edges;
        list->cap = cap;
    }
    list->edges[list->count++] = (edge){from, to};
    return true;
}

/* Sorted by their first vertex, by counting. */
static graph graph_of(edge_list *list, uint32_t base)
{
    graph g = {.vertices = list->vertices, .edges = (uint32_t)list->count, .base = base};
    g.offsets = example_alloc((size_t)g.vertices + 2, sizeof *g.offsets);
    g.targets = example_alloc(g.edges, sizeof *g.targets);
    for (size_t k = 0; k < list->count; k++) g.offsets[list->edges[k].from + 2]++;
    for (size_t v = 2; v <= g.vertices; v++) g.offsets[v] += g.offsets[v - 1];
    for (size_t k = 0; k < list->count; k++) g.targets[g.offsets[list->edges[k].from + 1]++] = list->edges[k].to;
    free(list->edges);
    return g;
}

void graph_free(graph *g)
{
    free(g->offsets);
    free(g->targets);
}

/* ---- By rule ----------------------------------------------------------------------------------------------------- */

graph graph_grid(uint32_t side)
{
    edge_list list = {.vertices = side * side};
    for (uint32_t v = 0; v < list.vertices; v++) {
        if (v % side > 0) add_edge(&list, v, v - 1);
        if (v % side < side - 1) add_edge(&list, v, v + 1);
        if (v >= side) add_edge(&list, v, v - side);
        if (v < list.vertices - side) add_edge(&list, v, v + side);
    }
    return graph_of(&list, 0);
}

static uint32_t next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}

graph graph_random(uint32_t vertices, uint32_t edges_each)
{
    edge_list list = {.vertices = vertices};
    uint64_t seed = 1;
    for (uint64_t k = 0; k < (uint64_t)vertices * edges_each; k++) {
        uint32_t from = next_random(&seed) % vertices;
        if (k % 4 == 0) from %= 1 + vertices / 1000;
        if (!add_edge(&list, from, next_random(&seed) % vertices)) {
            example_fail(2, "%u vertices with %u edges each are more than %d edges", vertices, edges_each, EDGES_MAX);
        }
    }
    return graph_of(&list, 0);
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

typedef struct reader {
    const char *path;
    FILE *file;
    char *line;
    size_t line_cap;
    unsigned long long number; /* of the line, from 1 */
    const char *at;            /* in the line */
} reader;

_Noreturn static void bad(const reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
_Noreturn static void bad(const reader *r, const char *format, ...)
{
    char text[512];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    example_fail(2, "%s:%llu: %s", r->path, r->number, text);
}

static bool next_line(reader *r)
{
    errno = 0;
    ssize_t length = getline(&r->line, &r->line_cap, r->file);
    if (length < 0) {
        if (errno != 0) example_fail(2, "%s: %s", r->path, strerror(errno));
        return false;
    }
    r->number++;
    if (strlen(r->line) != (size_t)length) bad(r, "a zero byte: this is no text file");
    r->at = r->line;
    return true;
}

static void skip_spaces(reader *r)
{
    while (isspace((unsigned char)*r->at)) r->at++;
}

/* The next line that holds something, comments left out. */
static bool next_data(reader *r, const char *comments)
{
    while (next_line(r)) {
        skip_spaces(r);
        if (*r->at != '\0' && strchr(comments, *r->at) == NULL) return true;
    }
    return false;
}

/* What the message shows of the rest of the line. */
static int shown(const char *text)
{
    size_t length = strcspn(text, "\r\n");
    return length > 40 ? 40 : (int)length;
}

static uint64_t whole_number(reader *r, const char *what, uint64_t least, uint64_t most)
{
    skip_spaces(r);
    if (!isdigit((unsigned char)*r->at)) {
        if (*r->at == '\0') bad(r, "the line ends where %s should stand", what);
        bad(r, "'%.*s' is not %s, a whole number", shown(r->at), r->at, what);
    }
    char *end;
    errno = 0;
    unsigned long long value = strtoull(r->at, &end, 10);
    if (*end != '\0' && !isspace((unsigned char)*end)) {
        bad(r, "'%.*s' is not %s, a whole number", shown(r->at), r->at, what);
    }
    if (errno != 0 || value < least || value > most) {
        bad(r, "%s (%.*s) is not from %llu to %llu", what, (int)(end - r->at), r->at, (unsigned long long)least,
            (unsigned long long)most);
    }
    r->at = end;
    return value;
}

static void skip_value(reader *r)
{
    skip_spaces(r);
    char *end;
    strtod(r->at, &end);
    if (end == r->at) {
        if (*r->at == '\0') bad(r, "the line ends where the entry's value should stand");
        bad(r, "'%.*s' is not the entry's value, a number", shown(r->at), r->at);
    }
    r->at = end;
}

static void end_line(reader *r)
{
    skip_spaces(r);
    if (*r->at != '\0') bad(r, "'%.*s' is too much on this line", shown(r->at), r->at);
}

static void add_read(reader *r, edge_list *list, uint32_t from, uint32_t to, bool both_ways)
{
    bool added = add_edge(list, from, to) && (!both_ways || from == to || add_edge(list, to, from));
    if (!added) bad(r, "more than %d edges", EDGES_MAX);
}

/* ---- Matrix Market ---- */

typedef struct market {
    uint32_t values; /* numbers of an entry after its row and column */
    bool symmetric;
} market;

/* The place of the banner's next word in the table. */
static uint32_t banner_word(reader *r, const char *what, const char *const *words, uint32_t count)
{
    skip_spaces(r);
    size_t length = strcspn(r->at, " \t\r\n");
    for (uint32_t k = 0; k < count; k++) {
        if (strlen(words[k]) != length || strncasecmp(words[k], r->at, length) != 0) continue;
        r->at += length;
        return k;
    }
    bad(r, "'%.*s' is not %s that can be read as a graph", length > 40 ? 40 : (int)length, r->at, what);
}

static market read_banner(reader *r)
{
    static const char *const objects[] = {"matrix"};
    static const char *const formats[] = {"coordinate"};
    static const char *const fields[] = {"pattern", "real", "integer", "double", "complex"};
    static const uint32_t values[] = {0, 1, 1, 1, 2};
    static const char *const symmetries[] = {"general", "symmetric", "skew-symmetric", "hermitian"};
    r->at += strcspn(r->at, " \t\r\n");
    banner_word(r, "an object", objects, 1);
    banner_word(r, "a format", formats, 1);
    market m = {.values = values[banner_word(r, "a field", fields, 5)]};
    m.symmetric = banner_word(r, "a symmetry", symmetries, 4) > 0;
    end_line(r);
    return m;
}

static graph read_market(reader *r, bool undirected)
{
    edge_list list = {0};
    market m = read_banner(r);
    if (!next_data(r, "%")) bad(r, "the file ends before its size line");
    uint64_t rows = whole_number(r, "the number of rows", 1, VERTICES_MAX);
    uint64_t columns = whole_number(r, "the number of columns", 1, VERTICES_MAX);
    uint64_t entries = whole_number(r, "the number of entries", 0, EDGES_MAX);
    end_line(r);
    if (m.symmetric && rows != columns) {
        bad(r, "a symmetric matrix of %llu rows and %llu columns", (unsigned long long)rows,
            (unsigned long long)columns);
    }
    list.vertices = (uint32_t)(rows > columns ? rows : columns);
    for (uint64_t k = 0; k < entries; k++) {
        if (!next_data(r, "%")) {
            bad(r, "the file ends after %llu of %llu entries", (unsigned long long)k, (unsigned long long)entries);
        }
        uint32_t row = (uint32_t)whole_number(r, "the row", 1, rows);
        uint32_t column = (uint32_t)whole_number(r, "the column", 1, columns);
        for (uint32_t v = 0; v < m.values; v++) skip_value(r);
        end_line(r);
        add_read(r, &list, row - 1, column - 1, m.symmetric || undirected);
    }
    if (next_data(r, "%")) bad(r, "more than the %llu entries announced", (unsigned long long)entries);
    return graph_of(&list, 1);
}

/* ---- Edge lists ---- */

/* r stands in the first line that holds an edge. What follows the two vertices (a weight, a time) must be numbers. */
static graph read_edges(reader *r, bool undirected)
{
    edge_list list = {0};
    do {
        uint32_t from = (uint32_t)whole_number(r, "the first vertex", 0, VERTICES_MAX - 1);
        uint32_t to = (uint32_t)whole_number(r, "the second vertex", 0, VERTICES_MAX - 1);
        for (skip_spaces(r); *r->at != '\0'; skip_spaces(r)) skip_value(r);
        add_read(r, &list, from, to, undirected);
        uint32_t larger = from > to ? from : to;
        if (larger >= list.vertices) list.vertices = larger + 1;
    } while (next_data(r, "#%"));
    return graph_of(&list, 0);
}

static bool begins_market(const reader *r)
{
    static const char banner[] = "%%MatrixMarket";
    return strncasecmp(r->line, banner, sizeof banner - 1) == 0;
}

static graph read_from(reader *r, bool undirected)
{
    size_t length = strlen(r->path);
    bool wants_market = length >= 4 && strcmp(r->path + length - 4, ".mtx") == 0;
    if (!next_line(r)) example_fail(2, "%s: the file is empty", r->path);
    if (begins_market(r)) return read_market(r, undirected);
    if (wants_market) bad(r, "a Matrix Market file begins with %%%%MatrixMarket");
    skip_spaces(r);
    bool holds_edge = *r->at != '\0' && strchr("#%", *r->at) == NULL;
    if (!holds_edge && !next_data(r, "#%")) bad(r, "the file ends without an edge");
    return read_edges(r, undirected);
}

graph graph_read(const char *path, bool undirected)
{
    reader *r = example_alloc(1, sizeof *r);
    r->path = path;
    r->file = fopen(path, "r");
    if (r->file == NULL) example_fail(2, "%s: %s", path, strerror(errno));
    graph g = read_from(r, undirected);
    fclose(r->file);
    free(r->line);
    free(r);
    return g;
}
