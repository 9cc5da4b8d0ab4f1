/* SPDX-License-Identifier: MIT
 *
 * Does the steps of a conformance script with the client for C: steps on stdin, a line of JSON for each on stdout
 * (Tests/Clients/README.md).
 */
#define _POSIX_C_SOURCE 200809L

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "headerd_client.h"

enum { ACTORS = 4, HEADERS = 8 };

/* A header as an actor knows it. */
typedef struct header {
  char name[129];
  uint64_t handle;
  headerd_view view;
} header;

typedef struct actor {
  char name[32];
  headerd_client *client;
  header headers[HEADERS];
  bool mirrors;
} actor;

static actor actors[ACTORS];

static const struct {
  const char *name;
  uint8_t kind;
} kinds[] = {
    {"willBeginDragging", HEADER_WIRE_WILL_BEGIN_DRAGGING}, {"didScroll", HEADER_WIRE_DID_SCROLL},
    {"willEndDragging", HEADER_WIRE_WILL_END_DRAGGING},     {"didEndDragging", HEADER_WIRE_DID_END_DRAGGING},
    {"shouldScrollToTop", HEADER_WIRE_SHOULD_SCROLL_TO_TOP}, {"willScroll", HEADER_WIRE_WILL_SCROLL},
};

/* ── JSON ─────────────────────────────────────────────────────────────────────────────────────────────────────────── */

static void print_text(const char *text) {
  if (!text) {
    printf("null");
    return;
  }
  putchar('"');
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') printf("\\%c", *text);
    else if ((unsigned char)*text < ' ') printf("\\u%04x", (unsigned)*text);
    else putchar(*text);
  }
  putchar('"');
}

static void print_point(header_wire_point point) { printf("[%.17g,%.17g]", point.x, point.y); }

static void print_object(const char *key, header_wire_point point) {
  printf(",\"%s\":{\"x\":%.17g,\"y\":%.17g}", key, point.x, point.y);
}

static const char *boolean(bool yes) { return yes ? "true" : "false"; }

static void print_error(const char *key, const headerd_error *error) {
  printf("{\"%s\":{\"code\":%d,\"name\":", key, error->code);
  print_text(error->name);
  printf(",\"message\":");
  print_text(error->message);
  printf(",\"field\":");
  print_text(error->field);
  printf(",\"hint\":");
  print_text(error->hint);
  printf(",\"data\":%s}}", error->data);
}

static void print_value(const headerd_value *value) {
  switch (value->type) {
    case HEADER_WIRE_BOOL: printf("%s", boolean(value->yes)); break;
    case HEADER_WIRE_NUMBER: printf("%.17g", value->number); break;
    case HEADER_WIRE_TEXT: print_text(value->text); break;
    default: printf("null");
  }
}

static header *find_header(actor *one, const char *name) {
  header *found = one->headers;
  while (found->name[0] && strcmp(found->name, name) != 0) found++;
  if (found >= one->headers + HEADERS) abort();
  snprintf(found->name, sizeof found->name, "%s", name);
  return found;
}

static void print_values(const headerd_state *state) {
  printf("\"values\":{");
  for (size_t index = 0; index < state->value_count; index++) {
    printf("%s\"%s\":", index ? "," : "", state->values[index].name);
    print_value(&state->values[index]);
  }
  printf("}");
}

static void print_drawers(const headerd_state *state) {
  printf("\"drawers\":[");
  for (size_t index = 0; index < state->drawer_count; index++) {
    const headerd_drawer *drawer = &state->drawers[index];
    printf("%s{\"name\":\"%s\",\"frame\":[%.17g,%.17g,%.17g,%.17g],\"alpha\":%.9g,\"hidden\":%s,\"translation\":",
           index ? "," : "", drawer->name, drawer->frame.x, drawer->frame.y, drawer->frame.width, drawer->frame.height,
           (double)drawer->alpha, boolean(drawer->hidden));
    print_point(drawer->translation);
    printf("}");
  }
  printf("]");
}

static void print_insets(header_wire_insets inset) {
  printf("[%.17g,%.17g,%.17g,%.17g]", inset.top, inset.left, inset.bottom, inset.right);
}

/* What few states have: the opacity of elements, where the header is, and what it covers. */
static void print_looks(const headerd_state *state) {
  for (size_t index = 0; index < state->element_count; index++)
    printf("%s\"%s\":%.9g", index ? "," : ",\"elements\":{", state->elements[index].name, (double)state->elements[index].alpha);
  if (state->element_count) printf("}");
  if (state->position) printf(",\"progress\":%.17g", state->position->progress);
  size_t size;
  const char *covered = state->position ? headerd_json_find(state->position_more, "obstruction", &size) : NULL;
  if (covered) printf(",\"obstruction\":%.*s", (int)size, covered);
}

static void print_state(const char *name, const headerd_state *state, const headerd_view *view) {
  printf("{\"state\":{\"header\":\"%s\",\"epoch\":%lld,\"seq\":%lld,\"time\":%.17g,\"snapshot\":%s,", name,
         (long long)state->epoch, (long long)state->seq, state->time, boolean(state->snapshot));
  print_values(state);
  printf(",\"offsets\":{");
  for (size_t index = 0; index < state->scroll_view_count; index++) {
    printf("%s\"%s\":", index ? "," : "", state->scroll_views[index].name);
    print_point(state->scroll_views[index].content_offset);
  }
  printf("}");
  if (state->has_ahead) printf(",\"ahead\":true");
  print_looks(state);
  printf("},\"view\":{");
  print_drawers(state);
  printf(",\"scrollViews\":{");
  for (size_t index = 0; index < view->count; index++) {
    const headerd_applied *applied = &view->scroll_views[index];
    printf("%s\"%s\":{\"offset\":", index ? "," : "", applied->name);
    print_point(applied->offset);
    printf(",\"inset\":");
    print_insets(applied->inset);
    printf(",\"correction\":");
    print_point(applied->correction);
    printf("}");
  }
  printf("}}}");
}

static void print_gap(const headerd_message *message) {
  printf("{\"gap\":{\"header\":\"%s\",\"epoch\":%lld,\"reason\":\"%s\"", message->header, (long long)message->epoch,
         message->reason);
  if (message->from == 0) printf(",\"from\":null,\"to\":null}}");
  else printf(",\"from\":%lld,\"to\":%lld}}", (long long)message->from, (long long)message->to);
}

static void print_message(actor *one, const headerd_message *message) {
  header *known;
  switch (message->kind) {
    case HEADERD_STATE:
      known = find_header(one, message->header);
      known->handle = message->state.handle;
      known->view.mirrors = one->mirrors;
      if (headerd_view_apply(&known->view, &message->state) != HEADERD_OK) abort();
      print_state(message->header, &message->state, &known->view);
      break;
    case HEADERD_GAP: print_gap(message); break;
    case HEADERD_CLOSED:
      printf("{\"closed\":{\"header\":\"%s\",\"epoch\":%lld,\"seq\":%lld,\"reason\":\"%s\"}}", message->header,
             (long long)message->epoch, (long long)message->seq, message->reason);
      break;
    case HEADERD_FAILURE: print_error("failure", &message->error); break;
    case HEADERD_OTHER: printf("{\"other\":%s}", message->json); break;
  }
}

static void print_decision(const headerd_decision *decision) {
  printf("{\"decided\":{\"seq\":%lld", (long long)decision->seq);
  if (decision->told & HEADER_WIRE_TOLD_TARGET) print_object("targetOffset", decision->target);
  if (decision->told & HEADER_WIRE_TOLD_RETURNED)
    printf(",\"returned\":%s", boolean(decision->told & HEADER_WIRE_RETURNED_YES));
  if (decision->told & HEADER_WIRE_TOLD_REWRITTEN) {
    printf(",\"rewrittenBy\":");
    print_text(decision->rewritten_by[0] ? decision->rewritten_by : NULL);
  }
  if (decision->told & HEADER_WIRE_TOLD_CONSUMED) {
    print_object("consumed", decision->consumed);
    print_object("residual", decision->residual);
  }
  printf("}}");
}

/* What became of a step that did not succeed. */
static void print_status(const actor *one, headerd_status status) {
  switch (status) {
    case HEADERD_TIMEOUT: printf("{\"timeout\":true}"); break;
    case HEADERD_REFUSED: print_error("error", headerd_last_error(one->client)); break;
    case HEADERD_LOST:
      printf("{\"lost\":");
      print_text(headerd_reason(one->client));
      printf("}");
      break;
    case HEADERD_NO_DAEMON: printf("{\"noDaemon\":\"%s\"}", headerd_default_socket()); break;
    default: abort();
  }
}

/* ── Steps ────────────────────────────────────────────────────────────────────────────────────────────────────────── */

/* Puts a FIELD=VALUE into an event. */
static void set_field(headerd_event *event, const char *word) {
  char key[32] = {0};
  const char *value = strchr(word, '=') + 1;
  snprintf(key, sizeof key, "%.*s", (int)(value - 1 - word), word);
  double number = strtod(value, NULL);
  const struct {
    const char *key;
    double *field;
    uint16_t given;
  } numbers[] = {
      {"time", &event->time, HEADER_WIRE_HAS_TIME},
      {"offset.x", &event->offset.x, HEADER_WIRE_HAS_OFFSET_X},
      {"offset.y", &event->offset.y, HEADER_WIRE_HAS_OFFSET_Y},
      {"velocity.x", &event->amount.x, HEADER_WIRE_HAS_AMOUNT_X},
      {"velocity.y", &event->amount.y, HEADER_WIRE_HAS_AMOUNT_Y},
      {"delta.x", &event->amount.x, HEADER_WIRE_HAS_AMOUNT_X},
      {"delta.y", &event->amount.y, HEADER_WIRE_HAS_AMOUNT_Y},
      {"targetOffset.x", &event->target.x, HEADER_WIRE_HAS_TARGET_X},
      {"targetOffset.y", &event->target.y, HEADER_WIRE_HAS_TARGET_Y},
  };
  for (size_t index = 0; index < sizeof numbers / sizeof numbers[0]; index++) {
    if (strcmp(numbers[index].key, key) != 0) continue;
    *numbers[index].field = number;
    event->given |= numbers[index].given;
    return;
  }
  if (strcmp(key, "willDecelerate") == 0) {
    event->given |= HEADER_WIRE_HAS_YES;
    event->flags |= strcmp(value, "true") == 0 ? HEADER_WIRE_IS_YES : 0;
  } else if (strcmp(word, "source=\"drag\"") == 0) {
    event->given |= HEADER_WIRE_HAS_SOURCE;
    event->source = HEADER_WIRE_SOURCE_DRAG;
  } else {
    abort();
  }
}

static headerd_event read_event(const char *name) {
  headerd_event event = {0};
  size_t index = 0;
  while (strcmp(kinds[index].name, name) != 0)
    if (++index == sizeof kinds / sizeof kinds[0]) abort();
  event.kind = kinds[index].kind;
  for (char *word = strtok(NULL, " "); word; word = strtok(NULL, " ")) set_field(&event, word);
  return event;
}

/* Moves the content of the actor's view, and gives the event that reports it. */
static headerd_event read_scroll(actor *one, const char *name, headerd_applied **applied) {
  *applied = headerd_view_find(&find_header(one, name)->view, strtok(NULL, " "));
  if (!*applied) abort();
  (*applied)->offset.y += strtod(strtok(NULL, " "), NULL);
  headerd_event event = headerd_did_scroll(*applied, 0);
  event.given &= (uint16_t)~HEADER_WIRE_HAS_TIME;
  for (char *word = strtok(NULL, " "); word; word = strtok(NULL, " ")) set_field(&event, word);
  return event;
}

static headerd_status scroll(actor *one) {
  char *name = strtok(NULL, " ");
  headerd_applied *applied;
  headerd_event event = read_scroll(one, name, &applied);
  headerd_status status = headerd_send_event(one->client, find_header(one, name)->handle, &event);
  if (status == HEADERD_OK)
    printf("{\"sent\":true,\"offset\":%.17g,\"correction\":%.17g}", applied->offset.y, applied->correction.y);
  return status;
}

/* What the actor's view says of its content moved by so much, in a drag if one more word follows. */
static void at(actor *one) {
  headerd_view *view = &find_header(one, strtok(NULL, " "))->view;
  headerd_applied *applied = headerd_view_find(view, strtok(NULL, " "));
  if (!applied) abort();
  double offset = applied->offset.y + strtod(strtok(NULL, " "), NULL);
  const headerd_state *state = headerd_view_at(view, offset, strtok(NULL, " "));
  if (!state) abort();
  printf("{\"at\":{");
  print_values(state);
  printf(",");
  print_drawers(state);
  printf(",\"insets\":{");
  for (size_t index = 0; index < state->scroll_view_count; index++) {
    printf("%s\"%s\":", index ? "," : "", state->scroll_views[index].name);
    print_insets(state->scroll_views[index].content_inset);
  }
  printf("}");
  print_looks(state);
  printf("}}");
}

static headerd_status next(actor *one, int timeout) {
  const headerd_message *message;
  headerd_status status = headerd_next(one->client, timeout, &message);
  if (status == HEADERD_OK) print_message(one, message);
  return status;
}

/* Messages as they are handed out. */
typedef struct listing {
  actor *one;
  size_t count;
} listing;

static void list_message(void *data, const headerd_message *message) {
  listing *list = data;
  printf(list->count++ ? "," : "{\"came\":[");
  print_message(list->one, message);
}

static void end_list(const listing *list) { printf(list->count ? "]}" : "{\"came\":[]}"); }

/* Scrolls and waits; what came is listed. */
static headerd_status turn(actor *one) {
  listing list = {one, 0};
  int timeout = (int)strtol(strtok(NULL, " "), NULL, 10);
  char *name = strtok(NULL, " ");
  headerd_applied *applied;
  headerd_event event = read_scroll(one, name, &applied);
  headerd_status status = headerd_scroll(one->client, find_header(one, name)->handle, &event, timeout, list_message, &list);
  if (status == HEADERD_REFUSED) {
    headerd_message refusal = {.kind = HEADERD_FAILURE, .error = *headerd_last_error(one->client)};
    list_message(&list, &refusal);
  }
  if (status == HEADERD_TIMEOUT || status == HEADERD_REFUSED) status = HEADERD_OK;
  if (status == HEADERD_OK) end_list(&list);
  return status;
}

/* Waits for the descriptor and dispatches, until a message came. */
static headerd_status dispatch(actor *one) {
  listing list = {one, 0};
  headerd_status status = HEADERD_OK;
  struct pollfd polled = {.fd = headerd_fd(one->client), .events = POLLIN};
  while (status == HEADERD_OK && list.count == 0 &&
         (headerd_pending(one->client) > 0 || polled.fd < 0 || poll(&polled, 1, 10000) > 0))
    status = headerd_dispatch(one->client, list_message, &list);
  if (status == HEADERD_OK) end_list(&list);
  return status;
}

static headerd_status do_json(actor *one, const char *verb, const char *rest) {
  headerd_status status;
  if (strcmp(verb, "open") == 0) {
    headerd_opened opened;
    char name[129] = {0};
    headerd_json_text(rest, "header", name, sizeof name);
    status = headerd_open(one->client, rest, &opened);
    if (status != HEADERD_OK) return status;
    find_header(one, name)->handle = opened.handle;
    printf("{\"opened\":{\"header\":\"%s\",\"epoch\":%lld,\"seq\":%lld,\"created\":%s}}", name, (long long)opened.epoch,
           (long long)opened.seq, boolean(opened.created));
  } else if (strcmp(verb, "subscribe") == 0) {
    headerd_subscribed subscribed;
    one->mirrors = strstr(rest, "contentOffset") != NULL;
    status = headerd_subscribe(one->client, rest, &subscribed);
    if (status == HEADERD_OK)
      printf("{\"subscribed\":{\"subscription\":%llu,\"matched\":%llu}}", (unsigned long long)subscribed.subscription,
             (unsigned long long)subscribed.matched);
  } else {
    char method[64];
    const char *params = strchr(rest, ' ') + 1, *result, *warnings;
    snprintf(method, sizeof method, "%.*s", (int)(params - 1 - rest), rest);
    if (strcmp(verb, "notify") == 0) {
      status = headerd_notify(one->client, method, params);
      if (status == HEADERD_OK) printf("{\"sent\":true}");
      return status;
    }
    status = headerd_request(one->client, method, params, &result, &warnings);
    if (status == HEADERD_OK) printf("{\"result\":%s,\"warnings\":%s}", result, warnings);
  }
  return status;
}

static headerd_status do_step(actor *one, const char *verb) {
  headerd_status status = HEADERD_OK;
  if (strcmp(verb, "event") == 0) {
    char *name = strtok(NULL, " ");
    headerd_event event = read_event(strtok(NULL, " "));
    status = headerd_send_event(one->client, find_header(one, name)->handle, &event);
    if (status == HEADERD_OK) printf("{\"sent\":true}");
  } else if (strcmp(verb, "decide") == 0) {
    headerd_decision decision;
    uint64_t handle = find_header(one, strtok(NULL, " "))->handle;
    headerd_event event = read_event(strtok(NULL, " "));
    status = headerd_decide(one->client, handle, &event, &decision);
    if (status == HEADERD_OK) print_decision(&decision);
  } else if (strcmp(verb, "scroll") == 0) {
    status = scroll(one);
  } else if (strcmp(verb, "at") == 0) {
    at(one);
  } else if (strcmp(verb, "turn") == 0) {
    status = turn(one);
  } else if (strcmp(verb, "dispatch") == 0) {
    status = dispatch(one);
  } else if (strcmp(verb, "unsubscribe") == 0) {
    status = headerd_unsubscribe(one->client, strtoull(strtok(NULL, " "), NULL, 10));
    if (status == HEADERD_OK) printf("{\"unsubscribed\":true}");
  } else if (strcmp(verb, "next") == 0) {
    status = next(one, 10000);
  } else if (strcmp(verb, "none") == 0) {
    status = headerd_request(one->client, "ping", NULL, NULL, NULL);
    if (status == HEADERD_OK) status = next(one, 0);
    if (status == HEADERD_TIMEOUT) status = HEADERD_OK, printf("{\"none\":true}");
  } else if (strcmp(verb, "resume") == 0) {
    status = headerd_resume(one->client);
    if (status == HEADERD_OK) printf("{\"resumed\":true}");
  } else if (strcmp(verb, "close") == 0) {
    headerd_disconnect(one->client);
    printf("{\"disconnected\":true}");
  } else {
    abort();
  }
  return status;
}

static void hear(int number) { (void)number; }

/* Signals that mean nothing, as of a profiler: no request ends early by one. */
static void ring(bool rings) {
  struct itimerval often = {0};
  if (rings) often.it_interval.tv_usec = often.it_value.tv_usec = 1000;
  setitimer(ITIMER_REAL, &often, NULL);
}

static bool takes_json(const char *verb) {
  const char *verbs[] = {"open", "subscribe", "request", "notify"};
  for (size_t index = 0; index < sizeof verbs / sizeof verbs[0]; index++)
    if (strcmp(verbs[index], verb) == 0) return true;
  return false;
}

static void perform(char *step) {
  char *rest = strchr(strchr(step, ' ') + 1, ' ');
  rest = rest ? rest + 1 : "";
  char *json = strdup(rest);
  char *who = strtok(step, " "), *verb = strtok(NULL, " ");
  actor *one = actors;
  while (one->name[0] && strcmp(one->name, who) != 0) one++;
  snprintf(one->name, sizeof one->name, "%s", who);
  headerd_status status = HEADERD_OK;
  if (strcmp(verb, "socket") == 0) {
    printf("{\"socket\":\"%s\"}", headerd_default_socket());
  } else if (strcmp(verb, "connect") == 0) {
    headerd_free(one->client);
    status = headerd_connect(NULL, "conformance", &one->client);
    if (status == HEADERD_OK) printf("{\"connected\":true}");
  } else if (takes_json(verb)) {
    ring(true);
    status = do_json(one, verb, json);
    ring(false);
  } else {
    status = do_step(one, verb);
  }
  if (status != HEADERD_OK) print_status(one, status);
  putchar('\n');
  fflush(stdout);
  free(json);
}

int main(void) {
  struct sigaction action = {.sa_handler = hear, .sa_flags = SA_RESTART};
  sigaction(SIGALRM, &action, NULL);
  char *line = NULL;
  size_t capacity = 0;
  for (ssize_t size; (size = getline(&line, &capacity, stdin)) > 0;) {
    line[strcspn(line, "\n")] = 0;
    perform(line);
  }
  free(line);
  for (actor *one = actors; one < actors + ACTORS; one++) {
    for (header *known = one->headers; known < one->headers + HEADERS; known++) headerd_view_free(&known->view);
    headerd_free(one->client);
  }
  return 0;
}
