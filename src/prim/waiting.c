/* SPDX-License-Identifier: MIT
 *
 * What kernels need that wait for other workgroups: where these post, and for how long is looked. */
#include "prim/prim.h"

enum {
    POLLS = 4000,
    HEAD_WORDS = 64, /* ENTRIES in kernels/look_back_entries.wgsl */
};

void tl_text_waiting(tl_text *text, tl_waiting waiting)
{
    tl_text_u32(text, "POLLS", waiting.polls == 0 ? POLLS : waiting.polls);
    tl_text_add(text, "fn posts(tile: u32) -> bool { return ");
    if (waiting.mute == 0) tl_text_add(text, "true");
    else tl_text_format(text, "tile %% %uu != 0u", waiting.mute);
    tl_text_add(text, "; }\n");
}

void tl_stage_entries(tl_prim_stage *stage, uint64_t entries, tl_waiting waiting)
{
    telar_buffer spine = tl_job_kept(stage->text.job, "spine", 4 * (HEAD_WORDS + 2 * entries));
    tl_stage_declare(stage, spine, "read_write> spine: array<atomic<u32>>");
    tl_text_waiting(&stage->text, waiting);
    tl_text_add(&stage->text, tl_wgsl_look_back_entries);
}
