/* SPDX-License-Identifier: MIT
 *
 * What commands say of times: the share of a copy, by what was measured of the device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "run_launch.h"

static bool near(double value, double wanted)
{
    return value > wanted * 0.9999 && value < wanted * 1.0001;
}

static void share_of_copy(void **state)
{
    (void)state;
    telar_facts facts = telar_facts_default();
    assert_true(tl_share_of_copy(&facts, 8000, 10) == 0);
    telar_facts_set(&facts, TELAR_FACT_BANDWIDTH, 1000, TELAR_SOURCE_TABLE); /* supposed, not measured */
    assert_true(tl_share_of_copy(&facts, 8000, 10) == 0);
    telar_facts_set(&facts, TELAR_FACT_BANDWIDTH, 1000, TELAR_SOURCE_MEASURED); /* bytes/us: 1 GB/s */
    assert_true(near(tl_share_of_copy(&facts, 8000, 10), 0.8));
    assert_true(tl_share_of_copy(&facts, 0, 10) == 0);
    assert_true(tl_share_of_copy(&facts, 8000, 0) == 0);
    /* A cache of 8000 bytes that is four times as fast. */
    telar_facts_set(&facts, TELAR_FACT_CACHE_BANDWIDTH, 4000, TELAR_SOURCE_MEASURED);
    assert_true(near(tl_share_of_copy(&facts, 8000, 10), 0.8));
    telar_facts_set(&facts, TELAR_FACT_CACHE_BYTES, 8000, TELAR_SOURCE_MEASURED);
    assert_true(near(tl_share_of_copy(&facts, 8000, 10), 0.2));
    assert_true(near(tl_share_of_copy(&facts, 8001, 10), 0.8001));
    /* A dispatch that does nothing takes 3 us: no copy is faster. */
    telar_facts_set(&facts, TELAR_FACT_DISPATCH_OVERHEAD, 3, TELAR_SOURCE_MEASURED);
    assert_true(near(tl_share_of_copy(&facts, 8000, 10), 0.5));
    assert_true(near(tl_share_of_copy(&facts, 4, 3.001), 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(share_of_copy)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
