/* SPDX-License-Identifier: Apache-2.0 */
/* libxml2's SAX parser with places in the source; it opens no file, loads no DTD and prints nothing. */
#ifndef CLIBXML2_H
#define CLIBXML2_H

#include <stdbool.h>
#include <stddef.h>

/* What is met in a document, in order. Each returns `false` to end the parse. Strings are UTF-8. */
typedef struct {
    /* An element begins. Its prefix and namespace may be NULL. `position` is within its tag, behind the attributes.
     * `attributes` has `count` times five pointers: the local name, the prefix, the namespace, the first byte of the value,
     * and the byte behind it. A value is not ended by NUL. */
    bool (*start)(void *context, const char *name, const char *prefix, const char *namespace,
                  const char *const *attributes, int count, size_t position);
    /* An element ends; `position` is behind its end tag. */
    bool (*end)(void *context, size_t position);
    /* Text, in pieces. */
    bool (*text)(void *context, const char *bytes, size_t count);
} cxml_events;

typedef enum { CXML_SOUND, CXML_MENDED, CXML_NO_MEMORY } cxml_result;

/* Parses UTF-8 of less than 2 GB. A faulty document is read as far as it makes sense. */
cxml_result cxml_parse(const char *bytes, size_t count, const cxml_events *events, void *context);

/* The address that a reference has at a base, to be freed; NULL if there is none. */
char *cxml_resolve(const char *reference, const char *base);

/* The code point that HTML gives to a name, or 0. */
unsigned cxml_named_character(const char *name);

#endif
