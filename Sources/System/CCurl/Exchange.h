/* SPDX-License-Identifier: Apache-2.0 */
/* One request of a pool, over all its redirects. */
#ifndef CCURL_EXCHANGE_H
#define CCURL_EXCHANGE_H

#include "CCurlPool.h"
#include "Trust.h"

#include <netdb.h>

struct exchange {
    struct exchange *next;
    const CCurlPoolOptions *options;
    CCurlExchange request; /* its pointers are good until the first hop is prepared */
    char method[8];
    struct curl_slist *headers; /* of the request, for its origin */
    struct curl_slist *sent;    /* of this hop */
    char *body;
    CURL *handle;
    CURLU *address; /* of this hop */
    CURLU *origin;
    struct ccurl_trust trust;
    struct addrinfo *proxy;
    int64_t deadline; /* in milliseconds of the monotonic clock; 0 for none */
    int32_t redirects;
    int is_temporary; /* A redirect was not for good, so what follows says nothing about the address. */
    size_t header_bytes;
    int is_refused;       /* An address was refused. */
    enum { UNDECIDED, WRITTEN, DROPPED } use;
    int64_t start;   /* the place in the output of the first byte of the body */
    int64_t length;  /* the bytes of the body that have come */
    int64_t told;    /* the end that was told as progress */
    int is_enough;   /* The rest of a body that nobody wants was not read. */
    CCurlOutcome stopped; /* the reason why a callback ended the transfer, or CCURL_OK */
    char error[CURL_ERROR_SIZE];
    CCurlAnswer answer;
};

/* Returns NULL without memory. `trust` has the certificates and lives as long as the exchange. */
struct exchange *ccurl_exchange_create(const CCurlExchange *, const CCurlPoolOptions *, const CCurlRequest *trust);
void ccurl_exchange_free(struct exchange *);
/* Prepares the first hop. Returns 0 if the answer is there already: a failure. */
int ccurl_exchange_begin(struct exchange *);
/* Takes the end of a hop. Returns 1 if another one is prepared, and 0 if the answer is there. */
int ccurl_exchange_settle(struct exchange *, CURLcode);

#endif
