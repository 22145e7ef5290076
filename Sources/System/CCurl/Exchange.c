/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "Exchange.h"

#include "Address.h"
#include "Origin.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

enum { MOST_HEADER_BYTES = 256 << 10, MOST_FIELD_BYTES = 28 << 10, MOST_FIELDS = 256, MOST_DROPPED = 64 << 10 };

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static int fail(struct exchange *exchange, CCurlOutcome outcome, const char *message) {
    exchange->answer.outcome = outcome;
    ccurl_keep(&exchange->answer.message, message);
    return 0;
}

/* MARK: The answer */

static int is_allowed(struct exchange *exchange, const struct sockaddr *address, socklen_t length) {
    return exchange->request.allows_private || !ccurl_is_private(address, length) ||
           ccurl_is_among(exchange->proxy, address, length);
}

static curl_socket_t open_socket(void *data, curlsocktype purpose, struct curl_sockaddr *address) {
    struct exchange *exchange = data;
    (void)purpose;
    if ((address->family != AF_INET && address->family != AF_INET6) ||
        !is_allowed(exchange, &address->addr, address->addrlen)) {
        exchange->is_refused = 1;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/* Looks at a connection before it is used: it may have been opened for a request that allows more. */
static int begin_request(void *data, char *peer, char *own, int peer_port, int own_port) {
    struct exchange *exchange = data;
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons((uint16_t)peer_port)};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)peer_port)};
    (void)own;
    (void)own_port;
    int is_good = 0;
    if (peer && inet_pton(AF_INET, peer, &four.sin_addr) == 1) {
        is_good = is_allowed(exchange, (struct sockaddr *)&four, sizeof four);
    } else if (peer && inet_pton(AF_INET6, peer, &six.sin6_addr) == 1) {
        is_good = is_allowed(exchange, (struct sockaddr *)&six, sizeof six);
    }
    exchange->is_refused = !is_good;
    return is_good ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}

static size_t take_header(char *bytes, size_t size, size_t count, void *data) {
    struct exchange *exchange = data;
    (void)bytes;
    exchange->header_bytes += size * count;
    return exchange->header_bytes > MOST_HEADER_BYTES ? 0 : size * count;
}

static size_t stop(struct exchange *exchange, CCurlOutcome outcome) {
    exchange->stopped = outcome;
    return 0;
}

static const char *field(struct exchange *exchange, const char *name) {
    struct curl_header *found = NULL;
    return curl_easy_header(exchange->handle, name, 0, CURLH_HEADER, -1, &found) == CURLHE_OK ? found->value : NULL;
}

static long status_of(struct exchange *exchange) {
    long status = 0;
    curl_easy_getinfo(exchange->handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

static int is_redirect(struct exchange *exchange) {
    long status = status_of(exchange);
    return (status == 301 || status == 302 || status == 303 || status == 307 || status == 308) &&
           field(exchange, "Location");
}

/* Returns the first byte of "bytes FIRST-LAST/SIZE", or -1. */
static int64_t first_byte(const char *range) {
    if (!range || strncasecmp(range, "bytes", 5) != 0) return -1;
    range += 5;
    range += strspn(range, " \t");
    size_t digits = strspn(range, "0123456789");
    if (digits == 0 || digits > 18 || range[digits] != '-') return -1;
    return strtoll(range, NULL, 10);
}

/* Decides what becomes of the body of this hop. Returns 0 if there is nothing more to do with it. */
static int decide(struct exchange *exchange) {
    long status = status_of(exchange);
    exchange->use = DROPPED;
    if (is_redirect(exchange) || (exchange->request.is_file && status != 200 && status != 206)) return 1;
    if (exchange->request.is_file && status == 206) {
        exchange->start = first_byte(field(exchange, "Content-Range"));
        if (exchange->start < 0) {
            ccurl_keep(&exchange->answer.message, "a part of a file that does not say which");
            return (int)stop(exchange, CCURL_NETWORK);
        }
    }
    exchange->use = WRITTEN;
    curl_off_t announced = -1;
    curl_easy_getinfo(exchange->handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &announced);
    if (announced > exchange->request.most_bytes) return (int)stop(exchange, CCURL_TOO_LARGE);
    return 1;
}

static size_t take_body(char *bytes, size_t size, size_t count, void *data) {
    struct exchange *exchange = data;
    size_t length = size * count, done = 0;
    if (length == 0) return 0;
    if (exchange->use == UNDECIDED && !decide(exchange)) return 0;
    if (exchange->use == DROPPED) {
        exchange->length += (int64_t)length;
        if (exchange->length <= MOST_DROPPED) return length;
        exchange->is_enough = 1;
        return 0;
    }
    if ((int64_t)length > exchange->request.most_bytes - exchange->length) return stop(exchange, CCURL_TOO_LARGE);
    while (done < length) {
        ssize_t written = pwrite(exchange->request.output, bytes + done, length - done,
                                 exchange->start + exchange->length + (int64_t)done);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) {
            exchange->answer.is_full = written == 0 || errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
            ccurl_keep(&exchange->answer.message, strerror(written == 0 ? ENOSPC : errno));
            return stop(exchange, CCURL_OUTPUT);
        }
        done += (size_t)written;
    }
    exchange->length += (int64_t)length;
    exchange->answer.end = exchange->start + exchange->length;
    return length;
}

/* MARK: One hop */

static int add_line(struct curl_slist **list, const char *line) {
    struct curl_slist *longer = curl_slist_append(*list, line);
    if (longer) *list = longer;
    return longer != NULL;
}

static int set_lines(struct exchange *exchange, int is_at_origin) {
    curl_slist_free_all(exchange->sent);
    exchange->sent = NULL;
    int has_type = 0;
    for (struct curl_slist *line = exchange->headers; is_at_origin && line; line = line->next) {
        has_type |= strncasecmp(line->data, "content-type:", 13) == 0;
        if (!add_line(&exchange->sent, line->data)) return 0;
    }
    /* The library would call a body a form, and wait whether the server wants it. */
    if (!has_type && !add_line(&exchange->sent, "Content-Type:")) return 0;
    return add_line(&exchange->sent, "Expect:");
}

static void set_method(struct exchange *exchange) {
    CURL *handle = exchange->handle;
    if (strcmp(exchange->method, "HEAD") == 0) {
        curl_easy_setopt(handle, CURLOPT_NOBODY, 1L);
    } else if (exchange->body || strcmp(exchange->method, "POST") == 0) {
        curl_easy_setopt(handle, CURLOPT_POST, 1L);
        curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE,
                         (curl_off_t)(exchange->body ? exchange->request.body_length : 0));
        curl_easy_setopt(handle, CURLOPT_POSTFIELDS, exchange->body ? exchange->body : "");
        curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, exchange->method);
    } else {
        curl_easy_setopt(handle, CURLOPT_HTTPGET, 1L);
        if (strcmp(exchange->method, "GET") != 0) curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, exchange->method);
    }
}

/* Returns 0 if the answer is there already: a failure. */
static int prepare(struct exchange *exchange) {
    const CCurlPoolOptions *options = exchange->options;
    CURL *handle = exchange->handle;
    int64_t left = exchange->deadline ? exchange->deadline - now() : 0;
    if (exchange->deadline && left <= 0) return fail(exchange, CCURL_TIMED_OUT, "");
    if (!exchange->request.allows_private) {
        char *host = NULL, *scheme = NULL;
        curl_url_get(exchange->address, CURLUPART_HOST, &host, 0);
        curl_url_get(exchange->address, CURLUPART_SCHEME, &scheme, 0);
        /* A proxy would connect to it, so it does not come to a socket here. */
        int is_private = !host || ccurl_names_private(host);
        if (exchange->proxy) freeaddrinfo(exchange->proxy);
        exchange->proxy = scheme && !is_private ? ccurl_proxy(scheme) : NULL;
        curl_free(host);
        curl_free(scheme);
        if (is_private) return fail(exchange, CCURL_PRIVATE, "");
    }
    if (!set_lines(exchange, ccurl_is_same_origin(exchange->address, exchange->origin))) {
        return fail(exchange, CCURL_MEMORY, "");
    }
    exchange->header_bytes = 0;
    exchange->is_refused = exchange->is_enough = 0;
    exchange->use = UNDECIDED;
    exchange->start = exchange->length = exchange->answer.end = 0;
    exchange->stopped = CCURL_OK;
    exchange->error[0] = 0;
    curl_easy_reset(handle);
    curl_easy_setopt(handle, CURLOPT_PRIVATE, exchange);
    curl_easy_setopt(handle, CURLOPT_CURLU, exchange->address);
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, exchange->error);
    curl_easy_setopt(handle, CURLOPT_USERAGENT, options->agent);
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, exchange->sent);
    /* The fields are not the proxy's. */
    curl_easy_setopt(handle, CURLOPT_HEADEROPT, (long)CURLHEADER_SEPARATE);
    /* The places of bytes in a file are those without an encoding. */
    if (!exchange->request.is_file) curl_easy_setopt(handle, CURLOPT_ACCEPT_ENCODING, "");
    set_method(exchange);
    if (exchange->deadline) curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, (long)left);
    long connecting = (long)options->connect_timeout_ms;
    curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS,
                     exchange->deadline && left < connecting ? (long)left : connecting);
    curl_easy_setopt(handle, CURLOPT_LOW_SPEED_LIMIT, (long)options->slowest);
    curl_easy_setopt(handle, CURLOPT_LOW_SPEED_TIME, (long)options->slowest_seconds);
    curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, exchange);
    if (!exchange->request.allows_private) {
        curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, begin_request);
        curl_easy_setopt(handle, CURLOPT_PREREQDATA, exchange);
    }
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, exchange);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, exchange);
    ccurl_trust_use(handle, &exchange->trust);
    return 1;
}

/* Follows a redirect. Returns 1 if another hop is prepared. */
static int follow(struct exchange *exchange, const char *location) {
    long status = status_of(exchange);
    if (exchange->redirects >= exchange->options->most_redirects) {
        return fail(exchange, CCURL_REDIRECT, "it is redirected too often");
    }
    exchange->redirects++;
    int was_secure = ccurl_has_scheme(exchange->address, "https");
    if (!ccurl_set_address(exchange->address, location, &exchange->answer.address)) {
        return fail(exchange, CCURL_REDIRECT, "it is redirected to what is no address of http or https");
    }
    if (was_secure && !ccurl_has_scheme(exchange->address, "https")) {
        return fail(exchange, CCURL_REDIRECT, "it is redirected from https to http");
    }
    if (status != 301 && status != 308) exchange->is_temporary = 1;
    if (!exchange->is_temporary) ccurl_keep(&exchange->answer.permanent, exchange->answer.address);
    int is_post = strcmp(exchange->method, "POST") == 0, is_head = strcmp(exchange->method, "HEAD") == 0;
    if ((status == 303 && !is_head) || (is_post && (status == 301 || status == 302))) {
        strcpy(exchange->method, "GET");
        free(exchange->body);
        exchange->body = NULL;
    }
    int is_reading = is_head || strcmp(exchange->method, "GET") == 0;
    if (!is_reading && !ccurl_is_same_origin(exchange->address, exchange->origin)) {
        return fail(exchange, CCURL_REDIRECT, "it is redirected to another server, which does not get what is sent");
    }
    exchange->trust.only_pinned = 0;
    return prepare(exchange);
}

static int note_fields(struct exchange *exchange) {
    CCurlAnswer *answer = &exchange->answer;
    size_t bytes = 0;
    answer->fields = calloc(MOST_FIELDS, sizeof *answer->fields);
    if (!answer->fields) return fail(exchange, CCURL_MEMORY, "");
    for (struct curl_header *header = NULL;
         (header = curl_easy_nextheader(exchange->handle, CURLH_HEADER, -1, header)) != NULL;) {
        bytes += strlen(header->name) + strlen(header->value) + 8;
        if (bytes > MOST_FIELD_BYTES || answer->field_count == MOST_FIELDS) {
            return fail(exchange, CCURL_NETWORK, "the answer has too many headers");
        }
        CCurlField *field = &answer->fields[answer->field_count++];
        ccurl_keep(&field->name, header->name);
        ccurl_keep(&field->value, header->value);
        if (!field->name || !field->value) return fail(exchange, CCURL_MEMORY, "");
    }
    return 0;
}

static int judge(struct exchange *exchange, CURLcode code) {
    const char *message = exchange->error[0] ? exchange->error : curl_easy_strerror(code);
    switch (code) {
    case CURLE_OUT_OF_MEMORY: return fail(exchange, CCURL_MEMORY, message);
    case CURLE_URL_MALFORMAT: return fail(exchange, CCURL_ADDRESS, message);
    case CURLE_OPERATION_TIMEDOUT: return fail(exchange, CCURL_TIMED_OUT, message);
    case CURLE_PEER_FAILED_VERIFICATION:
        memcpy(exchange->answer.fingerprint, exchange->trust.seen, sizeof exchange->trust.seen);
        if (exchange->trust.seen[0]) message = ccurl_trust_reason(&exchange->trust);
        return fail(exchange, CCURL_CERTIFICATE, message);
    default:
        if (exchange->is_refused && (code == CURLE_COULDNT_CONNECT || code == CURLE_ABORTED_BY_CALLBACK)) {
            return fail(exchange, CCURL_PRIVATE, "");
        }
        if (exchange->header_bytes > MOST_HEADER_BYTES) message = "the answer has too many headers";
        return fail(exchange, CCURL_NETWORK, message);
    }
}

int ccurl_exchange_settle(struct exchange *exchange, CURLcode code) {
    exchange->answer.status = status_of(exchange);
    if (exchange->stopped != CCURL_OK) {
        exchange->answer.outcome = exchange->stopped;
        return 0;
    }
    if (code == CURLE_WRITE_ERROR && exchange->is_enough) code = CURLE_OK;
    /* The library has refused the server, and the listener knows this very certificate. */
    if (code == CURLE_PEER_FAILED_VERIFICATION && !exchange->trust.only_pinned &&
        ccurl_trust_is_pinned(&exchange->trust)) {
        exchange->trust.only_pinned = 1;
        return prepare(exchange);
    }
    if (code != CURLE_OK) return judge(exchange, code);
    if (is_redirect(exchange)) {
        char *location = strdup(field(exchange, "Location"));
        int result = location ? follow(exchange, location) : fail(exchange, CCURL_MEMORY, "");
        free(location);
        return result;
    }
    return note_fields(exchange);
}

/* MARK: Life */

struct exchange *ccurl_exchange_create(const CCurlExchange *request, const CCurlPoolOptions *options,
                                       const CCurlRequest *trust) {
    struct exchange *exchange = calloc(1, sizeof *exchange);
    if (!exchange) return NULL;
    exchange->request = *request;
    exchange->options = options;
    exchange->trust.request = trust;
    exchange->answer.id = request->id;
    strncpy(exchange->method, request->method, sizeof exchange->method - 1);
    exchange->handle = curl_easy_init();
    exchange->address = curl_url();
    exchange->origin = curl_url();
    int is_whole = exchange->handle && exchange->address && exchange->origin;
    ccurl_keep(&exchange->answer.address, request->url);
    ccurl_keep(&exchange->answer.message, "");
    is_whole = is_whole && exchange->answer.address && exchange->answer.message;
    for (size_t i = 0; is_whole && i < request->header_count; i++) {
        is_whole = add_line(&exchange->headers, request->headers[i]);
    }
    if (is_whole && request->body) {
        exchange->body = malloc(request->body_length + 1);
        is_whole = exchange->body != NULL;
        if (is_whole) memcpy(exchange->body, request->body, request->body_length);
    }
    exchange->deadline = request->total_timeout_ms > 0 ? now() + request->total_timeout_ms : 0;
    if (is_whole) return exchange;
    ccurl_exchange_free(exchange);
    return NULL;
}

int ccurl_exchange_begin(struct exchange *exchange) {
    const CCurlRequest *trust = exchange->trust.request;
    /* The address as it was given may carry a user and a password. */
    ccurl_keep(&exchange->answer.address, "");
    if (!ccurl_set_address(exchange->origin, exchange->request.url, &exchange->answer.address) ||
        !ccurl_set_address(exchange->address, exchange->request.url, &exchange->answer.address)) {
        return fail(exchange, CCURL_ADDRESS, "");
    }
    if (ccurl_has_scheme(exchange->origin, "https") && (trust->authorities || trust->fingerprint_count > 0)) {
        if (!ccurl_trust_is_supported()) return fail(exchange, CCURL_TRUST, "libcurl is not built with OpenSSL here");
        if (trust->authorities && ccurl_trust_count(trust) == 0) return fail(exchange, CCURL_TRUST, "");
    }
    return prepare(exchange);
}

void ccurl_exchange_free(struct exchange *exchange) {
    if (!exchange) return;
    curl_easy_cleanup(exchange->handle);
    curl_url_cleanup(exchange->address);
    curl_url_cleanup(exchange->origin);
    curl_slist_free_all(exchange->headers);
    curl_slist_free_all(exchange->sent);
    if (exchange->proxy) freeaddrinfo(exchange->proxy);
    free(exchange->body);
    ccurl_pool_release(&exchange->answer);
    free(exchange);
}
