/* SPDX-License-Identifier: Apache-2.0 */
/* Loaded before the C library (LD_PRELOAD), this answers for a kernel that is older than the one that runs: LANDLOCK is the
 * version of Landlock's interface, 0 for none, and without FILTERS there is no seccomp. What an older kernel does not know it
 * refuses, as that would. The rest is asked of the real one. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446, VERSION = 1 };

static int refuse(int error) {
    errno = error;
    return -1;
}

static uint64_t known_files(void) {
    uint64_t known = (1 << 13) - 1;
    if (LANDLOCK >= 2) known |= 1 << 13;
    if (LANDLOCK >= 3) known |= 1 << 14;
    if (LANDLOCK >= 5) known |= 1 << 15;
    return known;
}

/* Files, network and scopes, as far as there are that many. */
static int rules(const uint64_t *asked, size_t size) {
    const uint64_t known[] = {known_files(), LANDLOCK >= 4 ? 3 : 0, LANDLOCK >= 6 ? 3 : 0};
    const size_t members = LANDLOCK >= 6 ? 3 : LANDLOCK >= 4 ? 2 : 1;
    if (size < sizeof *asked) return EINVAL;
    for (size_t i = 0; i < size / sizeof *asked; i++) {
        if (i >= members && asked[i]) return E2BIG;
        if (i < members && asked[i] & ~known[i]) return EINVAL;
    }
    return 0;
}

static int rule(const void *asked) {
    uint64_t allowed;
    memcpy(&allowed, asked, sizeof allowed);
    return allowed & ~known_files() ? EINVAL : 0;
}

static void *real(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) abort();
    return found;
}

__attribute__((visibility("default"))) long syscall(long number, ...) {
    long a[6];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; i++) a[i] = va_arg(list, long);
    va_end(list);
    if (number >= CREATE_RULESET && number <= RESTRICT_SELF) {
        if (LANDLOCK == 0) return refuse(ENOSYS);
        if (number == CREATE_RULESET && a[2] == VERSION) return LANDLOCK;
        int error = number == CREATE_RULESET ? rules((const uint64_t *)a[0], (size_t)a[1])
                    : number == ADD_RULE     ? rule((const void *)a[2])
                                             : 0;
        if (error) return refuse(error);
    }
    if (!FILTERS && number == SYS_seccomp) return refuse(ENOSYS);
    long (*call)(long, ...) = (long (*)(long, ...))real("syscall");
    return call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

__attribute__((visibility("default"))) int prctl(int option, ...) {
    unsigned long a[4];
    va_list list;
    va_start(list, option);
    for (int i = 0; i < 4; i++) a[i] = va_arg(list, unsigned long);
    va_end(list);
    if (!FILTERS && option == PR_SET_SECCOMP) return refuse(EINVAL);
    int (*call)(int, ...) = (int (*)(int, ...))real("prctl");
    return call(option, a[0], a[1], a[2], a[3]);
}
