/* SPDX-License-Identifier: Apache-2.0 */
/* Linux calls that Swift cannot make because they are variadic, macros, or missing in its Glibc module. */
#ifndef CTRANSPORT_H
#define CTRANSPORT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* memfd_create(2), close-on-exec, with sealing allowed. */
int ctransport_memory_descriptor(const char *name);

/* fcntl(2) F_ADD_SEALS; `seals` consists of the constants below. */
int ctransport_add_seals(int descriptor, int seals);
int ctransport_seals(int descriptor);
extern const int ctransport_seal_shrink, ctransport_seal_grow, ctransport_seal_seal, ctransport_seal_future_write;

/* sendmsg(2) of one message with up to 8 file descriptors. Returns the number of bytes sent, or -1 and errno. */
ssize_t ctransport_send(int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count, int flags);

/* recvmsg(2), with close-on-exec file descriptors. `*descriptor_count` is the capacity on entry and the number
 * received on return. If there are more, all are closed, and EMSGSIZE is reported, as for a truncated message. */
ssize_t ctransport_receive(int socket, void *bytes, size_t room, int *descriptors, size_t *descriptor_count, int flags);

/* socketpair(2): a pair of connected, close-on-exec sockets that keep messages apart (SOCK_SEQPACKET). */
int ctransport_socket_pair(int pair[2]);

/* pipe2(2), close-on-exec; the reading end, ends[0], does not block. */
int ctransport_pipe(int ends[2]);

/* eventfd(2), close-on-exec and non-blocking. */
int ctransport_event_descriptor(void);
/* Adds one to the count; never blocks. It allocates nothing and takes no lock, so the output's thread may call it. */
void ctransport_signal(int event_descriptor);
/* Takes and returns the count; 0 if there was none. */
uint64_t ctransport_drain(int event_descriptor);

/* epoll(7): a file descriptor that is readable from a signal of either eventfd to the next `ctransport_take_edges`,
 * whatever their counts are. It also works for a `foreign` eventfd that another process holds, which can make every
 * read(2) and write(2) of it block. */
int ctransport_edges(int foreign, int own);
/* Takes the signals: returns 1 for the foreign one, 2 for the own one, 3 for both, or 0. Never blocks. */
int ctransport_take_edges(int edges);

/* socketpair(2): two ends of a stream, each with its own flags, for signals to a foreign process. */
int ctransport_wake_pair(int pair[2]);
/* Sends one signal if there is space for one more; never blocks, whatever the other end does. */
void ctransport_wake(int socket);
/* Takes the signals; returns 0 if there were none. Never blocks. */
int ctransport_take_wake(int socket);

/* posix_spawn(3) of a child in a process group of its own, with default signals and no file descriptors except
 * `/dev/null` as 0 and 1, `error_output` (or /dev/null if it is -1) as 2, and `control` as 3.
 * Returns 0 and *pid, or an errno. */
int ctransport_spawn(const char *path, char *const *arguments, char *const *environment, int control,
                     int error_output, pid_t *pid);

/* Makes the calling process, and the threads that it starts from now on, give way to all others: niceness 19, the
 * batch policy of the scheduler, and the idle class of the disk. What the system refuses is left out. */
void ctransport_give_way(void);

/* pidfd_open(2), close-on-exec. */
int ctransport_process_descriptor(pid_t pid);
/* waitid(2) of a child that has ended, without waiting. Returns 1 and how it ended (a status, or a signal),
 * 0 if it is alive, or -1 and errno. */
int ctransport_reap(int process_descriptor, int *status, int *signal);

/* pthread_mutex_t on the heap; NULL if there is no memory. Thread sanitizers know it, unlike Swift's own. */
void *ctransport_mutex_create(void);
void ctransport_mutex_lock(void *mutex);
void ctransport_mutex_unlock(void *mutex);
void ctransport_mutex_destroy(void *mutex);

/* pthread_create(3) of a detached thread. Returns 0, or an errno. */
int ctransport_start_thread(void *(*body)(void *), void *argument);
/* pthread_setname_np(3) of the calling thread: at most 15 bytes. */
void ctransport_name_thread(const char *name);

/* prctl(2): makes this process get SIGKILL when the thread that started it ends, gain no privileges, and
 * leave no core file. */
void ctransport_confine_child(void);

#endif
