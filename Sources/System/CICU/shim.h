/* SPDX-License-Identifier: Apache-2.0 */
/* ICU's functions carry the library's version in their names, which Swift cannot follow: each has a name here
 * without it. Nothing else is added. */
#ifndef CICU_SHIM_H
#define CICU_SHIM_H

#include <unicode/ucnv.h>
#include <unicode/ucsdet.h>
#include <unicode/unorm2.h>

static inline UCharsetDetector *icu_ucsdet_open(UErrorCode *status) { return ucsdet_open(status); }
static inline void icu_ucsdet_close(UCharsetDetector *detector) { ucsdet_close(detector); }
static inline void icu_ucsdet_setText(UCharsetDetector *detector, const char *text, int32_t length, UErrorCode *status) {
    ucsdet_setText(detector, text, length, status);
}
static inline const UCharsetMatch **icu_ucsdet_detectAll(UCharsetDetector *detector, int32_t *count, UErrorCode *status) {
    return ucsdet_detectAll(detector, count, status);
}
static inline const char *icu_ucsdet_getName(const UCharsetMatch *match, UErrorCode *status) {
    return ucsdet_getName(match, status);
}
static inline const char *icu_ucsdet_getLanguage(const UCharsetMatch *match, UErrorCode *status) {
    return ucsdet_getLanguage(match, status);
}
static inline int32_t icu_ucsdet_getConfidence(const UCharsetMatch *match, UErrorCode *status) {
    return ucsdet_getConfidence(match, status);
}

static inline UConverter *icu_ucnv_open(const char *name, UErrorCode *status) { return ucnv_open(name, status); }
static inline void icu_ucnv_close(UConverter *converter) { ucnv_close(converter); }
static inline void icu_ucnv_toUnicode(
    UConverter *converter, UChar **target, const UChar *targetLimit, const char **source, const char *sourceLimit,
    int32_t *offsets, UBool flush, UErrorCode *status) {
    ucnv_toUnicode(converter, target, targetLimit, source, sourceLimit, offsets, flush, status);
}
static inline int32_t icu_ucnv_fromUChars(
    UConverter *converter, char *target, int32_t capacity, const UChar *source, int32_t length, UErrorCode *status) {
    return ucnv_fromUChars(converter, target, capacity, source, length, status);
}

static inline const UNormalizer2 *icu_unorm2_getNFCInstance(UErrorCode *status) { return unorm2_getNFCInstance(status); }
static inline int32_t icu_unorm2_composePair(const UNormalizer2 *normalizer, int32_t first, int32_t second) {
    return unorm2_composePair(normalizer, first, second);
}

#endif
