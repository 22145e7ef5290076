/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "Address.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct network {
    uint32_t prefix;
    int bits;
};

/* RFC 6890 and what IANA has added to its registry of special addresses. */
static const struct network special[] = {
    {0x00000000, 8},  /* this network */
    {0x0a000000, 8},  /* private */
    {0x64400000, 10}, /* shared by the customers of a provider */
    {0x7f000000, 8},  /* loopback */
    {0xa9fe0000, 16}, /* link-local */
    {0xac100000, 12}, /* private */
    {0xc0000000, 24}, /* protocols */
    {0xc0000200, 24}, /* documentation */
    {0xc0586300, 24}, /* relays of 6to4 */
    {0xc0a80000, 16}, /* private */
    {0xc6120000, 15}, /* benchmarks */
    {0xc6336400, 24}, /* documentation */
    {0xcb007100, 24}, /* documentation */
    {0xe0000000, 3},  /* multicast, reserved, broadcast */
};

static int is_private_ipv4(uint32_t address) {
    for (size_t i = 0; i < sizeof special / sizeof *special; i++) {
        uint32_t mask = UINT32_MAX << (32 - special[i].bits);
        if ((address & mask) == special[i].prefix) return 1;
    }
    return 0;
}

static uint32_t word(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static int is_private_ipv6(const uint8_t *bytes) {
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    static const uint8_t translated[12] = {0x00, 0x64, 0xff, 0x9b};
    if (memcmp(bytes, mapped, 12) == 0 || memcmp(bytes, translated, 12) == 0) return is_private_ipv4(word(bytes + 12));
    /* 2000::/3 is all that is given out. */
    if ((bytes[0] & 0xe0) != 0x20) return 1;
    uint32_t first = word(bytes);
    if (first >> 16 == 0x2002) return is_private_ipv4(word(bytes + 2)); /* 6to4 */
    /* 2001::/23, of protocols such as Teredo; and documentation. */
    return first >> 9 == 0x20010000 >> 9 || first == 0x20010db8 || first >> 12 == 0x3fff0000 >> 12;
}

int ccurl_is_private(const struct sockaddr *address, socklen_t length) {
    if (address->sa_family == AF_INET && length >= sizeof(struct sockaddr_in)) {
        struct sockaddr_in copy;
        memcpy(&copy, address, sizeof copy);
        return is_private_ipv4(ntohl(copy.sin_addr.s_addr));
    }
    if (address->sa_family == AF_INET6 && length >= sizeof(struct sockaddr_in6)) {
        struct sockaddr_in6 copy;
        memcpy(&copy, address, sizeof copy);
        return is_private_ipv6(copy.sin6_addr.s6_addr);
    }
    return 1;
}

int ccurl_names_private(const char *host) {
    struct in_addr four;
    struct in6_addr six;
    char text[INET6_ADDRSTRLEN] = "";
    size_t length = strlen(host);
    if (length > 2 && host[0] == '[' && length - 2 < sizeof text) {
        memcpy(text, host + 1, length - 2);
        text[strcspn(text, "%]")] = 0;
        return inet_pton(AF_INET6, text, &six) == 1 ? is_private_ipv6(six.s6_addr) : 1;
    }
    if (inet_pton(AF_INET, host, &four) == 1) return is_private_ipv4(ntohl(four.s_addr));
    while (length > 0 && host[length - 1] == '.') length--;
    static const char local[] = "localhost";
    size_t tail = sizeof local - 1;
    if (length < tail || strncasecmp(host + length - tail, local, tail) != 0) return 0;
    return length == tail || host[length - tail - 1] == '.';
}

struct addrinfo *ccurl_proxy(const char *scheme) {
    int is_https = strcmp(scheme, "https") == 0;
    /* HTTP_PROXY in capitals is not read: a web server makes it from a header of its visitor. */
    const char *names[] = {is_https ? "https_proxy" : "http_proxy", is_https ? "HTTPS_PROXY" : NULL, "all_proxy",
                           "ALL_PROXY"};
    const char *value = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !(value && *value); i++) {
        if (names[i]) value = getenv(names[i]);
    }
    struct addrinfo *found = NULL, hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    CURLU *proxy = value && *value ? curl_url() : NULL;
    char *host = NULL, *port = NULL, *kind = NULL;
    unsigned lenient = CURLU_NON_SUPPORT_SCHEME | CURLU_GUESS_SCHEME;
    if (proxy && curl_url_set(proxy, CURLUPART_URL, value, lenient) == CURLUE_OK &&
        curl_url_get(proxy, CURLUPART_HOST, &host, 0) == CURLUE_OK &&
        curl_url_get(proxy, CURLUPART_SCHEME, &kind, 0) == CURLUE_OK) {
        size_t length = strlen(host);
        char *name = host;
        if (length > 2 && host[0] == '[') {
            host[length - 1] = 0;
            name++;
        }
        curl_url_get(proxy, CURLUPART_PORT, &port, 0);
        const char *usual = strcmp(kind, "https") == 0 ? "443" : "1080";
        if (getaddrinfo(name, port ? port : usual, &hints, &found) != 0) found = NULL;
    }
    curl_free(host);
    curl_free(port);
    curl_free(kind);
    curl_url_cleanup(proxy);
    return found;
}

int ccurl_is_among(const struct addrinfo *list, const struct sockaddr *address, socklen_t length) {
    for (; list; list = list->ai_next) {
        if (list->ai_family != address->sa_family || list->ai_addrlen > length) continue;
        struct sockaddr_in four, other_four;
        struct sockaddr_in6 six, other_six;
        if (address->sa_family == AF_INET && length >= sizeof four && list->ai_addrlen >= sizeof four) {
            memcpy(&four, address, sizeof four);
            memcpy(&other_four, list->ai_addr, sizeof four);
            if (four.sin_port == other_four.sin_port && four.sin_addr.s_addr == other_four.sin_addr.s_addr) return 1;
        } else if (address->sa_family == AF_INET6 && length >= sizeof six && list->ai_addrlen >= sizeof six) {
            memcpy(&six, address, sizeof six);
            memcpy(&other_six, list->ai_addr, sizeof six);
            if (six.sin6_port == other_six.sin6_port && memcmp(&six.sin6_addr, &other_six.sin6_addr, 16) == 0) return 1;
        }
    }
    return 0;
}
