/* SPDX-License-Identifier: MIT
 *
 * Counts every allocation of the process, whoever makes it: the program, the Swift runtime, a plugin. */
#ifndef COUNTED_ALLOCATIONS_H
#define COUNTED_ALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

/* Calls of malloc, calloc, realloc and their aligned kin so far; 0 when they cannot be counted. */
uint64_t counted_allocations(void);

/* Whether they are counted: a sanitizer has an allocator of its own. */
bool counted_allocations_work(void);

/* Under callgrind: from here on instructions are counted. Elsewhere it does nothing. Only on x86-64. */
void callgrind_begin(void);

/* Under callgrind: writes what was counted since `callgrind_begin` to a file of its own, under a name, and counts no more. */
void callgrind_end(const char *name);

/* Does nothing with a value, which the compiler does not see: so it has to be made. */
void counted_take(const void *value);

#endif
