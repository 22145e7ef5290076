/* SPDX-License-Identifier: Apache-2.0 */
/* Extension of an engine that speaks: which voices it has. The voice is chosen with load. */
#ifndef ROSTRUM_VOICES_H
#define ROSTRUM_VOICES_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ROSTRUM_VOICES_EXTENSION "rostrum.voices/1"

typedef struct rostrum_voice {
    uint32_t size;
    uint32_t reserved;
    const char *name;           /* as rostrum_content.voice takes it */
    const char *language;       /* BCP 47 */
    const char *description;    /* for a person, or NULL */
} rostrum_voice;

typedef struct rostrum_voices {
    uint32_t size;
    uint32_t reserved;
    /* [engine-thread & created] */
    uint32_t (*count)(rostrum_engine *engine);
    rostrum_result (*voice)(rostrum_engine *engine, uint32_t index, rostrum_voice *voice);
} rostrum_voices;

#ifdef __cplusplus
}
#endif
#endif
