/* SPDX-License-Identifier: MIT
 *
 * A recording in a file: its words, little-endian, as they lie. */
#ifndef TL_CLI_RECORDING_FILE_H
#define TL_CLI_RECORDING_FILE_H

#include "io/file.h"
#include "record/reader.h"

typedef struct tl_recording_file {
    const char *path;
    tl_file file;
    telar_recording recording;
} tl_recording_file;

/* Maps the file and checks every word. IO_FAILED, INVALID_RECORDING, UNSUPPORTED; the messages begin with the name. */
telar_status tl_recording_file_open(const char *path, tl_recording_file *file, telar_diag *diag);
void tl_recording_file_close(tl_recording_file *file); /* a zeroed one is allowed */

#endif
