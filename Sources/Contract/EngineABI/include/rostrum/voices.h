/* SPDX-License-Identifier: Apache-2.0 */
/* Extension for engines that speak: lists their voices. The host selects one in `load`. */
#ifndef ROSTRUM_VOICES_H
#define ROSTRUM_VOICES_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ROSTRUM_VOICES_EXTENSION "rostrum.voices/1"

/* The description of one voice. The engine fills it in `voice`. */
typedef struct rostrum_voice {
    uint32_t size;
    uint32_t reserved;
    const char *name;           /* as rostrum_content.voice takes it */
    const char *language;       /* a BCP 47 tag */
    const char *description;    /* a text for people to read, or NULL */
} rostrum_voice;

/* The struct that the engine returns for ROSTRUM_VOICES_EXTENSION. */
typedef struct rostrum_voices {
    uint32_t size;
    uint32_t reserved;
    /* Returns the number of voices. [engine-thread & created] */
    uint32_t (*count)(rostrum_engine *engine);
    /* Describes the voice at an index. [engine-thread & created] */
    rostrum_result (*voice)(rostrum_engine *engine, uint32_t index, rostrum_voice *voice);
} rostrum_voices;

#ifdef __cplusplus
}
#endif
#endif
