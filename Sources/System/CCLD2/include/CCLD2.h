/* SPDX-License-Identifier: Apache-2.0 */
/* Compact Language Detector 2, which has no C interface. */
#ifndef CCLD2_H
#define CCLD2_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The longest code with its terminator. */
enum { CLD2_CODE_SIZE = 16 };

/* Tells the language in which most of a text is written. The bytes must be valid UTF-8.
 *
 * `hint` is a language code that the document gives, or NULL. Writes the code (ISO 639, sometimes with a script), the
 * percentage of the text that is in it, and the number of bytes that were judged. Returns 1 if it is reliable, 0 if
 * not, and -1 if the language is unknown. */
int cld2_detect(const char *text, int32_t length, const char *hint, char code[CLD2_CODE_SIZE], int32_t *percent,
                int32_t *judged);

#ifdef __cplusplus
}
#endif
#endif
