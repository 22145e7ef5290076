/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "CCurl.h"

#include "Address.h"
#include "Origin.h"
#include "Trust.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

enum { MOST_HEADER_BYTES = 256 << 10 };
static const unsigned lenient = CURLU_URLENCODE | CURLU_ALLOW_SPACE;

/* A document on its way, over all redirects. */
struct fetch {
    const CCurlRequest *request;
    CCurlResult *result;
    CURLU *address; /* of this hop, without user and password */
    CURLU *origin;  /* the first one, with them */
    struct ccurl_trust trust;
    int64_t deadline; /* in milliseconds of the monotonic clock */
};

/* One request and its answer. */
struct hop {
    struct fetch *fetch;
    CURL *handle;
    struct addrinfo *proxy;
    size_t header_bytes;
    int is_refused;       /* An address was refused. */
    int is_accepted;      /* The content type was looked at. */
    CCurlOutcome stopped; /* the reason why a callback ended the transfer, or CCURL_OK */
    char error[CURL_ERROR_SIZE];
};

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static CCurlOutcome fail(struct fetch *fetch, CCurlOutcome outcome, const char *message) {
    ccurl_keep(&fetch->result->message, message);
    return outcome;
}

/* MARK: Addresses */

static int is_at_origin(struct fetch *fetch) { return ccurl_is_same_origin(fetch->address, fetch->origin); }

static int set_address(struct fetch *fetch, const char *address) {
    return ccurl_set_address(fetch->address, address, &fetch->result->address);
}

static curl_socket_t open_socket(void *data, curlsocktype purpose, struct curl_sockaddr *address) {
    struct hop *hop = data;
    (void)purpose;
    if ((address->family != AF_INET && address->family != AF_INET6) ||
        (!hop->fetch->request->allows_private && ccurl_is_private(&address->addr, address->addrlen) &&
         !ccurl_is_among(hop->proxy, &address->addr, address->addrlen))) {
        hop->is_refused = 1;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/* MARK: The answer */

static size_t take_header(char *bytes, size_t size, size_t count, void *data) {
    struct hop *hop = data;
    (void)bytes;
    hop->header_bytes += size * count;
    return hop->header_bytes > MOST_HEADER_BYTES ? 0 : size * count;
}

static size_t stop(struct hop *hop, CCurlOutcome outcome) {
    hop->stopped = outcome;
    return 0;
}

static size_t take_body(char *bytes, size_t size, size_t count, void *data) {
    struct hop *hop = data;
    const CCurlRequest *request = hop->fetch->request;
    CCurlResult *result = hop->fetch->result;
    size_t length = size * count, done = 0;
    if (length == 0) return 0;
    if (!hop->is_accepted) {
        long status = 0;
        char *type = NULL;
        curl_easy_getinfo(hop->handle, CURLINFO_RESPONSE_CODE, &status);
        /* What a page says about an error or a redirect is not wanted. */
        if (status < 200 || status > 299) return stop(hop, CCURL_STATUS);
        curl_easy_getinfo(hop->handle, CURLINFO_CONTENT_TYPE, &type);
        if (!request->accepts(type ? type : "")) return stop(hop, CCURL_TYPE);
        hop->is_accepted = 1;
        curl_off_t announced = -1;
        curl_easy_getinfo(hop->handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &announced);
        if (announced > request->most_bytes) return stop(hop, CCURL_TOO_LARGE);
    }
    if (length > (size_t)(request->most_bytes - result->bytes)) return stop(hop, CCURL_TOO_LARGE);
    while (done < length) {
        ssize_t written = write(request->output, bytes + done, length - done);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) {
            ccurl_keep(&result->message, strerror(errno));
            return stop(hop, CCURL_OUTPUT);
        }
        done += (size_t)written;
    }
    result->bytes += (int64_t)length;
    if (request->progress) request->progress(result->bytes, request->progress_data);
    return length;
}

/* MARK: One request */

static struct curl_slist *header_lines(const CCurlRequest *request, int is_at_origin) {
    struct curl_slist *lines = NULL;
    int has_accept = 0;
    for (size_t i = 0; is_at_origin && i < request->header_count; i++) {
        const char *line = request->headers[i];
        /* Without a colon it is an order to the library. */
        if (!strchr(line, ':')) continue;
        has_accept |= strncasecmp(line, "accept:", 7) == 0;
        lines = curl_slist_append(lines, line);
    }
    if (!has_accept) {
        char line[1024] = "Accept: ";
        strncat(line, request->accept, sizeof line - strlen(line) - 1);
        lines = curl_slist_append(lines, line);
    }
    return lines;
}

static void set_user(struct fetch *fetch, CURL *handle) {
    char *user = NULL, *password = NULL;
    curl_url_get(fetch->origin, CURLUPART_USER, &user, CURLU_URLDECODE);
    curl_url_get(fetch->origin, CURLUPART_PASSWORD, &password, CURLU_URLDECODE);
    if (user) curl_easy_setopt(handle, CURLOPT_USERNAME, user);
    if (password) curl_easy_setopt(handle, CURLOPT_PASSWORD, password);
    curl_free(user);
    curl_free(password);
}

static CURLcode perform(struct hop *hop, int64_t milliseconds) {
    struct fetch *fetch = hop->fetch;
    const CCurlRequest *request = fetch->request;
    CURL *handle = hop->handle;
    int at_origin = is_at_origin(fetch);
    struct curl_slist *headers = header_lines(request, at_origin);
    curl_easy_setopt(handle, CURLOPT_CURLU, fetch->address);
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, hop->error);
    curl_easy_setopt(handle, CURLOPT_USERAGENT, request->agent);
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
    /* The listener's headers are not the proxy's. */
    curl_easy_setopt(handle, CURLOPT_HEADEROPT, (long)CURLHEADER_SEPARATE);
    /* Every encoding that the library knows. */
    curl_easy_setopt(handle, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, (long)milliseconds);
    curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, (long)request->connect_timeout_ms);
    curl_easy_setopt(handle, CURLOPT_LOW_SPEED_LIMIT, (long)request->slowest);
    curl_easy_setopt(handle, CURLOPT_LOW_SPEED_TIME, (long)request->slowest_seconds);
    curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, hop);
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, hop);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, hop);
    ccurl_trust_use(handle, &fetch->trust);
    if (at_origin) set_user(fetch, handle);
    CURLcode code = curl_easy_perform(handle);
    curl_slist_free_all(headers);
    return code;
}

static CCurlOutcome judge(struct hop *hop, CURLcode code) {
    struct fetch *fetch = hop->fetch;
    const char *message = hop->error[0] ? hop->error : curl_easy_strerror(code);
    if (hop->stopped == CCURL_OUTPUT) return CCURL_OUTPUT;
    if (hop->stopped != CCURL_OK) return fail(fetch, hop->stopped, "");
    long status = fetch->result->status;
    switch (code) {
    case CURLE_OK:
        if (status < 200 || status > 299) return fail(fetch, CCURL_STATUS, "");
        /* Without a body nothing has looked at it. */
        if (!fetch->request->accepts(fetch->result->content_type)) return fail(fetch, CCURL_TYPE, "");
        return fail(fetch, CCURL_OK, "");
    case CURLE_OUT_OF_MEMORY: return fail(fetch, CCURL_MEMORY, message);
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_URL_MALFORMAT: return fail(fetch, CCURL_ADDRESS, message);
    case CURLE_OPERATION_TIMEDOUT: return fail(fetch, CCURL_TIMED_OUT, message);
    case CURLE_PEER_FAILED_VERIFICATION:
        memcpy(fetch->result->fingerprint, fetch->trust.seen, sizeof fetch->trust.seen);
        if (fetch->trust.seen[0]) message = ccurl_trust_reason(&fetch->trust);
        return fail(fetch, CCURL_CERTIFICATE, message);
    default:
        if (hop->is_refused && code == CURLE_COULDNT_CONNECT) return fail(fetch, CCURL_PRIVATE, "");
        if (hop->header_bytes > MOST_HEADER_BYTES) message = "the answer has too many headers";
        return fail(fetch, CCURL_NETWORK, message);
    }
}

/* Asks for the address of this hop. Sets *redirect, to be freed, if it leads elsewhere. */
static CCurlOutcome ask(struct fetch *fetch, char **redirect) {
    char *host = NULL, *scheme = NULL, *type = NULL;
    int64_t left = fetch->deadline - now();
    if (left <= 0) return fail(fetch, CCURL_TIMED_OUT, "");
    curl_url_get(fetch->address, CURLUPART_HOST, &host, 0);
    curl_url_get(fetch->address, CURLUPART_SCHEME, &scheme, 0);
    /* A proxy would connect to it, so it does not come to a socket here. */
    int is_private = host && !fetch->request->allows_private && ccurl_names_private(host);
    struct hop hop = {.fetch = fetch, .handle = is_private ? NULL : curl_easy_init()};
    CCurlOutcome outcome = is_private ? CCURL_PRIVATE : CCURL_MEMORY;
    if (hop.handle && scheme) {
        hop.proxy = ccurl_proxy(scheme);
        CURLcode code = perform(&hop, left);
        long status = 0;
        struct curl_header *location = NULL;
        curl_easy_getinfo(hop.handle, CURLINFO_RESPONSE_CODE, &status);
        curl_easy_getinfo(hop.handle, CURLINFO_CONTENT_TYPE, &type);
        fetch->result->status = status;
        ccurl_keep(&fetch->result->content_type, type);
        if ((status == 301 || status == 302 || status == 303 || status == 307 || status == 308) &&
            curl_easy_header(hop.handle, "Location", 0, CURLH_HEADER, -1, &location) == CURLHE_OK) {
            *redirect = strdup(location->value);
        }
        outcome = judge(&hop, code);
    }
    if (hop.proxy) freeaddrinfo(hop.proxy);
    curl_easy_cleanup(hop.handle);
    curl_free(host);
    curl_free(scheme);
    return outcome;
}

static CCurlOutcome follow(struct fetch *fetch) {
    const CCurlRequest *request = fetch->request;
    if (!fetch->address || !fetch->origin) return CCURL_MEMORY;
    if (request->authorities || request->fingerprint_count > 0) {
        if (!ccurl_trust_is_supported()) return fail(fetch, CCURL_TRUST, "libcurl is not built with OpenSSL here");
        if (request->authorities && ccurl_trust_count(request) == 0) return fail(fetch, CCURL_TRUST, "");
    }
    if (curl_url_set(fetch->origin, CURLUPART_URL, request->url, lenient) != CURLUE_OK) return CCURL_ADDRESS;
    if (!set_address(fetch, request->url)) return CCURL_ADDRESS;
    for (int32_t redirects = 0;; redirects++) {
        char *next = NULL;
        fetch->trust.only_pinned = 0;
        CCurlOutcome outcome = ask(fetch, &next);
        /* The library has refused the server, and the listener knows this very certificate. */
        if (outcome == CCURL_CERTIFICATE && ccurl_trust_is_pinned(&fetch->trust)) {
            fetch->trust.only_pinned = 1;
            outcome = ask(fetch, &next);
        }
        if (!next) return outcome;
        int is_followed = redirects < request->most_redirects;
        int is_web = is_followed && set_address(fetch, next);
        free(next);
        if (!is_followed) return fail(fetch, CCURL_REDIRECT, "it is redirected too often");
        if (!is_web) return fail(fetch, CCURL_REDIRECT, "it is redirected to what is no address of http or https");
    }
}

void ccurl_fetch(const CCurlRequest *request, CCurlResult *result) {
    memset(result, 0, sizeof *result);
    ccurl_keep(&result->content_type, "");
    ccurl_keep(&result->address, "");
    ccurl_keep(&result->message, "");
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        result->outcome = CCURL_MEMORY;
        return;
    }
    struct fetch fetch = {.request = request, .result = result, .address = curl_url(), .origin = curl_url(),
                          .trust = {.request = request}, .deadline = now() + request->total_timeout_ms};
    result->outcome = follow(&fetch);
    curl_url_cleanup(fetch.address);
    curl_url_cleanup(fetch.origin);
    curl_global_cleanup();
}

void ccurl_free(CCurlResult *result) {
    free(result->content_type);
    free(result->address);
    free(result->message);
    result->content_type = result->address = result->message = NULL;
}
