/* SPDX-License-Identifier: MIT
 *
 * Synthetic devices for tests of the planner: what each real one reports, and nothing that it does not. */
#ifndef PLAN_DEVICES_H
#define PLAN_DEVICES_H

#include <telar/plan.h>

/* The specification's defaults with another number of compute units. */
telar_facts device_with_units(double units);
/* The default limits with this many invocations a group, also on x and y. */
telar_facts device_with_invocations(uint64_t invocations);
/* An H200 through wgpu-native: limits and type only, as an adapter reports them. */
telar_facts device_h200(void);
/* The same with every fact of a profile, measured. */
telar_facts device_h200_profiled(void);
telar_facts device_integrated(void);
telar_facts device_lavapipe(void);
telar_facts device_swiftshader(void);
/* Lanes of 128 and nothing else known. */
telar_facts device_adreno(void);

#endif
