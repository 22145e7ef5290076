// SPDX-License-Identifier: Apache-2.0
#include "CPoppler.h"

#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <poppler/cpp/poppler-document.h>
#include <poppler/cpp/poppler-global.h>
#include <poppler/cpp/poppler-page.h>
#include <poppler/cpp/poppler-toc.h>

struct CPopplerDocument {
    std::unique_ptr<poppler::document> document;
};

struct CPopplerPage {
    struct Word {
        std::string text;
        CPopplerWord word;
    };
    std::vector<Word> words;
    double width = 0, height = 0;
};

struct CPopplerOutline {
    std::vector<std::pair<std::string, int32_t>> entries;
};

namespace {

// Complaints about a file go nowhere: what matters is in the result.
void ignore_message(const std::string &, void *) {}

// The library's own conversion asks iconv, and fails for a whole string with one lone surrogate.
std::string utf8(const poppler::ustring &string) {
    std::string result;
    result.reserve(string.size() * 2);
    for (size_t i = 0; i < string.size(); i++) {
        uint32_t unit = string[i];
        if (unit >= 0xd800 && unit < 0xdc00 && i + 1 < string.size() && (string[i + 1] & 0xfc00) == 0xdc00) {
            unit = 0x10000 + ((unit - 0xd800) << 10) + (uint32_t(string[++i]) - 0xdc00);
        } else if (unit >= 0xd800 && unit < 0xe000) {
            unit = 0xfffd;
        }
        if (unit < 0x80) {
            result += char(unit);
        } else if (unit < 0x800) {
            result += char(0xc0 | unit >> 6);
            result += char(0x80 | (unit & 0x3f));
        } else if (unit < 0x10000) {
            result += char(0xe0 | unit >> 12);
            result += char(0x80 | (unit >> 6 & 0x3f));
            result += char(0x80 | (unit & 0x3f));
        } else {
            result += char(0xf0 | unit >> 18);
            result += char(0x80 | (unit >> 12 & 0x3f));
            result += char(0x80 | (unit >> 6 & 0x3f));
            result += char(0x80 | (unit & 0x3f));
        }
    }
    return result;
}

char *copy(const poppler::ustring &string) {
    std::string bytes = utf8(string);
    auto *result = static_cast<char *>(std::malloc(bytes.size() + 1));
    if (result) std::memcpy(result, bytes.c_str(), bytes.size() + 1);
    return result;
}

bool is_bold(const std::string &font) {
    for (const char *name : {"Bold", "bold", "Black", "Heavy", "Semibold", "CMBX", "SFBX"}) {
        if (font.find(name) != std::string::npos) return true;
    }
    return false;
}

} // namespace

CPopplerStatus cpoppler_open(const char *bytes, int64_t length, CPopplerDocument **document) {
    *document = nullptr;
    if (length < 0 || length > std::numeric_limits<int>::max()) return CPOPPLER_MEMORY;
    try {
        poppler::set_debug_error_function(ignore_message, nullptr);
        auto result = std::make_unique<CPopplerDocument>();
        result->document.reset(poppler::document::load_from_raw_data(bytes, int(length)));
        if (!result->document) return CPOPPLER_CORRUPT;
        if (result->document->is_locked()) return CPOPPLER_ENCRYPTED;
        *document = result.release();
        return CPOPPLER_OK;
    } catch (const std::bad_alloc &) {
        return CPOPPLER_MEMORY;
    } catch (...) {
        return CPOPPLER_CORRUPT;
    }
}

void cpoppler_close(CPopplerDocument *document) {
    try {
        delete document;
    } catch (...) {
    }
}

int32_t cpoppler_page_count(const CPopplerDocument *document) {
    try {
        return document->document->pages();
    } catch (...) {
        return 0;
    }
}

char *cpoppler_title(const CPopplerDocument *document) {
    try {
        return copy(document->document->get_title());
    } catch (...) {
        return nullptr;
    }
}

char *cpoppler_author(const CPopplerDocument *document) {
    try {
        return copy(document->document->get_author());
    } catch (...) {
        return nullptr;
    }
}

void cpoppler_free(char *string) { std::free(string); }

CPopplerPage *cpoppler_page_open(const CPopplerDocument *document, int32_t index) {
    try {
        std::unique_ptr<poppler::page> page(document->document->create_page(index));
        if (!page) return nullptr;
        auto result = std::make_unique<CPopplerPage>();
        auto rect = page->page_rect();
        result->width = rect.width();
        result->height = rect.height();
        if (page->orientation() == poppler::page::landscape || page->orientation() == poppler::page::seascape) {
            std::swap(result->width, result->height);
        }
        auto boxes = page->text_list(poppler::page::text_list_include_font);
        result->words.reserve(boxes.size());
        for (const auto &box : boxes) {
            CPopplerPage::Word word;
            word.text = utf8(box.text());
            auto bounds = box.bbox();
            bool has_font = box.has_font_info();
            word.word = CPopplerWord{
                nullptr, int64_t(word.text.size()), bounds.left(), bounds.top(), bounds.right(), bounds.bottom(),
                has_font ? box.get_font_size() : bounds.height(), box.rotation(),
                uint8_t(has_font && is_bold(box.get_font_name())), uint8_t(box.has_space_after())};
            result->words.push_back(std::move(word));
        }
        return result.release();
    } catch (...) {
        return nullptr;
    }
}

void cpoppler_page_close(CPopplerPage *page) { delete page; }

int64_t cpoppler_page_word_count(const CPopplerPage *page) { return int64_t(page->words.size()); }

CPopplerWord cpoppler_page_word(const CPopplerPage *page, int64_t index) {
    if (index < 0 || index >= int64_t(page->words.size())) return CPopplerWord{};
    CPopplerWord word = page->words[size_t(index)].word;
    word.text = page->words[size_t(index)].text.data();
    return word;
}

double cpoppler_page_height(const CPopplerPage *page) { return page->height; }
double cpoppler_page_width(const CPopplerPage *page) { return page->width; }

CPopplerOutline *cpoppler_outline_open(const CPopplerDocument *document, int32_t depth, int32_t count) {
    try {
        std::unique_ptr<poppler::toc> toc(document->document->create_toc());
        if (!toc || !toc->root()) return nullptr;
        auto result = std::make_unique<CPopplerOutline>();
        // A stack of its own: the depth is the file's.
        std::vector<std::pair<poppler::toc_item *, int32_t>> open;
        auto push = [&](poppler::toc_item *parent, int32_t level) {
            if (level > depth) return;
            auto children = parent->children();
            for (auto child = children.rbegin(); child != children.rend(); ++child) open.emplace_back(*child, level);
        };
        push(toc->root(), 1);
        while (!open.empty() && int64_t(result->entries.size()) < count) {
            auto [item, level] = open.back();
            open.pop_back();
            result->entries.emplace_back(utf8(item->title()), level);
            push(item, level + 1);
        }
        return result.release();
    } catch (...) {
        return nullptr;
    }
}

void cpoppler_outline_close(CPopplerOutline *outline) { delete outline; }

int32_t cpoppler_outline_count(const CPopplerOutline *outline) { return int32_t(outline->entries.size()); }

const char *cpoppler_outline_title(const CPopplerOutline *outline, int32_t index) {
    if (index < 0 || size_t(index) >= outline->entries.size()) return nullptr;
    return outline->entries[size_t(index)].first.c_str();
}

int32_t cpoppler_outline_level(const CPopplerOutline *outline, int32_t index) {
    if (index < 0 || size_t(index) >= outline->entries.size()) return 0;
    return outline->entries[size_t(index)].second;
}
