/* SPDX-License-Identifier: Apache-2.0 */
/* Extension for engines that can change their own rate, as speech can. For an engine without this
 * extension, the session changes the speed, which costs processor time and some quality. */
#ifndef ROSTRUM_RATE_H
#define ROSTRUM_RATE_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ROSTRUM_RATE_EXTENSION "rostrum.rate/1"

/* The struct that the engine returns for ROSTRUM_RATE_EXTENSION. */
typedef struct rostrum_rate {
    uint32_t size;
    uint32_t reserved;
    double minimum;             /* the rates that the engine can produce itself; the session makes
                                   up the difference */
    double maximum;
    /* Sets the rate. Blocks rendered from now on have this rate: 2.0 is twice as fast. Positions are
     * the same at every rate.
     * [engine-thread & created] */
    rostrum_result (*set_rate)(rostrum_engine *engine, double rate);
} rostrum_rate;

#ifdef __cplusplus
}
#endif
#endif
