/* SPDX-License-Identifier: MIT
 *
 * The plugin of mover.c under the name Crasher, which does harm at offsets from 1000 on: at 1000 it crashes, and so on, as
 * the list below says. Elsewhere it moves the drawer.
 */
#define _GNU_SOURCE
#define NAME "Crasher"
static int act(int kind);
#define ACTS act
#include "mover.c"

#include <signal.h>
#include <sys/socket.h>

static int deeper(volatile char *above) {
  volatile char here[4096];
  here[0] = above[0];
  return deeper(here) + here[0];
}

static void leak(void) {
  for (char *block; (block = malloc(1 << 20)) != NULL;) memset(block, 1, 1 << 20);
  abort();
}

/* The heap around it, in no order. */
static void write_anywhere(void) {
  char *here = malloc(64);
  for (int at = -4096; at < 65536; at += 40) here[at] = (char)at;
  for (int i = 0; i < 1000; i++) free(malloc((size_t)(16 + i * 8)));
}

static void fork_without_end(void) {
  for (int i = 0; i < 1000; i++)
    if (fork() == 0) fork();
}

/* - Returns: 1: the move that follows is to be no number; 2: it is to be huge. */
static int act(int kind) {
  static int acts;
  const int acted = acts++;
  switch (kind) {
    case 0: *(volatile int *)8 = 1; break;
    case 1: abort();
    case 2: exit(0);
    case 3: for (volatile int forever = 1; forever;) continue;
    case 4: deeper(&(volatile char){1}); break;
    case 5: write_anywhere(); break;
    case 6: return 1;
    case 7: leak(); break;
    case 8: poll(NULL, 0, 10); break;
    case 9: fork_without_end(); break;
    case 10: raise(SIGKILL); break;
    case 11: _exit(3);
    case 12: close(3); poll(NULL, 0, -1); break; /* its way to the daemon */
    case 13: break;
    case 14: if (!acted) abort(); break; /* only a process that begins with it */
    case 15: return 2;
  }
  return 0;
}
