/* SPDX-License-Identifier: MIT
 *
 * Stands in for libFuzzer: hands every file of the folders or files named to the fuzzer's function, and the empty input first. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int try_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) return 0;
    size_t cap = 1 << 16, len = 0, got;
    uint8_t *data = malloc(cap);
    while (data != NULL && (got = fread(data + len, 1, cap - len, file)) > 0) {
        len += got;
        if (len < cap) continue;
        uint8_t *grown = realloc(data, cap *= 2);
        if (grown == NULL) free(data);
        data = grown;
    }
    (void)fclose(file);
    if (data == NULL) return 0;
    /* A copy of the exact size, so that a sanitizer sees a read past the end. */
    uint8_t *exact = len > 0 ? realloc(data, len) : data;
    (void)LLVMFuzzerTestOneInput(exact, len);
    free(exact);
    return 1;
}

int main(int argc, char **argv)
{
    int tried = 1;
    (void)LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    for (int i = 1; i < argc; i++) {
        DIR *folder = opendir(argv[i]);
        if (folder == NULL) {
            tried += try_file(argv[i]);
            continue;
        }
        for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
            char path[4096];
            int len = snprintf(path, sizeof path, "%s/%s", argv[i], entry->d_name);
            if (entry->d_name[0] != '.' && len > 0 && (size_t)len < sizeof path) tried += try_file(path);
        }
        (void)closedir(folder);
    }
    (void)printf("%d inputs\n", tried);
    return 0;
}
