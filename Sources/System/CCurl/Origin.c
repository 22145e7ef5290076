/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "Origin.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

void ccurl_keep(char **place, const char *text) {
    char *copy = strdup(text ? text : "");
    if (!copy) return;
    for (char *c = copy; *c; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f) *c = ' ';
    }
    free(*place);
    *place = copy;
}

static int parts_are_equal(CURLU *one, CURLU *other, CURLUPart part, unsigned flags) {
    char *a = NULL, *b = NULL;
    curl_url_get(one, part, &a, flags);
    curl_url_get(other, part, &b, flags);
    int result = a && b && strcasecmp(a, b) == 0;
    curl_free(a);
    curl_free(b);
    return result;
}

int ccurl_is_same_origin(CURLU *one, CURLU *other) {
    return parts_are_equal(one, other, CURLUPART_SCHEME, 0) && parts_are_equal(one, other, CURLUPART_HOST, 0) &&
           parts_are_equal(one, other, CURLUPART_PORT, CURLU_DEFAULT_PORT);
}

int ccurl_set_address(CURLU *url, const char *address, char **whole) {
    char *text = NULL;
    if (curl_url_set(url, CURLUPART_URL, address, CURLU_URLENCODE | CURLU_ALLOW_SPACE) != CURLUE_OK) return 0;
    curl_url_set(url, CURLUPART_USER, NULL, 0);
    curl_url_set(url, CURLUPART_PASSWORD, NULL, 0);
    curl_url_set(url, CURLUPART_OPTIONS, NULL, 0);
    int is_web = ccurl_has_scheme(url, "http") || ccurl_has_scheme(url, "https");
    if (is_web && curl_url_get(url, CURLUPART_URL, &text, 0) == CURLUE_OK) ccurl_keep(whole, text);
    curl_free(text);
    return is_web;
}

int ccurl_has_scheme(CURLU *url, const char *scheme) {
    char *own = NULL;
    int result = curl_url_get(url, CURLUPART_SCHEME, &own, 0) == CURLUE_OK && strcasecmp(own, scheme) == 0;
    curl_free(own);
    return result;
}
