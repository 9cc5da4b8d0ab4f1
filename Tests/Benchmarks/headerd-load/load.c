/* SPDX-License-Identifier: MIT
 *
 * headerd-load: events at a rate or as fast as a window lets, states counted, and what the server's CPU clock says of it.
 *
 *     publishers ──events──▶ server ──states──▶ subscribers
 *          ╰──────────── this process: one thread, one epoll ───────────╯
 *
 * The k-th state of a subscriber is the answer to the k-th event of its stream (the workload's bar always moves), so that
 * counting whole messages is enough to tell how long each was under way. Events of a turn leave in one write. Prints one
 * JSON object. */
#include "load.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RING = 1024, BUCKETS = 64 * 32 };

typedef struct {
  int64_t sent_at[RING];
  uint64_t sent;
  uint64_t delivered;  /* by all subscribers that count for the window */
  int counting;        /* how many those are */
  double due;          /* paced: when its next event is */
} stream;

typedef struct {
  int fd;
  bool publishes, stopped;
  int stream;
  uint64_t states;
  load_tail tail;
  char *waiting;       /* bytes that the kernel did not take */
  size_t waiting_size;
  long long last_seq;
} peer;

static load_plan plan = {.speaks = "lines", .headers = 0, .streams = 1, .fanout = 1, .window = 256, .warm = 0.5,
  .seconds = 2, .drawers = 2, .payload = 400};
static const load_tongue *tongue;
static stream *streams;
static peer *peers;
static int peer_count, publisher_count;
static char input[256 << 10], *output;
static uint64_t histogram[BUCKETS];
/* Whether latencies are taken; whether the last sequence number is looked for, which costs too much to measure by. */
static bool is_measuring, notes_seq;

void load_fail(const char *what) {
  fprintf(stderr, "headerd-load: %s%s%s\n", what, errno ? ": " : "", errno ? strerror(errno) : "");
  exit(1);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int64_t nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* ── The cold part: blocking ── */

void load_send(int fd, const void *bytes, size_t size) {
  for (const char *at = bytes; size;) {
    ssize_t count = write(fd, at, size);
    if (count < 0) load_fail("write");
    at += count;
    size -= (size_t)count;
  }
}

static void fail_reading(ssize_t count) {
  if (count == 0) errno = 0;
  load_fail(count == 0 ? "the server ended the connection" : errno == EAGAIN ? "the server does not answer" : "read");
}

void load_read_exactly(int fd, void *bytes, size_t size) {
  for (char *at = bytes; size;) {
    ssize_t count = read(fd, at, size);
    if (count <= 0) fail_reading(count);
    at += count;
    size -= (size_t)count;
  }
}

const char *load_read_until(int fd, const char *text, size_t size) {
  static char bytes[1 << 16];
  size_t have = 0;
  for (;;) {
    ssize_t count = read(fd, bytes + have, sizeof bytes - 1 - have);
    if (count <= 0) fail_reading(count);
    have += (size_t)count;
    bytes[have] = 0;
    /* The rest of a line that has begun comes as well. */
    char *found = memmem(bytes, have, text, size);
    if (found && (text[size - 1] == '\n' || strchr(found, '\n'))) return bytes;
  }
}

static int connected(void) {
  int fd;
  if (plan.port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)plan.port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address)) load_fail("connect");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
  } else {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", plan.socket);
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address)) load_fail(plan.socket);
  }
  /* While reads block: a server that does not answer is told of, not waited for. */
  struct timeval patience = {.tv_sec = 20};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  tongue->greet(fd);
  return fd;
}

/* ── What the system says of the server ── */

static double process_cpu(int process) {
  clockid_t clock;
  struct timespec time;
  if (clock_getcpuclockid(process, &clock) || clock_gettime(clock, &time)) return 0;
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* Of the server and the processes that its first thread has started. */
static double server_cpu(void) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task/%d/children", plan.server, plan.server);
  double sum = process_cpu(plan.server);
  FILE *stream = fopen(path, "r");
  int child;
  while (stream && fscanf(stream, "%d", &child) == 1) sum += process_cpu(child);
  if (stream) fclose(stream);
  return sum;
}

/* A line's number in one of its files, in KiB. */
static long server_memory(const char *file, const char *line) {
  char path[64], text[256];
  snprintf(path, sizeof path, "/proc/%d/%s", plan.server, file);
  FILE *stream = fopen(path, "r");
  long found = 0;
  while (stream && fgets(text, sizeof text, stream))
    if (!strncmp(text, line, strlen(line))) found = atol(text + strlen(line));
  if (stream) fclose(stream);
  return found;
}

static long server_resident(void) { return server_memory("smaps_rollup", "Rss:"); }

/* ── Latencies: buckets of 1/32 of a power of two ── */

static unsigned bucket(uint64_t time) {
  if (time < 32) return (unsigned)time;
  unsigned power = 63 - (unsigned)__builtin_clzll(time);
  return (power - 4) * 32 + (unsigned)(time >> (power - 5) & 31);
}

static double quantile(double share) {
  uint64_t all = 0, below = 0;
  for (int index = 0; index < BUCKETS; index++) all += histogram[index];
  for (unsigned index = 0; index < BUCKETS; index++) {
    below += histogram[index];
    if (below && (double)below >= share * (double)all) {
      unsigned power = index / 32 + 4;
      return index < 32 ? index * 1e-3 : (double)((32 + index % 32) * 1.0 * (double)(1ull << (power - 5))) * 1e-3;
    }
  }
  return 0;
}

/* ── The hot part ── */

static void offer(peer *publisher, const char *bytes, size_t size) {
  ssize_t count = publisher->waiting_size ? 0 : write(publisher->fd, bytes, size);
  if (count < 0) {
    if (errno != EAGAIN) load_fail("write");
    count = 0;
  }
  if ((size_t)count == size) return;
  publisher->waiting = realloc(publisher->waiting, publisher->waiting_size + size);
  if (!publisher->waiting) load_fail("memory");
  memcpy(publisher->waiting + publisher->waiting_size, bytes + count, size - (size_t)count);
  publisher->waiting_size += size - (size_t)count;
}

static void offer_again(peer *publisher) {
  ssize_t count = write(publisher->fd, publisher->waiting, publisher->waiting_size);
  if (count <= 0) return;
  publisher->waiting_size -= (size_t)count;
  memmove(publisher->waiting, publisher->waiting + count, publisher->waiting_size);
}

/* Sends `count` events of a stream in one write. */
static void publish(int index, int count) {
  stream *source = &streams[index];
  int64_t time = nanoseconds();
  size_t size = 0;
  for (; count > 0; count--) {
    source->sent_at[source->sent % RING] = time;
    size += tongue->event(output + size, &plan, index, source->sent++, time);
  }
  offer(&peers[index % publisher_count], output, size);
}

static void note_seq(peer *reader, const char *bytes, size_t size) {
  const char *found = NULL;
  for (const char *at = bytes; (at = memmem(at, size - (size_t)(at - bytes), "\"seq\":", 6)); at++) found = at;
  if (found && found + 24 < bytes + size) reader->last_seq = atoll(found + 6);
}

static void receive(peer *reader) {
  ssize_t size = read(reader->fd, input, sizeof input);
  if (size < 0 && errno == EAGAIN) return;
  if (size <= 0) load_fail(reader->stopped ? "the server cut off the one that does not read" : "the server ended the connection");
  if (reader->publishes) {
    if (plan.socket && memmem(input, (size_t)size, "\"error\"", 7)) {
      fprintf(stderr, "%.*s\n", (int)size, input);
      load_fail("the server complains");
    }
    return;
  }
  if (notes_seq) note_seq(reader, input, (size_t)size);
  size_t count = tongue->states(&reader->tail, input, (size_t)size);
  stream *source = &streams[reader->stream];
  if (is_measuring && !reader->stopped) {
    int64_t time = nanoseconds();
    for (size_t index = 0; index < count; index++)
      histogram[bucket((uint64_t)(time - source->sent_at[(reader->states + index) % RING]))]++;
  }
  reader->states += count;
  if (!reader->stopped) source->delivered += count;
}

static uint64_t delivered(void) {
  uint64_t all = 0;
  for (int index = 0; index < plan.streams; index++) all += streams[index].delivered;
  return all;
}

/* Sends what is due; returns the nanoseconds until the next event is, −1 for as long as it takes. */
static int64_t send_due(void) {
  if (plan.rate == 0) {
    for (int index = 0; index < plan.streams; index++) {
      int64_t under_way = (int64_t)streams[index].sent - (int64_t)(streams[index].delivered / (uint64_t)streams[index].counting);
      if (under_way < plan.window) publish(index, (int)(plan.window - under_way));
    }
    return -1;
  }
  /* Streams are due in turn, evenly spread over a period, so the one after the last that was sent is the next. */
  static int next;
  double time = now();
  while (streams[next].due <= time) {
    publish(next, 1);
    streams[next].due += 1 / plan.rate;
    next = (next + 1) % plan.streams;
  }
  return (int64_t)((streams[next].due - time) * 1e9);
}

static void run_until(double end, int epoll, bool sends) {
  struct epoll_event events[256];
  for (;;) {
    int64_t wait = sends ? send_due() : -1, left = (int64_t)((end - now()) * 1e9);
    if (left <= 0) return;
    for (int index = 0; index < publisher_count; index++)
      if (peers[index].waiting_size) {
        offer_again(&peers[index]);
        wait = 100000;
      }
    if (wait < 0 || wait > left) wait = left;
    struct timespec patience = {wait / 1000000000, wait % 1000000000};
    int count = epoll_pwait2(epoll, events, 256, &patience, NULL);
    for (int index = 0; index < count; index++) receive(&peers[events[index].data.u32]);
  }
}

static void watch(int epoll, int index) {
  struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)index};
  fcntl(peers[index].fd, F_SETFL, O_NONBLOCK);
  if (epoll_ctl(epoll, EPOLL_CTL_ADD, peers[index].fd, &event)) load_fail("epoll_ctl");
}

/* ── A storm of connections ── */

typedef struct {
  int refused, accepted, failed;
} storm_result;

/* Connects so many times, as a user who is no administrator where that can be, reads what is said, and hangs up. */
static storm_result attempt(int count) {
  storm_result result = {0};
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", plan.socket);
  if (!geteuid() && (setgroups(0, NULL) || setgid(65534) || setuid(65534))) load_fail("setuid");
  for (; count > 0; count--) {
    char answer[1024];
    struct timeval patience = {.tv_sec = 1};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ssize_t size = connect(fd, (struct sockaddr *)&address, sizeof address) ? -1 : read(fd, answer, sizeof answer);
    if (size > 0 && memmem(answer, (size_t)size, "limitExceeded", 13)) result.refused++;
    else if (size > 0) result.accepted++;
    else result.failed++;
    close(fd);
  }
  return result;
}

/* Begins it in a process of its own; its end is to be read from `reader`. */
static pid_t begin_storm(int *reader) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) load_fail("pipe");
  pid_t child = fork();
  if (child < 0) load_fail("fork");
  if (child == 0) {
    storm_result result = attempt(plan.storm);
    _exit(write(ends[1], &result, sizeof result) == sizeof result ? 0 : 1);
  }
  close(ends[1]);
  *reader = ends[0];
  return child;
}

/* Runs on until the storm is over. */
static storm_result outlast_storm(int epoll, pid_t child, int reader) {
  storm_result result = {0};
  int status;
  while (waitpid(child, &status, WNOHANG) == 0) run_until(now() + 0.05, epoll, true);
  if (read(reader, &result, sizeof result) != sizeof result) load_fail("the storm");
  close(reader);
  return result;
}

/* Those who stop are spread over all streams; the next one of the same stream goes on. */
static peer *stopped_peer(int index) {
  return &peers[publisher_count + index * ((peer_count - publisher_count) / plan.stopped)];
}

/* Opens headers, connects everybody, lets it run, prints. */
static void measure(void) {
  publisher_count = plan.publishers ? plan.publishers : plan.streams;
  peer_count = publisher_count + plan.streams * plan.fanout;
  streams = calloc((size_t)plan.streams, sizeof *streams);
  peers = calloc((size_t)peer_count, sizeof *peers);
  output = malloc((size_t)(plan.window + 1) * LOAD_EVENT_MAX);
  if (!streams || !peers || !output) load_fail("memory");
  int control = connected();
  for (int index = 0; index < plan.headers; index++) tongue->open(control, &plan, index);
  for (int index = 0; index < peer_count; index++) {
    peer *peer = &peers[index];
    peer->fd = connected();
    peer->publishes = index < publisher_count;
    peer->stream = peer->publishes ? index : (index - publisher_count) / plan.fanout;
    if (!peer->publishes) {
      tongue->subscribe(peer->fd, &plan, peer->stream);
      streams[peer->stream].counting++;
    }
  }
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  for (int index = 0; index < peer_count; index++) watch(epoll, index);
  double begin = now();
  for (int index = 0; index < plan.streams; index++) streams[index].due = begin + index / (plan.rate * plan.streams);
  run_until(begin + plan.warm, epoll, true);

  /* Events that are held up come in a burst, which makes the server's buffers grow. Where its memory counts, one as long as
   * the machine is likely to bring about by itself has been there before. */
  if (plan.burst > 0) nanosleep(&(struct timespec){.tv_nsec = (long)(plan.burst * 1e9)}, NULL);
  run_until(now() + 0.2, epoll, true);
  long resident = server_resident();
  for (int index = 0; index < plan.stopped; index++) {
    peer *peer = stopped_peer(index);
    peer->stopped = true;
    streams[peer->stream].counting--;
    streams[peer->stream].delivered -= peer->states;
    epoll_ctl(epoll, EPOLL_CTL_DEL, peer->fd, NULL);
  }
  struct rusage usage;
  uint64_t count = delivered();
  double cpu = server_cpu(), time = now();
  is_measuring = true;
  int reader = -1;
  pid_t child = plan.storm ? begin_storm(&reader) : 0;
  run_until(time + plan.seconds, epoll, true);
  storm_result storm = {0};
  if (child) storm = outlast_storm(epoll, child, reader);
  is_measuring = false;
  cpu = server_cpu() - cpu;
  time = now() - time;
  count = delivered() - count;
  getrusage(RUSAGE_SELF, &usage);
  if (!count) load_fail("no states came");
  if (plan.rate > 0 && (double)count < 0.9 * plan.rate * plan.streams * (plan.fanout * plan.streams - plan.stopped) / plan.streams * time)
    fprintf(stderr, "headerd-load: only %llu states came\n", (unsigned long long)count);
  printf("{\"delivered\":%llu,\"seconds\":%.4f,\"cpu\":%.1f,\"rate\":%.0f,\"p50\":%.1f,\"p99\":%.1f,\"p999\":%.1f,\"peak\":%ld,\"own\":%.1f",
    (unsigned long long)count, time, cpu / (double)count, (double)count / time, quantile(0.5), quantile(0.99), quantile(0.999),
    server_memory("status", "VmHWM:") * 1024,
    ((double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e9 + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e3) / (double)count);
  printf(",\"grown\":%ld", (server_resident() - resident) * 1024);
  if (plan.storm) {
    /* All that was sent arrives. */
    run_until(now() + 0.5, epoll, false);
    uint64_t sent = 0, all = 0;
    for (int index = 0; index < plan.streams; index++) sent += streams[index].sent * (uint64_t)streams[index].counting;
    for (int index = publisher_count; index < peer_count; index++) all += peers[index].states;
    printf(",\"storm\":{\"refused\":%d,\"accepted\":%d,\"failed\":%d,\"missing\":%lld}", storm.refused, storm.accepted,
      storm.failed, (long long)(sent - all));
  }
  if (plan.stopped) {
    notes_seq = true;
    for (int index = 0; index < plan.stopped; index++) watch(epoll, (int)(stopped_peer(index) - peers));
    run_until(now() + 0.5, epoll, true);
    /* As long as that takes on a busy machine: nothing new comes. */
    bool is_newest = false;
    for (double end = now() + 30; !is_newest && now() < end;) {
      run_until(now() + 1, epoll, false);
      is_newest = true;
      for (int index = 0; index < plan.stopped; index++)
        is_newest &= stopped_peer(index)->last_seq == stopped_peer(index)[1].last_seq;
    }
    printf(",\"newest\":%s", is_newest ? "true" : "false");
  }
  printf("}\n");
}

/* How much memory an idle connection takes, a header that was opened, and one whose drawers have moved. */
static void measure_memory(int connections, int headers) {
  /* Events without times, as `open` sends one, and events with times come from connections of their own. */
  int control = connected(), mover = connected();
  /* The first ones bring the server's own tables and buffers to life. */
  for (int index = 0; index < 64; index++) {
    tongue->open(control, &plan, index);
    connected();
  }
  long before = server_resident();
  for (int index = 0; index < connections; index++) connected();
  long between = server_resident();
  for (int index = 0; index < headers; index++) tongue->open(control, &plan, 64 + index);
  long opened = server_resident();
  char *events = malloc(8 * LOAD_EVENT_MAX);
  if (!events) load_fail("memory");
  for (int index = 0; index < headers; index++) {
    size_t size = 0;
    for (uint64_t count = 0; count < 8; count++) size += tongue->event(events + size, &plan, 64 + index, count, nanoseconds());
    load_send(mover, events, size);
  }
  free(events);
  /* Answered behind the last event. */
  tongue->open(mover, &plan, 0);
  long moved = server_resident();
  printf("{\"connection\":%.0f,\"header\":%.0f,\"moved\":%.0f}\n", (double)(between - before) * 1024 / connections,
    (double)(opened - between) * 1024 / headers, (double)(moved - between) * 1024 / headers);
}

int main(int count, char **words) {
  struct { const char *name; int *number; double *real; const char **text; } options[] = {
    {"speaks", 0, 0, &plan.speaks}, {"socket", 0, 0, &plan.socket}, {"port", &plan.port, 0, 0}, {"server", &plan.server, 0, 0},
    {"headers", &plan.headers, 0, 0}, {"streams", &plan.streams, 0, 0}, {"fanout", &plan.fanout, 0, 0},
    {"publishers", &plan.publishers, 0, 0}, {"rate", 0, &plan.rate, 0}, {"window", &plan.window, 0, 0},
    {"burst", 0, &plan.burst, 0}, {"warm", 0, &plan.warm, 0}, {"seconds", 0, &plan.seconds, 0}, {"drawers", &plan.drawers, 0, 0},
    {"listeners", &plan.listeners, 0, 0}, {"payload", &plan.payload, 0, 0}, {"stopped", &plan.stopped, 0, 0},
    {"storm", &plan.storm, 0, 0},
    {"fields", &plan.fields, 0, 0}};
  int memory_connections = 0;
  for (int index = 1; index < count; index++) {
    char *value = strchr(words[index], '=');
    if (!value) load_fail("options are NAME=VALUE");
    size_t size = (size_t)(value++ - words[index]), option = 0, all = sizeof options / sizeof *options;
    if (size == 6 && !memcmp(words[index], "memory", 6)) {
      memory_connections = atoi(value);
      continue;
    }
    while (option < all && (strlen(options[option].name) != size || memcmp(options[option].name, words[index], size))) option++;
    if (option == all) load_fail("there is no such option");
    if (options[option].number) *options[option].number = atoi(value);
    if (options[option].real) *options[option].real = atof(value);
    if (options[option].text) *options[option].text = value;
  }
  errno = 0;
  tongue = load_tongue_named(plan.speaks);
  if (!tongue || (!plan.socket && !plan.port) || !plan.server) load_fail("speaks, socket or port, and server are needed");
  prctl(PR_SET_TIMERSLACK, 1);
  if (plan.headers < plan.streams) plan.headers = plan.streams;
  if (memory_connections) {
    measure_memory(memory_connections, plan.headers);
  } else {
    measure();
  }
  return 0;
}
