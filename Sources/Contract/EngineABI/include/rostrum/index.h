/* SPDX-License-Identifier: Apache-2.0 */
/* Extension for engines that must read a whole file once before they know its positions and duration
 * exactly: the host keeps what they found, and returns it when the same content is opened again.
 *
 * An index is a sequence of bytes that only the engine understands. It may say, for example, where
 * in the file each position is and how long the track is. The host keeps an index by the file's
 * content, not by its name. It may lose an index at any time. It checks only that the bytes it
 * returns are the bytes it was given. An engine that receives an index checks that its own version
 * wrote it and that it fits the file, and otherwise continues without it. */
#ifndef ROSTRUM_INDEX_H
#define ROSTRUM_INDEX_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ROSTRUM_INDEX_EXTENSION "rostrum.index/1"

/* The maximum size of an index that a host keeps, in bytes: 16 MiB. */
#define ROSTRUM_INDEX_LIMIT (16u * 1024u * 1024u)

/* The struct that the engine returns for ROSTRUM_INDEX_EXTENSION. */
typedef struct rostrum_index {
    uint32_t size;
    uint32_t reserved;
    /* Returns the index of a track, after "rostrum.measure/1" has measured the track.
     * The bytes stay valid until the next call on that engine. Returns ROSTRUM_ERROR_NOT_FOUND if
     * there is nothing worth keeping. [engine-thread & loaded] */
    rostrum_result (*index)(rostrum_engine *engine, uint32_t track, const uint8_t **bytes,
                            uint64_t *length);
} rostrum_index;

/* The struct that the host returns for the same ID from its get_extension. */
typedef struct rostrum_index_host {
    uint32_t size;
    uint32_t reserved;
    /* Returns the index that was kept for the source that was opened most recently.
     * The bytes stay valid until the next source is opened or the current call of the engine
     * returns. Returns ROSTRUM_ERROR_NOT_FOUND if no index was kept.
     * [engine-thread & created; after open_source of that track, within the same call] */
    rostrum_result (*index)(void *host_data, uint32_t track, const uint8_t **bytes,
                            uint64_t *length);
} rostrum_index_host;

#ifdef __cplusplus
}
#endif
#endif
