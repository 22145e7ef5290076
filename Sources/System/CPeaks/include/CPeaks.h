/* SPDX-License-Identifier: Apache-2.0 */
/* Peaks of decoded audio in whole numbers: see rostrum/peaks.h for what a sample and a peak are.
 *
 * The loops are in C because they take most of the time after decoding, and the compiler turns them into vector
 * instructions. All sums are of whole numbers, so the order of addition does not matter. */
#ifndef CPEAKS_H
#define CPEAKS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { CPEAKS_CHANNELS = 8 };

/* What the samples of one peak add up to so far. */
typedef struct cpeaks_tally {
    uint64_t squares;
    uint32_t count;     /* at most 65536 */
    int16_t minimum;    /* 0 while count is 0 */
    int16_t maximum;    /* 0 while count is 0 */
} cpeaks_tally;

/* How decoded samples lie in memory. */
typedef enum cpeaks_form { CPEAKS_INT16, CPEAKS_INT32, CPEAKS_FLOAT } cpeaks_form;

/* Writes the mean of all channels of `count` frames, from frame `offset` on, to `samples`.
 *
 * `planes` are one pointer for each channel, or one for all of them if `interleaved` is not 0. There are 1 to
 * CPEAKS_CHANNELS channels; for any other number nothing is written. */
void cpeaks_mix(cpeaks_form form, int interleaved, const uint8_t *const *planes, int channels, size_t offset,
                size_t count, int16_t *samples);

/* Adds samples to a tally, which must not have more than 65536 then. */
void cpeaks_add(cpeaks_tally *tally, const int16_t *samples, size_t count);

/* Adds `count` samples that are 0. */
void cpeaks_add_silence(cpeaks_tally *tally, size_t count);

/* Returns the root of the mean of the squares, rounded to the nearest whole number; 0 without a sample. */
uint16_t cpeaks_rms(const cpeaks_tally *tally);

#ifdef __cplusplus
}
#endif
#endif
