/* SPDX-License-Identifier: MIT
 *
 * What the client in C makes of any answer of a daemon: the one reader of header_wire.h's structs that is written in C, under the
 * sanitizers for addresses and undefined behavior. The socket is replaced by the input: the first byte says in what pieces it comes. */

#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static const uint8_t *input;
static size_t input_left, piece_size;

static int fuzz_connect(int descriptor, const struct sockaddr *address, socklen_t size) {
  (void)descriptor, (void)address, (void)size;
  return 0;
}

static int fuzz_poll(struct pollfd *one, nfds_t count, int timeout) {
  (void)count, (void)timeout;
  one->revents = one->events;
  return 1;
}

static ssize_t fuzz_recv(int descriptor, void *into, size_t size, int flags) {
  (void)descriptor, (void)flags;
  size_t count = size < piece_size ? size : piece_size;
  if (count > input_left) count = input_left;
  memcpy(into, input, count);
  input += count, input_left -= count;
  return (ssize_t)count;
}

static ssize_t fuzz_send(int descriptor, const void *data, size_t size, int flags) {
  (void)descriptor, (void)data, (void)flags;
  return (ssize_t)size;
}

#define connect fuzz_connect
#define poll fuzz_poll
#define recv fuzz_recv
#define send fuzz_send
#include "../../Sources/Clients/C/headerd_client.c"

static void read_messages(headerd_client *client, headerd_view *view) {
  const headerd_message *message;
  char text[32];
  while (headerd_next(client, 0, &message) == HEADERD_OK) {
    if (message->kind == HEADERD_STATE) {
      headerd_view_apply(view, &message->state);
      headerd_view_find(view, "content");
      for (int points = -40; points <= 40; points += 20) headerd_view_at(view, points, points % 40 == 0);
    }
    if (message->kind == HEADERD_OTHER && message->json) headerd_json_text(message->json, "method", text, sizeof text);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const uint8_t preamble[4] = {0x89, 0x48, 0x44, 0x01};
  if (size < 1) return 0;
  uint8_t whole[size + 3];
  memcpy(whole, preamble, 4);
  memcpy(whole + 4, data + 1, size - 1);
  input = whole, input_left = size + 3, piece_size = data[0] < 128 ? 1u + data[0] : 65536;
  headerd_client *client;
  headerd_view view = {0};
  headerd_opened opened;
  headerd_subscribed subscribed;
  headerd_decision decision;
  const headerd_event event = {.kind = 1};
  const char *result, *warnings;
  if (headerd_connect("/nowhere", "fuzz", &client) == HEADERD_OK) {
    headerd_open(client, "{\"header\":\"main\"}", &opened);
    headerd_subscribe(client, "{\"headers\":\"main\"}", &subscribed);
    headerd_decide(client, 0, &event, &decision);
    headerd_request(client, "header.list", "{}", &result, &warnings);
  }
  read_messages(client, &view);
  headerd_reason(client);
  headerd_view_free(&view);
  headerd_free(client);
  return 0;
}
