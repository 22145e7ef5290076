/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the allocations of one thread; it replaces the test program's malloc. */
#ifndef CALLOCATIONCOUNT_H
#define CALLOCATIONCOUNT_H

/* Begins to count this thread's calls of malloc, calloc, realloc and free. */
void allocation_count_begin(void);
/* Ends the count and returns the number of calls since begin. */
int allocation_count_end(void);

#endif
