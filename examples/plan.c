/* SPDX-License-Identifier: MIT
 *
 * Plans a launch without a device, and says why: 5000 elements on a chip of 30 compute units. */
#include <stdio.h>

#include <telar/telar.h>

int main(void)
{
    telar_facts facts = telar_facts_default();
    telar_facts_set(&facts, TELAR_FACT_COMPUTE_UNITS, 30, TELAR_SOURCE_GIVEN);

    const uint32_t sizes[] = {256, 64};
    for (int k = 0; k < 2; k++) {
        telar_plan_desc desc = {.count = {5000}, .size = {sizes[k]}, .items = 1};
        telar_plan plan;
        telar_diag diag;
        if (telar_plan_make(&desc, &facts, &plan, &diag) != TELAR_OK) {
            fprintf(stderr, "%s\n", diag.text);
            return 1;
        }
        char text[4096];
        telar_out out = {text, sizeof text, 0};
        telar_plan_explain(&plan, &facts, TELAR_ENGLISH, &out);
        printf("%s\n", text);
    }
    return 0;
}
