// SPDX-License-Identifier: Apache-2.0
#include "CICUBreaks.h"

#include <stdlib.h>
#include <unicode/ubrk.h>
#include <unicode/utext.h>

struct icu_breaks {
    UBreakIterator *iterator;
    UText text;
};

icu_breaks *icu_breaks_open(int kind, const char *locale) {
    static const UText empty = UTEXT_INITIALIZER;
    icu_breaks *breaks = malloc(sizeof *breaks);
    if (!breaks) return NULL;
    breaks->text = empty;
    UErrorCode error = U_ZERO_ERROR;
    breaks->iterator = ubrk_open((UBreakIteratorType)kind, locale, NULL, 0, &error);
    if (U_FAILURE(error)) {
        if (breaks->iterator) ubrk_close(breaks->iterator);
        free(breaks);
        return NULL;
    }
    return breaks;
}

void icu_breaks_close(icu_breaks *breaks) {
    if (!breaks) return;
    ubrk_close(breaks->iterator);
    utext_close(&breaks->text);
    free(breaks);
}

int32_t icu_breaks_find(icu_breaks *breaks, const char *text, int32_t length, int32_t *boundaries, uint8_t *is_word,
                        int32_t capacity) {
    UErrorCode error = U_ZERO_ERROR;
    utext_openUTF8(&breaks->text, text, length, &error);
    ubrk_setUText(breaks->iterator, &breaks->text, &error);
    if (U_FAILURE(error)) return -1;
    int32_t count = 0;
    ubrk_first(breaks->iterator);
    while (count < capacity) {
        int32_t boundary = ubrk_next(breaks->iterator);
        if (boundary == UBRK_DONE) break;
        if (is_word) is_word[count] = ubrk_getRuleStatus(breaks->iterator) >= UBRK_WORD_NONE_LIMIT;
        boundaries[count++] = boundary;
    }
    return count;
}
