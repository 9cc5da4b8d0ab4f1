/* SPDX-License-Identifier: MIT
 * Calls of Linux that Swift's Glibc module does not show. */
#ifndef HEADERD_CLINUX_SHIM_H
#define HEADERD_CLINUX_SHIM_H
#include <fcntl.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A file in memory without a name in any folder, closed on exec. The descriptor, or -1 with errno. */
static inline int linux_memfd_create(const char *name) {
  const unsigned close_on_exec = 1u; /* MFD_CLOEXEC */
  return (int)syscall(SYS_memfd_create, name, close_on_exec);
}

/* A pipe that does not block, closed on exec. 0, or -1 with errno. */
static inline int linux_pipe(int *reader, int *writer) {
  int ends[2];
  if (syscall(SYS_pipe2, ends, O_CLOEXEC | O_NONBLOCK)) return -1;
  *reader = ends[0];
  *writer = ends[1];
  return 0;
}

/* Accepts a connection of a listening socket; it does not block and is closed on exec. The descriptor, or -1 with errno. */
static inline int linux_accept(int listener) {
  return (int)syscall(SYS_accept4, listener, (void *)0, (void *)0, O_CLOEXEC | O_NONBLOCK);
}

/* Puts references to the bytes that wait in one pipe into another one. How many, or -1 with errno; never blocks. */
static inline ssize_t linux_tee(int from, int to, size_t count) {
  const unsigned nonblocking = 2u; /* SPLICE_F_NONBLOCK */
  return (ssize_t)syscall(SYS_tee, from, to, count, nonblocking);
}

/* Moves bytes from a pipe to a descriptor without copying them. How many, or -1 with errno; never blocks. */
static inline ssize_t linux_splice(int from, int to, size_t count) {
  const unsigned nonblocking = 2u; /* SPLICE_F_NONBLOCK */
  return (ssize_t)syscall(SYS_splice, from, (void *)0, to, (void *)0, count, nonblocking);
}

/* Waits until one of the descriptors is ready, a signal comes, or the time is over. How many are ready, or -1 with errno.
 * `descriptors` is an array of struct pollfd; its header is not included, because Swift would then look for struct timespec
 * in this module. */
static inline int linux_poll(void *descriptors, size_t count, int64_t nanoseconds) {
  int64_t time[2] = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  return (int)syscall(SYS_ppoll, descriptors, count, time, (void *)0, (size_t)0);
}
#endif
