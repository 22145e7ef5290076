/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "CMutexAnnotations.h"

#if __has_feature(thread_sanitizer)

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * An uncontended lock is compiled into its caller, where the sanitizer sees it. A contended one waits in the kernel, called
 * from the Swift runtime, which is not instrumented: what the lock protects then looks like a race. These two functions stand
 * in front of the runtime's (stdlib/public/Synchronization/Mutex/LinuxImpl.swift).
 */
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

typedef SWIFT void LockSlow(uint32_t, SELF void *);
typedef SWIFT void UnlockSlow(SELF void *);

extern void __tsan_acquire(void *), __tsan_release(void *);
SWIFT void lock_slow(uint32_t, SELF void *) __asm__(LOCK_SLOW);
SWIFT void unlock_slow(SELF void *) __asm__(UNLOCK_SLOW);

static void *next(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) {
        fprintf(stderr, "CMutexAnnotations: the Swift runtime has no %s\n", name);
        abort();
    }
    return function;
}

SWIFT void lock_slow(uint32_t thread, SELF void *handle) {
    ((LockSlow *)next(LOCK_SLOW))(thread, handle);
    __tsan_acquire(handle);
}

SWIFT void unlock_slow(SELF void *handle) {
    __tsan_release(handle);
    ((UnlockSlow *)next(UNLOCK_SLOW))(handle);
}

#endif
