/* SPDX-License-Identifier: Apache-2.0 */
/* Extension for engines that play clips: a range of the content, exact to the frame at both ends,
 * once or in a loop.
 *
 * The engine does this, not the host, because only the engine can join the end of a loop to its
 * start without a gap. */
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
     * From the next seek on, nothing outside [start, end) is rendered. `start` and `end` are in units
     * of their own tracks. The range does not apply before that seek: the host renders ahead, and may
     * continue to do so between this call and the seek.
     *
     * The last block of the range carries ROSTRUM_BLOCK_END. If `loops` is not 0, there is no last
     * block: after `end` the next block begins at `start` again, without a gap. This is the only
     * case in which positions run backwards. A load removes the range. [engine-thread & loaded] */
    rostrum_result (*set_range)(rostrum_engine *engine, uint32_t start_track, int64_t start, uint32_t end_track,
                                int64_t end, int32_t loops);
} rostrum_range;

#ifdef __cplusplus
}
#endif
#endif
