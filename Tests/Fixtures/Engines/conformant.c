/* SPDX-License-Identifier: Apache-2.0 */
/* A small engine that keeps to the contract, with every extension: 16-bit WAV files, and texts of which each byte is a
 * fortieth of a second. One of the faults below, chosen at compile time with -DFAULT=LYING_POSITION, breaks one sentence. */
#include <rostrum/cover.h>
#include <rostrum/cut.h>
#include <rostrum/engine.h>
#include <rostrum/measure.h>
#include <rostrum/peaks.h>
#include <rostrum/range.h>
#include <rostrum/rate.h>
#include <rostrum/voices.h>

#include <locale.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum fault {
    NONE, CRASH, HANG, SLOW, THREAD_IN_ENTRY, DECLINES_MINORS, LYING_POSITION, BACKWARDS, WRONG_RATE, WRONG_PACE,
    SHORT_READ, LATE_END, SOUND_AFTER_END, DOUBLE_END, NOT_A_NUMBER, HUGE_STRING, EXIT, WRITES_TO_STDOUT, LEAKS_DESCRIPTOR,
    LEAKS_MEMORY, LEAKS_THREAD, SETS_LOCALE, TAKES_SIGNAL, DEAF, KEEPS_INTERRUPT, BEHIND_SIZE, BEHIND_CAPACITY, OFF_BY_ONE,
    NOISE, LATE_MARK, TWO_LINES, EMPTY_CHAPTER, GAP_IN_LOOP, STAYS_LOADED, WRONG_MEASURE,
    NO_VERSION, OPENS_EARLY, NO_STATE, NO_CONFIDENCE, NEXT_WORD, SEEK_WRAPS, STAYS_ENDED, LONG_MARK, KNOWS_ALL, BAD_RATES,
    SAME_VOICES, REFUSES_VOICES, MEASURE_MOVES, LONG_RANGE, KEEPS_RANGE, HIDES_INTERRUPT, LOSES_SOUND, CRASHES_ON_BAD,
    SHORT_PIPE, ENDLESS_GAP, LOGS_LINES, DIES_AT_MARK, WHISPERS, END_APART, LONG_COVER, COVER_IS_TEXT, COVER_CHANGES,
    COVER_MOVES, RANGE_AT_ONCE, ANY_MAJOR, SEEK_NO_END, THIRD_OF_PACE, LATE_PEAKS, FEW_PEAKS,
    PEAKS_MOVE, SHORT_CUT, CUT_AT_SIDE, CUTS_NOTHING, CUT_MOVES, CUT_CLOSES, CUT_IN_CAPITALS
};
#ifndef FAULT
#define FAULT NONE
#endif
static int has(enum fault fault) { return (FAULT) == fault; }

enum { TRACKS = 16, TEXT_RATE = 16000, TEXT_FRAMES = 400 };

struct content {
    unsigned char *bytes, *samples;
    int64_t units;
    uint32_t rate, channels;
};

struct range { int active, loops; uint32_t start_track, end_track; int64_t start, end; };

struct rostrum_engine {
    const rostrum_host *host;
    rostrum_kind kind;
    uint32_t tracks, track;
    int64_t position;
    int ended, interrupts;
    struct content content[TRACKS];
    struct range range, next_range;
    double rate;
    unsigned counter;
    char error[200];
};

static rostrum_result fail(rostrum_engine *e, rostrum_result code, const char *message) {
    snprintf(e->error, sizeof e->error, has(TWO_LINES) ? "failed:\n%s" : "%s", message);
    return code;
}

static void forget(rostrum_engine *e) {
    for (int i = 0; i < TRACKS; i++) {
        if (!has(LEAKS_MEMORY)) free(e->content[i].bytes);
        e->content[i] = (struct content){0};
    }
    e->tracks = 0;
    if (!has(KEEPS_RANGE)) e->range.active = e->next_range.active = 0;
}

static void *wait_for_ever(void *nothing) {
    for (;;) pause();
    return nothing;
}

static void on_signal(int number) { (void)number; }

static rostrum_result create(const rostrum_host *host, rostrum_engine **engine) {
    rostrum_engine *e = calloc(1, sizeof *e);
    if (!e) return ROSTRUM_ERROR_MEMORY;
    e->host = host;
    e->rate = 1;
    if (has(SETS_LOCALE)) setlocale(LC_ALL, "C.UTF-8");
    if (has(TAKES_SIGNAL)) signal(SIGUSR1, on_signal);
    if (has(LEAKS_THREAD)) {
        pthread_t thread;
        pthread_create(&thread, NULL, wait_for_ever, NULL);
    }
    if (has(OPENS_EARLY)) {
        rostrum_source source = {.size = sizeof source, .descriptor = -1};
        host->open_source(host->host_data, 0, &source);
    }
    if (has(LOGS_LINES)) host->log(host->host_data, ROSTRUM_LOG_INFO, "created\nand ready");
    *engine = e;
    return ROSTRUM_OK;
}

static void destroy(rostrum_engine *e) {
    forget(e);
    free(e);
}

/* All that the source has; waits for it, and looks at the host's wish meanwhile. */
static rostrum_result read_all(rostrum_engine *e, int descriptor, unsigned char **bytes, size_t *count) {
    size_t room = 0;
    *bytes = NULL;
    *count = 0;
    for (;;) {
        struct pollfd entry = {descriptor, POLLIN, 0};
        if (!has(DEAF) && e->host->interrupted(e->host->host_data)) return fail(e, ROSTRUM_ERROR_INTERRUPTED, "interrupted");
        if (poll(&entry, 1, has(DEAF) ? -1 : 50) == 0) continue;
        if (*count == room) {
            unsigned char *more = realloc(*bytes, room = room * 2 + 4096);
            if (!more) return fail(e, ROSTRUM_ERROR_MEMORY, "no memory for the content");
            *bytes = more;
        }
        ssize_t got = read(descriptor, *bytes + *count, room - *count);
        if (got < 0) return fail(e, ROSTRUM_ERROR_IO, "cannot read the content");
        if (got == 0) return ROSTRUM_OK;
        *count += (size_t)got;
        if (has(SHORT_PIPE) && *count > 50000 && lseek(descriptor, 0, SEEK_CUR) < 0) return ROSTRUM_OK;
    }
}

static uint32_t number(const unsigned char *at, int bytes) {
    uint32_t value = 0;
    while (bytes-- > 0) value = value << 8 | at[bytes];
    return value;
}

static rostrum_result parse_wav(rostrum_engine *e, struct content *c, size_t count) {
    if (has(CRASHES_ON_BAD) && count < 12) *(volatile int *)8 = 1;
    if (count < 12 || memcmp(c->bytes, "RIFF", 4) || memcmp(c->bytes + 8, "WAVE", 4))
        return fail(e, ROSTRUM_ERROR_FORMAT, "not a WAV file");
    for (size_t at = 12; count - at >= 8;) {
        const unsigned char *chunk = c->bytes + at + 8;
        size_t left = count - at - 8, size = number(c->bytes + at + 4, 4);
        size_t here = size < left ? size : left;
        if (!memcmp(c->bytes + at, "fmt ", 4) && here >= 16) {
            c->channels = number(chunk + 2, 2);
            c->rate = number(chunk + 4, 4);
            if (number(chunk, 2) != 1 || number(chunk + 14, 2) != 16) return fail(e, ROSTRUM_ERROR_UNSUPPORTED, "not 16-bit PCM");
        }
        if (!memcmp(c->bytes + at, "data", 4)) {
            if (c->channels < 1 || c->channels > 8 || c->rate < 8000 || c->rate > 384000) break;
            c->samples = c->bytes + at + 8;
            c->units = (int64_t)(here / (2 * c->channels));
            return c->units > 0 ? ROSTRUM_OK : fail(e, ROSTRUM_ERROR_EMPTY, "the WAV file has no sound in it");
        }
        if (size >= left) break;
        at += 8 + size;
    }
    return fail(e, ROSTRUM_ERROR_CORRUPT, "the WAV file has no sound that its head describes");
}

static rostrum_result open_track(rostrum_engine *e, uint32_t index) {
    struct content *c = &e->content[index];
    if (c->bytes) return ROSTRUM_OK;
    rostrum_source source = {.size = sizeof source, .descriptor = -1};
    rostrum_result result = e->host->open_source(e->host->host_data, index, &source);
    if (result != ROSTRUM_OK && has(HIDES_INTERRUPT)) result = ROSTRUM_ERROR_IO;
    if (result != ROSTRUM_OK) return fail(e, result, "the host has no source for a track");
    if (source.descriptor < 0) return fail(e, ROSTRUM_ERROR_UNSUPPORTED, "this engine reads no web addresses");
    size_t count;
    result = read_all(e, source.descriptor, &c->bytes, &count);
    if (!has(LEAKS_DESCRIPTOR)) close(source.descriptor);
    if (result == ROSTRUM_OK && e->kind == ROSTRUM_KIND_AUDIO) result = parse_wav(e, c, count);
    if (result == ROSTRUM_OK && e->kind == ROSTRUM_KIND_TEXT) {
        *c = (struct content){c->bytes, c->bytes, (int64_t)count, TEXT_RATE, 1};
        if (count == 0) result = fail(e, ROSTRUM_ERROR_EMPTY, "the text is empty");
        else if (memchr(c->bytes, 0, count) && !has(DIES_AT_MARK)) result = fail(e, ROSTRUM_ERROR_FORMAT, "not a text");
    }
    if (result != ROSTRUM_OK) {
        free(c->bytes);
        *c = (struct content){0};
    }
    return result;
}

static int is_space(unsigned char c) { return c <= ' '; }

static rostrum_result seek(rostrum_engine *e, uint32_t track, int64_t position) {
    if (track >= e->tracks || position < 0) return fail(e, ROSTRUM_ERROR_ARGUMENT, "no such place");
    rostrum_result result = open_track(e, track);
    if (result != ROSTRUM_OK) return result;
    const struct content *c = &e->content[track];
    if (position > c->units) position = has(SEEK_WRAPS) ? 0 : c->units;
    if (e->kind == ROSTRUM_KIND_TEXT) {
        if (has(NEXT_WORD) && position > 0) while (position < c->units && !is_space(c->bytes[position])) position++;
        while (position < c->units && is_space(c->bytes[position])) position++;
        while (position > 0 && position < c->units && !is_space(c->bytes[position - 1])) position--;
    }
    if (has(OFF_BY_ONE) && position > 1000 && position + 1 < c->units) position++;
    e->track = track;
    e->position = position;
    if (!has(STAYS_ENDED)) e->ended = 0;
    e->range = e->next_range;
    if (has(LONG_RANGE)) e->range.end++;
    return ROSTRUM_OK;
}

static const struct { const char *name, *language; } voices[] = {
    {"low", "en"}, {(FAULT) == SAME_VOICES ? "low" : "high", "de-AT"}};
enum { VOICES = sizeof voices / sizeof *voices };

static rostrum_result load(rostrum_engine *e, const rostrum_content *content) {
    if (!has(STAYS_LOADED)) forget(e);
    if (has(WRITES_TO_STDOUT)) printf("loading\n");
    e->kind = content->kind;
    if (content->track_count > TRACKS || content->start_track >= content->track_count)
        return fail(e, ROSTRUM_ERROR_ARGUMENT, "too many tracks");
    if (content->voice) {
        int found = 0;
        for (int i = 0; i < (has(REFUSES_VOICES) ? 1 : VOICES); i++) found |= !strcmp(content->voice, voices[i].name);
        if (!found) return fail(e, ROSTRUM_ERROR_VOICE, "no such voice");
    }
    e->rate = has(WRONG_PACE) ? 1 : content->rate;
    e->tracks = content->track_count;
    rostrum_result result = seek(e, content->start_track, content->start);
    if (result != ROSTRUM_OK && !has(STAYS_LOADED)) forget(e);
    return result;
}

static void unload(rostrum_engine *e) {
    if (has(EXIT)) exit(3);
    forget(e);
}

static rostrum_result media(rostrum_engine *e, rostrum_media *m) {
    static char huge[1 << 20];
    if (e->tracks == 0 && !has(NO_STATE)) return fail(e, ROSTRUM_ERROR_STATE, "nothing is loaded");
    m->track_count = e->tracks;
    m->chapter_count = e->tracks;
    m->title = "A title";
    m->author = NULL;
    if (has(HUGE_STRING)) m->title = memset(huge, 'a', sizeof huge - 1);
    return ROSTRUM_OK;
}

static rostrum_result track(rostrum_engine *e, uint32_t index, rostrum_track *t) {
    if (index >= e->tracks) return fail(e, ROSTRUM_ERROR_ARGUMENT, "no such track");
    rostrum_result result = open_track(e, index);
    if (result != ROSTRUM_OK) return result;
    const struct content *c = &e->content[index];
    t->sample_rate = c->rate;
    t->channels = c->channels;
    t->encoding = ROSTRUM_ENCODING_INT16;
    t->duration = c->units;
    t->confidence = has(NO_CONFIDENCE) ? 0 : ROSTRUM_CONFIDENCE_EXACT;
    t->units_per_second = e->kind == ROSTRUM_KIND_AUDIO ? c->rate : (double)TEXT_RATE / TEXT_FRAMES;
    t->codec = "pcm";
    t->title = NULL;
    if (has(BEHIND_SIZE)) memset((char *)t + t->size, 0, 4);
    return ROSTRUM_OK;
}

static rostrum_result chapter(rostrum_engine *e, uint32_t index, rostrum_chapter *c) {
    if (index >= e->tracks) return fail(e, ROSTRUM_ERROR_ARGUMENT, "no such chapter");
    c->track = index;
    c->start = 0;
    c->end = has(EMPTY_CHAPTER) ? -1 : ROSTRUM_UNKNOWN;
    c->title = "A chapter";
    c->source = "file";
    return ROSTRUM_OK;
}

/* What is so loud, or says so, kills. */
static void die_at_mark(const rostrum_engine *e, const struct content *c, int64_t start, int64_t end) {
    int64_t marks = 0;
    for (int64_t at = start; at < end && e->kind == ROSTRUM_KIND_AUDIO; at++)
        marks += number(c->samples + 2 * at * c->channels, 2) == 0x7fff;
    if (e->kind == ROSTRUM_KIND_TEXT) {
        /* In UTF-16 every letter is a word to this engine. */
        static const char wide[] = "K\0I\0L\0L\0E\0R";
        int is_wide = c->units - start >= (int64_t)sizeof wide && !memcmp(c->bytes + start, wide, sizeof wide - 1);
        marks = is_wide || (end - start == 6 && !memcmp(c->bytes + start, "KILLER", 6));
    }
    if (marks > 0) abort();
}

static void render_audio(rostrum_engine *e, rostrum_block *b, int64_t end) {
    const struct content *c = &e->content[e->track];
    int64_t frames = end - e->position, room = b->capacity / c->channels;
    if (frames > room) frames = room;
    if (frames > 3000) frames = 3000;
    for (int64_t i = 0; i < frames; i++) {
        int64_t at = e->position + i + (has(LYING_POSITION) ? 100 : 0);
        for (uint32_t channel = 0; channel < c->channels; channel++) {
            int64_t sample = at * c->channels + channel;
            b->samples[i * c->channels + channel] =
                at < c->units ? (float)(int16_t)number(c->samples + 2 * sample, 2) / (has(WHISPERS) ? 131072 : 32768) : 0;
        }
    }
    if (has(THIRD_OF_PACE)) usleep((useconds_t)(frames * 3000000 / c->rate));
    if (has(NOT_A_NUMBER) && e->position > 20000 && frames > 7) b->samples[7] = NAN;
    if (has(NOISE) && frames > 0) b->samples[0] += (float)(++e->counter % 1000) / 65536;
    if (has(DIES_AT_MARK)) die_at_mark(e, c, e->position, e->position + frames);
    b->frames = (uint32_t)frames;
    e->position += frames;
}

/* A word, or as much of it as there is room for. */
static void render_text(rostrum_engine *e, rostrum_block *b) {
    const struct content *c = &e->content[0];
    int64_t start = e->position, end = start, each = (int64_t)(TEXT_FRAMES / e->rate);
    while (end < c->units && !is_space(c->bytes[end])) end++;
    if (has(DIES_AT_MARK)) die_at_mark(e, c, start, end);
    if (start == 0 || is_space(c->bytes[start - 1])) {
        int64_t said = has(LATE_MARK) && start >= 10 ? start - 10 : start;
        if (end > start) e->host->mark(e->host->host_data, ROSTRUM_MARK_WORD, said, has(LONG_MARK) ? 1000 : end - start);
    }
    if (end - start > b->capacity / each) end = start + b->capacity / each;
    b->frames = (uint32_t)((end - start) * each);
    for (uint32_t i = 0; i < b->frames; i++) b->samples[i] = 0.2f * (float)sin(0.1 * i);
    e->position = end;
    b->position_end = end;
    while (e->position < c->units && is_space(c->bytes[e->position])) e->position++;
    if (e->position == c->units) b->position_end = c->units;
}

static rostrum_result render(rostrum_engine *e, rostrum_block *b) {
    if (e->tracks == 0) return fail(e, ROSTRUM_ERROR_STATE, "nothing is loaded");
    if (e->ended && !has(SOUND_AFTER_END)) return fail(e, ROSTRUM_ERROR_STATE, "nothing comes after the end");
    if (has(KEEPS_INTERRUPT) && e->interrupts > 0) {
        e->interrupts = 0;
        return fail(e, ROSTRUM_ERROR_INTERRUPTED, "interrupted");
    }
    if (has(LOSES_SOUND) && e->interrupts > 0) e->interrupts = 0, e->position += 10;
    rostrum_result result = open_track(e, e->track);
    if (has(ENDLESS_GAP) && result != ROSTRUM_OK) return ROSTRUM_OK;
    if (result != ROSTRUM_OK) return result;
    if (e->ended) e->position = 0;
    const struct content *c = &e->content[e->track];
    if (has(CRASH) && e->position > 0) *(volatile int *)8 = 1;
    if (has(HANG) && e->position > 0) for (;;) pause();
    const struct range *r = &e->range;
    int is_last = r->active ? e->track == r->end_track : e->track + 1 == e->tracks;
    if (r->active && r->loops && is_last && e->position >= r->end) {
        e->track = r->start_track;
        e->position = r->start;
    }
    int64_t end = r->active && is_last && r->end < c->units ? r->end : c->units;
    if (has(SHORT_READ) && !r->active && end > 1000) end -= 1000;
    if (has(LATE_END) && !r->active && e->kind == ROSTRUM_KIND_AUDIO) end += 500;
    b->track = e->track;
    b->sample_rate = has(WRONG_RATE) ? c->rate / 2 : c->rate;
    b->channels = c->channels;
    b->position = e->position;
    b->frames = 0;
    b->flags = 0;
    if (e->position >= end) e->position = b->position_end = end > c->units && !has(LATE_END) ? c->units : end;
    else if (e->kind == ROSTRUM_KIND_TEXT) render_text(e, b);
    else render_audio(e, b, end), b->position_end = e->position;
    if (has(BACKWARDS) && b->position > 10000) b->position -= 10, b->position_end -= 10;
    if (has(BEHIND_CAPACITY)) b->samples[b->capacity] = 0;
    if (e->position < end) return ROSTRUM_OK;
    if (r->active && is_last && r->loops) {
        if (has(GAP_IN_LOOP)) b->flags = ROSTRUM_BLOCK_TRACK_END | ROSTRUM_BLOCK_END;
        return ROSTRUM_OK;
    }
    /* No fault: what ends without a frame has no format to tell. */
    if (has(END_APART)) {
        if (b->frames > 0) return ROSTRUM_OK;
        b->channels = b->sample_rate = 0;
    }
    b->flags = ROSTRUM_BLOCK_TRACK_END;
    if (is_last) {
        if (has(DOUBLE_END) && b->frames > 0) return ROSTRUM_OK;
        if (has(SEEK_NO_END) && b->frames == 0) return ROSTRUM_OK;
        b->flags |= ROSTRUM_BLOCK_END;
        e->ended = 1;
    } else {
        e->track++;
        e->position = 0;
    }
    return ROSTRUM_OK;
}

static void interrupt(rostrum_engine *e) { e->interrupts++; }
static const char *error_message(rostrum_engine *e) { return e->error; }

static rostrum_result set_rate(rostrum_engine *e, double rate) {
    if (!(rate >= 0.5 && rate <= 4)) return fail(e, ROSTRUM_ERROR_ARGUMENT, "a rate out of range");
    if (!has(WRONG_PACE)) e->rate = rate;
    return ROSTRUM_OK;
}

static rostrum_result measure(rostrum_engine *e, uint32_t index, int64_t *duration) {
    if (index >= e->tracks) return fail(e, ROSTRUM_ERROR_ARGUMENT, "no such track");
    rostrum_result result = open_track(e, index);
    if (result == ROSTRUM_OK) *duration = e->content[index].units + (has(WRONG_MEASURE) ? 1 : 0);
    if (has(MEASURE_MOVES)) e->position = 0;
    return result;
}

static rostrum_result cover(rostrum_engine *e, uint32_t index, const char **type, const uint8_t **bytes,
                            uint64_t *length) {
    static uint8_t picture[] = "\x89PNG\r\n\x1a\n";
    if (index >= e->tracks) return fail(e, ROSTRUM_ERROR_ARGUMENT, "no such track");
    if (has(COVER_CHANGES)) picture[7]++;
    if (has(COVER_MOVES)) e->position = 0;
    *type = has(COVER_IS_TEXT) ? "text/plain" : "image/png";
    *bytes = picture;
    *length = has(LONG_COVER) ? ROSTRUM_COVER_LIMIT + 1ull : 8;
    return ROSTRUM_OK;
}

static rostrum_result peaks(rostrum_engine *e, uint32_t index, uint32_t frames, uint64_t first, rostrum_peak *peaks,
                            uint32_t capacity, uint32_t *count) {
    if (index >= e->tracks) return fail(e, ROSTRUM_ERROR_ARGUMENT, "no such track");
    if (e->kind != ROSTRUM_KIND_AUDIO) return fail(e, ROSTRUM_ERROR_UNSUPPORTED, "a text has no peaks");
    rostrum_result result = open_track(e, index);
    if (result != ROSTRUM_OK) return result;
    const struct content *c = &e->content[index];
    if (has(PEAKS_MOVE)) e->position = 0;
    if (has(FEW_PEAKS) && capacity > 1) capacity--;
    for (*count = 0; *count < capacity; ++*count) {
        int64_t start = (int64_t)((first + *count) * frames), end = start + frames < c->units ? start + frames : c->units;
        if (start >= c->units) break;
        double squares = 0;
        long lowest = 32767, highest = -32768;
        for (int64_t at = start; at < end; at++) {
            double sum = 0;
            int64_t from = has(LATE_PEAKS) && at + 100 < c->units ? at + 100 : at;
            for (uint32_t i = 0; i < c->channels; i++) sum += (int16_t)number(c->samples + 2 * (from * c->channels + i), 2);
            long sample = lrint(sum / c->channels);
            if (sample < lowest) lowest = sample;
            if (sample > highest) highest = sample;
            squares += (double)sample * (double)sample;
        }
        peaks[*count] = (rostrum_peak){(int16_t)lowest, (int16_t)highest, (uint16_t)lrint(sqrt(squares / (double)(end - start)))};
    }
    return ROSTRUM_OK;
}

static rostrum_result set_range(rostrum_engine *e, uint32_t start_track, int64_t start, uint32_t end_track, int64_t end,
                                int32_t loops) {
    if (start_track > end_track || end_track >= e->tracks || start < 0 || (start_track == end_track && start >= end))
        return fail(e, ROSTRUM_ERROR_ARGUMENT, "no such part");
    e->next_range = (struct range){1, loops != 0, start_track, end_track, start, end};
    if (has(RANGE_AT_ONCE)) e->range = e->next_range;
    return ROSTRUM_OK;
}

static void put(unsigned char *at, uint32_t value, int bytes) {
    while (bytes-- > 0) *at++ = (unsigned char)value, value >>= 8;
}

/* Writes a part of one track as a WAV. */
static rostrum_result cut(rostrum_engine *e, const rostrum_cut_order *order, rostrum_cut_result *result) {
    unsigned char head[44] = "RIFF....WAVEfmt ";
    if (order->start_track != order->end_track || order->end_track >= e->tracks || e->kind != ROSTRUM_KIND_AUDIO)
        return fail(e, ROSTRUM_ERROR_ARGUMENT, "no such part");
    rostrum_result opened = open_track(e, order->start_track);
    if (opened != ROSTRUM_OK) return opened;
    const struct content *c = &e->content[order->start_track];
    int64_t start = order->start, frames = order->end - start;
    if (!has(CUTS_NOTHING) && (start < 0 || frames <= 0 || order->end > c->units))
        return fail(e, ROSTRUM_ERROR_ARGUMENT, "no such part");
    if (*order->format && strcmp(order->format, "wav")) return fail(e, ROSTRUM_ERROR_UNSUPPORTED, "no such format");
    if (frames <= 0 || start < 0 || order->end > c->units) return ROSTRUM_OK;
    if (has(SHORT_CUT)) frames--;
    if (has(CUT_AT_SIDE)) start++;
    uint32_t bytes = (uint32_t)(frames * 2 * c->channels);
    put(head + 4, 36 + bytes, 4);
    put(head + 16, 16, 4);
    put(head + 20, 1, 2);
    put(head + 22, c->channels, 2);
    put(head + 24, c->rate, 4);
    put(head + 28, c->rate * 2 * c->channels, 4);
    put(head + 32, 2 * c->channels, 2);
    put(head + 34, 16, 2);
    memcpy(head + 36, "data", 4);
    put(head + 40, bytes, 4);
    if (write(order->file, head, sizeof head) != sizeof head ||
        write(order->file, c->samples + start * 2 * c->channels, bytes) != (ssize_t)bytes)
        return fail(e, ROSTRUM_ERROR_IO, "cannot write");
    if (has(CUT_MOVES)) e->position = 0;
    if (has(CUT_CLOSES)) close(order->file);
    result->encoded = 0;
    result->frames = order->end - order->start;
    result->sample_rate = c->rate;
    memcpy(result->extension, has(CUT_IN_CAPITALS) ? "WAV" : "wav", 4);
    return ROSTRUM_OK;
}

static uint32_t voice_count(rostrum_engine *e) { return (void)e, VOICES; }
static rostrum_result voice(rostrum_engine *e, uint32_t index, rostrum_voice *v) {
    if (index >= VOICES) return fail(e, ROSTRUM_ERROR_ARGUMENT, "no such voice");
    v->name = voices[index].name;
    v->language = voices[index].language;
    v->description = NULL;
    return ROSTRUM_OK;
}

static const rostrum_rate rate_extension = {sizeof rate_extension, 0, (FAULT) == BAD_RATES ? 2 : 0.5, 4, set_rate};
static const rostrum_measure measure_extension = {sizeof measure_extension, 0, measure};
static const rostrum_cover cover_extension = {sizeof cover_extension, 0, cover};
static const rostrum_peaks peaks_extension = {sizeof peaks_extension, 0, peaks};
static const rostrum_cut cut_extension = {sizeof cut_extension, 0, cut};
static const rostrum_range range_extension = {sizeof range_extension, 0, set_range};
static const rostrum_voices voices_extension = {sizeof voices_extension, 0, voice_count, voice};

static const void *get_extension(rostrum_engine *e, const char *id) {
    (void)e;
    if (has(KNOWS_ALL) || !strcmp(id, ROSTRUM_RATE_EXTENSION)) return &rate_extension;
    if (!strcmp(id, ROSTRUM_MEASURE_EXTENSION)) return &measure_extension;
    if (!strcmp(id, ROSTRUM_COVER_EXTENSION)) return &cover_extension;
    if (!strcmp(id, ROSTRUM_PEAKS_EXTENSION)) return &peaks_extension;
    if (!strcmp(id, ROSTRUM_CUT_EXTENSION)) return &cut_extension;
    if (!strcmp(id, ROSTRUM_RANGE_EXTENSION)) return &range_extension;
    if (!strcmp(id, ROSTRUM_VOICES_EXTENSION)) return &voices_extension;
    return NULL;
}

static const rostrum_engine_module module = {
    .size = sizeof module,
    .abi_major = ROSTRUM_ABI_MAJOR,
    .abi_minor = ROSTRUM_ABI_MINOR,
    .id = "conformant",
    .version = (FAULT) == NO_VERSION ? "" : "1.0",
    .functions = {sizeof(rostrum_engine_functions), 0, create, destroy, load, unload, media, track, chapter, render, seek,
                  interrupt, error_message, get_extension}};

#ifdef SECOND_SYMBOL
ROSTRUM_EXPORT int another_symbol(void) { return 1; }
#endif

ROSTRUM_EXPORT const rostrum_engine_module *rostrum_engine_entry(uint32_t major, uint32_t minor) {
    if ((major != ROSTRUM_ABI_MAJOR && !has(ANY_MAJOR)) || (has(DECLINES_MINORS) && minor > 0)) return NULL;
    if (has(SLOW)) usleep(500000);
    if (has(THREAD_IN_ENTRY)) {
        pthread_t thread;
        pthread_create(&thread, NULL, wait_for_ever, NULL);
    }
    return &module;
}
