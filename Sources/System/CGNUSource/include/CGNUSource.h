/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that glibc declares only under _GNU_SOURCE or that Swift's Glibc module leaves out. Types of system headers
 * are void pointers here: whichever module includes such a header first would own them for Swift. */
#ifndef CGNUSOURCE_H
#define CGNUSOURCE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* eventfd(2), close-on-exec and non-blocking; returns -1 and sets errno on failure. */
int gnu_wake_descriptor(void);

/* Reads SO_PEERCRED of a connected Unix socket. Returns 0, or -1 and errno. */
int gnu_peer_credentials(int socket, pid_t *process, uid_t *user);

/* accept4(2), close-on-exec and non-blocking. */
int gnu_accept(int socket);

/* poll(2) of struct pollfd for loops. It also returns 0 after a signal. If it fails (no memory, more file descriptors
 * than the limit), it returns 0 after 20 ms at most, so that a loop that polls again does not spin. */
int gnu_poll(void *descriptors, size_t count, int timeout_ms);

/* poll(2) of struct pollfd that a signal does not cut short: it returns 0 only when the time is up, and -1 with errno on
 * a failure. */
int gnu_poll_on(void *descriptors, size_t count, int timeout_ms);

/* ppoll(2) of struct pollfd with a timeout in milliseconds, negative for none, and a sigset_t. */
int gnu_ppoll(void *descriptors, size_t count, int timeout_ms, const void *mask);

/* wcwidth(3): returns the columns of a character in the locale's LC_CTYPE, -1 if it has none. */
int gnu_column_width(uint32_t scalar);

/* setlocale(LC_CTYPE): sets the environment's locale, or C.UTF-8 if that is not UTF-8. */
void gnu_use_unicode_characters(void);

/* pthread_setname_np(3) of the calling thread; at most 15 characters. */
void gnu_name_thread(const char *name);

/* posix_spawn_file_actions_addclosefrom_np(3) and …addchdir_np(3). */
/* Starts a program by its name on PATH, with `output` as its standard output and /dev/null for the rest, at most `bytes` of
 * memory and `seconds` of processor time, no files to write, and its end when the caller's thread ends. 0 and *process, or an errno. */
int gnu_spawn_limited(char *const arguments[], int output, uint64_t bytes, unsigned seconds, pid_t *process);

int gnu_spawn_close_from(void *actions, int first);
int gnu_spawn_change_folder(void *actions, const char *path);

/* renameat2(2): exchanges two names atomically. Returns 0, or -1 and errno. */
int gnu_exchange(const char *one, const char *other);

/* pidfd_open(2), close-on-exec: a file descriptor that is readable once the process has ended. */
int gnu_process_descriptor(pid_t process);
/* pidfd_send_signal(2): returns 0, or -1 and errno; ESRCH once the process has ended, whoever has its number by now. */
int gnu_signal_process(int process_descriptor, int signal);

/* fcntl(2) F_SETLK: locks the whole of a file that is open for writing for this process, which loses it with the first
 * descriptor of the file that it closes. Returns 0, or -1 and errno: EAGAIN or EACCES if another process has it. */
int gnu_lock(int file);
/* fcntl(2) F_GETLK: returns the other process that has such a lock, 0 if none has, or -1 and errno. */
pid_t gnu_lock_holder(int file);

/* memmem(3): returns the index of the first match, or -1. */
ssize_t gnu_find(const void *bytes, size_t count, const void *wanted, size_t length);

/* open(2) of a new file in a folder for reading and writing that has no name, so that it is gone with its last descriptor
 * (O_TMPFILE), close-on-exec. Returns -1 and errno where the file system or the kernel has none. */
int gnu_open_nameless(const char *folder, mode_t mode);
/* linkat(2): gives a file of gnu_open_nameless a name that is free. Returns 0, or -1 and errno. */
int gnu_link_nameless(int file, const char *path);

struct stat;
/* open(2) of a regular file for reading, with `flags` in addition to O_RDONLY, O_CLOEXEC and O_NOCTTY; also returns its
 * status. Returns -1 and errno on failure, and -2 if it is not a regular file, which is then inspected and not opened:
 * opening a device can be a command to it, and a pipe's writer notices it. */
int gnu_open_file(const char *path, int flags, struct stat *status);

/* mallinfo2(3): returns the number of bytes that malloc(3) has allocated and that were not freed. */
size_t gnu_allocated_bytes(void);

/* open(2) for writes that bypass the page cache and are on the disk when they complete (O_DIRECT, O_DSYNC). Returns -1
 * and errno on failure. */
int gnu_open_direct(const char *path);

/* io_setup(2) and related calls, which glibc lacks: a queue for one write at a time. They return -1 and errno on
 * failure. */
int gnu_write_queue(uint64_t *queue);
void gnu_write_queue_end(uint64_t queue);
int gnu_write_begin(uint64_t queue, int file, const void *bytes, size_t count, off_t offset);
/* Waits for the write and returns the number of bytes written, or -1 and errno. */
ssize_t gnu_write_end(uint64_t queue);

/* The flag POSIX_SPAWN_SETSID. */
extern const short gnu_spawn_new_session;

#endif
