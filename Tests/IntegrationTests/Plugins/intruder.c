/* SPDX-License-Identifier: MIT
 *
 * The plugin of mover.c, whose entry does harm first. What, is chosen when it is compiled: -DACT=segfault and so on. Acts that
 * a process without rights may not do say on stderr whether they were refused; the others do not come back.
 */
#define _GNU_SOURCE
#define header_plugin_entry mover_entry
#include "header_plugin.h"
const header_plugin *mover_entry(uint16_t major, uint16_t minor);
#include "mover.c"
#undef header_plugin_entry

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#ifndef ACT
#define ACT segfault
#endif
#ifndef PLACE
#define PLACE "/etc/passwd"
#endif
#define ACT_NAMED(name) act_##name()
#define PERFORM(name) ACT_NAMED(name)

__attribute__((unused)) static void say(const char *what, int was_refused) {
  fprintf(stderr, "%s: %s\n", what, was_refused ? "refused" : "done");
}

/* Those that end the process, or its patience. */
__attribute__((unused)) static void act_segfault(void) { *(volatile int *)8 = 1; }
__attribute__((unused)) static void act_abort(void) { abort(); }
__attribute__((unused)) static void act_exit(void) { exit(0); }
__attribute__((unused)) static void act_loop(void) { for (volatile int forever = 1; forever;) continue; }
__attribute__((unused)) static int deeper(volatile char *above) {
  volatile char here[4096];
  here[0] = above[0];
  return deeper(here) + here[0];
}
__attribute__((unused)) static void act_overflow(void) { deeper(&(volatile char){1}); }
__attribute__((unused)) static void act_leak(void) {
  for (char *block; (block = malloc(1 << 20)) != NULL;) memset(block, 1, 1 << 20);
  abort();
}
__attribute__((unused)) static void act_babble(void) {
  char block[65536];
  memset(block, 'x', sizeof block);
  for (int i = 0; i < 1024; i++)
    for (int descriptor = 3; descriptor < 8; descriptor++)
      if (write(descriptor, block, sizeof block) < 0) continue;
}

/* Those that it has no right to. */
__attribute__((unused)) static void act_fork(void) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  if (child > 0) waitpid(child, NULL, 0);
  say("fork", child < 0);
}
__attribute__((unused)) static void act_exec(void) {
  char *arguments[] = {"/bin/true", NULL}, *environment[] = {NULL};
  execve(arguments[0], arguments, environment);
  say("exec", 1);
}
__attribute__((unused)) static void act_socket(void) {
  say("inet", socket(AF_INET, SOCK_STREAM, 0) < 0);
  say("unix", socket(AF_UNIX, SOCK_STREAM, 0) < 0);
}
__attribute__((unused)) static void act_kill(void) {
  say("parent", kill(getppid(), 0) < 0);
  say("all", kill(-1, 0) < 0);
  say("init", kill(1, 0) < 0);
}
__attribute__((unused)) static void act_trace(void) { say("trace", ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0); }
__attribute__((unused)) static void act_read(void) { say("read", open(PLACE, O_RDONLY | O_CLOEXEC) < 0); }
__attribute__((unused)) static void act_write(void) {
  say("write", open("/tmp/headerd-intruder", O_WRONLY | O_CREAT | O_CLOEXEC, 0600) < 0);
}
__attribute__((unused)) static void act_chmod(void) { say("chmod", chmod(PLACE, 0777) < 0); }
__attribute__((unused)) static void act_limit(void) {
  const struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
  say("limit", setrlimit(RLIMIT_AS, &limit) < 0);
}

/* What landlock leaves to it where it is old or missing. */
__attribute__((unused)) static void act_truncate(void) {
  say("truncate", truncate(PLACE, 0) < 0);
  say("emptying open", open(PLACE, O_RDONLY | O_TRUNC | O_CLOEXEC) < 0);
  say("writing open", open(PLACE, O_WRONLY | O_CLOEXEC) < 0);
  say("remove", unlink(PLACE) < 0);
}
/* Has the kernel send the parent a signal when something can be read: of a pipe, which never asks whether that is wanted. */
__attribute__((unused)) static void act_own(void) {
  say("owner", fcntl(2, F_SETOWN, getppid()) < 0);
  say("signal", fcntl(2, F_SETSIG, SIGKILL) < 0);
  say("asynchronous", fcntl(2, F_SETFL, fcntl(2, F_GETFL) | O_ASYNC) < 0);
  say("ioctl", ioctl(2, FIOASYNC, &(int){1}) < 0);
  say("lease", fcntl(0, F_SETLEASE, F_RDLCK) < 0);
}
__attribute__((unused)) static void act_parent(void) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(0, &one);
  say("affinity", sched_setaffinity(getppid(), sizeof one, &one) < 0);
  say("farewell", prctl(PR_SET_PDEATHSIG, 0) < 0);
  struct rlimit limit;
  say("limits", prlimit(getppid(), RLIMIT_CORE, NULL, &limit) < 0);
}
/* System calls of kernels that are newer than some C libraries, by their numbers, and some that few remember. */
__attribute__((unused)) static void act_unusual(void) {
  say("setxattr", setxattr(PLACE, "user.mark", "1", 1, 0) < 0);
  say("setxattrat", syscall(463, AT_FDCWD, PLACE, 0, "user.mark", NULL, 0) < 0);
  say("fspick", syscall(433, AT_FDCWD, "/", 1) < 0);
  say("mount_setattr", syscall(442, AT_FDCWD, "/", 0, NULL, 0) < 0);
  say("memfd", syscall(SYS_memfd_create, "m", 1) < 0);
  say("memfd_secret", syscall(447, 0) < 0);
  say("inotify", syscall(SYS_inotify_init1, 0) < 0);
  say("fanotify", syscall(SYS_fanotify_init, 0, 0) < 0);
  say("io_uring", syscall(425, 1, NULL) < 0);
  say("pipe", syscall(SYS_pipe2, (int[2]){0}, 0) < 0);
  say("message", syscall(SYS_sendto, 2, "", 0, 0, NULL, 0) < 0 && errno == EPERM);
  say("lock", syscall(SYS_flock, 0, 1) < 0);
  say("timer", syscall(SYS_timer_create, 0, NULL, &(int){0}) < 0);
  say("unshare", syscall(SYS_unshare, 0) < 0);
  say("chdir", syscall(SYS_chdir, "/") < 0);
}

/* What it may do still. */
__attribute__((unused)) static void act_usual(void) {
  struct timespec time;
  unsigned char random[16];
  char *block = malloc(1 << 22), name[64];
  say("memory", block == NULL);
  free(block);
  say("clock", clock_gettime(CLOCK_MONOTONIC, &time) < 0);
  say("sleep", nanosleep(&(struct timespec){0, 1000}, NULL) < 0);
  say("random", syscall(SYS_getrandom, random, sizeof random, 0) < 0);
  say("signal", signal(SIGUSR1, SIG_IGN) == SIG_ERR || raise(SIGUSR1) != 0);
  say("name", prctl(PR_SET_NAME, "mover") < 0 || prctl(PR_GET_NAME, name) < 0);
  say("terminal", isatty(0) && errno == EPERM);
  FILE *maps = fopen("/proc/self/maps", "r");
  say("maps", maps == NULL || fclose(maps) != 0);
  say("random file", open("/dev/urandom", O_RDONLY | O_CLOEXEC) < 0);
  say("processors", sysconf(_SC_NPROCESSORS_ONLN) < 1);
}
/* As many of each as there are. */
static void *waiting(void *given) { pause(); return given; }
__attribute__((unused)) static void act_crowd(void) {
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 16384);
  int threads = 0, files = 0;
  for (pthread_t thread; threads < 2000 && pthread_create(&thread, &small, waiting, NULL) == 0;) threads++;
  while (files < 2000 && dup(0) >= 0) files++;
  say("two thousand threads", threads < 2000);
  say("eight threads", threads < 8);
  say("two thousand files", files < 2000);
}
__attribute__((unused)) static void *nothing(void *given) { return given; }
__attribute__((unused)) static void act_thread(void) {
  pthread_t thread;
  const int failure = pthread_create(&thread, NULL, nothing, NULL);
  if (failure == 0) pthread_join(thread, NULL);
  say("thread", failure != 0);
}

const header_plugin *header_plugin_entry(uint16_t major, uint16_t minor);
const header_plugin *header_plugin_entry(uint16_t major, uint16_t minor) {
  PERFORM(ACT);
  return mover_entry(major, minor);
}
