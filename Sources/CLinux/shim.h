/* SPDX-License-Identifier: MIT
 * Calls of Linux that Swift's Glibc module does not show. No header that has struct timespec is included (fcntl.h, malloc.h): Swift
 * might then look for it in this module. */
#ifndef HEADERD_CLINUX_SHIM_H
#define HEADERD_CLINUX_SHIM_H
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { linux_close_on_exec = 02000000, linux_nonblocking = 04000 }; /* O_CLOEXEC, O_NONBLOCK */

/* A file in memory without a name in any folder, closed on exec, that can be sealed. The descriptor, or -1 with errno. */
static inline int linux_memfd_create(const char *name) {
  const unsigned flags = 1u | 2u; /* MFD_CLOEXEC, MFD_ALLOW_SEALING */
  return (int)syscall(SYS_memfd_create, name, flags);
}

/* Fixes the size of a file in memory for good, for all processes that have it; with `content` set, its bytes as well. 0, or -1 with
 * errno. */
static inline int linux_seal(int file, int content) {
  const int add_seals = 1033;     /* F_ADD_SEALS */
  const int size = 1 | 2 | 4;     /* F_SEAL_SEAL, F_SEAL_SHRINK, F_SEAL_GROW */
  return (int)syscall(SYS_fcntl, file, add_seals, size | (content ? 8 : 0) /* F_SEAL_WRITE */);
}

/* A pipe that does not block, closed on exec. 0, or -1 with errno. */
static inline int linux_pipe(int *reader, int *writer) {
  int ends[2];
  if (syscall(SYS_pipe2, ends, linux_close_on_exec | linux_nonblocking)) return -1;
  *reader = ends[0];
  *writer = ends[1];
  return 0;
}

#ifdef __GLIBC__
int malloc_trim(size_t pad);
#endif
/* Gives free memory of the allocator back to the system (glibc alone). Whether any was. */
static inline int linux_malloc_trim(void) {
#ifdef __GLIBC__
  return malloc_trim(0);
#else
  return 0;
#endif
}

/* Accepts a connection of a listening socket; it does not block and is closed on exec. The descriptor, or -1 with errno. */
static inline int linux_accept(int listener) {
  return (int)syscall(SYS_accept4, listener, (void *)0, (void *)0, linux_close_on_exec | linux_nonblocking);
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

/* A set of sockets that says which peers have closed both halves (EPOLLHUP) and nothing else: an epoll(7) in which nothing is asked
 * for. Written out, because with its header Swift would look for sigset_t in this module. All return -1 with errno. */
#ifdef __x86_64__
#define LINUX_EPOLL_PACKED __attribute__((packed))
#else
#define LINUX_EPOLL_PACKED
#endif
struct linux_epoll_event {
  uint32_t events;
  uint64_t data;
} LINUX_EPOLL_PACKED;
enum { linux_hangups_most = 64 };

/* A set, closed on exec: its descriptor, which is readable when `linux_hangups` has something to say. */
static inline int linux_hangup_set(void) { return (int)syscall(SYS_epoll_create1, linux_close_on_exec); }

static inline int linux_hangup_add(int set, int socket) {
  struct linux_epoll_event event = {0, (uint64_t)socket};
  return (int)syscall(SYS_epoll_ctl, set, 1 /* EPOLL_CTL_ADD */, socket, &event);
}

static inline int linux_hangup_remove(int set, int socket) {
  struct linux_epoll_event event = {0, 0};
  return (int)syscall(SYS_epoll_ctl, set, 2 /* EPOLL_CTL_DEL */, socket, &event);
}

/* Writes down to `linux_hangups_most` sockets. How many; never blocks. */
static inline int linux_hangups(int set, int *sockets) {
  struct linux_epoll_event events[linux_hangups_most];
  int count = (int)syscall(SYS_epoll_pwait, set, events, linux_hangups_most, 0, (void *)0, (size_t)8);
  for (int index = 0; index < count; index++) sockets[index] = (int)events[index].data;
  return count;
}

/* Constants that the C library has for _GNU_SOURCE alone. */
static const int linux_open_path = 010000000;      /* O_PATH: a place in the tree of files, not the file */
static const uint64_t linux_open_unnamed = 020000000; /* __O_TMPFILE: a file without a name */
static const uint64_t linux_open_asynchronous = 020000; /* O_ASYNC: a signal tells that there is something to read */
static const uint64_t linux_clone_thread = 0x10000; /* CLONE_THREAD */

/* Neither this process nor what it executes gets rights that it has not now. 0, or -1 with errno. */
static inline int linux_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

/* This process ends when the thread that started it does. 0, or -1 with errno. */
static inline int linux_end_with_parent(int signal) { return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0); }

/* The program that is started has no descriptors from this one on. `actions` is a posix_spawn_file_actions_t, whose header is
 * not included, because Swift would then look for sigset_t in this module. */
int linux_spawn_closes_from(void *actions, int first) __asm__("posix_spawn_file_actions_addclosefrom_np");

/* This process has a user namespace of its own, in which what it has of its user is counted apart. 0, or -1 with errno. */
static inline int linux_own_user_namespace(void) {
  const unsigned long new_user = 0x10000000; /* CLONE_NEWUSER */
  return (int)syscall(SYS_unshare, new_user);
}

/* This process has no capabilities from now on (capabilities(7)). 0, or -1 with errno. */
static inline int linux_drop_capabilities(void) {
  struct { uint32_t version; int process; } header = {0x20080522, 0}; /* _LINUX_CAPABILITY_VERSION_3 */
  const uint32_t none[6] = {0};
  return (int)syscall(SYS_capset, &header, none);
}

/* Landlock (landlock(7)), which has no functions in the C library. Its structs are written out, since Debian's header may be
 * older than the kernel. All return -1 with errno. */

/* The version of the kernel's landlock. */
static inline int linux_landlock_version(void) {
  const unsigned version = 1u; /* LANDLOCK_CREATE_RULESET_VERSION */
  return (int)syscall(SYS_landlock_create_ruleset, (void *)0, (size_t)0, version);
}

/* A ruleset that refuses these accesses unless a rule allows them. Its descriptor. */
static inline int linux_landlock_ruleset(uint64_t files, uint64_t network, uint64_t scopes) {
  const struct { uint64_t files, network, scopes; } attributes = {files, network, scopes};
  return (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0u);
}

/* Allows accesses to a file, or to everything beneath a folder. */
static inline int linux_landlock_allow(int ruleset, int place, uint64_t accesses) {
  const struct __attribute__((packed)) { uint64_t accesses; int32_t place; } rule = {accesses, place};
  const int beneath = 1; /* LANDLOCK_RULE_PATH_BENEATH */
  return (int)syscall(SYS_landlock_add_rule, ruleset, beneath, &rule, 0u);
}

/* Puts a ruleset in force for this thread and those that it starts. */
static inline int linux_landlock_restrict(int ruleset) {
  return (int)syscall(SYS_landlock_restrict_self, ruleset, 0u);
}
#endif
