/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that glibc declares only under _GNU_SOURCE or that Swift's Glibc module leaves out. Types of system headers
 * are void pointers here: whichever module includes such a header first would own them for Swift. */
#ifndef CGNUSOURCE_H
#define CGNUSOURCE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* eventfd(2), close-on-exec and non-blocking; -1 and errno. */
int gnu_wake_descriptor(void);

/* SO_PEERCRED of a connected Unix socket: 0, or -1 and errno. */
int gnu_peer_credentials(int socket, pid_t *process, uid_t *user);

/* accept4(2), close-on-exec and non-blocking. */
int gnu_accept(int socket);

/* poll(2) of struct pollfd for loops: 0 also after a signal, and where it fails (no memory, more descriptors than the limit), then
 * after 20 ms at most, so that a loop that polls again does not spin. */
int gnu_poll(void *descriptors, size_t count, int timeout_ms);

/* ppoll(2) of struct pollfd with a time-out in milliseconds, negative for none, and a sigset_t. */
int gnu_ppoll(void *descriptors, size_t count, int timeout_ms, const void *mask);

/* wcwidth(3): columns of a character in the locale's LC_CTYPE, -1 if it has none. */
int gnu_column_width(uint32_t scalar);

/* setlocale(LC_CTYPE): the caller's, or C.UTF-8 where that is not UTF-8. */
void gnu_use_unicode_characters(void);

/* pthread_setname_np(3) of the calling thread; at most 15 characters. */
void gnu_name_thread(const char *name);

/* posix_spawn_file_actions_addclosefrom_np(3) and …addchdir_np(3). */
int gnu_spawn_close_from(void *actions, int first);
int gnu_spawn_change_folder(void *actions, const char *path);

/* renameat2(2): two names change places at once; -1 and errno. */
int gnu_exchange(const char *one, const char *other);

/* pidfd_open(2), close-on-exec: readable once the process has ended. */
int gnu_process_descriptor(pid_t process);

struct stat;
/* open(2) of a regular file for reading, with `flags` beside O_RDONLY, O_CLOEXEC and O_NOCTTY, and its status. -1 and errno; -2 if it
 * is something else, which is then looked at and not opened: opening a device can be a command to it, and a pipe's writer sees it. */
int gnu_open_file(const char *path, int flags, struct stat *status);

/* mallinfo2(3): bytes that malloc(3) has given out and that were not freed. */
size_t gnu_allocated_bytes(void);

/* open(2) for writes that go past the page cache and are on the disk when they are done (O_DIRECT, O_DSYNC); -1 and errno. */
int gnu_open_direct(const char *path);

/* io_setup(2) and its kin, of which glibc has none: a queue for one write at a time; -1 and errno. */
int gnu_write_queue(uint64_t *queue);
void gnu_write_queue_end(uint64_t queue);
int gnu_write_begin(uint64_t queue, int file, const void *bytes, size_t count, off_t offset);
/* Waits for the write: bytes that were written, or -1 and errno. */
ssize_t gnu_write_end(uint64_t queue);

/* POSIX_SPAWN_SETSID. */
extern const short gnu_spawn_new_session;

#endif
