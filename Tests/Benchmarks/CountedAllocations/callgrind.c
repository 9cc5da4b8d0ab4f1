/* SPDX-License-Identifier: MIT
 *
 * Client requests to callgrind: five instructions that do nothing on a processor and that valgrind's translator knows
 * (valgrind(1), "The Client Request mechanism"). Written out here because the build must not need valgrind's headers. */
#include "CountedAllocations.h"

enum {
  callgrind_tool = 'C' << 24 | 'T' << 16,
  dump_statistics_at = callgrind_tool + 3,
  start_instrumentation = callgrind_tool + 4,
  stop_instrumentation = callgrind_tool + 5,
};

static void request(uint64_t number, const void *argument) {
#if defined(__x86_64__)
  volatile uint64_t arguments[6] = {number, (uint64_t)argument, 0, 0, 0, 0};
  uint64_t result = 0;
  __asm__ volatile(
      "rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi; xchgq %%rbx, %%rbx"
      : "=d"(result)
      : "a"(&arguments[0]), "0"(result)
      : "cc", "memory");
#else
  (void)number;
  (void)argument;
#endif
}

void callgrind_begin(void) { request(start_instrumentation, 0); }

void callgrind_end(const char *name) {
  request(dump_statistics_at, name);
  request(stop_instrumentation, 0);
}
