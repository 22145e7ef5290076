/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of Linux that Swift cannot make: they are variadic, macros, or not in its Glibc module. */
#ifndef CTRANSPORT_H
#define CTRANSPORT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* memfd_create(2) with close-on-exec and sealing allowed. */
int ctransport_memory_descriptor(const char *name);

/* fcntl(2) F_ADD_SEALS. `seals` from the constants below. */
int ctransport_add_seals(int descriptor, int seals);
int ctransport_seals(int descriptor);
extern const int ctransport_seal_shrink, ctransport_seal_grow, ctransport_seal_seal, ctransport_seal_future_write;

/* sendmsg(2) of one message with up to 8 descriptors; -1 and errno, or the bytes sent. */
ssize_t ctransport_send(int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count, int flags);

/* recvmsg(2), the descriptors close-on-exec. `*descriptor_count` is room on entry, received on
 * return; more than the room are closed and reported as EMSGSIZE, as is a message cut short. */
ssize_t ctransport_receive(int socket, void *bytes, size_t room, int *descriptors, size_t *descriptor_count, int flags);

#endif
