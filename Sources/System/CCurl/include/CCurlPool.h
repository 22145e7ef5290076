/* SPDX-License-Identifier: Apache-2.0 */
/* Many requests at a time on one thread, which share their connections: libcurl's multi interface without varargs.
 *
 * The rules are those of CCurl.h, and: nothing is asked over http because of a redirect from https. */
#ifndef CCURL_POOL_H
#define CCURL_POOL_H

#include "CCurl.h"

typedef struct CCurlPool CCurlPool;

/* What holds for every request of a pool. Everything is copied. */
typedef struct {
    const char *agent;
    int64_t connect_timeout_ms;
    /* Slower than this many bytes a second over so many seconds is a timeout. */
    int64_t slowest;
    int64_t slowest_seconds;
    int32_t most_redirects;
    /* As in CCurlRequest. */
    const char *authorities;
    size_t authorities_length;
    const char *const *fingerprints;
    size_t fingerprint_count;
} CCurlPoolOptions;

/* One request. Everything but `output` is copied. */
typedef struct {
    uint64_t id;
    const char *method;
    const char *url; /* A user and a password in it are left out. */
    /* Lines "NAME: VALUE", or "NAME;" for an empty value, sent to the scheme, host and port of `url` alone. */
    const char *const *headers;
    size_t header_count;
    const void *body; /* NULL for none */
    size_t body_length;
    int output; /* a file descriptor that is open for writing and stays so until the answer is taken */
    /* 1: the body of a 200 or 206 is written, in its place, and any other is dropped. 0: every body is written, from
     * the beginning on. */
    int32_t is_file;
    int32_t allows_private;
    int64_t most_bytes;
    int64_t total_timeout_ms; /* for all redirects together; 0 for none */
} CCurlExchange;

typedef struct {
    char *name;
    char *value;
} CCurlField;

/* The end of a request. The strings are NULL only without memory. */
typedef struct {
    uint64_t id;
    CCurlOutcome outcome; /* CCURL_OK for any status */
    int64_t status;
    char *address; /* the last one asked */
    /* Where the redirects for good at the beginning lead (301 and 308); NULL if the first is none. */
    char *permanent;
    char *message; /* one line about a failure; may be empty */
    int32_t is_full; /* for CCURL_OUTPUT: there was no room */
    int64_t end;     /* the end of what was written in the output */
    CCurlField *fields;
    size_t field_count;
    char fingerprint[65]; /* for CCURL_CERTIFICATE */
} CCurlAnswer;

/* Returns NULL without memory. */
CCurlPool *ccurl_pool_create(const CCurlPoolOptions *);
/* Ends every request. */
void ccurl_pool_free(CCurlPool *);

/* Begins a request. Each has exactly one answer, also one that cannot begin. Returns 0 without memory, and then there is
 * no answer. */
int ccurl_pool_start(CCurlPool *, const CCurlExchange *);
/* Ends a request without an answer; returns its output, or -1 if there is no such request. */
int ccurl_pool_cancel(CCurlPool *, uint64_t id);
/* Does what can be done, and waits for more, but not if there are answers. It also waits for input of `control`.
 * Returns 1 if there may be some. */
int ccurl_pool_run(CCurlPool *, int control, int timeout_ms);
/* Takes the answer of one request, which ccurl_pool_release frees; returns 0 if there is none. */
int ccurl_pool_take(CCurlPool *, CCurlAnswer *, int *output);
void ccurl_pool_release(CCurlAnswer *);
/* Tells how far each file is written of which more is than at the last call. */
void ccurl_pool_progress(CCurlPool *, void (*tell)(uint64_t id, int64_t end, void *data), void *data);
/* Returns the number of requests that have no answer yet. */
size_t ccurl_pool_count(const CCurlPool *);

#endif
