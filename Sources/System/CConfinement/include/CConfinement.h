/* SPDX-License-Identifier: Apache-2.0 */
/* What a process gives up before it opens foreign code: Landlock, capabilities and limits. Debian 12 has no library
 * for Landlock, and its headers are older than the kernels that this meets, so the numbers are here. */
#ifndef CCONFINEMENT_H
#define CCONFINEMENT_H

#include <stddef.h>
#include <stdint.h>

/* Version of Landlock's interface in the running kernel; 0 if it has none, or it is turned off. */
int confinement_landlock_abi(void);

/* 1 if the kernel takes system call filters. */
int confinement_has_filters(void);

/* A rule set that denies all access to files, binding to TCP ports, and reaching processes outside by signals and
 * abstract sockets; without `network` also TCP connections. Of these, what `abi` has. A descriptor, or -1 and errno. */
int confinement_ruleset(int abi, int network);

/* Lets files at or below `path` be read; `writable`: also written, if it is a device. 0, or an errno. */
int confinement_allow(int ruleset, int abi, const char *path, int writable);

/* From here on for this thread and all that it starts. Needs no_new_privs. 0, or an errno. */
int confinement_enforce(int ruleset);

/* No capability is left, also to root. 0, or an errno. */
int confinement_drop_capabilities(void);

/* Bounds what the process may use: `memory` bytes of its own (0: no bound), `descriptors` open at a time, files
 * written up to `file_bytes`; no core, no real time priority, no message queue. 0, or an errno. */
int confinement_limit(uint64_t memory, uint64_t descriptors, uint64_t file_bytes);

/* Threads of this process. */
int confinement_threads(void);

/* Calls `body` with the path of each library that is loaded. */
void confinement_libraries(void (*body)(const char *path, void *data), void *data);

#endif
