/* SPDX-License-Identifier: Apache-2.0 */
/* The restrictions of a process before it opens foreign code: Landlock, capabilities and limits. Debian 12 has no
 * library for Landlock, and its headers are older than the kernels that this runs on, so the numbers are here. */
#ifndef CCONFINEMENT_H
#define CCONFINEMENT_H

#include <stddef.h>
#include <stdint.h>

/* Returns the version of Landlock's interface in the running kernel; 0 if it has none, or it is turned off. */
int confinement_landlock_abi(void);

/* Returns 1 if the kernel supports system call filters. */
int confinement_has_filters(void);

/* Creates a rule set that denies all access to files, binding to TCP ports, and reaching outside processes by signals
 * and abstract sockets; without `network` it also denies TCP connections. It contains those rules that `abi` supports.
 * Returns a file descriptor, or -1 and errno. */
int confinement_ruleset(int abi, int network);

/* Allows reading of files at or below `path`; with `writable` also writing, if it is a device. Returns 0, or an
 * errno. */
int confinement_allow(int ruleset, int abi, const char *path, int writable);

/* Applies the rules to this thread and everything it starts from now on. Needs no_new_privs. Returns 0, or an errno. */
int confinement_enforce(int ruleset);

/* Drops all capabilities, also for root. Returns 0, or an errno. */
int confinement_drop_capabilities(void);

/* Limits the process to `memory` bytes of its own (0 for no limit), `descriptors` open file descriptors, and written
 * files of up to `file_bytes`; it gets no core file, no real-time priority and no message queue. Returns 0, or an
 * errno. */
int confinement_limit(uint64_t memory, uint64_t descriptors, uint64_t file_bytes);

/* Returns the number of threads of this process. */
int confinement_threads(void);

/* Calls `body` with the path of each loaded library. */
void confinement_libraries(void (*body)(const char *path, void *data), void *data);

#endif
