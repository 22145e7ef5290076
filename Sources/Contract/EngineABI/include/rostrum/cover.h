/* SPDX-License-Identifier: Apache-2.0 */
/* Extension of an engine whose content may have a picture in it, as an audiobook has its cover. */
#ifndef ROSTRUM_COVER_H
#define ROSTRUM_COVER_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ROSTRUM_COVER_EXTENSION "rostrum.cover/1"

/* The most bytes of one picture that a host takes: 16 MiB. */
#define ROSTRUM_COVER_LIMIT 16777216u

typedef struct rostrum_cover {
    uint32_t size;
    uint32_t reserved;
    /* The picture in a track that stands for the whole best, as its file holds it: 1 to
     * ROSTRUM_COVER_LIMIT bytes. `media_type` says what the bytes are and not what a tag claims of
     * them: "image/" and a name, as "image/jpeg"; at most 64 bytes of printable ASCII. Both stay valid
     * until the next call on that engine. ROSTRUM_ERROR_NOT_FOUND if there is none. The same picture
     * each time. May open the track, obeys `interrupt`. Afterwards rendering goes on where it was.
     * [engine-thread & loaded] */
    rostrum_result (*cover)(rostrum_engine *engine, uint32_t track, const char **media_type,
                            const uint8_t **bytes, uint64_t *length);
} rostrum_cover;

#ifdef __cplusplus
}
#endif
#endif
