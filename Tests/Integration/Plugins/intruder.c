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
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

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

/* What it may do still. */
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
