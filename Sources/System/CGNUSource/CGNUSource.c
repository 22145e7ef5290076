/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "CGNUSource.h"

#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <wchar.h>

const short gnu_spawn_new_session = POSIX_SPAWN_SETSID;

int gnu_wake_descriptor(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int gnu_peer_credentials(int socket, pid_t *process, uid_t *user) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return -1;
    *process = peer.pid;
    *user = peer.uid;
    return 0;
}

int gnu_accept(int socket) { return accept4(socket, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

int gnu_ppoll(void *descriptors, size_t count, int timeout_ms, const void *mask) {
    struct timespec timeout = {timeout_ms / 1000, (timeout_ms % 1000) * 1000000L};
    return ppoll(descriptors, count, timeout_ms < 0 ? NULL : &timeout, mask);
}

int gnu_column_width(uint32_t scalar) { return wcwidth((wchar_t)scalar); }

void gnu_use_unicode_characters(void) {
    setlocale(LC_CTYPE, "");
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0) setlocale(LC_CTYPE, "C.UTF-8");
}

void gnu_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

int gnu_spawn_close_from(void *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

int gnu_spawn_change_folder(void *actions, const char *path) {
    return posix_spawn_file_actions_addchdir_np(actions, path);
}

int gnu_exchange(const char *one, const char *other) {
    return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
}

int gnu_process_descriptor(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

size_t gnu_allocated_bytes(void) {
    struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
}
