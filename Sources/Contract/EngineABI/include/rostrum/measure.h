/* SPDX-License-Identifier: Apache-2.0 */
/* Extension for engines that can determine the exact duration of a track whose container states one
 * that may be wrong. */
#ifndef ROSTRUM_MEASURE_H
#define ROSTRUM_MEASURE_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ROSTRUM_MEASURE_EXTENSION "rostrum.measure/1"

/* The struct that the engine returns for ROSTRUM_MEASURE_EXTENSION. */
typedef struct rostrum_measure {
    uint32_t size;
    uint32_t reserved;
    /* Measures a track, and returns its duration in units, with ROSTRUM_CONFIDENCE_EXACT.
     * It reads the whole track if it must, which may take seconds, and obeys `interrupt`: the host
     * interrupts it for sound and for every command. An engine that remembers how far it got
     * finishes eventually; one that starts over each time may never finish.
     * Afterwards rendering continues where it was. [engine-thread & loaded] */
    rostrum_result (*measure)(rostrum_engine *engine, uint32_t track, int64_t *duration);
} rostrum_measure;

#ifdef __cplusplus
}
#endif
#endif
