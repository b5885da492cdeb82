/* SPDX-License-Identifier: MIT
 *
 * Files: outputs that appear whole or not at all, and facts files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/facts_file.h"
#include "io/file.h"

#define FOLDER "test_io_files.tmp"
#define FILE_A FOLDER "/a.txt"

static int make_folder(void **state)
{
    (void)state;
    mkdir(FOLDER, 0777);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(FILE_A);
    unlink(FOLDER "/link");
    unlink(FOLDER "/facts.json");
    return rmdir(FOLDER);
}

static unsigned files_in_folder(void)
{
    DIR *folder = opendir(FOLDER);
    unsigned count = 0;
    while (folder != NULL && readdir(folder) != NULL) count++;
    if (folder != NULL) closedir(folder);
    assert_true(count >= 2);
    return count - 2;
}

static void write_text(const char *path, const char *text)
{
    tl_output output;
    assert_int_equal(tl_output_begin(path, &output, NULL), TELAR_OK);
    assert_int_equal(tl_output_write(&output, text, strlen(text), NULL), TELAR_OK);
    assert_int_equal(tl_output_commit(&output, NULL), TELAR_OK);
}

static void assert_text(const char *path, const char *text)
{
    tl_file file;
    assert_int_equal(tl_file_open(path, &file, NULL), TELAR_OK);
    assert_int_equal(file.size_bytes, strlen(text));
    assert_memory_equal(file.data, text, strlen(text));
    tl_file_close(&file);
}

static void appears_whole_or_not_at_all(void **state)
{
    (void)state;
    write_text(FILE_A, "old");
    tl_output output;
    assert_int_equal(tl_output_begin(FILE_A, &output, NULL), TELAR_OK);
    assert_int_equal(tl_output_write(&output, "ne", 2, NULL), TELAR_OK);
    assert_text(FILE_A, "old");
    tl_output_abandon(&output);
    tl_output_abandon(&output);
    assert_text(FILE_A, "old");
    assert_int_equal(files_in_folder(), 1);
    write_text(FILE_A, "new");
    assert_text(FILE_A, "new");
    assert_int_equal(files_in_folder(), 1);
}

static void keeps_links_and_modes(void **state)
{
    (void)state;
    write_text(FILE_A, "old");
    chmod(FILE_A, 0640);
    assert_int_equal(symlink("a.txt", FOLDER "/link"), 0);
    write_text(FOLDER "/link", "through");
    assert_text(FILE_A, "through");
    struct stat info;
    assert_int_equal(lstat(FOLDER "/link", &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(stat(FILE_A, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    unlink(FOLDER "/link");
}

static void says_what_cannot_be_written(void **state)
{
    (void)state;
    tl_output output;
    telar_diag diag = {0};
    assert_int_equal(tl_output_begin(FOLDER, &output, &diag), TELAR_IO_FAILED);
    assert_int_equal(tl_output_begin("no/such/folder/x", &output, &diag), TELAR_IO_FAILED);
    char name[TL_PATH_BYTES + 10];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = 0;
    assert_int_equal(tl_output_begin(name, &output, &diag), TELAR_IO_FAILED);
    assert_int_equal(tl_output_begin("/dev/full", &output, &diag), TELAR_OK);
    assert_int_equal(tl_output_write(&output, "x", 1, &diag), TELAR_IO_FAILED);
    tl_output_abandon(&output);
}

static void opens_only_what_can_be_read(void **state)
{
    (void)state;
    tl_file file;
    telar_diag diag = {0};
    assert_int_equal(tl_file_open(FOLDER, &file, &diag), TELAR_IO_FAILED);
    assert_int_equal(tl_file_open("no/such/file", &file, &diag), TELAR_IO_FAILED);
    write_text(FILE_A, "");
    assert_int_equal(tl_file_open(FILE_A, &file, &diag), TELAR_OK);
    assert_true(file.size_bytes == 0);
    tl_file_close(&file);
}

/* What a child process that does `work` ends with. */
static int status_of_child(void (*work)(void))
{
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (freopen("/dev/null", "w", stderr) == NULL) _exit(9);
        tl_file_guard();
        work();
        _exit(0);
    }
    int status = 0;
    assert_true(waitpid(child, &status, 0) == child);
    return status;
}

static volatile unsigned char touched;

static void read_a_file_that_shrinks(void)
{
    tl_output unfinished;
    tl_file file;
    if (tl_output_begin(FOLDER "/b.txt", &unfinished, NULL) != TELAR_OK) _exit(8);
    if (tl_file_open(FILE_A, &file, NULL) != TELAR_OK || truncate(FILE_A, 0) != 0) _exit(7);
    touched = file.data[file.size_bytes - 1];
}

static void wait_for_the_end(void)
{
    tl_output unfinished;
    if (tl_output_begin(FOLDER "/b.txt", &unfinished, NULL) != TELAR_OK) _exit(8);
    raise(SIGTERM);
}

static void a_file_that_shrinks_is_an_error(void **state)
{
    (void)state;
    write_text(FILE_A, "some text that goes away");
    int status = status_of_child(read_a_file_that_shrinks);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 2);
    assert_int_equal(files_in_folder(), 1);
}

static void an_end_by_signal_leaves_nothing(void **state)
{
    (void)state;
    int status = status_of_child(wait_for_the_end);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    assert_int_equal(files_in_folder(), 1);
}

static telar_status read_facts(const char *text, telar_facts *facts)
{
    telar_diag diag = {0};
    return tl_facts_text_read("facts.json", text, strlen(text), facts, &diag);
}

static void reads_facts(void **state)
{
    (void)state;
    telar_facts facts;
    assert_int_equal(
        read_facts("{\"version\": 1, \"device\": \"X\", \"type\": \"discrete\", \"more\": [1],"
                   " \"limits\": {\"maxBufferSize\": 4294967296, \"maxNew\": 1},"
                   " \"facts\": {\"compute_units\": {\"value\": 30, \"unit\": \"units\", \"source\": \"given\"},"
                   " \"bandwidth\": {\"value\": 1e6, \"spread\": 0.01, \"source\": \"measured\"}, \"new\": 3}}",
                   &facts),
        TELAR_OK);
    assert_string_equal(facts.device, "X");
    assert_int_equal(facts.type, TELAR_DEVICE_DISCRETE);
    assert_true(facts.limits.maxBufferSize == UINT64_C(4294967296));
    assert_true(facts.limits.maxComputeWorkgroupsPerDimension == 65535);
    assert_true(facts.values[TELAR_FACT_COMPUTE_UNITS].value == 30);
    assert_int_equal(facts.values[TELAR_FACT_BANDWIDTH].source, TELAR_SOURCE_MEASURED);
}

static void refuses_bad_facts(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "[]",
        "{",
        "{}",
        "nul",
        "{\"version\": 2, \"limits\": {}}",
        "{\"version\": \"1\", \"limits\": {}}",
        "{\"limits\": []}",
        "{\"limits\": {\"maxBufferSize\": -1}}",
        "{\"limits\": {\"maxBufferSize\": 1.5}}",
        "{\"limits\": {\"minStorageBufferOffsetAlignment\": 3}}",
        "{\"facts\": {\"compute_units\": 30}}",
        "{\"facts\": {\"compute_units\": {}}}",
        "{\"facts\": {\"compute_units\": {\"value\": -1}}}",
        "{\"facts\": {\"compute_units\": {\"value\": \"30\"}}}",
        "{\"facts\": {\"compute_units\": {\"value\": 30, \"source\": \"rumour\"}}}",
        "{\"facts\": {\"compute_units\": {\"value\": 1e999}}}",
        "{\"type\": \"toaster\", \"limits\": {}}",
        "{\"limits\": {}, \"limits\": {}}",
    };
    for (size_t k = 0; k < TL_COUNT(texts); k++) {
        telar_facts facts;
        assert_int_not_equal(read_facts(texts[k], &facts), TELAR_OK);
        assert_true(facts.limits.maxBufferSize == 0);
    }
}

static void keeps_names_it_does_not_know(void **state)
{
    (void)state;
    write_text(FOLDER "/facts.json", "{\"version\": 1, \"novel\": {\"a\": 1}, \"limits\": {\"maxNovel\": 7},"
                                     " \"facts\": {\"novel_fact\": {\"value\": 2}}}");
    telar_facts facts = telar_facts_default();
    telar_facts_set(&facts, TELAR_FACT_COMPUTE_UNITS, 132, TELAR_SOURCE_MEASURED);
    assert_int_equal(tl_facts_file_write(FOLDER "/facts.json", &facts, NULL, NULL), TELAR_OK);
    telar_facts read;
    assert_int_equal(tl_facts_file_read(FOLDER "/facts.json", &read, NULL), TELAR_OK);
    assert_true(read.values[TELAR_FACT_COMPUTE_UNITS].value == 132);
    tl_file file;
    assert_int_equal(tl_file_open(FOLDER "/facts.json", &file, NULL), TELAR_OK);
    char text[16384];
    assert_true(file.size_bytes < sizeof text);
    memcpy(text, file.data, (size_t)file.size_bytes);
    text[file.size_bytes] = 0;
    assert_non_null(strstr(text, "\"novel\""));
    assert_non_null(strstr(text, "\"maxNovel\": 7"));
    assert_non_null(strstr(text, "\"novel_fact\""));
    tl_file_close(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(appears_whole_or_not_at_all),
        cmocka_unit_test(keeps_links_and_modes),
        cmocka_unit_test(says_what_cannot_be_written),
        cmocka_unit_test(opens_only_what_can_be_read),
        cmocka_unit_test(a_file_that_shrinks_is_an_error),
        cmocka_unit_test(an_end_by_signal_leaves_nothing),
        cmocka_unit_test(reads_facts),
        cmocka_unit_test(refuses_bad_facts),
        cmocka_unit_test(keeps_names_it_does_not_know),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
