/* SPDX-License-Identifier: Apache-2.0 */
/* Extension for engines that can say how loud each part of a track is, so that the session can draw a
 * waveform and find silences.
 *
 * The host asks an engine process of its own for peaks, at low priority, never the process from which
 * something is heard. */
#ifndef ROSTRUM_PEAKS_H
#define ROSTRUM_PEAKS_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ROSTRUM_PEAKS_EXTENSION "rostrum.peaks/1"

/* The range of frames that one peak may cover. */
#define ROSTRUM_PEAKS_LEAST_FRAMES 64u
#define ROSTRUM_PEAKS_MOST_FRAMES  65536u

/* What is heard within one stretch of a track, in samples of 16 bits: full scale is -32768 and 32767.
 *
 * A sample is the mean of all channels, times 32768, rounded to the nearest whole number (halves to the
 * even one) and limited to 16 bits. A number that is not finite counts as 0. */
typedef struct rostrum_peak {
    int16_t minimum;    /* the lowest sample */
    int16_t maximum;    /* the highest sample */
    uint16_t rms;       /* the root of the mean of all squares, rounded to the nearest; 0 to 32768 */
} rostrum_peak;

/* The struct that the engine returns for ROSTRUM_PEAKS_EXTENSION. */
typedef struct rostrum_peaks {
    uint32_t size;
    uint32_t reserved;
    /* Fills `peaks` with peak number `first` of the track and those that follow it, and sets `count`.
     *
     * Peak n covers what is heard in the units [n * f, (n + 1) * f), where f is `frames_per_peak`,
     * ROSTRUM_PEAKS_LEAST_FRAMES to ROSTRUM_PEAKS_MOST_FRAMES. The last peak of a track may cover less.
     * What could not be decoded counts as silence.
     *
     * Fills all of `capacity`, 1 or more, unless the track ends first: fewer peaks mean that the last of
     * them is the last of the track, and 0 that it has no peak `first`.
     *
     * A call that continues where the last one ended decodes straight on, and any other one seeks.
     * Obeys `interrupt`; the host then asks again for the same peaks. Afterwards rendering continues
     * where it was. Returns ROSTRUM_ERROR_UNSUPPORTED for content that is not audio.
     * [engine-thread & loaded] */
    rostrum_result (*peaks)(rostrum_engine *engine, uint32_t track, uint32_t frames_per_peak, uint64_t first,
                            rostrum_peak *peaks, uint32_t capacity, uint32_t *count);
} rostrum_peaks;

#ifdef __cplusplus
}
#endif
#endif
