/* SPDX-License-Identifier: Apache-2.0 */
/* What an engine can say past its host: messages that it writes itself, straight to descriptor 3, which is the session's
 * socket in a process of its own. */
#ifndef FLOODING_H
#define FLOODING_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_MESSAGES = 200000, PATIENCE_MS = 1500, GAVE_UP = 9 };

static size_t put_bytes(unsigned char *message, size_t at, const void *bytes, size_t count) {
    memcpy(message + at, bytes, count);
    return at + count;
}
static size_t put_32(unsigned char *message, size_t at, uint32_t value) { return put_bytes(message, at, &value, 4); }
static size_t put_64(unsigned char *message, size_t at, int64_t value) { return put_bytes(message, at, &value, 8); }

static size_t log_message(unsigned char *m) {
    size_t n = 1;
    m[0] = 12;
    n = put_32(m, n, 2);
    n = put_32(m, n, 5);
    return put_bytes(m, n, "again", 5);
}

/* A list of tracks with none in it. */
static size_t empty_message(unsigned char *m) {
    m[0] = 4;
    return put_32(m, put_32(m, 1, 1), 0);
}

static size_t marks_message(unsigned char *m, uint32_t count) {
    size_t n = 1;
    m[0] = 11;
    n = put_32(m, n, 1);
    n = put_32(m, n, count);
    for (uint32_t i = 0; i < count; i++) {
        n = put_32(m, n, 2);
        n = put_64(m, n, i);
        n = put_64(m, n, 1);
    }
    return n;
}

/* Of the first track of the first load, each time another length. */
static size_t track_message(unsigned char *m, int64_t length) {
    const double units = 48000;
    size_t n = 1;
    m[0] = 4;
    n = put_32(m, n, 1);
    n = put_32(m, n, 1);
    n = put_32(m, n, 0);
    n = put_32(m, n, 48000);
    n = put_32(m, n, 1);
    n = put_32(m, n, 4);
    m[n++] = 1;
    n = put_64(m, n, length);
    n = put_32(m, n, 4);
    n = put_bytes(m, n, &units, 8);
    n = put_32(m, n, 1);
    n = put_bytes(m, n, "x", 1);
    m[n++] = 0;
    return n;
}

static size_t source_message(unsigned char *m, uint32_t request, uint32_t track) {
    size_t n = 1;
    m[0] = 3;
    n = put_32(m, n, request);
    n = put_32(m, n, 1);
    return put_32(m, n, track);
}

/* How much was taken before nothing more was for a while. */
static int flood(const char *what) {
    static unsigned char message[49152];
    int sent = 0, waited = 0, errors = !strcmp(what, "errors");
    if (errors) fcntl(2, F_SETFL, O_NONBLOCK);
    while (sent < MOST_MESSAGES && waited < PATIENCE_MS) {
        size_t size = !strcmp(what, "log")     ? log_message(message)
                      : !strcmp(what, "marks") ? marks_message(message, 1000)
                      : !strcmp(what, "nothing") ? empty_message(message)
                                               : track_message(message, 1000 + sent);
        ssize_t taken = errors ? write(2, "again\n", 6) : send(3, message, size, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (taken > 0) {
            sent++;
            waited = 0;
        } else {
            usleep(1000);
            waited++;
        }
    }
    return sent;
}

static void stay(int number) {
    (void)number;
    for (;;) pause();
}

/* Asks again and again, while no thread of this process reads what comes. */
static void ask_and_read_nothing(uint32_t track) {
    static unsigned char message[64];
    const long own = syscall(SYS_gettid);
    signal(SIGUSR1, stay);
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *task; tasks && (task = readdir(tasks));) {
        long other = atol(task->d_name);
        if (other > 0 && other != own) syscall(SYS_tgkill, getpid(), other, SIGUSR1);
    }
    for (uint32_t request = 1000; request < 3000; request++) {
        size_t size = source_message(message, request, track);
        if (send(3, message, size, MSG_NOSIGNAL) < 0) break;
        /* So that no more than one is asked for at a time. */
        usleep(3000);
    }
    _exit(GAVE_UP);
}

/* Describes the same track for some seconds, as if that were progress. */
static void repeat_track(void) {
    static unsigned char message[256];
    for (int i = 0; i < 1000; i++) {
        if (send(3, message, track_message(message, 1000 + i), MSG_NOSIGNAL) < 0) break;
        usleep(5000);
    }
    _exit(GAVE_UP);
}

#endif
