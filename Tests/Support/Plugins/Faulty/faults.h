/* SPDX-License-Identifier: MIT
 *
 * The faults of faulty.c, by the words of its option `act`. Each breaks one rule of header_plugin.h.
 */
#define IS(name) (strcmp(act, name) == 0)
#define WHEN(name) (strcmp(self->when, name) == 0)

/* Answers to events. Writes that bring about each other are here, since they go on in nested events. */
static int32_t answer_badly(faulty *self, const header_event *event, header_answer *answer) {
  const header_host *host = self->host;
  const char *act = self->act;
  header_context *context = self->context;
  if (WHEN("target") && (event->kind == HEADER_WILL_END_DRAGGING || IS("none"))) {
    answer->has_target_offset = true;
    answer->target_offset.y = IS("nan") ? NAN : IS("huge") ? 1e300 : 12;
  }
  if (WHEN("consume") && (event->kind == HEADER_WILL_SCROLL || IS("none"))) {
    answer->has_consumed = true;
    answer->consumed.y = IS("nan") ? NAN : IS("back") ? -event->delta.y : IS("none") ? 1 : event->delta.y * 1.5;
  }
  if (WHEN("event")) {
    header_event *its = (header_event *)event;
    its->kind = HEADER_DID_END_DRAGGING;
    its->depth = 7;
    its->scroll_view = 3;
  }
  if (WHEN("nested") && event->kind == HEADER_DID_SCROLL) {
    int32_t result;
    do {
      header_point next = host->scroll_view(context, 0)->content_offset;
      next.y += 1;
      result = host->set_content_offset(context, 0, next);
    } while (IS("untilTold") && result == HEADER_OK);
  }
  if (WHEN("shrinking") && event->kind == HEADER_DID_SCROLL) {
    header_rect frame = host->scroll_view(context, 0)->frame;
    frame.size.height += 1;
    host->set_scroll_view_frame(context, 0, frame);
  }
  return HEADER_OK;
}

/* What a call returns. */
static void result_badly(faulty *self, header_value *result) {
  const char *act = self->act;
  if (!WHEN("result")) return;
  if (IS("nan")) *result = number(NAN);
  if (IS("odd")) result->type = 200;
  if (IS("noItems")) *result = (header_value){.type = HEADER_LIST, .count = 3};
}

/* What it saves. */
static void save_badly(faulty *self, header_value *state) {
  static const char *const twice[] = {"count", "count"};
  const char *act = self->act;
  if (!WHEN("state")) return;
  if (IS("badType")) self->items[0].type = 99;
  if (IS("nan")) self->items[0].number = NAN;
  if (IS("noItems")) state->items = NULL;
  if (IS("noNames")) state->names = NULL;
  if (IS("manyItems")) state->count = 70000;
  if (IS("noText")) self->items[0] = (header_value){.type = HEADER_TEXT};
  if (IS("notUTF8")) {
    strcpy(self->text, "\xff\xfe");
    self->items[0] = (header_value){.type = HEADER_TEXT, .count = 2, .text = self->text};
  }
  if (IS("long")) {
    memset(self->text, 'x', sizeof self->text - 1);
    self->items[0] = (header_value){.type = HEADER_TEXT, .count = sizeof self->text - 1, .text = self->text};
  }
  if (IS("nameTwice")) {
    state->count = 2;
    state->names = twice;
  }
  if (IS("wide")) { /* 300 times the same 300 numbers */
    static header_value row[300], rows[300];
    for (int i = 0; i < 300; i++) rows[i] = (header_value){.type = HEADER_LIST, .count = 300, .items = row};
    self->items[0] = (header_value){.type = HEADER_LIST, .count = 300, .items = rows};
  }
  if (IS("endless")) self->items[0] = (header_value){.type = HEADER_LIST, .count = 1, .items = self->items};
  if (IS("bomb")) { /* two lists of both of them: 2^64 values */
    self->items[0] = (header_value){.type = HEADER_LIST, .count = 2, .items = self->items};
    self->items[1] = self->items[0];
  }
}

/* Everything that can be done wrong in any function. */
static int32_t perform(faulty *self) {
  const header_host *host = self->host;
  header_context *context = self->context;
  const char *act = self->act;
  header_point nan_point = {0, NAN}, infinite_point = {INFINITY, 0}, huge_point = {0, 1e300};
  header_insets nan_insets = {NAN, 0, 0, 0}, huge_insets = {0, 0, 1e300, 0};
  header_rect nan_rect = {{0, 0}, {NAN, 10}}, huge_rect = {{0, 1e300}, {0, 10}}, negative_rect = {{0, 0}, {10, -1}};
  header_value nan_value = number(NAN), list = {.type = HEADER_LIST}, odd = {.type = 77};

  if (IS("failed")) return HEADER_FAILED;
  if (IS("failedWithReason")) return host->explain(context, "the dog ate it"), HEADER_FAILED;
  if (IS("refused")) return host->explain(context, "not now"), HEADER_REFUSED;
  if (IS("result77")) return 77;
  if (IS("badReason")) return host->explain(context, "\xff"), HEADER_FAILED;

  /* Nothing wrong with the first of these. */
  if (IS("followTail")) host->follow_tail(context, NULL);
  if (IS("log")) host->log(context, HEADER_LOG_INFO, "what it says"), host->log(context, HEADER_LOG_DEBUG, "and more");
  if (IS("logSurroundings")) {
    snprintf(
      self->text, sizeof self->text, "%u drawers, a keyboard of %g points", host->drawer_count(context),
      host->environment(context)->keyboard_height);
    host->log(context, HEADER_LOG_INFO, self->text);
  }
  if (IS("logOdd")) host->log(context, 77, "\xff\n"), host->log(context, HEADER_LOG_ERROR, NULL), host->log(NULL, 0, "x");
  if (IS("logLong")) {
    memset(self->text, 'x', sizeof self->text - 1);
    memcpy(self->text + 1022, "\xe2\x82\xac", 3); /* a euro sign that does not fit any more */
    host->log(context, HEADER_LOG_ERROR, self->text);
  }

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
  if (IS("noExtents")) host->set_drawer_extents(context, 0, 1, NULL), host->set_drawer_extents(context, 9, 0, NULL);
  if (IS("extentNaN")) host->set_drawer_extents(context, 0, 1, &(header_extent){NAN, 1});
  if (IS("extentNegative")) host->set_drawer_extents(context, 0, 1, &(header_extent){0, -1});
  if (IS("extentInfinite")) host->set_drawer_extents(context, 0, 1, &(header_extent){-INFINITY, INFINITY});
  if (IS("extentsForeign")) host->set_drawer_extents(context, 0, 2, (header_extent[]){{0, 1}, {1, 1}});
  if (IS("extentsNowhere")) host->set_drawer_extents(context, UINT32_MAX, 2, (header_extent[]){{0, 1}, {1, 1}});
  if (IS("moveInfinite")) host->move_chain(context, 0, INFINITY, NULL);
  if (IS("alphaNaN")) host->set_drawer_alpha(context, 0, NAN);
  if (IS("unknownFade")) host->set_drawer_fade(context, 0, 9);
  if (IS("foreignDrawer")) host->move_drawer(context, 0, (header_point){0, 0});
  if (IS("noDrawer")) host->expand(context, 4000000000u);
  if (IS("claim")) host->claim_drawer(context, 0);
  if (IS("foreignFrame")) host->set_drawer_frame(context, 1, (header_rect){{0, 0}, {10, 10}});
  if (IS("foreignAlpha")) host->set_drawer_alpha(context, 1, 0.5);
  if (IS("foreignTail")) host->follow_tail(context, NULL);
  if (IS("translationNaN")) host->set_drawer_translation(context, 0, nan_point);
  if (IS("heightInfinite")) host->set_drawer_heights(context, 0, 0, INFINITY);
  if (IS("chainOriginNaN")) host->set_chain(context, &(header_chain){.origin = NAN, .tail = -1});
  if (IS("chainTail")) host->set_chain(context, &(header_chain){.tail = 4});
  if (IS("chainTailNegative")) host->set_chain(context, &(header_chain){.tail = -7});
  if (IS("noPlaceForChain")) host->get_chain(context, NULL);
  if (IS("chainWithoutDrawer")) host->set_chain(context, &(header_chain){.tail = 0});
  if (IS("noChain")) host->set_chain(context, NULL);
  if (IS("chainEnd")) host->set_chain(context, &(header_chain){.contracts_first = 5});
  if (IS("noElement")) host->set_element(context, 3, &(header_element){.alpha = 1});
  if (IS("noLook")) host->set_element(context, 0, NULL);
  if (IS("elementNaN")) host->set_element(context, 0, &(header_element){.center = {NAN, 0}});
  if (IS("elementNegative")) host->set_element(context, 0, &(header_element){.bounds = negative_rect});
  if (IS("elementTransform")) host->set_element(context, 0, &(header_element){.transform = {{[15] = INFINITY}}});
  if (IS("elementZIndex")) host->set_element(context, 0, &(header_element){.z_index = 1e300});
  if (IS("elementRadius")) host->set_element(context, 0, &(header_element){.corner_radius = NAN});
  if (IS("elementAlpha")) host->set_element(context, 0, &(header_element){.alpha = NAN});
  if (IS("claimsElement")) host->claim_element(context, 0);
  if (IS("valueNaN")) host->set_value(context, 0, &nan_value);
  if (IS("valueList")) host->set_value(context, 0, &list);
  if (IS("valueOdd")) host->set_value(context, 0, &odd);
  if (IS("noValue")) host->set_value(context, 3, &nan_value);
  if (IS("nullValue")) host->set_value(context, 0, NULL);
  if (IS("wantsStyle")) {
    header_wants wants = {.struct_size = sizeof wants, .preferred_status_bar_style = 200};
    host->set_wants(context, &wants);
  }
  if (IS("wantsInset")) {
    header_wants wants = {.struct_size = sizeof wants, .has_additional_safe_area_inset = true,
                          .additional_safe_area_inset = nan_insets};
    host->set_wants(context, &wants);
  }
  if (IS("wantsGuide")) {
    header_wants wants = {.struct_size = sizeof wants, .has_top_layout_guide_length = true, .top_layout_guide_length = 1e300};
    host->set_wants(context, &wants);
  }
  if (IS("wantsSize")) host->set_wants(context, &(header_wants){.prefers_status_bar_hidden = true});
  if (IS("noPlaceForWants")) host->get_wants(context, NULL);
  if (IS("noPlaceForValue")) host->get_value(context, "count", NULL);
  if (IS("noWants")) host->set_wants(context, NULL);
  if (IS("unknownNotice")) host->post(context, 5, NULL, false);
  if (IS("noticeArguments")) host->post(context, 0, &nan_value, false);
  if (IS("noticeList")) host->post(context, 0, &list, false);
  if (IS("commandName")) host->command(context, 0, "two words", NULL);
  if (IS("commandNoName")) host->command(context, 0, NULL, NULL);
  if (IS("animationCurve")) host->animate(context, &(header_animation){.struct_size = sizeof(header_animation), .curve = 50});
  if (IS("animationNaN")) host->animate(context, &(header_animation){.struct_size = sizeof(header_animation), .duration = NAN});
  if (IS("animationLong")) host->animate(context, &(header_animation){.struct_size = sizeof(header_animation), .duration = 1e6});
  if (IS("animationDelay")) host->animate(context, &(header_animation){.struct_size = sizeof(header_animation), .delay = -1});
  if (IS("animationSize")) host->animate(context, &(header_animation){.struct_size = 16, .duration = 1});
  if (IS("noAnimation")) host->animate(context, NULL);
  if (IS("timerNegative")) host->start_timer(context, 1, -1);
  if (IS("timerNaN")) host->start_timer(context, 1, NAN);
  if (IS("timersWithoutEnd")) for (int i = 0; i < 5000; i++) host->start_timer(context, 1, 10);
  if (IS("workWithoutEnd")) for (int i = 0; i < 5000; i++) host->after_event(context, 1);
  if (IS("noticesWithoutEnd")) for (int i = 0; i < 5000; i++) host->post(context, 0, NULL, false);
  if (IS("commandsWithoutEnd")) for (int i = 0; i < 5000; i++) host->command(context, 0, "flash", NULL);
  if (IS("animationsWithoutEnd"))
    for (int i = 0; i < 5000; i++) host->animate(context, &(header_animation){.struct_size = sizeof(header_animation)});
  if (IS("noticeOfItself")) {
    static const char *const names[] = {"a", "b"};
    header_value items[2] = {{.type = HEADER_RECORD, .count = 2, .items = items, .names = names}};
    items[1] = items[0];
    host->post(context, 0, &items[0], false);
  }
  if (IS("commandNoView")) host->command(context, 9, "flash", NULL);
  if (IS("again")) {
    header_animation animation = {.struct_size = sizeof animation, .has_completion = true, .token = 1};
    if (strcmp(self->when, "layout") == 0) host->mark_layout(context);
    if (strcmp(self->when, "timer") == 0) host->start_timer(context, 1, 0);
    if (strcmp(self->when, "completion") == 0) host->animate(context, &animation);
    if (strcmp(self->when, "afterEvent") == 0) host->after_event(context, 1);
  }

  if (IS("leaves")) {
    host->set_content_offset(context, 0, (header_point){0, 99});
    host->set_content_inset(context, 0, (header_insets){50, 0, 0, 0});
    host->set_value(context, 0, &(header_value){.type = HEADER_NUMBER, .number = 7});
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
  return HEADER_OK;
}
