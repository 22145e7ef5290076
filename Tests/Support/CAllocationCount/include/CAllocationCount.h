/* SPDX-License-Identifier: Apache-2.0 */
/* Counts what one thread allocates: the test program's malloc is this one. */
#ifndef CALLOCATIONCOUNT_H
#define CALLOCATIONCOUNT_H

/* From here on calls of malloc, calloc, realloc and free by this thread are counted. */
void allocation_count_begin(void);
/* Returns the calls since begin. */
int allocation_count_end(void);

#endif
