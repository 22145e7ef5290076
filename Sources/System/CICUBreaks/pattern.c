// SPDX-License-Identifier: Apache-2.0
#include "CICUBreaks.h"

#include <stdlib.h>
#include <unicode/uregex.h>
#include <unicode/utext.h>

// Steps of the matching engine, each about a millisecond, and bytes of its stack.
enum { time_limit = 20, stack_limit = 1 << 20 };

struct icu_pattern {
    URegularExpression *expression;
    UText text;
};

icu_pattern *icu_pattern_open(const char *pattern, int32_t length, int ignores_case, int32_t *mistake) {
    static const UText empty = UTEXT_INITIALIZER;
    *mistake = -1;
    icu_pattern *new = malloc(sizeof *new);
    if (!new) return NULL;
    new->text = empty;
    UErrorCode error = U_ZERO_ERROR;
    UParseError place = {.offset = -1};
    UText text = UTEXT_INITIALIZER;
    utext_openUTF8(&text, pattern, length, &error);
    new->expression = uregex_openUText(&text, ignores_case ? UREGEX_CASE_INSENSITIVE : 0, &place, &error);
    utext_close(&text);
    if (U_SUCCESS(error)) uregex_setTimeLimit(new->expression, time_limit, &error);
    if (U_SUCCESS(error)) uregex_setStackLimit(new->expression, stack_limit, &error);
    if (U_SUCCESS(error)) return new;
    *mistake = place.offset;
    icu_pattern_close(new);
    return NULL;
}

void icu_pattern_close(icu_pattern *pattern) {
    if (!pattern) return;
    if (pattern->expression) uregex_close(pattern->expression);
    utext_close(&pattern->text);
    free(pattern);
}

int icu_pattern_begin(icu_pattern *pattern, const char *text, int32_t length) {
    UErrorCode error = U_ZERO_ERROR;
    utext_openUTF8(&pattern->text, text, length, &error);
    uregex_setUText(pattern->expression, &pattern->text, &error);
    return U_FAILURE(error) ? -1 : 0;
}

int icu_pattern_next(icu_pattern *pattern, int32_t *start, int32_t *end) {
    UErrorCode error = U_ZERO_ERROR;
    if (!uregex_findNext(pattern->expression, &error)) return U_FAILURE(error) ? -1 : 0;
    *start = uregex_start(pattern->expression, 0, &error);
    *end = uregex_end(pattern->expression, 0, &error);
    return U_FAILURE(error) ? -1 : 1;
}

int icu_pattern_group(icu_pattern *pattern, int32_t group, int32_t *start, int32_t *end) {
    UErrorCode error = U_ZERO_ERROR;
    *start = uregex_start(pattern->expression, group, &error);
    *end = uregex_end(pattern->expression, group, &error);
    return U_SUCCESS(error) && *start >= 0 ? 1 : 0;
}
