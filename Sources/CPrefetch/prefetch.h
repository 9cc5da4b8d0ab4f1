/* SPDX-License-Identifier: MIT
 * Memory asked for ahead of its use, which Swift has no word for. */
#ifndef HEADERD_CPREFETCH_H
#define HEADERD_CPREFETCH_H
#include <malloc.h>
#include <stddef.h>

enum { prefetch_line_size = 64 };

/* Has so many cache lines fetched while other things are done, from the one on that a place is in. A hint: it changes
 * nothing and never faults, whatever the place. */
static inline void prefetch_lines(const void *place, size_t count) {
  const char *line = (const char *)place;
  for (size_t index = 0; index < count; index++) __builtin_prefetch(line + index * prefetch_line_size);
}

/* Bytes of a piece of memory that was allocated by itself. */
static inline size_t prefetch_allocated(const void *start) { return malloc_usable_size((void *)start); }
#endif
