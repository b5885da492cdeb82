/* SPDX-License-Identifier: MIT
 *
 * Words from anywhere as a recording: refused, or every walk over it stays inside. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <telar/record.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t words_count = size / 4;
    uint32_t *words = malloc(words_count * 4 + 4);
    if (words == NULL) return 0;
    memcpy(words, data, words_count * 4);
    /* The lengths of the header are easy to check and hard to guess. */
    if (words_count >= 6) words[2] = (uint32_t)words_count;
    telar_recording recording;
    telar_diag diag;
    if (telar_recording_open(words, words_count, &recording, &diag) == TELAR_OK) {
        telar_facts facts = telar_facts_default();
        telar_out out = {0};
        (void)telar_recording_verify(recording, &facts.limits, &diag);
        telar_recording_dump(recording, &out);
        if (!telar_recording_same(recording, recording, &out)) abort();
    }
    free(words);
    return 0;
}
