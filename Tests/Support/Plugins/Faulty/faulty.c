/* SPDX-License-Identifier: MIT
 *
 * A plugin that breaks the rules of header_plugin.h, one at a time. What is wrong with its description is chosen when it
 * is compiled (-DNO_SYMBOL, -DABI_MAJOR=2 …; knobs.h); what it does wrong while it lives is chosen by its options: `act` says
 * what (faults.h), `when` in which of its functions. Without either it is a well-behaved counter of didScroll, which is how
 * versions 1, 2 and 3 of one plugin are made for the tests of reloading (-DVERSION=2, -DREFUSES_RESTORE).
 *
 * PluginHostTests compiles it with the Swift toolchain's clang, as often as it needs.
 */
#include "header_plugin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "knobs.h"

/* ── One instance ───────────────────────────────────────────────────────────────────────────────────────────────────── */

typedef struct faulty {
  const header_host *host;
  header_context *context;
  char act[64], when[64];
  double count;
  bool claims;
  header_value items[2];
  header_value state;
  char text[70000];
} faulty;

/* What it can do wrong: faults.h. */
static int32_t perform(faulty *self);
static int32_t answer_badly(faulty *self, const header_event *event, header_answer *answer);
static void result_badly(faulty *self, header_value *result);
static void save_badly(faulty *self, header_value *state);

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
#ifdef CREATE_LOGS
  host->log(context, HEADER_LOG_INFO, "made");
#endif
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

static uint64_t responds(void *instance) {
  at(instance, "responds");
  return EVENTS;
}

static header_value number(double value) {
  header_value result = {.type = HEADER_NUMBER, .number = value};
  return result;
}

/* Asks for the call in which it is to do something wrong. */
static void ask(faulty *self) {
  const header_host *host = self->host;
  header_animation animation = {.struct_size = sizeof animation, .duration = 0.01, .has_completion = true, .token = 1};
  if (strcmp(self->when, "layout") == 0) host->mark_layout(self->context);
  if (strcmp(self->when, "timer") == 0) host->start_timer(self->context, 1, 0.01);
  if (strcmp(self->when, "frame") == 0) host->start_frames(self->context);
  if (strcmp(self->when, "completion") == 0) host->animate(self->context, &animation);
  if (strcmp(self->when, "afterEvent") == 0) host->after_event(self->context, 1);
}

static int32_t receive(void *instance, const header_event *event, header_answer *answer) {
  faulty *self = instance;
  int32_t result = answer_badly(self, event, answer);
  if (result != HEADER_OK || event->kind != HEADER_DID_SCROLL || event->depth > 0) return result;
  self->count += 1;
  header_value count = number(self->count);
  self->host->set_value(self->context, 0, &count);
  if (self->count == 2) ask(self);
  return at(self, "didScroll");
}

static int32_t call(void *instance, uint32_t number, const header_value *arguments, header_value *result) {
  faulty *self = instance;
  (void)number;
  *result = arguments->count > 0 ? arguments->items[0] : *result;
  result_badly(self, result);
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

static int32_t save(void *instance, header_saved *saved) {
  faulty *self = instance;
  self->items[0] = number(self->count);
  self->items[1] = number(0);
  self->state = (header_value){.type = HEADER_RECORD, .count = 1, .items = self->items, .names = count_name};
  save_badly(self, &self->state);
  saved->state = &self->state;
  return at(self, "save");
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
#ifdef FAILS_RESTORE
  return HEADER_FAILED;
#endif
#ifdef RESTORE_BREAKS
  self->host->set_content_inset(self->context, 0, (header_insets){50, 0, 0, 0});
  self->host->set_content_offset(self->context, 0, (header_point){0, NAN});
  return HEADER_OK;
#endif
#ifdef RESTORE_CHANGES
  header_value value = number(-1);
  return self->host->set_value(self->context, 0, &value);
#endif
  return at(self, "restore");
}

#include "faults.h"

#ifdef POSITION
static double traveled_before;
static int32_t position(void *self, double *traveled, double *travel) {
  *traveled = traveled_before;
  *travel = 100;
  return at(self, "position");
}
static int32_t move(void *self, double traveled) { (void)self; traveled_before = traveled; return HEADER_OK; }
static int32_t permit(void *self, double from, double to) { (void)self, (void)from, (void)to; return HEADER_OK; }
static const header_position positions = {.struct_size = sizeof(header_position), POSITION};
static const void *get_extension(void *self, const char *id) {
  (void)self;
  return strcmp(id, HEADER_POSITION) == 0 ? &positions : NULL;
}
#endif

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
  {.struct_size = VALUE_STRUCT_SIZE, .name = VALUE_NAME, .type = VALUE_TYPE, .initial = {.type = VALUE_INITIAL}, \
   .meaning = "Scrolls so far.", .cases = VALUE_CASES, .case_count = VALUE_CASE_COUNT}
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
  .responds = responds,
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
#ifdef POSITION
  .get_extension = get_extension,
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
