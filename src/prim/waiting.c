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
    telar_buffer spine = tl_job_kept(stage->text.job, "spine", HEAD_WORDS + 2 * entries, 4);
    tl_stage_declare(stage, spine, "read_write> spine: array<atomic<u32>>");
    tl_text_waiting(&stage->text, waiting);
    tl_text_add(&stage->text, tl_wgsl_look_back_entries);
}

/* A unit holds one workgroup at least. Were there more of them than run at once, the result would still be right: a tile
 * that has not begun posts late, like one that is blocked. H200, 2^20 elements in 128 tiles: scan 7.0 us drawn, 6.7
 * together; select 7.1 and 6.9. */
static bool run_together(const telar_facts *facts, uint64_t tiles)
{
    return (double)tiles <= telar_facts_assume(facts, TELAR_FACT_COMPUTE_UNITS).value;
}

void tl_stage_look_back(tl_prim_stage *stage, uint64_t tiles, tl_waiting waiting)
{
    tl_stage_entries(stage, tiles, waiting);
    bool together = waiting.order == TL_TILE_ORDER_CHOSEN ? run_together(stage->text.job->prim->facts, tiles)
                                                          : waiting.order == TL_TILE_ORDER_TOGETHER;
    tl_text_add(&stage->text, together ? tl_wgsl_look_back_together : tl_wgsl_look_back_drawn);
    tl_text_add(&stage->text, stage->text.job->lanes > 32 ? tl_wgsl_lane_mask_words : tl_wgsl_lane_mask_word);
}
