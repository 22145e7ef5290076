/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rostrum engine contract, version 1.0.
 *
 * An engine turns content (a list of audio tracks, or a text) into blocks of PCM that carry their
 * position. It never opens a sound device, and it opens no local file by path: the host hands it
 * read-only descriptors. A module exports exactly one symbol, rostrum_engine_entry.
 *
 * The host owns the device, so an engine that misbehaves cannot disturb what another one plays. It
 * opens the files, so an engine's process can give up the right to open any before foreign code
 * runs in it. Only one symbol is exported because several modules, and the host, may each contain
 * a copy of the same library in one process.
 *
 * LIFE CYCLE
 *
 *     rostrum_engine_entry               once per process, before anything else
 *              |
 *              v
 *      +--------------+
 *      |  no engine   |<------------------------------+
 *      +--------------+                               |
 *              | create                               |
 *              v                                      |
 *      +--------------+                               |
 *      |   created    |---------- destroy ----------->+
 *      +--------------+                               |
 *        |          ^                                 |
 *        | load     | unload, or a load that fails    |
 *        v          |                                 |
 *      +--------------+                               |
 *      |    loaded    |---------- destroy ----------->+
 *      +--------------+
 *        |          ^
 *        +----------+   media, track, chapter    describe what is loaded
 *                       render, render, ...      until a block carries ROSTRUM_BLOCK_END
 *                       seek                     the next block begins at the position given
 *                       load                     drops what is loaded, then loads
 *
 *   load                calls host->open_source for the start track, and goes to the start position.
 *   render, track       may call host->open_source for a track that has not been opened yet.
 *   render              calls host->mark before the block in which the word is heard.
 *   error_message, get_extension          may be called from create on, loaded or not.
 *   interrupt           may be called at any moment between create and destroy, on any thread.
 *
 * A call that needs loaded content returns ROSTRUM_ERROR_STATE if nothing is loaded. After destroy,
 * the host may create another engine of the same module. A module is never unloaded: libraries leave
 * threads, thread-local data and exit handlers behind, and these would then refer to code that is no
 * longer mapped.
 *
 * VERSIONS. An engine built against 1.x loads in any 1.y host. A host refuses another major
 * version. Structs grow at their end only and begin with `size`, the size in bytes of the struct as
 * the side that allocates it knows it; the other side uses only members that lie within `size`.
 * Every other addition is an extension: a struct that one side asks the other for by a string ID,
 * which ends in the extension's revision ("rostrum.rate/1"). So neither side ever has to be rebuilt
 * because the other one is newer, and a feature that few engines need costs the rest nothing.
 *
 * THREADS. The host makes all calls on one thread, the engine's own, one at a time: an engine needs
 * no lock, and may use libraries that allow only one thread. The only exception is `interrupt`,
 * which may be called from any thread at any time between create and destroy, because a call that
 * waits for a server cannot be told to stop on the thread on which it waits. Each function carries
 * a tag [thread & state]:
 *   [engine-thread]   on the thread that created the engine
 *   [any-thread]      on any thread, possibly at the same time as another call
 *   [loader]          before any engine exists; must be quick, must not start threads
 *   & created         between create and destroy
 *   & loaded          load has returned ROSTRUM_OK, and unload has not been called since
 * No thread may be started in [loader] because no later call would end it.
 *
 * MEMORY. Each side frees what it allocated, since the two may have different allocators.
 * A string that is passed to a call is valid until that call returns. A string that an engine
 * returns stays valid until the next call on that engine.
 * STRINGS are UTF-8 and end in NUL.
 *
 * PROCESS. An engine normally lives alone in a child process. An embedder may host it in the
 * embedder's own process. An engine must not write to stdout, call exit, or change the locale, the
 * working directory or signal handlers. All of these belong to the whole process, and the engine
 * does not know whose process it runs in.
 */
#ifndef ROSTRUM_ENGINE_H
#define ROSTRUM_ENGINE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ROSTRUM_ABI_MAJOR 1
#define ROSTRUM_ABI_MINOR 0

/* The result of a call. Zero is success; below zero is failure.
 *
 * Failure codes are grouped in ranges:
 *   -1xx             the host's use of the engine
 *   -2xx             source and I/O
 *   -3xx             container or document
 *   -4xx             decoding or synthesis
 *   -1000 and below  the engine's own codes
 * A host that does not know a code treats it according to its range. */
typedef int32_t rostrum_result;
#define ROSTRUM_OK                     0
#define ROSTRUM_ERROR_STATE         (-101) /* called in a state that does not allow it */
#define ROSTRUM_ERROR_ARGUMENT      (-102)
#define ROSTRUM_ERROR_MEMORY        (-103)
#define ROSTRUM_ERROR_UNSUPPORTED   (-104) /* the engine will never be able to do this */
#define ROSTRUM_ERROR_INTERRUPTED   (-105) /* the call ended early because of `interrupt` */
#define ROSTRUM_ERROR_NOT_FOUND     (-201) /* a 404, or a track index for which the host has no source */
#define ROSTRUM_ERROR_PERMISSION    (-202) /* 401, 403, EACCES */
#define ROSTRUM_ERROR_IO            (-203)
#define ROSTRUM_ERROR_TIMEOUT       (-204) /* a server did not answer */
#define ROSTRUM_ERROR_NETWORK       (-205) /* no route, name not resolved, connection refused
                                               or closed early */
#define ROSTRUM_ERROR_FORMAT        (-301) /* no format that this engine knows */
#define ROSTRUM_ERROR_EMPTY         (-302) /* well-formed, but nothing in it is audible */
#define ROSTRUM_ERROR_CORRUPT       (-303)
#define ROSTRUM_ERROR_ENCRYPTED     (-304)
#define ROSTRUM_ERROR_ENCODING      (-305) /* a text whose encoding is unknown or unsupported */
#define ROSTRUM_ERROR_DECODE        (-401)
#define ROSTRUM_ERROR_VOICE         (-402) /* no such voice or language */

/* The kind of a piece of content. */
typedef uint32_t rostrum_kind;
#define ROSTRUM_KIND_AUDIO 1u /* one or more tracks, played one after the other without a gap */
#define ROSTRUM_KIND_TEXT  2u /* one document; exactly one track */

/* How reliable a duration is. Zero is not a valid value: a zeroed struct states nothing. */
typedef uint32_t rostrum_confidence;
#define ROSTRUM_CONFIDENCE_UNKNOWN   1u
#define ROSTRUM_CONFIDENCE_ESTIMATED 2u /* from a bit rate or an average speaking rate */
#define ROSTRUM_CONFIDENCE_CONTAINER 3u /* stated by the container, not verified */
#define ROSTRUM_CONFIDENCE_EXACT     4u /* counted; the last frame ends there */

/* The encoding that the content has at its source. Blocks are always float: an output that writes
 * files uses this to choose the WAV format that holds them without loss. */
typedef uint32_t rostrum_encoding;
#define ROSTRUM_ENCODING_INT16   1u
#define ROSTRUM_ENCODING_INT24   2u
#define ROSTRUM_ENCODING_INT32   3u
#define ROSTRUM_ENCODING_FLOAT32 4u

/* POSITIONS are whole numbers of a track's own units, counted from 0 at its first audible unit.
 * For audio a unit is one frame at the track's sample rate, after encoder delay and padding have
 * been trimmed. For text a unit is one byte of the UTF-8 document as the host handed it over.
 * A position is never in milliseconds: rounded milliseconds do not add up over a book of many
 * files, and a spoken text has none before it has been spoken. The host saves positions. They must
 * mean the same place in every version of the engine, at every rate and with every voice.
 * No position and no length is above 2^53, up to which a double holds every whole number.
 *
 * An unknown number is ROSTRUM_UNKNOWN, never 0. */
#define ROSTRUM_UNKNOWN INT64_MIN

/* The description of one track. The engine fills it in `track`. */
typedef struct rostrum_track {
    uint32_t size;
    uint32_t sample_rate;       /* the sample rate of the blocks, in frames per second;
                                   1000 to 384000 */
    uint32_t channels;          /* 1 to 8; order as in WAVE_FORMAT_EXTENSIBLE */
    rostrum_encoding encoding;
    int64_t duration;           /* units, or ROSTRUM_UNKNOWN */
    rostrum_confidence confidence;
    uint32_t reserved;
    double units_per_second;    /* sample_rate for audio; the average reading speed for text;
                                   0.1 to 384000 */
    const char *codec;          /* a short name such as "aac"; "" if no codec applies */
    const char *title;          /* the track's own title, or NULL */
} rostrum_track;

/* The description of one chapter. The engine fills it in `chapter`. */
typedef struct rostrum_chapter {
    uint32_t size;
    uint32_t track;             /* the index of the track that contains it */
    int64_t start;              /* units; the chapter is [start, end) */
    int64_t end;                /* units; ROSTRUM_UNKNOWN if it ends at the next chapter or at the end
                                   of the track */
    const char *title;          /* or NULL */
    const char *source;         /* the chapter list that it comes from: "quicktime", "nero",
                                   "id3", "vorbis", "matroska", "cue", ... */
} rostrum_chapter;

/* The description of the whole item. The engine fills it in `media`. */
typedef struct rostrum_media {
    uint32_t size;
    uint32_t track_count;       /* the same number that was loaded */
    uint32_t chapter_count;
    uint32_t reserved;
    const char *title;          /* of the whole item, or NULL */
    const char *author;         /* or NULL */
} rostrum_media;

/* The source of one track. The host fills it in `open_source`. */
typedef struct rostrum_source {
    uint32_t size;
    int32_t descriptor;         /* an open, read-only file, or -1 if the engine must use `url`. The
                                   engine owns it from now on, and closes it. It may be unseekable
                                   (a pipe). */
    const char *url;            /* http or https, or NULL */
    const char *headers;        /* "Name: value\r\n" lines for `url`, or NULL. Never log them. */
    const char *name;           /* the file name without its folder, as a hint about the format;
                                   may be "" */
} rostrum_source;

/* The content to load, and the position to start from. */
typedef struct rostrum_content {
    uint32_t size;
    rostrum_kind kind;
    uint32_t track_count;       /* 1 or more */
    uint32_t start_track;       /* the track in which rendering begins */
    int64_t start;              /* units within start_track */
    const char *language;       /* a BCP 47 tag, as a hint, or NULL */
    const char *voice;          /* the engine's name for a voice, or NULL to let it choose */
    double rate;                /* for engines with "rostrum.rate/1"; otherwise 1.0 */
} rostrum_content;

/* A block to fill. The host sets the members up to and including `capacity`; the engine sets the
 * rest.
 *
 * `samples` lies in the memory from which the host plays, so that nothing is copied. It is lent for
 * one call of render. Do not resample: the host does that once, for the device in use. */
typedef struct rostrum_block {
    uint32_t size;
    uint32_t reserved;
    float *samples;             /* interleaved, room for `capacity` floats */
    uint32_t capacity;          /* floats, not frames; at least 8 * 1024 */

    uint32_t frames;            /* frames written */
    uint32_t sample_rate;       /* of this block; may differ from that of the previous block only
                                   where the track changes, or where the codec changes within a
                                   file */
    uint32_t channels;
    uint32_t track;
    uint32_t flags;             /* ROSTRUM_BLOCK_* */
    int64_t position;           /* units, of the first frame */
    int64_t position_end;       /* units, just after the last frame; for audio,
                                   `position` + `frames` */
} rostrum_block;

#define ROSTRUM_BLOCK_END         1u /* nothing comes after this block (which may have no frames) */
#define ROSTRUM_BLOCK_TRACK_END   2u /* the last block of its track */
#define ROSTRUM_BLOCK_DAMAGED     4u /* something before it could not be decoded and was left out */

/* The kind of text that a mark points to. */
typedef uint32_t rostrum_mark_kind;
#define ROSTRUM_MARK_WORD     1u
#define ROSTRUM_MARK_SENTENCE 2u

/* The severity of a line in the log. */
typedef uint32_t rostrum_log_level;
#define ROSTRUM_LOG_DEBUG   1u
#define ROSTRUM_LOG_INFO    2u
#define ROSTRUM_LOG_WARNING 3u
#define ROSTRUM_LOG_ERROR   4u

/* The services that the host offers an engine. Valid from create until destroy returns. */
typedef struct rostrum_host {
    uint32_t size;
    uint32_t abi_minor;         /* the host's minor version of this contract */
    void *host_data;            /* opaque to the engine, which passes it back as the first argument */

    /* Hands over the source of a track. The call waits until the host has opened it.
     * Returns ROSTRUM_ERROR_NOT_FOUND if the track no longer exists, and
     * ROSTRUM_ERROR_INTERRUPTED if `interrupt` is called in the meantime.
     * [engine-thread & created; within load or a call while loaded] */
    rostrum_result (*open_source)(void *host_data, uint32_t track, rostrum_source *source);

    /* Says that a word or sentence of the text begins at `position` and is `length` units long.
     * Comes before the block in which it is heard. End a block where a word ends: within a block
     * the host can only interpolate. [engine-thread & loaded; within render] */
    void (*mark)(void *host_data, rostrum_mark_kind kind, int64_t position, int64_t length);

    /* Writes a message to the session's log. One line, without a newline and without secrets. Users
     * attach the log to bug reports. [any-thread & created] */
    void (*log)(void *host_data, rostrum_log_level level, const char *message);

    /* Returns nonzero from the moment `interrupt` is called until the call that it interrupts has
     * returned. Use it in loops and in callbacks of libraries that poll. [any-thread & created] */
    int32_t (*interrupted)(void *host_data);

    /* Returns an extension of the host by ID, or NULL. [engine-thread & created] */
    const void *(*get_extension)(void *host_data, const char *id);
} rostrum_host;

/* An engine's own state, opaque to the host. */
typedef struct rostrum_engine rostrum_engine;

/* The functions of an engine. None may be NULL. */
typedef struct rostrum_engine_functions {
    uint32_t size;
    uint32_t reserved;

    /* Creates an engine; at most one exists in a process at a time. It must be cheap: no content is
     * known yet. The listener may be waiting for the first sound. On failure it leaves *engine
     * unchanged. [engine-thread] */
    rostrum_result (*create)(const rostrum_host *host, rostrum_engine **engine);

    /* Frees everything, even if content is loaded. [engine-thread & created] */
    void (*destroy)(rostrum_engine *engine);

    /* Opens the content and goes to its start position, so that the first block comes from there.
     * The start position is part of load because a separate seek would decode the beginning in vain
     * while the listener waits. If content is loaded, the engine drops it first. On failure nothing is
     * loaded, and error_message says why in one line. [engine-thread & created] */
    rostrum_result (*load)(rostrum_engine *engine, const rostrum_content *content);

    /* Drops what is loaded. [engine-thread & loaded] */
    void (*unload)(rostrum_engine *engine);

    /* Describes the loaded item. Fills only the members that lie within the struct's `size`.
     * [engine-thread & loaded] */
    rostrum_result (*media)(rostrum_engine *engine, rostrum_media *media);

    /* Describes a track. The engine may open the track for this if it has not been opened yet.
     * [engine-thread & loaded] */
    rostrum_result (*track)(rostrum_engine *engine, uint32_t index, rostrum_track *track);

    /* Describes a chapter. Chapters are in order of track and start. [engine-thread & loaded] */
    rostrum_result (*chapter)(rostrum_engine *engine, uint32_t index, rostrum_chapter *chapter);

    /* Fills the block with what comes next. Returns when it has some frames, or the end; it need
     * not fill the block. Return early: after a seek the listener waits for the first block.
     * Renders faster than real time. The host renders ahead, and paces the engine by not calling it.
     * Between seeks, positions within a track only increase. After a block with ROSTRUM_BLOCK_END the
     * host calls render again only after seek or load.
     *
     * Damage inside a file is not a failure. Leave it out, set ROSTRUM_BLOCK_DAMAGED and keep the
     * positions correct: a book with a scratch is still worth hearing. [engine-thread & loaded] */
    rostrum_result (*render)(rostrum_engine *engine, rostrum_block *block);

    /* Moves to a position. The next block begins at exactly this unit (audio), or at the word that
     * contains it (text). A position beyond the end of the track means its end. The seek must be exact,
     * because the host cannot detect a wrong position and would save it as the listener's place.
     * [engine-thread & loaded] */
    rostrum_result (*seek)(rostrum_engine *engine, uint32_t track, int64_t position);

    /* Makes a call that is waiting (for a server, say) return soon with
     * ROSTRUM_ERROR_INTERRUPTED. It must have no other effect. The next call works as if there had
     * been no interruption. An engine that polls host->interrupted wherever it waits has nothing more to
     * do here. If the call does not return, the host ends the process. [any-thread & created] */
    void (*interrupt)(rostrum_engine *engine);

    /* Returns one line about the last failure: what failed, and on what. Never NULL. The user reads it.
     * [engine-thread & created] */
    const char *(*error_message)(rostrum_engine *engine);

    /* Returns an extension of this engine by ID, or NULL. [engine-thread & created] */
    const void *(*get_extension)(rostrum_engine *engine, const char *id);
} rostrum_engine_functions;

/* The module: an engine's identity, the version it was built against, and its functions. */
typedef struct rostrum_engine_module {
    uint32_t size;
    uint16_t abi_major;         /* ROSTRUM_ABI_MAJOR at the time of compilation */
    uint16_t abi_minor;         /* ROSTRUM_ABI_MINOR at the time of compilation */
    const char *id;             /* as in the manifest: lower case letters, digits, '-'; at most 32 */
    const char *version;        /* the engine's own version */
    rostrum_engine_functions functions;
} rostrum_engine_module;

/* Makes rostrum_engine_entry visible in a module whose other symbols are hidden. */
#if defined(__GNUC__)
#define ROSTRUM_EXPORT __attribute__((visibility("default")))
#else
#define ROSTRUM_EXPORT
#endif

/* The only symbol that a module exports. The module defines it; a host looks it up by
 * ROSTRUM_ENGINE_ENTRY_SYMBOL and calls it through a rostrum_engine_entry_function. The declaration
 * lets the compiler check a module's definition, and gives it C linkage in C++.
 *
 * The loader calls it once per process, before any engine exists. It returns a module that stays
 * valid for the life of the process, or NULL if the module cannot work with a host of this version.
 * The host passes its version so that one module can serve hosts of several major versions.
 * [loader] */
ROSTRUM_EXPORT const rostrum_engine_module *rostrum_engine_entry(uint32_t host_abi_major,
                                                                 uint32_t host_abi_minor);

/* The type of rostrum_engine_entry, for hosts. */
typedef const rostrum_engine_module *(*rostrum_engine_entry_function)(uint32_t host_abi_major,
                                                                      uint32_t host_abi_minor);
#define ROSTRUM_ENGINE_ENTRY_SYMBOL "rostrum_engine_entry"

#ifdef __cplusplus
}
#endif
#endif
