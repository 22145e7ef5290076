// SPDX-License-Identifier: Apache-2.0
#include "CICUBreaks.h"

#include <string.h>
#include <unicode/unum.h>
#include <unicode/ustring.h>

enum { units = 2048, name_units = 64 };

icu_speller *icu_speller_open(const char *locale) {
    UErrorCode error = U_ZERO_ERROR;
    UNumberFormat *format = unum_open(UNUM_SPELLOUT, NULL, 0, locale, NULL, &error);
    if (U_SUCCESS(error)) return (icu_speller *)format;
    if (format) unum_close(format);
    return NULL;
}

void icu_speller_close(icu_speller *speller) {
    if (speller) unum_close((UNumberFormat *)speller);
}

int32_t icu_speller_spell(icu_speller *speller, int64_t number, const char *rules, char *bytes, int32_t capacity) {
    UErrorCode error = U_ZERO_ERROR;
    UChar name[name_units], spelled[units];
    if (rules) {
        if (strlen(rules) >= name_units) return -1;
        u_uastrcpy(name, rules);
        unum_setTextAttribute((UNumberFormat *)speller, UNUM_DEFAULT_RULESET, name, -1, &error);
    } else {
        unum_setTextAttribute((UNumberFormat *)speller, UNUM_DEFAULT_RULESET, name, 0, &error);
    }
    int32_t count = unum_formatInt64((UNumberFormat *)speller, number, spelled, units, NULL, &error);
    if (U_FAILURE(error) || count > units) return -1;
    int32_t written = 0;
    u_strToUTF8(bytes, capacity, &written, spelled, count, &error);
    return U_FAILURE(error) || written > capacity ? -1 : written;
}
