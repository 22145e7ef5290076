/* SPDX-License-Identifier: Apache-2.0 */
/* One document of the web: libcurl behind a call without varargs.
 *
 * Only http and https, also after a redirect. No cookies, no netrc. A proxy is the one that the environment names. An
 * address of this machine or of its networks is refused before a connection is made to it, whoever names it. */
#ifndef CCURL_H
#define CCURL_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
    CCURL_OK = 0,
    CCURL_ADDRESS = 1,     /* no address of http or https */
    CCURL_REDIRECT = 2,    /* a redirect that leads to something else than http or https, or one too many */
    CCURL_PRIVATE = 3,     /* an address of this machine or of its networks */
    CCURL_STATUS = 4,      /* a status other than 2xx; see `status` */
    CCURL_TYPE = 5,        /* a content type that is not accepted; see `content_type` */
    CCURL_TOO_LARGE = 6,   /* more than `most_bytes` */
    CCURL_TIMED_OUT = 7,   /* a timeout, or slower than the limit */
    CCURL_NETWORK = 8,     /* no such host, no connection, or an answer that is damaged or ends early */
    CCURL_CERTIFICATE = 9, /* the server's certificate does not prove its identity; see `fingerprint` */
    CCURL_TRUST = 10,      /* the certificates of the request cannot be used */
    CCURL_OUTPUT = 11,     /* writing failed */
    CCURL_MEMORY = 12,
} CCurlOutcome;

/* All pointers must live for the time of the call. */
typedef struct {
    const char *url; /* may carry a user and a password, which only their own host gets */
    /* Lines "NAME: VALUE", which are sent to the scheme, host and port of `url` and to no other. */
    const char *const *headers;
    size_t header_count;
    const char *agent;
    const char *accept;
    int64_t connect_timeout_ms;
    int64_t total_timeout_ms; /* for all redirects together */
    /* Slower than this many bytes a second over so many seconds is a timeout. */
    int64_t slowest;
    int64_t slowest_seconds;
    int64_t most_bytes; /* after decompression */
    int32_t most_redirects;
    int32_t allows_private;
    /* Certificates in PEM that are trusted beside the system's, if any. */
    const char *authorities;
    size_t authorities_length;
    /* SHA-256 of certificates that are accepted as they are: 64 lower-case hexadecimal digits each. */
    const char *const *fingerprints;
    size_t fingerprint_count;
    /* Returns whether a content type is wanted; called before the first byte is written, with "" for none. */
    int (*accepts)(const char *content_type);
    int output; /* a file descriptor that is open for writing */
    /* Is told, if not NULL, how many bytes are written, each time that more are. */
    void (*progress)(int64_t bytes, void *data);
    void *progress_data;
} CCurlRequest;

/* The strings are never NULL after ccurl_fetch, except without memory. */
typedef struct {
    CCurlOutcome outcome;
    int64_t status; /* of HTTP; 0 if there was no answer */
    char *content_type;
    char *address; /* the last one asked, without user and password */
    char *message; /* one line from the library about the failure; may be empty */
    int64_t bytes; /* written */
    char fingerprint[65]; /* of the server's certificate, for CCURL_CERTIFICATE */
} CCurlResult;

/* Blocks until the document is written or has failed. Call it on one thread at a time. */
void ccurl_fetch(const CCurlRequest *, CCurlResult *);
/* Frees the strings. */
void ccurl_free(CCurlResult *);

#include "CCurlPool.h"

#endif
