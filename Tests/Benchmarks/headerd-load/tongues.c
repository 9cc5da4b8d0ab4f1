/* SPDX-License-Identifier: MIT
 *
 * How each kind of server is spoken to: headerd and its limit in JSON Lines and in frames, and the brokers. An event of
 * a broker is a payload of a state's size, since a broker decides nothing: what it delivers must be given to it. */
#include "load.h"

#include "header_wire.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the content is at an event: to and fro between 150 and 125 points. A bar of 44 points or more is fully contracted
 * at the first one and moves in each of the others, while a finger drags. */
static double place(uint64_t count) {
  unsigned step = (unsigned)(count % 80);
  return 125 + 0.625 * (step < 40 ? 40 - step : step - 40);
}

/* Writes `value` in decimal, at least `digits` of them. */
static char *decimal(char *out, uint64_t value, int digits) {
  char reversed[24];
  int count = 0;
  do reversed[count++] = (char)('0' + value % 10); while (value /= 10);
  while (count < digits) reversed[count++] = '0';
  while (count) *out++ = reversed[--count];
  return out;
}

static char *text(char *out, const char *text) {
  size_t size = strlen(text);
  memcpy(out, text, size);
  return out + size;
}

/* The description of a header, as the params of header.open. */
static size_t description(char *out, size_t room, const load_plan *plan, int index) {
  int size = snprintf(out, room,
    "{\"header\":\"h%d\",\"scrollViews\":{\"content\":{\"viewport\":{\"width\":375,\"height\":667},\"contentSize\":{\"height\":40000},"
    "\"contentInset\":{\"top\":64}}},\"environment\":{\"statusBarHeight\":20},\"frames\":\"events\",\"drawers\":["
    "{\"name\":\"navBar\",\"height\":44}", index);
  for (int drawer = 1; drawer < plan->drawers; drawer++)
    size += snprintf(out + size, room - (size_t)size, ",{\"name\":\"%s\",\"height\":40}",
      drawer == 1 ? "extension" : (char[16]){'d', (char)('a' + drawer / 26), (char)('a' + drawer % 26), 0});
  size += snprintf(out + size, room - (size_t)size,
    "],\"delegates\":[{\"behavior\":\"ShyNavBar\",\"options\":{\"expansionResistance\":0}}");
  for (int listener = 0; listener < plan->listeners; listener++)
    size += snprintf(out + size, room - (size_t)size,
      ",{\"name\":\"l%d\",\"behavior\":\"OriginalDelegate\",\"options\":{\"methods\":[\"didScroll\"]}}", listener);
  size += snprintf(out + size, room - (size_t)size, "]}");
  return (size_t)size;
}

/* Puts what is left behind the last whole message into the tail. */
static void keep(load_tail *tail, const char *bytes, size_t size) {
  if (size > tail->room) {
    tail->room = size * 2;
    tail->kept = realloc(tail->kept, tail->room);
    if (!tail->kept) load_fail("memory");
  }
  memmove(tail->kept, bytes, size);
  tail->size = size;
}

/* ── JSON Lines ── */

static void no_greeting(int fd) { (void)fd; }

static void lines_greet(int fd) {
  load_send(fd, "{\"id\":0,\"method\":\"ping\"}\n", 25);
  load_read_until(fd, "\n", 1);
}

static void lines_open(int fd, const load_plan *plan, int index) {
  static char params[32768], line[33000];
  description(params, sizeof params, plan, index);
  load_send(fd, line, (size_t)snprintf(line, sizeof line, "{\"id\":1,\"method\":\"header.open\",\"params\":%s}\n", params));
  if (!strstr(load_read_until(fd, "\n", 1), "\"result\"")) load_fail("header.open was refused");
  load_send(fd, line, (size_t)snprintf(line, sizeof line,
    "{\"method\":\"event\",\"params\":{\"header\":\"h%d\",\"event\":\"willBeginDragging\"}}\n", index));
}

/* What a subscription adds that takes a part of each state. */
static const char *fields(const load_plan *plan) { return plan->fields ? ",\"fields\":[\"drawers\"]" : ""; }

static void lines_subscribe(int fd, const load_plan *plan, int index) {
  char line[160];
  load_send(fd, line, (size_t)snprintf(line, sizeof line,
    "{\"id\":2,\"method\":\"subscribe\",\"params\":{\"headers\":[\"h%d\"],\"mode\":\"every\"%s}}\n", index, fields(plan)));
  if (!strstr(load_read_until(fd, "\"snapshot\":true", 15), "\"result\"")) load_fail("subscribe was refused");
}

static size_t lines_event(char *out, const load_plan *plan, int index, uint64_t count, int64_t time) {
  (void)plan;
  char *end = text(out, "{\"method\":\"event\",\"params\":{\"header\":\"h");
  end = decimal(end, (uint64_t)index, 1);
  end = text(end, "\",\"event\":\"didScroll\",\"time\":");
  end = decimal(end, (uint64_t)time / 1000000000, 1);
  *end++ = '.';
  end = decimal(end, (uint64_t)time / 100000 % 10000, 4);
  end = text(end, ",\"offset\":{\"y\":");
  uint64_t thousandths = (uint64_t)(place(count) * 1000);
  end = decimal(end, thousandths / 1000, 1);
  *end++ = '.';
  end = decimal(end, thousandths % 1000, 3);
  end = text(end, "}}}\n");
  return (size_t)(end - out);
}

static size_t lines_states(load_tail *tail, const char *bytes, size_t size) {
  (void)tail;
  size_t count = 0;
  for (const char *at = bytes, *end = bytes + size; (at = memchr(at, '\n', (size_t)(end - at))); at++) count++;
  return count;
}

/* ── Frames ── */

static const uint8_t preamble[4] = {HEADER_WIRE_PREAMBLE_0, HEADER_WIRE_PREAMBLE_1, HEADER_WIRE_PREAMBLE_2, HEADER_WIRE_VERSION};
static uint64_t *handles;

static void frames_greet(int fd) {
  uint8_t answer[4];
  load_send(fd, preamble, sizeof preamble);
  load_read_exactly(fd, answer, sizeof answer);
}

/* Reads frames until one of this kind, whose first bytes are returned. */
static const char *frames_until(int fd, unsigned kind) {
  static char body[1 << 16];
  for (;;) {
    header_wire_frame frame;
    load_read_exactly(fd, &frame, sizeof frame);
    if (frame.size > sizeof body) load_fail("a frame is too long");
    memcpy(body, &frame, sizeof frame);
    load_read_exactly(fd, body + sizeof frame, frame.size - sizeof frame);
    if (frame.kind == kind) return body;
    if (frame.kind == HEADER_WIRE_ERROR) load_fail(body + sizeof(header_wire_error));
  }
}

static void frames_request(int fd, unsigned kind, const char *params, size_t size) {
  header_wire_request request = {{(uint32_t)(sizeof request + size), (uint16_t)kind, 0}, 1};
  load_send(fd, &request, sizeof request);
  load_send(fd, params, size);
}

static void frames_open(int fd, const load_plan *plan, int index) {
  static char params[32768];
  frames_request(fd, HEADER_WIRE_OPEN, params, description(params, sizeof params, plan, index));
  header_wire_opened opened;
  memcpy(&opened, frames_until(fd, HEADER_WIRE_OPENED), sizeof opened);
  if (!handles) handles = calloc((size_t)plan->headers + 64, sizeof *handles);
  if (!handles) load_fail("memory");
  handles[index] = opened.handle;
  struct { header_wire_events events; header_wire_event event; } frame = {
    {{sizeof frame, HEADER_WIRE_EVENT, 0}, 0, opened.handle, 1, 0},
    {sizeof frame.event, 0, HEADER_WIRE_WILL_BEGIN_DRAGGING, 0, 0, {0, 0}}};
  load_send(fd, &frame, sizeof frame);
}

static void frames_subscribe(int fd, const load_plan *plan, int index) {
  char params[80];
  frames_request(fd, HEADER_WIRE_SUBSCRIBE, params, (size_t)snprintf(params, sizeof params,
    "{\"headers\":[\"h%d\"],\"mode\":\"every\"%s}", index, fields(plan)));
  frames_until(fd, HEADER_WIRE_STATE);
}

static size_t frames_event(char *out, const load_plan *plan, int index, uint64_t count, int64_t time) {
  (void)plan;
  struct { header_wire_events events; header_wire_event event; } frame = {
    {{sizeof frame, HEADER_WIRE_EVENT, 0}, 0, handles[index], 1, 0},
    {sizeof frame.event, HEADER_WIRE_HAS_TIME | HEADER_WIRE_HAS_OFFSET_Y, HEADER_WIRE_DID_SCROLL, 0, time, {0, place(count)}}};
  memcpy(out, &frame, sizeof frame);
  return sizeof frame;
}

static size_t frames_states(load_tail *tail, const char *bytes, size_t size) {
  size_t count = 0;
  if (tail->size) {
    size_t before = tail->size;
    if (before + size > tail->room) {
      tail->room = (before + size) * 2;
      tail->kept = realloc(tail->kept, tail->room);
      if (!tail->kept) load_fail("memory");
    }
    memcpy(tail->kept + before, bytes, size);
    bytes = tail->kept;
    size += before;
  }
  while (size >= sizeof(header_wire_frame)) {
    header_wire_frame frame;
    memcpy(&frame, bytes, sizeof frame);
    if (frame.size > size) break;
    count += frame.kind == HEADER_WIRE_STATE;
    bytes += frame.size;
    size -= frame.size;
  }
  keep(tail, bytes, size);
  return count;
}

/* ── Messages of one size: Redis, MQTT, NATS ── */

static size_t message_size;

static size_t sized_states(load_tail *tail, const char *bytes, size_t size) {
  (void)bytes;
  size_t all = tail->size + size;
  tail->size = all % message_size;
  return all / message_size;
}

static char *filled(char *out, const load_plan *plan) {
  memset(out, 'x', (size_t)plan->payload);
  return out + plan->payload;
}

/* Names have the same length for all headers, so that all messages have. */
static void nothing_to_open(int fd, const load_plan *plan, int index) { (void)fd, (void)plan, (void)index; }

static size_t redis_event(char *out, const load_plan *plan, int index, uint64_t count, int64_t time) {
  (void)count, (void)time;
  char *end = out + sprintf(out, "*3\r\n$7\r\nPUBLISH\r\n$6\r\nh%05d\r\n$%d\r\n", index, plan->payload);
  return (size_t)(text(filled(end, plan), "\r\n") - out);
}

static void redis_subscribe(int fd, const load_plan *plan, int index) {
  char line[80];
  load_send(fd, line, (size_t)sprintf(line, "SUBSCRIBE h%05d\r\n", index));
  load_read_until(fd, ":1\r\n", 4);
  message_size = (size_t)sprintf(line, "*3\r\n$7\r\nmessage\r\n$6\r\nh%05d\r\n$%d\r\n\r\n", index, plan->payload) + (size_t)plan->payload;
}

static void mqtt_greet(int fd) {
  static unsigned number;
  char packet[32] = {0x10, 16, 0, 4, 'M', 'Q', 'T', 'T', 4, 2, 0, 0, 0, 4}, answer[4];
  snprintf(packet + 14, 5, "%04x", number++ & 0xffff);
  load_send(fd, packet, 18);
  load_read_exactly(fd, answer, 4);
  if (answer[3]) load_fail("mosquitto refused the connection");
}

static void mqtt_subscribe(int fd, const load_plan *plan, int index) {
  char packet[16] = {(char)0x82, 11, 0, 1, 0, 6}, answer[5];
  snprintf(packet + 6, 7, "h%05d", index);
  packet[12] = 0;
  load_send(fd, packet, 13);
  load_read_exactly(fd, answer, 5);
  size_t rest = (size_t)plan->payload + 8;
  message_size = 1 + (rest < 128 ? 1 : rest < 16384 ? 2 : 3) + rest;
}

static size_t mqtt_event(char *out, const load_plan *plan, int index, uint64_t count, int64_t time) {
  (void)count, (void)time;
  char *end = out;
  *end++ = 0x30;
  size_t rest = (size_t)plan->payload + 8;
  do *end++ = (char)(rest % 128 | (rest >= 128 ? 128 : 0)); while (rest /= 128);
  *end++ = 0;
  *end++ = 6;
  end += sprintf(end, "h%05d", index);
  return (size_t)(filled(end, plan) - out);
}

static void nats_greet(int fd) {
  load_read_until(fd, "\r\n", 2);
  static const char hello[] = "CONNECT {\"verbose\":false,\"pedantic\":false}\r\nPING\r\n";
  load_send(fd, hello, sizeof hello - 1);
  load_read_until(fd, "PONG\r\n", 6);
}

static void nats_subscribe(int fd, const load_plan *plan, int index) {
  char line[80];
  load_send(fd, line, (size_t)sprintf(line, "SUB h%05d 1\r\nPING\r\n", index));
  load_read_until(fd, "PONG\r\n", 6);
  message_size = (size_t)sprintf(line, "MSG h%05d 1 %d\r\n\r\n", index, plan->payload) + (size_t)plan->payload;
}

static size_t nats_event(char *out, const load_plan *plan, int index, uint64_t count, int64_t time) {
  (void)count, (void)time;
  char *end = out + sprintf(out, "PUB h%05d %d\r\n", index, plan->payload);
  return (size_t)(text(filled(end, plan), "\r\n") - out);
}

const load_tongue *load_tongue_named(const char *name) {
  static const load_tongue tongues[] = {
    {"lines", lines_open, lines_subscribe, lines_greet, lines_event, lines_states},
    {"frames", frames_open, frames_subscribe, frames_greet, frames_event, frames_states},
    {"redis", nothing_to_open, redis_subscribe, no_greeting, redis_event, sized_states},
    {"mqtt", nothing_to_open, mqtt_subscribe, mqtt_greet, mqtt_event, sized_states},
    {"nats", nothing_to_open, nats_subscribe, nats_greet, nats_event, sized_states},
  };
  for (size_t index = 0; index < sizeof tongues / sizeof *tongues; index++)
    if (!strcmp(tongues[index].name, name)) return &tongues[index];
  return NULL;
}
