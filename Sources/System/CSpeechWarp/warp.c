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
    float length = pause < 1 ? pause : 1;
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

int cspeech_align(const cspeech_pair *pair, const cspeech_costs *costs, int32_t *path, float *distances) {
    const size_t n = pair->recorded_count, m = pair->spoken_count;
    if (n == 0) return 0;
    if (m == 0) {
        for (size_t i = 0; i < n; i++) path[i] = -1, distances[i] = 0;
        return 0;
    }
    float *rows = malloc(4 * m * sizeof *rows);
    uint8_t *ways = malloc(n * m);
    if (rows == NULL || ways == NULL) {
        free(rows);
        free(ways);
        return -1;
    }
    float *before = rows, *now = rows + m, *gap = rows + 2 * m, *row = rows + 3 * m;
    for (size_t j = 0; j < m; j++) {
        before[j] = worst;
        gap[j] = -costs->spoken_gap * (float)j;
    }
    const float within = costs->open_within - costs->open;
    for (size_t i = 0; i < n; i++) {
        measure(pair, i, row);
        const pause_worth pause = worth(pair->pauses[i], costs);
        const float baseline = pair->baseline[i];
        uint8_t *way = ways + i * m;
        for (size_t j = 0; j < m; j++) {
            int from;
            float best = arrive(before, pair->places, j, &pause, costs, &from);
            float entered = gap[j] - (pair->places[j] == CSPEECH_PASSAGE ? 0 : within);
            if (entered > best) {
                best = entered;
                from = FROM_GAP;
            }
            now[j] = best + baseline - row[j];
            way[j] = (uint8_t)from;
        }
        for (size_t j = 0; j < m; j++) {
            float value = gap[j] - costs->recorded_gap;
            uint8_t from = GAP_ON;
            if (j > 0) {
                float open = now[j - 1] - (pair->places[j] == CSPEECH_PASSAGE ? costs->open : costs->open_within);
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
    for (size_t k = 0; k < m; k++) {
        if (before[k] > best) best = before[k], j = k, in_gap = 0;
        if (gap[k] > best) best = gap[k], j = k, in_gap = 1;
    }
    for (size_t i = n; i-- > 0;) {
        if (in_gap) {
            while ((ways[i * m + j] & GAP_MASK) == GAP_SPOKEN) j--;
            if ((ways[i * m + j] & GAP_MASK) == GAP_ON) {
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
        switch (ways[i * m + j] & 3) {
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

int cspeech_profile(const cspeech_pair *pair, const cspeech_costs *costs, size_t turn, float *evidence) {
    const size_t n = pair->recorded_count, m = pair->spoken_count;
    if (n == 0 || m == 0 || turn >= m) return 0;
    float *cells = malloc(2 * n * m * sizeof *cells);
    float *row = malloc(m * sizeof *row);
    if (cells == NULL || row == NULL) {
        free(cells);
        free(row);
        return -1;
    }
    /* `ahead` is the evidence up to a cell, `behind` that from it on, both with the cell itself. */
    float *ahead = cells, *behind = cells + n * m;
    for (size_t i = 0; i < n; i++) {
        measure(pair, i, row);
        const pause_worth pause = worth(pair->pauses[i], costs);
        for (size_t j = 0; j < m; j++) {
            int from;
            float best = i > 0 ? arrive(ahead + (i - 1) * m, pair->places, j, &pause, costs, &from) : j == 0 ? 0 : worst;
            ahead[i * m + j] = best + pair->baseline[i] - row[j];
            behind[i * m + j] = pair->baseline[i] - row[j];
        }
    }
    for (size_t i = n; i-- > 0;) {
        const pause_worth pause = worth(i + 1 < n ? pair->pauses[i + 1] : 0, costs);
        for (size_t j = m; j-- > 0;) {
            float best = worst;
            if (i + 1 == n) {
                if (j + 1 == m) best = 0;
            } else {
                const float *next = behind + (i + 1) * m;
                best = next[j] - costs->stay + pause.at[CSPEECH_WITHIN];
                if (j + 1 < m) {
                    float here = pause.at[pair->places[j + 1]];
                    if (next[j + 1] + here > best) best = next[j + 1] + here;
                    if (j + 2 < m) {
                        float there = pause.at[pair->places[j + 2]];
                        float value = next[j + 2] - costs->skip + (there > here ? there : here);
                        if (value > best) best = value;
                    }
                }
            }
            behind[i * m + j] += best;
        }
    }
    for (size_t i = 0; i < n; i++) {
        evidence[i] = worst;
        if (i == 0) {
            if (turn == 0) evidence[0] = behind[0];
            continue;
        }
        const pause_worth pause = worth(pair->pauses[i], costs);
        const float *before = ahead + (i - 1) * m, *after = behind + i * m;
        float best = worst;
        /* From a frame before the turn to it, or over it. */
        if (turn >= 1) {
            float here = pause.at[pair->places[turn]];
            best = before[turn - 1] + here + after[turn];
            if (turn >= 2) {
                float passed = pause.at[pair->places[turn - 1]];
                float value = before[turn - 2] - costs->skip + (passed > here ? passed : here) + after[turn];
                if (value > best) best = value;
            }
            if (turn + 1 < m) {
                float there = pause.at[pair->places[turn + 1]];
                float value = before[turn - 1] - costs->skip + (there > here ? there : here) + after[turn + 1];
                if (value > best) best = value;
            }
        }
        evidence[i] = best;
    }
    free(cells);
    free(row);
    return 0;
}
