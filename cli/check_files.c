/* SPDX-License-Identifier: MIT
 *
 * Folders walked for *.wgsl. */
#include "check_files.h"
#include "io/file.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FOLDERS_DEEP_MAX 64

static bool add(tl_paths *paths, const char *path)
{
    if (paths->count == paths->capacity) {
        size_t capacity = paths->capacity == 0 ? 16 : paths->capacity * 2;
        char **items = realloc(paths->items, capacity * sizeof *items);
        if (items == NULL) return false;
        paths->items = items;
        paths->capacity = capacity;
    }
    char *copy = strdup(path);
    if (copy == NULL) return false;
    paths->items[paths->count++] = copy;
    return true;
}

static bool is_folder(const char *path)
{
    struct stat info;
    return strcmp(path, "-") != 0 && stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool is_link(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
}

static bool join(const char *folder, const char *name, char path[TL_PATH_BYTES])
{
    size_t len = strlen(folder);
    const char *slash = len > 0 && folder[len - 1] == '/' ? "" : "/";
    telar_out out = {.data = path, .cap = TL_PATH_BYTES};
    tl_out_format(&out, "%s%s%s", folder, slash, name);
    return telar_out_status(&out) == TELAR_OK;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool walk(tl_paths *paths, const char *folder, unsigned depth);

/* The names of a folder, sorted, so that every machine reports in one order. */
static bool list(tl_paths *names, const char *folder)
{
    DIR *stream = opendir(folder);
    if (stream == NULL) {
        tl_error("%s: %s", folder, strerror(errno));
        names->failed = true;
        return true;
    }
    bool done = true;
    for (struct dirent *entry; done && (entry = readdir(stream)) != NULL;) {
        if (entry->d_name[0] != '.') done = add(names, entry->d_name);
    }
    closedir(stream);
    if (names->count > 0) qsort(names->items, names->count, sizeof *names->items, compare);
    return done;
}

/* Links to folders are not followed: they may lead back. */
static bool add_entry(tl_paths *paths, const char *folder, const char *name, unsigned depth)
{
    char path[TL_PATH_BYTES];
    if (!join(folder, name, path)) return true;
    if (is_folder(path)) return is_link(path) || depth == FOLDERS_DEEP_MAX || walk(paths, path, depth + 1);
    return !tl_path_ends(name, "wgsl") || add(paths, path);
}

static bool walk(tl_paths *paths, const char *folder, unsigned depth)
{
    tl_paths names = {0};
    bool done = list(&names, folder);
    for (size_t k = 0; done && k < names.count; k++) done = add_entry(paths, folder, names.items[k], depth);
    paths->failed = paths->failed || names.failed;
    tl_paths_free(&names);
    return done;
}

bool tl_paths_add(tl_paths *paths, const char *path)
{
    return is_folder(path) ? walk(paths, path, 0) : add(paths, path);
}

void tl_paths_free(tl_paths *paths)
{
    for (size_t k = 0; k < paths->count; k++) free(paths->items[k]);
    free(paths->items);
    *paths = (tl_paths){0};
}
