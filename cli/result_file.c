/* SPDX-License-Identifier: MIT
 *
 * See result_file.h. */
#include "result_file.h"
#include "progress.h"

typedef struct reading {
    const tl_result *result;
    tl_progress *progress;
} reading;

static telar_status read_with_progress(void *user, uint64_t offset_bytes, void *into, uint64_t bytes, telar_diag *diag)
{
    const reading *from = user;
    tl_progress_at(from->progress, offset_bytes, from->result->layout->buffer_bytes);
    return from->result->read(from->result->user, offset_bytes, into, bytes, diag);
}

telar_status tl_result_write(const tl_cli *cli, const tl_result *result, telar_diag *diag)
{
    tl_progress progress = tl_progress_begin(TL_PICK(cli, "writing results", "escribiendo los resultados"));
    reading from = {result, &progress};
    telar_status status =
        tl_save(result->path, result->output, result->slot, result->layout, read_with_progress, &from, diag);
    tl_progress_end(&progress);
    return status;
}
