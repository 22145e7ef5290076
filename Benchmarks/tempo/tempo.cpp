// SPDX-License-Identifier: Apache-2.0
// Stretches raw interleaved float audio with one of four libraries and prints the cost as one JSON line.
//
//   tempo ENGINE[:option=value,...] RATE SAMPLE_RATE CHANNELS IN.f32 OUT.f32 [REPEAT]
//
//   sonic:quality=0|1
//   soundtouch:seq=MS,seek=MS,overlap=MS,quick=0|1,aa=0|1      (0 ms: the library's own choice)
//   rubberband:finer=0|1,short=0|1
//   atempo:chain=1|2
//   ctempo                                                     (the wrapper in Sources/System/CTempo)
//
// CPU is the processor time of the process for put, take and flush; files are read before and written after.
#include "CTempo.h"
extern "C" {
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavutil/opt.h>
#include <libavutil/channel_layout.h>
}
#include <rubberband/RubberBandStretcher.h>
#include <sonic.h>
#include <soundtouch/SoundTouch.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using Options = std::map<std::string, int>;
static const int block = 1024;

struct Stretcher {
    virtual ~Stretcher() = default;
    virtual void put(const float *in, int frames) = 0;
    virtual int take(float *out, int frames) = 0;
    virtual void flush() = 0;
};

static int option(const Options &o, const char *name, int otherwise) {
    auto it = o.find(name);
    return it == o.end() ? otherwise : it->second;
}

struct Sonic : Stretcher {
    sonicStream s;
    Sonic(double rate, int hz, int channels, const Options &o) : s(sonicCreateStream(hz, channels)) {
        sonicSetSpeed(s, float(rate));
        sonicSetQuality(s, option(o, "quality", 0));
    }
    ~Sonic() override { sonicDestroyStream(s); }
    void put(const float *in, int n) override { sonicWriteFloatToStream(s, const_cast<float *>(in), n); }
    int take(float *out, int n) override { return sonicReadFloatFromStream(s, out, n); }
    void flush() override { sonicFlushStream(s); }
};

struct Touch : Stretcher {
    soundtouch::SoundTouch s;
    Touch(double rate, int hz, int channels, const Options &o) {
        s.setSampleRate(unsigned(hz));
        s.setChannels(unsigned(channels));
        s.setSetting(SETTING_USE_AA_FILTER, option(o, "aa", 0));
        s.setSetting(SETTING_USE_QUICKSEEK, option(o, "quick", 0));
        s.setSetting(SETTING_SEQUENCE_MS, option(o, "seq", 0));
        s.setSetting(SETTING_SEEKWINDOW_MS, option(o, "seek", 0));
        s.setSetting(SETTING_OVERLAP_MS, option(o, "overlap", 8));
        s.setTempo(rate);
    }
    void put(const float *in, int n) override { s.putSamples(in, unsigned(n)); }
    int take(float *out, int n) override { return int(s.receiveSamples(out, unsigned(n))); }
    void flush() override { s.flush(); }
};

struct Rubber : Stretcher {
    typedef RubberBand::RubberBandStretcher RB;
    RB s;
    int channels;
    size_t drop;
    std::vector<std::vector<float>> planes;
    std::vector<float *> pointers;
    static int flags(const Options &o) {
        return RB::OptionProcessRealTime | RB::OptionThreadingNever | RB::OptionChannelsTogether |
               (option(o, "finer", 0) ? RB::OptionEngineFiner : RB::OptionEngineFaster) |
               (option(o, "short", 0) ? RB::OptionWindowShort : RB::OptionWindowStandard);
    }
    Rubber(double rate, int hz, int ch, const Options &o)
        : s(size_t(hz), size_t(ch), flags(o), 1 / rate), channels(ch), planes(size_t(ch), std::vector<float>(8192)) {
        for (auto &p : planes) pointers.push_back(p.data());
        s.setMaxProcessSize(8192);
        size_t pad = s.getPreferredStartPad();
        drop = s.getStartDelay();
        while (pad) {
            size_t n = std::min<size_t>(pad, block);
            s.process(pointers.data(), n, false);
            pad -= n;
        }
    }
    void put(const float *in, int n) override {
        for (int c = 0; c < channels; c++)
            for (int i = 0; i < n; i++) planes[size_t(c)][size_t(i)] = in[i * channels + c];
        s.process(pointers.data(), size_t(n), false);
    }
    int take(float *out, int n) override {
        while (drop && s.available() > 0)
            drop -= s.retrieve(pointers.data(), std::min(drop, std::min<size_t>(size_t(s.available()), 8192)));
        if (drop || s.available() <= 0) return 0;
        size_t got = s.retrieve(pointers.data(), size_t(std::min(n, std::min(s.available(), 8192))));
        for (int c = 0; c < channels; c++)
            for (size_t i = 0; i < got; i++) out[i * size_t(channels) + size_t(c)] = planes[size_t(c)][i];
        return int(got);
    }
    void flush() override { s.process(pointers.data(), 0, true); }
};

struct Atempo : Stretcher {
    AVFilterGraph *graph = avfilter_graph_alloc();
    AVFilterContext *source = nullptr, *sink = nullptr;
    AVFrame *held = nullptr;
    int hz, channels, used = 0;
    Atempo(double rate, int hz_, int ch, const Options &o) : hz(hz_), channels(ch) {
        int n = option(o, "chain", 1);
        std::string text;
        for (int i = 0; i < n; i++) text += "atempo=" + std::to_string(std::pow(rate, 1.0 / n)) + (i + 1 < n ? "," : "");
        char args[256];
        snprintf(args, sizeof args, "sample_rate=%d:sample_fmt=flt:channel_layout=%s:time_base=1/%d", hz,
                 ch == 1 ? "mono" : "stereo", hz);
        AVFilterInOut *in = avfilter_inout_alloc(), *out = avfilter_inout_alloc();
        if (avfilter_graph_create_filter(&source, avfilter_get_by_name("abuffer"), "in", args, nullptr, graph) < 0 ||
            avfilter_graph_create_filter(&sink, avfilter_get_by_name("abuffersink"), "out", nullptr, nullptr, graph) < 0)
            throw std::runtime_error("no abuffer");
        *out = AVFilterInOut{av_strdup("in"), source, 0, nullptr};
        *in = AVFilterInOut{av_strdup("out"), sink, 0, nullptr};
        if (avfilter_graph_parse_ptr(graph, text.c_str(), &in, &out, nullptr) < 0 || avfilter_graph_config(graph, nullptr) < 0)
            throw std::runtime_error("no atempo");
    }
    ~Atempo() override {
        av_frame_free(&held);
        avfilter_graph_free(&graph);
    }
    void put(const float *in, int n) override {
        AVFrame *f = av_frame_alloc();
        f->nb_samples = n;
        f->format = AV_SAMPLE_FMT_FLT;
        f->sample_rate = hz;
        av_channel_layout_default(&f->ch_layout, channels);
        av_frame_get_buffer(f, 0);
        memcpy(f->data[0], in, sizeof(float) * size_t(n) * size_t(channels));
        if (av_buffersrc_add_frame(source, f) < 0) throw std::runtime_error("add_frame");
        av_frame_free(&f);
    }
    int take(float *out, int n) override {
        if (!held) {
            held = av_frame_alloc();
            used = 0;
            if (av_buffersink_get_frame(sink, held) < 0) {
                av_frame_free(&held);
                return 0;
            }
        }
        int got = std::min(n, held->nb_samples - used);
        memcpy(out, reinterpret_cast<float *>(held->data[0]) + used * channels, sizeof(float) * size_t(got * channels));
        used += got;
        if (used == held->nb_samples) av_frame_free(&held);
        return got;
    }
    void flush() override { (void)!av_buffersrc_add_frame(source, nullptr); }
};

struct Wrapped : Stretcher {
    CTempo *s;
    Wrapped(double rate, int hz, int channels, const Options &) : s(ctempo_create(hz, channels)) {
        if (!s || ctempo_set_rate(s, rate)) throw std::runtime_error("ctempo");
    }
    ~Wrapped() override { ctempo_destroy(s); }
    void put(const float *in, int n) override {
        if (ctempo_put(s, in, n) != n) throw std::runtime_error("ctempo_put refused");
    }
    int take(float *out, int n) override { return ctempo_take(s, out, n); }
    void flush() override { ctempo_flush(s); }
};

static std::unique_ptr<Stretcher> make(const std::string &spec, double rate, int hz, int channels) {
    size_t colon = spec.find(':');
    std::string name = spec.substr(0, colon);
    Options o;
    for (size_t at = colon; at != std::string::npos;) {
        size_t next = spec.find(',', at + 1);
        std::string one = spec.substr(at + 1, next == std::string::npos ? next : next - at - 1);
        size_t eq = one.find('=');
        if (eq != std::string::npos) o[one.substr(0, eq)] = atoi(one.c_str() + eq + 1);
        at = next;
    }
    if (name == "sonic") return std::make_unique<Sonic>(rate, hz, channels, o);
    if (name == "soundtouch") return std::make_unique<Touch>(rate, hz, channels, o);
    if (name == "rubberband") return std::make_unique<Rubber>(rate, hz, channels, o);
    if (name == "atempo") return std::make_unique<Atempo>(rate, hz, channels, o);
    if (name == "ctempo") return std::make_unique<Wrapped>(rate, hz, channels, o);
    throw std::runtime_error("unknown engine " + name);
}

static double seconds() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
}

int main(int argc, char **argv) try {
    if (argc < 7) {
        fprintf(stderr, "usage: tempo ENGINE RATE SAMPLE_RATE CHANNELS IN.f32 OUT.f32 [REPEAT]\n");
        return 2;
    }
    std::string spec = argv[1];
    double rate = atof(argv[2]);
    int hz = atoi(argv[3]), channels = atoi(argv[4]), repeat = argc > 7 ? atoi(argv[7]) : 1;
    std::vector<float> in;
    FILE *f = fopen(argv[5], "rb");
    if (!f) throw std::runtime_error("cannot read the input");
    fseek(f, 0, SEEK_END);
    in.resize(size_t(ftell(f)) / sizeof(float));
    rewind(f);
    if (fread(in.data(), sizeof(float), in.size(), f) != in.size()) throw std::runtime_error("short read");
    fclose(f);
    long frames = long(in.size()) / channels;
    std::vector<float> out(size_t(double(frames) / rate + 100000) * size_t(channels), 0.0f);
    double best = 1e9, setup = 1e9;
    long got = 0, first = -1;
    for (int k = 0; k < repeat; k++) {
        double t0 = seconds();
        auto s = make(spec, rate, hz, channels);
        double t1 = seconds();
        got = 0;
        first = -1;
        auto drain = [&] {
            for (;;) {
                long room = long(out.size()) / channels - got;
                int n = s->take(out.data() + got * channels, int(std::min<long>(room, 4096)));
                if (n <= 0) break;
                got += n;
            }
        };
        for (long at = 0; at < frames;) {
            // Small steps until the first output show how much input it takes.
            int n = int(std::min<long>(first < 0 ? 64 : block, frames - at));
            s->put(in.data() + at * channels, n);
            at += n;
            drain();
            if (first < 0 && got) first = at;
        }
        s->flush();
        drain();
        double t2 = seconds();
        best = std::min(best, t2 - t1);
        setup = std::min(setup, t1 - t0);
    }
    f = fopen(argv[6], "wb");
    if (!f || fwrite(out.data(), sizeof(float), size_t(got * channels), f) != size_t(got * channels))
        throw std::runtime_error("cannot write the output");
    fclose(f);
    printf("{\"cpu\": %.6f, \"setup\": %.6f, \"in\": %ld, \"out\": %ld, \"first_needs\": %ld, \"per_minute\": %.6f}\n", best, setup,
           frames, got, first, best * 60 * hz / double(frames));
    return 0;
} catch (const std::exception &e) {
    fprintf(stderr, "tempo: %s\n", e.what());
    return 1;
}
