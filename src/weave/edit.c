/* SPDX-License-Identifier: MIT
 *
 * The user's text with some spans replaced. All else stays as it is written, comments and blanks too. */
#include "weave/weave.h"

#include <string.h>

static bool grow(tl_edits *edits)
{
    uint32_t cap = edits->cap == 0 ? 16 : 2 * edits->cap;
    tl_edit *list = TL_ARENA_ARRAY(edits->arena, tl_edit, cap);
    if (list == NULL) {
        edits->failed = true;
        return false;
    }
    if (edits->count > 0) memcpy(list, edits->list, edits->count * sizeof *list);
    edits->list = list;
    edits->cap = cap;
    return true;
}

void tl_edit_replace(tl_edits *edits, uint32_t begin, uint32_t end, tl_str text)
{
    if (edits->count == edits->cap && !grow(edits)) return;
    /* Walkers mostly go in source order: an insertion from the back is nearly always an append. */
    uint32_t at = edits->count++;
    for (; at > 0 && edits->list[at - 1].begin > begin; at--) edits->list[at] = edits->list[at - 1];
    edits->list[at] = (tl_edit){begin, end, text};
}

void tl_edit_print(tl_edits *edits, tl_str source, telar_out *out)
{
    uint32_t from = 0;
    for (uint32_t k = 0; k < edits->count; k++) {
        const tl_edit *edit = &edits->list[k];
        TELAR_ASSERT(from <= edit->begin && edit->begin <= edit->end && edit->end <= source.len);
        tl_out_bytes(out, source.data + from, edit->begin - from);
        tl_out_str(out, edit->text);
        from = edit->end;
    }
    tl_out_bytes(out, source.data + from, source.len - from);
}
