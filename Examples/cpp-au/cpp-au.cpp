// SPDX-License-Identifier: Apache-2.0
// Plays Sun audio files (.au): mu-law or 16-bit PCM, up to eight channels. Read it from the end, where the entry is.
//
// In C++, no exception may cross the contract. So the engine is a class whose methods throw Failure, and `guarded` is
// the only place in which an exception becomes a code.
#include <rostrum/engine.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

/// A code for the kind of failure, and one line: what failed, on what.
struct Failure : std::exception {
    Failure(rostrum_result code, std::string message) : code(code), message(std::move(message)) {}
    rostrum_result code;
    std::string message;
};

/// An open file, which its destructor closes.
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int number) : number(number) {}
    Descriptor(Descriptor &&other) noexcept : number(std::exchange(other.number, -1)) {}
    Descriptor &operator=(Descriptor &&other) noexcept {
        std::swap(number, other.number);
        return *this;
    }
    ~Descriptor() {
        if (number >= 0) close(number);
    }

    /// Reads up to `size` bytes from `offset` on; returns how many there were.
    std::size_t read(void *bytes, std::size_t size, int64_t offset) const {
        std::size_t done = 0;
        while (done < size) {
            ssize_t got = pread(number, static_cast<char *>(bytes) + done, size - done, offset + int64_t(done));
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) throw Failure(ROSTRUM_ERROR_IO, std::string("cannot read: ") + std::strerror(errno));
            if (got == 0) break;
            done += std::size_t(got);
        }
        return done;
    }

    int64_t size() const {
        struct stat status;
        return fstat(number, &status) == 0 && S_ISREG(status.st_mode) ? status.st_size : 0;
    }

private:
    int number = -1;
};

/// An .au file: a header of six big-endian words, and the samples.
class AudioFile {
public:
    AudioFile(Descriptor given, const std::string &name) : file(std::move(given)) {
        std::array<unsigned char, 24> header{};
        if (file.read(header.data(), header.size(), 0) < header.size() || std::memcmp(header.data(), ".snd", 4) != 0)
            throw Failure(ROSTRUM_ERROR_FORMAT, name + " is no .au file");
        auto word = [&](int index) {
            const unsigned char *b = &header[std::size_t(4 * index)];
            return uint32_t(b[0]) << 24 | uint32_t(b[1]) << 16 | uint32_t(b[2]) << 8 | b[3];
        };
        uint32_t encoding = word(3);
        data = word(1);
        rate = word(4);
        channels = word(5);
        // A file is foreign input: no number in it is used before it has been checked.
        if ((encoding != 1 && encoding != 3) || rate < 8000 || rate > 384000 || channels < 1 || channels > 8)
            throw Failure(ROSTRUM_ERROR_UNSUPPORTED, name + " is neither mu-law nor 16 bits in one to eight channels");
        sampleSize = encoding == 1 ? 1 : 2;
        // The length may be unknown (0xffffffff); in a file that was cut off, it is too large.
        int64_t held = std::max<int64_t>(0, file.size() - data);
        frames = std::min<int64_t>(held, word(2)) / (sampleSize * channels);
        if (frames == 0) throw Failure(ROSTRUM_ERROR_EMPTY, name + " has no samples");
    }

    /// Converts `count` frames from `start` on to floats.
    void read(float *samples, int64_t start, int64_t count) const {
        std::vector<unsigned char> bytes(std::size_t(count * channels * sampleSize));
        if (file.read(bytes.data(), bytes.size(), data + start * channels * sampleSize) < bytes.size())
            throw Failure(ROSTRUM_ERROR_IO, "the file can no longer be read to its end");
        for (std::size_t i = 0; i < bytes.size() / std::size_t(sampleSize); i++) {
            int16_t value = sampleSize == 1 ? expanded(bytes[i]) : int16_t(bytes[2 * i] << 8 | bytes[2 * i + 1]);
            samples[i] = float(value) / 32768.0f;
        }
    }

    uint32_t rate, channels;
    int64_t frames;

private:
    /// Expands a mu-law code of ITU-T G.711: sign, exponent and mantissa, all bits inverted.
    static int16_t expanded(unsigned char code) {
        int bits = ~code & 0xff;
        int magnitude = ((((bits & 0x0f) << 3) + 0x84) << (bits >> 4 & 7)) - 0x84;
        return int16_t(bits & 0x80 ? -magnitude : magnitude);
    }

    Descriptor file;
    int64_t data;
    int64_t sampleSize;
};

} // namespace

/// The type behind the contract's opaque pointer.
struct rostrum_engine {
    explicit rostrum_engine(const rostrum_host *host) : host(host) {}

    void load(const rostrum_content &content) {
        unload();
        if (content.kind != ROSTRUM_KIND_AUDIO) throw Failure(ROSTRUM_ERROR_FORMAT, "this engine plays audio, not text");
        trackCount = content.track_count;
        try {
            seek(content.start_track, content.start);
        } catch (...) {
            unload(); // after a failure nothing is loaded
            throw;
        }
    }

    void unload() {
        file.reset();
        trackCount = 0;
    }

    void describe(uint32_t index, rostrum_track &track) {
        // Another track is opened only to describe it.
        std::unique_ptr<AudioFile> other;
        if (!file || index != current) other = open(index);
        const AudioFile &described = other ? *other : *file;
        track.sample_rate = described.rate;
        track.channels = described.channels;
        track.encoding = ROSTRUM_ENCODING_INT16;
        track.duration = described.frames;
        track.confidence = ROSTRUM_CONFIDENCE_EXACT;
        track.units_per_second = described.rate;
        track.codec = "au";
        track.title = nullptr;
    }

    void seek(uint32_t track, int64_t target) {
        if (target < 0) throw Failure(ROSTRUM_ERROR_ARGUMENT, "there is nothing before the beginning");
        if (!file || track != current) file = open(track);
        current = track;
        position = std::min(target, file->frames);
        trackEnded = false;
    }

    void mustBeLoaded() const {
        if (trackCount == 0) throw Failure(ROSTRUM_ERROR_STATE, "nothing is loaded");
    }

    void render(rostrum_block &block) {
        mustBeLoaded();
        if (trackEnded) seek(current + 1, 0);
        int64_t room = std::min<int64_t>(4096, block.capacity / file->channels);
        int64_t count = std::min(room, file->frames - position);
        file->read(block.samples, position, count);
        block.frames = uint32_t(count);
        block.sample_rate = file->rate;
        block.channels = file->channels;
        block.track = current;
        block.position = position;
        position += count;
        block.position_end = position;
        trackEnded = position == file->frames;
        if (trackEnded) block.flags |= ROSTRUM_BLOCK_TRACK_END;
        if (trackEnded && current + 1 == trackCount) block.flags |= ROSTRUM_BLOCK_END;
    }

    const rostrum_host *host;
    uint32_t trackCount = 0;
    std::string message;

private:
    /// The session hands over an open file; an engine opens no path itself.
    std::unique_ptr<AudioFile> open(uint32_t index) {
        mustBeLoaded();
        if (index >= trackCount) throw Failure(ROSTRUM_ERROR_ARGUMENT, "no track " + std::to_string(index));
        rostrum_source source{};
        source.size = sizeof source;
        source.descriptor = -1;
        rostrum_result result = host->open_source(host->host_data, index, &source);
        if (result != ROSTRUM_OK) throw Failure(result, "the session has no source for track " + std::to_string(index));
        if (source.descriptor < 0) throw Failure(ROSTRUM_ERROR_UNSUPPORTED, "web addresses are not for this engine");
        Descriptor descriptor(source.descriptor);
        return std::make_unique<AudioFile>(std::move(descriptor), source.name ? source.name : "the file");
    }

    std::unique_ptr<AudioFile> file;
    uint32_t current = 0;
    int64_t position = 0;
    bool trackEnded = false;
};

namespace {

/// Runs one call of the contract, and turns an exception into a code and a message.
template <typename Body> rostrum_result guarded(rostrum_engine *engine, Body body) noexcept {
    try {
        body();
        return ROSTRUM_OK;
    } catch (const Failure &failure) {
        engine->message = failure.message;
        return failure.code;
    } catch (const std::bad_alloc &) {
        return ROSTRUM_ERROR_MEMORY;
    } catch (...) {
        return ROSTRUM_ERROR_DECODE;
    }
}

rostrum_engine_module describeModule() {
    rostrum_engine_module module{};
    module.size = sizeof module;
    module.abi_major = ROSTRUM_ABI_MAJOR;
    module.abi_minor = ROSTRUM_ABI_MINOR;
    module.id = "cpp-au";
    module.version = "1.0.0";
    rostrum_engine_functions &f = module.functions;
    f.size = sizeof f;
    f.create = [](const rostrum_host *host, rostrum_engine **engine) -> rostrum_result {
        auto made = new (std::nothrow) rostrum_engine(host);
        if (!made) return ROSTRUM_ERROR_MEMORY;
        *engine = made;
        return ROSTRUM_OK;
    };
    f.destroy = [](rostrum_engine *e) { delete e; };
    f.load = [](rostrum_engine *e, const rostrum_content *content) { return guarded(e, [&] { e->load(*content); }); };
    f.unload = [](rostrum_engine *e) { e->unload(); };
    f.media = [](rostrum_engine *e, rostrum_media *media) {
        return guarded(e, [&] {
            e->mustBeLoaded();
            media->track_count = e->trackCount;
            media->chapter_count = 0;
            media->title = media->author = nullptr;
        });
    };
    f.track = [](rostrum_engine *e, uint32_t index, rostrum_track *track) {
        return guarded(e, [&] { e->describe(index, *track); });
    };
    f.chapter = [](rostrum_engine *e, uint32_t, rostrum_chapter *) {
        return guarded(e, [&] {
            e->mustBeLoaded();
            throw Failure(ROSTRUM_ERROR_ARGUMENT, "a .au file has no chapters");
        });
    };
    f.render = [](rostrum_engine *e, rostrum_block *block) { return guarded(e, [&] { e->render(*block); }); };
    f.seek = [](rostrum_engine *e, uint32_t track, int64_t position) {
        return guarded(e, [&] { e->seek(track, position); });
    };
    f.interrupt = [](rostrum_engine *) {}; // nothing here waits; a long loop would check host->interrupted
    f.error_message = [](rostrum_engine *e) { return e->message.c_str(); };
    f.get_extension = [](rostrum_engine *, const char *) -> const void * { return nullptr; };
    return module;
}

} // namespace

/// Returns the module; the only symbol that it exports.
extern "C" ROSTRUM_EXPORT const rostrum_engine_module *rostrum_engine_entry(uint32_t major, uint32_t) {
    static const rostrum_engine_module module = describeModule();
    return major == ROSTRUM_ABI_MAJOR ? &module : nullptr;
}
