/* SPDX-License-Identifier: MIT
 *
 * Any bytes are a facts file or refused; with what is read a plan is made, which must not fault either. */
#include "io/facts_file.h"

#include <telar/plan.h>

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    telar_facts facts;
    telar_diag diag = {0};
    telar_status status = tl_facts_text_read("fuzz.json", (const char *)data, size, &facts, &diag);
    if ((status == TELAR_OK) != (diag.text[0] == 0)) abort();
    if (status != TELAR_OK) return 0;
    static const uint64_t counts[] = {0, 1, 3000001, UINT64_C(1) << 40};
    for (size_t k = 0; k < TL_COUNT(counts); k++) {
        telar_plan_desc desc = {.count = {counts[k]}};
        telar_plan plan;
        telar_plan_make(&desc, &facts, &plan, &diag);
    }
    return 0;
}
