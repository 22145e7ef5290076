/* SPDX-License-Identifier: Apache-2.0 */
/* gumbo for foreign pages: bounded in memory, and it can be stopped. gumbo itself checks neither. */
#ifndef CGUMBO_H
#define CGUMBO_H

#include <gumbo.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct cgumbo_page cgumbo_page;

typedef enum { CGUMBO_OK, CGUMBO_MEMORY, CGUMBO_STOPPED } cgumbo_result;

/* Parses a page of less than 4 GB. The bytes must stay where they are as long as the page is in use: its nodes point
 * into them. `memory` bounds what the tree may take, in bytes. `stops` is asked every few thousand steps; `true` ends
 * the parse. */
cgumbo_result cgumbo_parse(const char *bytes, size_t count, size_t memory, bool (*stops)(void *context), void *context,
                           cgumbo_page **page);
const GumboNode *cgumbo_document(const cgumbo_page *page);
void cgumbo_free(cgumbo_page *page);

#endif
