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

/* socketpair(2): a pair of connected, close-on-exec sockets that keep messages apart (SOCK_SEQPACKET). */
int ctransport_socket_pair(int pair[2]);

/* pipe2(2), close-on-exec; the reading end, ends[0], does not wait. */
int ctransport_pipe(int ends[2]);

/* eventfd(2), close-on-exec and non-blocking. */
int ctransport_event_descriptor(void);
/* Adds one to the count; never waits. Makes no allocation and takes no lock: for the output's thread. */
void ctransport_signal(int event_descriptor);
/* Takes the count; 0 if there was none. */
uint64_t ctransport_drain(int event_descriptor);

/* epoll(7): a descriptor that is readable from a signal of either eventfd to the next `ctransport_take_edges`, whatever their
 * counts are. For a `foreign` count that another process holds, too: it can make every read(2) and write(2) of it wait. */
int ctransport_edges(int foreign, int own);
/* Takes what was signalled: 1 for the foreign one, 2 for the own one, 3 for both, or 0. Never waits. */
int ctransport_take_edges(int edges);

/* socketpair(2): two ends of a stream, each with flags of its own, for signals to a foreign process. */
int ctransport_wake_pair(int pair[2]);
/* Sends one signal, if there is room for one more; never waits, whatever the other end does. */
void ctransport_wake(int socket);
/* Takes what was signalled; 0 if nothing was. Never waits. */
int ctransport_take_wake(int socket);

/* posix_spawn(3) of a child in a process group of its own, with default signals, no descriptor but
 * `/dev/null` as 0 and 1, `error_output` (or /dev/null if it is -1) as 2, and `control` as 3.
 * 0 and *pid, or an errno. */
int ctransport_spawn(const char *path, char *const *arguments, char *const *environment, int control,
                     int error_output, pid_t *pid);

/* pidfd_open(2), close-on-exec. */
int ctransport_process_descriptor(pid_t pid);
/* waitid(2) of a child that has ended, without waiting. 1 and how it ended (a status, or a signal),
 * 0 if it lives, -1 and errno. */
int ctransport_reap(int process_descriptor, int *status, int *signal);

/* pthread_mutex_t on the heap; NULL if there is no memory. Thread sanitizers know it, other than Swift's own. */
void *ctransport_mutex_create(void);
void ctransport_mutex_lock(void *mutex);
void ctransport_mutex_unlock(void *mutex);
void ctransport_mutex_destroy(void *mutex);

/* pthread_create(3) of a detached thread. 0, or an errno. */
int ctransport_start_thread(void *(*body)(void *), void *argument);
/* pthread_setname_np(3) of the calling thread: at most 15 bytes. */
void ctransport_name_thread(const char *name);

/* prctl(2): this process gets SIGKILL when the thread that started it ends; it cannot gain privileges;
 * it leaves no core file. */
void ctransport_confine_child(void);

#endif
