/* Skeleton: the header moves with the content, `speed` times as far. Read it from the bottom up: the entry gives the
 * plugin's table, that its factory, that the behavior with its description and its functions. */
#include "header_plugin.h"

#include <stdlib.h>
#include <string.h>

/* One instance, in one header. */
typedef struct skeleton {
  const header_host *host;
  header_context *context;
  double speed;       /* an option: points that the header moves for each point of the content */
  double last_offset; /* the offset of the content that the header has followed so far */
  header_value saved; /* what `save` lends */
} skeleton;

enum { OPTION_SPEED };

static void *create(const header_host *host, header_context *context, void *user_data) {
  (void)user_data;
  skeleton *self = calloc(1, sizeof *self);
  if (self == NULL) return NULL;
  self->host = host;
  self->context = context;
  self->speed = 1;
  return self;
}

static void destroy(void *self) { free(self); }

/* The value has passed its description below. */
static int32_t set_option(void *instance, uint32_t option, const header_value *value) {
  skeleton *self = instance;
  if (option != OPTION_SPEED) return HEADER_REFUSED;
  self->speed = value->number;
  return HEADER_OK;
}

static int32_t take_drawers(skeleton *self) {
  uint32_t count = self->host->drawer_count(self->context);
  if (count == 0) {
    self->host->explain(self->context, "it needs a drawer");
    return HEADER_REFUSED;
  }
  for (uint32_t drawer = 0; drawer < count; drawer++) {
    int32_t result = self->host->claim_drawer(self->context, drawer);
    if (result != HEADER_OK) return result;
  }
  return HEADER_OK;
}

/* The header is made: the drawers become ours, and start expanded. */
static int32_t attach(void *instance) {
  skeleton *self = instance;
  int32_t result = take_drawers(self), view = self->host->tracking_scroll_view(self->context);
  if (result != HEADER_OK) return result;
  if (view >= 0) self->last_offset = self->host->scroll_view(self->context, (uint32_t)view)->content_offset.y;
  return self->host->expand(self->context, 0);
}

/* The content moved: minus contracts the header. A drawer never goes further than its own height. */
static int32_t did_scroll(skeleton *self, int32_t view) {
  if (view < 0) return HEADER_OK;
  double offset = self->host->scroll_view(self->context, (uint32_t)view)->content_offset.y, residual;
  double distance = (self->last_offset - offset) * self->speed;
  self->last_offset = offset;
  return self->host->move_chain(self->context, 0, distance, &residual);
}

static int32_t receive(void *instance, const header_event *event, header_answer *answer) {
  (void)answer;
  if (event->kind == HEADER_DID_SCROLL) return did_scroll(instance, event->scroll_view);
  if (event->kind == HEADER_LAYOUT && event->given & HEADER_LAYOUT_STRUCTURE) return take_drawers(instance);
  return HEADER_OK;
}

/* A reload hands over what the options and the header itself do not tell. */
static int32_t save(void *instance, header_saved *saved) {
  skeleton *self = instance;
  self->saved = (header_value){.type = HEADER_NUMBER, .number = self->last_offset};
  saved->version = 1;
  saved->state = &self->saved;
  return HEADER_OK;
}

static int32_t restore(void *instance, const header_saved *saved) {
  skeleton *self = instance;
  if (saved->version != 1) return HEADER_REFUSED; /* raise saved_version when what is saved changes */
  self->last_offset = saved->state->number;
  return take_drawers(self);
}

/* What the behavior says about itself; the host checks options against it, `headerctl plugin info` prints it. */
static const header_option options[] = {
  [OPTION_SPEED] = {
    .struct_size = sizeof(header_option),
    .name = "speed",
    .type = HEADER_TYPE_NUMBER,
    .default_value = {.type = HEADER_NUMBER, .number = 1},
    .has_minimum = true, .minimum = 0,
    .has_maximum = true, .maximum = 10,
    .meaning = "Points that the header moves for each point of the content.",
  },
};

static const header_behavior behavior = {
  .struct_size = sizeof(header_behavior),
  .name = "Skeleton",
  .summary = "Moves with the content",
  .moves = true,
  .events = HEADER_EVENT(HEADER_DID_SCROLL) | HEADER_EVENT(HEADER_LAYOUT),
  .options = options, .option_count = sizeof options / sizeof options[0],
  .saved_version = 1,
  .create = create, .destroy = destroy, .set_option = set_option, .attach = attach, .receive = receive,
  .save = save, .restore = restore,
};

static const header_behavior *const behaviors[] = {&behavior};
static const header_behavior_factory factory = {
  .struct_size = sizeof(header_behavior_factory), .count = 1, .behaviors = behaviors};

static const void *get_factory(const char *id) { return strcmp(id, HEADER_BEHAVIOR_FACTORY) == 0 ? &factory : NULL; }

static const header_plugin plugin = {
  .struct_size = sizeof(header_plugin),
  .abi_major = HEADER_ABI_MAJOR, .abi_minor = HEADER_ABI_MINOR,
  .name = "Skeleton", .version = "0.1.0", .summary = "Moves with the content",
  .get_factory = get_factory,
};

/* The one symbol that headerd looks up. */
const header_plugin *header_plugin_entry(uint16_t host_abi_major, uint16_t host_abi_minor) {
  (void)host_abi_minor;
  return host_abi_major == HEADER_ABI_MAJOR ? &plugin : NULL;
}
