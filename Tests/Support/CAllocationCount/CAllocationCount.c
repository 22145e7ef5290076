/* SPDX-License-Identifier: Apache-2.0 */
#include "CAllocationCount.h"

#include <errno.h>
#include <stddef.h>

static _Thread_local int counting, count;

void allocation_count_begin(void) { count = 0; counting = 1; }
int allocation_count_end(void) { counting = 0; return count; }


#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)

/* A sanitizer provides its own malloc with hooks. */
extern int __sanitizer_install_malloc_and_free_hooks(
    void (*malloc_hook)(const volatile void *, size_t), void (*free_hook)(const volatile void *));

static void allocated(const volatile void *p, size_t size) { (void)p, (void)size; count += counting; }
static void freed(const volatile void *p) { (void)p; count += counting; }

__attribute__((constructor)) static void install(void) {
    __sanitizer_install_malloc_and_free_hooks(allocated, freed);
}

#else

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

void *malloc(size_t size) { count += counting; return __libc_malloc(size); }
void *calloc(size_t n, size_t size) { count += counting; return __libc_calloc(n, size); }
void *realloc(void *p, size_t size) { count += counting; return __libc_realloc(p, size); }
void free(void *p) { count += counting; __libc_free(p); }
void *memalign(size_t align, size_t size) { count += counting; return __libc_memalign(align, size); }
void *aligned_alloc(size_t align, size_t size) { count += counting; return __libc_memalign(align, size); }
int posix_memalign(void **p, size_t align, size_t size) {
    count += counting;
    *p = __libc_memalign(align, size);
    return *p ? 0 : ENOMEM;
}

#endif
