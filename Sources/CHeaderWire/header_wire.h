/* SPDX-License-Identifier: MIT
 *
 * header_wire.h: headerd's binary encoding, byte by byte
 * ======================================================
 *
 * The same messages as in JSON Lines (headerd-protocol(7)), with the same meaning, on the same socket. This file is the
 * reference, and the daemon itself is compiled with it. It needs nothing but the C standard library's headers and reads as
 * C99 and as C++17.
 *
 * A connection
 * ------------
 *     client  89 48 44 01   frame   frame   frame …
 *     daemon                89 48 44 01   frame   frame …
 * The client opens with four bytes, and the daemon sends them back before its first frame. A daemon that refuses a connection
 * before it has read a byte (too many connections, draining) sends a JSON line instead, whose first byte is `{`. The last of the
 * four is the version of these layouts; the version of the protocol is asked for by HELLO, which may be left out.
 *
 * Frames
 * ------
 *     bytes 0–3  size    of the whole frame, these eight bytes included
 *     bytes 4–5  kind    HEADER_WIRE_… below
 *     bytes 6–7  zero
 * Toward the daemon a frame has at most `lineBytes` behind its first eight bytes; the daemon's frames have no such bound.
 * A size below 8 or above the limit ends the connection, since the place of the next frame is not known; every other
 * mistake costs one frame and is answered.
 *
 * Numbers
 * -------
 * Little-endian. `double` and `float` are IEEE 754. Times are whole nanoseconds within ±9e18, durations are seconds, lengths
 * points, velocities points per millisecond; signs as in the protocol. A NaN or an infinity is refused as any number beyond
 * its bounds: the error's `got` then is the text "nan", "inf" or "-inf". Fields named `zero` are written as zero and not read.
 * Structs have no hidden padding and are multiples of 8 bytes, but texts stand between them: copy a struct out of the
 * stream before you look at it (memcpy). Texts are UTF-8, not ended by NUL; their sizes stand before them. "JSON" is
 * a text that holds one JSON value; a size of 0 means that there is none.
 *
 * Requests and answers
 * --------------------
 * `id` is chosen by the client and comes back with the answer; 0 asks for no answer, only errors come back then. A request
 * in a frame of its own kind is answered by a frame of its own kind, a JSON frame by a JSON frame. Everything that the
 * protocol has goes through JSON frames; what is frequent, and what a client in C needs, has frames of its own.
 * What the daemon sends by itself does not depend on how it was asked for: states come as STATE frames, also those of a subscribe in a
 * JSON frame. What has no kind below comes as a JSON frame: durability, trace, delegate.event and delegate.ask, whose answer is a JSON
 * frame as well. The events `move`, `constrain`, `release` and `reveal` have no kind: send them as JSON frames, alone or among the
 * `events` of a batch.
 *
 * Growing
 * -------
 * A struct here never changes; more comes behind it or in new frames. So a client skips frames whose kind it does not know, bits that it
 * does not know, and bytes behind those that it knows. The daemon skips nothing: what it does not know of a request could be what
 * matters, so it refuses kinds, bits and sizes that are not in its own copy of this file, a PING with bytes behind it as well.
 */
#ifndef HEADER_WIRE_H
#define HEADER_WIRE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define HEADER_WIRE_IS(name, test) static_assert(test, #name)
#else
#define HEADER_WIRE_IS(name, test) typedef char header_wire_is_##name[(test) ? 1 : -1]
#endif
/* A struct's size, and that its last field begins where the table says: then nothing between is padded either. */
#define HEADER_WIRE_LAYOUT(type, size, last, place) \
  HEADER_WIRE_IS(type##_size, sizeof(type) == (size)); \
  HEADER_WIRE_IS(type##_##last, offsetof(type, last) == (place))

/* What a connection begins with: 0x89, 'H', 'D', 1. */
enum { HEADER_WIRE_PREAMBLE_0 = 0x89, HEADER_WIRE_PREAMBLE_1 = 0x48, HEADER_WIRE_PREAMBLE_2 = 0x44, HEADER_WIRE_VERSION = 1 };

typedef struct header_wire_frame {
  uint32_t size;      /*  0  the whole frame */
  uint16_t kind;      /*  4 */
  uint16_t zero;      /*  6 */
} header_wire_frame;
HEADER_WIRE_LAYOUT(header_wire_frame, 8, zero, 6);

enum {
  /* From the client. */
  HEADER_WIRE_JSON = 0x01,        /* a JSON-RPC object, as on a line; in both directions */
  HEADER_WIRE_EVENT = 0x02,       /* header_wire_events with one event */
  HEADER_WIRE_EVENTS = 0x03,      /* header_wire_events with a batch */
  HEADER_WIRE_HELLO = 0x04,       /* header_wire_hello */
  HEADER_WIRE_PING = 0x05,        /* header_wire_request; from the daemon header_wire_frame alone: nothing is owed */
  HEADER_WIRE_OPEN = 0x06,        /* header_wire_request, then JSON: the params of header.open */
  HEADER_WIRE_SUBSCRIBE = 0x07,   /* header_wire_request, then JSON: the params of subscribe */
  HEADER_WIRE_UNSUBSCRIBE = 0x08, /* header_wire_request_for: a subscription */
  HEADER_WIRE_CLOSE = 0x09,       /* header_wire_request_for: a header's handle */
  /* From the daemon. */
  HEADER_WIRE_DECIDED = 0x82,     /* header_wire_decided answers EVENT and EVENTS */
  HEADER_WIRE_WELCOME = 0x84,     /* header_wire_welcome answers HELLO */
  HEADER_WIRE_PONG = 0x85,        /* header_wire_pong answers PING */
  HEADER_WIRE_OPENED = 0x86,      /* header_wire_opened answers OPEN */
  HEADER_WIRE_SUBSCRIBED = 0x87,  /* header_wire_subscribed answers SUBSCRIBE */
  HEADER_WIRE_DONE = 0x88,        /* header_wire_answer answers UNSUBSCRIBE and CLOSE */
  HEADER_WIRE_ERROR = 0x90,       /* header_wire_error */
  HEADER_WIRE_NAMES = 0x91,       /* header_wire_names */
  HEADER_WIRE_STATE = 0x92,       /* header_wire_state */
  HEADER_WIRE_GAP = 0x93,         /* header_wire_gap */
  HEADER_WIRE_CLOSED = 0x94,      /* header_wire_closed */
  HEADER_WIRE_BYE = 0x95          /* header_wire_frame, then the reason */
};

/* ── Shapes ───────────────────────────────────────────────────────────────────────────────────────────────────────── */

typedef struct header_wire_point { double x, y; } header_wire_point;
typedef struct header_wire_size { double width, height; } header_wire_size;
typedef struct header_wire_rect { double x, y, width, height; } header_wire_rect;
typedef struct header_wire_insets { double top, left, bottom, right; } header_wire_insets;
HEADER_WIRE_LAYOUT(header_wire_point, 16, y, 8);
HEADER_WIRE_LAYOUT(header_wire_size, 16, height, 8);
HEADER_WIRE_LAYOUT(header_wire_rect, 32, height, 24);
HEADER_WIRE_LAYOUT(header_wire_insets, 32, right, 24);

/* ── Requests ─────────────────────────────────────────────────────────────────────────────────────────────────────── */

/* PING, OPEN, SUBSCRIBE. The JSON is the rest of the frame. */
typedef struct header_wire_request {
  header_wire_frame frame;  /*  0 */
  uint64_t id;              /*  8  0: no answer */
} header_wire_request;
HEADER_WIRE_LAYOUT(header_wire_request, 16, id, 8);

/* UNSUBSCRIBE, CLOSE. */
typedef struct header_wire_request_for {
  header_wire_frame frame;  /*  0 */
  uint64_t id;              /*  8 */
  uint64_t what;            /* 16  the subscription, the handle */
} header_wire_request_for;
HEADER_WIRE_LAYOUT(header_wire_request_for, 24, what, 16);

/* HELLO. The client's name for logs is the rest of the frame. A version of the protocol that the daemon does not speak is
 * answered by the error unsupportedVersion, which names those that it does. */
typedef struct header_wire_hello {
  header_wire_frame frame;  /*  0 */
  uint64_t id;              /*  8 */
  uint32_t protocol;        /* 16  1 */
  uint32_t zero;            /* 20 */
} header_wire_hello;
HEADER_WIRE_LAYOUT(header_wire_hello, 24, zero, 20);

/* EVENT, EVENTS. Then `count` events, one behind the other. */
typedef struct header_wire_events {
  header_wire_frame frame;  /*  0 */
  uint64_t id;              /*  8  0: no answer */
  uint64_t handle;          /* 16  from OPENED, NAMES, header.list; 0: the only header that this connection opened */
  uint32_t count;           /* 24  events that follow; EVENT: 1 */
  uint32_t zero;            /* 28 */
} header_wire_events;
HEADER_WIRE_LAYOUT(header_wire_events, 32, zero, 28);

/* Kinds of events. Below 128 the numbers are those of header_plugin.h; 24 and 25 stand in `calls` alone, and are not sent. */
enum {
  HEADER_WIRE_WILL_BEGIN_DRAGGING = 0,
  HEADER_WIRE_DID_SCROLL = 1,                     /* offset */
  HEADER_WIRE_WILL_END_DRAGGING = 2,              /* amount: velocity; target */
  HEADER_WIRE_DID_END_DRAGGING = 3,               /* YES: willDecelerate */
  HEADER_WIRE_WILL_BEGIN_DECELERATING = 4,
  HEADER_WIRE_DID_END_DECELERATING = 5,
  HEADER_WIRE_DID_END_SCROLLING_ANIMATION = 6,
  HEADER_WIRE_SHOULD_SCROLL_TO_TOP = 7,
  HEADER_WIRE_DID_SCROLL_TO_TOP = 8,
  HEADER_WIRE_DID_CHANGE_ADJUSTED_CONTENT_INSET = 9,
  HEADER_WIRE_WILL_SCROLL = 10,                   /* amount: delta; source */
  HEADER_WIRE_DID_OVERSCROLL = 11,                /* amount: delta; source */
  HEADER_WIRE_WILL_FLING = 12,                    /* amount: velocity */
  HEADER_WIRE_LAYOUT_CHANGE = 13,                 /* YES: pass; JSON */
  HEADER_WIRE_WILL_APPEAR = 14,
  HEADER_WIRE_DID_APPEAR = 15,
  HEADER_WIRE_WILL_DISAPPEAR = 16,
  HEADER_WIRE_DID_DISAPPEAR = 17,
  HEADER_WIRE_DID_BECOME_ACTIVE = 18,
  HEADER_WIRE_WILL_TRANSITION = 19,               /* amount: size, width and height */
  HEADER_WIRE_TRANSITION = 20,
  HEADER_WIRE_DID_TRANSITION = 21,
  HEADER_WIRE_WILL_CHANGE_TRACKING_SCROLL_VIEW = 22, /* scroll view; none given is null */
  HEADER_WIRE_SET_TRACKING_SCROLL_VIEW = 23,      /* scroll view; none given is null */
  HEADER_WIRE_DID_WRITE_CONTENT_OFFSET = 24,
  HEADER_WIRE_DID_RESIZE = 25,
  HEADER_WIRE_SET_CONTENT_OFFSET = 128,           /* offset; YES: animated */
  HEADER_WIRE_SET_OPTIONS = 129,                  /* JSON */
  HEADER_WIRE_CALL = 130,                         /* JSON */
  HEADER_WIRE_ADVANCE = 131                       /* amount.x: frameDuration in seconds */
};

/* What an event has: a field whose bit is not set has its default, an axis its present value. */
enum {
  HEADER_WIRE_HAS_TIME = 1 << 0,
  HEADER_WIRE_HAS_OFFSET_X = 1 << 1,
  HEADER_WIRE_HAS_OFFSET_Y = 1 << 2,
  HEADER_WIRE_HAS_TRACKING = 1 << 3,              /* IS_TRACKING counts */
  HEADER_WIRE_HAS_DRAGGING = 1 << 4,
  HEADER_WIRE_HAS_DECELERATING = 1 << 5,
  HEADER_WIRE_HAS_YES = 1 << 6,                   /* IS_YES counts */
  HEADER_WIRE_HAS_CORRECTION_X = 1 << 7,          /* this and the next ones need header_wire_event_more */
  HEADER_WIRE_HAS_CORRECTION_Y = 1 << 8,
  HEADER_WIRE_HAS_AMOUNT_X = 1 << 9,
  HEADER_WIRE_HAS_AMOUNT_Y = 1 << 10,
  HEADER_WIRE_HAS_TARGET_X = 1 << 11,
  HEADER_WIRE_HAS_TARGET_Y = 1 << 12,
  HEADER_WIRE_HAS_SOURCE = 1 << 13
};

enum {
  HEADER_WIRE_IS_TRACKING = 1 << 0,
  HEADER_WIRE_IS_DRAGGING = 1 << 1,
  HEADER_WIRE_IS_DECELERATING = 1 << 2,
  HEADER_WIRE_IS_YES = 1 << 3
};

enum { HEADER_WIRE_SOURCE_DRAG = 0, HEADER_WIRE_SOURCE_FLING = 1, HEADER_WIRE_SOURCE_PROGRAM = 2 };

/* One event. With a size of 32 this is all of it. */
typedef struct header_wire_event {
  uint32_t size;            /*  0  of the event: 32, or 88 + scroll_view_size + json_size */
  uint16_t given;           /*  4  HEADER_WIRE_HAS_… */
  uint8_t kind;             /*  6 */
  uint8_t flags;            /*  7  HEADER_WIRE_IS_… */
  int64_t time;             /*  8  nanoseconds on the publisher's clock */
  header_wire_point offset; /* 16 */
} header_wire_event;
HEADER_WIRE_LAYOUT(header_wire_event, 32, offset, 16);

/* The rest of an event, behind the first 32 bytes; then the scroll view's name, then JSON: an object with the event's
 * further fields as the protocol names them (of `layout`, `setOptions`, `call`; the `reason` of a scroll). */
typedef struct header_wire_event_more {
  header_wire_point correction; /* 32 */
  header_wire_point amount;     /* 48  velocity, delta, size or duration, as the kind says */
  header_wire_point target;     /* 64  targetOffset */
  uint8_t source;               /* 80 */
  uint8_t scroll_view_size;     /* 81  0: none given */
  uint16_t zero;                /* 82 */
  uint32_t json_size;           /* 84 */
} header_wire_event_more;
HEADER_WIRE_LAYOUT(header_wire_event_more, 56, json_size, 52);

/* ── Answers ──────────────────────────────────────────────────────────────────────────────────────────────────────── */

/* How every answer begins. The last `warnings_size` bytes of its frame are JSON: the list of fields that the daemon does not know. */
typedef struct header_wire_answer {
  header_wire_frame frame;  /*  0 */
  uint64_t id;              /*  8  the request's */
  uint32_t warnings_size;   /* 16 */
  uint32_t count;           /* 20  DECIDED: decisions that follow; else 0 */
} header_wire_answer;
HEADER_WIRE_LAYOUT(header_wire_answer, 24, count, 20);

enum {
  HEADER_WIRE_ROLE_PUBLISH = 1,
  HEADER_WIRE_ROLE_SUBSCRIBE = 2,
  HEADER_WIRE_ROLE_ADMIN = 4,
  HEADER_WIRE_ROLE_TUNE = 8
};

/* Then JSON, `json_size` bytes: the whole result of hello, with capabilities and limits. */
typedef struct header_wire_welcome {
  header_wire_answer answer; /*  0 */
  uint32_t protocol;         /* 24  the version that both speak from here on */
  uint32_t roles;            /* 28  bits */
  uint64_t connection;       /* 32 */
  int64_t time;              /* 40  the daemon's clock */
  uint32_t json_size;        /* 48 */
  uint32_t zero;             /* 52 */
} header_wire_welcome;
HEADER_WIRE_LAYOUT(header_wire_welcome, 56, zero, 52);

typedef struct header_wire_pong {
  header_wire_answer answer; /*  0 */
  int64_t time;              /* 24  the daemon's clock */
} header_wire_pong;
HEADER_WIRE_LAYOUT(header_wire_pong, 32, time, 24);

typedef struct header_wire_opened {
  header_wire_answer answer; /*  0 */
  uint64_t handle;           /* 24  never 0, never used twice by one daemon */
  int64_t epoch;             /* 32 */
  int64_t seq;               /* 40 */
  uint32_t created;          /* 48  0: it was open, 1: it is new */
  uint32_t digest;           /* 52  of the description; 0: the daemon is older */
} header_wire_opened;
HEADER_WIRE_LAYOUT(header_wire_opened, 56, digest, 52);

typedef struct header_wire_subscribed {
  header_wire_answer answer; /*  0 */
  uint64_t subscription;     /* 24 */
  uint64_t matched;          /* 32  open headers that match */
} header_wire_subscribed;
HEADER_WIRE_LAYOUT(header_wire_subscribed, 40, matched, 32);

/* Then `answer.count` decisions, one an event. */
typedef struct header_wire_decided {
  header_wire_answer answer; /*  0 */
  int64_t seq;               /* 24  the header's latest state */
} header_wire_decided;
HEADER_WIRE_LAYOUT(header_wire_decided, 32, seq, 24);

enum {
  HEADER_WIRE_TOLD_TARGET = 1 << 0,
  HEADER_WIRE_TOLD_RETURNED = 1 << 1,
  HEADER_WIRE_RETURNED_YES = 1 << 2,
  HEADER_WIRE_TOLD_REWRITTEN = 1 << 3,
  HEADER_WIRE_TOLD_CONSUMED = 1 << 4              /* consumed and residual */
};

/* Then the name of the delegate that rewrote the target (empty: none), then JSON: what a call returned. */
typedef struct header_wire_decision {
  int64_t seq;                /*  0  the latest state after this event */
  header_wire_point target;   /*  8 */
  header_wire_point consumed; /* 24 */
  header_wire_point residual; /* 40 */
  uint16_t told;              /* 56  HEADER_WIRE_TOLD_… */
  uint16_t rewritten_size;    /* 58 */
  uint32_t returned_size;     /* 60 */
} header_wire_decision;
HEADER_WIRE_LAYOUT(header_wire_decision, 64, returned_size, 60);

enum { HEADER_WIRE_ABOUT_REQUEST = 0, HEADER_WIRE_ABOUT_NOTIFICATION = 1, HEADER_WIRE_ABOUT_UNREADABLE = 2 };

/* Then the message, a sentence for people, then JSON: the error's `data` (name, field, got, expected, hint, index…). */
typedef struct header_wire_error {
  header_wire_frame frame;  /*  0 */
  uint64_t id;              /*  8  the request's, if it is about one */
  int32_t code;             /* 16  as in the protocol */
  uint32_t about;           /* 20  HEADER_WIRE_ABOUT_… */
  uint32_t message_size;    /* 24 */
  uint32_t data_size;       /* 28 */
} header_wire_error;
HEADER_WIRE_LAYOUT(header_wire_error, 32, data_size, 28);

/* ── States ───────────────────────────────────────────────────────────────────────────────────────────────────────── */

/* The names of a header's parts. It comes before the header's first STATE or GAP, and again before the first state of
 * another structure; it holds for all states with this handle that follow. Then the names, each a byte that is its size
 * and that many bytes of text: the header's, then those of the parts in the order below. */
typedef struct header_wire_names {
  header_wire_frame frame;  /*  0 */
  uint64_t handle;          /*  8 */
  uint16_t drawers;         /* 16 */
  uint16_t scroll_views;    /* 18 */
  uint16_t elements;        /* 20 */
  uint16_t values;          /* 22 */
  uint16_t delegates;       /* 24 */
  uint16_t zero[3];         /* 26 */
} header_wire_names;
HEADER_WIRE_LAYOUT(header_wire_names, 32, zero, 26);

enum {
  HEADER_WIRE_SNAPSHOT = 1 << 0,                  /* the first one of a subscription */
  HEADER_WIRE_FRAMES_ACTIVE = 1 << 1,
  HEADER_WIRE_HAS_WANTS = 1 << 2,                 /* header_wire_wants follows the values */
  HEADER_WIRE_HAS_POSITION = 1 << 3,              /* header_wire_position follows them */
  HEADER_WIRE_HAS_EXPLANATION = 1 << 4            /* header_wire_explanation follows the calls */
};

/* Then the drawers, scroll views, elements and values, that many of each, then wants and position if their bits are set, then
 * header_wire_lists. Parts that a subscription's `fields` leave out are not among them. */
typedef struct header_wire_state {
  header_wire_frame frame;       /*  0 */
  uint64_t handle;               /*  8 */
  int64_t epoch;                 /* 16 */
  int64_t seq;                   /* 24 */
  int64_t time;                  /* 32  header time, nanoseconds */
  uint32_t flags;                /* 40 */
  int16_t tracking_scroll_view;  /* 44  index among the names, −1: none */
  uint16_t drawers;              /* 46 */
  uint16_t scroll_views;         /* 48 */
  uint16_t elements;             /* 50 */
  uint16_t values;               /* 52 */
  uint16_t zero;                 /* 54 */
} header_wire_state;
HEADER_WIRE_LAYOUT(header_wire_state, 56, zero, 54);

enum { HEADER_WIRE_HIDDEN = 1 << 0 };

typedef struct header_wire_drawer {
  uint16_t name;                 /*  0  index among the drawers' names */
  uint8_t flags;                 /*  2  HIDDEN */
  int8_t z_index;                /*  3  −100…100 */
  float alpha;                   /*  4 */
  header_wire_rect frame;        /*  8  as drawn, translation applied */
  header_wire_point translation; /* 40 */
} header_wire_drawer;
HEADER_WIRE_LAYOUT(header_wire_drawer, 56, translation, 40);

enum { HEADER_WIRE_DECIDES_FRAME = 1 << 0, HEADER_WIRE_DECIDES_CONTENT_SIZE = 1 << 1 };

typedef struct header_wire_scroll_view {
  uint16_t name;                                /*   0 */
  uint16_t flags;                               /*   2  DECIDES_…: a behavior decided them; else JSON does not have them */
  uint32_t zero;                                /*   4 */
  header_wire_point content_offset;             /*   8 */
  header_wire_insets content_inset;             /*  24 */
  header_wire_insets scroll_indicator_insets;   /*  56 */
  header_wire_insets adjusted_content_inset;    /*  88 */
  header_wire_point correction;                 /* 120 */
  header_wire_rect frame;                       /* 136  zeros unless DECIDES_FRAME */
  header_wire_size content_size;                /* 168  zeros unless DECIDES_CONTENT_SIZE */
} header_wire_scroll_view;
HEADER_WIRE_LAYOUT(header_wire_scroll_view, 184, content_size, 168);

enum { HEADER_WIRE_HAS_FRAME = 1 << 1, HEADER_WIRE_HAS_TRANSFORM = 1 << 2 };

/* Then, if HAS_TRANSFORM, 16 doubles m11…m44 by rows; without it the transform is the identity. */
typedef struct header_wire_element {
  uint16_t name;             /*  0 */
  uint16_t drawer;           /*  2  index of the drawer's name */
  uint16_t flags;            /*  4  HIDDEN, HAS_FRAME, HAS_TRANSFORM */
  uint16_t zero;             /*  6 */
  header_wire_point center;  /*  8 */
  header_wire_rect bounds;   /* 24 */
  header_wire_rect frame;    /* 56  zeros unless HAS_FRAME */
  double z_index;            /* 88 */
  double corner_radius;      /* 96 */
  float alpha;               /* 104 */
  uint32_t zero2;            /* 108 */
} header_wire_element;
HEADER_WIRE_LAYOUT(header_wire_element, 112, zero2, 108);

enum { HEADER_WIRE_NULL = 0, HEADER_WIRE_BOOL = 1, HEADER_WIRE_NUMBER = 2, HEADER_WIRE_TEXT = 3 };

/* Then the text, if it is one. */
typedef struct header_wire_value {
  uint16_t name;       /*  0 */
  uint8_t type;        /*  2 */
  uint8_t yes;         /*  3  BOOL: 0 or 1 */
  uint32_t text_size;  /*  4 */
  double number;       /*  8  NUMBER */
} header_wire_value;
HEADER_WIRE_LAYOUT(header_wire_value, 16, number, 8);

enum { HEADER_WIRE_STYLE_NONE = 0, HEADER_WIRE_STYLE_DEFAULT = 1, HEADER_WIRE_STYLE_LIGHT = 2, HEADER_WIRE_STYLE_DARK = 3 };
enum { HEADER_WIRE_WANTS_INSET = 1 << 0, HEADER_WIRE_WANTS_LENGTH = 1 << 1 };

typedef struct header_wire_wants {
  uint8_t prefers_status_bar_hidden;              /*  0 */
  uint8_t preferred_status_bar_style;             /*  1 */
  uint16_t flags;                                 /*  2  HEADER_WIRE_WANTS_… */
  uint32_t zero;                                  /*  4 */
  header_wire_insets additional_safe_area_inset;  /*  8  zeros unless WANTS_INSET */
  double top_layout_guide_length;                 /* 40  0 unless WANTS_LENGTH */
} header_wire_wants;
HEADER_WIRE_LAYOUT(header_wire_wants, 48, top_layout_guide_length, 40);

/* Of a header that is constrained, moved by call, or asked to tell what it covers. Then an object with constraints and
 * obstruction as JSON, if its size is not 0. */
typedef struct header_wire_position {
  double progress;           /*  0  0…1 */
  double traveled;          /*  8  points from fully expanded */
  double travel;             /* 16  points */
  double permitted_from;     /* 24  progress; 0 and 1 without a constraint, where a line leaves it out */
  double permitted_to;       /* 32 */
  uint32_t motion;           /* 40  the number of the motion under way; 0: none */
  uint32_t more_size;        /* 44 */
} header_wire_position;
HEADER_WIRE_LAYOUT(header_wire_position, 48, more_size, 44);

/* What happened; the counts are zero in a snapshot. Then that many notices, commands, animations and calls, and
 * header_wire_explanation if its bit is set. The last `ahead_size` bytes of the frame are header_wire_ahead. */
typedef struct header_wire_lists {
  uint32_t notices;       /*  0 */
  uint32_t commands;      /*  4 */
  uint32_t animations;    /*  8 */
  uint32_t calls;         /* 12 */
  uint32_t notices_lost;  /* 16 */
  uint32_t ahead_size;    /* 20  0: it is not known how the state goes on, or nobody has asked (`predict`) */
} header_wire_lists;
HEADER_WIRE_LAYOUT(header_wire_lists, 24, ahead_size, 20);

/* Then the notice's name, the delegate's, and JSON: the arguments. */
typedef struct header_wire_notice {
  uint16_t name_size;       /*  0 */
  uint16_t delegate_size;   /*  2 */
  uint32_t count;           /*  4 */
  uint32_t routine;         /*  8  1: it is */
  uint32_t arguments_size;  /* 12 */
} header_wire_notice;
HEADER_WIRE_LAYOUT(header_wire_notice, 16, arguments_size, 12);

/* Then the command's name, the scroll view's, and JSON: the arguments. */
typedef struct header_wire_command {
  uint16_t name_size;        /* 0 */
  uint16_t scroll_view_size; /* 2 */
  uint32_t arguments_size;   /* 4 */
} header_wire_command;
HEADER_WIRE_LAYOUT(header_wire_command, 8, arguments_size, 4);

enum {
  HEADER_WIRE_CURVE_LINEAR = 0,
  HEADER_WIRE_CURVE_EASE_IN = 1,
  HEADER_WIRE_CURVE_EASE_OUT = 2,
  HEADER_WIRE_CURVE_EASE_IN_OUT = 3,
  HEADER_WIRE_CURVE_SPRING = 4
};

/* Then the delegate's name. */
typedef struct header_wire_animation {
  double duration;          /*  0  seconds */
  double delay;             /*  8  seconds */
  double mass;              /* 16  this and the next three: SPRING */
  double stiffness;         /* 24 */
  double damping;           /* 32 */
  double initial_velocity;  /* 40 */
  uint16_t curve;           /* 48 */
  uint16_t delegate_size;   /* 50 */
  uint32_t zero;            /* 52 */
} header_wire_animation;
HEADER_WIRE_LAYOUT(header_wire_animation, 56, zero, 52);

/* Then the delegate's name. */
typedef struct header_wire_call {
  uint16_t kind;           /* 0  of the event */
  uint16_t depth;          /* 2 */
  uint16_t delegate_size;  /* 4 */
  uint16_t zero;           /* 6 */
} header_wire_call;
HEADER_WIRE_LAYOUT(header_wire_call, 8, zero, 6);

/* Then JSON: why the state is there. */
typedef struct header_wire_explanation {
  uint32_t size;  /* 0 */
  uint32_t zero;  /* 4 */
} header_wire_explanation;
HEADER_WIRE_LAYOUT(header_wire_explanation, 8, zero, 4);

enum { HEADER_WIRE_REVERSIBLE = 1 << 0, HEADER_WIRE_HAS_DRAGGED = 1 << 1 };

/* What the state becomes at other offsets of the tracking scroll view, along its axis (headerd-states(7), HOW A STATE GOES ON). Then the
 * keyframes that are reached as the offset grows, the nearest first, then those as it shrinks, the nearest first. With HAS_DRAGGED the same
 * struct and its keyframes follow once more: for a drag that begins there (`willBeginDragging`). */
typedef struct header_wire_ahead {
  double offset;       /*  0  where the content is in the state */
  uint16_t growing;    /*  8 */
  uint16_t shrinking;  /* 10 */
  uint32_t flags;      /* 12  REVERSIBLE: all but values depends on the offset; HAS_DRAGGED */
} header_wire_ahead;
HEADER_WIRE_LAYOUT(header_wire_ahead, 16, flags, 12);

/* The state at an offset. Then what differs in one of the keyframes, as in a state: drawers, scroll views, elements and values, then wants
 * and position if their bits are set. */
typedef struct header_wire_keyframe {
  uint32_t size;          /*  0  of all of it */
  uint32_t flags;         /*  4  HAS_WANTS, HAS_POSITION */
  double offset;          /*  8 */
  uint16_t drawers;       /* 16 */
  uint16_t scroll_views;  /* 18 */
  uint16_t elements;      /* 20 */
  uint16_t values;        /* 22 */
} header_wire_keyframe;
HEADER_WIRE_LAYOUT(header_wire_keyframe, 24, values, 22);

/* ── What else subscribers get ───────────────────────────────────────────────────────────────────────────────── */

/* Then the reason. */
typedef struct header_wire_gap {
  header_wire_frame frame;  /*  0 */
  uint64_t handle;          /*  8 */
  int64_t epoch;            /* 16 */
  int64_t from;             /* 24  the first seq that is not sent; 0 with the reason newEpoch */
  int64_t to;               /* 32  the last one; 0 with the reason newEpoch */
} header_wire_gap;
HEADER_WIRE_LAYOUT(header_wire_gap, 40, to, 32);

/* Then the reason. */
typedef struct header_wire_closed {
  header_wire_frame frame;  /*  0 */
  uint64_t handle;          /*  8 */
  int64_t epoch;            /* 16 */
  int64_t seq;              /* 24  the last state */
} header_wire_closed;
HEADER_WIRE_LAYOUT(header_wire_closed, 32, seq, 24);

#endif
