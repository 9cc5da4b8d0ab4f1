/* SPDX-License-Identifier: MIT
 *
 * A plugin that breaks the rules of header_plugin.h, one at a time. What is wrong with its description is chosen when it
 * is compiled (-DNO_SYMBOL, -DABI_MAJOR=2 …); what it does wrong while it lives is chosen by its options: `act` says what,
 * `when` in which of its functions. Without either it is a well-behaved counter of didScroll, which is how versions 1, 2
 * and 3 of one plugin are made for the tests of reloading (-DVERSION=2, -DREFUSES_RESTORE).
 *
 * PluginHostTests compiles it with cc, as often as it needs.
 */
#include "header_plugin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifndef PLUGIN_NAME
#define PLUGIN_NAME "Faulty"
#endif
#ifndef BEHAVIOR_NAME
#define BEHAVIOR_NAME "Faulty"
#endif
#ifndef VERSION
#define VERSION 1
#endif
#ifndef ABI_MAJOR
#define ABI_MAJOR HEADER_ABI_MAJOR
#endif
#ifndef PLUGIN_STRUCT_SIZE
#define PLUGIN_STRUCT_SIZE sizeof(header_plugin)
#endif
#ifndef BEHAVIOR_STRUCT_SIZE
#define BEHAVIOR_STRUCT_SIZE sizeof(header_behavior)
#endif
#ifndef FACTORY_COUNT
#define FACTORY_COUNT 1
#endif
#ifndef EVENTS
#define EVENTS ((UINT64_C(1) << 24) - 1)
#endif
#ifndef SPEED_DEFAULT
#define SPEED_DEFAULT 1
#endif
#ifndef SPEED_TYPE
#define SPEED_TYPE HEADER_TYPE_NUMBER
#endif
#ifndef SPEED_MINIMUM
#define SPEED_MINIMUM 0
#endif
#ifndef SPEED_UNIT
#define SPEED_UNIT "points"
#endif
#ifndef SPEED_CASES
#define SPEED_CASES NULL
#endif
#ifndef SPEED_CASE_COUNT
#define SPEED_CASE_COUNT 0
#endif
#ifndef FACTORY_STRUCT_SIZE
#define FACTORY_STRUCT_SIZE sizeof(header_behavior_factory)
#endif
#ifndef VALUE_STRUCT_SIZE
#define VALUE_STRUCT_SIZE sizeof(header_value_description)
#endif
#ifndef VALUE_COUNT
#define VALUE_COUNT 1
#endif
#ifndef CALL_STRUCT_SIZE
#define CALL_STRUCT_SIZE sizeof(header_call_description)
#endif
#ifndef CALL_COUNT
#define CALL_COUNT 1
#endif
#ifndef ARGUMENT_COUNT
#define ARGUMENT_COUNT 1
#endif
#ifndef NOTICE_COUNT
#define NOTICE_COUNT 1
#endif
#ifndef OPTION_LIST
#define OPTION_LIST (const header_option *)options
#endif
#ifndef OPTION_COUNT
#define OPTION_COUNT sizeof options / sizeof options[0]
#endif
#ifndef NOTICE_LIST
#define NOTICE_LIST notices
#endif
#ifndef SAVED_VERSION
#define SAVED_VERSION VERSION
#endif
#ifndef VALUE_INITIAL
#define VALUE_INITIAL HEADER_NUMBER
#endif
#ifndef SECOND_OPTION
#define SECOND_OPTION "when"
#endif
#ifndef VALUE_TYPE
#define VALUE_TYPE HEADER_TYPE_NUMBER
#endif
#ifndef NOTICE
#define NOTICE "happened"
#endif
#ifndef SUMMARY
#define SUMMARY "Counts scrolls, and breaks rules on demand."
#endif
#ifndef BEHAVIORS
#define BEHAVIORS &behavior
#endif
#ifndef CALL_ARGUMENT_MEANING
#define CALL_ARGUMENT_MEANING "Given back."
#endif

/* ── One instance ───────────────────────────────────────────────────────────────────────────────────────────────────── */

typedef struct faulty {
  const header_host *host;
  header_context *context;
  char act[64], when[64];
  double count;
  bool claims;
  header_value items[2];
  header_value state;
  char text[8];
} faulty;

static int32_t perform(faulty *self);

static int32_t at(faulty *self, const char *when) {
  return self->act[0] != 0 && strcmp(self->when, when) == 0 ? perform(self) : HEADER_OK;
}

static void *create(const header_host *host, header_context *context, void *user_data) {
  (void)user_data;
#ifdef CREATES_NOTHING
  host->explain(context, "there is no room");
  return NULL;
#endif
  faulty *self = calloc(1, sizeof *self);
  self->host = host;
  self->context = context;
  strcpy(self->when, "didScroll");
#ifdef CREATE_USES_HOST
  host->start_frames(context);
#endif
  return self;
}

static void destroy(void *instance) {
  faulty *self = instance;
  at(self, "destroy");
  free(self);
}

static int32_t set_option(void *instance, uint32_t option, const header_value *value) {
  faulty *self = instance;
  switch (option) {
    case 0:
      if (strcmp(value->text, "refuse") == 0) {
        self->host->explain(self->context, "it is not in the mood");
        return HEADER_REFUSED;
      }
      if (strcmp(value->text, "fail") == 0) {
        self->host->explain(self->context, "it fell over");
        return HEADER_FAILED;
      }
      strncpy(self->act, value->text, sizeof self->act - 1);
      self->act[sizeof self->act - 1] = 0;
      return HEADER_OK;
    case 1: strncpy(self->when, value->text, sizeof self->when - 1); return at(self, "option");
    case 2: return HEADER_OK;
    case 3: self->claims = value->boolean; return HEADER_OK;
    default: return HEADER_REFUSED;
  }
}

static int32_t claim_all(faulty *self) {
  if (!self->claims) return HEADER_OK;
  for (uint32_t drawer = 0; drawer < self->host->drawer_count(self->context); drawer++) {
    int32_t result = self->host->claim_drawer(self->context, drawer);
    if (result != HEADER_OK) return result;
  }
  return HEADER_OK;
}

static int32_t attach(void *instance) {
  faulty *self = instance;
  int32_t result = claim_all(self);
  return result == HEADER_OK ? at(self, "attach") : result;
}

static void detach(void *instance) { at(instance, "detach"); }

static header_value number(double value) {
  header_value result = {.type = HEADER_NUMBER, .number = value};
  return result;
}

static int32_t receive(void *instance, const header_event *event, header_answer *answer) {
  faulty *self = instance;
  if (event->kind == HEADER_WILL_END_DRAGGING && strcmp(self->when, "target") == 0) {
    answer->has_target_offset = true;
    answer->target_offset.y = strcmp(self->act, "nan") == 0 ? NAN : strcmp(self->act, "huge") == 0 ? 1e300 : 12;
  }
  if (event->kind == HEADER_WILL_SCROLL && strcmp(self->when, "consume") == 0) {
    answer->has_consumed = true;
    answer->consumed.y = event->delta.y * 1.5;
  }
  if (event->kind != HEADER_DID_SCROLL) return HEADER_OK;
  if (strcmp(self->act, "nestsEndlessly") == 0) return perform(self);
  if (event->depth > 0) return HEADER_OK;
  self->count += 1;
  header_value count = number(self->count);
  self->host->set_value(self->context, 0, &count);
  return at(self, "didScroll");
}

static int32_t call(void *instance, uint32_t number, const header_value *arguments, header_value *result) {
  faulty *self = instance;
  (void)number;
  *result = arguments->items != NULL ? arguments->items[0] : *result;
  return at(self, "call");
}

static int32_t layout(void *self) { return at(self, "layout"); }
#ifndef NO_FRAME
static int32_t frame(void *self, double duration) { (void)duration; return at(self, "frame"); }
#endif
static int32_t timer(void *self, uint64_t token) { (void)token; return at(self, "timer"); }
static int32_t completion(void *self, uint64_t token) { (void)token; return at(self, "completion"); }
static int32_t after_event(void *self, uint64_t token) { (void)token; return at(self, "afterEvent"); }

static const char *const count_name[] = {"count"};
static const char *const twice_names[] = {"count", "count"};

static int32_t save(void *instance, header_saved *saved) {
  faulty *self = instance;
  self->items[0] = number(self->count);
  self->items[1] = number(0);
  header_value state = {.type = HEADER_RECORD, .count = 1, .items = self->items, .names = count_name};
  if (strcmp(self->when, "save") == 0) {
    const char *act = self->act;
    if (strcmp(act, "badType") == 0) self->items[0].type = 99;
    else if (strcmp(act, "nan") == 0) self->items[0].number = NAN;
    else if (strcmp(act, "noItems") == 0) state.items = NULL;
    else if (strcmp(act, "noNames") == 0) state.names = NULL;
    else if (strcmp(act, "manyItems") == 0) state.count = 70000;
    else if (strcmp(act, "noText") == 0) self->items[0] = (header_value){.type = HEADER_TEXT};
    else if (strcmp(act, "notUTF8") == 0) {
      strcpy(self->text, "\xff\xfe");
      self->items[0] = (header_value){.type = HEADER_TEXT, .count = 2, .text = self->text};
    } else if (strcmp(act, "nameTwice") == 0) {
      state.count = 2;
      state.names = twice_names;
    } else if (strcmp(act, "endless") == 0) {
      self->items[0] = (header_value){.type = HEADER_LIST, .count = 1, .items = self->items};
    } else if (strcmp(act, "bomb") == 0) { /* two lists of themselves: 2^64 values */
      self->items[0] = (header_value){.type = HEADER_LIST, .count = 2, .items = self->items};
      self->items[1] = self->items[0];
    } else if (strcmp(act, "nothing") == 0) {
      return HEADER_OK;
    } else {
      int32_t result = perform(self);
      if (result != HEADER_OK) return result;
    }
  }
  self->state = state;
  saved->state = &self->state;
  return HEADER_OK;
}

static int32_t restore(void *instance, const header_saved *saved) {
  faulty *self = instance;
  int32_t result = claim_all(self);
  if (result != HEADER_OK) return result;
  if (saved->state->type == HEADER_RECORD && saved->state->count == 1) self->count = saved->state->items[0].number;
#ifdef REFUSES_RESTORE
  self->host->explain(self->context, "version " "3 knows no older state");
  return HEADER_REFUSED;
#endif
#ifdef RESTORE_CHANGES
  header_value value = number(-1);
  return self->host->set_value(self->context, 0, &value);
#endif
  return at(self, "restore");
}

/* ── What it can do wrong ───────────────────────────────────────────────────────────────────────────────────────────── */

static int32_t perform(faulty *self) {
  const header_host *host = self->host;
  header_context *context = self->context;
  const char *act = self->act;
#define IS(name) (strcmp(act, name) == 0)
  header_point nan_point = {0, NAN}, infinite_point = {INFINITY, 0}, huge_point = {0, 1e300};
  header_insets nan_insets = {NAN, 0, 0, 0}, huge_insets = {0, 0, 1e300, 0};
  header_rect nan_rect = {{0, 0}, {NAN, 10}}, huge_rect = {{0, 1e300}, {0, 10}}, negative_rect = {{0, 0}, {10, -1}};
  header_value nan_value = number(NAN), list = {.type = HEADER_LIST}, odd = {.type = 77};

  if (IS("failed")) return HEADER_FAILED;
  if (IS("failedWithReason")) return host->explain(context, "the dog ate it"), HEADER_FAILED;
  if (IS("refused")) return host->explain(context, "not now"), HEADER_REFUSED;
  if (IS("result77")) return 77;
  if (IS("badReason")) return host->explain(context, "\xff"), HEADER_FAILED;

  if (IS("offsetNaN")) host->set_content_offset(context, 0, nan_point);
  if (IS("offsetInfinite")) host->set_content_offset(context, 0, infinite_point);
  if (IS("offsetHuge")) host->move_silently(context, 0, huge_point);
  if (IS("insetNaN")) host->set_content_inset(context, 0, nan_insets);
  if (IS("insetHuge")) host->set_content_inset(context, 0, huge_insets);
  if (IS("indicatorsNaN")) host->set_scroll_indicator_insets(context, 0, nan_insets);
  if (IS("viewFrameNaN")) host->set_scroll_view_frame(context, 0, nan_rect);
  if (IS("viewFrameNegative")) host->set_scroll_view_frame(context, 0, negative_rect);
  if (IS("contentSizeNaN")) host->set_content_size(context, 0, nan_rect.size);
  if (IS("noView")) host->set_content_offset(context, 7, infinite_point);
  if (IS("drawerFrameNaN")) host->set_drawer_frame(context, 0, nan_rect);
  if (IS("drawerFrameHuge")) host->set_drawer_frame(context, 0, huge_rect);
  if (IS("drawerNegative")) host->set_drawer_frame(context, 0, negative_rect);
  if (IS("drawerCenterNaN")) host->set_drawer_center(context, 0, nan_point, negative_rect.size);
  if (IS("moveInfinite")) host->move_chain(context, 0, INFINITY, NULL);
  if (IS("alphaNaN")) host->set_drawer_alpha(context, 0, NAN);
  if (IS("unknownFade")) host->set_drawer_fade(context, 0, 9);
  if (IS("foreignDrawer")) host->move_drawer(context, 0, (header_point){0, 0});
  if (IS("noDrawer")) host->expand(context, 4000000000u);
  if (IS("claim")) host->claim_drawer(context, 0);
  if (IS("chainWithoutDrawer")) host->set_chain(context, &(header_chain){.tail = 0});
  if (IS("noChain")) host->set_chain(context, NULL);
  if (IS("chainEnd")) host->set_chain(context, &(header_chain){.contracts_first = 5});
  if (IS("noElement")) host->set_element(context, 3, &(header_element){.alpha = 1});
  if (IS("noLook")) host->set_element(context, 0, NULL);
  if (IS("valueNaN")) host->set_value(context, 0, &nan_value);
  if (IS("valueList")) host->set_value(context, 0, &list);
  if (IS("valueOdd")) host->set_value(context, 0, &odd);
  if (IS("noValue")) host->set_value(context, 3, &nan_value);
  if (IS("nullValue")) host->set_value(context, 0, NULL);
  if (IS("wantsStyle")) {
    header_wants wants = {.struct_size = sizeof wants, .preferred_status_bar_style = 200};
    host->set_wants(context, &wants);
  }
  if (IS("noWants")) host->set_wants(context, NULL);
  if (IS("unknownNotice")) host->post(context, 5, NULL, false);
  if (IS("noticeArguments")) host->post(context, 0, &nan_value, false);
  if (IS("noticeList")) host->post(context, 0, &list, false);
  if (IS("commandName")) host->command(context, 0, "two words", NULL);
  if (IS("commandNoName")) host->command(context, 0, NULL, NULL);
  if (IS("animationCurve")) host->animate(context, &(header_animation){.struct_size = sizeof(header_animation), .curve = 50});
  if (IS("animationNaN")) host->animate(context, &(header_animation){.struct_size = sizeof(header_animation), .duration = NAN});
  if (IS("noAnimation")) host->animate(context, NULL);
  if (IS("timerNegative")) host->start_timer(context, 1, -1);
  if (IS("nestsEndlessly")) {
    header_point next = host->scroll_view(context, 0)->content_offset;
    next.y += 1;
    host->set_content_offset(context, 0, next);
    host->start_frames(context);
  }

  if (IS("frames")) host->start_frames(context);
  if (IS("moves")) {
    host->set_drawer_frame(context, 0, (header_rect){{0, -5}, {320, 44}});
    host->set_content_inset(context, 0, (header_insets){77, 0, 0, 0});
  }
  if (IS("readsBeyond")) {
    bool wrong = host->drawer(context, 99) != NULL || host->scroll_view(context, 99) != NULL
      || host->element(context, 99) != NULL || host->drawer_name(context, 99) != NULL
      || host->element_name(context, 99) != NULL || host->scroll_view_name(context, 99) != NULL
      || host->get_extension("org.example.none/1") != NULL || host->expanded_center(context, 99).y != 0;
    header_value value = number(wrong ? -1 : -2);
    host->set_value(context, 0, &value);
  }
  if (IS("readsNames")) {
    const char *names[] = {host->drawer_name(context, 0), host->drawer_name(context, 1), host->scroll_view_name(context, 0)};
    bool right = strcmp(names[0], "navBar") == 0 && strcmp(names[1], "extension") == 0 && strcmp(names[2], "content") == 0
      && host->hosting(context)->type == HEADER_RECORD && host->hosting(context)->count == 1
      && strcmp(host->hosting(context)->names[0], "controller") == 0 && host->tracking_scroll_view(context) == 0;
    header_value value = number(right ? -2 : -1);
    host->set_value(context, 0, &value);
  }
  /* What is asked for comes back in the function that `when` does not name, so the next call does nothing. */
  if (IS("timer")) host->start_timer(context, 9, 0.5);
  return HEADER_OK;
}

/* ── The description ────────────────────────────────────────────────────────────────────────────────────────────────── */

static const char *const cases_twice[] = {"a", "b", "a"}, *const cases_null[] = {NULL};

#ifdef LARGE_OPTIONS
/* As a plugin of a later minor version would have them. */
typedef struct large_option { header_option option; uint64_t later[3]; } large_option;
#define OPTION(...) {.option = {.struct_size = sizeof(large_option), __VA_ARGS__}, .later = {1, 2, 3}}
static const large_option options[] = {
#else
#ifndef OPTION_STRUCT_SIZE
#define OPTION_STRUCT_SIZE sizeof(header_option)
#endif
#define OPTION(...) {.struct_size = OPTION_STRUCT_SIZE, __VA_ARGS__}
static const header_option options[] = {
#endif
  OPTION(.name = "act", .type = HEADER_TYPE_TEXT, .default_value = {.type = HEADER_TEXT, .text = ""}, .meaning = "What it does."),
  OPTION(.name = SECOND_OPTION, .type = HEADER_TYPE_TEXT, .default_value = {.type = HEADER_TEXT, .text = "didScroll"},
         .meaning = "In which function."),
  OPTION(.name = "speed", .type = SPEED_TYPE, .unit = SPEED_UNIT, .default_value = {.type = HEADER_NUMBER, .number = SPEED_DEFAULT},
         .has_minimum = true, .has_maximum = true, .minimum = SPEED_MINIMUM, .maximum = 10,
         .cases = SPEED_CASES, .case_count = SPEED_CASE_COUNT, .meaning = "A number with a range."),
#ifdef NO_MEANING
  OPTION(.name = "claims", .type = HEADER_TYPE_BOOL, .default_value = {.type = HEADER_BOOL}),
#else
  OPTION(.name = "claims", .type = HEADER_TYPE_BOOL, .default_value = {.type = HEADER_BOOL}, .meaning = "Claims the drawers."),
#endif
};

#define COUNT_VALUE \
  {.struct_size = VALUE_STRUCT_SIZE, .name = "count", .type = VALUE_TYPE, .initial = {.type = VALUE_INITIAL}, \
   .meaning = "Scrolls so far."}
static const header_value_description values[] = {COUNT_VALUE, COUNT_VALUE};

#define WHAT_ARGUMENT \
  {.struct_size = sizeof(header_option), .name = "what", .type = HEADER_TYPE_TEXT, \
   .default_value = {.type = HEADER_TEXT, .text = ""}, .meaning = CALL_ARGUMENT_MEANING}
static const header_option arguments[] = {WHAT_ARGUMENT, WHAT_ARGUMENT};

#define ECHO_CALL \
  {.struct_size = CALL_STRUCT_SIZE, .name = "echo", .arguments = arguments, .argument_count = ARGUMENT_COUNT, \
   .meaning = "Gives its argument back."}
static const header_call_description calls[] = {ECHO_CALL, ECHO_CALL};

static const char *const notices[] = {NOTICE, NOTICE};

static const header_behavior behavior = {
  .struct_size = BEHAVIOR_STRUCT_SIZE,
  .name = BEHAVIOR_NAME,
  .summary = SUMMARY,
  .moves = true,
  .events = EVENTS,
  .options = OPTION_LIST,
  .option_count = OPTION_COUNT,
  .values = values,
  .value_count = VALUE_COUNT,
  .calls = calls,
  .call_count = CALL_COUNT,
  .notices = NOTICE_LIST,
  .notice_count = NOTICE_COUNT,
  .saved_version = SAVED_VERSION,
  .create = create,
  .destroy = destroy,
  .set_option = set_option,
  .attach = attach,
  .detach = detach,
#ifndef NO_RECEIVE
  .receive = receive,
#endif
#ifndef NO_CALL
  .call = call,
#endif
  .layout = layout,
#ifndef NO_FRAME
  .frame = frame,
#endif
  .timer = timer,
  .completion = completion,
  .after_event = after_event,
#ifndef RESTORE_ONLY
  .save = save,
#endif
#ifndef SAVE_ONLY
  .restore = restore,
#endif
};

static const header_behavior *const behaviors[] = {BEHAVIORS};

static const header_behavior_factory factory = {
  .struct_size = FACTORY_STRUCT_SIZE, .count = FACTORY_COUNT, .behaviors = behaviors,
};

static const void *get_factory(const char *id) {
#ifdef NO_FACTORY
  (void)id;
  return NULL;
#else
  return strcmp(id, HEADER_BEHAVIOR_FACTORY) == 0 ? &factory : NULL;
#endif
}

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

static const header_plugin plugin = {
  .struct_size = PLUGIN_STRUCT_SIZE,
  .abi_major = ABI_MAJOR,
  .abi_minor = HEADER_ABI_MINOR,
  .name = PLUGIN_NAME,
  .version = TEXT(VERSION) ".0",
  .summary = "A plugin for tests.",
  .get_factory = get_factory,
};

#ifdef NO_SYMBOL
#define header_plugin_entry some_other_entry
const header_plugin *header_plugin_entry(uint16_t host_abi_major, uint16_t host_abi_minor);
#endif

const header_plugin *header_plugin_entry(uint16_t host_abi_major, uint16_t host_abi_minor) {
  (void)host_abi_major, (void)host_abi_minor;
#ifdef ENTRY_NULL
  return NULL;
#else
  return &plugin;
#endif
}
