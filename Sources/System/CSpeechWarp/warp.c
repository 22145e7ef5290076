// SPDX-License-Identifier: Apache-2.0
#include "CSpeechWarp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The way into a state. Each cell keeps two: that of the match in the low bits, that of the gap above them. */
enum { STAY = 0, STEP = 1, SKIP = 2, FROM_GAP = 3 };
enum { GAP_ON = 0 << 2, GAP_OPEN = 1 << 2, GAP_SPOKEN = 2 << 2, GAP_MASK = 3 << 2 };

static const float worst = -1e30f;

/* The squared distances of one recorded frame from all spoken ones. */
static void measure(const cspeech_pair *pair, size_t frame, float *restrict distances) {
    const size_t count = pair->spoken_count;
    memset(distances, 0, count * sizeof *distances);
    for (size_t d = 0; d < pair->dims; d++) {
        const float value = pair->recorded[frame * pair->dims + d];
        const float *restrict row = pair->spoken + d * count;
        for (size_t j = 0; j < count; j++) {
            float difference = value - row[j];
            distances[j] += difference * difference;
        }
    }
}

/* What a silence before a recorded frame is worth at each kind of place. */
typedef struct {
    float at[3];
} pause_worth;

static pause_worth worth(float pause, const cspeech_costs *costs) {
    float length = pause < 0.5f ? 2 * pause : 1;
    pause_worth worth;
    worth.at[CSPEECH_WITHIN] = -costs->pause_within * length;
    worth.at[CSPEECH_PASSAGE] = costs->pause_between * length;
    worth.at[CSPEECH_PAUSE] = -0.3f * costs->pause_within * length;
    return worth;
}

/* The match with spoken frame j, from the evidence of the recorded frame before. */
static inline float arrive(const float *before, const uint8_t *places, size_t j, const pause_worth *worth,
                           const cspeech_costs *costs, int *way) {
    float best = before[j] - costs->stay + worth->at[CSPEECH_WITHIN];
    int from = STAY;
    if (j > 0) {
        float here = worth->at[places[j]];
        float value = before[j - 1] + here;
        if (value > best) {
            best = value;
            from = STEP;
        }
        if (j > 1) {
            float there = worth->at[places[j - 1]];
            value = before[j - 2] - costs->skip + (there > here ? there : here);
            if (value > best) {
                best = value;
                from = SKIP;
            }
        }
    }
    *way = from;
    return best;
}

/* What a gap before spoken frame j, or behind the last one, costs, less what the silence at its beginning is worth. */
static inline float leaving(const cspeech_pair *pair, size_t j, const pause_worth *next, const cspeech_costs *costs) {
    if (j == pair->spoken_count || pair->places[j] == CSPEECH_PASSAGE) return next->at[CSPEECH_PASSAGE] - costs->open;
    return next->at[pair->places[j]] - costs->open_within;
}

/* What a gap that ends before spoken frame j costs, less what the silence there is worth. */
static inline float entering(const cspeech_pair *pair, size_t j, const pause_worth *pause, const cspeech_costs *costs) {
    float within = pair->places[j] == CSPEECH_PASSAGE ? 0 : costs->open_within - costs->open;
    return pause->at[pair->places[j]] - within;
}

int cspeech_align(const cspeech_pair *pair, const cspeech_costs *costs, int32_t *path, float *distances,
                  float *evidence) {
    const size_t n = pair->recorded_count, m = pair->spoken_count;
    *evidence = 0;
    if (n == 0) return 0;
    if (m == 0) {
        for (size_t i = 0; i < n; i++) path[i] = -1, distances[i] = 0;
        return 0;
    }
    /* A gap lies before a spoken frame, or behind the last one. */
    const size_t width = m + 1;
    float *rows = malloc((4 * m + 1) * sizeof *rows);
    uint8_t *ways = malloc(n * width);
    if (rows == NULL || ways == NULL) {
        free(rows);
        free(ways);
        return -1;
    }
    float *before = rows, *now = rows + m, *row = rows + 2 * m, *gap = rows + 3 * m;
    for (size_t j = 0; j < m; j++) before[j] = worst;
    for (size_t j = 0; j <= m; j++) gap[j] = -costs->spoken_gap * (float)j;
    for (size_t i = 0; i < n; i++) {
        measure(pair, i, row);
        const pause_worth pause = worth(pair->pauses[i], costs);
        const pause_worth next = worth(i + 1 < n ? pair->pauses[i + 1] : 1, costs);
        const float baseline = pair->baseline[i];
        uint8_t *way = ways + i * width;
        way[m] = 0;
        for (size_t j = 0; j < m; j++) {
            int from;
            float best = arrive(before, pair->places, j, &pause, costs, &from);
            float entered = gap[j] + entering(pair, j, &pause, costs);
            if (entered > best) {
                best = entered;
                from = FROM_GAP;
            }
            now[j] = best + baseline - row[j];
            way[j] = (uint8_t)from;
        }
        for (size_t j = 0; j <= m; j++) {
            float value = gap[j] - costs->recorded_gap;
            uint8_t from = GAP_ON;
            if (j > 0) {
                float open = now[j - 1] + leaving(pair, j, &next, costs);
                if (open > value) {
                    value = open;
                    from = GAP_OPEN;
                }
                if (gap[j - 1] - costs->spoken_gap > value) {
                    value = gap[j - 1] - costs->spoken_gap;
                    from = GAP_SPOKEN;
                }
            }
            gap[j] = value;
            way[j] |= from;
        }
        float *other = before;
        before = now;
        now = other;
    }
    float best = worst;
    size_t j = 0;
    int in_gap = 0;
    for (size_t k = 0; k <= m; k++) {
        if (k < m && before[k] > best) best = before[k], j = k, in_gap = 0;
        if (gap[k] > best) best = gap[k], j = k, in_gap = 1;
    }
    *evidence = best;
    for (size_t i = n; i-- > 0;) {
        if (in_gap) {
            while ((ways[i * width + j] & GAP_MASK) == GAP_SPOKEN) j--;
            if ((ways[i * width + j] & GAP_MASK) == GAP_ON) {
                path[i] = -1;
                distances[i] = 0;
                continue;
            }
            j--;
            in_gap = 0;
        }
        path[i] = (int32_t)j;
        float distance = 0;
        for (size_t d = 0; d < pair->dims; d++) {
            float difference = pair->recorded[i * pair->dims + d] - pair->spoken[d * m + j];
            distance += difference * difference;
        }
        distances[i] = distance;
        switch (ways[i * width + j] & 3) {
        case STAY: break;
        case STEP: j -= 1; break;
        case SKIP: j -= 2; break;
        default: in_gap = 1; break;
        }
    }
    free(rows);
    free(ways);
    return 0;
}

float cspeech_scan(const cspeech_pair *pair, const cspeech_costs *costs, size_t *first, size_t *last) {
    const size_t n = pair->recorded_count, m = pair->spoken_count;
    *first = *last = 0;
    if (n == 0 || m == 0) return -INFINITY;
    float *rows = malloc(3 * m * sizeof *rows);
    uint32_t *starts = malloc(2 * m * sizeof *starts);
    if (rows == NULL || starts == NULL) {
        free(rows);
        free(starts);
        return -INFINITY;
    }
    float *before = rows, *now = rows + m, *row = rows + 2 * m;
    uint32_t *origin = starts, *next = starts + m;
    for (size_t i = 0; i < n; i++) {
        measure(pair, i, row);
        const pause_worth pause = worth(pair->pauses[i], costs);
        for (size_t j = 0; j < m; j++) {
            if (i == 0) {
                now[j] = pair->baseline[i] - row[j];
                next[j] = (uint32_t)j;
                continue;
            }
            int from;
            float best = arrive(before, pair->places, j, &pause, costs, &from);
            next[j] = origin[from == STAY ? j : from == STEP ? j - 1 : j - 2];
            now[j] = best + pair->baseline[i] - row[j];
        }
        float *other = before;
        before = now;
        now = other;
        uint32_t *others = origin;
        origin = next;
        next = others;
    }
    float best = worst;
    for (size_t j = 0; j < m; j++)
        if (before[j] > best) best = before[j], *first = origin[j], *last = j;
    free(rows);
    free(starts);
    return best;
}

/* The evidence of a path from a cell on, from the evidence of the cells of the recorded frame behind it. `next` has the
 * distances of that frame subtracted already. */
static inline float leave(const float *next, const uint8_t *places, size_t j, size_t m, const pause_worth *worth,
                          const cspeech_costs *costs) {
    float best = next[j] - costs->stay + worth->at[CSPEECH_WITHIN];
    if (j + 1 < m) {
        float here = worth->at[places[j + 1]];
        if (next[j + 1] + here > best) best = next[j + 1] + here;
        if (j + 2 < m) {
            float there = worth->at[places[j + 2]];
            float value = next[j + 2] - costs->skip + (there > here ? there : here);
            if (value > best) best = value;
        }
    }
    return best;
}

int cspeech_marginals(const cspeech_pair *pair, const cspeech_costs *costs, const uint32_t *turns, size_t count,
                      float *met, float *passed) {
    const size_t n = pair->recorded_count, m = pair->spoken_count;
    for (size_t p = 0; p < count; p++) passed[p] = worst;
    for (size_t k = 0; k < count * n; k++) met[k] = worst;
    if (n == 0 || m == 0 || count == 0) return 0;
    /* `over` is the evidence up to the first frame of a passage that is left out at its beginning. */
    float *over = malloc(count * n * sizeof *over);
    float *rows = malloc((5 * m + 3) * sizeof *rows);
    if (over == NULL || rows == NULL) {
        free(over);
        free(rows);
        return -1;
    }
    float *before = rows, *now = rows + m, *row = rows + 2 * m, *gap = rows + 3 * m;
    for (size_t j = 0; j < m; j++) before[j] = worst;
    for (size_t j = 0; j <= m; j++) gap[j] = -costs->spoken_gap * (float)j;
    for (size_t i = 0; i < n; i++) {
        measure(pair, i, row);
        const pause_worth pause = worth(pair->pauses[i], costs);
        const pause_worth next = worth(i + 1 < n ? pair->pauses[i + 1] : 1, costs);
        const float baseline = pair->baseline[i];
        for (size_t p = 0; p < count; p++) {
            size_t t = turns[p];
            float here = pause.at[pair->places[t]];
            float best = gap[t] + here;
            if (t > 0 && before[t - 1] + here > best) best = before[t - 1] + here;
            if (t > 1) {
                float there = pause.at[pair->places[t - 1]];
                float value = before[t - 2] - costs->skip + (there > here ? there : here);
                if (value > best) best = value;
            }
            met[p * n + i] = best + baseline - row[t];
        }
        for (size_t j = 0; j < m; j++) {
            int from;
            float best = arrive(before, pair->places, j, &pause, costs, &from);
            float entered = gap[j] + entering(pair, j, &pause, costs);
            now[j] = (entered > best ? entered : best) + baseline - row[j];
        }
        for (size_t j = 0; j <= m; j++) {
            float value = gap[j] - costs->recorded_gap;
            if (j > 0) {
                float open = now[j - 1] + leaving(pair, j, &next, costs);
                if (open > value) value = open;
                if (gap[j - 1] - costs->spoken_gap > value) value = gap[j - 1] - costs->spoken_gap;
            }
            gap[j] = value;
        }
        for (size_t p = 0; p < count; p++) over[p * n + i] = gap[turns[p]];
        float *other = before;
        before = now;
        now = other;
    }
    /* Back again: `now` and `behind` are the evidence from a cell on, without the cell itself. */
    float *behind = gap + m + 1;
    for (size_t j = 0; j < m; j++) before[j] = 0;
    for (size_t j = 0; j <= m; j++) behind[j] = 0;
    for (size_t i = n; i-- > 0;) {
        if (i + 1 < n) {
            measure(pair, i + 1, row);
            const pause_worth pause = worth(pair->pauses[i + 1], costs);
            const float baseline = pair->baseline[i + 1];
            for (size_t j = 0; j < m; j++) before[j] += baseline - row[j];
            for (size_t j = m + 1; j-- > 0;) {
                float value = behind[j] - costs->recorded_gap;
                if (j < m) {
                    float entered = before[j] + entering(pair, j, &pause, costs);
                    if (entered > value) value = entered;
                    if (behind[j + 1] - costs->spoken_gap > value) value = behind[j + 1] - costs->spoken_gap;
                }
                behind[j] = value;
            }
            for (size_t j = 0; j < m; j++) {
                float best = leave(before, pair->places, j, m, &pause, costs);
                float open = behind[j + 1] + leaving(pair, j + 1, &pause, costs);
                now[j] = open > best ? open : best;
            }
            float *other = before;
            before = now;
            now = other;
        }
        for (size_t p = 0; p < count; p++) {
            size_t end = p + 1 < count ? turns[p + 1] : m;
            met[p * n + i] += before[turns[p]];
            float value = over[p * n + i] - costs->spoken_gap * (float)(end - turns[p]) + behind[end];
            if (value > passed[p]) passed[p] = value;
        }
    }
    free(over);
    free(rows);
    return 0;
}
