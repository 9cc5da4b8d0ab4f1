/* SPDX-License-Identifier: MIT
 *
 * A plugin for the tests of reloading, compiled by them in several versions:
 *     -DFACTOR=2        it moves the header by so many times what the content moved
 *     -DREFUSES         it refuses every saved state
 *     -DNAME="Other"    it goes by another name
 * It saves the offset that it saw last, so a new version goes on where the old one was.
 */
#include "header_plugin.h"

#include <stdlib.h>
#include <string.h>

#ifndef FACTOR
#define FACTOR 1
#endif
#ifndef NAME
#define NAME "Hot"
#endif

typedef struct hot {
  const header_host *host;
  header_context *context;
  double last;
  header_value state;
} hot;

static void *create(const header_host *host, header_context *context, void *user_data) {
  (void)user_data;
  hot *self = calloc(1, sizeof *self);
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

static int32_t claim(hot *self) { return self->host->claim_drawer(self->context, 0); }

static int32_t attach(void *instance) {
  hot *self = instance;
  int32_t result = claim(self);
  return result == HEADER_OK ? self->host->expand(self->context, 0) : result;
}

static int32_t receive(void *instance, const header_event *event, header_answer *answer) {
  hot *self = instance;
  (void)answer;
  const header_scroll_view *view = self->host->scroll_view(self->context, (uint32_t)event->scroll_view);
  if (view == NULL) return HEADER_OK;
  double distance = (self->last - view->content_offset.y) * FACTOR, residual;
  self->last = view->content_offset.y;
  return self->host->move_chain(self->context, 0, distance, &residual);
}

static int32_t save(void *instance, header_saved *saved) {
  hot *self = instance;
  self->state = (header_value){.type = HEADER_NUMBER, .number = self->last};
  saved->version = 1;
  saved->state = &self->state;
  return HEADER_OK;
}

static int32_t restore(void *instance, const header_saved *saved) {
  hot *self = instance;
#ifdef REFUSES
  self->host->explain(self->context, "this version takes over from nobody");
  return HEADER_REFUSED;
#endif
  self->last = saved->state->number;
  return claim(self);
}

static const header_behavior behavior = {
  .struct_size = sizeof(header_behavior),
  .name = NAME,
  .summary = "Moves with the content (for tests).",
  .moves = true,
  .events = HEADER_EVENT(HEADER_DID_SCROLL),
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
static const header_behavior_factory factory = {
  .struct_size = sizeof(header_behavior_factory), .count = 1, .behaviors = behaviors};

static const void *get_factory(const char *id) { return strcmp(id, HEADER_BEHAVIOR_FACTORY) == 0 ? &factory : NULL; }

static const header_plugin plugin = {
  .struct_size = sizeof(header_plugin),
  .abi_major = HEADER_ABI_MAJOR,
  .abi_minor = HEADER_ABI_MINOR,
  .name = NAME,
  .version = "0.1.0",
  .summary = "For the tests of reloading.",
  .get_factory = get_factory,
};

const header_plugin *header_plugin_entry(uint16_t host_abi_major, uint16_t host_abi_minor) {
  (void)host_abi_minor;
  return host_abi_major == HEADER_ABI_MAJOR ? &plugin : NULL;
}
