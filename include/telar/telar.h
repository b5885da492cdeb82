/* SPDX-License-Identifier: MIT
 *
 * telar/telar.h: the core in one include. It needs no WebGPU; add telar/host.h to run on a device.
 *
 *     base.h    statuses, diagnostics, bounded output, arenas, exact arithmetic
 *     facts.h   what is known of a device, and where it is from
 *     plan.h    from a count and facts to a launch, and why
 *     wgsl.h    reads, prints and reflects WGSL
 *     check.h   finds what is wrong with WGSL, alone or against a launch
 *     weave.h   from a kernel that people write, and a plan, to complete WGSL
 *     record.h  the unit of work that hosts run
 *
 * Example: examples/plan.c. */
#ifndef TELAR_TELAR_H
#define TELAR_TELAR_H

#include <telar/base.h>
#include <telar/check.h>
#include <telar/facts.h>
#include <telar/plan.h>
#include <telar/prim.h>
#include <telar/record.h>
#include <telar/weave.h>
#include <telar/wgsl.h>

#endif
