/* SPDX-License-Identifier: Apache-2.0 */
/* A complete engine: plays 16-bit WAV files with one or two channels. Read it from the end, where the entry is. */
#include <rostrum/engine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* An open file (-1: none), the byte at which its samples begin, and the number of its frames. */
struct wav { int file; uint32_t rate, channels; int64_t data, frames; };

struct rostrum_engine {
    const rostrum_host *host;
    uint32_t tracks, track; /* the number that is loaded; the one that plays */
    struct wav wav;         /* its file */
    int64_t position;       /* the next frame */
    int track_ended;        /* its last block has been rendered */
    char error[256];
};

/* A failure is a code for its kind, and one line: what failed, on what. */
static rostrum_result fail(rostrum_engine *e, rostrum_result code, const char *what, const char *why) {
    snprintf(e->error, sizeof e->error, "%s: %s", what, why);
    return code;
}

static uint32_t u16(const unsigned char *b) { return b[0] | (uint32_t)b[1] << 8; }
static uint32_t u32(const unsigned char *b) { return u16(b) | u16(b + 2) << 16; }

/* A file is foreign input: no number in it is used before it has been checked. */
static rostrum_result read_header(rostrum_engine *e, struct wav *w, const char *name) {
    unsigned char b[16];
    struct stat status;
    if (fstat(w->file, &status) || pread(w->file, b, 12, 0) != 12 || memcmp(b, "RIFF", 4) || memcmp(b + 8, "WAVE", 4))
        return fail(e, ROSTRUM_ERROR_FORMAT, name, "is no WAV file");
    for (int64_t at = 12, size; pread(w->file, b, 8, at) == 8; at += 8 + size + (size & 1)) {
        size = u32(b + 4);
        if (!memcmp(b, "fmt ", 4) && pread(w->file, b, 16, at + 8) == 16) {
            w->channels = u16(b + 2), w->rate = u32(b + 4);
            if (u16(b) != 1 || u16(b + 14) != 16 || w->channels - 1 > 1 || w->rate < 8000 || w->rate > 384000)
                return fail(e, ROSTRUM_ERROR_UNSUPPORTED, name, "is not of 16 bits in one or two channels");
        } else if (!memcmp(b, "data", 4) && w->channels) {
            int64_t held = status.st_size - at - 8; /* less than stated if the file was cut off */
            w->data = at + 8;
            w->frames = (size < held ? size : held) / (2 * w->channels);
            return w->frames ? ROSTRUM_OK : fail(e, ROSTRUM_ERROR_EMPTY, name, "has no samples");
        }
        if (e->host->interrupted(e->host->host_data)) return fail(e, ROSTRUM_ERROR_INTERRUPTED, name, "interrupted");
    }
    return fail(e, ROSTRUM_ERROR_CORRUPT, name, "ends before its samples");
}

/* The session hands over an open file; an engine opens no path itself. */
static rostrum_result open_track(rostrum_engine *e, uint32_t index, struct wav *w) {
    if (index >= e->tracks) return fail(e, e->tracks ? ROSTRUM_ERROR_ARGUMENT : ROSTRUM_ERROR_STATE, "track", "none");
    *w = e->wav;
    if (index == e->track && w->file >= 0) return ROSTRUM_OK;
    rostrum_source source = {.size = sizeof source, .descriptor = -1};
    rostrum_result result = e->host->open_source(e->host->host_data, index, &source);
    if (result) return fail(e, result, "track", "the session has no source for it");
    *w = (struct wav){.file = source.descriptor};
    if (w->file < 0) return fail(e, ROSTRUM_ERROR_UNSUPPORTED, "track", "is a web address, not a file");
    result = read_header(e, w, source.name ? source.name : "the file");
    if (result) close(w->file);
    return result;
}

static rostrum_result seek(rostrum_engine *e, uint32_t track, int64_t position) {
    if (position < 0) return fail(e, ROSTRUM_ERROR_ARGUMENT, "seek", "no such place");
    struct wav w;
    rostrum_result result = open_track(e, track, &w);
    if (result) return result;
    if (e->wav.file >= 0 && e->wav.file != w.file) close(e->wav.file);
    e->wav = w, e->track = track, e->track_ended = 0;
    e->position = position < w.frames ? position : w.frames;
    return ROSTRUM_OK;
}

static void unload(rostrum_engine *e) {
    if (e->wav.file >= 0) close(e->wav.file);
    e->wav.file = -1;
    e->tracks = 0;
}

static rostrum_result load(rostrum_engine *e, const rostrum_content *content) {
    unload(e);
    if (content->kind != ROSTRUM_KIND_AUDIO) return fail(e, ROSTRUM_ERROR_FORMAT, "a text", "this engine plays audio");
    e->tracks = content->track_count;
    rostrum_result result = seek(e, content->start_track, content->start);
    if (result) unload(e); /* after a failure nothing is loaded */
    return result;
}

static rostrum_result media(rostrum_engine *e, rostrum_media *m) {
    if (!e->tracks) return fail(e, ROSTRUM_ERROR_STATE, "media", "nothing is loaded");
    *m = (rostrum_media){.size = m->size, .track_count = e->tracks}; /* no chapters, no title, no author */
    return ROSTRUM_OK;
}

static rostrum_result track(rostrum_engine *e, uint32_t index, rostrum_track *t) {
    struct wav w;
    rostrum_result result = open_track(e, index, &w);
    if (result) return result;
    if (w.file != e->wav.file) close(w.file); /* opened only to be described */
    *t = (rostrum_track){t->size, w.rate, w.channels, ROSTRUM_ENCODING_INT16, w.frames, ROSTRUM_CONFIDENCE_EXACT,
                         0, w.rate, "pcm_s16le", NULL};
    return ROSTRUM_OK;
}

static rostrum_result chapter(rostrum_engine *e, uint32_t index, rostrum_chapter *c) {
    return fail(e, e->tracks ? ROSTRUM_ERROR_ARGUMENT : ROSTRUM_ERROR_STATE, "chapter", "there are none");
}

static rostrum_result render(rostrum_engine *e, rostrum_block *b) {
    unsigned char bytes[16384]; /* a part; the host calls again. First move to the next track, or stay where it is: */
    rostrum_result result = seek(e, e->track + e->track_ended, e->track_ended ? 0 : e->position);
    if (result) return result;
    int64_t frame = 2 * e->wav.channels, frames = e->wav.frames - e->position, most = b->capacity / e->wav.channels;
    if (most > (int64_t)sizeof bytes / frame) most = sizeof bytes / frame;
    if (frames > most) frames = most;
    if (pread(e->wav.file, bytes, frames * frame, e->wav.data + e->position * frame) != frames * frame)
        return fail(e, ROSTRUM_ERROR_IO, "the file", "can no longer be read to its end");
    for (int64_t i = 0; i < frames * frame / 2; i++) b->samples[i] = (int16_t)u16(bytes + 2 * i) / 32768.0f;
    b->frames = frames, b->sample_rate = e->wav.rate, b->channels = e->wav.channels;
    b->track = e->track, b->position = e->position, b->position_end = e->position += frames;
    if ((e->track_ended = e->position == e->wav.frames))
        b->flags = ROSTRUM_BLOCK_TRACK_END | (e->track + 1 == e->tracks ? ROSTRUM_BLOCK_END : 0);
    return ROSTRUM_OK;
}

static void interrupt(rostrum_engine *e) {} /* nothing here waits; a long loop would check host->interrupted */
static const char *error_message(rostrum_engine *e) { return e->error; }
static const void *get_extension(rostrum_engine *e, const char *id) { return NULL; }
static void destroy(rostrum_engine *e) { unload(e), free(e); }
static rostrum_result create(const rostrum_host *host, rostrum_engine **engine) {
    rostrum_engine *e = malloc(sizeof *e);
    if (!e) return ROSTRUM_ERROR_MEMORY;
    *e = (rostrum_engine){.host = host, .wav.file = -1};
    return *engine = e, ROSTRUM_OK;
}
static const rostrum_engine_module module = {
    sizeof module, ROSTRUM_ABI_MAJOR, ROSTRUM_ABI_MINOR, "c-wav", "1.0.0",
    {sizeof module.functions, 0, create, destroy, load, unload, media, track, chapter, render, seek, interrupt,
     error_message, get_extension}};

/* The only symbol that a module exports. */
ROSTRUM_EXPORT const rostrum_engine_module *rostrum_engine_entry(uint32_t major, uint32_t minor) {
    return major == ROSTRUM_ABI_MAJOR ? &module : NULL;
}
