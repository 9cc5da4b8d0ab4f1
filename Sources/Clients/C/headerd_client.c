/* SPDX-License-Identifier: MIT
 *
 * See headerd_client.h. Frames are taken apart as they arrive, into messages with memory of their own, so that positions to
 * resume from are those of everything that was received.
 */
#define _POSIX_C_SOURCE 200809L

#include "headerd_client.h"

#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define ELEMENTS(array) (sizeof(array) / sizeof((array)[0]))

/* What headerd_scroll keeps for a daemon that does not read, before the connection counts as lost: minutes of scrolling. */
enum { UNSENT_BYTES = 1 << 20 };

/* Bytes that grow. */
typedef struct bytes {
  uint8_t *data;
  size_t size, capacity;
} bytes;

/* The names of a header's parts. The table has one reference, each message that uses them another. */
typedef struct names {
  struct names *next;
  unsigned references;
  uint64_t handle;
  const char *header;
  size_t counts[5]; /* drawers, scroll views, elements, values, delegates */
  const char **parts[5];
} names;

/* Goes through a frame; what lies beyond its end reads as zeros. */
typedef struct cursor {
  const uint8_t *at, *end;
} cursor;

/* A message. A view that shows its state has a reference of its own. */
typedef struct headerd_node {
  struct headerd_node *next;
  unsigned references;
  headerd_message message;
  names *names;
  cursor ahead; /* how the state goes on */
  max_align_t storage[];
} node;

typedef struct position {
  char header[256];
  int64_t epoch, seq;
} position;

typedef struct subscription {
  uint64_t number;
  char *params;
} subscription;

struct headerd_client {
  int descriptor, patience;
  bool greeted, answered;
  char *path, *name;
  char reason[64];
  uint64_t last_id, asked; /* `asked`: the last request, until its answer has come; 0: it has */
  bytes received, unsent, answer;
  node *first, *last, *current;
  names *names;
  position *positions;
  size_t position_count;
  subscription *subscriptions;
  size_t subscription_count;
  headerd_error error;
  void *error_storage;
  const char *warnings;
};

/* ── Bytes ────────────────────────────────────────────────────────────────────────────────────────────────────────── */

static bool append(bytes *to, const void *data, size_t size) {
  if (to->size + size + 1 > to->capacity) {
    size_t capacity = 2 * (to->size + size + 1);
    uint8_t *grown = realloc(to->data, capacity);
    if (!grown) return false;
    to->data = grown;
    to->capacity = capacity;
  }
  if (size) memcpy(to->data + to->size, data, size);
  to->size += size;
  to->data[to->size] = 0;
  return true;
}

static bool append_text(bytes *to, const char *text) { return append(to, text, strlen(text)); }

static void take(cursor *from, void *into, size_t size) {
  memset(into, 0, size);
  size_t left = (size_t)(from->end - from->at);
  size_t count = size < left ? size : left;
  memcpy(into, from->at, count);
  from->at += count;
}

static void skip(cursor *from, size_t size) {
  size_t left = (size_t)(from->end - from->at);
  from->at += size < left ? size : left;
}

static const char *take_text(cursor *from, size_t size, char **storage) {
  size_t left = (size_t)(from->end - from->at);
  if (size > left) size = left;
  char *text = *storage;
  memcpy(text, from->at, size);
  text[size] = 0;
  from->at += size;
  *storage += size + 1;
  return text;
}

static uint64_t id_of(const uint8_t *frame, size_t size) {
  uint64_t id = 0;
  if (size >= 16) memcpy(&id, frame + 8, 8);
  return id;
}

static int64_t milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ── JSON ─────────────────────────────────────────────────────────────────────────────────────────────────────────── */

static const char *skip_space(const char *at) { return at + strspn(at, " \t\r\n"); }

static const char *skip_text(const char *at) {
  for (at++; *at && *at != '"'; at++)
    if (*at == '\\' && at[1]) at++;
  return *at ? at + 1 : at;
}

static const char *skip_value(const char *at) {
  if (*at == '"') return skip_text(at);
  if (*at != '{' && *at != '[') return at + strcspn(at, ",]} \t\r\n");
  int depth = 0;
  do {
    if (*at == '"') {
      at = skip_text(at);
      continue;
    }
    depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
    at++;
  } while (*at && depth > 0);
  return at;
}

const char *headerd_json_find(const char *json, const char *key, size_t *size) {
  const char *at = skip_space(json);
  while (*at == '{' || *at == ',') {
    const char *name = skip_space(at + 1);
    if (*name != '"') break;
    const char *end = skip_text(name);
    const char *value = skip_space(skip_space(end) + (*skip_space(end) == ':'));
    at = skip_value(value);
    size_t length = (size_t)(end - name) - 2;
    if (length == strlen(key) && memcmp(name + 1, key, length) == 0) {
      if (size) *size = (size_t)(at - value);
      return value;
    }
    at = skip_space(at);
  }
  return NULL;
}

static unsigned hexadecimal(const char *at) {
  char digits[5] = {0};
  strncpy(digits, at, 4);
  return (unsigned)strtoul(digits, NULL, 16);
}

static size_t utf8(unsigned scalar, char *out) {
  if (scalar < 0x80) return out[0] = (char)scalar, 1;
  if (scalar < 0x800) return out[0] = (char)(0xC0 | scalar >> 6), out[1] = (char)(0x80 | (scalar & 63)), 2;
  size_t count = scalar < 0x10000 ? 3 : 4;
  for (size_t index = count - 1; index > 0; index--, scalar >>= 6) out[index] = (char)(0x80 | (scalar & 63));
  out[0] = (char)((count == 3 ? 0xE0 : 0xF0) | scalar);
  return count;
}

/* One character of a text, unescaped; gives its size. */
static size_t unescape(const char **from, char *out) {
  const char *at = *from;
  if (*at != '\\' || !at[1]) return *from = at + 1, out[0] = *at, 1;
  const char *found = strchr("b\bf\fn\nr\rt\t", at[1]);
  if (at[1] != 'u') return *from = at + 2, out[0] = found ? found[1] : at[1], 1;
  unsigned scalar = hexadecimal(at + 2);
  at += strlen(at) < 6 ? strlen(at) : 6;
  if (scalar >= 0xD800 && scalar < 0xDC00 && at[0] == '\\' && at[1] == 'u') {
    scalar = 0x10000 + ((scalar - 0xD800) << 10) + (hexadecimal(at + 2) - 0xDC00);
    at += strlen(at) < 6 ? strlen(at) : 6;
  }
  return *from = at, utf8(scalar, out);
}

bool headerd_json_text(const char *json, const char *key, char *text, size_t size) {
  size_t length = 0, used = 0;
  const char *at = headerd_json_find(json, key, &length);
  if (!at || *at != '"') return false;
  const char *end = at++ + length - 1;
  while (at < end) {
    char character[4];
    size_t count = unescape(&at, character);
    if (used + count >= size) break;
    memcpy(text + used, character, count);
    used += count;
  }
  if (size) text[used] = 0;
  return true;
}

/* ── Errors ───────────────────────────────────────────────────────────────────────────────────────────────────────── */

/* The bytes that `fill_error` needs. */
static size_t error_size(size_t message, size_t data) { return message + 1 + 4 * (data + 1); }

static headerd_error fill_error(int32_t code, const char *message, size_t message_size, const char *data, size_t data_size,
                                char *storage) {
  headerd_error error = {.code = code, .name = "", .message = storage};
  memcpy(storage, message, message_size);
  storage[message_size] = 0;
  char *copy = storage + message_size + 1;
  memcpy(copy, data, data_size);
  copy[data_size] = 0;
  error.data = copy;
  const char **fields[] = {&error.name, &error.field, &error.hint};
  const char *keys[] = {"name", "field", "hint"};
  for (size_t index = 0; index < ELEMENTS(keys); index++) {
    char *place = copy + (index + 1) * (data_size + 1);
    if (headerd_json_text(copy, keys[index], place, data_size + 1)) *fields[index] = place;
  }
  return error;
}

/* ── Messages ─────────────────────────────────────────────────────────────────────────────────────────────────────── */

static void release(names *one) {
  if (one && --one->references == 0) free(one);
}

static void free_node(node *one) {
  if (!one || --one->references > 0) return;
  release(one->names);
  free(one);
}

static names **find_names(headerd_client *client, uint64_t handle) {
  names **at = &client->names;
  while (*at && (*at)->handle != handle) at = &(*at)->next;
  return at;
}

static void forget_names(headerd_client *client, uint64_t handle) {
  names **at = find_names(client, handle);
  if (!*at) return;
  names *one = *at;
  *at = one->next;
  release(one);
}

/* A message with `size` bytes of its own. */
static node *make_node(headerd_message_kind kind, names *its, size_t size) {
  node *made = calloc(1, sizeof(node) + size);
  if (!made) return NULL;
  made->references = 1;
  made->message.kind = kind;
  made->message.header = "";
  made->names = its;
  if (its) {
    its->references++;
    made->message.header = its->header;
  }
  return made;
}

/* Hands a message out behind the others. */
static node *queue(headerd_client *client, node *made) {
  if (!made) return NULL;
  if (client->last) client->last->next = made;
  else client->first = made;
  client->last = made;
  return made;
}

/* `handle` says whose it is, 0: nobody's. */
static node *new_node(headerd_client *client, headerd_message_kind kind, uint64_t handle, size_t size) {
  return queue(client, make_node(kind, handle ? *find_names(client, handle) : NULL, size));
}

static position *find_position(headerd_client *client, const char *header) {
  for (size_t index = 0; index < client->position_count; index++)
    if (strcmp(client->positions[index].header, header) == 0) return &client->positions[index];
  return NULL;
}

static bool remember(headerd_client *client, const char *header, int64_t epoch, int64_t seq) {
  position *known = find_position(client, header);
  if (!known) {
    position *grown = realloc(client->positions, (client->position_count + 1) * sizeof(position));
    if (!grown) return false;
    client->positions = grown;
    known = &grown[client->position_count++];
    snprintf(known->header, sizeof known->header, "%s", header);
  }
  known->epoch = epoch;
  known->seq = seq;
  return true;
}

static void forget(headerd_client *client, const char *header) {
  position *known = find_position(client, header);
  if (known) *known = client->positions[--client->position_count];
}

static bool take_names(headerd_client *client, cursor from, size_t size) {
  header_wire_names head;
  take(&from, &head, sizeof head);
  size_t counts[5] = {head.drawers, head.scroll_views, head.elements, head.values, head.delegates}, total = 0;
  for (size_t part = 0; part < 5; part++) total += counts[part];
  /* Each name is a byte of size and its text, here a text and its NUL; what is missing is empty. */
  names *made = calloc(1, sizeof(names) + total * sizeof(char *) + size + total + 1);
  if (!made) return false;
  forget_names(client, head.handle);
  const char **pointers = (const char **)(made + 1);
  char *storage = (char *)(pointers + total);
  made->references = 1;
  made->handle = head.handle;
  uint8_t length;
  take(&from, &length, 1);
  made->header = take_text(&from, length, &storage);
  for (size_t part = 0; part < 5; part++) {
    made->counts[part] = counts[part];
    made->parts[part] = pointers;
    for (size_t index = 0; index < counts[part]; index++) {
      take(&from, &length, 1);
      *pointers++ = take_text(&from, length, &storage);
    }
  }
  made->next = client->names;
  client->names = made;
  return true;
}

static const char *name_of(const node *one, size_t part, size_t index) {
  return one->names && index < one->names->counts[part] ? one->names->parts[part][index] : "";
}

static headerd_drawer take_drawer(cursor *from, const node *one) {
  header_wire_drawer wire;
  take(from, &wire, sizeof wire);
  return (headerd_drawer){
      .name = name_of(one, 0, wire.name), .frame = wire.frame, .translation = wire.translation, .alpha = wire.alpha,
      .hidden = wire.flags & HEADER_WIRE_HIDDEN, .z_index = wire.z_index};
}

static headerd_scroll_view take_scroll_view(cursor *from, const node *one) {
  header_wire_scroll_view wire;
  take(from, &wire, sizeof wire);
  return (headerd_scroll_view){
      .name = name_of(one, 1, wire.name), .content_offset = wire.content_offset, .content_inset = wire.content_inset,
      .correction = wire.correction};
}

static headerd_element take_element(cursor *from, const node *one) {
  header_wire_element wire;
  double transform[16];
  take(from, &wire, sizeof wire);
  if (wire.flags & HEADER_WIRE_HAS_TRANSFORM) take(from, transform, sizeof transform);
  return (headerd_element){
      .name = name_of(one, 2, wire.name), .alpha = wire.alpha, .hidden = wire.flags & HEADER_WIRE_HIDDEN};
}

static headerd_value take_value(cursor *from, const node *one, char **storage) {
  header_wire_value wire;
  take(from, &wire, sizeof wire);
  headerd_value value = {
      .name = name_of(one, 3, wire.name), .type = wire.type, .yes = wire.yes, .number = wire.number, .text = ""};
  if (wire.type == HEADER_WIRE_TEXT) value.text = take_text(from, wire.text_size, storage);
  return value;
}

/* Where the header is, if the frame says it: its number part in `position`. */
static void take_position(cursor *from, headerd_state *state, header_wire_position *position, char **storage) {
  state->position_more = "";
  if (state->frame->flags & HEADER_WIRE_HAS_WANTS) {
    header_wire_wants wants;
    take(from, &wants, sizeof wants);
  }
  if (!(state->frame->flags & HEADER_WIRE_HAS_POSITION)) return;
  take(from, position, sizeof *position);
  state->position = position;
  if (position->more_size > 0) state->position_more = take_text(from, position->more_size, storage);
}

/* How the state goes on, and the first animation of the lists, behind notices and commands. */
static void take_lists(cursor *from, node *one, header_wire_animation *animation) {
  header_wire_lists lists;
  take(from, &lists, sizeof lists);
  if (lists.ahead_size >= sizeof(header_wire_ahead) && lists.ahead_size <= (size_t)(from->end - from->at)) {
    one->ahead = (cursor){from->end - lists.ahead_size, from->end};
    one->message.state.has_ahead = true;
  }
  for (uint32_t index = 0; index < lists.notices && from->at < from->end; index++) {
    header_wire_notice notice;
    take(from, &notice, sizeof notice);
    skip(from, (size_t)notice.name_size + notice.delegate_size + notice.arguments_size);
  }
  for (uint32_t index = 0; index < lists.commands && from->at < from->end; index++) {
    header_wire_command command;
    take(from, &command, sizeof command);
    skip(from, (size_t)command.name_size + command.scroll_view_size + command.arguments_size);
  }
  if (lists.animations == 0) return;
  take(from, animation, sizeof *animation);
  one->message.state.animation = animation;
}

static node *make_state(const uint8_t *frame, size_t size, names *its) {
  header_wire_state head;
  cursor from = {frame, frame + size};
  take(&from, &head, sizeof head);
  /* The arrays, then the frame, then texts, each of which is in the frame without its NUL. */
  size_t arrays = head.drawers * sizeof(headerd_drawer) + head.scroll_views * sizeof(headerd_scroll_view) +
                  head.values * sizeof(headerd_value) + head.elements * sizeof(headerd_element) +
                  sizeof(header_wire_position) + sizeof(header_wire_animation);
  node *one = make_node(HEADERD_STATE, its, arrays + 2 * size + head.values + 1);
  if (!one) return NULL;
  headerd_drawer *drawers = (headerd_drawer *)one->storage;
  headerd_scroll_view *views = (headerd_scroll_view *)(drawers + head.drawers);
  headerd_value *values = (headerd_value *)(views + head.scroll_views);
  headerd_element *elements = (headerd_element *)(values + head.values);
  header_wire_position *position = (header_wire_position *)(elements + head.elements);
  header_wire_animation *animation = (header_wire_animation *)(position + 1);
  uint8_t *copy = (uint8_t *)(animation + 1);
  memcpy(copy, frame, size);
  from = (cursor){copy + sizeof head, copy + size};
  char *texts = (char *)copy + size;
  for (size_t index = 0; index < head.drawers; index++) drawers[index] = take_drawer(&from, one);
  for (size_t index = 0; index < head.scroll_views; index++) views[index] = take_scroll_view(&from, one);
  for (size_t index = 0; index < head.elements; index++) elements[index] = take_element(&from, one);
  for (size_t index = 0; index < head.values; index++) values[index] = take_value(&from, one, &texts);
  one->message.epoch = head.epoch;
  one->message.seq = head.seq;
  one->message.state = (headerd_state){
      .handle = head.handle, .epoch = head.epoch, .seq = head.seq, .time = (double)head.time / 1e9,
      .snapshot = head.flags & HEADER_WIRE_SNAPSHOT, .frames_active = head.flags & HEADER_WIRE_FRAMES_ACTIVE,
      .drawer_count = head.drawers, .scroll_view_count = head.scroll_views, .value_count = head.values,
      .drawers = drawers, .scroll_views = views, .values = values, .frame = (const header_wire_state *)copy,
      .element_count = head.elements, .elements = elements, .node = one};
  take_position(&from, &one->message.state, position, &texts);
  take_lists(&from, one, animation);
  return one;
}

static bool take_state(headerd_client *client, const uint8_t *frame, size_t size) {
  header_wire_state head;
  if (size < sizeof head) return true;
  memcpy(&head, frame, sizeof head);
  node *one = queue(client, make_state(frame, size, *find_names(client, head.handle)));
  return one && remember(client, one->message.header, head.epoch, head.seq);
}

static bool take_gap(headerd_client *client, cursor from, size_t size) {
  header_wire_gap head;
  take(&from, &head, sizeof head);
  node *one = new_node(client, HEADERD_GAP, head.handle, size + 1);
  if (!one) return false;
  one->message.epoch = head.epoch;
  one->message.from = head.from;
  one->message.to = head.to;
  char *storage = (char *)one->storage;
  one->message.reason = take_text(&from, size, &storage);
  return true;
}

static bool take_closed(headerd_client *client, cursor from, size_t size) {
  header_wire_closed head;
  take(&from, &head, sizeof head);
  node *one = new_node(client, HEADERD_CLOSED, head.handle, size + 1);
  if (!one) return false;
  one->message.epoch = head.epoch;
  one->message.seq = head.seq;
  char *storage = (char *)one->storage;
  one->message.reason = take_text(&from, size, &storage);
  forget(client, one->message.header);
  forget_names(client, head.handle);
  return true;
}

static bool take_failure(headerd_client *client, cursor from, size_t size) {
  header_wire_error head;
  take(&from, &head, sizeof head);
  if ((size_t)head.message_size + head.data_size > (size_t)(from.end - from.at)) return true;
  node *one = new_node(client, HEADERD_FAILURE, 0, error_size(size, size));
  if (!one) return false;
  const char *message = (const char *)from.at;
  one->message.error =
      fill_error(head.code, message, head.message_size, message + head.message_size, head.data_size, (char *)one->storage);
  return true;
}

/* An error as JSON: the code, the message unescaped, the data. */
static headerd_error fill_json_error(const char *error, char *message, size_t message_size, char *storage) {
  size_t data_size = 2;
  const char *code = headerd_json_find(error, "code", NULL), *data = headerd_json_find(error, "data", &data_size);
  if (!headerd_json_text(error, "message", message, message_size)) message[0] = 0;
  return fill_error(code ? (int32_t)strtol(code, NULL, 10) : 0, message, strlen(message), data ? data : "{}", data_size, storage);
}

/* Something that the daemon says by itself. */
static bool take_notification(headerd_client *client, const char *json, size_t size) {
  char method[16] = "";
  const char *params = headerd_json_find(json, "params", NULL);
  headerd_json_text(json, "method", method, sizeof method);
  bool is_error = params && strcmp(method, "error") == 0;
  node *one = new_node(client, is_error ? HEADERD_FAILURE : HEADERD_OTHER, 0, size + 1 + error_size(size, size));
  if (!one) return false;
  char *copy = (char *)one->storage;
  if (is_error) one->message.error = fill_json_error(params, copy, size + 1, copy + size + 1);
  else one->message.json = memcpy(copy, json, size + 1);
  return true;
}

/* An answer has come: whether it is the one that is waited for. */
static bool settles(headerd_client *client, uint64_t id) {
  if (id == client->asked) client->asked = 0;
  return !client->answered && id == client->last_id;
}

/* A JSON-RPC object. */
static bool take_json(headerd_client *client, const uint8_t *frame, size_t size) {
  bytes text = {0};
  if (!append(&text, frame + sizeof(header_wire_frame), size - sizeof(header_wire_frame))) return false;
  bool done = true;
  const char *json = (const char *)text.data, *id = headerd_json_find(json, "id", NULL);
  if (headerd_json_find(json, "method", NULL)) done = take_notification(client, json, text.size);
  else if (id && settles(client, strtoull(id, NULL, 10)))
    client->answered = done = append(&client->answer, frame, size);
  free(text.data);
  return done;
}

static bool take_frame(headerd_client *client, const uint8_t *frame, size_t size) {
  header_wire_frame head;
  header_wire_error error;
  cursor from = {frame, frame + size};
  memcpy(&head, frame, sizeof head);
  switch (head.kind) {
    case HEADER_WIRE_NAMES: return take_names(client, from, size);
    case HEADER_WIRE_STATE: return take_state(client, frame, size);
    case HEADER_WIRE_GAP: return take_gap(client, from, size);
    case HEADER_WIRE_CLOSED: return take_closed(client, from, size);
    case HEADER_WIRE_JSON: return take_json(client, frame, size);
    case HEADER_WIRE_PING: return true;
    case HEADER_WIRE_BYE:
      snprintf(client->reason, sizeof client->reason, "%.*s", (int)(size - sizeof head), (const char *)frame + sizeof head);
      return true;
    case HEADER_WIRE_ERROR:
      take(&(cursor){frame, frame + size}, &error, sizeof error);
      if (error.about != HEADER_WIRE_ABOUT_REQUEST) return take_failure(client, from, size);
      break;
    default: break;
  }
  /* The answer that is waited for, or one that comes too late, or a kind of a newer daemon. */
  if (!settles(client, id_of(frame, size)))
    return head.kind != HEADER_WIRE_ERROR || take_failure(client, from, size);
  return client->answered = append(&client->answer, frame, size);
}

/* ── Reading and writing ──────────────────────────────────────────────────────────────────────────────────────────── */

/* Memory for the error that the answer is. */
static char *error_storage(headerd_client *client, size_t size) {
  free(client->error_storage);
  return client->error_storage = malloc(size);
}

static headerd_status refuse(headerd_client *client, const char *error, size_t size) {
  char *storage = error_storage(client, size + 1 + error_size(size, size));
  if (!storage) return HEADERD_NO_MEMORY;
  client->error = fill_json_error(error, storage, size + 1, storage + size + 1);
  return HEADERD_REFUSED;
}

/* A daemon that has no room for one more, or stops, says so in a line of JSON. */
static headerd_status take_refusal(headerd_client *client) {
  const char *line = (const char *)client->received.data, *params = headerd_json_find(line, "params", NULL);
  if (!strchr(line, '\n') || !params) return HEADERD_OK;
  if (headerd_json_text(params, "reason", client->reason, sizeof client->reason)) return HEADERD_LOST;
  return refuse(client, params, client->received.size);
}

static headerd_status take_frames(headerd_client *client) {
  static const uint8_t preamble[4] = {
      HEADER_WIRE_PREAMBLE_0, HEADER_WIRE_PREAMBLE_1, HEADER_WIRE_PREAMBLE_2, HEADER_WIRE_VERSION};
  bytes *in = &client->received;
  size_t at = 0;
  if (!client->greeted) {
    if (in->size < sizeof preamble) return HEADERD_OK;
    if (in->data[0] == '{') return take_refusal(client);
    if (memcmp(in->data, preamble, sizeof preamble) != 0) return HEADERD_LOST;
    client->greeted = true;
    at = sizeof preamble;
  }
  while (in->size - at >= sizeof(header_wire_frame)) {
    uint32_t size;
    memcpy(&size, in->data + at, sizeof size);
    if (size < sizeof(header_wire_frame)) return HEADERD_LOST;
    if (in->size - at < size) break;
    if (!take_frame(client, in->data + at, size)) return HEADERD_NO_MEMORY;
    at += size;
  }
  memmove(in->data, in->data + at, in->size - at);
  in->size -= at;
  return HEADERD_OK;
}

static headerd_status lose(headerd_client *client, headerd_status status) {
  headerd_disconnect(client);
  return status;
}

/* Reads once. */
static headerd_status read_some(headerd_client *client, int timeout) {
  if (client->descriptor < 0) return HEADERD_LOST;
  struct pollfd one = {.fd = client->descriptor, .events = POLLIN};
  if (poll(&one, 1, timeout) <= 0) return HEADERD_TIMEOUT;
  uint8_t piece[65536];
  ssize_t count = recv(client->descriptor, piece, sizeof piece, MSG_DONTWAIT);
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return HEADERD_OK;
  /* A main loop still looks at the descriptor as long as there are messages. */
  if (count <= 0) return client->first ? HEADERD_LOST : lose(client, HEADERD_LOST);
  if (!append(&client->received, piece, (size_t)count)) return HEADERD_NO_MEMORY;
  headerd_status status = take_frames(client);
  return status == HEADERD_OK ? status : lose(client, status);
}

/* Milliseconds until a time; 0 if it is over. */
static int milliseconds_until(int64_t end) {
  int64_t left = end - milliseconds();
  return left > 0 ? (int)left : 0;
}

/* Writes what is unsent, for at most `timeout` milliseconds (-1: for ever). While the daemon does not read, we read: it may wait
 * for that. */
static headerd_status flush(headerd_client *client, int timeout) {
  bytes *out = &client->unsent;
  int64_t end = milliseconds() + timeout;
  size_t written = 0;
  headerd_status status = HEADERD_OK;
  while (status == HEADERD_OK && written < out->size) {
    ssize_t count = client->descriptor < 0
                        ? (errno = EPIPE, -1)
                        : send(client->descriptor, out->data + written, out->size - written, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count > 0) {
      written += (size_t)count;
    } else if (errno == EAGAIN) {
      int left = timeout < 0 ? -1 : milliseconds_until(end);
      struct pollfd one = {.fd = client->descriptor, .events = POLLIN | POLLOUT};
      if (poll(&one, 1, left) > 0 && one.revents & ~POLLOUT) status = read_some(client, 0);
      if (left == 0) break;
    } else if (errno != EINTR) {
      /* What it sent before it went, its reason above all, is still there. */
      while (status == HEADERD_OK) status = read_some(client, 0);
      if (status == HEADERD_TIMEOUT) status = lose(client, HEADERD_LOST);
    }
  }
  if (written) memmove(out->data, out->data + written, out->size - written);
  out->size -= written;
  return status == HEADERD_OK && out->size > UNSENT_BYTES ? lose(client, HEADERD_LOST) : status;
}

/* Writes bytes behind what is unsent, and frees them. */
static headerd_status write_all(headerd_client *client, bytes *data, bool is_complete, int timeout) {
  is_complete = is_complete && append(&client->unsent, data->data, data->size);
  free(data->data);
  return is_complete ? flush(client, timeout) : HEADERD_NO_MEMORY;
}

/* Sends a frame with an id of its own, for at most `writing` milliseconds, and waits for the answer. Frees `frame`. */
static headerd_status ask_within(headerd_client *client, bytes *frame, bool is_complete, int timeout, int writing) {
  client->answered = false;
  client->asked = client->last_id;
  client->answer.size = 0;
  client->warnings = "[]";
  int64_t end = milliseconds() + timeout;
  headerd_status status = write_all(client, frame, is_complete, writing);
  while (status == HEADERD_OK && !client->answered) {
    status = read_some(client, milliseconds_until(end));
    /* A signal has ended the wait: the answer is still to come. */
    if (status == HEADERD_TIMEOUT && milliseconds_until(end) > 0) status = HEADERD_OK;
  }
  client->answered = true;
  if (status != HEADERD_OK) return status;
  header_wire_answer head;
  cursor from = {client->answer.data, client->answer.data + client->answer.size};
  take(&from, &head, sizeof head);
  if (head.frame.kind == HEADER_WIRE_JSON) return HEADERD_OK;
  if (head.frame.kind != HEADER_WIRE_ERROR) {
    if (head.warnings_size > 0 && head.warnings_size <= client->answer.size)
      client->warnings = (const char *)client->answer.data + client->answer.size - head.warnings_size;
    return HEADERD_OK;
  }
  header_wire_error error;
  from.at = client->answer.data;
  take(&from, &error, sizeof error);
  size_t left = (size_t)(from.end - from.at);
  size_t message_size = error.message_size < left ? error.message_size : left;
  size_t data_size = error.data_size < left - message_size ? error.data_size : left - message_size;
  const char *message = (const char *)from.at;
  char *storage = error_storage(client, error_size(message_size, data_size));
  if (!storage) return HEADERD_NO_MEMORY;
  client->error = fill_error(error.code, message, message_size, message + message_size, data_size, storage);
  return HEADERD_REFUSED;
}

static headerd_status ask(headerd_client *client, bytes *frame, bool is_complete) {
  return ask_within(client, frame, is_complete, client->patience, -1);
}

static void read_answer(const headerd_client *client, void *into, size_t size) {
  take(&(cursor){client->answer.data, client->answer.data + client->answer.size}, into, size);
}

/* A frame that is `head`, of which the first field is a header_wire_frame and the second the id, and then a text. */
static headerd_status ask_with(headerd_client *client, uint16_t kind, void *head, size_t head_size, const char *text) {
  header_wire_request *request = head;
  request->frame = (header_wire_frame){.size = (uint32_t)(head_size + strlen(text)), .kind = kind};
  request->id = ++client->last_id;
  bytes frame = {0};
  return ask(client, &frame, append(&frame, head, head_size) && append_text(&frame, text));
}

/* ── Connecting ───────────────────────────────────────────────────────────────────────────────────────────────────── */

const char *headerd_default_socket(void) {
  static char path[4096];
  const char *given = getenv("HEADERD_SOCKET"), *runtime = getenv("XDG_RUNTIME_DIR");
  if (given && *given) return given;
  if (runtime && *runtime == '/')
    snprintf(path, sizeof path, "%s%sheaderd/headerd.sock", runtime, runtime[strlen(runtime) - 1] == '/' ? "" : "/");
  else if (geteuid() == 0) snprintf(path, sizeof path, "/run/headerd/headerd.sock");
  else snprintf(path, sizeof path, "/tmp/headerd-%u/headerd.sock", (unsigned)geteuid());
  return path;
}

static headerd_status connect_to_daemon(headerd_client *client) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  headerd_disconnect(client);
  client->received.size = client->unsent.size = 0;
  client->greeted = false;
  client->reason[0] = 0;
  if (strlen(client->path) >= sizeof address.sun_path) return errno = ENAMETOOLONG, HEADERD_NO_DAEMON;
  memcpy(address.sun_path, client->path, strlen(client->path));
  client->descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (client->descriptor < 0 || connect(client->descriptor, (struct sockaddr *)&address, sizeof address) != 0) {
    int reason = errno;
    headerd_disconnect(client);
    return errno = reason, HEADERD_NO_DAEMON;
  }
  static const uint8_t preamble[4] = {
      HEADER_WIRE_PREAMBLE_0, HEADER_WIRE_PREAMBLE_1, HEADER_WIRE_PREAMBLE_2, HEADER_WIRE_VERSION};
  bytes opening = {0};
  headerd_status status = write_all(client, &opening, append(&opening, preamble, sizeof preamble), -1);
  if (status != HEADERD_OK) return status;
  header_wire_hello hello = {.protocol = 1};
  return ask_with(client, HEADER_WIRE_HELLO, &hello, sizeof hello, client->name);
}

headerd_status headerd_connect(const char *path, const char *name, headerd_client **made) {
  return headerd_connect_within(path, name, 10000, made);
}

headerd_status headerd_connect_within(const char *path, const char *name, int patience, headerd_client **made) {
  headerd_client *client = *made = calloc(1, sizeof(headerd_client));
  if (!client) return HEADERD_NO_MEMORY;
  client->descriptor = -1;
  client->answered = true;
  client->warnings = "[]";
  client->patience = patience;
  client->path = strdup(path ? path : headerd_default_socket());
  client->name = strdup(name ? name : "headerd for C");
  if (client->path && client->name) return connect_to_daemon(client);
  headerd_free(client);
  *made = NULL;
  return HEADERD_NO_MEMORY;
}

void headerd_disconnect(headerd_client *client) {
  if (client->descriptor >= 0) close(client->descriptor);
  client->descriptor = -1;
}

void headerd_free(headerd_client *client) {
  if (!client) return;
  headerd_disconnect(client);
  free_node(client->current);
  for (node *one = client->first, *next; one; one = next) {
    next = one->next;
    free_node(one);
  }
  while (client->names) forget_names(client, client->names->handle);
  for (size_t index = 0; index < client->subscription_count; index++) free(client->subscriptions[index].params);
  free(client->subscriptions);
  free(client->positions);
  free(client->received.data);
  free(client->unsent.data);
  free(client->answer.data);
  free(client->error_storage);
  free(client->path);
  free(client->name);
  free(client);
}

void headerd_set_patience(headerd_client *client, int patience) { client->patience = patience; }
const headerd_error *headerd_last_error(const headerd_client *client) { return &client->error; }
const char *headerd_reason(const headerd_client *client) { return client->reason[0] ? client->reason : NULL; }
const char *headerd_warnings(const headerd_client *client) { return client->warnings; }

/* ── Requests ─────────────────────────────────────────────────────────────────────────────────────────────────────── */

headerd_status headerd_open(headerd_client *client, const char *description, headerd_opened *opened) {
  header_wire_request request = {0};
  headerd_status status = ask_with(client, HEADER_WIRE_OPEN, &request, sizeof request, description);
  if (status != HEADERD_OK || !opened) return status;
  header_wire_opened answer;
  read_answer(client, &answer, sizeof answer);
  *opened = (headerd_opened){
      .handle = answer.handle, .epoch = answer.epoch, .seq = answer.seq, .created = answer.created != 0,
      .digest = answer.digest};
  return HEADERD_OK;
}

/* Subscribes with the last states seen put into the parameters. */
static headerd_status subscribe(headerd_client *client, const char *params, headerd_subscribed *subscribed) {
  bytes text = {0};
  bool made = append_text(&text, "{\"resumeFrom\":{");
  for (size_t index = 0; index < client->position_count; index++) {
    const position *one = &client->positions[index];
    char entry[384];
    snprintf(entry, sizeof entry, "%s\"%s\":{\"epoch\":%" PRId64 ",\"seq\":%" PRId64 "}", index ? "," : "", one->header,
             one->epoch, one->seq);
    made = made && append_text(&text, entry);
  }
  const char *rest = skip_space(params);
  rest = *rest == '{' ? skip_space(rest + 1) : rest;
  made = made && append_text(&text, *rest == '}' ? "}" : "},") && append_text(&text, rest);
  header_wire_request request = {0};
  headerd_status status = HEADERD_NO_MEMORY;
  if (made) status = ask_with(client, HEADER_WIRE_SUBSCRIBE, &request, sizeof request, (const char *)text.data);
  free(text.data);
  if (status != HEADERD_OK) return status;
  header_wire_subscribed answer;
  read_answer(client, &answer, sizeof answer);
  *subscribed = (headerd_subscribed){.subscription = answer.subscription, .matched = answer.matched};
  return HEADERD_OK;
}

headerd_status headerd_subscribe(headerd_client *client, const char *params, headerd_subscribed *subscribed) {
  headerd_subscribed answer;
  headerd_status status = subscribe(client, params, &answer);
  if (status != HEADERD_OK) return status;
  if (subscribed) *subscribed = answer;
  subscription *grown = realloc(client->subscriptions, (client->subscription_count + 1) * sizeof(subscription));
  if (!grown) return HEADERD_NO_MEMORY;
  client->subscriptions = grown;
  grown[client->subscription_count] = (subscription){.number = answer.subscription, .params = strdup(params)};
  return grown[client->subscription_count].params ? client->subscription_count++, HEADERD_OK : HEADERD_NO_MEMORY;
}

headerd_status headerd_unsubscribe(headerd_client *client, uint64_t number) {
  header_wire_request_for request = {.what = number};
  headerd_status status = ask_with(client, HEADER_WIRE_UNSUBSCRIBE, &request, sizeof request, "");
  for (size_t index = 0; status == HEADERD_OK && index < client->subscription_count; index++) {
    if (client->subscriptions[index].number != number) continue;
    free(client->subscriptions[index].params);
    client->subscriptions[index] = client->subscriptions[--client->subscription_count];
    break;
  }
  return status;
}

headerd_status headerd_resume(headerd_client *client) {
  headerd_status status = connect_to_daemon(client);
  for (size_t index = 0; status == HEADERD_OK && index < client->subscription_count; index++) {
    headerd_subscribed answer;
    status = subscribe(client, client->subscriptions[index].params, &answer);
    if (status == HEADERD_OK) client->subscriptions[index].number = answer.subscription;
  }
  return status;
}

/* A frame with a JSON-RPC object; an id of 0 is none. */
static bool make_json(bytes *frame, uint64_t id, const char *method, const char *params) {
  char number[32] = "";
  if (id) snprintf(number, sizeof number, "\"id\":%" PRIu64 ",", id);
  header_wire_frame head = {.kind = HEADER_WIRE_JSON};
  bool made = append(frame, &head, sizeof head) && append_text(frame, "{") && append_text(frame, number) &&
              append_text(frame, "\"method\":\"") && append_text(frame, method) && append_text(frame, "\",\"params\":") &&
              append_text(frame, params ? params : "{}") && append_text(frame, "}");
  head.size = (uint32_t)frame->size;
  if (made) memcpy(frame->data, &head, sizeof head);
  return made;
}

headerd_status headerd_notify(headerd_client *client, const char *method, const char *params) {
  bytes frame = {0};
  return write_all(client, &frame, make_json(&frame, 0, method, params), -1);
}

headerd_status headerd_request(
    headerd_client *client, const char *method, const char *params, const char **result, const char **warnings) {
  bytes frame = {0};
  headerd_status status = ask(client, &frame, make_json(&frame, ++client->last_id, method, params));
  if (status != HEADERD_OK) return status;
  char *json = (char *)client->answer.data + sizeof(header_wire_frame);
  const char *error = headerd_json_find(json, "error", NULL);
  if (error) return refuse(client, error, client->answer.size);
  size_t result_size = 0, warnings_size = 0;
  char *found = (char *)headerd_json_find(json, "result", &result_size);
  char *warned = (char *)headerd_json_find(json, "warnings", &warnings_size);
  /* Both end here, at a comma or a brace that nobody reads any more. */
  if (found) found[result_size] = 0;
  if (warned) warned[warnings_size] = 0;
  client->warnings = warned ? warned : "[]";
  if (result) *result = found ? found : "null";
  if (warnings) *warnings = client->warnings;
  return HEADERD_OK;
}

/* ── Events ───────────────────────────────────────────────────────────────────────────────────────────────────────── */

/* Whole nanoseconds; the seconds are taken apart first, so that large ones cost no digits. */
static int64_t nanoseconds(double seconds) {
  int64_t whole = (int64_t)seconds;
  double rest = (seconds - (double)whole) * 1e9;
  return whole * 1000000000 + (int64_t)(rest + (rest < 0 ? -0.5 : 0.5));
}

static bool make_event(bytes *frame, uint64_t id, uint64_t handle, const headerd_event *event) {
  size_t name_size = event->scroll_view ? strlen(event->scroll_view) : 0, json_size = event->json ? strlen(event->json) : 0;
  bool has_more = name_size || json_size || event->given >= HEADER_WIRE_HAS_CORRECTION_X;
  if (name_size > UINT8_MAX) name_size = UINT8_MAX;
  header_wire_event first = {.given = event->given, .kind = event->kind, .flags = event->flags,
                             .time = nanoseconds(event->time), .offset = event->offset};
  header_wire_event_more more = {.correction = event->correction, .amount = event->amount, .target = event->target,
                                 .source = event->source, .scroll_view_size = (uint8_t)name_size,
                                 .json_size = (uint32_t)json_size};
  first.size = (uint32_t)(sizeof first + (has_more ? sizeof more + name_size + json_size : 0));
  header_wire_events head = {.frame = {.size = (uint32_t)sizeof head + first.size, .kind = HEADER_WIRE_EVENT}, .id = id,
                             .handle = handle, .count = 1};
  return append(frame, &head, sizeof head) && append(frame, &first, sizeof first) &&
         (!has_more || (append(frame, &more, sizeof more) && append(frame, event->scroll_view, name_size) &&
                        append(frame, event->json, json_size)));
}

headerd_status headerd_send_event(headerd_client *client, uint64_t handle, const headerd_event *event) {
  bytes frame = {0};
  return write_all(client, &frame, make_event(&frame, 0, handle, event), -1);
}

headerd_status headerd_decide(
    headerd_client *client, uint64_t handle, const headerd_event *event, headerd_decision *decision) {
  bytes frame = {0};
  headerd_status status = ask(client, &frame, make_event(&frame, ++client->last_id, handle, event));
  if (status != HEADERD_OK || !decision) return status;
  cursor from = {client->answer.data, client->answer.data + client->answer.size};
  header_wire_decided head;
  header_wire_decision wire;
  take(&from, &head, sizeof head);
  take(&from, &wire, sizeof wire);
  *decision = (headerd_decision){.seq = wire.seq, .told = wire.told, .target = wire.target, .consumed = wire.consumed,
                                 .residual = wire.residual};
  size_t size = wire.rewritten_size < sizeof decision->rewritten_by ? wire.rewritten_size : sizeof decision->rewritten_by - 1;
  take(&from, decision->rewritten_by, size);
  return HEADERD_OK;
}

headerd_event headerd_did_scroll(const headerd_applied *view, double time) {
  return (headerd_event){
      .kind = HEADER_WIRE_DID_SCROLL, .time = time, .offset = view->offset, .correction = view->correction,
      .scroll_view = view->name,
      .given = HEADER_WIRE_HAS_TIME | HEADER_WIRE_HAS_OFFSET_X | HEADER_WIRE_HAS_OFFSET_Y | HEADER_WIRE_HAS_CORRECTION_X |
               HEADER_WIRE_HAS_CORRECTION_Y};
}

/* ── What came ────────────────────────────────────────────────────────────────────────────────────────────────────── */

/* The first message that waits; NULL: there is none. */
static const headerd_message *take_message(headerd_client *client) {
  free_node(client->current);
  client->current = client->first;
  if (!client->first) return NULL;
  client->first = client->first->next;
  if (!client->first) client->last = NULL;
  return &client->current->message;
}

headerd_status headerd_next(headerd_client *client, int timeout, const headerd_message **message) {
  int64_t end = milliseconds() + timeout;
  while (!client->first) {
    headerd_status status = read_some(client, timeout < 0 ? -1 : milliseconds_until(end));
    if (status != HEADERD_OK && !client->first) return status;
  }
  *message = take_message(client);
  return HEADERD_OK;
}

/* ── Main loops ───────────────────────────────────────────────────────────────────────────────────────────────────── */

int headerd_fd(const headerd_client *client) { return client->descriptor; }

size_t headerd_pending(const headerd_client *client) {
  size_t count = 0;
  for (const node *one = client->first; one; one = one->next) count++;
  return count;
}

bool headerd_is_behind(const headerd_client *client) { return client->asked != 0; }

static void hand_out(headerd_client *client, headerd_handler *handler, void *data) {
  const headerd_message *message;
  while ((message = take_message(client))) handler(data, message);
}

headerd_status headerd_dispatch(headerd_client *client, headerd_handler *handler, void *data) {
  headerd_status status = flush(client, 0);
  if (status == HEADERD_OK) status = read_some(client, 0);
  if (status == HEADERD_TIMEOUT || (status == HEADERD_LOST && client->first)) status = HEADERD_OK;
  hand_out(client, handler, data);
  return status;
}

headerd_status headerd_scroll(headerd_client *client, uint64_t handle, const headerd_event *event, int timeout,
                              headerd_handler *handler, void *data) {
  bytes frame = {0};
  bool is_complete = make_event(&frame, ++client->last_id, handle, event);
  headerd_status status = ask_within(client, &frame, is_complete, timeout, timeout);
  hand_out(client, handler, data);
  return status;
}

/* ── Applying states ──────────────────────────────────────────────────────────────────────────────────────────────── */

headerd_applied *headerd_view_find(const headerd_view *view, const char *scroll_view) {
  for (size_t index = 0; index < view->count; index++)
    if (strcmp(view->scroll_views[index].name, scroll_view) == 0) return &view->scroll_views[index];
  return NULL;
}

headerd_status headerd_view_apply(headerd_view *view, const headerd_state *state) {
  headerd_applied *made = calloc(state->scroll_view_count + 1, sizeof(headerd_applied));
  if (!made) return HEADERD_NO_MEMORY;
  for (size_t index = 0; index < state->scroll_view_count; index++) {
    const headerd_scroll_view *wanted = &state->scroll_views[index];
    const headerd_applied *known = state->epoch == view->epoch && !view->mirrors ? headerd_view_find(view, wanted->name) : NULL;
    headerd_applied *one = &made[index];
    snprintf(one->name, sizeof one->name, "%s", wanted->name);
    one->inset = wanted->content_inset;
    one->correction = wanted->correction;
    one->offset = wanted->content_offset;
    if (!known) continue;
    one->offset.x = known->offset.x + wanted->correction.x - known->correction.x;
    one->offset.y = known->offset.y + wanted->correction.y - known->correction.y;
  }
  headerd_view applied = {
      .epoch = state->epoch, .seq = state->seq, .count = state->scroll_view_count, .scroll_views = made,
      .mirrors = view->mirrors, .shown = state->node};
  if (applied.shown) applied.shown->references++;
  headerd_view_free(view);
  *view = applied;
  return HEADERD_OK;
}

void headerd_view_free(headerd_view *view) {
  free(view->scroll_views);
  free_node(view->shown);
  free_node(view->drawn);
  *view = (headerd_view){0};
}

/* ── How a state goes on ──────────────────────────────────────────────────────────────────────────────────────────── */

enum { PART_DRAWERS, PART_SCROLL_VIEWS, PART_ELEMENTS, PART_VALUES, PARTS };

/* Of an entry of each part: its size, where its numbers are, how many, and where its opacity is; 0: it has none. */
static const struct {
  size_t size, numbers, count, alpha;
} shapes[PARTS] = {
    {sizeof(header_wire_drawer), offsetof(header_wire_drawer, frame), 6, offsetof(header_wire_drawer, alpha)},
    {sizeof(header_wire_scroll_view), offsetof(header_wire_scroll_view, content_offset), 22, 0},
    {sizeof(header_wire_element), offsetof(header_wire_element, center), 12, offsetof(header_wire_element, alpha)},
    {sizeof(header_wire_value), offsetof(header_wire_value, number), 1, 0},
};

/* An entry with what follows its struct. */
typedef struct entry {
  union {
    uint16_t name;
    header_wire_drawer drawer;
    header_wire_scroll_view scroll_view;
    header_wire_element element;
    header_wire_value value;
    uint8_t bytes[1];
  } head;
  double transform[16];
  const uint8_t *text;
  size_t text_size;
} entry;

/* The entries of a state or of a keyframe, and what follows them. */
typedef struct keyframe {
  cursor from;
  size_t counts[PARTS];
  uint32_t flags;
  double offset;
} keyframe;

static void take_entry(cursor *from, size_t part, entry *one) {
  *one = (entry){.transform = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
  take(from, &one->head, shapes[part].size);
  if (part == PART_ELEMENTS && one->head.element.flags & HEADER_WIRE_HAS_TRANSFORM)
    take(from, one->transform, sizeof one->transform);
  if (part != PART_VALUES || one->head.value.type != HEADER_WIRE_TEXT) return;
  one->text = from->at;
  skip(from, one->head.value.text_size);
  one->text_size = (size_t)(from->at - one->text);
}

static bool append_entry(bytes *to, size_t part, const entry *one) {
  bool is_transformed = part == PART_ELEMENTS && one->head.element.flags & HEADER_WIRE_HAS_TRANSFORM;
  return append(to, &one->head, shapes[part].size) &&
         append(to, one->transform, is_transformed ? sizeof one->transform : 0) && append(to, one->text, one->text_size);
}

/* The entry of a name; without one `found` stays as it is. */
static void find_entry(const keyframe *in, size_t part, uint16_t name, entry *found) {
  cursor from = in->from;
  for (size_t at = 0; at <= part; at++)
    for (size_t index = 0; index < in->counts[at] && from.at < from.end; index++) {
      entry one;
      take_entry(&from, at, &one);
      if (at != part || one.head.name != name) continue;
      *found = one;
      return;
    }
}

/* Wants, position, and the JSON behind that; without them all stay as they are. Gives what follows. */
static cursor find_rest(
    const keyframe *in, header_wire_wants *wants, header_wire_position *position, const uint8_t **more) {
  cursor from = in->from;
  for (size_t part = 0; part < PARTS; part++)
    for (size_t index = 0; index < in->counts[part] && from.at < from.end; index++) take_entry(&from, part, &(entry){0});
  if (in->flags & HEADER_WIRE_HAS_WANTS) take(&from, wants, sizeof *wants);
  if (!(in->flags & HEADER_WIRE_HAS_POSITION)) return from;
  take(&from, position, sizeof *position);
  *more = from.at;
  skip(&from, position->more_size);
  position->more_size = (uint32_t)(from.at - *more);
  return from;
}

/* Moves numbers toward others. */
static void move(void *numbers, const void *ends, size_t count, double share) {
  for (size_t index = 0; index < count; index++) {
    double number, end;
    memcpy(&number, (char *)numbers + index * sizeof number, sizeof number);
    memcpy(&end, (const char *)ends + index * sizeof end, sizeof end);
    number += (end - number) * share;
    memcpy((char *)numbers + index * sizeof number, &number, sizeof number);
  }
}

/* Takes a number, if one stands there. */
static bool take_number(cursor *from, double *number) {
  char text[32] = {0}, *end;
  size_t size = 0;
  while (from->at + size < from->end && size < sizeof text - 1 && memchr("+-.0123456789Ee", from->at[size], 15)) {
    text[size] = (char)from->at[size];
    size++;
  }
  *number = strtod(text, &end);
  from->at += end - text;
  return end > text && isfinite(*number);
}

/* Appends a text of JSON with the numbers that are at a share of the way to those of another one. From where the two differ in anything
 * else it is as it was. */
static bool append_between(bytes *to, cursor start, cursor end, double share) {
  locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0), known = uselocale(plain);
  bool is_made = true, is_text = false;
  while (is_made && start.at < start.end && end.at < end.end) {
    double number, other;
    char text[32];
    cursor first = start, last = end;
    if (!is_text && take_number(&first, &number) && take_number(&last, &other) && number != other) {
      snprintf(text, sizeof text, "%.17g", number + (other - number) * share);
      is_made = append_text(to, text);
      start = first, end = last;
      continue;
    }
    /* What a backslash escapes ends no text. */
    size_t size = *start.at == '\\' && start.end - start.at > 1 && end.end - end.at > 1 ? 2 : 1;
    if (memcmp(start.at, end.at, size) != 0) break;
    is_text ^= *start.at == '"';
    is_made = append(to, start.at, size);
    start.at += size, end.at += size;
  }
  uselocale(known);
  if (plain) freelocale(plain);
  return is_made && append(to, start.at, (size_t)(start.end - start.at));
}

static void move_entry(entry *one, const entry *end, size_t part, double share) {
  header_wire_element *element = &one->head.element;
  float alpha, other;
  if (part == PART_VALUES && (one->head.value.type != HEADER_WIRE_NUMBER || end->head.value.type != HEADER_WIRE_NUMBER)) return;
  move(one->head.bytes + shapes[part].numbers, end->head.bytes + shapes[part].numbers, shapes[part].count, share);
  if (shapes[part].alpha) {
    memcpy(&alpha, one->head.bytes + shapes[part].alpha, sizeof alpha);
    memcpy(&other, end->head.bytes + shapes[part].alpha, sizeof other);
    alpha = (float)(alpha + ((double)other - alpha) * share);
    memcpy(one->head.bytes + shapes[part].alpha, &alpha, sizeof alpha);
  }
  if (part != PART_ELEMENTS || !((element->flags | end->head.element.flags) & HEADER_WIRE_HAS_TRANSFORM)) return;
  /* An element has a frame as long as nothing transforms it. */
  move(one->transform, end->transform, ELEMENTS(one->transform), share);
  element->flags = (uint16_t)((element->flags | HEADER_WIRE_HAS_TRANSFORM) & ~HEADER_WIRE_HAS_FRAME);
  element->frame = (header_wire_rect){0};
}

/* The state with what is at a share of the way between two keyframes, which have only what differs from it. */
static node *make_between(const node *shown, const keyframe *base, const keyframe *start, const keyframe *end, double share) {
  bytes made = {0};
  header_wire_state head = *shown->message.state.frame;
  cursor from = base->from;
  bool is_made = append(&made, &head, sizeof head);
  for (size_t part = 0; part < PARTS; part++)
    for (size_t index = 0; index < base->counts[part] && from.at < from.end; index++) {
      entry one, other;
      take_entry(&from, part, &one);
      other = one;
      find_entry(start, part, one.head.name, &one);
      find_entry(end, part, other.head.name, &other);
      move_entry(&one, &other, part, share);
      is_made = is_made && append_entry(&made, part, &one);
    }
  header_wire_wants wants = {0}, last_wants;
  header_wire_position position = {0}, last_position;
  const uint8_t *more = NULL, *last_more;
  from = find_rest(base, &wants, &position, &more);
  last_wants = wants, last_position = position, last_more = more;
  find_rest(start, &wants, &position, &more);
  find_rest(end, &last_wants, &last_position, &last_more);
  if (wants.flags == last_wants.flags) move(&wants.additional_safe_area_inset, &last_wants.additional_safe_area_inset, 5, share);
  move(&position.progress, &last_position.progress, 5, share);
  if (head.flags & HEADER_WIRE_HAS_WANTS) is_made = is_made && append(&made, &wants, sizeof wants);
  if (head.flags & HEADER_WIRE_HAS_POSITION) {
    cursor first = {more, more + position.more_size}, last = {last_more, last_more + last_position.more_size};
    size_t place = made.size;
    is_made = is_made && append(&made, &position, sizeof position) && append_between(&made, first, last, share);
    position.more_size = (uint32_t)(made.size - place - sizeof position);
    if (is_made) memcpy(made.data + place, &position, sizeof position);
  }
  is_made = is_made && append(&made, from.at, (size_t)(from.end - from.at));
  head.frame.size = (uint32_t)made.size;
  if (is_made) memcpy(made.data, &head, sizeof head);
  node *one = is_made ? make_state(made.data, made.size, shown->names) : NULL;
  free(made.data);
  return one;
}

/* false: there is none, or nothing that could be one. */
static bool take_keyframe(cursor *from, keyframe *one) {
  header_wire_keyframe head;
  cursor its = *from;
  take(&its, &head, sizeof head);
  if (head.size < sizeof head || head.size > (size_t)(from->end - from->at) || !isfinite(head.offset)) return false;
  its.end = from->at += head.size;
  *one = (keyframe){
      .from = its, .counts = {head.drawers, head.scroll_views, head.elements, head.values}, .flags = head.flags,
      .offset = head.offset};
  return true;
}

const headerd_state *headerd_view_at(headerd_view *view, double offset, bool is_dragged) {
  node *shown = view->shown;
  if (!shown) return NULL;
  const headerd_state *state = &shown->message.state;
  header_wire_ahead ahead = {.offset = NAN};
  cursor from = shown->ahead;
  keyframe end;
  if (state->has_ahead) take(&from, &ahead, sizeof ahead);
  if (is_dragged && ahead.flags & HEADER_WIRE_HAS_DRAGGED) {
    for (uint32_t count = (uint32_t)ahead.growing + ahead.shrinking; count && take_keyframe(&from, &end); count--) {}
    take(&from, &ahead, sizeof ahead);
  }
  if (!isfinite(ahead.offset)) return state;
  if (!(ahead.flags & HEADER_WIRE_REVERSIBLE)) {
    /* Back it goes by laws that the way so far has a part in. */
    double past = view->has_moved ? view->farthest : offset;
    if (!((offset - past) * (past - ahead.offset) >= 0)) offset = past;
    view->farthest = offset;
    view->has_moved = true;
  }
  if (offset == ahead.offset) return state;
  const header_wire_state *head = state->frame;
  const keyframe base = {
      .from = {(const uint8_t *)(head + 1), shown->ahead.end},
      .counts = {head->drawers, head->scroll_views, head->elements, head->values}, .flags = head->flags,
      .offset = ahead.offset};
  keyframe start = base;
  double share = 0;
  bool is_known = true, is_between = false;
  for (uint16_t index = 0; is_known && offset < ahead.offset && index < ahead.growing; index++) is_known = take_keyframe(&from, &end);
  for (uint16_t count = offset < ahead.offset ? ahead.shrinking : ahead.growing; count && is_known && !is_between; count--) {
    is_known = take_keyframe(&from, &end);
    is_between = is_known && fabs(offset - ahead.offset) <= fabs(end.offset - ahead.offset) && end.offset != start.offset;
    if (is_between) share = (offset - start.offset) / (end.offset - start.offset);
    else if (is_known) start = end;
  }
  node *drawn = make_between(shown, &base, &start, is_between ? &end : &start, share);
  if (!drawn) return state;
  free_node(view->drawn);
  view->drawn = drawn;
  return &drawn->message.state;
}
