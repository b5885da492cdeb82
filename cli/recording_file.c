/* SPDX-License-Identifier: MIT
 *
 * Recordings from files. */
#include "recording_file.h"

#include <string.h>

static telar_status open_words(tl_recording_file *file, telar_diag *diag)
{
    uint64_t bytes = file->file.size_bytes;
    if (bytes % 4 != 0) {
        return tl_fail_limit(diag, TELAR_INVALID_RECORDING, bytes, 4,
                             "%s: not a recording: %llu bytes are no whole number of words of 4", file->path,
                             (unsigned long long)bytes);
    }
    telar_diag why = {0};
    const void *data = file->file.data;
    telar_status status = telar_recording_open(data, (size_t)(bytes / 4), &file->recording, &why);
    if (status == TELAR_OK) return TELAR_OK;
    tl_fail_limit(diag, status, why.got, why.limit, "%s: %s", file->path, why.text);
    return status;
}

telar_status tl_recording_file_open(const char *path, tl_recording_file *file, telar_diag *diag)
{
    *file = (tl_recording_file){.path = strcmp(path, "-") == 0 ? "<stdin>" : path};
    TELAR_TRY(tl_file_open(path, &file->file, diag));
    telar_status status = open_words(file, diag);
    if (status != TELAR_OK) tl_recording_file_close(file);
    return status;
}

void tl_recording_file_close(tl_recording_file *file)
{
    tl_file_close(&file->file);
    *file = (tl_recording_file){0};
}
