/* SPDX-License-Identifier: MIT
 *
 * The delegate that a scroll view already had before a header came to it, as the recordings of TLYShyNavBar have one.
 * It shows what stands behind a behavior in the chain is still asked, and with what: it implements the methods that it
 * is told to, adds 10 to the y of willEndDragging's target and answers shouldScrollToTop with its option. It moves
 * nothing. Written against header_plugin.h alone, in plain C.
 */
#include "header_plugin.h"

#include <stdlib.h>
#include <string.h>

/* ── What it can implement: the word of each scroll delegate method, at the place of its kind ───────────────────────── */

static const char *const words[] = {
  [HEADER_WILL_BEGIN_DRAGGING] = "willBeginDragging",
  [HEADER_DID_SCROLL] = "didScroll",
  [HEADER_WILL_END_DRAGGING] = "willEndDragging",
  [HEADER_DID_END_DRAGGING] = "didEndDragging",
  [HEADER_WILL_BEGIN_DECELERATING] = "willBeginDecelerating",
  [HEADER_DID_END_DECELERATING] = "didEndDecelerating",
  [HEADER_DID_END_SCROLLING_ANIMATION] = "didEndScrollingAnimation",
  [HEADER_SHOULD_SCROLL_TO_TOP] = "shouldScrollToTop",
  [HEADER_DID_SCROLL_TO_TOP] = "didScrollToTop",
  [HEADER_DID_CHANGE_ADJUSTED_CONTENT_INSET] = "didChangeAdjustedContentInset",
};

enum { WORD_COUNT = sizeof words / sizeof words[0] };

/* Points that willEndDragging adds to its target. */
static const double target_shift = 10;

/* ── One instance ───────────────────────────────────────────────────────────────────────────────────────────────────── */

typedef struct original_delegate {
  const header_host *host;
  header_context *context;
  uint64_t methods; /* HEADER_EVENT(kind) of each method that it implements */
  bool should_scroll_to_top;
} original_delegate;

enum { OPTION_METHODS, OPTION_SHOULD_SCROLL_TO_TOP };

static void *create(const header_host *host, header_context *context, void *user_data) {
  (void)user_data;
  original_delegate *self = calloc(1, sizeof *self);
  if (self == NULL) return NULL;
  self->host = host;
  self->context = context;
  self->should_scroll_to_top = true;
  return self;
}

static void destroy(void *self) { free(self); }

static int32_t set_methods(original_delegate *self, const header_value *list) {
  uint64_t methods = 0;
  for (uint32_t item = 0; item < list->count; item++) {
    int kind = 0;
    while (kind < WORD_COUNT && strcmp(words[kind], list->items[item].text) != 0) kind++;
    if (kind == WORD_COUNT) {
      self->host->explain(self->context, "methods holds a word that is no scroll delegate method, such as didScroll");
      return HEADER_REFUSED;
    }
    methods |= HEADER_EVENT(kind);
  }
  self->methods = methods;
  return HEADER_OK;
}

static int32_t set_option(void *instance, uint32_t option, const header_value *value) {
  original_delegate *self = instance;
  switch (option) {
    case OPTION_METHODS: return set_methods(self, value);
    case OPTION_SHOULD_SCROLL_TO_TOP: self->should_scroll_to_top = value->boolean; return HEADER_OK;
    default: return HEADER_REFUSED;
  }
}

static uint64_t responds(void *instance) { return ((const original_delegate *)instance)->methods; }

static int32_t attach(void *self) {
  (void)self;
  return HEADER_OK;
}

static int32_t receive(void *instance, const header_event *event, header_answer *answer) {
  const original_delegate *self = instance;
  switch (event->kind) {
    case HEADER_WILL_END_DRAGGING:
      answer->target_offset = event->target_offset;
      answer->target_offset.y += target_shift;
      answer->has_target_offset = true;
      break;
    case HEADER_SHOULD_SCROLL_TO_TOP:
      answer->returned = self->should_scroll_to_top;
      answer->has_returned = true;
      break;
    default: break;
  }
  return HEADER_OK;
}

/* ── The description ────────────────────────────────────────────────────────────────────────────────────────────────── */

static const header_option options[] = {
  [OPTION_METHODS] = {
    .struct_size = sizeof(header_option),
    .name = "methods",
    .type = HEADER_TYPE_TEXT,
    .is_list = true,
    .default_value = {.type = HEADER_LIST},
    .meaning = "The scroll delegate methods that it implements, by their words, such as didScroll.",
  },
  [OPTION_SHOULD_SCROLL_TO_TOP] = {
    .struct_size = sizeof(header_option),
    .name = "shouldScrollToTop",
    .type = HEADER_TYPE_BOOL,
    .default_value = {.type = HEADER_BOOL, .boolean = true},
    .meaning = "What it answers to shouldScrollToTop.",
  },
};

static const header_behavior behavior = {
  .struct_size = sizeof(header_behavior),
  .name = "OriginalDelegate",
  .summary = "Stands in for the delegate that a scroll view had before (for tests).",
  .moves = false,
  .events = (UINT64_C(1) << WORD_COUNT) - 1,
  .options = options,
  .option_count = sizeof options / sizeof options[0],
  .saved_version = 1,
  .create = create,
  .destroy = destroy,
  .set_option = set_option,
  .responds = responds,
  .attach = attach,
  .receive = receive,
};

static const header_behavior *const behaviors[] = {&behavior};

static const header_behavior_factory factory = {
  .struct_size = sizeof(header_behavior_factory),
  .count = 1,
  .behaviors = behaviors,
};

static const void *get_factory(const char *id) { return strcmp(id, HEADER_BEHAVIOR_FACTORY) == 0 ? &factory : NULL; }

static const header_plugin plugin = {
  .struct_size = sizeof(header_plugin),
  .abi_major = HEADER_ABI_MAJOR,
  .abi_minor = HEADER_ABI_MINOR,
  .name = "OriginalDelegate",
  .version = "0.1.0",
  .summary = "A delegate for tests of the chain.",
  .get_factory = get_factory,
};

const header_plugin *header_plugin_entry(uint16_t host_abi_major, uint16_t host_abi_minor) {
  (void)host_abi_minor;
  return host_abi_major == HEADER_ABI_MAJOR ? &plugin : NULL;
}
