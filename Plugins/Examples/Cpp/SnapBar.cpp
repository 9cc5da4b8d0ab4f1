/* SPDX-License-Identifier: MIT
 *
 * SnapBar: a header that goes with the content and never comes to rest half way.
 *
 *     content goes up or down   the header goes along, until it is hidden or whole
 *     a finger lets go          the content's target is moved by what the header would lack of an end there: a fast release
 *                               goes on in its direction, a slow one to the nearer end
 *
 * A whole plugin in C++20, written against header_plugin.h alone. Three things are C++'s own:
 *
 *     exceptions    none leaves the plugin: `guarded` makes a result of each, since the host's frames cannot be unwound
 *     life          an instance is an object; create is `new`, destroy `delete`
 *     initializers  what a table leaves out is zero
 *
 *     g++ -std=c++20 -fPIC -shared -I…/include -Wl,--version-script=exported.map -o libSnapBar.so SnapBar.cpp
 */
#include "header_plugin.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <iterator>
#include <new>

namespace {

/* Why an instance says no. */
struct Refusal {
  const char *reason;
};

/* The host has refused, or has failed the instance: its result is handed back as it is. */
struct HostResult {
  int32_t result;
};

void check(int32_t result) {
  if (result != HEADER_OK) throw HostResult{result};
}

/* ── One instance, in one header ────────────────────────────────────────────────────────────────────────────────────── */

class SnapBar {
public:
  SnapBar(const header_host *host, header_context *context) : host(host), context(context) {}

  void set_velocity(double value) { velocity = value; }

  void attach() {
    claim();
    note_offset();
    hang(0);
  }

  void receive(const header_event &event, header_answer &answer) {
    bool is_tracking = event.scroll_view >= 0 && event.scroll_view == host->tracking_scroll_view(context);
    switch (event.kind) {
    case HEADER_DID_SCROLL:
      if (is_tracking) did_scroll();
      break;
    case HEADER_WILL_END_DRAGGING:
      if (is_tracking) will_end_dragging(event, answer);
      break;
    case HEADER_SET_TRACKING_SCROLL_VIEW: /* the way from one content to another is no scroll */
      note_offset();
      break;
    case HEADER_LAYOUT:
      if (event.given & HEADER_LAYOUT_STRUCTURE) claim();
      if (event.given & (HEADER_LAYOUT_STRUCTURE | HEADER_LAYOUT_STATUS_BAR_HEIGHT | HEADER_LAYOUT_STATUS_BAR_HIDDEN))
        hang(hidden());
      break;
    default:
      break;
    }
  }

  /* What a reload hands over. It stays valid until the next call, as header_saved demands. */
  void save(header_saved &given) {
    state = {.type = HEADER_NUMBER, .number = last_offset};
    given.version = 1;
    given.state = &state;
  }

  void restore(const header_saved &given) {
    if (given.version != 1) throw Refusal{"it takes over saved states of version 1 only"};
    last_offset = given.state->number;
    claim();
  }

  void explain(const char *reason) { host->explain(context, reason); }

private:
  const header_host *host;
  header_context *context;
  double velocity = 0.3;  /* option: points per millisecond from which a release is fast */
  double last_offset = 0; /* the content's offset that the header has followed so far */
  header_value state{};

  uint32_t drawers() const { return host->drawer_count(context); }

  void claim() {
    if (drawers() == 0) throw Refusal{"it needs a drawer to hide"};
    for (uint32_t drawer = 0; drawer < drawers(); drawer++) check(host->claim_drawer(context, drawer));
  }

  /* Hangs the drawers below the status bar, that many points of them hidden. Without a tail: the header lies over the content, whose
   * inset is the application's. */
  void hang(double points) {
    header_chain chain;
    check(host->get_chain(context, &chain));
    const header_environment *environment = host->environment(context);
    chain.origin = environment->status_bar_hidden ? 0 : environment->status_bar_height;
    chain.tail = -1;
    chain.hides_passed_drawers = false;
    check(host->set_chain(context, &chain));
    check(host->expand(context, 0));
    check(host->move_chain(context, 0, -points, nullptr));
  }

  /* How far the drawers are from where they would be expanded, and how far that can be. */
  double hidden() const {
    double sum = 0;
    for (uint32_t drawer = 0; drawer < drawers(); drawer++)
      sum += host->expanded_center(context, drawer).y - host->drawer(context, drawer)->center.y;
    return sum;
  }

  double travel() const {
    double sum = 0;
    for (uint32_t drawer = 0; drawer < drawers(); drawer++) {
      const header_drawer *record = host->drawer(context, drawer);
      if (!record->is_sticky) sum += record->size.height;
    }
    return sum;
  }

  const header_scroll_view *content() const {
    int32_t view = host->tracking_scroll_view(context);
    return view < 0 ? nullptr : host->scroll_view(context, static_cast<uint32_t>(view));
  }

  void note_offset() {
    if (const header_scroll_view *view = content()) last_offset = view->content_offset.y;
  }

  void did_scroll() {
    double offset = content()->content_offset.y;
    double top = -content()->adjusted_content_inset.top;
    /* Beyond its top the content stretches by itself. */
    double way = std::max(offset, top) - std::max(last_offset, top);
    last_offset = offset;
    check(host->move_chain(context, 0, -way, nullptr));
  }

  /* Snaps by the content: the header goes where it belongs because the content comes to rest where it is. */
  void will_end_dragging(const header_event &event, header_answer &answer) {
    double all = travel();
    double there = std::clamp(hidden() + event.target_offset.y - content()->content_offset.y, 0.0, all);
    bool is_fast = std::abs(event.velocity.y) >= velocity;
    bool hides = is_fast ? event.velocity.y > 0 : there > all / 2;
    double left = (hides ? all : 0) - there;
    /* Nothing is hidden of a header whose content has no room for it. */
    double target = event.target_offset.y + left;
    if (left == 0 || (hides && target < all - content()->adjusted_content_inset.top)) return;
    answer.target_offset = {event.target_offset.x, target};
    answer.has_target_offset = true;
  }
};

/* ── The boundary ───────────────────────────────────────────────────────────────────────────────────────────────────── */

template <typename Body> int32_t guarded(void *self, Body body) noexcept {
  SnapBar &bar = *static_cast<SnapBar *>(self);
  try {
    body(bar);
    return HEADER_OK;
  } catch (const Refusal &refusal) {
    bar.explain(refusal.reason);
    return HEADER_REFUSED;
  } catch (const HostResult &host) {
    return host.result;
  } catch (const std::exception &error) {
    bar.explain(error.what());
    return HEADER_FAILED;
  } catch (...) {
    return HEADER_FAILED;
  }
}

const header_option options[] = {{
  .struct_size = sizeof(header_option),
  .name = "velocity",
  .type = HEADER_TYPE_NUMBER,
  .unit = "points per millisecond",
  .default_value = {.type = HEADER_NUMBER, .number = 0.3},
  .has_minimum = true,
  .has_maximum = true,
  .minimum = 0,
  .maximum = 100,
  .meaning = "From which velocity on a release goes on in its direction.",
}};

const header_behavior behavior = {
  .struct_size = sizeof(header_behavior),
  .name = "SnapBar",
  .summary = "Goes with the content and never rests half way.",
  .moves = true,
  .events = HEADER_EVENT(HEADER_DID_SCROLL) | HEADER_EVENT(HEADER_WILL_END_DRAGGING) | HEADER_EVENT(HEADER_LAYOUT) |
            HEADER_EVENT(HEADER_SET_TRACKING_SCROLL_VIEW),
  .options = options,
  .option_count = std::size(options),
  .saved_version = 1,
  .create = [](const header_host *host, header_context *context, void *) -> void * {
    return new (std::nothrow) SnapBar(host, context);
  },
  .destroy = [](void *self) { delete static_cast<SnapBar *>(self); },
  .set_option = [](void *self, uint32_t, const header_value *value) {
    return guarded(self, [&](SnapBar &bar) { bar.set_velocity(value->number); });
  },
  .attach = [](void *self) { return guarded(self, [](SnapBar &bar) { bar.attach(); }); },
  .receive = [](void *self, const header_event *event, header_answer *answer) {
    return guarded(self, [&](SnapBar &bar) { bar.receive(*event, *answer); });
  },
  .save = [](void *self, header_saved *saved) { return guarded(self, [&](SnapBar &bar) { bar.save(*saved); }); },
  .restore = [](void *self, const header_saved *saved) {
    return guarded(self, [&](SnapBar &bar) { bar.restore(*saved); });
  },
};

const header_behavior *const behaviors[] = {&behavior};

const header_behavior_factory factory = {
  .struct_size = sizeof(header_behavior_factory), .count = std::size(behaviors), .behaviors = behaviors};

const header_plugin plugin = {
  .struct_size = sizeof(header_plugin),
  .abi_major = HEADER_ABI_MAJOR,
  .abi_minor = HEADER_ABI_MINOR,
  .name = "SnapBar",
  .version = "0.1.0",
  .summary = "An example of a plugin in C++.",
  .get_factory = [](const char *id) -> const void * {
    return std::strcmp(id, HEADER_BEHAVIOR_FACTORY) == 0 ? &factory : nullptr;
  },
};

} // namespace

const header_plugin *header_plugin_entry(uint16_t host_abi_major, uint16_t) {
  return host_abi_major == HEADER_ABI_MAJOR ? &plugin : nullptr;
}
