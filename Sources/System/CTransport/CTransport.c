/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "CTransport.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MAX_DESCRIPTORS = 8 };

const int ctransport_seal_shrink = F_SEAL_SHRINK;
const int ctransport_seal_grow = F_SEAL_GROW;
const int ctransport_seal_seal = F_SEAL_SEAL;
const int ctransport_seal_future_write = F_SEAL_FUTURE_WRITE;

int ctransport_memory_descriptor(const char *name) {
    return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

int ctransport_add_seals(int descriptor, int seals) { return fcntl(descriptor, F_ADD_SEALS, seals); }
int ctransport_seals(int descriptor) { return fcntl(descriptor, F_GET_SEALS); }

ssize_t ctransport_send(int socket, const void *bytes, size_t count, const int *descriptors,
                        size_t descriptor_count, int flags) {
    if (descriptor_count > MAX_DESCRIPTORS) {
        errno = EINVAL;
        return -1;
    }
    union {
        char bytes[CMSG_SPACE(MAX_DESCRIPTORS * sizeof(int))];
        struct cmsghdr align;
    } control;
    memset(&control, 0, sizeof control);
    struct iovec part = {(void *)bytes, count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor_count > 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(descriptor_count * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(descriptor_count * sizeof(int));
        memcpy(CMSG_DATA(header), descriptors, descriptor_count * sizeof(int));
    }
    ssize_t sent;
    do {
        sent = sendmsg(socket, &message, flags | MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent;
}

ssize_t ctransport_receive(int socket, void *bytes, size_t room, int *descriptors,
                           size_t *descriptor_count, int flags) {
    union {
        char bytes[CMSG_SPACE(MAX_DESCRIPTORS * sizeof(int))];
        struct cmsghdr align;
    } control;
    struct iovec part = {bytes, room};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    size_t space = *descriptor_count, taken = 0;
    int spilled = 0;
    *descriptor_count = 0;
    ssize_t received;
    do {
        received = recvmsg(socket, &message, flags | MSG_CMSG_CLOEXEC);
    } while (received < 0 && errno == EINTR);
    if (received < 0) return -1;
    for (struct cmsghdr *h = CMSG_FIRSTHDR(&message); h; h = CMSG_NXTHDR(&message, h)) {
        if (h->cmsg_level != SOL_SOCKET || h->cmsg_type != SCM_RIGHTS) continue;
        size_t n = (h->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < n; i++) {
            int d;
            memcpy(&d, CMSG_DATA(h) + i * sizeof(int), sizeof d);
            if (taken < space) descriptors[taken++] = d;
            else {
                close(d);
                spilled = 1;
            }
        }
    }
    if (spilled || (message.msg_flags & (MSG_CTRUNC | MSG_TRUNC))) {
        while (taken > 0) close(descriptors[--taken]);
        errno = EMSGSIZE;
        return -1;
    }
    *descriptor_count = taken;
    return received;
}
