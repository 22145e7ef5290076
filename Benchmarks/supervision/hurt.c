/* SPDX-License-Identifier: Apache-2.0 */
/* An engine that plays 16-bit PCM WAV files, and harms itself on a signal: SIGUSR1 starts an endless loop, SIGUSR2
 * takes all memory that it can get, each in the thread to which the signal is sent. */
#define _GNU_SOURCE
#include <rostrum/engine.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct rostrum_engine {
    const rostrum_host *host;
    int file;
    uint32_t rate, channels;
    int64_t data, frames, position;
    const char *error;
};

static void loop(int number) {
    (void)number;
    for (;;) __asm__ volatile("");
}

static void bomb(int number) {
    (void)number;
    for (;;) {
        char *more = malloc(16 << 20);
        if (!more) abort();
        memset(more, 1, 16 << 20);
    }
}

static rostrum_result create(const rostrum_host *host, rostrum_engine **engine) {
    rostrum_engine *e = calloc(1, sizeof *e);
    if (!e) return ROSTRUM_ERROR_MEMORY;
    e->host = host;
    e->file = -1;
    e->error = "";
    signal(SIGUSR1, loop);
    signal(SIGUSR2, bomb);
    *engine = e;
    return ROSTRUM_OK;
}

static void unload(rostrum_engine *e) {
    if (e->file >= 0) close(e->file);
    e->file = -1;
}

static void destroy(rostrum_engine *e) {
    unload(e);
    free(e);
}

static uint32_t number(const unsigned char *p) { return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24; }

static rostrum_result fail(rostrum_engine *e, rostrum_result code, const char *message) {
    e->error = message;
    return code;
}

static rostrum_result load(rostrum_engine *e, const rostrum_content *content) {
    rostrum_source source = {.size = sizeof source, .descriptor = -1};
    unsigned char header[44];
    unload(e);
    rostrum_result result = e->host->open_source(e->host->host_data, 0, &source);
    if (result != ROSTRUM_OK) return fail(e, result, "no source");
    e->file = source.descriptor;
    if (pread(e->file, header, sizeof header, 0) != sizeof header || memcmp(header, "RIFF", 4)) {
        unload(e);
        return fail(e, ROSTRUM_ERROR_FORMAT, "no WAV file");
    }
    e->channels = header[22];
    e->rate = number(header + 24);
    e->data = sizeof header;
    e->frames = number(header + 40) / (2 * e->channels);
    e->position = content->start;
    return ROSTRUM_OK;
}

static rostrum_result media(rostrum_engine *e, rostrum_media *media) {
    (void)e;
    media->track_count = 1;
    media->chapter_count = 0;
    media->title = media->author = NULL;
    return ROSTRUM_OK;
}

static rostrum_result track(rostrum_engine *e, uint32_t index, rostrum_track *track) {
    (void)index;
    track->sample_rate = e->rate;
    track->channels = e->channels;
    track->encoding = ROSTRUM_ENCODING_INT16;
    track->duration = e->frames;
    track->confidence = ROSTRUM_CONFIDENCE_EXACT;
    track->units_per_second = e->rate;
    track->codec = "pcm";
    track->title = NULL;
    return ROSTRUM_OK;
}

static rostrum_result chapter(rostrum_engine *e, uint32_t index, rostrum_chapter *chapter) {
    (void)index;
    (void)chapter;
    return fail(e, ROSTRUM_ERROR_ARGUMENT, "no chapters");
}

static rostrum_result render(rostrum_engine *e, rostrum_block *block) {
    int16_t samples[8192];
    int64_t want = block->capacity / e->channels;
    if (want > (int64_t)(8192 / e->channels)) want = 8192 / e->channels;
    if (want > e->frames - e->position) want = e->frames - e->position;
    ssize_t got = pread(e->file, samples, (size_t)want * 2 * e->channels, e->data + e->position * 2 * e->channels);
    int64_t frames = got > 0 ? got / (2 * e->channels) : 0;
    for (int64_t i = 0; i < frames * e->channels; i++) block->samples[i] = samples[i] / 32768.0f;
    block->frames = (uint32_t)frames;
    block->sample_rate = e->rate;
    block->channels = e->channels;
    block->track = 0;
    block->position = e->position;
    e->position += frames;
    block->position_end = e->position;
    block->flags = e->position == e->frames || !frames ? ROSTRUM_BLOCK_END | ROSTRUM_BLOCK_TRACK_END : 0;
    return ROSTRUM_OK;
}

static rostrum_result seek(rostrum_engine *e, uint32_t index, int64_t position) {
    (void)index;
    e->position = position < e->frames ? position : e->frames;
    return ROSTRUM_OK;
}

static void interrupt(rostrum_engine *e) { (void)e; }
static const char *error_message(rostrum_engine *e) { return e->error; }
static const void *get_extension(rostrum_engine *e, const char *id) {
    (void)e;
    (void)id;
    return NULL;
}

ROSTRUM_EXPORT const rostrum_engine_module *rostrum_engine_entry(uint32_t major, uint32_t minor) {
    static const rostrum_engine_module module = {
        .size = sizeof module,
        .abi_major = ROSTRUM_ABI_MAJOR,
        .abi_minor = ROSTRUM_ABI_MINOR,
        .id = "hurt",
        .version = "1",
        .functions = {.size = sizeof module.functions, .create = create, .destroy = destroy, .load = load,
                      .unload = unload, .media = media, .track = track, .chapter = chapter, .render = render,
                      .seek = seek, .interrupt = interrupt, .error_message = error_message,
                      .get_extension = get_extension},
    };
    (void)minor;
    return major == ROSTRUM_ABI_MAJOR ? &module : NULL;
}
