/* SPDX-License-Identifier: MIT
 *
 * What the verifier must know of counted launches: who may write a dispatch, and that it stays within the limits. */
#ifndef TL_RECORD_COUNTED_H
#define TL_RECORD_COUNTED_H

#include "record/reader.h"

/* The scratch of one counted launch: the launch block (8 words), x, y, z, and room so that the next one can be bound as a
 * uniform too. It is a buffer of its own since one that is written in a dispatch cannot be its argument buffer. */
#define TL_LAUNCH_SLOT_BYTES 256u
/* The position of the scratch among the prepare kernel's bindings. */
#define TL_PREPARE_LAUNCHES 1u

/* The library's own prepare kernel, to the letter: whatever it writes is a dispatch within the limits of its jobs. */
bool tl_is_prepare_kernel(const tl_op_kernel *kernel);
/* Whether the first `count` jobs of a dispatch of it keep every axis within `limit`. */
bool tl_jobs_keep_limit(tl_words params, uint32_t count, uint64_t limit);

#endif
