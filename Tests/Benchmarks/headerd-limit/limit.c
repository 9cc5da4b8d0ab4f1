/* SPDX-License-Identifier: MIT
 *
 * headerd-limit: what a state must cost at least. A relay on libuv that reads the same events as headerd, decides almost
 * nothing, and sends as many bytes to the same subscribers.
 *
 *     didScroll ──▶ header, time, y ──▶ one number clamped ──▶ a state of two drawers ──▶ every subscriber's output
 *                                                                                              │ end of the turn
 *                                                                                              ▼
 *                                                                              one write a connection
 *
 * Lines and frames, by the first byte. It trusts its clients, has no limits and knows three requests: header.open, subscribe
 * and ping. Numbers have at most four decimals, as the bench's have. Nothing here is slower than it must be: one shared
 * read buffer, a state printed once for all subscribers, integers instead of a general printing of doubles. */
#include "header_wire.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

typedef struct connection connection;

typedef struct {
  char *bytes;
  size_t size, room;
} buffer;

typedef struct header {
  char name[132];
  size_t name_size;
  uint64_t handle;
  int64_t seq;
  int64_t bar; /* how far the bar is off, in ten thousandths of a point */
  int64_t last_y;
  connection **subscribers;
  size_t count, room;
  struct header *next;
} header;

struct connection {
  uv_pipe_t pipe;
  uv_write_t writing;
  enum { UNKNOWN, LINES, FRAMES } encoding;
  bool is_due, is_writing;
  header *last; /* of its last event */
  buffer input, output, in_flight;
  connection *next_due;
};

enum { SLOTS = 1 << 17, EAGER = 64 << 10, EPOCH_DIGITS = 16 };
static const int64_t epoch = 1763690400000001;

static uv_loop_t *loop;
static uv_idle_t awake;
static connection *due;
static char read_buffer[64 << 10];
static header *slots[SLOTS];
static header **by_handle;
static uint64_t handles;

static void append(buffer *to, const char *bytes, size_t size) {
  if (to->size + size > to->room) {
    to->room = (to->size + size) * 2;
    to->bytes = realloc(to->bytes, to->room);
    if (!to->bytes) abort();
  }
  memcpy(to->bytes + to->size, bytes, size);
  to->size += size;
}

/* ── Headers ── */

static header **slot(const char *name, size_t size) {
  uint32_t hash = 2166136261u;
  for (size_t index = 0; index < size; index++) hash = (hash ^ (uint8_t)name[index]) * 16777619u;
  header **at = &slots[hash % SLOTS];
  while (*at && ((*at)->name_size != size || memcmp((*at)->name, name, size))) at = &(*at)->next;
  return at;
}

static header *header_named(const char *name, size_t size) {
  header **at = slot(name, size);
  if (*at) return *at;
  header *made = *at = calloc(1, sizeof *made);
  by_handle = realloc(by_handle, (handles + 2) * sizeof *by_handle);
  if (!made || !by_handle || size >= sizeof made->name) abort();
  memcpy(made->name, name, size);
  made->name_size = size;
  made->handle = ++handles;
  made->seq = 1;
  by_handle[made->handle] = made;
  return made;
}

/* ── Output: gathered, one write a connection and turn ── */

static void written(uv_write_t *request, int status);

static void push(connection *to) {
  if (to->is_writing || !to->output.size) return;
  uv_buf_t piece = uv_buf_init(to->output.bytes, (unsigned)to->output.size);
  int taken = uv_try_write((uv_stream_t *)&to->pipe, &piece, 1);
  if (taken == (int)to->output.size) {
    to->output.size = 0;
    return;
  }
  if (taken < 0) taken = 0;
  buffer swapped = to->in_flight;
  to->in_flight = to->output;
  to->output = swapped;
  to->output.size = 0;
  to->is_writing = true;
  piece = uv_buf_init(to->in_flight.bytes + taken, (unsigned)(to->in_flight.size - (size_t)taken));
  uv_write(&to->writing, (uv_stream_t *)&to->pipe, &piece, 1, written);
}

static void written(uv_write_t *request, int status) {
  connection *to = request->handle->data;
  to->is_writing = false;
  if (!status) push(to);
}

static void stay_awake(uv_idle_t *handle) { (void)handle; }

static void send_bytes(connection *to, const char *bytes, size_t size) {
  append(&to->output, bytes, size);
  if (to->output.size >= EAGER) push(to);
  if (to->is_due) return;
  if (!due) uv_idle_start(&awake, stay_awake);
  to->is_due = true;
  to->next_due = due;
  due = to;
}

static void end_of_turn(uv_prepare_t *handle) {
  (void)handle;
  for (; due; due = due->next_due) {
    due->is_due = false;
    push(due);
  }
  uv_idle_stop(&awake);
}

/* ── A state ── */

static char *put(char *out, const char *text, size_t size) {
  memcpy(out, text, size);
  return out + size;
}
#define PUT(out, text) put(out, "" text, sizeof(text) - 1)

static char *put_integer(char *out, uint64_t value) {
  char digits[24];
  int count = 0;
  do digits[count++] = (char)('0' + value % 10); while (value /= 10);
  while (count) *out++ = digits[--count];
  return out;
}

/* A number of ten thousandths, without zeros at its end. */
static char *put_decimal(char *out, int64_t value) {
  if (value < 0) {
    *out++ = '-';
    value = -value;
  }
  out = put_integer(out, (uint64_t)value / 10000);
  unsigned rest = (unsigned)(value % 10000);
  if (!rest) return out;
  *out++ = '.';
  for (unsigned unit = 1000; rest; unit /= 10) {
    *out++ = (char)('0' + rest / unit);
    rest %= unit;
  }
  return out;
}

static size_t state_line(char *out, const header *of, int64_t time, int64_t y) {
  char *at = PUT(out, "{\"jsonrpc\":\"2.0\",\"method\":\"state\",\"params\":{\"header\":\"");
  at = put(at, of->name, of->name_size);
  at = PUT(at, "\",\"epoch\":");
  at = put_integer(at, (uint64_t)epoch);
  at = PUT(at, ",\"seq\":");
  at = put_integer(at, (uint64_t)of->seq);
  at = PUT(at, ",\"time\":");
  at = put_decimal(at, time / 100000);
  at = PUT(at, ",\"drawers\":[{\"name\":\"navBar\",\"frame\":{\"x\":0,\"y\":");
  at = put_decimal(at, 200000 - of->bar);
  at = PUT(at, ",\"width\":375,\"height\":44}},{\"name\":\"extension\",\"frame\":{\"x\":0,\"y\":");
  at = put_decimal(at, 640000 - of->bar);
  at = PUT(at, ",\"width\":375,\"height\":40},\"hidden\":true}],\"scrollViews\":{\"content\":{\"contentOffset\":{\"x\":0,\"y\":");
  at = put_decimal(at, y);
  at = PUT(at, "},\"contentInset\":{\"top\":");
  at = put_decimal(at, 1040000 - of->bar);
  at = PUT(at, ",\"left\":0,\"bottom\":0,\"right\":0},\"correction\":{\"x\":0,\"y\":-40}}},\"values\":{\"isContracting\":false}}}\n");
  return (size_t)(at - out);
}

typedef struct {
  header_wire_state state;
  header_wire_drawer drawers[2];
  header_wire_scroll_view view;
  header_wire_value value;
  header_wire_lists lists;
} state_frame_of_two;

static size_t state_frame(char *out, const header *of, int64_t time, int64_t y) {
  state_frame_of_two frame = {
    .state = {{sizeof frame, HEADER_WIRE_STATE, 0}, of->handle, epoch, of->seq, time, 0, 0, 2, 1, 0, 1, 0},
    .drawers = {{0, 0, 0, 1, {0, 20 - (double)of->bar * 1e-4, 375, 44}, {0, 0}}, {1, 0, 0, 1, {0, 64 - (double)of->bar * 1e-4, 375, 40}, {0, 0}}},
    .view = {.content_offset = {0, (double)y * 1e-4}, .content_inset = {104 - (double)of->bar * 1e-4, 0, 0, 0}, .correction = {0, -40}},
    .value = {.type = HEADER_WIRE_BOOL}};
  memcpy(out, &frame, sizeof frame);
  return sizeof frame;
}

/* The one decision: the bar goes with the content, as far as it can. */
static void scrolled(header *of, int64_t time, int64_t y) {
  int64_t bar = of->bar + y - of->last_y;
  of->bar = bar < 0 ? 0 : bar > 840000 ? 840000 : bar;
  of->last_y = y;
  of->seq++;
  char line[1024], frame[sizeof(state_frame_of_two)];
  size_t line_size = 0, frame_size = 0;
  for (size_t index = 0; index < of->count; index++) {
    connection *to = of->subscribers[index];
    if (to->encoding == LINES) {
      if (!line_size) line_size = state_line(line, of, time, y);
      send_bytes(to, line, line_size);
    } else {
      if (!frame_size) frame_size = state_frame(frame, of, time, y);
      send_bytes(to, frame, frame_size);
    }
  }
}

static void subscribe(header *of, connection *by) {
  if (of->count == of->room) {
    of->room = of->room * 2 + 1;
    of->subscribers = realloc(of->subscribers, of->room * sizeof *of->subscribers);
    if (!of->subscribers) abort();
  }
  of->subscribers[of->count++] = by;
  char state[1024];
  if (by->encoding == LINES) {
    size_t size = state_line(state, of, 0, 0);
    memcpy(state + size - 3, ",\"snapshot\":true}}\n", 19);
    send_bytes(by, state, size + 16);
  } else {
    send_bytes(by, state, state_frame(state, of, 0, 0));
  }
}

/* ── Lines ── */

/* A number in ten thousandths of its unit. */
static const char *read_decimal(const char *at, int64_t *value) {
  bool is_negative = *at == '-';
  at += is_negative;
  int64_t number = 0;
  while ((unsigned)(*at - '0') < 10) number = number * 10 + (*at++ - '0');
  int decimals = 0;
  if (*at == '.')
    for (at++; (unsigned)(*at - '0') < 10; at++)
      if (decimals < 4) {
        number = number * 10 + (*at - '0');
        decimals++;
      }
  for (; decimals < 4; decimals++) number *= 10;
  *value = is_negative ? -number : number;
  return at;
}

static void cold_line(connection *by, const char *line, size_t size) {
  char *text = strndup(line, size), *name = strstr(text, "\"header\":\""), *names = strstr(text, "\"headers\":[\""), answer[96];
  const char *id = strstr(text, "\"id\":");
  if (id) send_bytes(by, answer, (size_t)snprintf(answer, sizeof answer, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{}}\n", atoi(id + 5)));
  if (strstr(text, "\"subscribe\"") && names) subscribe(header_named(names + 12, strcspn(names + 12, "\"")), by);
  if (strstr(text, "\"header.open\"") && name) header_named(name + 10, strcspn(name + 10, "\""));
  free(text);
}

/* A line of an event: its members in any order, with no white space between them. */
static void read_line(connection *from, const char *line, size_t size) {
  static const char begin[] = "{\"method\":\"event\",\"params\":{";
  if (size < sizeof begin || memcmp(line, begin, sizeof begin - 1)) return cold_line(from, line, size);
  const char *at = line + sizeof begin - 1;
  header *of = NULL;
  int64_t time = 0, y = 0;
  bool scrolls = false;
  for (;; at++) {
    if (!memcmp(at, "\"header\":\"", 10)) {
      at += 10;
      const char *end = memchr(at, '"', (size_t)(line + size - at));
      if (!end) return;
      size_t length = (size_t)(end - at);
      of = from->last && from->last->name_size == length && !memcmp(from->last->name, at, length) ? from->last : *slot(at, length);
      from->last = of;
      at = end + 1;
    } else if (!memcmp(at, "\"event\":\"", 9)) {
      scrolls = !memcmp(at + 9, "didScroll\"", 10);
      at += 9;
      while (*at++ != '"') {}
    } else if (!memcmp(at, "\"time\":", 7)) {
      at = read_decimal(at + 7, &time);
    } else if (!memcmp(at, "\"offset\":{\"y\":", 14)) {
      at = read_decimal(at + 14, &y) + 1;
    } else {
      return;
    }
    if (*at != ',') break;
  }
  if (of && scrolls) scrolled(of, time * 100000, y);
}

static size_t read_lines(connection *from, const char *bytes, size_t size) {
  const char *at = bytes, *end;
  while ((end = memchr(at, '\n', (size_t)(bytes + size - at)))) {
    read_line(from, at, (size_t)(end - at));
    at = end + 1;
  }
  return (size_t)(at - bytes);
}

/* ── Frames ── */

static void read_frame(connection *from, const char *bytes, header_wire_frame frame) {
  struct { header_wire_events events; header_wire_event event; } one;
  if (frame.kind == HEADER_WIRE_EVENT && frame.size >= sizeof one) {
    memcpy(&one, bytes, sizeof one);
    if (one.event.kind == HEADER_WIRE_DID_SCROLL && one.events.handle <= handles)
      scrolled(by_handle[one.events.handle], one.event.time, (int64_t)(one.event.offset.y * 1e4));
  } else if (frame.kind == HEADER_WIRE_OPEN) {
    char *text = strndup(bytes + 16, frame.size - 16), *name = strstr(text, "\"header\":\"");
    header_wire_opened opened = {.answer = {.frame = {sizeof opened, HEADER_WIRE_OPENED, 0}}, .epoch = epoch};
    if (name) opened.handle = header_named(name + 10, strcspn(name + 10, "\""))->handle;
    send_bytes(from, (char *)&opened, sizeof opened);
    free(text);
  } else if (frame.kind == HEADER_WIRE_SUBSCRIBE) {
    char *text = strndup(bytes + 16, frame.size - 16), *name = strstr(text, "[\"");
    header_wire_subscribed subscribed = {.answer = {.frame = {sizeof subscribed, HEADER_WIRE_SUBSCRIBED, 0}}};
    send_bytes(from, (char *)&subscribed, sizeof subscribed);
    if (name) subscribe(header_named(name + 2, strcspn(name + 2, "\"")), from);
    free(text);
  }
}

static size_t read_frames(connection *from, const char *bytes, size_t size) {
  size_t at = 0;
  header_wire_frame frame;
  while (size - at >= sizeof frame) {
    memcpy(&frame, bytes + at, sizeof frame);
    if (frame.size > size - at) break;
    read_frame(from, bytes + at, frame);
    at += frame.size;
  }
  return at;
}

/* ── Connections ── */

static size_t read_messages(connection *from, const char *bytes, size_t size) {
  if (from->encoding == UNKNOWN) {
    from->encoding = (uint8_t)*bytes == HEADER_WIRE_PREAMBLE_0 ? FRAMES : LINES;
    if (from->encoding == FRAMES) {
      send_bytes(from, bytes, 4);
      return 4 + read_frames(from, bytes + 4, size - 4);
    }
  }
  return from->encoding == LINES ? read_lines(from, bytes, size) : read_frames(from, bytes, size);
}

static void lend(uv_handle_t *handle, size_t size, uv_buf_t *given) {
  (void)handle, (void)size;
  *given = uv_buf_init(read_buffer, sizeof read_buffer);
}

static void gone(uv_handle_t *handle) { (void)handle; /* a bench does not come and go: nothing is given back */ }

static void received(uv_stream_t *stream, ssize_t count, const uv_buf_t *given) {
  connection *from = stream->data;
  if (count < 0) {
    for (header *of, **at = by_handle; at && at <= by_handle + handles; at++)
      if (at > by_handle && (of = *at))
        for (size_t index = 0; index < of->count; index++)
          if (of->subscribers[index] == from) of->subscribers[index--] = of->subscribers[--of->count];
    uv_close((uv_handle_t *)stream, gone);
  } else if (from->input.size) {
    append(&from->input, given->base, (size_t)count);
    size_t used = read_messages(from, from->input.bytes, from->input.size);
    memmove(from->input.bytes, from->input.bytes + used, from->input.size -= used);
  } else if (count > 0) {
    size_t used = read_messages(from, given->base, (size_t)count);
    if (used < (size_t)count) append(&from->input, given->base + used, (size_t)count - used);
  }
}

static void accepted(uv_stream_t *listener, int status) {
  connection *made = calloc(1, sizeof *made);
  if (status || !made) abort();
  uv_pipe_init(loop, &made->pipe, 0);
  made->pipe.data = made;
  if (!uv_accept(listener, (uv_stream_t *)&made->pipe)) uv_read_start((uv_stream_t *)&made->pipe, lend, received);
}

static void stop(uv_signal_t *signal, int number) {
  (void)signal, (void)number;
  exit(0);
}

int main(int count, char **words) {
  if (count != 2) return fprintf(stderr, "usage: headerd-limit SOCKET\n"), 2;
  static uv_pipe_t listener;
  static uv_prepare_t turn;
  static uv_signal_t term;
  loop = uv_default_loop();
  uv_pipe_init(loop, &listener, 0);
  uv_prepare_init(loop, &turn);
  uv_prepare_start(&turn, end_of_turn);
  uv_idle_init(loop, &awake);
  signal(SIGPIPE, SIG_IGN);
  uv_signal_init(loop, &term);
  uv_signal_start(&term, stop, SIGTERM);
  int error = uv_pipe_bind(&listener, words[1]);
  if (!error) error = uv_listen((uv_stream_t *)&listener, 128, accepted);
  if (error) return fprintf(stderr, "headerd-limit: %s: %s\n", words[1], uv_strerror(error)), 1;
  return uv_run(loop, UV_RUN_DEFAULT);
}
