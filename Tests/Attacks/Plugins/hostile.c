/* SPDX-License-Identifier: MIT
 *
 * The plugin of Tests/IntegrationTests/Plugins/mover.c under the name Hostile, which does harm at the offset 1000: a script of some steps
 * that it makes from a seed, the offset to the side. It is written to be run where its rights are gone (headerd(8), ISOLATION). Should
 * they not be, it must not hurt the machine: what would is either not called or given CANARY, a file of the test.
 */
#define _GNU_SOURCE
#define NAME "Hostile"
static int act(int kind, int seed);
#define ACTS act
#include "mover.c"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#ifndef CANARY
#define CANARY "/nonexistent"
#endif

typedef struct chance { uint64_t state; } chance;

static uint64_t next(chance *chance) {
  uint64_t z = chance->state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

static unsigned below(chance *chance, unsigned most) { return (unsigned)(next(chance) % most); }

static unsigned char scratch[65536];

static void fill(chance *chance, size_t size) {
  for (size_t at = 0; at < size; at += 8) {
    const uint64_t bits = next(chance);
    memcpy(scratch + at, &bits, 8);
  }
}

/* An argument: a small number, a descriptor, a flag, memory, a path, or anything. */
static long argument(chance *chance) {
  switch (below(chance, 8)) {
    case 0: return 0;
    case 1: return below(chance, 12);
    case 2: return 1L << below(chance, 33);
    case 3: return (long)(scratch + below(chance, 60000));
    case 4: return (long)CANARY;
    case 5: return -1;
    case 6: return below(chance, 4096);
    default: return (long)next(chance);
  }
}

/* Those that would stop the machine, other processes, or change what it is, should anything of it be allowed. */
static int is_spared(long number) {
  static const long spared[] = {
    SYS_kill, SYS_tkill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_reboot, SYS_kexec_load, SYS_init_module,
    SYS_finit_module, SYS_delete_module, SYS_swapoff, SYS_swapon, SYS_umount2, SYS_mount, SYS_settimeofday, SYS_clock_settime,
    SYS_adjtimex, SYS_clock_adjtime, SYS_sethostname, SYS_setdomainname, SYS_pivot_root, SYS_acct, SYS_syslog, SYS_vhangup,
    SYS_quotactl, 424 /* pidfd_send_signal */, 320 /* kexec_file_load */,
  };
  for (size_t i = 0; i < sizeof spared / sizeof *spared; i++)
    if (spared[i] == number) return 1;
  return 0;
}

static void call_anything(chance *chance) {
  for (unsigned left = 1 + below(chance, 200); left > 0; left--) {
    const long number = below(chance, 470);
    if (is_spared(number)) continue;
    /* Ends the process or the thread now and then, or hangs; that is what others have to live through. */
    syscall(number, argument(chance), argument(chance), argument(chance), argument(chance), argument(chance), argument(chance));
  }
}

static void write_to_everything(chance *chance) {
  fill(chance, sizeof scratch);
  for (int file = 0; file < 12; file++) {
    const size_t size = 1 + below(chance, sizeof scratch);
    if (write(file, scratch, size) < 0) continue;
  }
}

/* Messages that look like some: a length, a kind, a header, and anything. */
static void say_anything(chance *chance) {
  for (unsigned left = 1 + below(chance, 50); left > 0; left--) {
    const uint32_t length = 5 + below(chance, 200), header = below(chance, 6);
    fill(chance, 256);
    memcpy(scratch, &length, 4);
    scratch[4] = (unsigned char)below(chance, 8);
    memcpy(scratch + 5, &header, 4);
    if (write(3, scratch, 4 + length - below(chance, 8) / 7) < 0) return;
  }
}

static void signal_everybody(chance *chance) {
  const int signals[] = {SIGKILL, SIGTERM, SIGSTOP, SIGUSR1, SIGHUP, SIGSEGV};
  const int signal = signals[below(chance, 6)];
  kill(getppid(), signal);
  syscall(SYS_tgkill, getppid(), getppid(), signal);
  syscall(SYS_tkill, getppid(), signal);
  siginfo_t info = {.si_code = SI_QUEUE};
  syscall(SYS_rt_sigqueueinfo, getppid(), signal, &info);
  syscall(424, (int)syscall(434, getppid(), 0), signal, NULL, 0); /* pidfd_send_signal, pidfd_open */
  kill(-1, 0);
  if (below(chance, 4) == 0) raise(signal);
}

static void multiply(chance *chance) {
  for (unsigned left = 1 + below(chance, 50); left > 0; left--) {
    const pid_t child = below(chance, 2) ? fork() : (pid_t)syscall(SYS_clone, SIGCHLD | (below(chance, 2) ? CLONE_PARENT : 0), 0, 0, 0, 0);
    if (child == 0) for (;;) pause();
    char *const arguments[] = {"/bin/sleep", "60", NULL}, *const environment[] = {NULL};
    if (vfork() == 0) {
      execve(arguments[0], arguments, environment);
      _exit(1);
    }
  }
}

/* Descriptors: fewer, others, shorter, with signals to the parent. */
static void turn_descriptors(chance *chance) {
  const int parent = getppid();
  for (unsigned left = 1 + below(chance, 30); left > 0; left--) {
    const int file = (int)below(chance, 12);
    switch (below(chance, 10)) {
      case 0: close(file); break;
      case 1: dup2(file, (int)below(chance, 12)); break;
      case 2: if (ftruncate(file, below(chance, 3) * 2048) < 0) break; break;
      case 3: fcntl(file, F_SETOWN, parent); fcntl(file, F_SETSIG, SIGKILL); fcntl(file, F_SETFL, O_ASYNC | O_NONBLOCK); break;
      case 4: ioctl(file, FIOASYNC, &(int){1}); ioctl(file, 0x8902 /* SIOCSPGRP */, &parent); break;
      case 5: fcntl(file, (int)below(chance, 1050), argument(chance)); break;
      case 6: ioctl(file, below(chance, 65536), argument(chance)); break;
      case 7: shutdown(file, SHUT_RDWR); break;
      case 8: if (pwrite(file, scratch, 4096, below(chance, 8192)) < 0) break; break;
      case 9: if (mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) == MAP_FAILED) break; break;
    }
  }
}

static void spoil_page(chance *chance) {
  volatile uint64_t *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);
  if ((void *)page == MAP_FAILED) return;
  for (unsigned left = 1 + below(chance, 2000); left > 0; left--)
    page[below(chance, 512)] = below(chance, 2) ? below(chance, 12) : next(chance);
}

static void *haunt(void *given) {
  chance chance = {(uint64_t)(uintptr_t)given};
  const unsigned kind = below(&chance, 8);
  for (unsigned left = below(&chance, 50); left > 0; left--) {
    const struct timespec pause = {0, (long)below(&chance, 2000000)};
    nanosleep(&pause, NULL);
    unsigned char byte = (unsigned char)next(&chance);
    switch (kind) {
      case 0: if (write(3, &byte, 1) < 0) return NULL; break;
      case 1: spoil_page(&chance); break;
      case 2: for (volatile unsigned spin = 0; spin < 10000000; spin++) continue; break;
      case 3: if (left == 1) abort(); break;
      case 4: if (ftruncate(4, 0) < 0) return NULL; break;
      case 5: if (read(3, &byte, 1) < 0) return NULL; break;
      case 6: free(malloc(1 << 20)); break;
      case 7: if (left == 1) kill(getpid(), SIGKILL); break;
    }
  }
  return NULL;
}

static void make_threads(chance *chance) {
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 65536);
  for (unsigned left = 1 + below(chance, 6) * below(chance, 30); left > 0; left--) {
    pthread_t thread;
    if (pthread_create(&thread, &small, haunt, (void *)(uintptr_t)next(chance))) return;
    pthread_detach(thread);
  }
}

static void spoil_heap(chance *chance) {
  char *here = malloc(64);
  for (unsigned left = 1 + below(chance, 500); left > 0; left--) here[(long)below(chance, 70000) - 4096] = (char)next(chance);
  for (int i = 0; i < 200; i++) free(malloc((size_t)(16 + i * 8)));
}

static void harm_files(chance *chance) {
  const char *places[] = {CANARY, "/proc/self/mem", "/proc/self/oom_score_adj", "/dev/shm/headerd-hostile", "/tmp/headerd-hostile"};
  const char *place = places[below(chance, 5)];
  const int flags[] = {O_WRONLY, O_RDWR, O_RDONLY | O_TRUNC, O_WRONLY | O_CREAT | O_APPEND, O_RDWR | O_CREAT | O_EXCL};
  const int file = open(place, flags[below(chance, 5)] | O_CLOEXEC, 0600);
  if (file >= 0 && write(file, "spoiled", 7) < 0) close(file);
  if (truncate(CANARY, 0) < 0) errno = 0;
  unlink(CANARY);
  rename(CANARY, "/tmp/headerd-hostile");
  chmod(CANARY, 0777);
}

static void take_everything(chance *chance) {
  switch (below(chance, 4)) {
    case 0: for (void *block; (block = malloc(1 << 20)) != NULL;) memset(block, 1, 1 << 20); break;
    case 1: while (dup(0) >= 0) continue; break;
    case 2:
      for (int i = 0; i < 1000; i++) {
        const int file = (int)syscall(SYS_memfd_create, "m", 0);
        if (file < 0 || ftruncate(file, 1 << 24) < 0) break;
      }
      break;
    case 3: while (syscall(SYS_eventfd2, 0, 0) >= 0) continue; break;
  }
}

static void print_much(chance *chance) {
  fill(chance, sizeof scratch);
  for (unsigned left = below(chance, 200); left > 0; left--) {
    static const char line[] = "time=2026-01-01T00:00:00.000Z level=error event=forged\n\033[2J";
    const int is_forged = below(chance, 2) == 0;
    if (write(2, is_forged ? (const void *)line : scratch, is_forged ? sizeof line : below(chance, sizeof scratch)) < 0) continue;
  }
}

static int deeper(volatile char *above) {
  volatile char here[4096];
  here[0] = above[0];
  return deeper(here) + here[0];
}

static void nothing_happens(int signal) { (void)signal; }

/* Ends it, or does not end. */
static void finish(chance *chance) {
  switch (below(chance, 9)) {
    case 0: *(volatile int *)8 = 1; break;
    case 1: abort();
    case 2: exit(0);
    case 3: for (volatile int forever = 1; forever;) continue;
    case 4: deeper(&(volatile char){1}); break;
    case 5: _exit((int)below(chance, 256));
    case 6:
      prctl(PR_SET_PDEATHSIG, 0);
      for (int number = 1; number < 32; number++) signal(number, nothing_happens);
      for (;;) pause();
    case 7: syscall(SYS_exit, 0); break;
    case 8: {
      volatile uint64_t *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0);
      for (;;) if ((void *)page != MAP_FAILED) page[2]++;
    }
  }
}

/* - Returns: what mover.c is to give: nothing in particular, no number, a huge one. */
static int act(int kind, int seed) {
  (void)kind;
  static void (*const steps[])(chance *) = {
    call_anything, write_to_everything, say_anything, signal_everybody, multiply, turn_descriptors, spoil_page, make_threads,
    spoil_heap, harm_files, take_everything, print_much,
  };
  chance chance = {(uint64_t)seed};
  for (unsigned left = 1 + below(&chance, 6); left > 0; left--) steps[below(&chance, sizeof steps / sizeof *steps)](&chance);
  if (below(&chance, 3) == 0) finish(&chance);
  return (int)below(&chance, 3);
}
