/* SPDX-License-Identifier: MIT
 *
 * For LD_PRELOAD: a first `unlink` of a socket says so on stderr and waits until the file $UNLINK_WAITS_FOR is there, so that a
 * test has all the time it wants between a daemon's look at a stale socket and its removal.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int unlink(const char *path) {
  static int has_waited;
  int (*next)(const char *) = (int (*)(const char *))dlsym(RTLD_NEXT, "unlink");
  const char *gate = getenv("UNLINK_WAITS_FOR");
  const size_t length = strlen(path);
  if (gate != NULL && !has_waited && length > 5 && strcmp(path + length - 5, ".sock") == 0) {
    has_waited = write(2, "unlink waits\n", 13) == 13;
    while (access(gate, F_OK) != 0) sched_yield();
  }
  return next(path);
}
