/* SPDX-License-Identifier: Apache-2.0 */
/* Which addresses belong to this machine or to its networks. */
#ifndef CCURL_ADDRESS_H
#define CCURL_ADDRESS_H

#include <netdb.h>
#include <sys/socket.h>

/* Returns 0 for an address of the public internet, 1 for any other: private, loopback, link-local, multicast,
 * unspecified, shared, reserved, and what embeds one of those in IPv6. */
int ccurl_is_private(const struct sockaddr *, socklen_t length);

/* The same for the host of a URL, if it is an address in numbers or a name of this machine; 0 for any other name. */
int ccurl_names_private(const char *host);

/* Returns the addresses of the proxy that the environment names for a scheme, or NULL. freeaddrinfo frees them.
 * The listener chose it, so it may be private. */
struct addrinfo *ccurl_proxy(const char *scheme);
int ccurl_is_among(const struct addrinfo *, const struct sockaddr *, socklen_t length);

#endif
