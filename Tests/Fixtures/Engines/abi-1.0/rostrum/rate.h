/* SPDX-License-Identifier: Apache-2.0 */
/* Extension of an engine that can change its own rate, as speech can. For an engine without it the
 * session stretches the sound. */
#ifndef ROSTRUM_RATE_H
#define ROSTRUM_RATE_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ROSTRUM_RATE_EXTENSION "rostrum.rate/1"

typedef struct rostrum_rate {
    uint32_t size;
    uint32_t reserved;
    double minimum;             /* the range it can do itself; the session does the rest */
    double maximum;
    /* Blocks rendered from now on have this rate: 2.0 is twice as fast. [engine-thread & created] */
    rostrum_result (*set_rate)(rostrum_engine *engine, double rate);
} rostrum_rate;

#ifdef __cplusplus
}
#endif
#endif
