/* SPDX-License-Identifier: MIT
 *
 * A behavior that moves the first drawer with the content, for tests of plugins that change and fail. It saves the offset
 * that it saw last, so a new version goes on where the old one was. What it does beside that is chosen when it is compiled:
 *
 *   -DSTEP=2             it moves twice as far            -DNO_SYMBOL     its entry has another name
 *   -DFAILS              beyond 100 points it gives NaN   -DABI=2         built for another ABI
 *   -DREFUSES_RESTORE    it takes no saved state          -DNAME="Hot"    it goes by another name
 *   -DREFUSES_SAVE       beyond 100 points it cannot be saved
 *   -DLOGS               it logs each scroll, each restore, and each attach at the level debug
 *   -DHANGS              beyond 100 points it says so on stderr and never returns
 *   -DSLEEPS=300         beyond 100 points it takes 300 ms
 *   -DACTS=act           from 1000 points on it calls this function, with how far beyond them and how far to the side the content
 *                        is, and gives NaN or 1e300 if that says so (crasher.c, Tests/Attacks/Plugins/hostile.c)
 *   -DDIES_AT_ATTACH     it ends its process when a header opens
 *   -DWAITS_AT_ATTACH    it waits for ever when a header opens whose first drawer is 99 points high
 *   -DDIES_AT_RESTORE    it ends its process when it gets a saved state
 *   -DHANGS_AT_LOAD      its entry says so on stderr and never returns
 */
#include "header_plugin.h"

#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef STEP
#define STEP 1
#endif
#ifndef ABI
#define ABI HEADER_ABI_MAJOR
#endif
#ifndef NAME
#define NAME "Mover"
#endif
#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

typedef struct mover {
  const header_host *host;
  header_context *context;
  double moves; /* how often it has moved the drawer in all its lives */
  double last;  /* the content's offset that the drawer has followed so far */
  header_value saved, items[2];
} mover;

static void *create(const header_host *host, header_context *context, void *user_data) {
  (void)user_data;
  mover *self = calloc(1, sizeof *self);
  if (self == NULL) return NULL;
  self->host = host;
  self->context = context;
  return self;
}

static void destroy(void *self) { free(self); }

static int32_t set_option(void *self, uint32_t option, const header_value *value) {
  (void)self, (void)option, (void)value;
  return HEADER_REFUSED;
}

static int32_t attach(void *instance) {
  mover *self = instance;
#ifdef LOGS
  self->host->log(self->context, HEADER_LOG_DEBUG, "attached");
#endif
#ifdef WAITS_AT_ATTACH
  if (self->host->drawer(self->context, 0)->size.height == 99) poll(NULL, 0, -1);
#endif
#ifdef DIES_AT_ATTACH
  _exit(7);
#endif
  return self->host->claim_drawer(self->context, 0);
}

static int32_t receive(void *instance, const header_event *event, header_answer *answer) {
  (void)answer;
  mover *self = instance;
  if (event->kind != HEADER_DID_SCROLL) return HEADER_OK;
  const double offset = self->host->scroll_view(self->context, 0)->content_offset.y;
  const header_drawer *drawer = self->host->drawer(self->context, 0);
  const double top = drawer->center.y - drawer->size.height * 0.5;
  header_rect frame = {.origin = {.x = 0, .y = top - STEP * (offset - self->last)}, .size = drawer->size};
#ifdef HANGS
  if (offset > 100 && write(2, "hangs\n", 6) == 6)
    for (;;) poll(NULL, 0, -1);
#endif
#ifdef SLEEPS
  if (offset > 100) poll(NULL, 0, SLEEPS);
#endif
#ifdef ACTS
  if (offset >= 1000 && offset < 1100) {
    const int wrong = ACTS((int)offset - 1000, (int)self->host->scroll_view(self->context, 0)->content_offset.x);
    if (wrong) frame.origin.y = wrong == 1 ? NAN : 1e300;
  }
#endif
#ifdef FAILS
  if (offset > 100) frame.origin.y = NAN;
#endif
#ifdef LOGS
  self->host->log(self->context, offset < 0 ? HEADER_LOG_WARNING : HEADER_LOG_INFO, "moved\n\"far\"");
#endif
  self->last = offset;
  self->moves += 1;
  const header_value moves = {.type = HEADER_NUMBER, .number = self->moves};
  self->host->set_value(self->context, 0, &moves);
  return self->host->set_drawer_frame(self->context, 0, frame);
}

static const char *const saved_names[] = {"moves", "last"};

static int32_t save(void *instance, header_saved *saved) {
  mover *self = instance;
#ifdef REFUSES_SAVE
  if (self->last > 100) return HEADER_REFUSED;
#endif
  self->items[0] = (header_value){.type = HEADER_NUMBER, .number = self->moves};
  self->items[1] = (header_value){.type = HEADER_NUMBER, .number = self->last};
  self->saved = (header_value){.type = HEADER_RECORD, .count = 2, .items = self->items, .names = saved_names};
  saved->state = &self->saved;
  return HEADER_OK;
}

static int32_t restore(void *instance, const header_saved *saved) {
  mover *self = instance;
#ifdef DIES_AT_RESTORE
  _exit(7);
#endif
#ifdef REFUSES_RESTORE
  self->host->explain(self->context, "its moves cannot be taken over");
  return HEADER_REFUSED;
#endif
#ifdef LOGS
  self->host->log(self->context, HEADER_LOG_INFO, "restored");
#endif
  self->moves = saved->state->items[0].number;
  self->last = saved->state->items[1].number;
  return self->host->claim_drawer(self->context, 0);
}

static const header_value_description values[] = {{
  .struct_size = sizeof(header_value_description),
  .name = "moves",
  .type = HEADER_TYPE_NUMBER,
  .initial = {.type = HEADER_NUMBER},
  .meaning = "How often the drawer was moved.",
}};

static const header_behavior behavior = {
  .struct_size = sizeof(header_behavior),
  .name = NAME,
  .summary = "Moves the first drawer with the content (for tests).",
  .moves = true,
  .events = HEADER_EVENT(HEADER_DID_SCROLL),
  .values = values,
  .value_count = 1,
  .saved_version = 1,
  .create = create,
  .destroy = destroy,
  .set_option = set_option,
  .attach = attach,
  .receive = receive,
  .save = save,
  .restore = restore,
};

static const header_behavior *const behaviors[] = {&behavior};
static const header_behavior_factory factory = {sizeof(header_behavior_factory), 1, behaviors};
static const void *get_factory(const char *id) { return strcmp(id, HEADER_BEHAVIOR_FACTORY) == 0 ? &factory : NULL; }

static const header_plugin plugin = {
  .struct_size = sizeof(header_plugin),
  .abi_major = ABI,
  .abi_minor = HEADER_ABI_MINOR,
  .name = NAME,
  .version = TEXT(STEP) ".0",
  .summary = "For tests.",
  .get_factory = get_factory,
};

#ifdef NO_SYMBOL
#define header_plugin_entry another_entry
const header_plugin *another_entry(uint16_t major, uint16_t minor);
#endif

const header_plugin *header_plugin_entry(uint16_t host_abi_major, uint16_t host_abi_minor) {
  (void)host_abi_major, (void)host_abi_minor;
#ifdef HANGS_AT_LOAD
  if (write(2, "hangs\n", 6) == 6)
    for (;;) poll(NULL, 0, -1);
#endif
  return &plugin;
}
