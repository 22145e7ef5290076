/* SPDX-License-Identifier: Apache-2.0 */
/* An engine that behaves, or does not, as the tests ask. What kind of module it is is fixed at compile
 * time; what it does with content is said by the content's language. Samples are the frame's number
 * modulo 65536, or the bytes of the source if it opened one. */
#include <rostrum/cover.h>
#include <rostrum/cut.h>
#include <rostrum/engine.h>
#include <rostrum/index.h>
#include <rostrum/measure.h>
#include <rostrum/peaks.h>
#include <rostrum/rate.h>

#include "flooding.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef FIXTURE_ID
#define FIXTURE_ID "fixture"
#endif
#ifndef FIXTURE_MAJOR
#define FIXTURE_MAJOR ROSTRUM_ABI_MAJOR
#endif

enum { LENGTH = 200000 };

struct rostrum_engine {
    const rostrum_host *host;
    char mode[32];
    char error[256];
    uint32_t tracks, track;
    int64_t position;
    unsigned char *bytes;
    int64_t count;
    atomic_int interrupts;
    double rate;
    char title[64];
};

#ifdef FIXTURE_EXITS
__attribute__((constructor)) static void leave(void) { exit(3); }
#endif
#ifdef FIXTURE_HANGS
__attribute__((constructor)) static void hang(void) { for (;;) pause(); }
#endif

static int is(rostrum_engine *e, const char *mode) { return strcmp(e->mode, mode) == 0; }

static rostrum_result fail(rostrum_engine *e, rostrum_result code, const char *message) {
    snprintf(e->error, sizeof e->error, "%s", message);
    return code;
}

static rostrum_result wait_for_interrupt(rostrum_engine *e) {
    while (!e->host->interrupted(e->host->host_data)) usleep(500);
    return fail(e, ROSTRUM_ERROR_INTERRUPTED, "interrupted");
}

static rostrum_result create(const rostrum_host *host, rostrum_engine **engine) {
    rostrum_engine *e = calloc(1, sizeof *e);
    if (!e) return ROSTRUM_ERROR_MEMORY;
    e->host = host;
    e->rate = 1;
    *engine = e;
    return ROSTRUM_OK;
}

static void destroy(rostrum_engine *e) {
#ifdef FIXTURE_END_MS
    usleep(FIXTURE_END_MS * 1000);
#endif
    free(e->bytes);
    free(e);
}

static rostrum_result read_source(rostrum_engine *e, uint32_t track) {
    rostrum_source source = {.size = sizeof source, .descriptor = -1};
    rostrum_result result = e->host->open_source(e->host->host_data, track, &source);
    if (result != ROSTRUM_OK) return fail(e, result, "no source");
    if (source.descriptor < 0) return fail(e, ROSTRUM_ERROR_FORMAT, source.url ? source.url : "no url");
    free(e->bytes);
    e->bytes = malloc(LENGTH);
    e->count = 0;
    ssize_t got;
    while (e->count < LENGTH && (got = read(source.descriptor, e->bytes + e->count, (size_t)(LENGTH - e->count))) > 0)
        e->count += got;
    close(source.descriptor);
    return ROSTRUM_OK;
}

static rostrum_result load(rostrum_engine *e, const rostrum_content *content) {
    snprintf(e->mode, sizeof e->mode, "%s", content->language ? content->language : "");
    free(e->bytes);
    e->bytes = NULL;
    e->tracks = content->track_count;
    e->track = content->start_track;
    e->position = content->start;
    if (is(e, "refuse")) return fail(e, ROSTRUM_ERROR_FORMAT, "not content\nof mine");
    if (is(e, "wait-load")) {
        e->host->log(e->host->host_data, ROSTRUM_LOG_INFO, "waiting");
        return wait_for_interrupt(e);
    }
    if (is(e, "hang-load")) for (;;) pause();
    if (is(e, "crash-load")) abort();
    if (is(e, "last-words")) {
        fprintf(stderr, "first\nthis is why\n");
        printf("not for anybody\n");
        abort();
    }
    if (is(e, "rave")) for (int i = 0; i < 30000; i++) e->host->log(e->host->host_data, ROSTRUM_LOG_INFO, "again");
    if (is(e, "source")) return read_source(e, e->track);
    if (is(e, "index")) {
        rostrum_result result = read_source(e, e->track);
        if (result != ROSTRUM_OK) return result;
        const rostrum_index_host *indexes = e->host->get_extension(e->host->host_data, ROSTRUM_INDEX_EXTENSION);
        const uint8_t *bytes;
        uint64_t length;
        snprintf(e->title, sizeof e->title, "nothing kept");
        if (indexes && indexes->index(e->host->host_data, e->track, &bytes, &length) == ROSTRUM_OK) {
            unsigned sum = 0;
            for (uint64_t i = 0; i < length; i++) sum += bytes[i] * (unsigned)(i % 1000 + 1);
            snprintf(e->title, sizeof e->title, "%llu bytes, sum %u", (unsigned long long)length, sum);
        }
    }
    if (is(e, "log")) for (int i = 0; i < 3; i++) e->host->log(e->host->host_data, ROSTRUM_LOG_WARNING, "a line");
    return ROSTRUM_OK;
}

static void unload(rostrum_engine *e) { e->tracks = 0; }

static rostrum_result media(rostrum_engine *e, rostrum_media *m) {
    m->track_count = is(e, "lie-tracks") ? e->tracks + 1 : e->tracks;
    m->chapter_count = is(e, "chapters") ? 10000 : is(e, "lie-chapters") ? 4000000000u : 0;
    m->title = e->title[0] ? e->title : "Fixture";
    return ROSTRUM_OK;
}

static rostrum_result track(rostrum_engine *e, uint32_t index, rostrum_track *t) {
    if (is(e, "bad-track") && index == 2) return fail(e, ROSTRUM_ERROR_CORRUPT, "track 2 is broken");
    if (is(e, "wait-track") && index > 0) return wait_for_interrupt(e);
    if (is(e, "repeat-track") && index > 0) repeat_track();
    t->sample_rate = is(e, "lie-rate") ? 1 : 48000;
    t->channels = 1;
    t->encoding = ROSTRUM_ENCODING_FLOAT32;
    t->duration = is(e, "lie-length") ? INT64_MAX : e->bytes ? e->count : LENGTH + index;
    t->confidence = is(e, "index") ? ROSTRUM_CONFIDENCE_CONTAINER : ROSTRUM_CONFIDENCE_EXACT;
    t->units_per_second = is(e, "lie-pace") ? 5e-324 : is(e, "lie-units") ? 44100 : 48000;
    t->codec = "fixture";
    return ROSTRUM_OK;
}

static rostrum_result chapter(rostrum_engine *e, uint32_t index, rostrum_chapter *c) {
    (void)e;
    c->track = 0;
    c->start = index;
    c->end = ROSTRUM_UNKNOWN;
    c->title = "Chapter with a title of some length, as books have them";
    c->source = "fixture";
    return ROSTRUM_OK;
}

static rostrum_result render(rostrum_engine *e, rostrum_block *b) {
    int64_t length = e->bytes ? e->count : LENGTH;
    if (is(e, "wait-render") && e->position > 0) return wait_for_interrupt(e);
    if (is(e, "fail-render") && e->position > 0) return fail(e, ROSTRUM_ERROR_DECODE, "cannot decode");
    if (is(e, "crash-render")) *(volatile int *)0 = 1;
    if (is(e, "ask-unread")) ask_and_read_nothing(0);
    if (is(e, "ask-nowhere")) ask_and_read_nothing(9999);
    if (is(e, "hang-render") && e->position > 1000) for (;;) pause();
    b->sample_rate = 48000;
    b->channels = 1;
    b->track = e->track;
    b->position = b->position_end = e->position;
    if (is(e, "empty-render")) return ROSTRUM_OK;
    int64_t frames = length - e->position;
    if (frames > 1000) frames = 1000;
    for (int64_t i = 0; i < frames; i++)
        b->samples[i] = e->bytes ? (float)e->bytes[e->position + i] : (float)((e->position + i) % 65536);
    if (is(e, "nan")) for (int64_t i = 0; i < frames; i += 3) b->samples[i] = i % 2 ? 0.0f / 0.0f : -1.0f / 0.0f;
    if (is(e, "marks")) e->host->mark(e->host->host_data, ROSTRUM_MARK_WORD, e->position, 10);
    b->frames = (uint32_t)frames;
    e->position += frames;
    b->position_end = e->position;
    if (!strncmp(e->mode, "flood-", 6) && b->position == 0) b->samples[0] = (float)flood(e->mode + 6);
    if (is(e, "lie-frames")) b->frames = b->capacity + 1;
    if (is(e, "lie-position")) b->position_end += 1;
    if (is(e, "lie-far")) { b->position += 1ll << 53; b->position_end += 1ll << 53; }
    if (is(e, "lie-track")) b->track = e->tracks;
    if (e->position == length) {
        b->flags = ROSTRUM_BLOCK_TRACK_END;
        if (++e->track == e->tracks) b->flags |= ROSTRUM_BLOCK_END;
        e->position = 0;
    }
    return ROSTRUM_OK;
}

static rostrum_result seek(rostrum_engine *e, uint32_t track, int64_t position) {
    if (is(e, "hang-seek")) for (;;) pause();
    if (is(e, "fail-seek")) return fail(e, ROSTRUM_ERROR_IO, "cannot seek");
    e->track = track;
    e->position = position > LENGTH ? LENGTH : position;
    return ROSTRUM_OK;
}

static void interrupt(rostrum_engine *e) { atomic_fetch_add(&e->interrupts, 1); }
static const char *error_message(rostrum_engine *e) { return e->error; }

static rostrum_result set_rate(rostrum_engine *e, double rate) {
    e->rate = rate;
    return ROSTRUM_OK;
}
static rostrum_result measure(rostrum_engine *e, uint32_t track, int64_t *duration) {
    if (is(e, "wait-measure")) return wait_for_interrupt(e);
    *duration = LENGTH + track;
    return ROSTRUM_OK;
}
static rostrum_result index_of(rostrum_engine *e, uint32_t track, const uint8_t **bytes, uint64_t *length) {
    static uint8_t found[100000];
    if (!is(e, "index")) return fail(e, ROSTRUM_ERROR_NOT_FOUND, "nothing to keep");
    for (unsigned i = 0; i < sizeof found; i++) found[i] = (uint8_t)(i * 7 + track);
    *bytes = found;
    *length = sizeof found;
    return ROSTRUM_OK;
}
static rostrum_result cover(rostrum_engine *e, uint32_t track, const char **type, const uint8_t **bytes,
                            uint64_t *length) {
    static uint8_t picture[100000];
    if (strncmp(e->mode, "cover", 5) || track > 0) return fail(e, ROSTRUM_ERROR_NOT_FOUND, "no picture");
    if (is(e, "cover-fails")) return fail(e, ROSTRUM_ERROR_CORRUPT, "the picture is damaged");
    if (is(e, "cover-hangs")) for (;;) pause();
    if (is(e, "cover-dies")) abort();
    for (unsigned i = 0; i < sizeof picture; i++) picture[i] = (uint8_t)(i * 11);
    *type = is(e, "cover-type") ? "image/\033[31m" : is(e, "cover-text") ? "text/html" : is(e, "cover-no-type") ? NULL : "image/png";
    *bytes = is(e, "cover-null") ? NULL : picture;
    *length = is(e, "cover-empty") ? 0 : is(e, "cover-long") ? ROSTRUM_COVER_LIMIT + 1ull : is(e, "cover-huge") ? UINT64_MAX : sizeof picture;
    return ROSTRUM_OK;
}
/* Writes its order into the file, as text, so that a test sees what came. */
static rostrum_result cut(rostrum_engine *e, const rostrum_cut_order *order, rostrum_cut_result *result) {
    char line[512];
    if (is(e, "cut-waits")) return write(order->file, "begun", 5) == 5 ? wait_for_interrupt(e) : ROSTRUM_ERROR_IO;
    if (is(e, "cut-fails")) return fail(e, ROSTRUM_ERROR_IO, "the disk is full");
    if (is(e, "cut-hangs")) for (;;) pause();
    if (is(e, "cut-dies")) { (void)!write(order->file, "half", 4); abort(); }
    int length = snprintf(line, sizeof line, "%u:%lld-%u:%lld '%s'", order->start_track, (long long)order->start,
                          order->end_track, (long long)order->end, order->format);
    for (const char *const *tag = order->tags; tag && *tag && length < 400; tag += 2)
        length += snprintf(line + length, 100, " %s=%s", tag[0], tag[1]);
    if (order->cover >= 0) {
        char picture[8] = "";
        if (read(order->cover, picture, sizeof picture - 1) > 0) length += snprintf(line + length, 20, " cover %s", picture);
    }
    if (write(order->file, line, (size_t)length) != length) return fail(e, ROSTRUM_ERROR_IO, "cannot write");
    result->encoded = 1;
    result->frames = is(e, "cut-lies") ? -1 : 200;
    result->sample_rate = is(e, "cut-rate") ? 0 : 48000;
    memcpy(result->extension, is(e, "cut-path") ? "../x" : "txt", 5 - !is(e, "cut-path"));
    return ROSTRUM_OK;
}
static const rostrum_cut cut_extension = {sizeof cut_extension, 0, cut};
/* Peak n goes from -n to n, with half of that as RMS; there are 10000 of them. */
static rostrum_result peaks(rostrum_engine *e, uint32_t track, uint32_t frames, uint64_t first, rostrum_peak *peaks,
                            uint32_t capacity, uint32_t *count) {
    (void)track;
    (void)frames;
    if (is(e, "peaks-fail")) return fail(e, ROSTRUM_ERROR_CORRUPT, "the peaks are damaged");
    if (is(e, "peaks-hang")) for (;;) pause();
    if (is(e, "peaks-die")) abort();
    for (*count = 0; *count < capacity && (first + *count < 10000 || is(e, "peaks-endless")); ++*count) {
        int16_t height = (int16_t)((first + *count) % 32768);
        peaks[*count] = (rostrum_peak){(int16_t)-height, height, (uint16_t)(height / 2)};
        if (is(e, "peaks-upside-down")) peaks[*count] = (rostrum_peak){1, -1, 0};
        if (is(e, "peaks-loud")) peaks[*count] = (rostrum_peak){-3, 3, 4};
    }
    if (is(e, "peaks-many")) *count = capacity + 1;
    return ROSTRUM_OK;
}
static const rostrum_peaks peaks_extension = {sizeof peaks_extension, 0, peaks};
static const rostrum_cover cover_extension = {sizeof cover_extension, 0, cover};
static const rostrum_index index_extension = {sizeof index_extension, 0, index_of};
static const rostrum_rate rate_extension = {sizeof rate_extension, 0, 0.25, 4, set_rate};
static const rostrum_measure measure_extension = {sizeof measure_extension, 0, measure};

static const void *get_extension(rostrum_engine *e, const char *id) {
    (void)e;
    if (!strcmp(id, ROSTRUM_RATE_EXTENSION)) return &rate_extension;
    if (!strcmp(id, ROSTRUM_MEASURE_EXTENSION)) return &measure_extension;
    if (!strcmp(id, ROSTRUM_INDEX_EXTENSION)) return &index_extension;
    if (!strcmp(id, ROSTRUM_COVER_EXTENSION)) return &cover_extension;
    if (!strcmp(id, ROSTRUM_CUT_EXTENSION)) return &cut_extension;
    if (!strcmp(id, ROSTRUM_PEAKS_EXTENSION)) return &peaks_extension;
    return NULL;
}

static const rostrum_engine_module module = {
    .size = sizeof module,
    .abi_major = FIXTURE_MAJOR,
    .abi_minor = 0,
    .id = FIXTURE_ID,
    .version = "1",
    .functions = {sizeof(rostrum_engine_functions), 0, create, destroy, load, unload, media, track, chapter,
#ifdef FIXTURE_LACKS_RENDER
                  NULL,
#else
                  render,
#endif
                  seek, interrupt, error_message, get_extension}};

#ifndef FIXTURE_NO_ENTRY
ROSTRUM_EXPORT const rostrum_engine_module *rostrum_engine_entry(uint32_t major, uint32_t minor) {
    (void)major;
    (void)minor;
    (void)render;
#ifdef FIXTURE_DECLINES
    return NULL;
#elif defined FIXTURE_SMALL
    static rostrum_engine_module small;
    small = module;
    small.size = 16;
    return &small;
#else
    return &module;
#endif
}
#else
const void *fixture_unused(void) { return &module; }
#endif
