/* SPDX-License-Identifier: MIT
 * How much later a state is at one socket than at another: one program reads both, so that both times are of one clock and no
 * interpreter stands in between.
 * usage: watcher NEAR-SOCKET FAR-SOCKET HEADER SECONDS; prints how many milliseconds later each state was */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { SEQS = 1 << 20, BUFFER = 1 << 20 };

struct end {
  int socket;
  size_t used;
  double *times;
  char bytes[BUFFER];
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int begin(struct end *end, const char *path, const char *header) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) return 0;
  strcpy(address.sun_path, path);
  end->socket = socket(AF_UNIX, SOCK_STREAM, 0);
  end->times = calloc(SEQS, sizeof(double));
  if (end->times == NULL || connect(end->socket, (struct sockaddr *)&address, sizeof address) != 0) return 0;
  char line[512];
  int count = snprintf(line, sizeof line, "{\"id\":1,\"method\":\"subscribe\",\"params\":{\"headers\":\"%s\",\"mode\":\"every\"}}\n", header);
  return count > 0 && count < (int)sizeof line && write(end->socket, line, (size_t)count) == count;
}

/* Notes when each state of the next piece was there. */
static int take(struct end *end) {
  ssize_t count = read(end->socket, end->bytes + end->used, BUFFER - 1 - end->used);
  if (count <= 0) return 0;
  double time = now();
  end->used += (size_t)count;
  end->bytes[end->used] = 0;
  char *line = end->bytes, *feed;
  while ((feed = strchr(line, '\n')) != NULL) {
    *feed = 0;
    char *seq = strstr(line, "\"method\":\"state\"") ? strstr(line, "\"seq\":") : NULL;
    long number = seq ? atol(seq + 6) : 0;
    if (number > 0 && number < SEQS) end->times[number] = time;
    line = feed + 1;
  }
  end->used -= (size_t)(line - end->bytes);
  memmove(end->bytes, line, end->used);
  return 1;
}

int main(int count, char **words) {
  static struct end near, far;
  if (count != 5) return 2;
  if (!begin(&near, words[1], words[3]) || !begin(&far, words[2], words[3])) return 1;
  double until = now() + atof(words[4]) * 1e3;
  struct pollfd polls[2] = {{.fd = near.socket, .events = POLLIN}, {.fd = far.socket, .events = POLLIN}};
  while (now() < until) {
    if (poll(polls, 2, 100) <= 0) continue;
    if (polls[0].revents && !take(&near)) return 1;
    if (polls[1].revents && !take(&far)) return 1;
  }
  for (long seq = 1; seq < SEQS; seq++)
    if (near.times[seq] > 0 && far.times[seq] > 0) printf("%.3f\n", far.times[seq] - near.times[seq]);
  return 0;
}
