/* SPDX-License-Identifier: MIT
 *
 * What the files of scan share.
 *
 *     scan.c         the call: what is asked for, which form does it, where segments begin
 *     scan_shape.c   sizes of tiles, by what was measured and what a device allows
 *     scan_stages.c  the kernels
 */
#ifndef TL_PRIM_SCAN_H
#define TL_PRIM_SCAN_H

#include "prim/accumulator.h"
#include "prim/scan_tuning.h"

/* A tile is scanned the same way in every kernel (kernels/scan_tiles.wgsl); what stands before it is found in one of
 * three. */
typedef enum tl_scan_form {
    TL_SCAN_ALONE,         /* one workgroup goes through the tiles: 1 dispatch */
    TL_SCAN_DETERMINISTIC, /* totals of the tiles; one workgroup scans them, alone; the tiles: 3 dispatches */
    TL_SCAN_APART,         /* the same three, an invocation a tile: without barriers, for CPU adapters */
    TL_SCAN_LOOK_BACK      /* each tile looks at what earlier ones have posted: 1 dispatch */
} tl_scan_form;

typedef enum tl_segments_kind {
    TL_NO_SEGMENTS,
    TL_BY_HEADS,
    TL_BY_KEYS,
    TL_BY_OFFSETS
} tl_segments_kind;

typedef struct tl_scan {
    tl_job job;
    const telar_scan_desc *desc;
    tl_scan_tuning tuning;
    tl_type_facts type;    /* of the elements */
    tl_accumulator values; /* what is combined of them */
    tl_type_facts sums;    /* values, or values that know of their segment */
    tl_view in, out, initial;
    bool in_place;
    tl_segments_kind segments;
    tl_view parts;      /* heads or keys */
    telar_buffer marks; /* a bit an element, made of offsets */
} tl_scan;

/* ---- scan_shape.c ------------------------------------------------------------------------------------------------ */

typedef struct tl_scan_shape {
    uint32_t size; /* of a workgroup */
    uint32_t rows; /* of an invocation, each of type.row elements */
    uint32_t tile; /* elements */
} tl_scan_shape;

/* Of the tiles of a form. */
tl_scan_shape tl_scan_shape_of(const tl_scan *s, tl_scan_form form);
/* Of TL_SCAN_APART, whose tiles are an invocation's. */
tl_scan_shape tl_scan_shape_apart(const tl_scan *s);
/* Of the workgroup that scans the totals. */
tl_scan_shape tl_scan_spine_shape(const tl_scan *s, uint64_t totals);

/* ---- scan_stages.c ----------------------------------------------------------------------------------------------- */

void tl_scan_alone(tl_scan *s);
void tl_scan_deterministic(tl_scan *s);
void tl_scan_apart(tl_scan *s);
void tl_scan_look_back(tl_scan *s);
/* A bit an element, from where segments begin: before any of the above. */
void tl_scan_make_marks(tl_scan *s);

#endif
