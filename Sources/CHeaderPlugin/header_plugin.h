/* SPDX-License-Identifier: MIT
 *
 * header_plugin.h: the contract between headerd and a plugin
 * ==========================================================
 *
 * A plugin is a shared library that offers one or more behaviors. A behavior decides what a header does when its content
 * scrolls: it receives UIScrollViewDelegate's events and answers by asking the host to move drawers, write offsets and
 * insets, set values, start animations. This file is all that a plugin needs; it can be written in any language that can
 * export one C function and fill in C structs.
 *
 * One exported symbol
 * -------------------
 *     const header_plugin *header_plugin_entry(uint16_t host_abi_major, uint16_t host_abi_minor);
 * The host calls it once, right after loading: no instance of this library runs during its entry. It returns the plugin's
 * table, or NULL if the plugin cannot serve this host. Nothing else is looked up in the library.
 *
 * Life of an instance
 * -------------------
 *     create ─▶ set_option* ─▶ events ─▶ attach ─▶ receive, call, layout, frame, timer, completion,
 *                                  │                after_event, set_option, save …  ─▶ detach ─▶ destroy
 *                                  └─▶ restore ─▶ the same
 * `create` makes one instance for one header. Options that were given are then set in the order of the behavior's
 * list; an option that was not given keeps its default. `attach` is the first call in which the host's functions may be
 * used; drawers are claimed there. A reload makes an instance of the new code and calls `restore` instead of `attach`,
 * with what the old instance saved.
 *
 * Threads
 * -------
 * A host may spread its headers over several threads. The entry is called by one of them, while instances of other
 * libraries may run on others; the tables and texts that it leads to are then only read, by any thread. An instance is called by one thread at a time,
 * not always the same one, and only about its own header; instances of different headers, of the same behavior too, may be
 * called by different threads at the same moment, `create` and `destroy` included. So keep no mutable globals and no
 * thread-locals. The host's functions may be called only from within a call into the instance, on the same thread.
 *
 * Re-entry
 * --------
 * Some host functions are marked [re-enters] (the other brackets are explained at header_host): before they return, the
 * instance may be called again. A write of a content offset, for example, comes back as a nested didScroll. Worked order,
 * with behaviors A and B in the chain, and A writing the offset while it receives the event E (N is the nested event):
 *     1 A.receive(E) begins   2 A calls set_content_offset   3 A.receive(N)   4 B.receive(N)
 *     5 set_content_offset returns   6 A.receive(E) ends   7 B.receive(E)
 * So read the records again after such a call, and keep your own state consistent before it. Events nest as deep as
 * the host's limit nestedDepth says, 8 unless its config has 1 to 64: a write that would nest deeper breaks a rule.
 *
 * Time, memory, exceptions
 * ------------------------
 * Events of all headers of the thread wait while a call into an instance runs, so return in microseconds. A call may allocate,
 * and had better not in receive, layout and frame, which run for each event. It must not wait: no locks that others hold for long,
 * no files, no sockets, no sleep. A host tells of a call that takes longer than its deadline (plugins.deadline of headerd, 1 s
 * unless set) and may end itself, or, of an isolated plugin, the plugin's process. There is no clock but `time`, and nothing may
 * depend on another one: the same calls must give the same answers in a replay.
 * No exception may leave a function of the plugin, and no longjmp cross it: the host's frames cannot be unwound, so the process ends.
 * Catch everything at the boundary and return HEADER_FAILED (Plugins/Examples/Cpp/SnapBar.cpp does it).
 *
 * Ownership
 * ---------
 * What a plugin hands out in its tables stays valid and unchanged as long as the library is loaded. What the host hands
 * to a function (events, values, texts) is valid until that function returns, unless said otherwise. Texts are UTF-8,
 * ended by NUL. The host copies what it keeps.
 *
 * Numbers
 * -------
 * Lengths are points, times seconds, velocities points per millisecond, alphas and progress 0…1. y grows downward.
 * An offset grows when content moves up; a drawer's movement has the frame's sign: negative contracts. Numbers given to
 * the host must be finite and within ±1e9. A plugin that gives others, or breaks another rule of this file, is bypassed:
 * it is not called any more, the notice delegatePassedOver and `bypassed` of header.get say so, and the header continues.
 *
 * Growth
 * ------
 * Every table begins with `struct_size`, the size of the struct as its maker knows it. A published struct that begins with it only
 * grows at its end: before reading a field, make sure that it lies within struct_size (HEADER_HAS below). Lists of such structs are
 * stepped through by the first one's struct_size. Structs without it stay as they are as long as the major version does, since they
 * lie in lists or are written by the other side: header_value, header_drawer, header_element, header_scroll_view, header_chain,
 * header_event, header_answer, header_stop, header_drawer_place and the shapes; what is new of them comes as a function or an extension.
 * header_environment, of which there is one, grows at its end: what is "since 1.2" in it is there when the host's table has abi_minor 2
 * or more. The major version changes when a meaning changes; the minor one when something was added. Enumerations are plain
 * integers: a value that you do not know has no meaning for you, ignore it. Larger additions are extensions, looked up by a versioned
 * id such as "header.behavior/1"; an id that is not known gives NULL. Ids of third parties begin with their domain,
 * "org.example.thing/1".
 */
#ifndef HEADER_PLUGIN_H
#define HEADER_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HEADER_ABI_MAJOR 1
#define HEADER_ABI_MINOR 2

/* Whether a table made by the other side has a field: whether the field ends within struct_size. A language that has no use for C's
 * macros compares struct_size with the sum of the field's offset and size. */
#define HEADER_HAS(table, field) \
  ((table)->struct_size >= (size_t)((const char *)&(table)->field - (const char *)(table)) + sizeof((table)->field))

/* What an initializer of a table leaves out is zero, in C++20 as well, where g++ and clang++ would warn of each such field. */
#if defined __cplusplus && defined __GNUC__
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif

/* ── Results ──────────────────────────────────────────────────────────────────────────────────────────────────────── */

/* What functions return. Any other value counts as HEADER_FAILED. */
enum {
  HEADER_OK = 0,
  /* No, with a reason (see header_host.explain): an option's value, a call, a saved state that does not fit. Nothing
   * changed. From receive, layout and the like it counts as HEADER_FAILED. */
  HEADER_REFUSED = 1,
  /* It went wrong. The host bypasses the instance. */
  HEADER_FAILED = 2
};

/* ── Shapes ───────────────────────────────────────────────────────────────────────────────────────────────────────── */

typedef struct header_point { double x, y; } header_point;
typedef struct header_size { double width, height; } header_size;
typedef struct header_rect { header_point origin; header_size size; } header_rect;
typedef struct header_insets { double top, left, bottom, right; } header_insets;
typedef struct header_transform { double m[16]; } header_transform; /* m11…m44 by rows */
typedef struct header_extent { double top, height; } header_extent; /* of a drawer, without its translation */

/* ── Values: options, arguments, saved states ─────────────────────────────────────────────────────────────────────── */

enum {
  HEADER_NULL = 0,
  HEADER_BOOL = 1,
  HEADER_NUMBER = 2,
  HEADER_TEXT = 3,
  HEADER_LIST = 4,
  HEADER_RECORD = 5
};

/* A tree of plain data. Whoever made it owns all of it; readers copy what they keep. */
typedef struct header_value {
  uint8_t type;                        /* HEADER_NULL… */
  bool boolean;                        /* of a BOOL */
  uint32_t count;                      /* of a LIST or RECORD: how many items; of a TEXT: its bytes without the NUL */
  double number;                       /* of a NUMBER */
  const char *text;                    /* of a TEXT, ended by NUL */
  const struct header_value *items;    /* of a LIST or RECORD; may be NULL when count is 0 */
  const char *const *names;            /* of a RECORD: the items' names, none twice */
} header_value;

/* ── Records that are read in place ───────────────────────────────────────────────────────────────────────────────── */

enum { HEADER_KIND_SCROLL = 0, HEADER_KIND_TABLE = 1, HEADER_KIND_COLLECTION = 2, HEADER_KIND_WEB = 3 };
enum { HEADER_ADJUSTMENT_NEVER = 0, HEADER_ADJUSTMENT_AUTOMATIC = 1 };
enum { HEADER_CLAMPING_ALL = 0, HEADER_CLAMPING_INSET = 1, HEADER_CLAMPING_NONE = 2 };

/* The host's model of a publisher's scroll view. It lives in the host and changes under your eyes: a pointer to it is
 * valid until the call into the instance returns, or until a `layout` event with HEADER_LAYOUT_STRUCTURE. */
typedef struct header_scroll_view {
  header_point content_offset;
  header_size content_size;
  header_insets content_inset;
  header_insets scroll_indicator_insets;
  header_rect frame;                       /* in header space */
  header_size viewport;                    /* as the publisher gave it */
  header_insets adjusted_content_inset;    /* content inset and, with automatic adjustment, the safe area */
  header_point correction;                 /* the sum of the header's own moves of the offset */
  double refresh_control_height;
  double bounds_animation_duration;        /* seconds; 0: none under way */
  uint8_t kind;                            /* HEADER_KIND_… */
  uint8_t content_inset_adjustment;        /* HEADER_ADJUSTMENT_… */
  uint8_t clamping;                        /* HEADER_CLAMPING_… */
  bool is_tracking;
  bool is_dragging;
  bool is_decelerating;
  bool is_animating;                       /* an animated scroll of the program's is under way */
  bool paging_enabled;
  bool has_refresh_control;
  bool refresh_control_hidden;
  bool is_refreshing;
  bool forwards_events;
  bool decides_indicator_insets;
  bool decides_frame;
  bool decides_content_size;
  uint8_t flow;                            /* 0: behaviors see every edge as the top, and content that begins there */
} header_scroll_view;

/* What surrounds the header. */
typedef struct header_environment {
  header_insets safe_area_inset;
  header_point view_origin;                /* of header space, in the window */
  double status_bar_height;                /* its own height, also while it is hidden */
  double screen_scale;
  double clock_second_of_minute;           /* at header time 0; negative: not known */
  bool status_bar_hidden;
  bool status_bar_follows_header;
  bool device_has_hardware_safe_area;
  bool visible;
  bool presented;
  bool key_window;
  bool voice_over_running;
  bool reduce_motion;
  bool app_extension;
  bool full_keyboard_access;               /* from here on: since 1.2 */
  bool always_shown;
  bool limits_motion;                      /* reduce_motion, unless the header asked for what its original did */
  double keyboard_height;
} header_environment;

enum { HEADER_FADE_NONE = 0, HEADER_FADE_ELEMENTS = 1, HEADER_FADE_DRAWER = 2 };

/* One piece of the header. A drawer is stored as center and size; its frame's top is center.y - size.height * 0.5. */
typedef struct header_drawer {
  header_point center;
  header_size size;
  header_point translation;
  double minimum_height;
  double maximum_height;
  float alpha;
  uint8_t fade;                            /* HEADER_FADE_… */
  int32_t first_element;                   /* its elements stand from here on in the header's elements */
  int32_t element_count;
  bool is_hidden;
  bool is_sticky;
  int8_t z_index;                          /* -100…100: higher ones are drawn over lower ones [since 1.2; 0 before] */
} header_drawer;

/* Something drawn inside a drawer. */
typedef struct header_element {
  header_point center;
  header_rect bounds;
  header_transform transform;
  double z_index;
  double corner_radius;
  float alpha;
  int32_t drawer;
  bool is_hidden;
  bool is_changed;
} header_element;

/* Where all these lie. The host keeps it up to date under your eyes: got once in attach or restore, it is valid until detach,
 * and a look at a record is then a load and not a call. What it points to is valid as said above. */
typedef struct header_records {
  uint32_t struct_size;
  int32_t tracking_scroll_view;            /* -1: none */
  int64_t time;                            /* header time in nanoseconds */
  uint32_t drawer_count;
  uint32_t element_count;
  uint32_t scroll_view_count;
  bool is_explained;                       /* a client asks why the header moves, see note_resistance [since 1.2] */
  const header_drawer *drawers;
  const header_element *elements;
  const header_scroll_view *scroll_views;
  const header_environment *environment;
} header_records;

/* How the drawers hang together; see set_chain. Until it is set: origin 0, tail -1, the last drawer contracts first, the first one expands
 * first, writes_tail_insets and hides_passed_drawers true. A behavior that wants most of it begins with get_chain.
 * Without a tail the header lies over its content: moves of the drawers write no insets, and the application gives the content its inset.
 * A host logs a warning where follow_tail is called without one. */
enum { HEADER_END_FIRST = 0, HEADER_END_LAST = 1 };

typedef struct header_chain {
  double origin;                           /* the edge that the first drawer hangs on */
  int32_t tail;                            /* the scroll view whose top inset follows the far edge; -1: none */
  uint8_t contracts_first;                 /* HEADER_END_…: which drawer a contracting movement reaches first */
  uint8_t expands_first;
  bool writes_tail_insets;                 /* false: the tail is measured, never written */
  bool hides_passed_drawers;               /* a drawer that passes a contracting movement on is hidden */
} header_chain;

/* ── Events ───────────────────────────────────────────────────────────────────────────────────────────────────────── */

/* UIScrollViewDelegate's methods without their prefix, and changes of geometry and life. */
enum header_event_kind {
  HEADER_WILL_BEGIN_DRAGGING = 0,
  HEADER_DID_SCROLL = 1,
  HEADER_WILL_END_DRAGGING = 2,            /* velocity, target_offset; answer: target_offset, returned */
  HEADER_DID_END_DRAGGING = 3,             /* will_decelerate */
  HEADER_WILL_BEGIN_DECELERATING = 4,
  HEADER_DID_END_DECELERATING = 5,
  HEADER_DID_END_SCROLLING_ANIMATION = 6,
  HEADER_SHOULD_SCROLL_TO_TOP = 7,         /* answer: returned */
  HEADER_DID_SCROLL_TO_TOP = 8,
  HEADER_DID_CHANGE_ADJUSTED_CONTENT_INSET = 9,
  /* Offers: a movement before the content makes it, what the content then leaves over, the velocity of a fling. Each delegate
   * is offered what those before it left. A delegate that takes a part may carry the content along by it (move_silently);
   * the delegates that took nothing then hear of a nested didScroll. */
  HEADER_WILL_SCROLL = 10,                 /* delta, source; answer: consumed */
  HEADER_DID_OVERSCROLL = 11,              /* delta, source; answer: consumed */
  HEADER_WILL_FLING = 12,                  /* velocity (also in delta); answer: consumed */
  HEADER_LAYOUT = 13,                      /* given, changed */
  HEADER_WILL_APPEAR = 14,
  HEADER_DID_APPEAR = 15,
  HEADER_WILL_DISAPPEAR = 16,
  HEADER_DID_DISAPPEAR = 17,
  HEADER_DID_BECOME_ACTIVE = 18,
  HEADER_WILL_TRANSITION = 19,             /* size */
  HEADER_TRANSITION = 20,
  HEADER_DID_TRANSITION = 21,
  HEADER_WILL_CHANGE_TRACKING_SCROLL_VIEW = 22, /* new_scroll_view */
  HEADER_SET_TRACKING_SCROLL_VIEW = 23,    /* scroll_view: the one before; new_scroll_view: the one that now is */
  /* A scroll view's offset was written, by whomever, also with the value that it had, and whether or not it is the tracking
   * one and forwards its events: what an observer of the property sees. The didScroll, if there is one, follows. */
  HEADER_DID_WRITE_CONTENT_OFFSET = 24,
  /* A layout event has given a scroll view another viewport (size) and, when it is the tracking one, the drawers its width.
   * Told before the rest of the layout event is taken over; the layout event itself follows as usual. */
  HEADER_DID_RESIZE = 25
};

/* The bit of a kind in a set of kinds. */
#define HEADER_EVENT(kind) (UINT64_C(1) << (kind))

/* What a layout event was given, also when the value is the same; `changed` has the keys that really differ. */
enum header_layout_key {
  HEADER_LAYOUT_SAFE_AREA_INSET = 1 << 0,
  HEADER_LAYOUT_VIEW_ORIGIN = 1 << 1,
  HEADER_LAYOUT_STATUS_BAR_HEIGHT = 1 << 2,
  HEADER_LAYOUT_STATUS_BAR_HIDDEN = 1 << 3,
  HEADER_LAYOUT_SCREEN_SCALE = 1 << 4,
  HEADER_LAYOUT_CLOCK_SECOND_OF_MINUTE = 1 << 5,
  HEADER_LAYOUT_STATUS_BAR_FOLLOWS_HEADER = 1 << 6,
  HEADER_LAYOUT_DEVICE_HAS_HARDWARE_SAFE_AREA = 1 << 7,
  HEADER_LAYOUT_VISIBLE = 1 << 8,
  HEADER_LAYOUT_PRESENTED = 1 << 9,
  HEADER_LAYOUT_KEY_WINDOW = 1 << 10,
  HEADER_LAYOUT_VOICE_OVER_RUNNING = 1 << 11,
  HEADER_LAYOUT_REDUCE_MOTION = 1 << 12,
  HEADER_LAYOUT_APP_EXTENSION = 1 << 13,
  HEADER_LAYOUT_VIEWPORT = 1 << 14,
  HEADER_LAYOUT_DRAWERS = 1 << 15,
  HEADER_LAYOUT_CONTENT_SIZE = 1 << 16,
  HEADER_LAYOUT_FRAME = 1 << 17,
  HEADER_LAYOUT_SCROLL_INDICATOR_INSETS = 1 << 18,
  HEADER_LAYOUT_CONTENT_INSET_ADJUSTMENT = 1 << 19,
  HEADER_LAYOUT_KIND = 1 << 20,
  HEADER_LAYOUT_PAGING_ENABLED = 1 << 21,
  HEADER_LAYOUT_REFRESH_CONTROL = 1 << 22,
  HEADER_LAYOUT_FORWARDS_EVENTS = 1 << 23,
  HEADER_LAYOUT_CLAMPING = 1 << 24,
  HEADER_LAYOUT_CONTENT_INSET = 1 << 25,
  HEADER_LAYOUT_BOUNDS_ANIMATION_DURATION = 1 << 26,
  HEADER_LAYOUT_OFFSET = 1 << 27,
  HEADER_LAYOUT_PASS = 1 << 28,            /* a layout pass was asked for */
  HEADER_LAYOUT_STRUCTURE = 1 << 29,       /* drawers or scroll views were replaced: pointers read before are void */
  HEADER_LAYOUT_FULL_KEYBOARD_ACCESS = 1 << 30 /* since 1.2 */
};
#define HEADER_LAYOUT_ALWAYS_SHOWN (UINT64_C(1) << 31)    /* since 1.2 */
#define HEADER_LAYOUT_KEYBOARD_HEIGHT (UINT64_C(1) << 32) /* since 1.2 */

enum { HEADER_SOURCE_DRAG = 0, HEADER_SOURCE_FLING = 1, HEADER_SOURCE_PROGRAM = 2 };

/* What moved the content: not known, a finger and its fling, the application, a keyboard; rows that came or went before what is
 * seen, by which nothing moved on the screen; the toolkit's layout. */
enum { HEADER_REASON_UNSAID = 0, HEADER_REASON_USER = 1, HEADER_REASON_PROGRAM = 2, HEADER_REASON_KEYBOARD = 3,
       HEADER_REASON_CONTENT = 4, HEADER_REASON_LAYOUT = 5 };

/* One event. The scroll view's record already has what it brought. */
typedef struct header_event {
  uint8_t kind;                            /* header_event_kind */
  int32_t scroll_view;                     /* whose event it is; -1: none's */
  int32_t depth;                           /* 0 from outside; 1… brought about by a delegate's own write */
  int32_t new_scroll_view;
  int64_t time;                            /* header time, nanoseconds */
  header_point velocity;                   /* points per millisecond */
  header_point target_offset;              /* as rewritten by the delegates before */
  header_point delta;
  header_size size;
  uint64_t given;                          /* header_layout_key */
  uint64_t changed;
  uint8_t source;                          /* HEADER_SOURCE_… */
  bool will_decelerate;
  uint8_t reason;                          /* HEADER_REASON_…, of a didScroll [since 1.2] */
} header_event;

/* The answer to an event: zeroed when receive is called, which means "as it is". */
typedef struct header_answer {
  header_point target_offset;              /* with has_target_offset */
  header_point consumed;                   /* with has_consumed: of the same sign as the offer, at most as much */
  bool returned;                           /* with has_returned */
  bool has_target_offset;
  bool has_consumed;
  bool has_returned;
  bool ends;                               /* no delegate after this one is asked */
} header_answer;

/* ── The host ─────────────────────────────────────────────────────────────────────────────────────────────────────── */

/* One instance's place in one header, as the host knows it. Given to create; passed back with every host function. */
typedef struct header_context header_context;

enum { HEADER_CURVE_LINEAR = 0, HEADER_CURVE_EASE_IN = 1, HEADER_CURVE_EASE_OUT = 2, HEADER_CURVE_EASE_IN_OUT = 3,
       HEADER_CURVE_SPRING = 4 };

/* An animation to announce. The values that it leads to are set at once; renderers draw from what is on the screen. */
typedef struct header_animation {
  uint32_t struct_size;
  uint8_t curve;                           /* HEADER_CURVE_… */
  bool has_completion;                     /* call `completion` with the token when it is over by the clock */
  uint64_t token;
  double duration;                         /* seconds, 0…86400 */
  double delay;                            /* seconds */
  double mass, stiffness, damping, initial_velocity; /* of a spring */
} header_animation;

enum { HEADER_STYLE_NONE = 0, HEADER_STYLE_DEFAULT = 1, HEADER_STYLE_LIGHT_CONTENT = 2, HEADER_STYLE_DARK_CONTENT = 3 };

/* What the header asks of its surroundings. */
typedef struct header_wants {
  uint32_t struct_size;
  bool prefers_status_bar_hidden;
  uint8_t preferred_status_bar_style;      /* HEADER_STYLE_… */
  bool has_additional_safe_area_inset;
  bool has_top_layout_guide_length;
  header_insets additional_safe_area_inset;
  double top_layout_guide_length;
} header_wants;

/* Levels of lines of the log. */
enum {
  HEADER_LOG_DEBUG = 0,                    /* for the behavior's author */
  HEADER_LOG_INFO = 1,                     /* what an operator may want to know */
  HEADER_LOG_WARNING = 2,                  /* what an operator should look at */
  HEADER_LOG_ERROR = 3                     /* what does not work */
};

/* What the host does for an instance. Functions that return int32_t return HEADER_OK, or HEADER_FAILED when the call broke
 * a rule (a number that is not finite, a drawer of another delegate, events nested too deep): the instance is then bypassed
 * once its present call returns, and changes nothing any more until then, so just return. Indexes of drawers, elements and
 * scroll views count from 0.
 *
 * All of them are called from within a call into the instance, on its thread (see Threads). The brackets say in which calls:
 *     [any]         in each, from create to destroy
 *     [reads]       from attach or restore to detach, detach included; before that the answer is 0, false, -1 or NULL, and
 *                   HEADER_FAILED of get_value
 *     [acts]        from attach or restore on, but not in responds, get_extension, save, detach, and not in position, stops,
 *                   drawer and reach of header_position: that breaks a rule
 *     [attach]      in attach, in restore and in a layout event with HEADER_LAYOUT_STRUCTURE: anywhere else it breaks a rule
 *     [asked]       also in set_option and call, once the instance is attached
 *     [re-enters]   the instance may be called again before it returns (see Re-entry); without this bracket it never is
 *     [since 1.1]   not there on hosts of an older minor version: test HEADER_HAS before the call */
typedef struct header_host {
  uint32_t struct_size;
  uint16_t abi_major, abi_minor;

  /* An extension of the host's by id, NULL when it has none of that id. [any] */
  const void *(*get_extension)(const char *id);

  /* ── Reading ── */

  /* [reads] */
  uint32_t (*drawer_count)(header_context *);
  /* [reads] */
  uint32_t (*element_count)(header_context *);
  /* [reads] */
  uint32_t (*scroll_view_count)(header_context *);
  /* Records in place; NULL for an index that does not exist. [reads] */
  const header_drawer *(*drawer)(header_context *, uint32_t drawer);
  /* [reads] */
  const header_element *(*element)(header_context *, uint32_t element);
  /* [reads] */
  const header_scroll_view *(*scroll_view)(header_context *, uint32_t scroll_view);
  /* [reads] */
  const header_environment *(*environment)(header_context *);
  /* Names, valid until the instance is detached or receives HEADER_LAYOUT_STRUCTURE; NULL for an index that does not exist. [reads] */
  const char *(*drawer_name)(header_context *, uint32_t drawer);
  /* [reads] */
  const char *(*element_name)(header_context *, uint32_t element);
  /* [reads] */
  const char *(*scroll_view_name)(header_context *, uint32_t scroll_view);
  /* How the application holds the header: the description's `hosting`, a RECORD. Valid until the call returns. [reads] */
  const header_value *(*hosting)(header_context *);
  /* The tracking scroll view; -1: none. [reads] */
  int32_t (*tracking_scroll_view)(header_context *);
  /* Header time in nanoseconds, within ±9e18; the publisher chose its origin. It never goes back, and the time between two
   * of a header's events is below 2^63. There is no other clock. [reads] */
  int64_t (*time)(header_context *);

  /* ── Scroll views ── */

  /* Writes a content offset. When it differs, the delegates receive a nested didScroll before this returns. [acts] [re-enters] */
  int32_t (*set_content_offset)(header_context *, uint32_t scroll_view, header_point offset);
  /* Moves the content without an event. [acts] */
  int32_t (*move_silently)(header_context *, uint32_t scroll_view, header_point offset);
  /* Writes a content inset. An offset that is then out of range, with nothing moving the content, is brought back by a
   * write. [acts] [re-enters] */
  int32_t (*set_content_inset)(header_context *, uint32_t scroll_view, header_insets inset);
  /* [acts] */
  int32_t (*set_scroll_indicator_insets)(header_context *, uint32_t scroll_view, header_insets insets);
  /* Writes the scroll view's frame. Its new size may push the offset out of range, as above. [acts] [re-enters] */
  int32_t (*set_scroll_view_frame)(header_context *, uint32_t scroll_view, header_rect frame);
  /* [acts] [re-enters] */
  int32_t (*set_content_size)(header_context *, uint32_t scroll_view, header_size size);

  /* ── Drawers: only those that the instance has claimed ── */

  /* Makes a drawer the instance's own; in attach, in restore and in a layout event with HEADER_LAYOUT_STRUCTURE only.
   * HEADER_REFUSED when it belongs to another delegate: return that. [attach] */
  int32_t (*claim_drawer)(header_context *, uint32_t drawer);
  /* How the drawers hang together. Needs the first drawer. Nothing moves by it. [acts] */
  int32_t (*set_chain)(header_context *, const header_chain *chain);
  /* [acts] */
  int32_t (*get_chain)(header_context *, header_chain *chain);
  /* Brings the tail's top inset to the chain's far edge; does nothing without a tail. While a finger or a deceleration moves the
   * content only the inset changes; otherwise the content moves along, silently. `difference` gets new minus old top inset, also when it may not
   * be written. [acts] [re-enters] */
  int32_t (*follow_tail)(header_context *, double *difference);
  /* Sets a frame. This is not a move: nothing goes along. [acts] */
  int32_t (*set_drawer_frame)(header_context *, uint32_t drawer, header_rect frame);
  /* [acts] */
  int32_t (*set_drawer_center)(header_context *, uint32_t drawer, header_point center, header_size size);
  /* Moves a drawer; those after it that have the same owner, and the tail, go along. [acts] [re-enters] */
  int32_t (*move_drawer)(header_context *, uint32_t drawer, header_point center);
  /* Gives a movement to a drawer and its neighbors; `residual` gets what none of them could use. [acts] [re-enters] */
  int32_t (*move_chain)(header_context *, uint32_t drawer, double distance, double *residual);
  /* Expands or contracts a drawer and all after it. [acts] [re-enters] */
  int32_t (*expand)(header_context *, uint32_t drawer);
  /* [acts] [re-enters] */
  int32_t (*contract)(header_context *, uint32_t drawer);
  /* Where a drawer's center is when it is expanded or contracted, below the drawers before it as they are now: it follows them. [reads] */
  header_point (*expanded_center)(header_context *, uint32_t drawer);
  /* [reads] */
  header_point (*contracted_center)(header_context *, uint32_t drawer);
  /* [acts] */
  int32_t (*set_drawer_sticky)(header_context *, uint32_t drawer, bool sticky);
  /* HEADER_FADE_NONE shows everything at once. [acts] */
  int32_t (*set_drawer_fade)(header_context *, uint32_t drawer, uint8_t fade);
  /* [acts] */
  int32_t (*set_drawer_alpha)(header_context *, uint32_t drawer, double alpha);
  /* [acts] */
  int32_t (*set_drawer_hidden)(header_context *, uint32_t drawer, bool hidden);
  /* [acts] */
  int32_t (*set_drawer_translation)(header_context *, uint32_t drawer, header_point translation);
  /* [acts] */
  int32_t (*set_drawer_heights)(header_context *, uint32_t drawer, double minimum, double maximum);

  /* ── Elements, values, wishes ── */

  /* Sets an element's look; `drawer` and `is_changed` of the record are not read. [acts] */
  int32_t (*set_element)(header_context *, uint32_t element, const header_element *look);
  /* Sets one of the behavior's own values, by its place in the behavior's list: NULL, BOOL, NUMBER or TEXT. [acts] */
  int32_t (*set_value)(header_context *, uint32_t number, const header_value *value);
  /* [acts] */
  int32_t (*get_wants)(header_context *, header_wants *wants);
  /* With status_bar_follows_header a wish about the status bar is fulfilled at once. [acts] [re-enters] */
  int32_t (*set_wants)(header_context *, const header_wants *wants);

  /* ── What happened ── */

  /* Posts a notice by its place in the behavior's list. `arguments` is a RECORD or NULL. [acts] */
  int32_t (*post)(header_context *, uint32_t number, const header_value *arguments, bool routine);
  /* Asks something of the publisher: "scrollRectToVisible" {rect, animated}, "flashScrollIndicators" {}. [acts] */
  int32_t (*command)(header_context *, uint32_t scroll_view, const char *name, const header_value *arguments);

  /* ── Time ── */

  /* [acts] */
  int32_t (*animate)(header_context *, const header_animation *animation);
  /* Frames: `frame` is called for each one until they are stopped. Starting again starts over. [acts] */
  int32_t (*start_frames)(header_context *);
  /* [acts] */
  int32_t (*stop_frames)(header_context *);
  /* [reads] */
  bool (*frames_are_active)(header_context *);
  /* A one-shot timer: `timer` is called with the token. Seconds, 0…86400. [acts] */
  int32_t (*start_timer)(header_context *, uint64_t token, double delay);
  /* [acts] */
  int32_t (*cancel_timer)(header_context *, uint64_t token);
  /* Asks for `layout` at the end of the event. [acts] */
  int32_t (*mark_layout)(header_context *);
  /* Asks for `after_event` with the token, after the layout passes; another layout pass follows it. [acts] */
  int32_t (*after_event)(header_context *, uint64_t token);

  /* ── Words ── */

  /* Gives the reason for the HEADER_REFUSED or HEADER_FAILED that the instance is about to return. Copied. [any] */
  void (*explain)(header_context *, const char *reason);

  /* ── Working after others, and with them ── */

  /* A named value of whichever delegate of the header has it: NULL, BOOL, NUMBER or TEXT, valid until the next call of
   * this function. HEADER_REFUSED (and nothing else happens) when there is none of that name. [reads] */
  int32_t (*get_value)(header_context *, const char *name, header_value *value);
  /* Asks for `layout` also after everything else is done, in each event in which something changed: the pass in which
   * what moves nothing itself follows what others moved. Asked for in attach and restore; it lasts as long as the instance.
   * [acts] */
  int32_t (*follow_changes)(header_context *);
  /* Makes an element's look the instance's own, as claim_drawer does with a drawer, and also in set_option and call once it
   * is attached. An element that no delegate claimed may be set by each of them. What a drawer's fade does to its elements' alpha,
   * their owners may set otherwise afterwards. [attach] [asked] */
  int32_t (*claim_element)(header_context *, uint32_t element);
  /* Whether no other delegate owns the drawer. Those with the option "yields" set to true are attached after all others and
   * claim only what is free. [reads] */
  bool (*drawer_is_free)(header_context *, uint32_t drawer);
  /* Whether no other delegate has claimed the element. [reads] */
  bool (*element_is_free)(header_context *, uint32_t element);

  /* ── Reading without calls ── */

  /* Where the header's records lie; NULL before attach and restore. [reads] */
  const header_records *(*records)(header_context *);

  /* ── The log ── */

  /* Writes a line to the host's log, where it stands with the plugin, the behavior and the header. `level` is a HEADER_LOG_…;
   * one that the host does not know counts as a warning. Of `message` at most 1024 bytes are taken, and copied; what does
   * not fit in a line is escaped. It changes nothing, and the host may leave lines out: when there are too many, and in
   * replays. A healthy behavior logs nothing above HEADER_LOG_DEBUG. [any] [since 1.1] */
  void (*log)(header_context *, uint8_t level, const char *message);

  /* ── Which scroll view is tracked ── */

  /* Makes another scroll view the tracking one; -1: none. The delegates receive that as an event. [acts] [re-enters]
   * [since 1.2] */
  int32_t (*set_tracking_scroll_view)(header_context *, int32_t scroll_view);

  /* ── For explanations ── */

  /* Tells that a resistance of the behavior's own has held back a part of a movement, so that `left` of `wanted` was left for
   * the drawers; points in a frame's sign. `drawer`: whose movement it is; -1: of all together. It changes nothing, and is
   * kept only while a client asks why the header moves (header.explain). [acts] [since 1.2] */
  int32_t (*note_resistance)(header_context *, int32_t drawer, double wanted, double left);
  /* Tells that the behavior divides a movement among drawers by itself: `taken` of `distance` is what they take together. What
   * each of them takes follows by note_part, in the order in which they were offered it. Points in a frame's sign; it changes
   * nothing. [acts] [since 1.2] */
  int32_t (*note_movement)(header_context *, double distance, double taken);
  /* Tells what a drawer took of what it was offered of that movement; the rest went on. `rule`: a HEADER_RULE_…, why it did not
   * take all; one that the host does not know counts as none. [acts] [since 1.2] */
  int32_t (*note_part)(header_context *, uint32_t drawer, double wanted, double taken, uint8_t rule);

  /* ── Which drawers a drawer is drawn over ── */

  /* Higher ones are drawn over lower ones, of equal ones the earlier; cut to -100…100. [acts] [since 1.2] */
  int32_t (*set_drawer_z_index)(header_context *, uint32_t drawer, int8_t z_index);

  /* ── What the description says ── */

  /* Writes how the header's description has an element, whatever it looks like now. [acts] [since 1.2] */
  int32_t (*get_described_element)(header_context *, uint32_t index, header_element *element);

  /* ── Several drawers at once ── */

  /* Sets the top edges and heights of `count` drawers from `first` on, as set_drawer_center does with one; x and width stay. It
   * ends at a drawer or a number that breaks a rule. [acts] [since 1.2] */
  int32_t (*set_drawer_extents)(header_context *, uint32_t first, uint32_t count, const header_extent *extents);
} header_host;

/* Why a drawer does not take all of a movement. */
enum {
  HEADER_RULE_NONE = 0,       /* it takes all */
  HEADER_RULE_EXPANDED = 1,   /* it is as far down as it goes */
  HEADER_RULE_CONTRACTED = 2, /* it is as far up as it goes */
  HEADER_RULE_STICKY = 3,     /* it takes part in no movement */
  HEADER_RULE_CONSTRAINT = 4, /* a constraint permits no more */
  HEADER_RULE_RESISTANCE = 5, /* its resistance, slop or threshold took the rest */
  HEADER_RULE_TOP = 6         /* it comes back, or comes back further, only where the content is at its top */
};

/* ── What a behavior says about itself ────────────────────────────────────────────────────────────────────────────── */

/* Types of options, of arguments of calls and of values. */
enum {
  HEADER_TYPE_NUMBER = 0,
  HEADER_TYPE_INTEGER = 1,
  HEADER_TYPE_BOOL = 2,
  HEADER_TYPE_TEXT = 3,
  HEADER_TYPE_CASE = 4,                    /* a TEXT, one of `cases` */
  HEADER_TYPE_COLOR = 5,                   /* a RECORD red, green, blue, alpha or white, alpha; 0…1 */
  HEADER_TYPE_POINT = 6,
  HEADER_TYPE_SIZE = 7,
  HEADER_TYPE_RECT = 8,
  HEADER_TYPE_INSETS = 9,
  HEADER_TYPE_TRANSFORM = 10,              /* a LIST of 16 numbers */
  HEADER_TYPE_RECORD = 11                  /* any RECORD; the behavior checks what is in it */
};

/* One option, or one argument of a call. The host checks a value against it before the behavior sees it. */
typedef struct header_option {
  uint32_t struct_size;
  const char *name;                        /* lowerCamelCase, at most 128 bytes */
  uint8_t type;                            /* HEADER_TYPE_… */
  bool is_list;                            /* a LIST of that type */
  bool is_nullable;                        /* null is allowed too */
  const char *unit;                        /* "points", "seconds"…; NULL: none */
  header_value default_value;
  bool has_minimum, has_maximum;
  double minimum, maximum;                 /* both ends allowed */
  const char *const *cases;
  uint32_t case_count;
  const char *meaning;                     /* a sentence */
} header_option;

/* One named value that the behavior tells about itself. */
typedef struct header_value_description {
  uint32_t struct_size;
  const char *name;
  uint8_t type;                            /* HEADER_TYPE_NUMBER, BOOL, TEXT or CASE */
  const char *unit;
  header_value initial;
  const char *meaning;
  const char *const *cases;                /* of a CASE: what it may be; none: not listed [since 1.2] */
  uint32_t case_count;
} header_value_description;

/* One call that the behavior answers. */
typedef struct header_call_description {
  uint32_t struct_size;
  const char *name;
  const header_option *arguments;
  uint32_t argument_count;
  const char *meaning;
} header_call_description;

/* What an instance gives to be born again. `state` is the instance's, valid until the next call into it. */
typedef struct header_saved {
  uint32_t struct_size;
  uint32_t version;                        /* the behavior's saved_version when it was saved */
  const header_value *state;               /* at most 64 KiB as JSON */
} header_saved;

/* A behavior: its description and its functions. Functions marked (optional) may be NULL. */
typedef struct header_behavior {
  uint32_t struct_size;
  const char *name;                        /* UpperCamelCase (an ASCII capital, then letters and digits; at most 64),
                                            * unique among the loaded plugins */
  const char *summary;                     /* a sentence */
  bool moves;                              /* it moves drawers */
  uint64_t events;                         /* HEADER_EVENT(kind) | …: what its instances respond to at most */
  const header_option *options;
  uint32_t option_count;
  const header_value_description *values;
  uint32_t value_count;
  const header_call_description *calls;
  uint32_t call_count;
  const char *const *notices;              /* names of the notices that it posts */
  uint32_t notice_count;
  uint32_t saved_version;                  /* of the state that it saves; 1… */
  void *user_data;                         /* the plugin's own; passed to create */

  /* Makes an instance. `host` and `context` stay valid until destroy. NULL: it cannot. */
  void *(*create)(const header_host *host, header_context *context, void *user_data);
  /* Ends it. Not called before detach for an attached one. */
  void (*destroy)(void *self);
  /* Sets an option by its place in the list. The value has passed its description. */
  int32_t (*set_option)(void *self, uint32_t option, const header_value *value);
  /* (optional) What this instance responds to, asked after options are set; NULL: `events`. */
  uint64_t (*responds)(void *self);
  int32_t (*attach)(void *self);
  void (*detach)(void *self);              /* (optional) the last call but destroy: it may read, it changes nothing */
  /* An event on its way through the chain. */
  int32_t (*receive)(void *self, const header_event *event, header_answer *answer);
  /* (optional) A call by its place in the list. `arguments` is a RECORD that has passed its descriptions. Writes what it
   * returns to `result`, owned by the instance and valid until the next call into it; untouched means null. */
  int32_t (*call)(void *self, uint32_t call, const header_value *arguments, header_value *result);
  int32_t (*layout)(void *self);           /* (optional) asked for by mark_layout */
  int32_t (*frame)(void *self, double duration); /* (optional) one frame; seconds */
  int32_t (*timer)(void *self, uint64_t token); /* (optional) */
  int32_t (*completion)(void *self, uint64_t token); /* (optional) an animation is over by the clock */
  int32_t (*after_event)(void *self, uint64_t token); /* (optional) */
  /* (optional) Without the two an instance has no state of its own, and a reload begins it anew from its options. */
  int32_t (*save)(void *self, header_saved *saved);
  /* Takes over a saved state in place of attach. Drawers are claimed again; nothing else may be changed here: what the
   * header shows, its timers and its frames are as they were. HEADER_REFUSED: the old instance runs on. */
  int32_t (*restore)(void *self, const header_saved *saved);
  /* (optional) An extension of the instance's by id. */
  const void *(*get_extension)(void *self, const char *id);
} header_behavior;

/* ── An extension of an instance: its position ────────────────────────────────────────────────────────────────────── */

/* Got by the instance's get_extension. With it the header can be moved by call and constrained (header.move,
 * header.constrain); without it both are refused. [since 1.2]
 *
 * A position is a distance in points from fully expanded, 0, to fully collapsed, `travel`. Over-extended, a header is at 0. */
#define HEADER_POSITION "header.position/1"

/* A place on the way that has a name. */
typedef struct header_stop {
  const char *name;
  double progress;                         /* 0…1 */
} header_stop;

/* How far one drawer is gone, as it is seen, in points. */
typedef struct header_drawer_place {
  double gone;                             /* what it has lost of its height, and what it is moved off by */
  double collapse;                         /* what it can lose of its height */
  double shift;                            /* by how much it can then be moved off */
} header_drawer_place;

typedef struct header_position {
  uint32_t struct_size;
  /* It moves its drawers by move_chain, expand and contract alone, and does not mind if they are moved so by others. The host
   * then does it itself, bounds those functions to what is permitted, and calls none of the functions below but `stops`. */
  bool moves_chain;
  /* Where it is. It may be asked at any time after attach. */
  int32_t (*position)(void *self, double *traveled, double *travel);
  /* Goes to a position at once, and stays there until something moves it: what then moves it, moves it from there, without a
   * jump. `traveled` lies within 0…travel. */
  int32_t (*move)(void *self, double traveled);
  /* From now on it stays within a range of progress, 0 ≤ from ≤ to ≤ 1, and goes there at once. 0 and 1: it is free, and
   * goes where its law has it. Not saved: a restored instance gets it again. */
  int32_t (*permit)(void *self, double from, double to);
  /* (optional) Its stops beside expanded and collapsed; valid until the next call into the instance. */
  uint32_t (*stops)(void *self, const header_stop **stops);
  /* (optional) Where one of its drawers is. Without it the drawer's frame says so. */
  int32_t (*drawer)(void *self, uint32_t drawer, header_drawer_place *place);
  /* (optional) The position at which that drawer is gone so far, on the way from where all of them are. Without it the drawer is
   * the only one that moves. */
  int32_t (*reach)(void *self, uint32_t drawer, double gone, double *traveled);
} header_position;

/* The factory of behaviors, got by the id HEADER_BEHAVIOR_FACTORY. */
#define HEADER_BEHAVIOR_FACTORY "header.behavior/1"

typedef struct header_behavior_factory {
  uint32_t struct_size;
  uint32_t count;
  const header_behavior *const *behaviors;
} header_behavior_factory;

/* ── The plugin ───────────────────────────────────────────────────────────────────────────────────────────────────── */

typedef struct header_plugin {
  uint32_t struct_size;
  uint16_t abi_major, abi_minor;           /* HEADER_ABI_MAJOR and MINOR that it was built with */
  const char *name;                        /* the file's name without lib and .so */
  const char *version;                     /* the plugin's own, such as "0.1.0" */
  const char *summary;
  /* A factory by id, NULL when it has none of that id. */
  const void *(*get_factory)(const char *id);
} header_plugin;

/* The one symbol. Defined by the plugin. */
const header_plugin *header_plugin_entry(uint16_t host_abi_major, uint16_t host_abi_minor);

#ifdef __cplusplus
}
#endif

#endif /* HEADER_PLUGIN_H */
