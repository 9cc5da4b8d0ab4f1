/* SPDX-License-Identifier: MIT
 *
 * The plugin of mover.c under the name Crasher, which does harm at offsets from 1000 on: at 1000 it crashes, and so on, as
 * the list below says. Elsewhere it moves the drawer.
 */
#define _GNU_SOURCE
#define NAME "Crasher"
static int act(int kind, int aside);
#define ACTS act
#include "mover.c"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
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

/* The page that it shares with the daemon is gone, and comes back as soon as it can be had. */
static void *shrink(void *given) {
  for (int i = 0; i < 1000; i++) {
    if (given != NULL) poll(NULL, 0, 1);
    if (ftruncate(4, 0) < 0 && ftruncate(4, 1 << 20) < 0) break;
  }
  return NULL;
}

static void shrink_later(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, shrink, &thread) == 0) pthread_detach(thread);
}

/* The copies of plugins that it was handed. */
static void spoil_code(void) {
  for (int file = 5; file < 16; file++) {
    for (int at = 0; at < 1 << 16; at += 64)
      if (pwrite(file, "spoiled", 7, at) < 0) break;
    if (ftruncate(file, 100) < 0) continue;
  }
}

/* Begins with one order after the other, as it seems, and never returns. */
static void pretend_progress(void) {
  volatile uint64_t *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);
  for (;;) page[2]++;
}

static void print_much(void) {
  char block[65536];
  static const char line[] = "time=2026-01-01T00:00:00.000Z level=error event=forged\n\033[2Jcleared\n";
  for (size_t at = 0; at < sizeof block; at++) block[at] = line[at % (sizeof line - 1)];
  for (int i = 0; i < 1000; i++)
    if (write(2, block, sizeof block) < 0) continue;
}

/* - Returns: 1: the move that follows is to be no number; 2: it is to be huge. */
static int act(int kind, int aside) {
  (void)aside;
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
    case 16: shrink(NULL); break;
    case 17: shrink_later(); break;
    case 18: spoil_code(); break;
    case 19: pretend_progress(); break;
    case 20: fcntl(3, F_SETFL, O_NONBLOCK); break; /* the process ends once it waits for an order */
    case 21: print_much(); break;
    case 22: print_much(); abort();
  }
  return 0;
}
