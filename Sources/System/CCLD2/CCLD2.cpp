// SPDX-License-Identifier: Apache-2.0
#include "CCLD2.h"

#include <cstdio>
#include <exception>
#include <vector>

#include <cld2/public/compact_lang_det.h>
#include <cld2/public/encodings.h>

int cld2_detect(const char *text, int32_t length, const char *hint, char code[CLD2_CODE_SIZE], int32_t *percent,
                int32_t *judged) {
    // An exception must not reach a caller in C; the library itself throws none, but it allocates.
    try {
        CLD2::CLDHints hints = {hint, nullptr, CLD2::UNKNOWN_ENCODING, CLD2::UNKNOWN_LANGUAGE};
        CLD2::Language languages[3];
        int percents[3], bytes = 0;
        double scores[3];
        bool is_reliable = false;
        CLD2::ExtDetectLanguageSummary(text, length, true, &hints, 0, languages, percents, scores, nullptr, &bytes,
                                       &is_reliable);
        if (languages[0] == CLD2::UNKNOWN_LANGUAGE) return -1;
        std::snprintf(code, CLD2_CODE_SIZE, "%s", CLD2::LanguageCode(languages[0]));
        *percent = percents[0];
        *judged = bytes;
        return is_reliable ? 1 : 0;
    } catch (const std::exception &) {
        return -1;
    }
}
