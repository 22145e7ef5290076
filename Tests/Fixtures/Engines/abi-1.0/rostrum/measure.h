/* SPDX-License-Identifier: Apache-2.0 */
/* Extension of an engine that can find out a duration exactly where the container only claims one. */
#ifndef ROSTRUM_MEASURE_H
#define ROSTRUM_MEASURE_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ROSTRUM_MEASURE_EXTENSION "rostrum.measure/1"

typedef struct rostrum_measure {
    uint32_t size;
    uint32_t reserved;
    /* Reads the whole track if it must, and gives its duration in units with
     * ROSTRUM_CONFIDENCE_EXACT; may take seconds, obeys `interrupt`. Afterwards rendering goes on
     * where it was. [engine-thread & loaded] */
    rostrum_result (*measure)(rostrum_engine *engine, uint32_t track, int64_t *duration);
} rostrum_measure;

#ifdef __cplusplus
}
#endif
#endif
