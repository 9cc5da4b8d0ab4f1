/* SPDX-License-Identifier: MIT
 *
 * The program's own malloc family stands before the C library's for everything in the process; it counts and passes on to
 * the names that glibc keeps for such as do this. */
#include "CountedAllocations.h"

#include <errno.h>
#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#ifdef SANITIZED

uint64_t counted_allocations(void) { return 0; }
bool counted_allocations_work(void) { return false; }

#else

static uint64_t count;

uint64_t counted_allocations(void) { return __atomic_load_n(&count, __ATOMIC_RELAXED); }
bool counted_allocations_work(void) { return true; }

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static void counts(void) { __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED); }

void *malloc(size_t size) {
  counts();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  counts();
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  counts();
  return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  counts();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  counts();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  counts();
  void *place = __libc_memalign(alignment, size);
  if (!place) return ENOMEM;
  *memory = place;
  return 0;
}

#endif

void counted_take(const void *value) { (void)value; }
