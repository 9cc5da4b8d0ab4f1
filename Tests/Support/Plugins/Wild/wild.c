/* SPDX-License-Identifier: MIT
 *
 * A plugin that calls every function of the host with any index and any number: its options say which function, which index
 * and which number, the latter by its 64 bits, since options are finite. What a function needs beside them is right.
 *
 * PluginHostTests compiles it with the Swift toolchain's clang (WildPluginTests.swift).
 */
#include "header_plugin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct wild {
  const header_host *host;
  header_context *context;
  uint32_t function, index;
  double number;
  header_value told;
} wild;

typedef void function(wild *self, const header_host *host, header_context *context, uint32_t index, double number);

#define CALL(name, ...) \
  static void do_##name(wild *self, const header_host *host, header_context *context, uint32_t index, double number) { \
    (void)self, (void)context, (void)index, (void)number; \
    __VA_ARGS__; \
  }

#define POINT ((header_point){number, number})
#define SIZE ((header_size){number, number})
#define RECT ((header_rect){{number, number}, {number, number}})
#define INSETS ((header_insets){number, number, number, number})
static header_value value_of(double number) { return (header_value){.type = HEADER_NUMBER, .number = number}; }
static const char *const names[] = {"rect", "animated"};

CALL(extension, host->get_extension("header.none/1"))
CALL(counts, host->drawer_count(context), host->element_count(context), host->scroll_view_count(context))
CALL(records, host->drawer(context, index), host->element(context, index), host->scroll_view(context, index),
     host->environment(context), host->records(context))
CALL(names, host->drawer_name(context, index), host->element_name(context, index), host->scroll_view_name(context, index))
CALL(hosting, host->hosting(context), host->tracking_scroll_view(context), host->time(context))
CALL(offset, host->set_content_offset(context, index, POINT))
CALL(note_resistance, host->note_resistance(context, (int32_t)index, number, -number))
CALL(note_parts, host->note_movement(context, number, -number),
     host->note_part(context, index, number, -number, (uint8_t)index))
CALL(order, host->set_drawer_z_index(context, index, (int8_t)(index * 77)))
CALL(described, header_element element; host->get_described_element(context, index, &element))
CALL(track, host->set_tracking_scroll_view(context, (int32_t)index))
CALL(silently, host->move_silently(context, index, POINT))
CALL(inset, host->set_content_inset(context, index, INSETS))
CALL(indicators, host->set_scroll_indicator_insets(context, index, INSETS))
CALL(view_frame, host->set_scroll_view_frame(context, index, RECT))
CALL(content_size, host->set_content_size(context, index, SIZE))
CALL(claim, host->claim_drawer(context, index))
CALL(chain, header_chain chain; host->get_chain(context, &chain); chain.origin = number;
     host->set_chain(context, &chain))
CALL(tail, header_chain chain; host->get_chain(context, &chain); chain.tail = (int32_t)index;
     host->set_chain(context, &chain); double difference; host->follow_tail(context, &difference))
CALL(ends, header_chain chain = {.tail = -1, .contracts_first = (uint8_t)index, .expands_first = (uint8_t)index};
     host->set_chain(context, &chain))
CALL(drawer_frame, host->set_drawer_frame(context, index, RECT))
CALL(drawer_center, host->set_drawer_center(context, index, POINT, SIZE))
CALL(extents, header_extent extents[] = {{number, number}, {1, number}};
     host->set_drawer_extents(context, index, 1 + index % 2, extents), host->set_drawer_extents(context, index, 0, NULL))
CALL(move, host->move_drawer(context, index, POINT))
CALL(move_chain, double residual; host->move_chain(context, index, number, &residual))
CALL(expand, host->expand(context, index))
CALL(contract, host->contract(context, index))
CALL(centers, host->expanded_center(context, index), host->contracted_center(context, index))
CALL(sticky, host->set_drawer_sticky(context, index, true))
CALL(fade, host->set_drawer_fade(context, 0, (uint8_t)index), host->set_drawer_fade(context, index, 1))
CALL(alpha, host->set_drawer_alpha(context, index, number))
CALL(hidden, host->set_drawer_hidden(context, index, true))
CALL(translation, host->set_drawer_translation(context, index, POINT))
CALL(heights, host->set_drawer_heights(context, index, number, number))
CALL(minimum, host->set_drawer_heights(context, index, number, 10))
CALL(element, header_element look = {.center = POINT, .bounds = RECT, .alpha = (float)number, .z_index = number,
                                     .corner_radius = number};
     for (int i = 0; i < 16; i++) look.transform.m[i] = number; host->set_element(context, index, &look))
CALL(z_index, header_element look = *host->element(context, 0); look.z_index = number;
     host->set_element(context, index, &look))
CALL(value, header_value value = value_of(number); host->set_value(context, index, &value))
CALL(wants, header_wants wants = {.struct_size = sizeof wants}; host->get_wants(context, &wants);
     wants.has_additional_safe_area_inset = true; wants.additional_safe_area_inset = INSETS;
     wants.has_top_layout_guide_length = true; wants.top_layout_guide_length = number;
     host->set_wants(context, &wants))
CALL(style, header_wants wants = {.struct_size = sizeof wants, .preferred_status_bar_style = (uint8_t)index};
     host->set_wants(context, &wants))
CALL(wants_size, header_wants wants = {.struct_size = index}; host->set_wants(context, &wants))
CALL(post, header_value items[] = {value_of(number), value_of(1)};
     header_value arguments = {.type = HEADER_RECORD, .count = 2, .items = items, .names = names};
     host->post(context, index, &arguments, false))
CALL(post_type, header_value arguments = {.type = (uint8_t)index, .number = number};
     host->post(context, 0, &arguments, true))
CALL(command, header_value numbers[] = {value_of(number), value_of(number)};
     static const char *const sides[] = {"y", "height"};
     header_value items[] = {{.type = HEADER_RECORD, .count = 2, .items = numbers, .names = sides},
                             {.type = HEADER_BOOL, .boolean = true}};
     header_value arguments = {.type = HEADER_RECORD, .count = 2, .items = items, .names = names};
     host->command(context, index, "scrollRectToVisible", &arguments))
CALL(animate, header_animation animation = {.struct_size = sizeof animation, .duration = number, .delay = 0};
     host->animate(context, &animation))
CALL(delay, header_animation animation = {.struct_size = sizeof animation, .duration = 1, .delay = number,
                                          .has_completion = true, .token = UINT64_MAX};
     host->animate(context, &animation))
CALL(spring, header_animation animation = {.struct_size = sizeof animation, .curve = HEADER_CURVE_SPRING, .duration = 1,
                                           .mass = number, .stiffness = number, .damping = number,
                                           .initial_velocity = number};
     host->animate(context, &animation))
CALL(velocity, header_animation animation = {.struct_size = sizeof animation, .curve = HEADER_CURVE_SPRING, .duration = 1,
                                             .mass = 1, .stiffness = 1, .damping = 1, .initial_velocity = number};
     host->animate(context, &animation))
CALL(curve, header_animation animation = {.struct_size = sizeof animation, .curve = (uint8_t)index, .duration = 1};
     host->animate(context, &animation))
CALL(frames, host->start_frames(context); host->frames_are_active(context); host->stop_frames(context))
CALL(timer, host->start_timer(context, ((uint64_t)index << 32) | index, number))
CALL(cancel, host->cancel_timer(context, UINT64_MAX - index))
CALL(layout, host->mark_layout(context))
CALL(later, host->after_event(context, UINT64_MAX - index))
CALL(get_value, header_value value; host->get_value(context, "told", &value); host->get_value(context, "", &value))
CALL(follow, host->follow_changes(context))
CALL(claim_element, host->claim_element(context, index))
CALL(free, host->drawer_is_free(context, index), host->element_is_free(context, index))
CALL(explain, host->explain(context, "for no reason"))
CALL(log, host->log(context, HEADER_LOG_WARNING, "for no reason"); host->log(context, 200, NULL))

static function *const functions[] = {
  do_extension, do_counts, do_records, do_names, do_hosting, do_offset, do_track, do_silently, do_inset, do_indicators,
  do_view_frame, do_content_size, do_claim, do_chain, do_tail, do_ends, do_drawer_frame, do_drawer_center, do_extents, do_move,
  do_move_chain, do_expand, do_contract, do_centers, do_sticky, do_fade, do_alpha, do_hidden, do_translation, do_heights,
  do_minimum, do_element, do_z_index, do_value, do_wants, do_style, do_wants_size, do_post, do_post_type, do_command,
  do_animate, do_delay, do_spring, do_velocity, do_curve, do_frames, do_timer, do_cancel, do_layout, do_later,
  do_get_value, do_follow, do_claim_element, do_free, do_explain, do_log, do_note_resistance, do_note_parts,
  do_described, do_order,
};
#define FUNCTIONS (sizeof functions / sizeof *functions)

/* ── One instance ───────────────────────────────────────────────────────────────────────────────────────────────────── */

static void *create(const header_host *host, header_context *context, void *user_data) {
  (void)user_data;
  wild *self = calloc(1, sizeof *self);
  self->host = host;
  self->context = context;
  return self;
}

static int32_t set_option(void *instance, uint32_t option, const header_value *value) {
  wild *self = instance;
  if (option == 0) self->function = (uint32_t)value->number;
  if (option == 1) self->index = (uint32_t)value->number;
  if (option == 2) {
    uint64_t bits = strtoull(value->text, NULL, 16);
    memcpy(&self->number, &bits, sizeof bits);
  }
  return HEADER_OK;
}

static int32_t attach(void *instance) {
  wild *self = instance;
  for (uint32_t drawer = 0; drawer < self->host->drawer_count(self->context); drawer++) {
    int32_t result = self->host->claim_drawer(self->context, drawer);
    if (result != HEADER_OK) return result;
  }
  return HEADER_OK;
}

static int32_t receive(void *instance, const header_event *event, header_answer *answer) {
  wild *self = instance;
  if (event->depth > 0) return HEADER_OK;
  switch (event->kind) {
    case HEADER_DID_SCROLL:
      if (self->function < FUNCTIONS) {
        functions[self->function](self, self->host, self->context, self->index, self->number);
      }
      break;
    case HEADER_WILL_END_DRAGGING:
      answer->has_target_offset = true;
      answer->target_offset = (header_point){self->number, self->number};
      break;
    case HEADER_WILL_SCROLL:
    case HEADER_WILL_FLING:
      answer->has_consumed = true;
      answer->consumed = (header_point){self->number, self->number};
      break;
    default: break;
  }
  return HEADER_OK;
}

static int32_t call(void *instance, uint32_t number, const header_value *arguments, header_value *result) {
  wild *self = instance;
  (void)number, (void)arguments;
  *result = (header_value){.type = (uint8_t)self->index, .number = self->number};
  return HEADER_OK;
}

static int32_t save(void *instance, header_saved *saved) {
  wild *self = instance;
  self->told = value_of(self->number);
  saved->state = &self->told;
  saved->version = self->index;
  return HEADER_OK;
}

static int32_t restore(void *self, const header_saved *saved) { return (void)saved, attach(self); }
static int32_t nothing(void *self) { return (void)self, HEADER_OK; }
static int32_t nothing_for(void *self, uint64_t token) { return (void)self, (void)token, HEADER_OK; }
static int32_t no_frame(void *self, double duration) { return (void)self, (void)duration, HEADER_OK; }

/* ── The description ────────────────────────────────────────────────────────────────────────────────────────────────── */

#define NUMBER_OPTION(word) \
  {.struct_size = sizeof(header_option), .name = word, .type = HEADER_TYPE_NUMBER, .default_value = {.type = HEADER_NUMBER}, \
   .has_minimum = true, .has_maximum = true, .minimum = 0, .maximum = 4294967295.0, .meaning = "See wild.c."}
static const header_option options[] = {
  NUMBER_OPTION("function"), NUMBER_OPTION("index"),
  {.struct_size = sizeof(header_option), .name = "bits", .type = HEADER_TYPE_TEXT,
   .default_value = {.type = HEADER_TEXT, .text = "0"}, .meaning = "The number's bits in hexadecimal digits."},
};
static const header_value_description values[] = {
  {.struct_size = sizeof(header_value_description), .name = "told", .type = HEADER_TYPE_NUMBER,
   .initial = {.type = HEADER_NUMBER}, .meaning = "Any number."},
};
static const header_call_description calls[] = {
  {.struct_size = sizeof(header_call_description), .name = "tell", .meaning = "Gives the number."},
};
static const char *const notices[] = {"told"};
static const header_behavior behavior = {
  .struct_size = sizeof behavior, .name = "Wild", .summary = "Calls anything with anything", .moves = true,
  .events = HEADER_EVENT(HEADER_DID_SCROLL) | HEADER_EVENT(HEADER_WILL_END_DRAGGING) | HEADER_EVENT(HEADER_WILL_SCROLL)
            | HEADER_EVENT(HEADER_WILL_FLING),
  .options = options, .option_count = 3, .values = values, .value_count = 1, .calls = calls, .call_count = 1,
  .notices = notices, .notice_count = 1, .saved_version = 1,
  .create = create, .destroy = free, .set_option = set_option, .attach = attach, .receive = receive, .call = call,
  .layout = nothing, .frame = no_frame, .timer = nothing_for, .completion = nothing_for, .after_event = nothing_for,
  .save = save, .restore = restore,
};
static const header_behavior *const behaviors[] = {&behavior};
static const header_behavior_factory factory = {.struct_size = sizeof factory, .count = 1, .behaviors = behaviors};

static const void *get_factory(const char *id) { return strcmp(id, HEADER_BEHAVIOR_FACTORY) == 0 ? &factory : NULL; }

static const header_plugin plugin = {
  .struct_size = sizeof plugin, .abi_major = HEADER_ABI_MAJOR, .abi_minor = HEADER_ABI_MINOR, .name = "Wild",
  .version = "1.0", .summary = "A plugin for tests.", .get_factory = get_factory,
};

const header_plugin *header_plugin_entry(uint16_t major, uint16_t minor) { return (void)major, (void)minor, &plugin; }
