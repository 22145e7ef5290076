// SPDX-License-Identifier: Apache-2.0
// Checks what CTempo.h promises: exact first frames, exact length, no allocation, bad calls refused.
#include "CTempo.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

static std::atomic<long> allocations;
extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *malloc(size_t n) { allocations++; return __libc_malloc(n); }
void *calloc(size_t n, size_t m) { allocations++; return __libc_calloc(n, m); }
void *realloc(void *p, size_t n) { allocations++; return __libc_realloc(p, n); }
}

static int failures;
#define EXPECT(what, ...) do { if (!(what)) { failures++; printf("FAIL %s: ", #what); printf(__VA_ARGS__); printf("\n"); } } while (0)

static double seconds() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
}

int main() {
    static float in[CTEMPO_BLOCK * 8], out[CTEMPO_BLOCK * 8];
    const int rates_hz[] = {8000, 22050, 44100, 48000, 96000, 192000};
    const double rates[] = {0.5, 0.75, 0.9, 1.0, 1.1, 1.25, 1.7, 2.0, 3.0, CTEMPO_RATE_MIN, CTEMPO_RATE_MAX};
    unsigned seed = 1;
    auto random = [&] { return seed = seed * 1664525u + 1013904223u, seed >> 8; };
    for (int hz : rates_hz)
        for (int channels : {1, 2, 6}) {
            double t0 = seconds();
            CTempo *t = ctempo_create(hz, channels);
            double created = seconds() - t0;
            EXPECT(t, "create %d %d", hz, channels);
            if (!t) continue;
            for (double rate : rates)
                for (long total : {1L, 100L, long(hz) / 2, long(hz) + 17})
                    for (int block : {64, 1000, CTEMPO_BLOCK}) {
                        long before = allocations;
                        EXPECT(ctempo_set_rate(t, rate) == 0, "%g", rate);
                        long given = 0, taken = 0, exact = 0, first = -1;
                        bool same = true;
                        auto drain = [&] {
                            for (int n; (n = ctempo_take(t, out, CTEMPO_BLOCK)) > 0; taken += n) {
                                if (first < 0) first = given;
                                for (int i = 0; i < n && taken + i < hz / 100; i++, exact++)
                                    same = same && out[i * channels] == float(((taken + i) * 7919 % 1000) / 1000.0 - 0.5);
                            }
                        };
                        while (given < total) {
                            int n = int(std::min<long>(1 + long(random() % unsigned(block)), total - given));
                            for (int i = 0; i < n; i++)
                                for (int c = 0; c < channels; c++)
                                    in[i * channels + c] = float(((given + i) * 7919 % 1000) / 1000.0 - 0.5);
                            int ok = ctempo_put(t, in, n);
                            EXPECT(ok == n, "put %d of %d", ok, n);
                            given += n;
                            drain();
                        }
                        EXPECT(ctempo_flush(t) == 0, "flush");
                        drain();
                        long during = allocations - before;
                        EXPECT(taken == std::llround(double(total) / rate), "%d Hz %gx: %ld frames for %ld", hz, rate, taken, total);
                        EXPECT(during == 0, "%ld allocations, %d Hz, %d channels, %gx, block %d, %ld", during, hz, channels, rate, block, total);
                        EXPECT(total < hz || same, "%d Hz %d ch %gx: the first 10 ms differ", hz, channels, rate);
                        EXPECT(total < hz || first <= ctempo_first_input(t) + block, "first output after %ld, said %d", first, ctempo_first_input(t));
                        EXPECT(ctempo_put(t, in, 10) == 0, "put after flush");
                    }
            // A caller that never takes output is refused, not served from the heap.
            ctempo_set_rate(t, CTEMPO_RATE_MIN);
            long before = allocations;
            int accepted = 0;
            for (int k = 0; k < 100; k++) accepted += ctempo_put(t, in, CTEMPO_BLOCK) > 0;
            EXPECT(accepted < 100 && allocations == before, "%d puts accepted, %ld allocations", accepted, allocations - before);
            EXPECT(ctempo_set_rate(t, 0) == -1 && ctempo_set_rate(t, NAN) == -1 && ctempo_set_rate(t, 100) == -1, "bad rate");
            if (channels == 2) {
                double r0 = seconds();
                ctempo_set_rate(t, 2);
                int n = 0;
                while (ctempo_take(t, out, 1) == 0) n += ctempo_put(t, in, 256);
                printf("%d Hz: create %.2f ms, restart to first output %.0f us, %d input frames (said %d)\n", hz, created * 1e3, (seconds() - r0) * 1e6, n, ctempo_first_input(t));
            }
            ctempo_destroy(t);
        }
    EXPECT(!ctempo_create(0, 2) && !ctempo_create(48000, 0) && !ctempo_create(48000, 99), "bad format");
    printf(failures ? "%d failures\n" : "all as promised\n", failures);
    return failures != 0;
}
