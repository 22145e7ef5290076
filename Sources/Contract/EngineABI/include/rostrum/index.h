/* SPDX-License-Identifier: Apache-2.0 */
/* Extension for engines that have to read a file once before they know it exactly: what they found
 * out is kept by the host, and comes back when the same content is opened again.
 *
 * An index is bytes that only the engine understands: where in the file which position lies, how
 * long it is. The host keeps it with the content, not with a name; it may lose it at any time, and
 * checks only that the bytes are those that it was given. An engine that is handed an index looks
 * whether it is one of its own version and fits the file, and goes on without it if not. */
#ifndef ROSTRUM_INDEX_H
#define ROSTRUM_INDEX_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ROSTRUM_INDEX_EXTENSION "rostrum.index/1"

/* The most bytes of one index that a host keeps. */
#define ROSTRUM_INDEX_LIMIT (16u * 1024u * 1024u)

/* Of the engine. */
typedef struct rostrum_index {
    uint32_t size;
    uint32_t reserved;
    /* The index of a track, once "rostrum.measure/1" has measured it; the bytes stay valid until the
     * next call on that engine. ROSTRUM_ERROR_NOT_FOUND if there is nothing worth keeping.
     * [engine-thread & loaded] */
    rostrum_result (*index)(rostrum_engine *engine, uint32_t track, const uint8_t **bytes,
                            uint64_t *length);
} rostrum_index;

/* Of the host, by its get_extension under the same id. */
typedef struct rostrum_index_host {
    uint32_t size;
    uint32_t reserved;
    /* What was kept for the source that was opened last; the bytes stay valid until the next source
     * is opened, or the call of the engine returns. ROSTRUM_ERROR_NOT_FOUND if there is none.
     * [engine-thread & created; after open_source of that track, within the same call] */
    rostrum_result (*index)(void *host_data, uint32_t track, const uint8_t **bytes,
                            uint64_t *length);
} rostrum_index_host;

#ifdef __cplusplus
}
#endif
#endif
