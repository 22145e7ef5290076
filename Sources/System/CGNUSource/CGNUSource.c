/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "CGNUSource.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <linux/aio_abi.h>
#include <locale.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
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

int gnu_poll(void *descriptors, size_t count, int timeout_ms) {
    enum { PAUSE_MS = 20 };
    int ready = poll(descriptors, (nfds_t)count, timeout_ms);
    if (ready >= 0) return ready;
    if (errno != EINTR) {
        long pause = timeout_ms < 0 || timeout_ms > PAUSE_MS ? PAUSE_MS : timeout_ms;
        nanosleep(&(struct timespec){0, pause * 1000000L}, NULL);
    }
    return 0;
}

static long long monotonic_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

int gnu_poll_on(void *descriptors, size_t count, int timeout_ms) {
    const long long end = monotonic_ms() + timeout_ms;
    for (int left = timeout_ms;;) {
        int ready = poll(descriptors, (nfds_t)count, left);
        if (ready >= 0 || errno != EINTR) return ready;
        if (timeout_ms < 0) continue;
        long long rest = end - monotonic_ms();
        left = rest > 0 ? (int)rest : 0;
    }
}

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

int gnu_spawn_limited(char *const arguments[], int output, uint64_t bytes, unsigned seconds, pid_t *process) {
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0) return errno;
    const pid_t parent = getpid();
    const struct rlimit limits[] = {{bytes, bytes}, {seconds, seconds}, {0, 0}};
    sigset_t none;
    sigemptyset(&none);
    const pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(127);
        setrlimit(RLIMIT_AS, &limits[0]);
        setrlimit(RLIMIT_CPU, &limits[1]);
        setrlimit(RLIMIT_FSIZE, &limits[2]);
        setrlimit(RLIMIT_CORE, &limits[2]);
        signal(SIGPIPE, SIG_DFL);
        sigprocmask(SIG_SETMASK, &none, NULL);
        if (dup2(null, 0) < 0 || dup2(output, 1) < 0 || dup2(null, 2) < 0) _exit(127);
        execvp(arguments[0], arguments);
        _exit(127);
    }
    const int cause = errno;
    close(null);
    if (child < 0) return cause;
    *process = child;
    return 0;
}

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

int gnu_signal_process(int process_descriptor, int signal) {
    return (int)syscall(SYS_pidfd_send_signal, process_descriptor, signal, NULL, 0);
}

int gnu_lock(int file) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(file, F_SETLK, &whole);
}

pid_t gnu_lock_holder(int file) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(file, F_GETLK, &whole)) return -1;
    return whole.l_type == F_UNLCK ? 0 : whole.l_pid;
}

int gnu_open_nameless(const char *folder, mode_t mode) {
    /* The only way to name the file again leads through /proc. */
    if (access("/proc/self/fd", X_OK) != 0) return -1;
    return open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
}

int gnu_link_nameless(int file, const char *path) {
    char name[32];
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    return linkat(AT_FDCWD, name, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

int gnu_open_file(const char *path, int flags, struct stat *status) {
    int place = open(path, O_PATH | O_CLOEXEC), file = -1, error = 0;
    if (place < 0) return -1;
    if (fstat(place, status)) {
        error = errno;
    } else if (!S_ISREG(status->st_mode)) {
        file = -2;
    } else {
        char name[32];
        snprintf(name, sizeof name, "/proc/self/fd/%d", place);
        flags |= O_RDONLY | O_CLOEXEC | O_NOCTTY;
        file = open(name, flags);
        error = errno;
        if (file < 0 && error == ENOENT) {
            /* Without /proc: the path must still lead to the file that was checked. */
            struct stat now;
            file = open(path, flags | O_NONBLOCK);
            error = errno;
            if (file >= 0 && (fstat(file, &now) || now.st_dev != status->st_dev || now.st_ino != status->st_ino)) {
                close(file);
                file = -1;
                error = ESTALE;
            }
        }
    }
    close(place);
    errno = error;
    return file;
}

size_t gnu_allocated_bytes(void) {
    struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
}

int gnu_open_direct(const char *path) {
    return open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_DIRECT | O_DSYNC);
}

int gnu_write_queue(uint64_t *queue) {
    aio_context_t context = 0;
    if (syscall(SYS_io_setup, 1, &context) != 0) return -1;
    *queue = context;
    return 0;
}

void gnu_write_queue_end(uint64_t queue) { syscall(SYS_io_destroy, (aio_context_t)queue); }

int gnu_write_begin(uint64_t queue, int file, const void *bytes, size_t count, off_t offset) {
    struct iocb request = {.aio_lio_opcode = IOCB_CMD_PWRITE};
    struct iocb *requests = &request;
    request.aio_fildes = (uint32_t)file;
    request.aio_buf = (uint64_t)(uintptr_t)bytes;
    request.aio_nbytes = count;
    request.aio_offset = offset;
    return syscall(SYS_io_submit, (aio_context_t)queue, 1L, &requests) == 1 ? 0 : -1;
}

ssize_t gnu_write_end(uint64_t queue) {
    struct io_event event;
    long count;
    do {
        count = syscall(SYS_io_getevents, (aio_context_t)queue, 1L, 1L, &event, NULL);
    } while (count < 0 && errno == EINTR);
    if (count != 1) return -1;
    if (event.res >= 0) return (ssize_t)event.res;
    errno = (int)-event.res;
    return -1;
}

ssize_t gnu_find(const void *bytes, size_t count, const void *wanted, size_t length) {
    const char *found = memmem(bytes, count, wanted, length);
    return found ? found - (const char *)bytes : -1;
}
