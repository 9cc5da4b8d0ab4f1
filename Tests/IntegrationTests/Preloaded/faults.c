/* SPDX-License-Identifier: MIT
 *
 * For LD_PRELOAD: makes one call of the C library fail, once. Which one is written into the file $FAULTS_CONTROL, which is mapped
 * here and may be changed at any time; it also counts the calls of each kind.
 *
 * Reading and writing fail for sockets, files and stderr only: what libuv wakes itself by never fails in the real world, and libuv
 * ends the process if it does. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include "../../Support/next.h"

enum kind { OPEN, READ, WRITE, SYNC, RENAME, LOAD, ACCEPT, FORK, THREAD, ALLOCATE, REMOVE, MAKE_FOLDER, PAIR, MAP, KINDS };

typedef struct {
  _Atomic int32_t kind;      /* of the call that fails, or -1 */
  _Atomic int32_t countdown; /* 1: the next one */
  _Atomic int32_t error;
  _Atomic int32_t fired;
  _Atomic uint32_t calls[KINDS];
} control;

static control *shared;

__attribute__((constructor)) static void map_control(void) {
  int (*next_open)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
  const char *path = getenv("FAULTS_CONTROL");
  const int file = path == NULL ? -1 : next_open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory != MAP_FAILED) shared = memory;
}

static int fails(enum kind kind) {
  if (shared == NULL) return 0;
  atomic_fetch_add(&shared->calls[kind], 1);
  if (atomic_load(&shared->kind) != (int32_t)kind || atomic_fetch_sub(&shared->countdown, 1) != 1) return 0;
  atomic_store(&shared->kind, -1);
  atomic_store(&shared->fired, 1);
  errno = atomic_load(&shared->error);
  return 1;
}

static int is_concerned(int descriptor) {
  struct stat status;
  const int before = errno;
  const int found = descriptor == 2 || (fstat(descriptor, &status) == 0 && (S_ISSOCK(status.st_mode) || S_ISREG(status.st_mode)));
  errno = before;
  return found;
}

#define OPENS(name)                                                            \
  int name(const char *path, int flags, ...) {                                 \
    va_list more;                                                              \
    va_start(more, flags);                                                     \
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
    va_end(more);                                                              \
    return fails(OPEN) ? -1 : NEXT(int (*)(const char *, int, ...), #name)(path, flags, mode); \
  }
OPENS(open)
OPENS(open64)

#define OPENS_AT(name)                                                         \
  int name(int folder, const char *path, int flags, ...) {                     \
    va_list more;                                                              \
    va_start(more, flags);                                                     \
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
    va_end(more);                                                              \
    return fails(OPEN) ? -1 : NEXT(int (*)(int, const char *, int, ...), #name)(folder, path, flags, mode); \
  }
OPENS_AT(openat)
OPENS_AT(openat64)

int memfd_create(const char *name, unsigned flags) {
  return fails(OPEN) ? -1 : NEXT(int (*)(const char *, unsigned), "memfd_create")(name, flags);
}

ssize_t read(int descriptor, void *bytes, size_t size) {
  if (is_concerned(descriptor) && fails(READ)) return -1;
  return NEXT(ssize_t (*)(int, void *, size_t), "read")(descriptor, bytes, size);
}

ssize_t write(int descriptor, const void *bytes, size_t size) {
  if (is_concerned(descriptor) && fails(WRITE)) return -1;
  return NEXT(ssize_t (*)(int, const void *, size_t), "write")(descriptor, bytes, size);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t place) {
  if (is_concerned(descriptor) && fails(WRITE)) return -1;
  return NEXT(ssize_t (*)(int, const void *, size_t, off_t), "pwrite")(descriptor, bytes, size, place);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off_t place) {
  if (is_concerned(descriptor) && fails(WRITE)) return -1;
  return NEXT(ssize_t (*)(int, const void *, size_t, off_t), "pwrite64")(descriptor, bytes, size, place);
}

ssize_t writev(int descriptor, const struct iovec *pieces, int count) {
  if (is_concerned(descriptor) && fails(WRITE)) return -1;
  return NEXT(ssize_t (*)(int, const struct iovec *, int), "writev")(descriptor, pieces, count);
}

ssize_t send(int descriptor, const void *bytes, size_t size, int flags) {
  return fails(WRITE) ? -1 : NEXT(ssize_t (*)(int, const void *, size_t, int), "send")(descriptor, bytes, size, flags);
}

int fsync(int descriptor) { return fails(SYNC) ? -1 : NEXT(int (*)(int), "fsync")(descriptor); }
int fdatasync(int descriptor) { return fails(SYNC) ? -1 : NEXT(int (*)(int), "fdatasync")(descriptor); }

int rename(const char *from, const char *to) {
  return fails(RENAME) ? -1 : NEXT(int (*)(const char *, const char *), "rename")(from, to);
}
int renameat(int from_folder, const char *from, int to_folder, const char *to) {
  return fails(RENAME) ? -1
                       : NEXT(int (*)(int, const char *, int, const char *), "renameat")(from_folder, from, to_folder, to);
}

void *dlopen(const char *path, int flags) {
  void *(*next)(const char *, int) = NEXT(void *(*)(const char *, int), "dlopen");
  /* One that is not there, so that dlerror has something to say. */
  return path != NULL && fails(LOAD) ? next("/there is no such library", RTLD_NOW) : next(path, flags);
}

int accept4(int listener, struct sockaddr *address, socklen_t *size, int flags) {
  return fails(ACCEPT) ? -1 : NEXT(int (*)(int, struct sockaddr *, socklen_t *, int), "accept4")(listener, address, size, flags);
}

/* What the daemon calls without the C library's own functions. */
long syscall(long number, ...) {
  long arguments[6];
  va_list more;
  va_start(more, number);
  for (int index = 0; index < 6; index++) arguments[index] = va_arg(more, long);
  va_end(more);
  if (number == SYS_accept4 && fails(ACCEPT)) return -1;
  if (number == SYS_memfd_create && fails(OPEN)) return -1;
  return NEXT(long (*)(long, ...), "syscall")(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4],
                                              arguments[5]);
}

pid_t fork(void) { return fails(FORK) ? -1 : NEXT(pid_t (*)(void), "fork")(); }

int posix_spawn(pid_t *child, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
                char *const arguments[], char *const environment[]) {
  if (fails(FORK)) return errno;
  return NEXT(int (*)(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const[],
                      char *const[]),
              "posix_spawn")(child, path, actions, attributes, arguments, environment);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
  if (fails(THREAD)) return errno;
  return NEXT(int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *), "pthread_create")(
    thread, attributes, body, argument);
}

int ftruncate(int descriptor, off_t size) {
  return fails(ALLOCATE) ? -1 : NEXT(int (*)(int, off_t), "ftruncate")(descriptor, size);
}
int fallocate(int descriptor, int mode, off_t offset, off_t size) {
  return fails(ALLOCATE) ? -1 : NEXT(int (*)(int, int, off_t, off_t), "fallocate")(descriptor, mode, offset, size);
}
int posix_fallocate(int descriptor, off_t offset, off_t size) {
  if (fails(ALLOCATE)) return errno;
  return NEXT(int (*)(int, off_t, off_t), "posix_fallocate")(descriptor, offset, size);
}

int unlink(const char *path) { return fails(REMOVE) ? -1 : NEXT(int (*)(const char *), "unlink")(path); }
int mkdir(const char *path, mode_t mode) { return fails(MAKE_FOLDER) ? -1 : NEXT(int (*)(const char *, mode_t), "mkdir")(path, mode); }

int socketpair(int domain, int type, int protocol, int ends[2]) {
  return fails(PAIR) ? -1 : NEXT(int (*)(int, int, int, int[2]), "socketpair")(domain, type, protocol, ends);
}

/* Of shared memory alone: the C library's own memory is not mapped by this function. */
void *mmap(void *address, size_t size, int protection, int flags, int descriptor, off_t place) {
  if ((flags & MAP_SHARED) && fails(MAP)) return MAP_FAILED;
  return NEXT(void *(*)(void *, size_t, int, int, int, off_t), "mmap")(address, size, protection, flags, descriptor, place);
}
