/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of the web, and the servers that they name. */
#ifndef CCURL_ORIGIN_H
#define CCURL_ORIGIN_H

#include <curl/curl.h>

/* Puts a copy of a text in a place and frees what was there; foreign text stays on its line. */
void ccurl_keep(char **place, const char *text);

/* Returns 1 if two addresses have the same scheme, host and port. */
int ccurl_is_same_origin(CURLU *, CURLU *);

/* Sets an address, which may be relative to the one before it; user and password are left out. Returns 0 if it is none
 * of http or https; else *whole is the address, as ccurl_keep does it. */
int ccurl_set_address(CURLU *, const char *address, char **whole);

/* Returns 1 if the scheme of an address is this one. */
int ccurl_has_scheme(CURLU *, const char *scheme);

#endif
