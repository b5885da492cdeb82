/* SPDX-License-Identifier: MIT
 *
 * A companion's process: two pipes, one line there and one back. */
#include "harness/case.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"

enum {
    LINE_BYTES = 512,
    PATIENCE_MS = 180000
};

extern char **environ;

/* ---- Process ----------------------------------------------------------------------------------------------------- */

static telar_status spawn(const char *command, int there[2], int back[2], pid_t *pid, telar_diag *diag)
{
    char shell[] = "sh", flag[] = "-c";
    char *text = strdup(command);
    if (text == NULL) return tl_fail(diag, TELAR_OUT_OF_MEMORY, "no memory to start '%s'", command);
    char *const arguments[] = {shell, flag, text, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, there[0], 0);
    posix_spawn_file_actions_adddup2(&actions, back[1], 1);
    int error = posix_spawnp(pid, "sh", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    free(text);
    return error == 0 ? TELAR_OK : tl_fail(diag, TELAR_IO_FAILED, "cannot start '%s': %s", command, strerror(error));
}

/* No other companion inherits the ends: each would keep the next one from seeing that its input has ended. */
static bool make_pipe(int ends[2])
{
    if (pipe(ends) != 0) return false;
    return fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
}

telar_status bench_companion_start(bench *b, const char *name, const char *command, telar_diag *diag)
{
    int there[2], back[2];
    pid_t pid;
    if (b->companions_count == BENCH_COMPANIONS_MAX) {
        return tl_fail_limit(diag, TELAR_LIMIT_EXCEEDED, b->companions_count + 1, BENCH_COMPANIONS_MAX,
                             "more companions than %d", BENCH_COMPANIONS_MAX);
    }
    if (!make_pipe(there)) return tl_fail(diag, TELAR_IO_FAILED, "no pipe: %s", strerror(errno));
    if (!make_pipe(back)) {
        close(there[0]), close(there[1]);
        return tl_fail(diag, TELAR_IO_FAILED, "no pipe: %s", strerror(errno));
    }
    telar_status status = spawn(command, there, back, &pid, diag);
    close(there[0]), close(back[1]);
    if (status != TELAR_OK) {
        close(there[1]), close(back[0]);
        return status;
    }
    bench_companion *companion = &b->companions[b->companions_count++];
    *companion = (bench_companion){.pid = (int)pid, .to = there[1], .from = back[0]};
    telar_out out = {companion->name, sizeof companion->name, 0};
    tl_out_text(&out, name);
    return TELAR_OK;
}

/* Its input ends, and so should it. */
void bench_companion_stop(bench_companion *companion)
{
    close(companion->to);
    close(companion->from);
    waitpid((pid_t)companion->pid, NULL, 0);
    *companion = (bench_companion){0};
}

/* ---- Lines ------------------------------------------------------------------------------------------------------- */

/* False when it has ended, or is silent for too long. */
static bool read_line(int from, char line[LINE_BYTES])
{
    size_t length = 0;
    struct pollfd ready = {.fd = from, .events = POLLIN};
    while (length + 1 < LINE_BYTES) {
        if (poll(&ready, 1, PATIENCE_MS) != 1 || read(from, line + length, 1) != 1) return false;
        if (line[length] == '\n') {
            line[length] = 0;
            return true;
        }
        length++;
    }
    return false;
}

static bool write_all(int to, const char *text, size_t bytes)
{
    while (bytes > 0) {
        ssize_t wrote = write(to, text, bytes);
        if (wrote <= 0) return false;
        text += wrote;
        bytes -= (size_t)wrote;
    }
    return true;
}

static bool ask(const bench_companion *companion, const bench_problem *problem, uint64_t n, char line[LINE_BYTES])
{
    telar_out out = {line, LINE_BYTES, 0};
    tl_out_format(&out, "measure %llu %s\n", (unsigned long long)n, problem->name);
    return write_all(companion->to, line, out.len) && read_line(companion->from, line);
}

/* ---- Answers ----------------------------------------------------------------------------------------------------- */

static void refuse(bench_result *result, bench_verdict verdict, const char *text)
{
    result->verdict = verdict;
    telar_out out = {result->text, sizeof result->text, 0};
    tl_out_text(&out, text);
}

static void take_time(const char *answer, const bench_problem *problem, const bench_data *data, bench_result *result,
                      uint32_t round)
{
    char *end;
    result->ns[round] = strtod(answer, &end);
    if (end == answer || !(result->ns[round] > 0)) {
        refuse(result, BENCH_FAILED, "no time in the answer");
        return;
    }
    while (*end == ' ') end++;
    if (*end == 0) {
        if (result->verdict == BENCH_RIGHT) refuse(result, BENCH_UNCHECKED, "its results are not checked");
    } else if (strtoull(end, NULL, 16) != bench_digest(data, problem)) {
        refuse(result, BENCH_WRONG, "its digest is another");
    }
}

void bench_companion_measure(bench_companion *companion, const bench_problem *problem, const bench_data *data,
                             bench_result *result, uint32_t round)
{
    static const char failed[] = "failed ", unsupported[] = "unsupported ", ns[] = "ns ";
    char line[LINE_BYTES];
    result->clock = BENCH_CLOCK_COMPANION;
    if (!ask(companion, problem, data->n, line)) {
        refuse(result, BENCH_FAILED, "it has ended, or does not answer");
    } else if (strncmp(line, ns, sizeof ns - 1) == 0) {
        take_time(line + sizeof ns - 1, problem, data, result, round);
    } else if (strncmp(line, unsupported, sizeof unsupported - 1) == 0) {
        refuse(result, BENCH_UNSUPPORTED, line + sizeof unsupported - 1);
    } else {
        size_t skip = strncmp(line, failed, sizeof failed - 1) == 0 ? sizeof failed - 1 : 0;
        refuse(result, BENCH_FAILED, line + skip);
    }
}
