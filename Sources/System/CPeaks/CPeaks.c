// SPDX-License-Identifier: Apache-2.0
#include "CPeaks.h"

#include <math.h>
#include <string.h>

/* Rounds to the nearest whole number, halves to the even one, and limits it to 16 bits. Adding 1.5 * 2^23 leaves the
 * whole number in the low bits of a float, which is a vector instruction everywhere; lrintf is not. */
static inline int16_t rounded(float value) {
    value = value - value == 0 ? value : 0;
    value = value > -32768.0f ? value : -32768.0f;
    value = value < 32767.0f ? value : 32767.0f;
    float shifted = value + 12582912.0f;
    int32_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    return (int16_t)(bits - 0x4B400000);
}

/* The mean of any number of channels, in the order of the channels. */
#define MIX(type, full_scale)                                                                                         \
    do {                                                                                                              \
        const float factor = (full_scale) / (float)channels;                                                          \
        if (channels == 1) {                                                                                          \
            const type *a = (const type *)planes[0] + offset;                                                         \
            for (size_t i = 0; i < count; i++) samples[i] = rounded((float)a[i] * factor);                            \
        } else if (channels == 2 && !interleaved) {                                                                   \
            const type *a = (const type *)planes[0] + offset, *b = (const type *)planes[1] + offset;                  \
            for (size_t i = 0; i < count; i++) samples[i] = rounded(((float)a[i] + (float)b[i]) * factor);            \
        } else if (channels == 2) {                                                                                   \
            const type *a = (const type *)planes[0] + 2 * offset;                                                     \
            for (size_t i = 0; i < count; i++)                                                                        \
                samples[i] = rounded(((float)a[2 * i] + (float)a[2 * i + 1]) * factor);                               \
        } else {                                                                                                      \
            for (size_t i = 0; i < count; i++) {                                                                      \
                float sum = 0;                                                                                        \
                for (int c = 0; c < channels; c++)                                                                    \
                    sum += interleaved ? (float)((const type *)planes[0])[(offset + i) * (size_t)channels + (size_t)c] \
                                       : (float)((const type *)planes[c])[offset + i];                                \
                samples[i] = rounded(sum * factor);                                                                   \
            }                                                                                                         \
        }                                                                                                             \
    } while (0)

void cpeaks_mix(cpeaks_form form, int interleaved, const uint8_t *const *planes, int channels, size_t offset,
                size_t count, int16_t *restrict samples) {
    if (channels < 1 || channels > CPEAKS_CHANNELS) return;
    switch (form) {
    case CPEAKS_INT16: MIX(int16_t, 1.0f); break;
    case CPEAKS_INT32: MIX(int32_t, 1.0f / 65536); break;
    case CPEAKS_FLOAT: MIX(float, 32768.0f); break;
    }
}

void cpeaks_add(cpeaks_tally *tally, const int16_t *samples, size_t count) {
    if (count == 0) return;
    int16_t minimum = tally->count > 0 ? tally->minimum : INT16_MAX;
    int16_t maximum = tally->count > 0 ? tally->maximum : INT16_MIN;
    /* A square has up to 31 bits, so the sum of 65536 of its halves of 15 and 16 bits fits into 32. */
    uint32_t low = 0, high = 0;
    for (size_t i = 0; i < count; i++) {
        int16_t sample = samples[i];
        minimum = sample < minimum ? sample : minimum;
        maximum = sample > maximum ? sample : maximum;
        uint32_t square = (uint32_t)((int32_t)sample * sample);
        low += square & 0x7FFF;
        high += square >> 15;
    }
    tally->minimum = minimum;
    tally->maximum = maximum;
    tally->squares += ((uint64_t)high << 15) + low;
    tally->count += (uint32_t)count;
}

void cpeaks_add_silence(cpeaks_tally *tally, size_t count) {
    if (tally->count > 0 && count > 0) {
        if (tally->minimum > 0) tally->minimum = 0;
        if (tally->maximum < 0) tally->maximum = 0;
    }
    tally->count += (uint32_t)count;
}

uint16_t cpeaks_rms(const cpeaks_tally *tally) {
    if (tally->count == 0) return 0;
    return (uint16_t)floor(sqrt((double)tally->squares / tally->count) + 0.5);
}
