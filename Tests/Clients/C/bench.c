/* SPDX-License-Identifier: MIT
 *
 * Times headerd_scroll: bench SOCKET SCROLLS PAUSE prints the seconds of each, and how many moved the header (Tests/Clients/bench.py).
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
  check(headerd_send_event(client, header.handle, &(headerd_event){
      .kind = HEADER_WIRE_WILL_BEGIN_DRAGGING, .given = HEADER_WIRE_HAS_TIME, .time = seconds()}));
  for (long number = 0; number < strtol(arguments[2], NULL, 10); number++) {
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
  headerd_view_free(&view);
  headerd_free(client);
  return 0;
}
