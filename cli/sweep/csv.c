/* SPDX-License-Identifier: MIT
 *
 * Rows as CSV: lines of "# key: value" say what run they are of, then come names and values. Files can be joined. */
#include "sweep/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"

#define HEADER                                                                                                         \
    "kernel,kind,n,count,bytes,flops,size,items,shape,vector,us,spread,rounds,verified,predicted_us,role,noise"
#define FIELDS 17
#define LINE_BYTES 2048

typedef struct role_name {
    uint32_t role;
    const char *name;
} role_name;

static const role_name roles[] = {
    {TL_ROLE_PLAN, "plan"}, {TL_ROLE_AGAIN, "again"}, {TL_ROLE_LESSON, "lesson"}, {TL_ROLE_DEFAULT, "default"},
    {TL_ROLE_COPY, "copy"}, {TL_ROLE_BEST, "best"},   {TL_ROLE_TIE, "tie"},       {TL_ROLE_OUTSIDE, "outside"},
};
static const char *const verdicts[] = {"untried", "yes", "no", "refused"};
static const char shapes[][8] = {"linear", "fold", "stride", "empty", "auto"};

void tl_roles_text(uint32_t set, telar_out *out)
{
    size_t begun = out->len;
    for (size_t k = 0; k < TL_COUNT(roles); k++) {
        if ((set & roles[k].role) == 0) continue;
        if (out->len > begun) tl_out_text(out, "+");
        tl_out_text(out, roles[k].name);
    }
}

const char *tl_verdict_text(tl_verdict verdict)
{
    return verdicts[verdict];
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

/* On one line, whatever it holds. */
static void write_text(FILE *out, const char *key, const char *text)
{
    fprintf(out, "# %s: ", key);
    for (; *text != 0; text++) fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
    fputc('\n', out);
}

void tl_csv_write_run(FILE *out, const tl_sweep_run *run)
{
    write_text(out, "device", run->device);
    write_text(out, "name", run->name);
    write_text(out, "command", run->command);
    write_text(out, "facts", run->facts);
    fprintf(out, "# bandwidth: %.6g\n# cache_bandwidth: %.6g\n# cache_bytes: %.6g\n# arithmetic_rate: %.6g\n",
            run->bandwidth, run->cache_bandwidth, run->cache_bytes, run->arithmetic_rate);
    fprintf(out, "%s\n", HEADER);
}

static void write_axes(FILE *out, const uint64_t *values, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) fprintf(out, "%s%" PRIu64, k == 0 ? "" : "x", values[k]);
}

static void write_row(FILE *out, const tl_sweep_row *row)
{
    char text[128] = "";
    telar_out role = {text, sizeof text, 0};
    const uint64_t size[] = {row->size[0], row->size[1], row->size[2]};
    uint32_t axes = row->size[2] > 1 ? 3 : row->size[1] > 1 ? 2 : 1;
    tl_roles_text(row->roles, &role);
    /* A kernel's name is a file's and may hold anything; a quote is doubled. */
    fputc('"', out);
    for (const char *at = row->kernel; *at != 0; at++) {
        if (*at == '"') fputc('"', out);
        fputc((unsigned char)*at < ' ' ? ' ' : *at, out);
    }
    fprintf(out, "\",%s,%" PRIu64 ",", row->kind, row->n);
    write_axes(out, row->count, row->dimensions);
    fprintf(out, ",%g,%g,", row->bytes, row->flops);
    write_axes(out, size, axes);
    fprintf(out, ",%u,%s,%s,%.6g,%.4f,%u,%s,", row->items, row->shape, row->vector ? "yes" : "no", row->us, row->spread,
            row->rounds, verdicts[row->verdict]);
    if (row->predicted_us >= 0) fprintf(out, "%.6g", row->predicted_us);
    fprintf(out, ",%s,%.4f\n", text, row->noise);
}

void tl_csv_write_rows(FILE *out, const tl_sweep_table *table, uint32_t first)
{
    for (uint32_t k = first; k < table->rows_count; k++) write_row(out, &table->rows[k]);
    fflush(out); /* so that a limit of time loses nothing */
}

void tl_csv_write_all(FILE *out, const tl_sweep_table *table, uint32_t run)
{
    tl_csv_write_run(out, &table->runs[run]);
    for (uint32_t k = 0; k < table->rows_count; k++) {
        if (table->rows[k].run == run) write_row(out, &table->rows[k]);
    }
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

typedef struct reader {
    const char *path;
    uint64_t line;
    tl_sweep_table *table;
    tl_sweep_run run;
    bool open; /* the run was added: a later "#" begins another */
} reader;

static telar_status refuse(const reader *r, const char *what, telar_diag *diag)
{
    return tl_fail(diag, TELAR_INVALID_DATA, "%s:%llu: %s", r->path, (unsigned long long)r->line, what);
}

static void copy_text(char *to, size_t cap, const char *from)
{
    telar_out out = {to, cap, 0};
    tl_out_text(&out, from);
}

/* "# key: value"; keys that are not known are left. */
static void read_key(reader *r, char *line)
{
    if (r->open) {
        r->open = false;
        r->run = (tl_sweep_run){0};
    }
    char *key = line + 1 + (line[1] == ' '), *colon = strstr(key, ": ");
    if (colon == NULL) return;
    *colon = 0;
    const char *value = colon + 2;
    const struct {
        const char *key;
        char *text;
        size_t cap;
        double *number;
    } known[] = {
        {"device", r->run.device, sizeof r->run.device, NULL},
        {"name", r->run.name, sizeof r->run.name, NULL},
        {"command", r->run.command, sizeof r->run.command, NULL},
        {"facts", r->run.facts, sizeof r->run.facts, NULL},
        {"bandwidth", NULL, 0, &r->run.bandwidth},
        {"cache_bandwidth", NULL, 0, &r->run.cache_bandwidth},
        {"cache_bytes", NULL, 0, &r->run.cache_bytes},
        {"arithmetic_rate", NULL, 0, &r->run.arithmetic_rate},
    };
    for (size_t k = 0; k < TL_COUNT(known); k++) {
        if (strcmp(key, known[k].key) != 0) continue;
        if (known[k].text != NULL) copy_text(known[k].text, known[k].cap, value);
        else *known[k].number = strtod(value, NULL);
    }
}

/* Cuts a line at its commas, in place; a field in quotes may hold them. False: not as many as there are names. */
static bool cut(char *line, char *fields[FIELDS])
{
    char *to = line;
    for (uint32_t k = 0; k < FIELDS; k++) {
        fields[k] = to;
        bool quoted = *line == '"';
        if (quoted) line++;
        for (; *line != 0 && (quoted || *line != ','); line++) {
            if (quoted && *line == '"') {
                if (line[1] != '"') break;
                line++;
            }
            *to++ = *line;
        }
        if (quoted && *line++ != '"') return false;
        bool last = k + 1 == FIELDS;
        if (last ? *line != 0 : *line != ',') return false;
        line++;
        *to++ = 0;
    }
    return true;
}

static bool read_u64(const char *text, uint64_t *value)
{
    char *end;
    if (*text < '0' || *text > '9') return false;
    *value = strtoull(text, &end, 10);
    return *end == 0;
}

static bool read_f64(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && *end == 0;
}

/* "640x480" */
static bool read_axes(const char *text, uint64_t values[3], uint32_t *count)
{
    for (*count = 0; *count < 3;) {
        char *end;
        if (*text < '0' || *text > '9') return false;
        values[(*count)++] = strtoull(text, &end, 10);
        if (*end == 0) return true;
        if (*end != 'x') return false;
        text = end + 1;
    }
    return false;
}

static bool read_size(const char *text, uint32_t size[3])
{
    uint64_t values[3] = {1, 1, 1};
    uint32_t count;
    if (!read_axes(text, values, &count)) return false;
    for (int axis = 0; axis < 3; axis++) {
        if (values[axis] == 0 || values[axis] > UINT32_MAX) return false;
        size[axis] = (uint32_t)values[axis];
    }
    return true;
}

static bool read_roles(char *text, uint32_t *set)
{
    *set = 0;
    for (char *name = strtok(text, "+"); name != NULL; name = strtok(NULL, "+")) {
        size_t k = 0;
        while (k < TL_COUNT(roles) && strcmp(roles[k].name, name) != 0) k++;
        if (k == TL_COUNT(roles)) return false;
        *set |= roles[k].role;
    }
    return true;
}

static bool read_name(const char *text, const char *const *names, size_t count, uint32_t *at)
{
    for (*at = 0; *at < count; (*at)++) {
        if (strcmp(names[*at], text) == 0) return true;
    }
    return false;
}

static bool is_shape(const char *text)
{
    for (size_t k = 0; k < TL_COUNT(shapes); k++) {
        if (strcmp(shapes[k], text) == 0) return true;
    }
    return false;
}

static bool row_of(char *fields[FIELDS], tl_sweep_row *row)
{
    uint64_t items, rounds;
    uint32_t verdict;
    *row = (tl_sweep_row){.count = {1, 1, 1}, .predicted_us = -1};
    bool good = fields[0][0] != 0 && strlen(fields[0]) < sizeof row->kernel && strlen(fields[1]) < sizeof row->kind &&
                read_u64(fields[2], &row->n) && read_axes(fields[3], row->count, &row->dimensions) &&
                read_f64(fields[4], &row->bytes) && read_f64(fields[5], &row->flops) &&
                read_size(fields[6], row->size) && read_u64(fields[7], &items) && is_shape(fields[8]) &&
                read_f64(fields[10], &row->us) && read_f64(fields[11], &row->spread) && read_u64(fields[12], &rounds) &&
                read_name(fields[13], verdicts, TL_COUNT(verdicts), &verdict) &&
                (fields[14][0] == 0 || read_f64(fields[14], &row->predicted_us)) &&
                read_roles(fields[15], &row->roles) && read_f64(fields[16], &row->noise);
    if (!good || items > UINT32_MAX || rounds > UINT32_MAX) return false;
    copy_text(row->kernel, sizeof row->kernel, fields[0]);
    copy_text(row->kind, sizeof row->kind, fields[1]);
    copy_text(row->shape, sizeof row->shape, fields[8]);
    row->items = (uint32_t)items;
    row->rounds = (uint32_t)rounds;
    row->vector = strcmp(fields[9], "yes") == 0;
    row->verdict = (tl_verdict)verdict;
    return true;
}

static telar_status read_line(reader *r, char *line, telar_diag *diag)
{
    char *fields[FIELDS];
    tl_sweep_row row;
    if (line[0] == 0) return TELAR_OK;
    if (line[0] == '#') {
        read_key(r, line);
        return TELAR_OK;
    }
    if (strcmp(line, HEADER) == 0) {
        if (r->open) return TELAR_OK;
        r->open = true;
        return tl_table_add_run(r->table, &r->run, diag);
    }
    if (!r->open) return refuse(r, "a row before the line of names", diag);
    if (!cut(line, fields)) return refuse(r, "not the fields of a sweep", diag);
    if (!row_of(fields, &row)) return refuse(r, "a field is not what it should be", diag);
    return tl_table_add_row(r->table, &row, diag);
}

telar_status tl_csv_read(const char *path, tl_sweep_table *table, telar_diag *diag)
{
    tl_file file;
    reader r = {.path = path, .table = table};
    TELAR_TRY(tl_file_open(path, &file, diag));
    telar_status status = TELAR_OK;
    uint32_t runs = table->runs_count;
    for (uint64_t at = 0; status == TELAR_OK && at < file.size_bytes;) {
        char line[LINE_BYTES];
        uint64_t end = at;
        while (end < file.size_bytes && file.data[end] != '\n') end++;
        r.line++;
        uint64_t len = end - at;
        if (len >= LINE_BYTES) {
            status = refuse(&r, "a line that is too long", diag);
            break;
        }
        memcpy(line, file.data + at, len);
        if (len > 0 && line[len - 1] == '\r') len--;
        line[len] = 0;
        status = read_line(&r, line, diag);
        at = end + 1;
    }
    tl_file_close(&file);
    if (status == TELAR_OK && table->runs_count == runs) {
        status = tl_fail(diag, TELAR_INVALID_DATA, "%s holds no sweep", path);
    }
    return status;
}
