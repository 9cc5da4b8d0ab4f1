/* SPDX-License-Identifier: MIT
 *
 * For LD_PRELOAD: landlock as a kernel with the version $LANDLOCK_VERSION of it has it, 0 for none. It refuses what it does not
 * know, as such a kernel does.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What each version knows: accesses to files, to the network, and scopes. */
static const struct { uint64_t files, network, scopes; } known[] = {
  {0, 0, 0}, {0x1fff, 0, 0}, {0x3fff, 0, 0}, {0x7fff, 0, 0}, {0x7fff, 3, 0}, {0xffff, 3, 0}, {0xffff, 3, 3}, {0xffff, 3, 3},
};

long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long given[6];
  for (int i = 0; i < 6; i++) given[i] = va_arg(list, long);
  va_end(list);
  const char *text = getenv("LANDLOCK_VERSION");
  const int version = text == NULL ? 7 : atoi(text);
  const int is_landlock =
    number == SYS_landlock_create_ruleset || number == SYS_landlock_add_rule || number == SYS_landlock_restrict_self;
  if (is_landlock && version == 0) {
    errno = ENOSYS;
    return -1;
  }
  if (number == SYS_landlock_create_ruleset) {
    if (given[2] == 1) return version; /* LANDLOCK_CREATE_RULESET_VERSION */
    const uint64_t *asked = (const uint64_t *)given[0];
    if (asked[0] & ~known[version].files || asked[1] & ~known[version].network || asked[2] & ~known[version].scopes) {
      errno = EINVAL;
      return -1;
    }
  }
  long (*next)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  return next(number, given[0], given[1], given[2], given[3], given[4], given[5]);
}
