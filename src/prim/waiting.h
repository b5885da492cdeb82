/* SPDX-License-Identifier: MIT
 *
 * How kernels wait for what other workgroups of the same dispatch post, as benches and tests change it. */
#ifndef TL_PRIM_WAITING_H
#define TL_PRIM_WAITING_H

#include <stdint.h>

typedef struct tl_waiting {
    uint32_t
        polls; /* of what has not been posted, before those who wait find it out themselves; 0: about 3 ms on an H200 */
    uint32_t mute; /* every so manyth workgroup never posts, as if it were blocked; 0: none */
} tl_waiting;

#endif
