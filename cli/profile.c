/* SPDX-License-Identifier: MIT
 *
 * Where profiles lie, and what of them counts. */
#include "profile.h"
#include "device_find.h"
#include "io/facts_file.h"

#include <telar/tune.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- The file ---------------------------------------------------------------------------------------------------- */

static bool given(const char *variable)
{
    return variable != NULL && variable[0] != 0;
}

/* XDG says that a relative path is to be ignored. */
static bool find_folder(char path[TL_PATH_BYTES])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int written = -1;
    if (given(cache) && cache[0] == '/') {
        written = snprintf(path, TL_PATH_BYTES, "%s/telar", cache);
    } else if (given(home) && home[0] == '/') {
        written = snprintf(path, TL_PATH_BYTES, "%s/.cache/telar", home);
    }
    return written > 0 && written < TL_PATH_BYTES;
}

/* FNV-1a, 64 bits. */
static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; *text != 0; text++) hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return (hash ^ 0xff) * UINT64_C(0x100000001b3); /* an end that no text has */
}

/* The adapter's name as far as every file system takes it, for people. */
static void plain_name(const char *adapter, char *name, size_t cap)
{
    size_t len = 0;
    for (; *adapter != 0 && len + 1 < cap; adapter++) {
        bool letter = (*adapter >= 'a' && *adapter <= 'z') || (*adapter >= 'A' && *adapter <= 'Z');
        bool plain = letter || (*adapter >= '0' && *adapter <= '9');
        if (plain) name[len++] = *adapter;
        else if (len > 0 && name[len - 1] != '-') name[len++] = '-';
    }
    while (len > 0 && name[len - 1] == '-') len--;
    name[len] = 0;
}

bool tl_profile_path(const telar_adapter_info *info, char path[TL_PATH_BYTES])
{
    char folder[TL_PATH_BYTES], name[48];
    path[0] = 0;
    if (!find_folder(folder)) return false;
    plain_name(info->adapter, name, sizeof name);
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    const char *const parts[] = {info->adapter, info->driver, info->version, info->backend};
    for (size_t k = 0; k < TL_COUNT(parts); k++) hash = hash_text(hash, parts[k] == NULL ? "" : parts[k]);
    int written = snprintf(path, TL_PATH_BYTES, "%s/%s-%s-%016llx.json", folder,
                           tl_implementation_text(info->implementation), name, (unsigned long long)hash);
    if (written > 0 && written < TL_PATH_BYTES) return true;
    path[0] = 0;
    return false;
}

/* ---- Its facts --------------------------------------------------------------------------------------------------- */

void tl_profile_add(const telar_adapter_info *info, telar_facts *facts)
{
    char path[TL_PATH_BYTES];
    telar_facts profile;
    if (!tl_profile_path(info, path) || access(path, R_OK) != 0) return;
    if (tl_facts_file_read(path, &profile, NULL) != TELAR_OK) return;
    for (int k = 0; k < TELAR_FACT_COUNT; k++) {
        telar_fact_source source = profile.values[k].source;
        bool found = source == TELAR_SOURCE_MEASURED || source == TELAR_SOURCE_PROBE;
        if (found) facts->values[k] = profile.values[k];
    }
    const telar_fact *progress = &profile.values[TELAR_FACT_FORWARD_PROGRESS];
    if (progress->source == TELAR_SOURCE_NONE) facts->values[TELAR_FACT_FORWARD_PROGRESS] = *progress;
}

static telar_status make_folders(const char *file, telar_diag *diag)
{
    char path[TL_PATH_BYTES];
    snprintf(path, sizeof path, "%s", file);
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (mkdir(path, 0700) != 0 && errno != EEXIST && access(path, F_OK) != 0) {
            return tl_fail(diag, TELAR_IO_FAILED, "%s: %s", path, strerror(errno));
        }
        *slash = '/';
    }
    return TELAR_OK;
}

telar_status tl_profile_write(const telar_adapter_info *info, const telar_facts *facts, char path[TL_PATH_BYTES],
                              telar_diag *diag)
{
    if (!tl_profile_path(info, path)) return TELAR_OK;
    TELAR_TRY(make_folders(path, diag));
    /* Of an earlier tuning nothing stays: what the device no longer shows is no longer true. */
    if (unlink(path) != 0 && errno != ENOENT) {
        return tl_fail(diag, TELAR_IO_FAILED, "%s: %s", path, strerror(errno));
    }
    return tl_facts_file_write(path, facts, telar_tune_how, diag);
}
