/* SPDX-License-Identifier: MIT
 *
 * For libraries that stand before the C library (LD_PRELOAD): the function of that name behind this one. */
#include <dlfcn.h>
#include <stdatomic.h>

/* Looked up once: libuv's signal handler reads and writes, and dlsym waits for a lock that the thread it interrupted may hold. Both
 * are known by then, since watching a signal reads and writes, too. */
#define NEXT(type, name)                                   \
  ({                                                       \
    static _Atomic(type) next;                             \
    if (next == NULL) next = (type)dlsym(RTLD_NEXT, name); \
    next;                                                  \
  })
