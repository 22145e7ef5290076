// SPDX-License-Identifier: Apache-2.0
#ifndef CSPEECHWARP_H
#define CSPEECHWARP_H

#include <stddef.h>
#include <stdint.h>

/* What the alignment of speech spends its time with: cepstra, and the warping of one sequence of them onto another. */

enum {
    CSPEECH_CEPSTRA = 9, /* coefficients of a frame, the level first */
    CSPEECH_STEP = 160,  /* samples from one frame to the next: 10 ms at 16 kHz */
    CSPEECH_WINDOW = 400 /* samples that a frame sees */
};

/* Filters for several lengths of the vocal tract. */
typedef struct cspeech_bank cspeech_bank;

/* `warps` stretch the axis of frequencies; 1 leaves it. NULL if there is no memory. */
cspeech_bank *cspeech_bank_create(const float *warps, size_t count);
void cspeech_bank_free(cspeech_bank *bank);

/* Computes the mel-frequency cepstra of `frames` frames of sound at 16 kHz. `samples` has CSPEECH_STEP * (frames - 1) +
 * CSPEECH_WINDOW values. `cepstra` gets for each warp `frames` times CSPEECH_CEPSTRA values, `energies` the natural
 * logarithm of each frame's energy. */
void cspeech_cepstra(const cspeech_bank *bank, const float *samples, size_t frames, float *cepstra, float *energies);

/* The mean, over all points, of the squared distance to the nearest point of a book. Points have `dims` values. */
float cspeech_nearest(const float *points, size_t count, const float *book, size_t size, size_t dims);

/* What an alignment pays for, in units of squared distance; all are at least 0. */
typedef struct {
    float stay;          /* one more recorded frame at the same spoken frame */
    float skip;          /* leaving out a spoken frame */
    float open;          /* a gap that begins between passages */
    float open_within;   /* a gap that begins, or ends, within a passage */
    float recorded_gap;  /* each recorded frame in a gap */
    float spoken_gap;    /* each spoken frame in a gap */
    float pause_between; /* the reward for a second of silence between two passages */
    float pause_within;  /* the cost of a second of silence within one */
} cspeech_costs;

enum { CSPEECH_WITHIN = 0, CSPEECH_PASSAGE = 1, CSPEECH_PAUSE = 2 };

/* A recorded and a spoken sequence of frames without silences. */
typedef struct {
    const float *recorded; /* recorded_count rows of `dims` values */
    const float *spoken;   /* `dims` rows of spoken_count values: transposed */
    const float *baseline; /* for each recorded frame, the distance above which it speaks against a match */
    const float *pauses;   /* for each recorded frame, the seconds of silence before it */
    const uint8_t *places; /* for each spoken frame, what begins with it: a passage, or speech after a pause */
    size_t recorded_count, spoken_count, dims;
} cspeech_pair;

/* Finds the alignment of the most evidence. Both ends are free, and gaps may lie anywhere.
 *
 * `path` gets for each recorded frame the spoken one, or -1 in a gap; `distances` the squared distance, or 0 in a gap;
 * `evidence` that of the whole. Returns 0, or -1 if there is no memory; it takes recorded_count * spoken_count bytes. */
int cspeech_align(const cspeech_pair *pair, const cspeech_costs *costs, int32_t *path, float *distances,
                  float *evidence);

/* Finds where a short recorded stretch, all of it and without gaps, fits best in a long spoken sequence. Returns the
 * evidence; `first` and `last` get the spoken frames. Returns -INFINITY if there is no memory. */
float cspeech_scan(const cspeech_pair *pair, const cspeech_costs *costs, size_t *first, size_t *last);

/* Finds for every passage how much evidence each of its beginnings has.
 *
 * `turns` are the first spoken frames of all `count` passages, in order. `met` gets for each passage and each recorded frame
 * the evidence of the best alignment in which the passage begins there; `passed` gets for each passage that of the best one
 * without the passage. All have the same scale as the alignment of cspeech_align. Returns 0, or -1 if there is no memory. */
int cspeech_marginals(const cspeech_pair *pair, const cspeech_costs *costs, const uint32_t *turns, size_t count,
                      float *met, float *passed);

#endif
