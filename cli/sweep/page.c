/* SPDX-License-Identifier: MIT
 *
 * Sweeps as one page of HTML that needs nothing else: style, data as JSON, the plotting library (uPlot) and the script of
 * page/ that draws them. Without the library the page has its tables and heat maps and says what is missing. */
#include "sweep/page.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sweep/page/page.h"

#ifndef TELAR_PLOT_DIRS
#define TELAR_PLOT_DIRS ""
#endif

/* A sink that keeps its first failure. */
typedef struct page {
    tl_output *output;
    telar_status status;
    telar_diag *diag;
} page;

static void put_bytes(page *p, const void *data, size_t bytes)
{
    if (p->status == TELAR_OK) p->status = tl_output_write(p->output, data, bytes, p->diag);
}

static void put(page *p, const char *text)
{
    put_bytes(p, text, strlen(text));
}

/* A string of JSON inside of a script element: no character of it ends that. */
static void put_string(page *p, const char *text)
{
    put(p, "\"");
    for (; *text != 0; text++) {
        unsigned char c = (unsigned char)*text;
        char escaped[8];
        if (c < ' ' || c == '<' || c == '>' || c == '&') snprintf(escaped, sizeof escaped, "\\u%04x", c);
        else if (c == '"' || c == '\\') snprintf(escaped, sizeof escaped, "\\%c", c);
        else snprintf(escaped, sizeof escaped, "%c", c);
        put(p, escaped);
    }
    put(p, "\"");
}

static void put_number(page *p, double value)
{
    char text[32];
    snprintf(text, sizeof text, isfinite(value) ? "%.6g" : "null", value);
    put(p, text);
}

/* ---- Data -------------------------------------------------------------------------------------------------------- */

static void put_run(page *p, const tl_sweep_run *run)
{
    const struct {
        const char *key, *value;
    } texts[] = {{"device", run->device}, {"name", run->name}, {"command", run->command}, {"facts", run->facts}};
    const struct {
        const char *key;
        double value;
    } numbers[] = {{"bandwidth", run->bandwidth},
                   {"cache_bandwidth", run->cache_bandwidth},
                   {"cache_bytes", run->cache_bytes},
                   {"arithmetic_rate", run->arithmetic_rate}};
    put(p, "{");
    for (size_t k = 0; k < TL_COUNT(texts); k++) {
        put_string(p, texts[k].key);
        put(p, ":");
        put_string(p, texts[k].value);
        put(p, ",");
    }
    for (size_t k = 0; k < TL_COUNT(numbers); k++) {
        put_string(p, numbers[k].key);
        put(p, ":");
        put_number(p, numbers[k].value);
        put(p, k + 1 < TL_COUNT(numbers) ? "," : "}");
    }
}

#define COLUMNS                                                                                                        \
    "[\"run\",\"kernel\",\"n\",\"bytes\",\"flops\",\"size\",\"items\",\"shape\",\"vector\",\"us\",\"rounds\","         \
    "\"verified\",\"predicted\",\"role\",\"noise\"]"

static void put_row(page *p, const tl_sweep_row *row)
{
    char text[160], roles[96] = "";
    telar_out role = {roles, sizeof roles, 0};
    tl_roles_text(row->roles, &role);
    snprintf(text, sizeof text, "[%u,", row->run);
    put(p, text);
    put_string(p, row->kernel);
    snprintf(text, sizeof text, ",%" PRIu64 ",%g,%g,", row->n, row->bytes, row->flops);
    put(p, text);
    int len = snprintf(text, sizeof text, "\"%u", row->size[0]);
    if (row->size[1] > 1 || row->size[2] > 1)
        len += snprintf(text + len, sizeof text - (size_t)len, "x%u", row->size[1]);
    if (row->size[2] > 1) len += snprintf(text + len, sizeof text - (size_t)len, "x%u", row->size[2]);
    snprintf(text + len, sizeof text - (size_t)len, "\",%u,\"%s\",\"%s\",", row->items, row->shape,
             row->vector ? "yes" : "no");
    put(p, text);
    put_number(p, row->us);
    snprintf(text, sizeof text, ",%u,\"%s\",", row->rounds, tl_verdict_text(row->verdict));
    put(p, text);
    put_number(p, row->predicted_us < 0 ? NAN : row->predicted_us);
    put(p, ",");
    put_string(p, roles);
    put(p, ",");
    put_number(p, row->noise);
    put(p, "]");
}

static void put_data(page *p, const tl_sweep_table *table, telar_language language)
{
    put(p, "<script type=\"application/json\" id=\"data\">\n{\"language\":");
    put_string(p, language == TELAR_SPANISH ? "es" : "en");
    put(p, ",\n\"runs\":[");
    for (uint32_t k = 0; k < table->runs_count; k++) {
        put(p, k == 0 ? "\n" : ",\n");
        put_run(p, &table->runs[k]);
    }
    put(p, "],\n\"columns\":" COLUMNS ",\n\"rows\":[");
    for (uint32_t k = 0; k < table->rows_count; k++) {
        put(p, k == 0 ? "\n" : ",\n");
        put_row(p, &table->rows[k]);
    }
    put(p, "]}\n</script>\n");
}

/* ---- The library ------------------------------------------------------------------------------------------------- */

static const char script_file[] = "uPlot.iife.min.js", style_file[] = "uPlot.min.css", licence_file[] = "LICENSE";

/* The first of the folders that has it. */
static bool find_library(char path[TL_PATH_BYTES])
{
    for (const char *at = TELAR_PLOT_DIRS; *at != 0;) {
        int len = (int)strcspn(at, ":");
        int written = snprintf(path, TL_PATH_BYTES, "%.*s/%s", len, at, script_file);
        if (written > 0 && written < TL_PATH_BYTES && access(path, R_OK) == 0) {
            snprintf(path, TL_PATH_BYTES, "%.*s", len, at);
            return true;
        }
        at += len;
        at += *at == ':';
    }
    return false;
}

static void put_file(page *p, const char *folder, const char *name)
{
    char path[TL_PATH_BYTES];
    tl_file file;
    int written = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (p->status != TELAR_OK || written < 0 || (size_t)written >= sizeof path) return;
    p->status = tl_file_open(path, &file, p->diag);
    if (p->status != TELAR_OK) return;
    put_bytes(p, file.data, (size_t)file.size_bytes);
    tl_file_close(&file);
}

/* An attribute's value: what would end it is left out. */
static void put_attribute(page *p, const char *text)
{
    for (; *text != 0; text++) {
        if (strchr("\"<>&", *text) == NULL) put_bytes(p, text, 1);
    }
}

static void put_style(page *p, const char *folder)
{
    put(p, "<style>\n");
    put(p, tl_page_style);
    if (folder != NULL) put_file(p, folder, style_file);
    put(p, "</style>\n");
}

static void put_library(page *p, const char *folder)
{
    if (folder == NULL) return;
    put(p, "<script>\n/* uPlot:\n");
    put_file(p, folder, licence_file);
    put(p, "*/\n");
    put_file(p, folder, script_file);
    put(p, "\n</script>\n");
}

/* Beside the page, or wherever the text says: script and style. */
static void put_links(page *p, const char *link)
{
    put(p, "<link rel=\"stylesheet\" href=\"");
    put_attribute(p, link);
    put(p, "/uPlot.min.css\">\n<script src=\"");
    put_attribute(p, link);
    put(p, "/uPlot.iife.min.js\"></script>\n");
}

telar_status tl_page_write(const tl_sweep_table *table, const tl_page_desc *desc, tl_output *output, bool *complete,
                           telar_diag *diag)
{
    page p = {.output = output, .diag = diag};
    char found[TL_PATH_BYTES];
    const char *folder = desc->link == NULL && find_library(found) ? found : NULL;
    *complete = folder != NULL || desc->link != NULL;
    put(&p, desc->language == TELAR_SPANISH ? "<!doctype html>\n<html lang=\"es\">\n"
                                            : "<!doctype html>\n<html lang=\"en\">\n");
    put(&p, "<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n"
            "<title>telar sweep</title>\n");
    put_style(&p, folder);
    if (desc->link != NULL) put_links(&p, desc->link);
    put(&p, "</head>\n<body>\n<main id=\"page\"></main>\n");
    put_data(&p, table, desc->language);
    put_library(&p, folder);
    put(&p, "<script>\n");
    put(&p, tl_page_script);
    put(&p, "</script>\n</body>\n</html>\n");
    return p.status;
}
