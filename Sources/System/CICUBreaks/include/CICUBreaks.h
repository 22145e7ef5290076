/* SPDX-License-Identifier: Apache-2.0 */
/* What speech needs of ICU. Its own headers rename every function by the version, so that Swift cannot import them. */
#ifndef CICUBREAKS_H
#define CICUBREAKS_H

#include <stdint.h>

/* Boundaries in text, by a language's rules and dictionaries. For one thread at a time. */
typedef struct icu_breaks icu_breaks;
enum { ICU_BREAKS_GRAPHEME = 0, ICU_BREAKS_WORD = 1, ICU_BREAKS_SENTENCE = 3 };

/* A new iterator for a BCP 47 or ICU locale, or NULL. */
icu_breaks *icu_breaks_open(int kind, const char *locale);
void icu_breaks_close(icu_breaks *breaks);
/* Writes at most `capacity` boundaries of UTF-8 text in rising order as byte offsets, without 0 and with `length`. For
 * words, `is_word` gets whether the piece that ends there has letters or digits; it may be NULL. Returns their number,
 * or -1. */
int32_t icu_breaks_find(icu_breaks *breaks, const char *text, int32_t length, int32_t *boundaries, uint8_t *is_word,
                        int32_t capacity);

/* Numbers in words. For one thread at a time. */
typedef struct icu_speller icu_speller;
icu_speller *icu_speller_open(const char *locale);
void icu_speller_close(icu_speller *speller);
/* Writes a number in UTF-8 by a rule set such as "%spellout-ordinal"; NULL for the usual one. Returns the number of
 * bytes, or -1 if the language has no such rules or there are more than `capacity` bytes. */
int32_t icu_speller_spell(icu_speller *speller, int64_t number, const char *rules, char *bytes, int32_t capacity);

/* A regular expression on UTF-8, with a limit of time and memory. For one thread at a time. */
typedef struct icu_pattern icu_pattern;
/* A new pattern, or NULL and the offset of the mistake in UTF-16 units, -1 if unknown. */
icu_pattern *icu_pattern_open(const char *pattern, int32_t length, int ignores_case, int32_t *mistake);
void icu_pattern_close(icu_pattern *pattern);
/* Sets the text, which must stay in place until the next. Returns 0, or -1. */
int icu_pattern_begin(icu_pattern *pattern, const char *text, int32_t length);
/* Finds the next match: 1 and its bytes, 0 if there is none, -1 on a failure or if the limit is exceeded. */
int icu_pattern_next(icu_pattern *pattern, int32_t *start, int32_t *end);
/* The bytes of a group of the last match. Returns 1, or 0 if it took no part or there is none. */
int icu_pattern_group(icu_pattern *pattern, int32_t group, int32_t *start, int32_t *end);

#endif
