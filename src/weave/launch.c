/* SPDX-License-Identifier: MIT
 *
 * The launch block: what every woven kernel is told at a dispatch. */
#include "weave/weave.h"

void telar_launch_params(const telar_plan *plan, const telar_window *window, uint32_t words[TELAR_LAUNCH_WORDS])
{
    uint64_t group_elements = telar_plan_group_elements(plan);
    bool linear_domain = plan->dimensions == 1;
    uint64_t groups = window->groups;
    if (plan->shape == TELAR_SHAPE_STRIDE && linear_domain) groups = telar_ceil_div(window->count, group_elements);
    words[0] = (uint32_t)(linear_domain ? window->count : plan->count[0]);
    words[1] = (uint32_t)(linear_domain ? 1 : plan->count[1]);
    words[2] = (uint32_t)(linear_domain ? 1 : plan->count[2]);
    words[3] = (uint32_t)groups;
    words[4] = window->row_groups;
    words[5] = window->dispatch[1];
    words[6] = window->dispatch[0] * window->dispatch[1] * window->dispatch[2];
    words[7] = (uint32_t)window->first;
}

void tl_print_launch_block(tl_launch_place place, telar_out *out)
{
    tl_out_text(out, "\nstruct telar_launch_block {\n"
                     "    count: vec3u,\n"
                     "    groups: u32,\n"
                     "    row_groups: u32,\n"
                     "    rows: u32,\n"
                     "    stride: u32,\n"
                     "    base: u32,\n"
                     "}\n");
    if (place.kind == TELAR_PARAMS_IMMEDIATE) {
        tl_out_text(out, "var<immediate> telar_launch: telar_launch_block;\n\n");
        return;
    }
    tl_out_format(out, "@group(%u) @binding(%u) var<uniform> telar_launch: telar_launch_block;\n", place.group,
                  place.binding);
    if (place.canary) {
        tl_out_format(out, "@group(%u) @binding(%u) var<storage, read_write> telar_report: array<u32>;\n", place.group,
                      place.binding + 1);
    }
    tl_out_text(out, "\n");
}

void tl_print_canary(const char *local, telar_out *out)
{
    tl_out_format(out,
                  "    if (all(telar_workgroup == vec3u()) && %s) { telar_report[4 * telar_launch.base + 3] = 1; }\n",
                  local);
}

void tl_print_group_number(telar_shape shape, telar_out *out)
{
    if (shape == TELAR_SHAPE_LINEAR) {
        tl_out_text(out, "telar_workgroup.x");
        return;
    }
    tl_out_text(out, "(telar_workgroup.z * telar_launch.rows + telar_workgroup.y) * telar_launch.row_groups"
                     " + telar_workgroup.x");
}
