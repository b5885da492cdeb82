/* SPDX-License-Identifier: MIT
 *
 * Names and texts of the status list, and the version. */
#include <telar/base.h>

#define STRING(x) #x
#define VERSION(major, minor, patch) STRING(major) "." STRING(minor) "." STRING(patch)

const char *telar_version(void)
{
    return VERSION(TELAR_VERSION_MAJOR, TELAR_VERSION_MINOR, TELAR_VERSION_PATCH);
}

const char *telar_status_name(telar_status status)
{
    switch (status) {
#define NAME(number, name, text)                                                                                       \
    case TELAR_##name: return #name;
        TELAR_STATUS_LIST(NAME)
#undef NAME
    }
    return "UNKNOWN";
}

const char *telar_status_text(telar_status status)
{
    switch (status) {
#define TEXT(number, name, text)                                                                                       \
    case TELAR_##name: return text;
        TELAR_STATUS_LIST(TEXT)
#undef TEXT
    }
    return "unknown status";
}
