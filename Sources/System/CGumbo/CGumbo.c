/* SPDX-License-Identifier: Apache-2.0 */
#include "CGumbo.h"

#include <setjmp.h>
#include <stdlib.h>

/* gumbo frees its tree by recursion and does not survive a failed allocation. So every allocation is in a list of ours:
 * a parse is left by a jump, and all of it is freed at once. */
typedef struct piece {
    struct piece *next, *previous;
    size_t size;
    size_t unused; /* Keeps what follows aligned for any type. */
} piece;

struct cgumbo_page {
    piece list;
    size_t used, limit, steps;
    bool (*stops)(void *context);
    void *context;
    const GumboNode *document;
    cgumbo_result failure;
    jmp_buf escape;
};

enum { steps_between_questions = 4096 };

static void leave(cgumbo_page *page, cgumbo_result failure) {
    page->failure = failure;
    longjmp(page->escape, 1);
}

static void *allocate(void *userdata, size_t size) {
    cgumbo_page *page = userdata;
    if (++page->steps % steps_between_questions == 0 && page->stops(page->context)) leave(page, CGUMBO_STOPPED);
    if (size > page->limit || page->used + sizeof(piece) > page->limit - size) leave(page, CGUMBO_MEMORY);
    piece *new = malloc(sizeof(piece) + size);
    if (!new) leave(page, CGUMBO_MEMORY);
    new->size = sizeof(piece) + size;
    new->next = page->list.next;
    new->previous = &page->list;
    page->list.next->previous = new;
    page->list.next = new;
    page->used += new->size;
    return new + 1;
}

static void deallocate(void *userdata, void *pointer) {
    if (!pointer) return;
    cgumbo_page *page = userdata;
    piece *old = (piece *)pointer - 1;
    old->previous->next = old->next;
    old->next->previous = old->previous;
    page->used -= old->size;
    free(old);
}

cgumbo_result cgumbo_parse(const char *bytes, size_t count, size_t memory, bool (*stops)(void *context), void *context,
                           cgumbo_page **result) {
    *result = NULL;
    cgumbo_page *page = calloc(1, sizeof *page);
    if (!page) return CGUMBO_MEMORY;
    page->list.next = page->list.previous = &page->list;
    page->limit = memory;
    page->stops = stops;
    page->context = context;
    if (setjmp(page->escape) == 0) {
        GumboOptions options = kGumboDefaultOptions;
        options.allocator = allocate;
        options.deallocator = deallocate;
        options.userdata = page;
        options.max_errors = 0;
        page->document = gumbo_parse_with_options(&options, bytes, count)->document;
        *result = page;
        return CGUMBO_OK;
    }
    cgumbo_result failure = page->failure;
    cgumbo_free(page);
    return failure;
}

const GumboNode *cgumbo_document(const cgumbo_page *page) { return page->document; }

void cgumbo_free(cgumbo_page *page) {
    if (!page) return;
    for (piece *next, *each = page->list.next; each != &page->list; each = next) {
        next = each->next;
        free(each);
    }
    free(page);
}
