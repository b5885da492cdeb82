/* SPDX-License-Identifier: MIT
 *
 * Files in and out. Input is mapped; what cannot be mapped (pipes) is read. Output goes to a temporary file in the same
 * folder that takes the name only when all of it was written, so that a failure leaves nothing half-written. */
#ifndef TL_IO_FILE_H
#define TL_IO_FILE_H

#include "base/base.h"

#define TL_PATH_BYTES 4096

typedef struct tl_file {
    const unsigned char *data; /* NULL when empty */
    uint64_t size_bytes;
    bool mapped;
    uint32_t guard; /* its place among the guarded mappings, plus 1 */
} tl_file;

/* Once, in main. Ignores SIGPIPE and SIGXFSZ, so that a closed pipe is an error of a write; ends the process with a message
 * when a mapped file was cut short by someone else meanwhile; removes temporary files when a signal ends the process;
 * fills standard streams that are closed. */
void tl_file_guard(void);

/* "-" is standard input. IO_FAILED. */
telar_status tl_file_open(const char *path, tl_file *file, telar_diag *diag);
void tl_file_close(tl_file *file); /* a zeroed one is allowed */

typedef struct tl_output {
    int fd; /* -1 when closed */
    bool temporary_made;
    uint32_t guard;
    char path[TL_PATH_BYTES];   /* as given, for messages */
    char target[TL_PATH_BYTES]; /* the file that is meant, through links and from the root; empty: standard output */
    char temporary[TL_PATH_BYTES];
} tl_output;

/* Devices and pipes are written directly; "-" is standard output. IO_FAILED; nothing is left behind on failure. */
telar_status tl_output_begin(const char *path, tl_output *output, telar_diag *diag);
telar_status tl_output_write(tl_output *output, const void *data, uint64_t size_bytes, telar_diag *diag);
/* INVALID_ARGUMENT where both are begun and go to one file, under whatever names: one of the results would be lost. */
telar_status tl_output_apart(const tl_output *a, const tl_output *b, telar_diag *diag);
/* Gives the file its name. */
telar_status tl_output_commit(tl_output *output, telar_diag *diag);
/* Removes what was written; after a commit, or on a zeroed one with fd -1, nothing happens. */
void tl_output_abandon(tl_output *output);

/* True when the name ends in ".ending", whatever the case. */
bool tl_path_ends(const char *path, const char *ending);

#endif
