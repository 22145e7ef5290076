// SPDX-License-Identifier: Apache-2.0
#include "CTempo.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <soundtouch/SoundTouch.h>

namespace {

// Milliseconds; chosen by Benchmarks/tempo/measure.py.
constexpr int sequence = 30, seek = 12, overlap = 8;

// The number of output frames that may wait before put refuses more. It is above what one block makes at the slowest
// rate, so that a caller who takes after every put is never refused.
constexpr int waiting_limit = 2 * CTEMPO_BLOCK;
constexpr int silence_frames = 256;
constexpr int max_channels = 8;

} // namespace

struct CTempo {
    soundtouch::SoundTouch engine;
    double hz = 0, rate = 1;
    int64_t in = 0, out = 0;
    int64_t end = -1; // the total of output frames, once flushed
    bool failed = false;

    void restart() {
        engine.clear();
        in = out = 0;
        end = -1;
        failed = false;
    }

    int32_t put(const float *samples, int32_t frames) {
        if (failed) return -1;
        if (end >= 0 || frames <= 0 || engine.numSamples() > unsigned(waiting_limit)) return 0;
        frames = std::min(frames, CTEMPO_BLOCK);
        engine.putSamples(samples, unsigned(frames));
        in += frames;
        return frames;
    }

    int32_t take(float *samples, int32_t frames) {
        if (failed || frames <= 0) return 0;
        if (end >= 0) frames = int32_t(std::min<int64_t>(frames, end - out));
        if (frames <= 0) return 0;
        auto got = int32_t(engine.receiveSamples(samples, unsigned(frames)));
        out += got;
        return got;
    }

    // The library's own flush would allocate.
    int32_t flush() {
        static const float silence[silence_frames * max_channels] = {};
        if (failed) return -1;
        if (end >= 0) return 0;
        end = int64_t(std::llround(double(in) / rate));
        for (int k = 0; out + int64_t(engine.numSamples()) < end; k++) {
            if (k > int(hz)) return -1; // a second of input per sample is impossible
            engine.putSamples(silence, silence_frames);
        }
        return 0;
    }

    // Grows the library's buffers, which never shrink, to the most that put and take can need: one block more than what
    // may wait, at the rates that need most space before and behind the splicer.
    void warm_up() {
        std::vector<float> block(size_t(CTEMPO_BLOCK) * engine.numChannels());
        for (double r : {CTEMPO_RATE_MAX, CTEMPO_RATE_MIN}) {
            engine.setTempo(r);
            auto latency = unsigned(engine.getSetting(SETTING_INITIAL_LATENCY));
            engine.putSamples(block.data(), std::min<unsigned>(latency - 1, CTEMPO_BLOCK));
            do engine.putSamples(block.data(), CTEMPO_BLOCK);
            while (engine.numSamples() < unsigned(waiting_limit + CTEMPO_BLOCK / r) + 4 * latency);
            engine.clear();
        }
        engine.setTempo(1);
    }
};

// A C++ exception must not reach a Swift frame.
template <typename Result, typename Body> static Result guarded(CTempo *tempo, Result failure, Body body) noexcept {
    try {
        return body();
    } catch (...) {
        if (tempo) tempo->failed = true;
        return failure;
    }
}

CTempo *ctempo_create(int32_t sample_rate, int32_t channels) {
    if (sample_rate < 1000 || sample_rate > 192000 || channels < 1 || channels > max_channels) return nullptr;
    CTempo *tempo = nullptr;
    bool ready = guarded(nullptr, false, [&] {
        tempo = new CTempo;
        tempo->hz = sample_rate;
        tempo->engine.setSampleRate(unsigned(sample_rate));
        tempo->engine.setChannels(unsigned(channels));
        tempo->engine.setSetting(SETTING_USE_AA_FILTER, 0); // serves only its own resampler
        tempo->engine.setSetting(SETTING_USE_QUICKSEEK, 1);
        tempo->engine.setSetting(SETTING_SEQUENCE_MS, sequence);
        tempo->engine.setSetting(SETTING_SEEKWINDOW_MS, seek);
        tempo->engine.setSetting(SETTING_OVERLAP_MS, overlap);
        tempo->warm_up();
        tempo->restart();
        return true;
    });
    if (ready) return tempo;
    ctempo_destroy(tempo);
    return nullptr;
}

void ctempo_destroy(CTempo *tempo) {
    guarded(nullptr, 0, [&] {
        delete tempo;
        return 0;
    });
}

int32_t ctempo_set_rate(CTempo *tempo, double rate) {
    if (!(rate >= CTEMPO_RATE_MIN && rate <= CTEMPO_RATE_MAX)) return -1;
    return guarded(tempo, -1, [&] {
        tempo->rate = rate;
        tempo->engine.setTempo(rate);
        tempo->restart();
        return 0;
    });
}

void ctempo_clear(CTempo *tempo) {
    guarded(tempo, 0, [&] {
        tempo->restart();
        return 0;
    });
}

double ctempo_shift(const CTempo *tempo) { return (1 - tempo->rate) * sequence * 0.0005 * tempo->hz; }

double ctempo_tolerance(const CTempo *tempo) {
    return (seek + std::abs(tempo->rate - 1) * sequence) * 0.0005 * tempo->hz + 16;
}

int32_t ctempo_first_input(const CTempo *tempo) {
    // The resampler in front, which does not change rate 1, holds a few frames more.
    return tempo->engine.getSetting(SETTING_INITIAL_LATENCY) + 8;
}

int32_t ctempo_put(CTempo *tempo, const float *samples, int32_t frames) {
    return guarded(tempo, -1, [&] { return tempo->put(samples, frames); });
}

int32_t ctempo_take(CTempo *tempo, float *samples, int32_t frames) {
    return guarded(tempo, 0, [&] { return tempo->take(samples, frames); });
}

int32_t ctempo_flush(CTempo *tempo) {
    return guarded(tempo, -1, [&] { return tempo->flush(); });
}
