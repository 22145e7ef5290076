/* SPDX-License-Identifier: Apache-2.0 */
/* The certificates that are trusted beside the system's. */
#ifndef CCURL_TRUST_H
#define CCURL_TRUST_H

#include "CCurl.h"

#include <curl/curl.h>

struct ccurl_trust {
    const CCurlRequest *request;
    int only_pinned; /* A certificate is accepted by its fingerprint alone. */
    char seen[65];   /* the fingerprint of the last server, or empty */
    int error;       /* of OpenSSL, about the last server's chain; 0 if it is good */
};

/* Returns 1 if libcurl uses OpenSSL, which alone the rest is for. */
int ccurl_trust_is_supported(void);
/* Returns the number of certificates in the request's file. */
int ccurl_trust_count(const CCurlRequest *);
/* Makes an easy handle ask `trust`, which must live while the handle connects. */
void ccurl_trust_use(CURL *, struct ccurl_trust *trust);
int ccurl_trust_is_pinned(const struct ccurl_trust *);
/* Returns the reason of CURLE_PEER_FAILED_VERIFICATION, of a server that was seen; static. */
const char *ccurl_trust_reason(const struct ccurl_trust *);

#endif
