/* SPDX-License-Identifier: Apache-2.0 */
/* Extension of the host, for engines that open https addresses: what counts beside the certificates
 * of the system.
 *
 * An engine verifies every server: its certificate is valid now, is for the name in the address, and
 * is signed by an authority of the system's store or by one of `certificates`; or it is one of
 * `fingerprints`, and then it is taken as it is. Any other server is refused, and sees no header.
 * Ask again for each source: what counts may have been changed since. */
#ifndef ROSTRUM_TRUST_H
#define ROSTRUM_TRUST_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ROSTRUM_TRUST_EXTENSION "rostrum.trust/1"

/* What the user trusts beside the system's store. */
typedef struct rostrum_trust {
    uint32_t size;
    uint32_t reserved;
    const char *certificates;   /* PEM, one after the other, or NULL */
    const char *fingerprints;   /* SHA-256 of whole certificates (DER): 64 lower-case hexadecimal
                                   digits each, with a newline behind each, or NULL */
} rostrum_trust;

/* Of the host, by its get_extension. */
typedef struct rostrum_trust_host {
    uint32_t size;
    uint32_t reserved;
    /* For the source that was opened last; the strings stay valid until the next source is opened,
     * or the call of the engine returns. ROSTRUM_ERROR_PERMISSION if what the user named cannot be
     * read: then no https address may be opened.
     * [engine-thread & created; after open_source of that track, within the same call] */
    rostrum_result (*trust)(void *host_data, uint32_t track, rostrum_trust *trust);
} rostrum_trust_host;

#ifdef __cplusplus
}
#endif
#endif
