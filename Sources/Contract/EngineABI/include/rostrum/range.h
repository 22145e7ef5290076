/* SPDX-License-Identifier: Apache-2.0 */
/* Engine extension that plays clips: a range of the content, exact to the frame at both ends, once
 * or in a loop. */
#ifndef ROSTRUM_RANGE_H
#define ROSTRUM_RANGE_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ROSTRUM_RANGE_EXTENSION "rostrum.range/1"

/* The struct that the engine returns for ROSTRUM_RANGE_EXTENSION. */
typedef struct rostrum_range {
    uint32_t size;
    uint32_t reserved;
    /* Limits rendering to a range.
     *
     * From the next seek on nothing outside of [start, end) is rendered, in units of their tracks.
     * The range does not apply before that seek: the host renders ahead, and may go on doing so
     * between this call and the seek.
     *
     * At the end comes the block with ROSTRUM_BLOCK_END; or, if `loops` is not 0, the next block
     * begins at `start` again, without a gap: the one case in which positions run backwards.
     * A load forgets it. [engine-thread & loaded] */
    rostrum_result (*set_range)(rostrum_engine *engine, uint32_t start_track, int64_t start, uint32_t end_track,
                                int64_t end, int32_t loops);
} rostrum_range;

#ifdef __cplusplus
}
#endif
#endif
