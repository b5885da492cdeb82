/* SPDX-License-Identifier: MIT
 *
 * Mapping, reading, writing. The only state of the process is the two small lists that the signal handlers need: mapped
 * ranges (with their names) and temporary files to remove. */
#define _XOPEN_SOURCE 700 /* realpath. NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* What comes through a pipe has to be kept in memory. */
#define STREAM_BYTES_MAX (UINT64_C(4) << 30)

#define GUARDS_MAX 128

typedef struct guarded_map {
    const unsigned char *volatile data;
    volatile uint64_t size_bytes;
    char path[256];
} guarded_map;

static guarded_map maps[GUARDS_MAX];
static char temporaries[GUARDS_MAX][TL_PATH_BYTES];
static volatile sig_atomic_t temporary_used[GUARDS_MAX];

/* ---- signals: only what may be called from a handler --------------------------------------------------------------- */

static void remove_temporaries(void)
{
    for (size_t k = 0; k < GUARDS_MAX; k++) {
        if (temporary_used[k]) unlink(temporaries[k]);
    }
}

static void say_raw(const char *text)
{
    size_t len = strlen(text);
    while (len > 0) {
        ssize_t written = write(STDERR_FILENO, text, len);
        if (written <= 0) return;
        text += written;
        len -= (size_t)written;
    }
}

static void on_bus_error(int number, siginfo_t *info, void *context)
{
    (void)context;
    const unsigned char *at = info->si_addr;
    for (size_t k = 0; k < GUARDS_MAX; k++) {
        const unsigned char *data = maps[k].data;
        if (data == NULL || at < data || (uint64_t)(at - data) >= maps[k].size_bytes) continue;
        remove_temporaries();
        say_raw("telar: ");
        say_raw(maps[k].path);
        say_raw(": the file was cut short, or could not be read, while it was in use\n");
        _exit(2);
    }
    signal(number, SIG_DFL);
    raise(number);
}

static void on_end(int number)
{
    remove_temporaries();
    signal(number, SIG_DFL);
    raise(number);
}

/* A WebGPU implementation that meets a fault of its own ends the process. */
static void on_abort(int number)
{
    (void)number;
    remove_temporaries();
    say_raw("telar: the WebGPU implementation ended the process; nothing was written\n");
    _exit(3);
}

/* A process may be started with standard streams closed: the next file opened would take their place, and messages would
 * go into it. A closed standard output becomes one that every write fails on. */
static void occupy_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) >= 0) continue;
        int opened = open("/dev/null", fd == STDERR_FILENO ? O_WRONLY : O_RDONLY);
        if (opened >= 0 && opened != fd) close(opened);
    }
}

void tl_file_guard(void)
{
    occupy_standard_streams();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a limit on file sizes becomes an error of a write, too */
    struct sigaction action = {0};
    sigemptyset(&action.sa_mask);
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGBUS, &action, NULL);
    signal(SIGABRT, on_abort);
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t k = 0; k < TL_COUNT(ends); k++) {
        struct sigaction before;
        if (sigaction(ends[k], NULL, &before) == 0 && before.sa_handler == SIG_IGN) continue;
        struct sigaction ending = {0};
        sigemptyset(&ending.sa_mask);
        ending.sa_handler = on_end;
        sigaction(ends[k], &ending, NULL);
    }
}

static uint32_t guard_map(const unsigned char *data, uint64_t size_bytes, const char *path)
{
    for (uint32_t k = 0; k < GUARDS_MAX; k++) {
        if (maps[k].data != NULL) continue;
        snprintf(maps[k].path, sizeof maps[k].path, "%s", path);
        maps[k].size_bytes = size_bytes;
        maps[k].data = data;
        return k + 1;
    }
    return 0;
}

static uint32_t guard_temporary(const char *path)
{
    for (uint32_t k = 0; k < GUARDS_MAX; k++) {
        if (temporary_used[k]) continue;
        snprintf(temporaries[k], sizeof temporaries[k], "%s", path);
        temporary_used[k] = 1;
        return k + 1;
    }
    return 0;
}

/* ---- input --------------------------------------------------------------------------------------------------------- */

static telar_status failed(telar_diag *diag, const char *path, int error)
{
    return tl_fail(diag, TELAR_IO_FAILED, "%s: %s", path, strerror(error));
}

/* All that a pipe gives, into memory that grows. */
static telar_status read_stream(int fd, const char *path, tl_file *file, telar_diag *diag)
{
    size_t cap = 0, len = 0;
    unsigned char *data = NULL;
    for (;;) {
        if (len == cap) {
            cap = cap == 0 ? 65536 : 2 * cap;
            unsigned char *larger = cap <= STREAM_BYTES_MAX ? realloc(data, cap) : NULL;
            if (larger == NULL) {
                free(data);
                return tl_fail_limit(diag, TELAR_IO_FAILED, len, STREAM_BYTES_MAX,
                                     "%s: more than %llu bytes come through a pipe; give a file", path,
                                     (unsigned long long)len);
            }
            data = larger;
        }
        ssize_t got = read(fd, data + len, cap - len);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            int error = errno;
            free(data);
            return failed(diag, path, error);
        }
        if (got == 0) break;
        len += (size_t)got;
    }
    *file = (tl_file){.data = data, .size_bytes = len};
    return TELAR_OK;
}

static telar_status map_regular(int fd, const char *path, uint64_t size, tl_file *file, telar_diag *diag)
{
    if (size > SIZE_MAX / 2) {
        return tl_fail_limit(diag, TELAR_OVERFLOWS, size, SIZE_MAX / 2, "%s: the file is too large", path);
    }
    void *data = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED) return read_stream(fd, path, file, diag);
    *file = (tl_file){.data = data, .size_bytes = size, .mapped = true};
    file->guard = guard_map(data, size, path);
    return TELAR_OK;
}

static telar_status open_fd(int fd, const char *path, tl_file *file, telar_diag *diag)
{
    struct stat info;
    if (fstat(fd, &info) != 0) return failed(diag, path, errno);
    if (S_ISDIR(info.st_mode)) return failed(diag, path, EISDIR);
    /* Files of the kernel say that they are empty and are not. */
    if (S_ISREG(info.st_mode) && info.st_size > 0) { return map_regular(fd, path, (uint64_t)info.st_size, file, diag); }
    return read_stream(fd, path, file, diag);
}

telar_status tl_file_open(const char *path, tl_file *file, telar_diag *diag)
{
    *file = (tl_file){0};
    if (strcmp(path, "-") == 0) return open_fd(STDIN_FILENO, "standard input", file, diag);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return failed(diag, path, errno);
    telar_status status = open_fd(fd, path, file, diag);
    close(fd);
    return status;
}

void tl_file_close(tl_file *file)
{
    if (file->guard != 0) maps[file->guard - 1].data = NULL;
    if (file->mapped) {
        munmap((void *)(uintptr_t)file->data, (size_t)file->size_bytes);
    } else {
        free((void *)(uintptr_t)file->data);
    }
    *file = (tl_file){0};
}

/* ---- output -------------------------------------------------------------------------------------------------------- */

static telar_status too_long(telar_diag *diag, const char *path)
{
    return failed(diag, path, ENAMETOOLONG);
}

/* A file that does not exist yet: its folder, through links, and its name. */
static char *resolve_new(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash == NULL ? 0 : (size_t)(slash - path) + 1;
    char copy[TL_PATH_BYTES];
    if (folder >= sizeof copy) return NULL;
    memcpy(copy, path, folder);
    copy[folder] = 0;
    char *real = realpath(folder == 0 ? "." : copy, NULL);
    if (real == NULL) return NULL;
    size_t bytes = strlen(real) + strlen(path + folder) + 2;
    char *whole = malloc(bytes);
    if (whole != NULL) snprintf(whole, bytes, "%s/%s", strcmp(real, "/") == 0 ? "" : real, path + folder);
    free(real);
    return whole;
}

/* The file that is meant: through links, so that a link stays one. Where there is no telling, the path itself. */
static bool resolve(const char *path, char resolved[TL_PATH_BYTES])
{
    char *real = realpath(path, NULL);
    if (real == NULL) real = resolve_new(path);
    int written = snprintf(resolved, TL_PATH_BYTES, "%s", real != NULL ? real : path);
    free(real);
    return written >= 0 && written < TL_PATH_BYTES;
}

static telar_status open_temporary(tl_output *output, const struct stat *existing, telar_diag *diag)
{
    const char *target = output->target;
    const char *slash = strrchr(target, '/');
    int folder = slash == NULL ? 0 : (int)(slash - target) + 1;
    int written = snprintf(output->temporary, sizeof output->temporary, "%.*s.telar-XXXXXX", folder, target);
    if (written < 0 || (size_t)written >= sizeof output->temporary) return too_long(diag, output->path);
    output->fd = mkstemp(output->temporary);
    if (output->fd < 0) return failed(diag, output->path, errno);
    output->temporary_made = true;
    output->guard = guard_temporary(output->temporary);
    mode_t mask = umask(0);
    umask(mask);
    fchmod(output->fd, existing != NULL ? existing->st_mode & 0777 : 0666 & ~mask);
    return TELAR_OK;
}

telar_status tl_output_begin(const char *path, tl_output *output, telar_diag *diag)
{
    *output = (tl_output){.fd = -1};
    if (strcmp(path, "-") == 0) {
        strcpy(output->path, "standard output");
        output->fd = dup(STDOUT_FILENO);
        return output->fd >= 0 ? TELAR_OK : failed(diag, output->path, errno);
    }
    if (path[0] == 0 || strlen(path) >= sizeof output->path || !resolve(path, output->target)) {
        return too_long(diag, path);
    }
    memcpy(output->path, path, strlen(path) + 1);
    struct stat info;
    bool exists = stat(output->target, &info) == 0;
    if (exists && S_ISDIR(info.st_mode)) return failed(diag, path, EISDIR);
    if (exists && access(output->target, W_OK) != 0) return failed(diag, path, errno);
    if (exists && !S_ISREG(info.st_mode)) {
        output->fd = open(output->target, O_WRONLY | O_CLOEXEC);
        return output->fd >= 0 ? TELAR_OK : failed(diag, path, errno);
    }
    return open_temporary(output, exists ? &info : NULL, diag);
}

telar_status tl_output_apart(const tl_output *a, const tl_output *b, telar_diag *diag)
{
    if (a->fd < 0 || b->fd < 0 || strcmp(a->target, b->target) != 0) return TELAR_OK;
    return tl_fail(diag, TELAR_INVALID_ARGUMENT, "%.200s and %.200s are the same file; each result needs its own",
                   a->path, b->path);
}

telar_status tl_output_write(tl_output *output, const void *data, uint64_t size_bytes, telar_diag *diag)
{
    const unsigned char *at = data;
    while (size_bytes > 0) {
        size_t part = size_bytes < (UINT64_C(1) << 30) ? (size_t)size_bytes : (size_t)1 << 30;
        ssize_t written = write(output->fd, at, part);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return failed(diag, output->path, errno);
        at += written;
        size_bytes -= (uint64_t)written;
    }
    return TELAR_OK;
}

static void forget_temporary(tl_output *output)
{
    if (output->guard != 0) temporary_used[output->guard - 1] = 0;
    output->guard = 0;
    output->temporary_made = false;
}

telar_status tl_output_commit(tl_output *output, telar_diag *diag)
{
    /* Some file systems report a full disk only here. */
    int fd = output->fd;
    output->fd = -1;
    telar_status status = TELAR_OK;
    if (close(fd) != 0) status = failed(diag, output->path, errno);
    if (status == TELAR_OK && output->temporary_made && rename(output->temporary, output->target) != 0) {
        status = failed(diag, output->path, errno);
    }
    if (status != TELAR_OK && output->temporary_made) unlink(output->temporary);
    forget_temporary(output);
    return status;
}

void tl_output_abandon(tl_output *output)
{
    if (output->fd >= 0) close(output->fd);
    output->fd = -1;
    if (output->temporary_made) unlink(output->temporary);
    forget_temporary(output);
}

bool tl_path_ends(const char *path, const char *ending)
{
    size_t len = strlen(path), wanted = strlen(ending);
    return len > wanted && path[len - wanted - 1] == '.' && strcasecmp(path + len - wanted, ending) == 0;
}
