/* SPDX-License-Identifier: Apache-2.0 */
/* A minimal host for a debugger, valgrind or a sanitizer: one process, one thread, nothing in between.
 *
 *   cc -g try-engine.c -o try-engine `pkg-config --cflags rostrum-engine` -ldl
 *   try-engine [--text] MODULE FILE...
 *
 * It loads the files as the tracks of one item (or one file as a text), prints the engine's description of them,
 * renders everything, and renders once more from the middle of the first track. Unlike the session it trusts the
 * engine: use `rostrum engines check` to prove an engine right. */
#include <rostrum/engine.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char **files;
static uint32_t file_count;
static volatile sig_atomic_t interrupts;

static rostrum_result open_source(void *data, uint32_t track, rostrum_source *source) {
    (void)data;
    if (track >= file_count) return ROSTRUM_ERROR_NOT_FOUND;
    source->descriptor = open(files[track], O_RDONLY | O_CLOEXEC);
    if (source->descriptor < 0) return errno == EACCES ? ROSTRUM_ERROR_PERMISSION : ROSTRUM_ERROR_NOT_FOUND;
    const char *slash = strrchr(files[track], '/');
    source->url = source->headers = NULL;
    source->name = slash ? slash + 1 : files[track];
    return ROSTRUM_OK;
}

static void mark(void *data, rostrum_mark_kind kind, int64_t position, int64_t length) {
    (void)data;
    printf("mark: %s at %" PRId64 ", %" PRId64 " long\n", kind == ROSTRUM_MARK_WORD ? "word" : "sentence", position, length);
}

static void print_log(void *data, rostrum_log_level level, const char *message) {
    (void)data;
    printf("log %u: %s\n", level, message);
}

static int32_t interrupted(void *data) {
    (void)data;
    return interrupts;
}

static const void *host_extension(void *data, const char *id) {
    (void)data;
    (void)id;
    return NULL;
}

static void on_signal(int number) {
    (void)number;
    interrupts = 1;
}

static const rostrum_engine_functions *f;
static rostrum_engine *engine;

static void must(const char *what, rostrum_result result) {
    if (result == ROSTRUM_OK) return;
    fflush(stdout);
    fprintf(stderr, "try-engine: %s: %d: %s\n", what, result, engine ? f->error_message(engine) : "no engine was made");
    exit(1);
}

/* Renders to the end, and prints a summary of the blocks. */
static void render_all(void) {
    static float samples[32 * 1024];
    int64_t frames = 0, blocks = 0;
    for (;;) {
        rostrum_block block = {.size = sizeof block, .samples = samples, .capacity = sizeof samples / sizeof *samples};
        must("render", f->render(engine, &block));
        if (blocks++ == 0)
            printf("first block: track %u from %" PRId64 ", %u Hz, %u channels\n", block.track, block.position,
                   block.sample_rate, block.channels);
        frames += block.frames;
        if (!(block.flags & ROSTRUM_BLOCK_END)) continue;
        printf("end: track %u at %" PRId64 ", %" PRId64 " frames in %" PRId64 " blocks\n", block.track, block.position_end,
               frames, blocks);
        return;
    }
}

int main(int count, char **arguments) {
    int is_text = count > 1 && !strcmp(arguments[1], "--text");
    if (count < 3 + is_text) {
        fprintf(stderr, "usage: try-engine [--text] MODULE FILE...\n");
        return 64;
    }
    files = arguments + 2 + is_text;
    file_count = (uint32_t)(count - 2 - is_text);
    signal(SIGINT, on_signal);

    void *opened = dlopen(arguments[1 + is_text], RTLD_NOW | RTLD_LOCAL);
    if (!opened) {
        fprintf(stderr, "try-engine: %s\n", dlerror());
        return 66;
    }
    rostrum_engine_entry_function entry = NULL;
    void *symbol = dlsym(opened, ROSTRUM_ENGINE_ENTRY_SYMBOL);
    memcpy(&entry, &symbol, sizeof entry);
    const rostrum_engine_module *module = entry ? entry(ROSTRUM_ABI_MAJOR, ROSTRUM_ABI_MINOR) : NULL;
    if (!module || module->abi_major != ROSTRUM_ABI_MAJOR) {
        fprintf(stderr, "try-engine: it has no entry, or is of another version\n");
        return 65;
    }
    f = &module->functions;
    printf("%s %s, made for %u.%u\n", module->id, module->version, module->abi_major, module->abi_minor);

    static const rostrum_host host = {
        .size = sizeof host, .abi_minor = ROSTRUM_ABI_MINOR, .open_source = open_source, .mark = mark, .log = print_log,
        .interrupted = interrupted, .get_extension = host_extension};
    must("create", f->create(&host, &engine));
    rostrum_content content = {
        .size = sizeof content, .kind = is_text ? ROSTRUM_KIND_TEXT : ROSTRUM_KIND_AUDIO, .track_count = file_count,
        .rate = 1};
    must("load", f->load(engine, &content));
    rostrum_media media = {.size = sizeof media};
    must("media", f->media(engine, &media));
    printf("%s: %u tracks, %u chapters\n", media.title ? media.title : "no title", media.track_count, media.chapter_count);
    int64_t middle = 0;
    for (uint32_t i = 0; i < media.track_count; i++) {
        rostrum_track track = {.size = sizeof track};
        must("track", f->track(engine, i, &track));
        printf("track %u: %s, %u Hz, %u channels, %" PRId64 " units, confidence %u\n", i, track.codec, track.sample_rate,
               track.channels, track.duration, track.confidence);
        if (i == 0 && track.duration != ROSTRUM_UNKNOWN) middle = track.duration / 2;
    }
    for (uint32_t i = 0; i < media.chapter_count; i++) {
        rostrum_chapter chapter = {.size = sizeof chapter};
        must("chapter", f->chapter(engine, i, &chapter));
        printf("chapter %u: track %u from %" PRId64 ": %s\n", i, chapter.track, chapter.start,
               chapter.title ? chapter.title : "");
    }
    render_all();
    printf("seek: track 0 to %" PRId64 "\n", middle);
    must("seek", f->seek(engine, 0, middle));
    render_all();
    f->unload(engine);
    f->destroy(engine);
    return 0;
}
