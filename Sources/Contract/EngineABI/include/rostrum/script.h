/* SPDX-License-Identifier: Apache-2.0 */
/* Extension of the host for engines that read texts aloud: what to say, sentence by sentence.
 *
 * The host reads the document, finds its sentences and languages, and spells out its numbers and
 * abbreviations. An engine that uses this gets all of that, in every format that the host can read. An
 * engine that does not gets the same text as its source, and finds sentences itself. */
#ifndef ROSTRUM_SCRIPT_H
#define ROSTRUM_SCRIPT_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ROSTRUM_SCRIPT_EXTENSION "rostrum.script/1"

/* A word of what is said. */
typedef struct rostrum_script_word {
    uint32_t offset;            /* bytes of rostrum_utterance.text */
    uint32_t length;
    int64_t position;           /* units of the document for which it stands; several words may stand */
    int64_t position_length;    /* for the same units, such as those of a number */
    const char *phonemes;       /* how to say it, in the notation of eSpeak NG, or NULL */
} rostrum_script_word;

/* What a voice says in one breath: a sentence, or a clause of a long one. The host fills it in. */
typedef struct rostrum_utterance {
    uint32_t size;
    uint32_t pause;             /* the silence behind it, in milliseconds at rate 1: from the last sound
                                   of this utterance to the first one of the next */
    int64_t position;           /* the units of the document that are said. Utterances are in order and */
    int64_t length;             /* do not overlap; what lies between them is not said */
    int64_t sentence;           /* the sentence to which it belongs, for ROSTRUM_MARK_SENTENCE */
    int64_t sentence_length;
    const char *text;           /* what to say; never empty */
    const char *language;       /* a BCP 47 tag, or NULL if nothing tells the language */
    uint32_t word_count;
    uint32_t reserved;
    const rostrum_script_word *words;   /* in order of their offsets */
} rostrum_utterance;

/* The struct that the host returns for ROSTRUM_SCRIPT_EXTENSION. */
typedef struct rostrum_script_host {
    uint32_t size;
    uint32_t reserved;
    /* Fills in the utterance that ends behind `position`: the one that contains it, or else the next one.
     *
     * Returns ROSTRUM_ERROR_NOT_FOUND if nothing is said from there on, and ROSTRUM_ERROR_UNSUPPORTED if
     * the content has no script. The script of a long text may still be made; then this waits, until it
     * is there or an interruption ends the call with ROSTRUM_ERROR_INTERRUPTED. The strings and words are
     * valid until the next call, or the end of the content.
     * [engine-thread; within load or a call while loaded] */
    rostrum_result (*utterance)(void *host_data, int64_t position, rostrum_utterance *utterance);
} rostrum_script_host;

#ifdef __cplusplus
}
#endif
#endif
