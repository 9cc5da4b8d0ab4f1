/* SPDX-License-Identifier: MIT
 *
 * Times headerd_scroll and headerd_decide: bench SOCKET SCROLLS PAUSE prints the seconds of each scroll and how many moved the header,
 * then the seconds of as many decisions of where a flick ends (Tests/Clients/bench.py).
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "headerd_client.h"

static const char description[] =
    "{\"header\":\"bench\",\"scrollViews\":{\"content\":{\"viewport\":{\"width\":375,\"height\":667},"
    "\"contentSize\":{\"height\":4000},\"contentInset\":{\"top\":84}}},\"drawers\":[{\"name\":\"navBar\",\"height\":44},"
    "{\"name\":\"tabs\",\"height\":40}],\"delegates\":[{\"behavior\":\"ShyNavBar\",\"options\":{\"expansionResistance\":0}}]}";

static headerd_client *client;

static void check(headerd_status status) {
  if (status == HEADERD_OK) return;
  fprintf(stderr, "status %d\n", status);
  exit(1);
}

static void apply(void *view, const headerd_message *message) {
  if (message->kind == HEADERD_STATE) check(headerd_view_apply(view, &message->state));
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void tell(uint64_t handle, uint8_t kind) {
  uint16_t given = HEADER_WIRE_HAS_TIME | (kind == HEADER_WIRE_DID_END_DRAGGING ? HEADER_WIRE_HAS_YES : 0);
  check(headerd_send_event(client, handle, &(headerd_event){.kind = kind, .given = given, .time = seconds()}));
}

int main(int count, char **arguments) {
  if (count != 4) return 2;
  struct timespec pause = {.tv_nsec = (long)(strtod(arguments[3], NULL) * 1e9)};
  headerd_opened header;
  headerd_view view = {0};
  int moved = 0;
  check(headerd_connect(arguments[1], "bench", &client));
  check(headerd_open(client, description, &header));
  check(headerd_subscribe(client, "{\"headers\":\"bench\",\"mode\":\"every\"}", NULL));
  check(headerd_request(client, "ping", NULL, NULL, NULL));
  check(headerd_dispatch(client, apply, &view));
  long scrolls = strtol(arguments[2], NULL, 10);
  tell(header.handle, HEADER_WIRE_WILL_BEGIN_DRAGGING);
  for (long number = 0; number < scrolls; number++) {
    nanosleep(&pause, NULL);
    headerd_applied *content = headerd_view_find(&view, "content");
    double began = seconds();
    content->offset.y += number % 40 < 20 ? 3 : -3;
    headerd_event event = headerd_did_scroll(content, began);
    int64_t seq = view.seq;
    check(headerd_scroll(client, header.handle, &event, 1000, apply, &view));
    printf("%.9f\n", seconds() - began);
    moved += view.seq > seq;
  }
  printf("%d\n", moved);
  for (long number = 0; number < scrolls; number++) {
    nanosleep(&pause, NULL);
    headerd_decision decision;
    double began = seconds(), y = headerd_view_find(&view, "content")->offset.y;
    check(headerd_decide(client, header.handle, &(headerd_event){
        .kind = HEADER_WIRE_WILL_END_DRAGGING, .time = began, .amount = {0, number % 2 ? 0.5 : -0.5}, .target = {0, y + 200},
        .given = HEADER_WIRE_HAS_TIME | HEADER_WIRE_HAS_AMOUNT_Y | HEADER_WIRE_HAS_TARGET_Y}, &decision));
    printf("%.9f\n", seconds() - began);
    tell(header.handle, HEADER_WIRE_DID_END_DRAGGING);
    tell(header.handle, HEADER_WIRE_WILL_BEGIN_DRAGGING);
    check(headerd_dispatch(client, apply, &view));
  }
  headerd_view_free(&view);
  headerd_free(client);
  return 0;
}
