/* SPDX-License-Identifier: Apache-2.0 */
/* Extension for engines that can cut a passage out of their content into a file of its own, or export it
 * in another format.
 *
 * The engine does this, not the host, because only a codec library knows where a packet begins, and no
 * codec library runs in the host. The host makes the file, and gives it its name when it is complete. */
#ifndef ROSTRUM_CUT_H
#define ROSTRUM_CUT_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ROSTRUM_CUT_EXTENSION "rostrum.cut/1"

/* The order to cut a passage. The host fills it in. */
typedef struct rostrum_cut_order {
    uint32_t size;
    uint32_t flags;             /* 0 */
    uint32_t start_track;       /* the passage is [start, end), as in "rostrum.range/1" */
    uint32_t end_track;
    int64_t start;              /* units of start_track */
    int64_t end;                /* units of end_track */
    const char *format;         /* "m4a", "mp3", "opus", "flac", "wav", or "mp4" for a still video with the
                                   waveform; "" keeps the encoding of the source where that is possible */
    const char *const *tags;    /* keys and values by turns, ended by NULL; or NULL. The keys are "title",
                                   "artist", "album", "chapter", "comment" and "date". An engine skips
                                   keys that it does not know */
    int32_t file;               /* an empty file, open for reading and writing, seekable */
    int32_t cover;              /* a JPEG or PNG picture, open for reading and seekable, or -1 */
} rostrum_cut_order;

/* The description of the file that was written. The engine fills it in. */
typedef struct rostrum_cut_result {
    uint32_t size;
    uint32_t encoded;           /* 1 if the audio was encoded again; 0 if its packets were copied, or its
                                   samples are those of an uncompressed source */
    int64_t frames;             /* the number of frames to which the file decodes, at `sample_rate` */
    uint32_t sample_rate;       /* of the file */
    char extension[8];          /* for the name of the file, such as "m4a": 1 to 7 lower case letters and
                                   digits, and NUL */
    uint32_t reserved;
} rostrum_cut_result;

/* The struct that the engine returns for ROSTRUM_CUT_EXTENSION. */
typedef struct rostrum_cut {
    uint32_t size;
    uint32_t reserved;
    /* Writes a passage into order->file, exact to the frame at both ends.
     *
     * A file that keeps the rate of its source decodes to exactly the frames of the passage. Copied audio
     * is the same as what the engine renders of the source. Returns ROSTRUM_ERROR_ARGUMENT for a passage
     * that is empty or lies outside of the content, ROSTRUM_ERROR_UNSUPPORTED for a format that it cannot
     * write, ROSTRUM_ERROR_IO if the file cannot be written. After a failure the content of the file
     * means nothing. The engine closes neither descriptor and writes to no other file.
     *
     * May open tracks, takes as long as encoding takes, and obeys `interrupt`. Afterwards rendering
     * continues where it was. [engine-thread & loaded] */
    rostrum_result (*cut)(rostrum_engine *engine, const rostrum_cut_order *order,
                          rostrum_cut_result *result);
} rostrum_cut;

#ifdef __cplusplus
}
#endif
#endif
