/* SPDX-License-Identifier: MIT
 * Calls of Linux that Swift's Glibc module does not show. */
#ifndef HEADERD_CLINUX_SHIM_H
#define HEADERD_CLINUX_SHIM_H
#include <sys/syscall.h>
#include <unistd.h>

/* A file in memory without a name in any folder, closed on exec. The descriptor, or -1 with errno. */
static inline int linux_memfd_create(const char *name) {
  const unsigned close_on_exec = 1u; /* MFD_CLOEXEC */
  return (int)syscall(SYS_memfd_create, name, close_on_exec);
}
#endif
