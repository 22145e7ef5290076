/* SPDX-License-Identifier: Apache-2.0 */
/* Another speed at the same pitch: SoundTouch behind a C interface. The reasons for SoundTouch and these
 * settings are in docs/decisions/0004-tempo-library.md.
 *
 * One stream belongs to one thread at a time. Nothing throws. After ctempo_create, nothing allocates
 * as long as blocks are no longer than CTEMPO_BLOCK (longer ones are taken in part). */
#ifndef CTEMPO_H
#define CTEMPO_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CTEMPO_BLOCK 4096 /* the largest number of frames that one put accepts */
#define CTEMPO_RATE_MIN 0.25
#define CTEMPO_RATE_MAX 4.0

typedef struct CTempo CTempo;

/* Creates a stream at rate 1. Returns NULL outside 1000...192000 Hz or 1...8 channels, or if there is no memory. */
CTempo *ctempo_create(int32_t sample_rate, int32_t channels);
void ctempo_destroy(CTempo *);

/* Restarts at a new rate and drops what is inside. Returns 0, or -1 for a rate out of range (no effect). */
int32_t ctempo_set_rate(CTempo *, double rate);

/* Restarts: the next frame put is input frame 0, the next frame taken output frame 0.
 *
 * Output frame n then belongs to input frame n * rate + ctempo_shift. That line has no drift; a frame
 * may be off it by ctempo_tolerance, because splices are placed where the waveforms agree. The
 * first 14 ms are exact: output frame 0 is input frame 0, sample for sample. */
void ctempo_clear(CTempo *);

/* Returns the mean distance from the line n * rate, in input frames: 0 at rate 1, behind (< 0) above it,
 * ahead below it (-15 ms at 2x). A sequence plays at the original speed and then jumps, so its middle is off
 * by half of the jump. For n near 0 the sum can be negative; the position is then 0. */
double ctempo_shift(const CTempo *);
double ctempo_tolerance(const CTempo *);

/* Returns the number of input frames from a restart to the first output. */
int32_t ctempo_first_input(const CTempo *);

/* Takes interleaved samples. Returns the number of frames accepted: fewer than offered, or 0, if the block
 * is longer than CTEMPO_BLOCK or output waits to be taken; 0 after flush; -1 on an internal error,
 * after which only clear, set_rate and destroy have an effect. */
int32_t ctempo_put(CTempo *, const float *samples, int32_t frames);

/* Returns the number of frames written; 0 if more input is needed or, after flush, at the end. */
int32_t ctempo_take(CTempo *, float *samples, int32_t frames);

/* Ends the input, so that what is inside comes out. In total round(input / rate) frames are taken between
 * a restart and the end. Returns 0, or -1 on an internal error. */
int32_t ctempo_flush(CTempo *);

#ifdef __cplusplus
}
#endif
#endif
