/* SPDX-License-Identifier: MIT
 *
 * For LD_PRELOAD: writes what goes over each Unix stream connection that this process makes into files in the folder
 * $TEST_MESSAGES, so that the clients of all suites, in whatever language, can be held against the schema (validate.py).
 *
 *     PID-SHARE.messages: (connection as uint32, '>' sent | '<' received, length as uint32, bytes)*
 *
 * Connections share a few files: some suites make a hundred thousand of them.
 *
 * A file is opened for each piece and closed again: a process has no descriptor more than without this. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include "../Support/next.h"

#define DESCRIPTORS 65536
/* Crowds and floods repeat themselves: of a connection so much is enough. */
#define MOST_BYTES (1 << 20)
/* Files of a process. */
#define SHARES 16

typedef struct {
  _Atomic uint32_t number; /* 0: not recorded */
  _Atomic uint32_t bytes;
  _Atomic uint64_t inode;
} connection;

static connection connections[DESCRIPTORS];
static _Atomic uint32_t last_number;

static uint64_t inode(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 ? status.st_ino : 0;
}

/* libuv closes and accepts by system calls of its own: a number may have become that of another connection. */
static connection *of(int descriptor) {
  if (descriptor < 0 || descriptor >= DESCRIPTORS || atomic_load(&connections[descriptor].number) == 0) return NULL;
  const int before = errno;
  const int is_same = inode(descriptor) == atomic_load(&connections[descriptor].inode);
  errno = before;
  if (!is_same) atomic_store(&connections[descriptor].number, 0);
  return is_same ? &connections[descriptor] : NULL;
}

/* Clients begin with a brace, white space or the preamble of frames; who is sent away gets a line first. */
static int is_protocol(char direction, const struct iovec *parts, int count) {
  while (count > 0 && parts->iov_len == 0) parts++, count--;
  const unsigned char first = count > 0 ? *(const unsigned char *)parts->iov_base : 0;
  return first == '{' || first == 0x89 || (direction == '>' && (first == ' ' || first == '\n' || first == '\r' || first == '\t'));
}

static void record(int descriptor, char direction, const struct iovec *parts, int count, ssize_t bytes) {
  connection *present = of(descriptor);
  if (present == NULL || bytes <= 0) return;
  if (atomic_load(&present->bytes) == 0 && !is_protocol(direction, parts, count)) {
    atomic_store(&present->number, 0);
    return;
  }
  if (atomic_fetch_add(&present->bytes, (uint32_t)bytes) > MOST_BYTES) return;
  const int before = errno;
  const uint32_t number = present->number;
  char path[4096];
  snprintf(path, sizeof path, "%s/%d-%u.messages", getenv("TEST_MESSAGES"), (int)getpid(), number % SHARES);
  const int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file >= 0) {
    /* One call a piece, so that pieces of two threads do not mix. */
    struct iovec all[66];
    uint32_t size = 0;
    int used = 1;
    for (size_t left = (size_t)bytes; left > 0 && count > 0 && used < 66; parts++, count--) {
      const size_t piece = parts->iov_len < left ? parts->iov_len : left;
      all[used++] = (struct iovec){parts->iov_base, piece};
      left -= piece;
      size += (uint32_t)piece;
    }
    char head[9];
    memcpy(head, &number, 4);
    head[4] = direction;
    memcpy(head + 5, &size, 4);
    all[0] = (struct iovec){head, sizeof head};
    (void)!syscall(SYS_writev, file, all, used);
    syscall(SYS_close, file);
  }
  errno = before;
}

static ssize_t record_one(int descriptor, char direction, const void *bytes, ssize_t count) {
  const struct iovec part = {(void *)bytes, count < 0 ? 0 : (size_t)count};
  record(descriptor, direction, &part, 1, count);
  return count;
}

int connect(int descriptor, const struct sockaddr *address, socklen_t size) {
  const int result = NEXT(int (*)(int, const struct sockaddr *, socklen_t), "connect")(descriptor, address, size);
  int type = 0;
  socklen_t length = sizeof type;
  const int before = errno;
  if ((result == 0 || errno == EINPROGRESS) && address->sa_family == AF_UNIX && descriptor >= 0 && descriptor < DESCRIPTORS &&
      getenv("TEST_MESSAGES") != NULL && getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &length) == 0 &&
      type == SOCK_STREAM) {
    atomic_store(&connections[descriptor].bytes, 0);
    atomic_store(&connections[descriptor].inode, inode(descriptor));
    atomic_store(&connections[descriptor].number, atomic_fetch_add(&last_number, 1) + 1);
  }
  errno = before;
  return result;
}

int close(int descriptor) {
  connection *present = of(descriptor);
  if (present != NULL) atomic_store(&present->number, 0);
  return NEXT(int (*)(int), "close")(descriptor);
}

#define DUPLICATES(name)                                                                     \
  int name(int descriptor, int command, ...) {                                               \
    va_list more;                                                                            \
    va_start(more, command);                                                                 \
    void *argument = va_arg(more, void *);                                                   \
    va_end(more);                                                                            \
    const int result = NEXT(int (*)(int, int, ...), #name)(descriptor, command, argument);   \
    connection *present = of(descriptor);                                                    \
    if (present != NULL && (command == F_DUPFD || command == F_DUPFD_CLOEXEC) && result >= 0 && result < DESCRIPTORS) { \
      atomic_store(&connections[result].bytes, present->bytes);                              \
      atomic_store(&connections[result].inode, present->inode);                              \
      atomic_store(&connections[result].number, present->number);                            \
    }                                                                                        \
    return result;                                                                           \
  }
DUPLICATES(fcntl)
DUPLICATES(fcntl64)

ssize_t read(int descriptor, void *bytes, size_t count) {
  return record_one(descriptor, '<', bytes, NEXT(ssize_t(*)(int, void *, size_t), "read")(descriptor, bytes, count));
}

ssize_t recv(int descriptor, void *bytes, size_t count, int flags) {
  const ssize_t result = NEXT(ssize_t(*)(int, void *, size_t, int), "recv")(descriptor, bytes, count, flags);
  return flags & MSG_PEEK ? result : record_one(descriptor, '<', bytes, result);
}

ssize_t recvfrom(int descriptor, void *bytes, size_t count, int flags, struct sockaddr *address, socklen_t *size) {
  const ssize_t result = NEXT(ssize_t(*)(int, void *, size_t, int, struct sockaddr *, socklen_t *), "recvfrom")(
      descriptor, bytes, count, flags, address, size);
  return flags & MSG_PEEK ? result : record_one(descriptor, '<', bytes, result);
}

ssize_t recvmsg(int descriptor, struct msghdr *message, int flags) {
  const ssize_t result = NEXT(ssize_t(*)(int, struct msghdr *, int), "recvmsg")(descriptor, message, flags);
  if (!(flags & MSG_PEEK)) record(descriptor, '<', message->msg_iov, (int)message->msg_iovlen, result);
  return result;
}

ssize_t readv(int descriptor, const struct iovec *parts, int count) {
  const ssize_t result = NEXT(ssize_t(*)(int, const struct iovec *, int), "readv")(descriptor, parts, count);
  record(descriptor, '<', parts, count, result);
  return result;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  return record_one(descriptor, '>', bytes, NEXT(ssize_t(*)(int, const void *, size_t), "write")(descriptor, bytes, count));
}

ssize_t send(int descriptor, const void *bytes, size_t count, int flags) {
  return record_one(descriptor, '>', bytes, NEXT(ssize_t(*)(int, const void *, size_t, int), "send")(descriptor, bytes, count, flags));
}

ssize_t sendto(int descriptor, const void *bytes, size_t count, int flags, const struct sockaddr *address, socklen_t size) {
  return record_one(
      descriptor, '>', bytes,
      NEXT(ssize_t(*)(int, const void *, size_t, int, const struct sockaddr *, socklen_t), "sendto")(
          descriptor, bytes, count, flags, address, size));
}

ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags) {
  const ssize_t result = NEXT(ssize_t(*)(int, const struct msghdr *, int), "sendmsg")(descriptor, message, flags);
  record(descriptor, '>', message->msg_iov, (int)message->msg_iovlen, result);
  return result;
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
  const ssize_t result = NEXT(ssize_t(*)(int, const struct iovec *, int), "writev")(descriptor, parts, count);
  record(descriptor, '>', parts, count, result);
  return result;
}
