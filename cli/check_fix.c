/* SPDX-License-Identifier: MIT
 *
 * The new text of a file is its old one with the edits of the findings that do not overlap, in the order of their places.
 * An edit of one finding stands or falls with the others of that finding. */
#include "check_fix.h"
#include "io/file.h"

#include <stdlib.h>
#include <string.h>

typedef struct edits {
    const telar_edit **items;
    uint32_t count;
} edits;

static int compare(const void *a, const void *b)
{
    const telar_edit *x = *(const telar_edit *const *)a, *y = *(const telar_edit *const *)b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static bool overlaps(const edits *all, const telar_edit *edit)
{
    for (uint32_t k = 0; k < all->count; k++) {
        const telar_edit *other = all->items[k];
        bool apart = edit->offset + edit->bytes <= other->offset || other->offset + other->bytes <= edit->offset;
        if (!apart || edit->offset == other->offset) return true;
    }
    return false;
}

static bool take(edits *all, const telar_finding *finding)
{
    for (uint32_t k = 0; k < finding->edits_count; k++) {
        if (overlaps(all, &finding->edits[k])) return false;
    }
    for (uint32_t k = 0; k < finding->edits_count; k++) all->items[all->count++] = &finding->edits[k];
    return finding->edits_count > 0;
}

/* Does the file end its lines, of which the first one tells, with CR and LF? */
static bool has_crlf(const tl_checked *checked)
{
    const char *source = checked->source, *first = memchr(source, '\n', checked->source_bytes);
    return first != NULL && first > source && first[-1] == '\r';
}

/* The text of an edit, its lines ended as the file's are. */
static telar_status write_edit(tl_output *output, const char *text, bool crlf, telar_diag *diag)
{
    while (crlf && *text != '\0') {
        size_t bytes = strcspn(text, "\n");
        TELAR_TRY(tl_output_write(output, text, bytes, diag));
        text += bytes;
        if (*text == '\0') break;
        TELAR_TRY(tl_output_write(output, "\r\n", 2, diag));
        text++;
    }
    return tl_output_write(output, text, strlen(text), diag);
}

static telar_status write_text(const char *path, const tl_checked *checked, const edits *all, telar_diag *diag)
{
    tl_output output;
    TELAR_TRY(tl_output_begin(path, &output, diag));
    telar_status status = TELAR_OK;
    uint64_t at = 0;
    bool crlf = has_crlf(checked);
    for (uint32_t k = 0; k < all->count && status == TELAR_OK; k++) {
        const telar_edit *edit = all->items[k];
        status = tl_output_write(&output, checked->source + at, edit->offset - at, diag);
        if (status == TELAR_OK) status = write_edit(&output, edit->text, crlf, diag);
        at = edit->offset + edit->bytes;
    }
    if (status == TELAR_OK) status = tl_output_write(&output, checked->source + at, checked->source_bytes - at, diag);
    if (status == TELAR_OK) return tl_output_commit(&output, diag);
    tl_output_abandon(&output);
    return status;
}

telar_status tl_check_fix_file(const char *path, const tl_checked *checked, uint32_t *made, telar_diag *diag)
{
    uint32_t count = 0;
    *made = 0;
    for (uint32_t k = 0; k < checked->result.findings_count; k++) count += checked->result.findings[k].edits_count;
    if (count == 0) return TELAR_OK;
    edits all = {.items = calloc(count, sizeof *all.items)};
    if (all.items == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "out of memory");
    for (uint32_t k = 0; k < checked->result.findings_count; k++) *made += take(&all, &checked->result.findings[k]);
    qsort(all.items, all.count, sizeof *all.items, compare);
    telar_status status = write_text(path, checked, &all, diag);
    free(all.items);
    return status;
}
