/* SPDX-License-Identifier: Apache-2.0 */
/* Host extension for engines that open https addresses: the certificates that the user trusts in
 * addition to those of the system.
 *
 * An engine verifies every server. It accepts a server in one of two cases:
 *   - The certificate is currently valid, is issued for the name in the address, and is signed by an
 *     authority in the system's store or by one of `certificates`.
 *   - The certificate is one of `fingerprints`. It is then accepted as it is.
 * The engine refuses any other server, and sends it no header.
 *
 * Ask again for each source, because the user may have changed what they trust. */
#ifndef ROSTRUM_TRUST_H
#define ROSTRUM_TRUST_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ROSTRUM_TRUST_EXTENSION "rostrum.trust/1"

/* The certificates that the user trusts in addition to the system's store. */
typedef struct rostrum_trust {
    uint32_t size;
    uint32_t reserved;
    const char *certificates;   /* PEM, concatenated, or NULL */
    const char *fingerprints;   /* SHA-256 of whole certificates (DER): 64 lower-case hexadecimal
                                   digits each, each followed by a newline, or NULL */
} rostrum_trust;

/* The struct that the host returns for ROSTRUM_TRUST_EXTENSION from its get_extension. */
typedef struct rostrum_trust_host {
    uint32_t size;
    uint32_t reserved;
    /* Fills `trust` for the source that was opened most recently.
     * The strings stay valid until the next source is opened or the current call of the engine
     * returns. Returns ROSTRUM_ERROR_PERMISSION if something that the user named cannot be read:
     * the engine must then open no https address.
     * [engine-thread & created; after open_source of that track, within the same call] */
    rostrum_result (*trust)(void *host_data, uint32_t track, rostrum_trust *trust);
} rostrum_trust_host;

#ifdef __cplusplus
}
#endif
#endif
