/* SPDX-License-Identifier: MIT
 *
 * The files that a check is of: those named, and the *.wgsl of folders, in the order of their names. */
#ifndef TL_CLI_CHECK_FILES_H
#define TL_CLI_CHECK_FILES_H

#include "cli.h"

typedef struct tl_paths {
    char **items;
    size_t count, capacity;
    bool failed; /* a folder could not be read; a message was printed */
} tl_paths;

/* Adds a file as it is, and of a folder what lies under it. False when memory is out. */
bool tl_paths_add(tl_paths *paths, const char *path);
void tl_paths_free(tl_paths *paths);

#endif
