/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a PDF: poppler-cpp behind a C interface. Nothing throws: an exception of the library becomes an error.
 *
 * A document belongs to one thread at a time. Pages are counted from 0. Lengths are in points (1/72 inch), and y grows
 * downwards from the top of the page as it is shown. */
#ifndef CPOPPLER_H
#define CPOPPLER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct CPopplerDocument CPopplerDocument;
typedef struct CPopplerPage CPopplerPage;
typedef struct CPopplerOutline CPopplerOutline;

typedef enum {
    CPOPPLER_OK = 0,
    CPOPPLER_CORRUPT = 1,
    CPOPPLER_ENCRYPTED = 2,
    CPOPPLER_MEMORY = 3,
} CPopplerStatus;

/* A word as the page has it. */
typedef struct {
    const char *text; /* UTF-8, not terminated, valid until the page is closed */
    int64_t length;
    double left, top, right, bottom;
    double size;     /* the size of the font */
    int32_t rotation; /* in quarter turns */
    uint8_t bold;
    uint8_t space_after;
} CPopplerWord;

/* Opens a document with the empty password. The bytes must live until it is closed. */
CPopplerStatus cpoppler_open(const char *bytes, int64_t length, CPopplerDocument **document);
void cpoppler_close(CPopplerDocument *);
int32_t cpoppler_page_count(const CPopplerDocument *);

/* Returns the title or author of the document's information, or NULL. The caller frees it with cpoppler_free. */
char *cpoppler_title(const CPopplerDocument *);
char *cpoppler_author(const CPopplerDocument *);
void cpoppler_free(char *);

/* Reads the words of a page in the library's order of reading: column by column. Returns NULL if the page cannot be read. */
CPopplerPage *cpoppler_page_open(const CPopplerDocument *, int32_t page);
void cpoppler_page_close(CPopplerPage *);
int64_t cpoppler_page_word_count(const CPopplerPage *);
/* Returns a word of all zeros for an index out of range. */
CPopplerWord cpoppler_page_word(const CPopplerPage *, int64_t index);
double cpoppler_page_height(const CPopplerPage *);
double cpoppler_page_width(const CPopplerPage *);

/* Reads the outline in order, no deeper than `depth` and no longer than `count`. Returns NULL if there is none. The library
 * does not tell where an entry leads. */
CPopplerOutline *cpoppler_outline_open(const CPopplerDocument *, int32_t depth, int32_t count);
void cpoppler_outline_close(CPopplerOutline *);
int32_t cpoppler_outline_count(const CPopplerOutline *);
/* Returns a UTF-8 string that is valid until the outline is closed, or NULL for an index out of range. */
const char *cpoppler_outline_title(const CPopplerOutline *, int32_t index);
/* Returns the depth of an entry, from 1. */
int32_t cpoppler_outline_level(const CPopplerOutline *, int32_t index);

#ifdef __cplusplus
}
#endif
#endif
