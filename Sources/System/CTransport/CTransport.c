/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "CTransport.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
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

int ctransport_socket_pair(int pair[2]) { return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair); }

int ctransport_pipe(int ends[2]) {
    if (pipe2(ends, O_CLOEXEC)) return -1;
    return fcntl(ends[0], F_SETFL, O_NONBLOCK);
}

int ctransport_event_descriptor(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void ctransport_signal(int event_descriptor) {
    uint64_t one = 1;
    /* EAGAIN: the count is full, so the other side already has its signal. */
    while (write(event_descriptor, &one, sizeof one) < 0 && errno == EINTR) {
    }
}

uint64_t ctransport_drain(int event_descriptor) {
    uint64_t count = 0;
    ssize_t got;
    do {
        got = read(event_descriptor, &count, sizeof count);
    } while (got < 0 && errno == EINTR);
    return got == sizeof count ? count : 0;
}

static int add_edge(int edges, int event_descriptor, uint32_t bit) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.u32 = bit};
    return epoll_ctl(edges, EPOLL_CTL_ADD, event_descriptor, &event);
}

int ctransport_edges(int foreign, int own) {
    int edges = epoll_create1(EPOLL_CLOEXEC);
    if (edges >= 0 && (add_edge(edges, foreign, 1) || add_edge(edges, own, 2))) {
        int error = errno;
        close(edges);
        errno = error;
        return -1;
    }
    return edges;
}

int ctransport_take_edges(int edges) {
    struct epoll_event events[2];
    int count = epoll_wait(edges, events, 2, 0), taken = 0;
    for (int i = 0; i < count; i++) taken |= (int)events[i].data.u32;
    return taken;
}

int ctransport_wake_pair(int pair[2]) { return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair); }

void ctransport_wake(int socket) {
    /* MSG_DONTWAIT belongs to the call: the other side cannot change it. EAGAIN: it has enough signals. */
    while (send(socket, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 && errno == EINTR) {
    }
}

int ctransport_take_wake(int socket) {
    char signals[256];
    ssize_t got;
    do {
        got = recv(socket, signals, sizeof signals, MSG_DONTWAIT);
    } while (got < 0 && errno == EINTR);
    return got > 0;
}

int ctransport_spawn(const char *path, char *const *arguments, char *const *environment, int control,
                     int error_output, pid_t *pid) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    error = posix_spawnattr_init(&attributes);
    if (error) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    /* `control` may be one of 0 to 2 in a session that was started without them, so move it out of the way first. */
    int moved = fcntl(control, F_DUPFD_CLOEXEC, 4), errors = -1;
    if (error_output >= 0) errors = fcntl(error_output, F_DUPFD_CLOEXEC, 4);
    if (moved < 0 || (error_output >= 0 && errors < 0)) error = errno;
    if (!error) error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (!error) error = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    if (!error)
        error = errors >= 0 ? posix_spawn_file_actions_adddup2(&actions, errors, 2)
                            : posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    if (!error) error = posix_spawn_file_actions_adddup2(&actions, moved, 3);
    if (!error) error = posix_spawn_file_actions_addclosefrom_np(&actions, 4);
    if (!error) error = posix_spawnattr_setpgroup(&attributes, 0);
    if (!error) error = posix_spawnattr_setsigmask(&attributes, &none);
    if (!error) error = posix_spawnattr_setsigdefault(&attributes, &all);
    if (!error)
        error = posix_spawnattr_setflags(&attributes,
                                         POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    if (!error) error = posix_spawn(pid, path, &actions, &attributes, arguments, environment);
    if (moved >= 0) close(moved);
    if (errors >= 0) close(errors);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

void ctransport_give_way(void) {
    /* linux/ioprio.h: the class is in the bits above 13, and 3 is the idle one; 1 is a process, or a thread. */
    enum { IDLE_CLASS = 3 << 13, OF_PROCESS = 1 };
    struct sched_param none = {0};
    setpriority(PRIO_PROCESS, 0, 19);
    sched_setscheduler(0, SCHED_BATCH, &none);
    syscall(SYS_ioprio_set, OF_PROCESS, 0, IDLE_CLASS);
    /* Dispatch gives its threads a niceness by their class, as far as it may: so nobody here may take less, not even root. */
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct rights[_LINUX_CAPABILITY_U32S_3];
    if (syscall(SYS_capget, &header, rights)) return;
    rights[0].effective &= ~(1u << CAP_SYS_NICE);
    rights[0].permitted &= ~(1u << CAP_SYS_NICE);
    syscall(SYS_capset, &header, rights);
}

int ctransport_process_descriptor(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

int ctransport_reap(int process_descriptor, int *status, int *signal) {
    siginfo_t info;
    memset(&info, 0, sizeof info);
    int result;
    do {
        result = waitid(P_PIDFD, (id_t)process_descriptor, &info, WEXITED | WNOHANG);
    } while (result < 0 && errno == EINTR);
    if (result < 0) return -1;
    if (info.si_pid == 0) return 0;
    *status = info.si_code == CLD_EXITED ? info.si_status : 0;
    *signal = info.si_code == CLD_EXITED ? 0 : info.si_status;
    return 1;
}

void *ctransport_mutex_create(void) {
    pthread_mutex_t *mutex = malloc(sizeof *mutex);
    if (mutex) pthread_mutex_init(mutex, NULL);
    return mutex;
}

void ctransport_mutex_lock(void *mutex) { pthread_mutex_lock(mutex); }
void ctransport_mutex_unlock(void *mutex) { pthread_mutex_unlock(mutex); }

void ctransport_mutex_destroy(void *mutex) {
    pthread_mutex_destroy(mutex);
    free(mutex);
}

int ctransport_start_thread(void *(*body)(void *), void *argument) {
    pthread_attr_t attributes;
    pthread_t thread;
    int error = pthread_attr_init(&attributes);
    if (error) return error;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    error = pthread_create(&thread, &attributes, body, argument);
    pthread_attr_destroy(&attributes);
    return error;
}

void ctransport_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

void ctransport_confine_child(void) {
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}
