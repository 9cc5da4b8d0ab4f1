/* SPDX-License-Identifier: MIT
 *
 * QuickReturn: a header that leaves with the content and comes back on a fling.
 *
 *     content goes up        the header goes along, until it is hidden
 *     content goes down      it stays away, so that one can read back in peace …
 *     … is flung down        … and comes along, from that fling until the content goes up again
 *     content near its top   it is never further away than the content is from its top
 *
 * A whole plugin in one file, written against header_plugin.h alone. Read it from the bottom up: the entry gives the
 * plugin's table, that its factory, that the behavior with its description and functions, and those are all above it.
 *
 *     cc -std=c11 -fPIC -shared -I…/include -Wl,--version-script=exported.map -o libQuickReturn.so QuickReturn.c
 */
#include "header_plugin.h"

#include <stdlib.h>
#include <string.h>

/* ── One instance, in one header ────────────────────────────────────────────────────────────────────────────────────── */

typedef struct quick_return {
  const header_host *host;
  header_context *context;
  double fling_velocity; /* option: points per millisecond that make a fling */
  double last_offset;    /* the content's offset that the header has followed so far */
  bool returns;          /* a fling calls the header back */
  header_value saved_items[2];
  header_value saved;    /* stays valid until the next call, as header_saved demands */
} quick_return;

enum { OPTION_FLING_VELOCITY };
enum { VALUE_PROGRESS };
enum { NOTICE_DID_RETURN };
enum { CALL_SHOW };

static double max(double a, double b) { return a > b ? a : b; }
static double min(double a, double b) { return a < b ? a : b; }

static void *create(const header_host *host, header_context *context, void *user_data) {
  (void)user_data;
  quick_return *self = calloc(1, sizeof *self);
  if (self == NULL) return NULL;
  self->host = host;
  self->context = context;
  self->fling_velocity = 0.5;
  return self;
}

static void destroy(void *self) { free(self); }

static int32_t set_option(void *instance, uint32_t option, const header_value *value) {
  quick_return *self = instance;
  if (option != OPTION_FLING_VELOCITY) return HEADER_REFUSED;
  self->fling_velocity = value->number; /* in range: the host has checked it against the description */
  return HEADER_OK;
}

/* ── The header ─────────────────────────────────────────────────────────────────────────────────────────────────────── */

/* Makes the drawers ours; another delegate's stay with it, and the host then refuses this one, naming both. */
static int32_t claim(quick_return *self) {
  uint32_t count = self->host->drawer_count(self->context);
  if (count == 0) {
    self->host->explain(self->context, "it needs a drawer to hide");
    return HEADER_REFUSED;
  }
  for (uint32_t drawer = 0; drawer < count; drawer++) {
    int32_t result = self->host->claim_drawer(self->context, drawer);
    if (result != HEADER_OK) return result;
  }
  return HEADER_OK;
}

/* How many points of the drawers are hidden: how far each is from where it would be expanded. */
static double hidden(const quick_return *self) {
  double sum = 0;
  uint32_t count = self->host->drawer_count(self->context);
  for (uint32_t drawer = 0; drawer < count; drawer++) {
    const header_drawer *record = self->host->drawer(self->context, drawer);
    if (record != NULL) sum += self->host->expanded_center(self->context, drawer).y - record->center.y;
  }
  return sum;
}

/* How many points can be hidden: the heights of the drawers that do not stick. */
static double travel(const quick_return *self) {
  double sum = 0;
  uint32_t count = self->host->drawer_count(self->context);
  for (uint32_t drawer = 0; drawer < count; drawer++) {
    const header_drawer *record = self->host->drawer(self->context, drawer);
    if (record != NULL && !record->is_sticky) sum += record->size.height;
  }
  return sum;
}

/* Hides that many points and tells how far that is. */
static int32_t hide(quick_return *self, double points) {
  double before = hidden(self), residual;
  int32_t result = self->host->move_chain(self->context, 0, before - points, &residual);
  if (result != HEADER_OK) return result;

  double all = travel(self), after = hidden(self);
  header_value progress = {.type = HEADER_NUMBER, .number = all > 0 ? after / all : 0};
  result = self->host->set_value(self->context, VALUE_PROGRESS, &progress);
  if (result == HEADER_OK && self->returns && before > 0 && after == 0)
    result = self->host->post(self->context, NOTICE_DID_RETURN, NULL, false);
  return result;
}

/* Hangs the drawers below the status bar, that many points of them hidden. */
static int32_t hang(quick_return *self, double points) {
  header_chain chain;
  int32_t result = self->host->get_chain(self->context, &chain);
  if (result != HEADER_OK) return result;
  const header_environment *environment = self->host->environment(self->context);
  chain.origin = environment->status_bar_hidden ? 0 : environment->status_bar_height;
  chain.hides_passed_drawers = false;
  result = self->host->set_chain(self->context, &chain);
  if (result == HEADER_OK) result = self->host->expand(self->context, 0);
  return result == HEADER_OK ? hide(self, points) : result;
}

/* ── Life ───────────────────────────────────────────────────────────────────────────────────────────────────────────── */

/* The scroll view that moves the header; NULL: there is none. */
static const header_scroll_view *tracking(const quick_return *self) {
  int32_t view = self->host->tracking_scroll_view(self->context);
  return view < 0 ? NULL : self->host->scroll_view(self->context, (uint32_t)view);
}

/* The next movement begins where the content is. */
static void note_offset(quick_return *self) {
  const header_scroll_view *view = tracking(self);
  if (view != NULL) self->last_offset = view->content_offset.y;
}

static int32_t attach(void *instance) {
  quick_return *self = instance;
  int32_t result = claim(self);
  if (result != HEADER_OK) return result;
  note_offset(self);
  return hang(self, 0);
}

/* What a reload hands over: everything that the options and the header's own records do not tell. */
static int32_t save(void *instance, header_saved *saved) {
  static const char *const names[] = {"lastOffset", "returns"};
  quick_return *self = instance;
  self->saved_items[0] = (header_value){.type = HEADER_NUMBER, .number = self->last_offset};
  self->saved_items[1] = (header_value){.type = HEADER_BOOL, .boolean = self->returns};
  self->saved = (header_value){.type = HEADER_RECORD, .count = 2, .items = self->saved_items, .names = names};
  saved->version = 1;
  saved->state = &self->saved;
  return HEADER_OK;
}

static int32_t restore(void *instance, const header_saved *saved) {
  quick_return *self = instance;
  const header_value *state = saved->state;
  if (saved->version != 1) {
    self->host->explain(self->context, "it takes over saved states of version 1 only");
    return HEADER_REFUSED;
  }
  for (uint32_t item = 0; state->type == HEADER_RECORD && item < state->count; item++) {
    if (strcmp(state->names[item], "lastOffset") == 0) self->last_offset = state->items[item].number;
    if (strcmp(state->names[item], "returns") == 0) self->returns = state->items[item].boolean;
  }
  return claim(self);
}

/* ── Events ─────────────────────────────────────────────────────────────────────────────────────────────────────────── */

static int32_t did_scroll(quick_return *self) {
  const header_scroll_view *view = tracking(self);
  if (view == NULL) return HEADER_OK;
  double offset = view->content_offset.y, delta = offset - self->last_offset;
  double from_top = max(0, offset + view->adjusted_content_inset.top);
  self->last_offset = offset;
  if (delta > 0) self->returns = false;
  double points = hidden(self);
  if (delta > 0 || self->returns) points += delta;
  return hide(self, min(max(0, points), min(travel(self), from_top)));
}

static int32_t receive(void *instance, const header_event *event, header_answer *answer) {
  quick_return *self = instance;
  (void)answer; /* nothing is rewritten: the content goes where it wanted to */
  int32_t track = self->host->tracking_scroll_view(self->context);
  switch (event->kind) {
    case HEADER_DID_SCROLL:
      return event->scroll_view == track ? did_scroll(self) : HEADER_OK;
    case HEADER_WILL_END_DRAGGING:
      if (event->scroll_view == track) self->returns = event->velocity.y <= -self->fling_velocity;
      return HEADER_OK;
    case HEADER_SET_TRACKING_SCROLL_VIEW: /* the way from one content to another is no scroll */
      note_offset(self);
      self->returns = false;
      return HEADER_OK;
    case HEADER_LAYOUT: {
      int32_t result = event->given & HEADER_LAYOUT_STRUCTURE ? claim(self) : HEADER_OK;
      uint64_t moves = HEADER_LAYOUT_STRUCTURE | HEADER_LAYOUT_STATUS_BAR_HEIGHT | HEADER_LAYOUT_STATUS_BAR_HIDDEN;
      return result == HEADER_OK && event->given & moves ? hang(self, hidden(self)) : result;
    }
    default:
      return HEADER_OK;
  }
}

static int32_t call(void *instance, uint32_t number, const header_value *arguments, header_value *result) {
  (void)arguments, (void)result;
  return number == CALL_SHOW ? hide(instance, 0) : HEADER_REFUSED;
}

/* ── The description ────────────────────────────────────────────────────────────────────────────────────────────────── */

static const header_option options[] = {
  [OPTION_FLING_VELOCITY] = {
    .struct_size = sizeof(header_option),
    .name = "flingVelocity",
    .type = HEADER_TYPE_NUMBER,
    .unit = "points per millisecond",
    .default_value = {.type = HEADER_NUMBER, .number = 0.5},
    .has_minimum = true, .minimum = 0,
    .has_maximum = true, .maximum = 100,
    .meaning = "How fast the content has to be flung down for the header to return.",
  },
};

static const header_value_description values[] = {
  [VALUE_PROGRESS] = {
    .struct_size = sizeof(header_value_description),
    .name = "progress",
    .type = HEADER_TYPE_NUMBER,
    .initial = {.type = HEADER_NUMBER, .number = 0},
    .meaning = "How much of the header is hidden: 0 none, 1 all of it.",
  },
};

static const header_call_description calls[] = {
  [CALL_SHOW] = {
    .struct_size = sizeof(header_call_description),
    .name = "show",
    .meaning = "Shows the header at once.",
  },
};

static const char *const notices[] = {[NOTICE_DID_RETURN] = "didReturn"};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const header_behavior behavior = {
  .struct_size = sizeof(header_behavior),
  .name = "QuickReturn",
  .summary = "Leaves with the content and returns on a fling.",
  .moves = true,
  .events = HEADER_EVENT(HEADER_DID_SCROLL) | HEADER_EVENT(HEADER_WILL_END_DRAGGING) | HEADER_EVENT(HEADER_LAYOUT) |
            HEADER_EVENT(HEADER_SET_TRACKING_SCROLL_VIEW),
  .options = options, .option_count = COUNT(options),
  .values = values, .value_count = COUNT(values),
  .calls = calls, .call_count = COUNT(calls),
  .notices = notices, .notice_count = COUNT(notices),
  .saved_version = 1,
  .create = create,
  .destroy = destroy,
  .set_option = set_option,
  .attach = attach,
  .receive = receive,
  .call = call,
  .save = save,
  .restore = restore,
};

static const header_behavior *const behaviors[] = {&behavior};

static const header_behavior_factory factory = {
  .struct_size = sizeof(header_behavior_factory), .count = COUNT(behaviors), .behaviors = behaviors};

static const void *get_factory(const char *id) { return strcmp(id, HEADER_BEHAVIOR_FACTORY) == 0 ? &factory : NULL; }

static const header_plugin plugin = {
  .struct_size = sizeof(header_plugin),
  .abi_major = HEADER_ABI_MAJOR,
  .abi_minor = HEADER_ABI_MINOR,
  .name = "QuickReturn",
  .version = "0.1.0",
  .summary = "An example of a plugin in plain C.",
  .get_factory = get_factory,
};

const header_plugin *header_plugin_entry(uint16_t host_abi_major, uint16_t host_abi_minor) {
  (void)host_abi_minor;
  return host_abi_major == HEADER_ABI_MAJOR ? &plugin : NULL;
}
