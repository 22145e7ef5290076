// SPDX-License-Identifier: Apache-2.0
#include "CSpeechWarp.h"

#include <kissfft/kiss_fftr.h>
#include <math.h>
#include <stdlib.h>

enum { SIZE = 512, BINS = SIZE / 2 + 1, FILTERS = 26 };

struct cspeech_bank {
    kiss_fftr_cfg transform;
    float window[CSPEECH_WINDOW];
    float cosines[CSPEECH_CEPSTRA][FILTERS];
    size_t count;
    /* For each warp and filter: the first bin, the number of bins, and their weights. */
    struct {
        int first, size;
        float weights[BINS];
    } filters[][FILTERS];
};

static double mel(double frequency) { return 2595 * log10(1 + frequency / 700); }
static double frequency(double mel) { return 700 * (pow(10, mel / 2595) - 1); }

cspeech_bank *cspeech_bank_create(const float *warps, size_t count) {
    const double lowest = mel(100), highest = mel(5500), rate = 16000, most = 7950;
    cspeech_bank *bank = calloc(1, sizeof *bank + count * sizeof bank->filters[0]);
    if (bank == NULL) return NULL;
    bank->transform = kiss_fftr_alloc(SIZE, 0, NULL, NULL);
    if (bank->transform == NULL) {
        free(bank);
        return NULL;
    }
    bank->count = count;
    for (int i = 0; i < CSPEECH_WINDOW; i++)
        bank->window[i] = (float)(0.54 - 0.46 * cos(2 * M_PI * i / (CSPEECH_WINDOW - 1)));
    for (int k = 0; k < CSPEECH_CEPSTRA; k++)
        for (int f = 0; f < FILTERS; f++)
            bank->cosines[k][f] = (float)(sqrt(2.0 / FILTERS) * cos(M_PI * k * (f + 0.5) / FILTERS));
    for (size_t w = 0; w < count; w++) {
        double edges[FILTERS + 2];
        for (int f = 0; f < FILTERS + 2; f++) {
            double place = frequency(lowest + (highest - lowest) * f / (FILTERS + 1)) * warps[w];
            edges[f] = fmin(place, most) * SIZE / rate;
        }
        for (int f = 0; f < FILTERS; f++) {
            double left = edges[f], middle = edges[f + 1], right = edges[f + 2];
            int first = BINS, size = 0;
            for (int bin = 0; bin < BINS; bin++) {
                double rising = middle > left ? (bin - left) / (middle - left) : -1;
                double falling = right > middle ? (right - bin) / (right - middle) : -1;
                double weight = fmin(rising, falling);
                if (weight <= 0) continue;
                if (first == BINS) first = bin;
                size = bin - first + 1;
                bank->filters[w][f].weights[bin - first] = (float)weight;
            }
            bank->filters[w][f].first = size > 0 ? first : 0;
            bank->filters[w][f].size = size;
        }
    }
    return bank;
}

void cspeech_bank_free(cspeech_bank *bank) {
    if (bank == NULL) return;
    kiss_fftr_free(bank->transform);
    free(bank);
}

void cspeech_cepstra(const cspeech_bank *bank, const float *samples, size_t frames, float *cepstra, float *energies) {
    float sound[SIZE] = {0}, power[BINS], levels[FILTERS];
    kiss_fft_cpx spectrum[BINS];
    for (size_t frame = 0; frame < frames; frame++) {
        const float *from = samples + frame * CSPEECH_STEP;
        /* A sample that is no number, from a broken decoder, is silence. */
        float before = from[0] - from[0] == 0 ? from[0] : 0;
        for (int i = 0; i < CSPEECH_WINDOW; i++) {
            float sample = from[i] - from[i] == 0 ? from[i] : 0;
            sample = sample > 8 ? 8 : sample < -8 ? -8 : sample;
            sound[i] = (sample - 0.97f * before) * bank->window[i];
            before = sample;
        }
        kiss_fftr(bank->transform, sound, spectrum);
        float sum = 1e-7f;
        for (int bin = 0; bin < BINS; bin++) {
            power[bin] = spectrum[bin].r * spectrum[bin].r + spectrum[bin].i * spectrum[bin].i;
            sum += power[bin];
        }
        energies[frame] = logf(sum);
        for (size_t w = 0; w < bank->count; w++) {
            for (int f = 0; f < FILTERS; f++) {
                const float *weights = bank->filters[w][f].weights;
                const float *bins = power + bank->filters[w][f].first;
                float level = 1e-6f;
                for (int i = 0; i < bank->filters[w][f].size; i++) level += weights[i] * bins[i];
                levels[f] = logf(level);
            }
            float *to = cepstra + (w * frames + frame) * CSPEECH_CEPSTRA;
            for (int k = 0; k < CSPEECH_CEPSTRA; k++) {
                float value = 0;
                for (int f = 0; f < FILTERS; f++) value += bank->cosines[k][f] * levels[f];
                to[k] = value;
            }
        }
    }
}

float cspeech_nearest(const float *points, size_t count, const float *book, size_t size, size_t dims) {
    double sum = 0;
    if (count == 0 || size == 0) return 0;
    for (size_t p = 0; p < count; p++) {
        float least = INFINITY;
        for (size_t b = 0; b < size; b++) {
            float distance = 0;
            for (size_t d = 0; d < dims; d++) {
                float difference = points[p * dims + d] - book[b * dims + d];
                distance += difference * difference;
            }
            if (distance < least) least = distance;
        }
        sum += least;
    }
    return (float)(sum / (double)count);
}
