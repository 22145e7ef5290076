/* SPDX-License-Identifier: Apache-2.0 */
#include "CAllocationCount.h"

#include <errno.h>
#include <stddef.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static _Thread_local int counting, count;

void allocation_count_begin(void) { count = 0; counting = 1; }
int allocation_count_end(void) { counting = 0; return count; }

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
