/* SPDX-License-Identifier: MIT
 *
 * How kernels wait for what other workgroups of the same dispatch post, as benches and tests change it. */
#ifndef TL_PRIM_WAITING_H
#define TL_PRIM_WAITING_H

#include <stdint.h>

/* Which tile a workgroup has, in look-back. */
typedef enum tl_tile_order {
    TL_TILE_ORDER_CHOSEN = 0,
    TL_TILE_ORDER_DRAWN,    /* that of the workgroups' begin */
    TL_TILE_ORDER_TOGETHER, /* that of their numbers: they are meant to run all at once */
} tl_tile_order;

typedef struct tl_waiting {
    uint32_t polls; /* of what is not posted, before those who wait find it out; 0: about 3 ms on an H200 */
    uint32_t mute;  /* every so manyth workgroup never posts, as if it were blocked; 0: none */
    tl_tile_order order;
} tl_waiting;

#endif
