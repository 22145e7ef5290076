/* SPDX-License-Identifier: Apache-2.0 */
/* Speech synthesis with the runtime sherpa-onnx, opened while the program runs.
 *
 * The runtime is no package of the system, so nothing is linked with it. The structs below are those of its C
 * interface, version 2.0, as far as VITS voices need them. The runtime reads whole structs, also the parts that
 * belong to other kinds of voices: these are `unused`, and must be zero. */
#ifndef CSHERPA_H
#define CSHERPA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The beginning of the versions whose structs are these. */
#define CSHERPA_VERSION "2.0."

/* A VITS voice. A member that is not needed is NULL. */
typedef struct csherpa_vits {
    const char *model;          /* the path of the ONNX file */
    const char *lexicon;
    const char *tokens;         /* the path of the list of symbols */
    const char *data_folder;
    float noise_scale;
    float noise_scale_w;        /* of the durations */
    float length_scale;         /* 2 is twice as slow */
    const char *dictionary_folder;
} csherpa_vits;

typedef struct csherpa_settings {
    csherpa_vits vits;
    int32_t threads;            /* that one call of generate uses */
    int32_t debug;
    const char *provider;       /* "cpu" */
    const void *unused_models[44];
    const char *rule_fsts;
    int32_t sentences;          /* that are generated at a time */
    const char *rule_fars;
    float silence_scale;
    /* What a later 2.0 may append. */
    const void *unused[32];
} csherpa_settings;

/* What to say. */
typedef struct csherpa_order {
    float silence_scale;
    float speed;                /* the inverse of a length scale, which multiplies that of the voice */
    int32_t speaker;
    const float *reference_audio;
    int32_t reference_length;
    int32_t reference_rate;
    const char *reference_text;
    int32_t steps;
    const char *extra;
    const int32_t *symbols;     /* the phonemes of all sentences, as code points */
    const int32_t *lengths;     /* of the sentences, in symbols */
    int32_t sentences;
    const char *const *tokens;
    const int32_t *token_lengths;
    int32_t token_sentences;
    const void *unused[32];
} csherpa_order;

typedef struct csherpa_sound {
    const float *samples;       /* mono, -1 to 1 */
    int32_t count;
    int32_t sample_rate;
} csherpa_sound;

/* A voice that is ready to speak. Several threads may generate with one voice at a time. */
typedef struct csherpa_voice csherpa_voice;

/* Is called with each sentence that is ready. The samples are valid until it returns; 0 ends the generation. */
typedef int32_t (*csherpa_progress)(const float *samples, int32_t count, float part, void *context);

/* The functions of an open runtime. */
typedef struct csherpa_runtime {
    const char *(*version)(void);
    /* Reads the files of a voice, which takes a second. Returns NULL if it fails. Ends the process if the model lacks
     * its metadata or the list of symbols has a bad line: check these first. */
    const csherpa_voice *(*create)(const csherpa_settings *settings);
    void (*destroy)(const csherpa_voice *voice);
    int32_t (*sample_rate)(const csherpa_voice *voice);
    int32_t (*speakers)(const csherpa_voice *voice);
    /* Returns NULL if nothing could be generated. */
    const csherpa_sound *(*generate)(const csherpa_voice *voice, const char *text, const csherpa_order *order,
                                     csherpa_progress progress, void *context);
    void (*free_sound)(const csherpa_sound *sound);
} csherpa_runtime;

typedef enum csherpa_result {
    CSHERPA_OK,
    CSHERPA_NO_FILE,            /* nothing lies at the path */
    CSHERPA_NOT_OPENED,         /* the system could not open the library */
    CSHERPA_NO_FUNCTION,        /* the library lacks a function */
    CSHERPA_OTHER_VERSION       /* the structs of the library are others */
} csherpa_result;

/* Opens the library at `path` for good. `reason` gets one line about a failure, cut to `size` bytes. */
csherpa_result csherpa_open(const char *path, csherpa_runtime *runtime, char *reason, size_t size);

#ifdef __cplusplus
}
#endif
#endif
