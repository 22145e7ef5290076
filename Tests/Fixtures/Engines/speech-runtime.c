/* SPDX-License-Identifier: Apache-2.0 */
/* A runtime for the engine `sherpa` that speaks in beeps, or fails as it is told when it is compiled:
 *
 *   -DNO_MODEL            it takes no model
 *   -DHANGS_IN_MODEL      it never returns from a model
 *   -DDIES_IN_MODEL       it dies of a model
 *   -DHANGS_FROM=N        it never returns from a sentence of N or more symbols
 *   -DDIES_FROM=N         it dies of such a sentence
 *   -DSILENT_FROM=N       it makes no sound of it
 */
#include "CSherpa.h"

#include <stdlib.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

enum { RATE = 16000 };
struct csherpa_voice {
    int unused;
};

EXPORT const char *SherpaOnnxGetVersionStr(void) { return "2.0.1"; }

EXPORT const csherpa_voice *SherpaOnnxCreateOfflineTts(const csherpa_settings *settings)
{
    (void)settings;
#if defined NO_MODEL
    return NULL;
#elif defined HANGS_IN_MODEL
    for (;;) pause();
#elif defined DIES_IN_MODEL
    abort();
#endif
    return calloc(1, sizeof(csherpa_voice));
}

EXPORT void SherpaOnnxDestroyOfflineTts(const csherpa_voice *voice) { free((void *)voice); }

EXPORT int32_t SherpaOnnxOfflineTtsSampleRate(const csherpa_voice *voice) { return voice ? RATE : 0; }

EXPORT int32_t SherpaOnnxOfflineTtsNumSpeakers(const csherpa_voice *voice) { return voice ? 1 : 0; }

EXPORT const csherpa_sound *SherpaOnnxOfflineTtsGenerateWithConfig(const csherpa_voice *voice, const char *text,
                                                                   const csherpa_order *order,
                                                                   csherpa_progress progress, void *context)
{
    (void)voice, (void)text, (void)progress, (void)context;
    int length = order->lengths ? order->lengths[0] : 0;
    (void)length;
#if defined HANGS_FROM
    if (length >= HANGS_FROM) for (;;) pause();
#elif defined DIES_FROM
    if (length >= DIES_FROM) abort();
#elif defined SILENT_FROM
    if (length >= SILENT_FROM) return NULL;
#endif
    csherpa_sound *sound = calloc(1, sizeof *sound);
    float *samples = calloc(RATE / 2, sizeof *samples);
    if (!sound || !samples) abort();
    for (int index = 0; index < RATE / 2; index++) samples[index] = index / 40 % 2 ? 0.2F : -0.2F;
    sound->samples = samples;
    sound->count = RATE / 2;
    sound->sample_rate = RATE;
    return sound;
}

EXPORT void SherpaOnnxDestroyOfflineTtsGeneratedAudio(const csherpa_sound *sound)
{
    if (!sound) return;
    free((void *)sound->samples);
    free((void *)sound);
}
