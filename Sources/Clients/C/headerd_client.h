/* SPDX-License-Identifier: MIT
 *
 * headerd_client.h: a client of headerd in C11, over the binary encoding (header_wire.h)
 *
 * Streams scroll events of a header, and hands out the states that come back. One thread uses a client; calls block, but for
 * headerd_dispatch, and reads happen while a write has to wait. Texts are UTF-8 and end with NUL. JSON goes in and comes out as text.
 * headerd-protocol(7) tells what each request and field means.
 */
#ifndef HEADERD_CLIENT_H
#define HEADERD_CLIENT_H

#include <stdbool.h>

#include "header_wire.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct headerd_client headerd_client;

typedef enum headerd_status {
  HEADERD_OK = 0,
  HEADERD_TIMEOUT,   /* nothing came in time */
  HEADERD_REFUSED,   /* the daemon refused a request: headerd_last_error */
  HEADERD_LOST,      /* the connection has ended: headerd_reason, headerd_resume */
  HEADERD_NO_DAEMON, /* nobody listens there, or this user may not connect: errno */
  HEADERD_NO_MEMORY
} headerd_status;

/* An error of the daemon's. `name` and `code` are for programs, `message` for people; `data` is JSON with all facts. */
typedef struct headerd_error {
  int32_t code;
  const char *message;
  const char *name;
  const char *field; /* NULL: none */
  const char *hint;  /* NULL: none */
  const char *data;
} headerd_error;

/* ── Connecting ───────────────────────────────────────────────────────────────────────────────────────────────────── */

/* Where the daemon of this user listens: HEADERD_SOCKET, else the user's run-time folder. The text is static. */
const char *headerd_default_socket(void);

/* Connects. `path` NULL: the default; `name`: a text for the daemon's log. HEADERD_REFUSED: the daemon has no room. The client
 * is made in any case, but for HEADERD_NO_MEMORY; free it. */
headerd_status headerd_connect(const char *path, const char *name, headerd_client **client);

/* The same, with the patience of the connection and of what follows (headerd_set_patience). */
headerd_status headerd_connect_within(const char *path, const char *name, int milliseconds, headerd_client **client);

/* Connects anew and subscribes again from the last states seen; what was missed comes as messages. A gap is reported where
 * the daemon no longer has the states. Headers are not opened again. HEADERD_NO_DAEMON: try again later. */
headerd_status headerd_resume(headerd_client *client);

/* Ends the connection; headerd_resume makes another one. */
void headerd_disconnect(headerd_client *client);
void headerd_free(headerd_client *client);

/* Milliseconds that a request waits for its answer, whatever signals come; 10000. */
void headerd_set_patience(headerd_client *client, int milliseconds);

/* The error of the last call that gave HEADERD_REFUSED; valid until the next call. */
const headerd_error *headerd_last_error(const headerd_client *client);

/* Why the daemon ended the connection: `draining`, `overflow`; NULL if it did not say. */
const char *headerd_reason(const headerd_client *client);

/* ── Requests ─────────────────────────────────────────────────────────────────────────────────────────────────────── */

typedef struct headerd_opened {
  uint64_t handle; /* names the header in events */
  int64_t epoch;
  int64_t seq;
  bool created; /* false: it was open */
  uint32_t digest; /* of the description; 0: the daemon is older than that */
} headerd_opened;

typedef struct headerd_subscribed {
  uint64_t subscription;
  uint64_t matched;
} headerd_subscribed;

/* Opens a header; `description` is the JSON of header.open's params. */
headerd_status headerd_open(headerd_client *client, const char *description, headerd_opened *opened);

/* Subscribes; `params` is the JSON of subscribe's params, without `resumeFrom`: the client adds it. */
headerd_status headerd_subscribe(headerd_client *client, const char *params, headerd_subscribed *subscribed);
headerd_status headerd_unsubscribe(headerd_client *client, uint64_t subscription);

/* Sends any request of the protocol. `result` and `warnings` are JSON, valid until the next call; NULL: not wanted. */
headerd_status headerd_request(
    headerd_client *client, const char *method, const char *params, const char **result, const char **warnings);

/* The warnings of the last request that succeeded: JSON, a list of the fields that the daemon does not know, "[]" without any;
 * valid until the next call. */
const char *headerd_warnings(const headerd_client *client);

/* Sends any notification; its errors come as messages. */
headerd_status headerd_notify(headerd_client *client, const char *method, const char *params);

/* An event. `given` says which fields count (HEADER_WIRE_HAS_…), `flags` has HEADER_WIRE_IS_…; header_wire.h tells what
 * `amount` is for each kind. */
typedef struct headerd_event {
  uint8_t kind; /* HEADER_WIRE_DID_SCROLL and so on */
  uint8_t flags;
  uint8_t source;
  uint16_t given;
  double time; /* seconds */
  header_wire_point offset, correction, amount, target;
  const char *scroll_view; /* NULL: the tracking one */
  const char *json;        /* NULL: no further fields */
} headerd_event;

typedef struct headerd_decision {
  int64_t seq;
  uint16_t told; /* HEADER_WIRE_TOLD_…: which of these there are */
  header_wire_point target, consumed, residual;
  char rewritten_by[65]; /* empty: nobody */
} headerd_decision;

/* Streams an event; there is no answer, errors come as messages. `handle` 0: the only header that this client opened. */
headerd_status headerd_send_event(headerd_client *client, uint64_t handle, const headerd_event *event);

/* Sends an event and waits for what was decided about it. */
headerd_status headerd_decide(
    headerd_client *client, uint64_t handle, const headerd_event *event, headerd_decision *decision);

/* ── Messages ─────────────────────────────────────────────────────────────────────────────────────────────────────── */

typedef struct headerd_drawer {
  const char *name;
  header_wire_rect frame; /* where to draw it, translation included */
  header_wire_point translation;
  float alpha;
  bool hidden;
  int8_t z_index; /* higher ones are drawn over lower ones, of equal ones the earlier */
} headerd_drawer;

typedef struct headerd_scroll_view {
  const char *name;
  header_wire_point content_offset;
  header_wire_insets content_inset;
  header_wire_point correction; /* the total of the header's own moves in this epoch */
} headerd_scroll_view;

typedef struct headerd_value {
  const char *name;
  uint8_t type; /* HEADER_WIRE_NULL, …_BOOL, …_NUMBER, …_TEXT */
  bool yes;
  double number;
  const char *text;
} headerd_value;

/* How an element looks; the frame has more of it. */
typedef struct headerd_element {
  const char *name;
  float alpha;
  bool hidden;
} headerd_element;

/* A header's complete state. The frame has the rest: wants, notices, commands, further animations. */
typedef struct headerd_state {
  uint64_t handle;
  int64_t epoch, seq;
  double time; /* header time, seconds */
  bool snapshot, frames_active;
  size_t drawer_count, scroll_view_count, value_count;
  const headerd_drawer *drawers; /* in chain order */
  const headerd_scroll_view *scroll_views;
  const headerd_value *values;
  /* Where the header is; NULL unless it is constrained, moved by call, or asked to tell what it covers. */
  const header_wire_position *position;
  const char *position_more;      /* JSON: `constraints` and `obstruction`; "" without */
  const header_wire_state *frame; /* frame->frame.size bytes */
  size_t element_count;
  const headerd_element *elements;
  const header_wire_animation *animation; /* from what is on the screen to this state; NULL: at once */
  bool has_ahead;                         /* it says how it goes on (`predict`): headerd_view_at */
  struct headerd_node *node;              /* the library's own */
} headerd_state;

typedef enum headerd_message_kind {
  HEADERD_STATE,
  HEADERD_GAP,     /* states from `from` to `to` are missing (0 with the reason newEpoch); a snapshot follows */
  HEADERD_CLOSED,  /* the header is gone */
  HEADERD_FAILURE, /* an event or a notification was refused: `error` */
  HEADERD_OTHER    /* JSON of anything else */
} headerd_message_kind;

typedef struct headerd_message {
  headerd_message_kind kind;
  const char *header; /* STATE, GAP, CLOSED */
  int64_t epoch, seq; /* STATE, CLOSED; a gap has no seq */
  int64_t from, to;   /* GAP */
  const char *reason; /* GAP, CLOSED */
  headerd_state state;
  headerd_error error;
  const char *json;
} headerd_message;

/* The next message, in the order sent. It is valid until the next call of headerd_next. `timeout` in milliseconds: -1 waits
 * for ever, 0 only looks. A signal that a handler took ends the wait with HEADERD_TIMEOUT. */
headerd_status headerd_next(headerd_client *client, int timeout, const headerd_message **message);

/* ── Main loops ───────────────────────────────────────────────────────────────────────────────────────────────────── */

/* The file descriptor, for poll: when it is readable, call headerd_dispatch. -1 without a connection. It stays open until a
 * call has given HEADERD_LOST with no message left. */
int headerd_fd(const headerd_client *client);

/* How many messages wait for headerd_next or headerd_dispatch. The descriptor does not tell of those that came during a
 * request. */
size_t headerd_pending(const headerd_client *client);

/* Gets a message, which is valid until it returns or calls this library; it must not free the client. */
typedef void headerd_handler(void *data, const headerd_message *message);

/* Reads once, without waiting, and gives all messages that wait to `handler`. HEADERD_LOST: there were none, and there will be
 * no more. */
headerd_status headerd_dispatch(headerd_client *client, headerd_handler *handler, void *data);

/* Sends an event (headerd_did_scroll) and waits until what it does is known, at most `timeout` milliseconds; then gives all
 * messages that wait to `handler`. HEADERD_TIMEOUT: the answer was late, and what it does comes as messages. */
headerd_status headerd_scroll(headerd_client *client, uint64_t handle, const headerd_event *event, int timeout,
                              headerd_handler *handler, void *data);

/* The last request has no answer yet: a headerd_scroll that came back without what it does. */
bool headerd_is_behind(const headerd_client *client);

/* ── Applying states ──────────────────────────────────────────────────────────────────────────────────────────────── */

/* A scroll view of this process: where its content is, and how much of the header's own moves is in that. */
typedef struct headerd_applied {
  char name[65];
  header_wire_point offset;
  header_wire_insets inset;
  header_wire_point correction;
} headerd_applied;

/* The scroll views of one header, as this process shows them; begin with zeros. The first state of an epoch sets the offset,
 * later ones move it by what `correction` grew by, so that what the user scrolled in the meantime stays. One that `mirrors` the
 * content of another process shows each state's offset (`include` with `contentOffset`). */
typedef struct headerd_view {
  int64_t epoch, seq;
  size_t count;
  headerd_applied *scroll_views;
  bool mirrors;
  /* The library's own: the last state, what headerd_view_at gave, and the offset that was farthest away since. */
  struct headerd_node *shown, *drawn;
  bool has_moved;
  double farthest;
} headerd_view;

headerd_status headerd_view_apply(headerd_view *view, const headerd_state *state);
headerd_applied *headerd_view_find(const headerd_view *view, const char *scroll_view); /* NULL: none */

/* The last state as it goes on to an offset along the axis of the tracking scroll view (`predict`), in a drag or not; valid until the next
 * call with this view. Beyond what is known it stays as it is there, and without `has_ahead` as it is. NULL: there is no state yet. */
const headerd_state *headerd_view_at(headerd_view *view, double offset, bool is_dragged);
void headerd_view_free(headerd_view *view);

/* The event that reports where the content is: didScroll with offset and correction. */
headerd_event headerd_did_scroll(const headerd_applied *scroll_view, double time);

/* ── JSON ─────────────────────────────────────────────────────────────────────────────────────────────────────────── */

/* The value of a member of an object, as it stands there; NULL: there is none. */
const char *headerd_json_find(const char *json, const char *key, size_t *size);

/* A member that is a text, unescaped; false: there is none. What does not fit is cut off. */
bool headerd_json_text(const char *json, const char *key, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
