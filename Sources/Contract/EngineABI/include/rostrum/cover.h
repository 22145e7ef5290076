/* SPDX-License-Identifier: Apache-2.0 */
/* Extension for engines whose content may contain a picture, such as the cover of an audiobook.
 *
 * The host asks for a picture when an item enters the library, and never while playback is waiting for
 * its first sound. */
#ifndef ROSTRUM_COVER_H
#define ROSTRUM_COVER_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ROSTRUM_COVER_EXTENSION "rostrum.cover/1"

/* The maximum size of a picture that a host accepts, in bytes: 16 MiB. */
#define ROSTRUM_COVER_LIMIT 16777216u

/* The struct that the engine returns for ROSTRUM_COVER_EXTENSION. */
typedef struct rostrum_cover {
    uint32_t size;
    uint32_t reserved;
    /* Returns the picture in a track that best represents the whole item, as its file holds it:
     * 1 to ROSTRUM_COVER_LIMIT bytes. `media_type` names the actual format of the bytes, which may
     * differ from what a tag claims: "image/" and a name, such as "image/jpeg"; at most 64 bytes of
     * printable ASCII. `media_type` and `bytes` stay valid until the next call on that engine.
     * Returns the same picture each time, or ROSTRUM_ERROR_NOT_FOUND if there is none.
     *
     * May open the track, and obeys `interrupt`. Afterwards rendering continues where it was.
     * [engine-thread & loaded] */
    rostrum_result (*cover)(rostrum_engine *engine, uint32_t track, const char **media_type,
                            const uint8_t **bytes, uint64_t *length);
} rostrum_cover;

#ifdef __cplusplus
}
#endif
#endif
