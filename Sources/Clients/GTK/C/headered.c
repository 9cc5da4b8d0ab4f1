/* SPDX-License-Identifier: MIT
 *
 * The widgets and the rules are those of headerd_gtk and headerd.toolkit, in Python, which say more about them.
 */
#include "headered.h"

#include <glib-unix.h>
#include <math.h>

#include "headerd_client.h"

/* Of the scroll view in the description. */
#define CONTENT "content"
/* Milliseconds after which a lost daemon is looked for again, and that a request may take. */
enum { RETRY = 1000, PATIENCE = 500 };
/* The errors after which the same request is refused again, as `x-retry` of the schema has them. */
static const char *const LASTING[] = {
    "parseError", "invalidRequest", "methodNotFound", "invalidParams", "internalError", "subscriptionNotFound", "traceNotFound",
    "invalidOption", "timeBackwards", "notPermitted", "unsupported", "unsupportedVersion", "unknownField", NULL};
/* Seconds after somebody moved the content in which the header's own moves are told as scrolls; without a scroll after which one
 * is over; after a wheel's turn or a key in which a scroll is its own; over which velocity is measured; and the points a
 * millisecond from which on content goes on by itself after the finger. */
static const double TOUCHED = 1, REST = 0.15, CAUSE = 0.2, SPAN = 0.08, FLING = 0.1;

typedef struct Place {
  double y, height, alpha;
  gboolean hidden;
  int z_index;
} Place;

static double now(void) { return (double)g_get_monotonic_time() / G_USEC_PER_SEC; }

/* Whole pixels, halves always the same way, so that what touches goes on touching. */
static int whole(double points) { return (int)floor(points + 0.5); }

static GskTransform *down(int points) {
  return gsk_transform_translate(NULL, &GRAPHENE_POINT_INIT(0, (float)points));
}

/* ── JSON ─────────────────────────────────────────────────────────────────────────────────────────────────────────── */

static void add_text(GString *json, const char *before, const char *text) {
  g_string_append(json, before);
  g_string_append_c(json, '"');
  for (; *text; text++) {
    if ((unsigned char)*text < ' ') g_string_append_printf(json, "\\u%04x", *text);
    else if (*text == '"' || *text == '\\') g_string_append_printf(json, "\\%c", *text);
    else g_string_append_c(json, *text);
  }
  g_string_append_c(json, '"');
}

/* A number as JSON has it, whatever the locale. */
static void add_number(GString *json, const char *before, double value) {
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  g_string_append(json, before);
  g_string_append(json, g_ascii_dtostr(text, sizeof text, value));
}

static gboolean has(const char *object, const char *key) {
  size_t size;
  return object && headerd_json_find(object, key, &size);
}

/* The members of an object, behind others. */
static void add_members(GString *json, const char *object) {
  const char *begin = object ? strchr(object, '{') : NULL, *end = object ? strrchr(object, '}') : NULL;
  if (!begin || !end) return;
  char *members = g_strstrip(g_strndup(begin + 1, (gsize)(end - begin - 1)));
  if (*members) g_string_append_printf(json, ",%s", members);
  g_free(members);
}

/* ── A drawer: a widget of the app's, as high as the header says ──────────────────────────────────────────────────── */

G_DECLARE_FINAL_TYPE(HeaderedDrawer, drawer, HEADERED, DRAWER, GtkWidget)
struct _HeaderedDrawer {
  GtkWidget parent;
  GtkWidget *child;
  char *name, *description;
  GHashTable *elements;
  gboolean is_placed;
  Place place, source, target; /* as drawn; where an animation began, and where it ends */
};
G_DEFINE_FINAL_TYPE(HeaderedDrawer, drawer, GTK_TYPE_WIDGET)

static GtkSizeRequestMode drawer_mode(G_GNUC_UNUSED GtkWidget *widget) { return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH; }

static void drawer_measure(
    GtkWidget *widget, GtkOrientation orientation, int size, int *minimum, int *natural, G_GNUC_UNUSED int *first,
    G_GNUC_UNUSED int *second) {
  gtk_widget_measure(HEADERED_DRAWER(widget)->child, orientation, size, minimum, natural, NULL, NULL);
  if (orientation == GTK_ORIENTATION_VERTICAL) *minimum = 0;
}

static void drawer_allocate(GtkWidget *widget, int width, int height, G_GNUC_UNUSED int baseline) {
  int minimum;
  gtk_widget_measure(HEADERED_DRAWER(widget)->child, GTK_ORIENTATION_VERTICAL, width, &minimum, NULL, NULL, NULL);
  gtk_widget_allocate(HEADERED_DRAWER(widget)->child, width, MAX(height, minimum), -1, NULL);
}

static void drawer_dispose(GObject *object) {
  HeaderedDrawer *self = HEADERED_DRAWER(object);
  g_clear_pointer(&self->child, gtk_widget_unparent);
  g_clear_pointer(&self->elements, g_hash_table_unref);
  g_clear_pointer(&self->name, g_free);
  g_clear_pointer(&self->description, g_free);
  G_OBJECT_CLASS(drawer_parent_class)->dispose(object);
}

static void drawer_class_init(HeaderedDrawerClass *class) {
  G_OBJECT_CLASS(class)->dispose = drawer_dispose;
  GTK_WIDGET_CLASS(class)->get_request_mode = drawer_mode;
  GTK_WIDGET_CLASS(class)->measure = drawer_measure;
  GTK_WIDGET_CLASS(class)->size_allocate = drawer_allocate;
}

static void drawer_init(HeaderedDrawer *self) {
  gtk_widget_set_overflow(GTK_WIDGET(self), GTK_OVERFLOW_HIDDEN);
  self->elements = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_object_unref);
}

/* ── The content, with room for the header above it ───────────────────────────────────────────────────────────────── */

/* A scrollable around a scrollable: `room` points, then the child's content. While the room is in sight the child stays at its
 * own beginning and is drawn further down; after that the child scrolls. `shift` is added to the place: what the header moved
 * while a gesture of the scrolled window, which counts by itself, goes on. `late` is what an animation has still to go. */
G_DECLARE_FINAL_TYPE(HeaderedContent, content, HEADERED, CONTENT, GtkWidget)
struct _HeaderedContent {
  GtkWidget parent;
  GtkWidget *child;
  GtkAdjustment *inner, *adjustments[2];
  GtkScrollablePolicy policies[2];
  double room, shift, late;
  gboolean is_allocating, is_placing;
  HeaderedScrolledWindow *window;
};
G_DEFINE_FINAL_TYPE_WITH_CODE(HeaderedContent, content, GTK_TYPE_WIDGET, G_IMPLEMENT_INTERFACE(GTK_TYPE_SCROLLABLE, NULL))

static void window_child_moved(HeaderedScrolledWindow *self, double value);
static void window_tell_layout(HeaderedScrolledWindow *self);

static double content_value(HeaderedContent *self) {
  return self->adjustments[1] ? gtk_adjustment_get_value(self->adjustments[1]) : 0;
}

/* How far the content is scrolled: 0 where all of the room is seen. */
static double content_place(HeaderedContent *self) {
  double end = MAX(0, self->room + gtk_adjustment_get_upper(self->inner) - gtk_adjustment_get_page_size(self->inner));
  return CLAMP(content_value(self) + self->shift, 0, end);
}

static int content_drawn(HeaderedContent *self) {
  return whole(content_place(self) - self->late - self->room) + whole(self->room);
}

/* What is queued during the layout is lost: that looks again by itself. */
static void content_queue(HeaderedContent *self) {
  if (!self->is_allocating) gtk_widget_queue_allocate(GTK_WIDGET(self));
}

/* Brings the child to the place; before layout, so that it is drawn there in this frame. */
static void content_follow(HeaderedContent *self) {
  self->is_placing = TRUE;
  gtk_adjustment_set_value(self->inner, MAX(0, content_drawn(self) - whole(self->room)));
  self->is_placing = FALSE;
  content_queue(self);
}

static void content_configure(HeaderedContent *self) {
  if (!self->adjustments[1]) return;
  double page = gtk_adjustment_get_page_size(self->inner), step = gtk_adjustment_get_step_increment(self->inner);
  double pages = gtk_adjustment_get_page_increment(self->inner);
  gtk_adjustment_configure(
      self->adjustments[1], content_value(self), 0, MAX(page, self->room + gtk_adjustment_get_upper(self->inner)),
      step > 0 ? step : page / 10, pages > 0 ? pages : page * 0.9, page);
}

/* Scrolls. With `keeps_value` the adjustment is left as it is, for whoever is moving it. */
static void content_put(HeaderedContent *self, double place, double room, gboolean keeps_value) {
  self->room = room;
  content_configure(self);
  if (self->adjustments[1] && !keeps_value) gtk_adjustment_set_value(self->adjustments[1], place);
  self->shift = place - content_value(self);
  content_follow(self);
}

static void content_child_scrolled(HeaderedContent *self) {
  if (!self->is_placing && self->window) window_child_moved(self->window, gtk_adjustment_get_value(self->inner));
}

static GtkSizeRequestMode content_mode(GtkWidget *widget) {
  return gtk_widget_get_request_mode(HEADERED_CONTENT(widget)->child);
}

static void content_measure(
    GtkWidget *widget, GtkOrientation orientation, int size, int *minimum, int *natural, G_GNUC_UNUSED int *first,
    G_GNUC_UNUSED int *second) {
  gtk_widget_measure(HEADERED_CONTENT(widget)->child, orientation, size, minimum, natural, NULL, NULL);
}

static void content_allocate(GtkWidget *widget, int width, int height, G_GNUC_UNUSED int baseline) {
  HeaderedContent *self = HEADERED_CONTENT(widget);
  self->is_allocating = TRUE;
  for (int at = -1, next; at != (next = MAX(0, whole(self->room) - content_drawn(self)));) {
    gtk_widget_allocate(self->child, width, height, -1, down(at = next));
    content_configure(self);
  }
  if (self->window) window_tell_layout(self->window);
  self->is_allocating = FALSE;
}

enum { HADJUSTMENT = 1, VADJUSTMENT, HSCROLL_POLICY, VSCROLL_POLICY };

static void content_set(GObject *object, guint property, const GValue *value, G_GNUC_UNUSED GParamSpec *spec) {
  HeaderedContent *self = HEADERED_CONTENT(object);
  if (property >= HSCROLL_POLICY) {
    self->policies[property - HSCROLL_POLICY] = g_value_get_enum(value);
    return;
  }
  g_set_object(&self->adjustments[property - HADJUSTMENT], g_value_get_object(value));
  if (property == VADJUSTMENT) content_configure(self);
  else if (self->child) gtk_scrollable_set_hadjustment(GTK_SCROLLABLE(self->child), self->adjustments[0]);
}

static void content_get(GObject *object, guint property, GValue *value, G_GNUC_UNUSED GParamSpec *spec) {
  HeaderedContent *self = HEADERED_CONTENT(object);
  if (property >= HSCROLL_POLICY) g_value_set_enum(value, self->policies[property - HSCROLL_POLICY]);
  else g_value_set_object(value, self->adjustments[property - HADJUSTMENT]);
}

static void content_dispose(GObject *object) {
  HeaderedContent *self = HEADERED_CONTENT(object);
  if (self->inner) g_signal_handlers_disconnect_by_data(self->inner, self);
  g_clear_pointer(&self->child, gtk_widget_unparent);
  g_clear_object(&self->inner);
  g_clear_object(&self->adjustments[0]);
  g_clear_object(&self->adjustments[1]);
  G_OBJECT_CLASS(content_parent_class)->dispose(object);
}

static void content_class_init(HeaderedContentClass *class) {
  GObjectClass *object = G_OBJECT_CLASS(class);
  object->set_property = content_set;
  object->get_property = content_get;
  object->dispose = content_dispose;
  GTK_WIDGET_CLASS(class)->get_request_mode = content_mode;
  GTK_WIDGET_CLASS(class)->measure = content_measure;
  GTK_WIDGET_CLASS(class)->size_allocate = content_allocate;
  g_object_class_override_property(object, HADJUSTMENT, "hadjustment");
  g_object_class_override_property(object, VADJUSTMENT, "vadjustment");
  g_object_class_override_property(object, HSCROLL_POLICY, "hscroll-policy");
  g_object_class_override_property(object, VSCROLL_POLICY, "vscroll-policy");
}

static void content_init(HeaderedContent *self) {
  gtk_widget_set_overflow(GTK_WIDGET(self), GTK_OVERFLOW_HIDDEN);
  self->inner = g_object_ref_sink(gtk_adjustment_new(0, 0, 0, 0, 0, 0));
  g_signal_connect_swapped(self->inner, "value-changed", G_CALLBACK(content_child_scrolled), self);
  g_signal_connect_swapped(self->inner, "changed", G_CALLBACK(content_queue), self);
}

static void content_set_child(HeaderedContent *self, GtkWidget *child) {
  if (!GTK_IS_SCROLLABLE(child)) {
    GtkWidget *viewport = gtk_viewport_new(NULL, NULL);
    gtk_viewport_set_child(GTK_VIEWPORT(viewport), child);
    child = viewport;
  }
  self->child = child;
  gtk_scrollable_set_vadjustment(GTK_SCROLLABLE(child), self->inner);
  gtk_widget_set_parent(child, GTK_WIDGET(self));
}

/* ── The window ───────────────────────────────────────────────────────────────────────────────────────────────────── */

typedef enum { IDLE, DRAGGING, WHEELING, DECELERATING, MOVING } Gesture;

struct _HeaderedScrolledWindow {
  GtkWidget parent;
  GtkWidget *scrolled;
  HeaderedContent *content;
  GList *drawers; /* HeaderedDrawer, from the edge outward */
  char *header, *own_header, *behavior, *description, *socket;
  HeaderedMode mode;
  double within;
  double grid;
  gboolean is_placing, is_allocating;
  GtkRoot *focus_root;
  /* The connection. */
  headerd_client *client;
  headerd_view view;
  guint64 handle;
  gint64 epoch; /* −1: none */
  guint source, retry, calls; /* a call of the client's is under way, which must not free it */
  gboolean is_connected, is_publishing, is_refused, is_ended, is_lost;
  char *refusal; /* what was said of the last attempts to connect, one like the other; NULL: nothing */
  double touched;
  char *viewport, *size, *heights; /* as they were told */
  /* What a person does. */
  Gesture gesture;
  gboolean fingers;
  double typed, wheeled;
  GArray *samples; /* graphene_point_t: seconds since `sampled`, places */
  gint64 sampled;
  guint rest;
  /* An announced animation. */
  header_wire_animation animation;
  double began, moved;
  guint tick;
};
G_DEFINE_FINAL_TYPE(HeaderedScrolledWindow, headered_scrolled_window, GTK_TYPE_WIDGET)
G_DEFINE_ENUM_TYPE(
    HeaderedMode, headered_mode, G_DEFINE_ENUM_VALUE(HEADERED_MODE_BOTH, "both"),
    G_DEFINE_ENUM_VALUE(HEADERED_MODE_PUBLISHER, "publisher"), G_DEFINE_ENUM_VALUE(HEADERED_MODE_RENDERER, "renderer"),
    G_DEFINE_ENUM_VALUE(HEADERED_MODE_MIRROR, "mirror"))

enum { CHILD = 1, HEADER, BEHAVIOR, DESCRIPTION, MODE, WITHIN, GRID, SOCKET, CONNECTED, PROPERTIES };
static GParamSpec *properties[PROPERTIES];
enum { STATE, FAILED, SIGNALS };
static guint signals[SIGNALS];

static void connect_later(HeaderedScrolledWindow *self, guint delay);
static void follow_alone(HeaderedScrolledWindow *self);

static const char *name_of(HeaderedScrolledWindow *self) { return self->header ? self->header : self->own_header; }
static GtkAdjustment *adjustment_of(HeaderedScrolledWindow *self) {
  return gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(self->scrolled));
}
static double offset_of(HeaderedScrolledWindow *self) { return content_place(self->content) - self->content->room; }

static gboolean publishes(HeaderedScrolledWindow *self) { return self->mode <= HEADERED_MODE_PUBLISHER; }

static gboolean is_reduced(void) {
  gboolean animates = TRUE;
  g_object_get(gtk_settings_get_default(), "gtk-enable-animations", &animates, NULL);
  return !animates;
}

static HeaderedDrawer *find_drawer(HeaderedScrolledWindow *self, const char *name) {
  for (GList *one = self->drawers; one; one = one->next)
    if (g_str_equal(HEADERED_DRAWER(one->data)->name, name)) return one->data;
  return NULL;
}

static int natural_height(HeaderedDrawer *drawer, int width) {
  int natural;
  gtk_widget_measure(drawer->child, GTK_ORIENTATION_VERTICAL, width, NULL, &natural, NULL, NULL);
  return natural;
}

/* What the header wants. */

static void put(HeaderedScrolledWindow *self, double place, double room, gboolean keeps_value) {
  self->is_placing = TRUE;
  content_put(self->content, place, room, keeps_value);
  self->is_placing = FALSE;
}

/* What the content's range leaves of a wanted place is where it is; a mirror keeps it wanted. */
static void sync_view(HeaderedScrolledWindow *self) {
  headerd_applied *wanted = headerd_view_find(&self->view, CONTENT);
  if (wanted && !self->view.mirrors) wanted->offset.y = offset_of(self);
}

/* A gesture of the scrolled window goes on, and counts by itself. */
static void put_beside_gesture(HeaderedScrolledWindow *self, double place, double room) {
  put(self, place, room, self->gesture == DRAGGING || self->gesture == DECELERATING);
  sync_view(self);
}

static gboolean show_again(gpointer data) {
  HeaderedScrolledWindow *self = data;
  headerd_applied *wanted = headerd_view_find(&self->view, CONTENT);
  if (wanted && self->is_connected) put_beside_gesture(self, wanted->offset.y + self->content->room, self->content->room);
  return G_SOURCE_REMOVE;
}

static double covered(HeaderedScrolledWindow *self) {
  headerd_applied *wanted = headerd_view_find(&self->view, CONTENT);
  return wanted && self->is_connected ? wanted->inset.top : 0;
}

static int by_z_index(gconstpointer one, gconstpointer other) {
  return ((const HeaderedDrawer *)one)->place.z_index - ((const HeaderedDrawer *)other)->place.z_index;
}

/* Later children are drawn over earlier ones; of equal drawers the earlier lies over the later. */
static void stack(HeaderedScrolledWindow *self) {
  GList *order = g_list_sort(g_list_reverse(g_list_copy(self->drawers)), by_z_index);
  GtkWidget *below = self->scrolled;
  for (GList *one = order; one; below = one->data, one = one->next)
    if (gtk_widget_get_next_sibling(below) != one->data) gtk_widget_insert_after(one->data, GTK_WIDGET(self), below);
  g_list_free(order);
}

/* Draws the drawers at their places, and the content `late` points short of its own. */
static void draw(HeaderedScrolledWindow *self, double late) {
  stack(self);
  for (GList *one = self->drawers; one; one = one->next) {
    HeaderedDrawer *drawer = one->data;
    gboolean is_seen = self->mode != HEADERED_MODE_PUBLISHER && drawer->is_placed && !drawer->place.hidden;
    gtk_widget_set_child_visible(GTK_WIDGET(drawer), is_seen);
    gtk_widget_set_opacity(GTK_WIDGET(drawer), drawer->place.alpha);
  }
  if (self->content->late != late) {
    self->content->late = late;
    content_follow(self->content);
  }
  gtk_widget_set_margin_top(gtk_scrolled_window_get_vscrollbar(GTK_SCROLLED_WINDOW(self->scrolled)), whole(covered(self)));
  /* In the layout the drawers' turn comes after the content's. */
  if (!self->is_allocating) gtk_widget_queue_allocate(GTK_WIDGET(self));
}

static double cubic(double first, double second, double t) {
  return 3 * (1 - t) * (1 - t) * t * first + 3 * (1 - t) * t * t * second + t * t * t;
}

/* How far the animation is, 0 to 1 and beyond where a spring is. */
static double progress(const header_wire_animation *animation, double seconds) {
  static const double curves[4][4] = {{0, 0, 1, 1}, {0.42, 0, 1, 1}, {0, 0, 0.58, 1}, {0.42, 0, 0.58, 1}};
  double elapsed = seconds - animation->delay;
  if (elapsed >= animation->duration) return 1;
  if (elapsed <= 0) return 0;
  if (animation->curve >= HEADER_WIRE_CURVE_SPRING) {
    double frequency = sqrt(animation->stiffness / animation->mass), velocity = animation->initial_velocity;
    double ratio = animation->damping / (2 * sqrt(animation->stiffness * animation->mass));
    double decay = exp(-ratio * frequency * elapsed), damped = frequency * sqrt(MAX(0, 1 - ratio * ratio));
    if (ratio >= 1) return 1 - decay * (1 + (frequency - velocity) * elapsed);
    return 1 - decay * (cos(damped * elapsed) + (ratio * frequency - velocity) / damped * sin(damped * elapsed));
  }
  const double *curve = curves[animation->curve];
  double share = elapsed / animation->duration, low = 0, high = 1;
  for (int step = 0; step < 24; step++) {
    double middle = (low + high) / 2;
    if (cubic(curve[0], curve[2], middle) < share) low = middle;
    else high = middle;
  }
  return cubic(curve[1], curve[3], low);
}

static void stop_animation(HeaderedScrolledWindow *self) {
  if (self->tick) gtk_widget_remove_tick_callback(GTK_WIDGET(self), self->tick);
  self->tick = 0;
}

static void draw_targets(HeaderedScrolledWindow *self) {
  stop_animation(self);
  for (GList *one = self->drawers; one; one = one->next) HEADERED_DRAWER(one->data)->place = HEADERED_DRAWER(one->data)->target;
  draw(self, 0);
}

/* Draws between what was on the screen and the places; the content, which is at its own already, comes later. */
static gboolean animate(GtkWidget *widget, G_GNUC_UNUSED GdkFrameClock *clock, G_GNUC_UNUSED gpointer data) {
  HeaderedScrolledWindow *self = HEADERED_SCROLLED_WINDOW(widget);
  double elapsed = now() - self->began, share = progress(&self->animation, elapsed);
  if (elapsed >= self->animation.duration + self->animation.delay) {
    draw_targets(self);
    return G_SOURCE_REMOVE;
  }
  for (GList *one = self->drawers; one; one = one->next) {
    HeaderedDrawer *drawer = one->data;
    const Place *from = &drawer->source, *to = &drawer->target;
    drawer->place = (Place){
        from->y + (to->y - from->y) * share, MAX(0, from->height + (to->height - from->height) * share),
        from->alpha + (to->alpha - from->alpha) * share, to->hidden && share >= 1, to->z_index};
  }
  draw(self, self->moved * (1 - share));
  return G_SOURCE_CONTINUE;
}

/* ── The connection ───────────────────────────────────────────────────────────────────────────────────────────────── */

static void set_connected(HeaderedScrolledWindow *self, gboolean is_connected) {
  if (self->is_connected == is_connected) return;
  self->is_connected = is_connected;
  g_object_notify_by_pspec(G_OBJECT(self), properties[CONNECTED]);
}

static void disconnect(HeaderedScrolledWindow *self) {
  g_clear_handle_id(&self->source, g_source_remove);
  self->is_publishing = FALSE;
  /* In the middle of a call the client stays until that is over. */
  self->is_lost = self->calls > 0;
  if (!self->calls) g_clear_pointer(&self->client, headerd_free);
  set_connected(self, FALSE);
}

static void lose(HeaderedScrolledWindow *self) {
  disconnect(self);
  self->epoch = -1;
  follow_alone(self);
  if (!self->retry && !self->is_ended && !self->is_refused) connect_later(self, RETRY);
}

static void say(HeaderedScrolledWindow *self, const char *refusal) {
  g_warning("%s: %s", name_of(self), refusal);
  g_signal_emit(self, signals[FAILED], 0, refusal);
}

static void fail(HeaderedScrolledWindow *self, const headerd_error *error) {
  /* A behavior that cannot be brought to a place moves for no focus. */
  if (!error->name || !g_str_equal(error->name, "unsupported")) say(self, error->message);
}

static void receive(void *data, const headerd_message *message);

/* After a call of the client's. */
static void settle(HeaderedScrolledWindow *self, headerd_status status) {
  if (status == HEADERD_REFUSED) fail(self, headerd_last_error(self->client));
  if (status == HEADERD_LOST) self->is_lost = TRUE;
  if (self->is_lost && !self->calls) lose(self);
}

static gboolean readable(G_GNUC_UNUSED gint descriptor, G_GNUC_UNUSED GIOCondition condition, gpointer data) {
  HeaderedScrolledWindow *self = g_object_ref(data);
  if (self->client && !self->calls++) {
    headerd_status status = headerd_dispatch(self->client, receive, self);
    self->calls--;
    settle(self, status);
  } else if (self->client) {
    self->calls--;
  }
  g_object_unref(self);
  return G_SOURCE_CONTINUE;
}

static gboolean read_once(gpointer data) { return readable(0, 0, data), G_SOURCE_REMOVE; }

static headerd_status ask(HeaderedScrolledWindow *self, const char *method, GString *params, const char **result) {
  if (!self->client) return HEADERD_LOST;
  self->calls++;
  headerd_status status = result ? headerd_request(self->client, method, params->str, result, NULL)
                                 : headerd_notify(self->client, method, params->str);
  self->calls--;
  /* Messages that came meanwhile. */
  if (result) g_idle_add_full(G_PRIORITY_HIGH_IDLE, read_once, g_object_ref(self), g_object_unref);
  return status;
}

/* Sends an event that nobody waits for; `fields` are members of it, each with its comma. */
static void report(HeaderedScrolledWindow *self, const char *event, const char *fields) {
  if (!self->is_publishing) return;
  g_debug("%s: %s%s", name_of(self), event, fields);
  GString *params = g_string_new(NULL);
  add_text(params, "{\"header\":", name_of(self));
  add_text(params, ",\"event\":", event);
  add_number(params, ",\"time\":", now());
  g_string_append_printf(params, "%s}", fields);
  settle(self, ask(self, "event", params, NULL));
  g_string_free(params, TRUE);
}

static void add_surroundings(HeaderedScrolledWindow *self, GString *json) {
  g_string_append_printf(json, "\"reduceMotion\":%s,\"screenScale\":%d", is_reduced() ? "true" : "false",
                         gtk_widget_get_scale_factor(GTK_WIDGET(self)));
}

static char *heights_of(HeaderedScrolledWindow *self, gboolean is_described) {
  GString *json = g_string_new("[");
  int width = gtk_widget_get_width(GTK_WIDGET(self));
  for (GList *one = self->drawers; one; one = one->next) {
    HeaderedDrawer *drawer = one->data;
    const char *more = is_described ? drawer->description : NULL;
    double height = natural_height(drawer, width);
    add_text(json, one == self->drawers ? "{\"name\":" : ",{\"name\":", drawer->name);
    if (!has(more, "height")) add_number(json, ",\"height\":", height);
    if (!has(more, "maximumHeight")) add_number(json, ",\"maximumHeight\":", height);
    if (is_described && g_hash_table_size(drawer->elements) && !has(more, "elements")) {
      GHashTableIter iterator;
      gpointer name;
      const char *before = ",\"elements\":[{\"name\":";
      for (g_hash_table_iter_init(&iterator, drawer->elements); g_hash_table_iter_next(&iterator, &name, NULL);
           before = ",{\"name\":") {
        add_text(json, before, name);
        add_number(json, ",\"frame\":{\"x\":0,\"y\":0,\"width\":", width);
        add_number(json, ",\"height\":", height);
        g_string_append(json, "}}");
      }
      g_string_append_c(json, ']');
    }
    add_members(json, more);
    g_string_append_c(json, '}');
  }
  return g_string_free(g_string_append_c(json, ']'), FALSE);
}

static char *size_of(double width, double height) {
  GString *json = g_string_new(NULL);
  add_number(json, "{\"width\":", width);
  add_number(json, ",\"height\":", height);
  return g_string_free(g_string_append_c(json, '}'), FALSE);
}

/* Sizes that have changed since they were told; `is_all`: all of them, and the surroundings. */
static void tell_layout(HeaderedScrolledWindow *self, gboolean is_all) {
  GtkWidget *widget = GTK_WIDGET(self);
  if (!self->is_publishing && !self->view.mirrors) return;
  double width = gtk_widget_get_width(widget);
  char *told[3] = {size_of(width, gtk_widget_get_height(widget)),
                   size_of(width, gtk_adjustment_get_upper(self->content->inner)), heights_of(self, FALSE)};
  char **known[3] = {&self->viewport, &self->size, &self->heights};
  static const char *const names[3] = {"viewport", "contentSize", "drawers"};
  GString *fields = g_string_new(NULL);
  if (is_all) add_surroundings(self, g_string_append_c(fields, ','));
  for (int index = 0; index < 3; index++) {
    if (is_all ? index < 2 : *known[index] && !g_str_equal(*known[index], told[index]))
      g_string_append_printf(fields, ",\"%s\":%s", names[index], told[index]);
    g_free(*known[index]);
    *known[index] = told[index];
  }
  /* There may be room now where the content of a mirror is to be shown. */
  if (fields->len && self->view.mirrors) g_idle_add_full(G_PRIORITY_HIGH_IDLE, show_again, g_object_ref(self), g_object_unref);
  if (fields->len) report(self, "layout", fields->str);
  g_string_free(fields, TRUE);
}

static void window_tell_layout(HeaderedScrolledWindow *self) { tell_layout(self, FALSE); }

/* Without a connection the header goes with the content, as any part of an app does. */
static void follow_alone(HeaderedScrolledWindow *self) {
  if (self->is_connected || !self->scrolled) return;
  double y = 0, place = content_place(self->content);
  for (GList *one = self->drawers; one; one = one->next) {
    HeaderedDrawer *drawer = one->data;
    double height = natural_height(drawer, gtk_widget_get_width(GTK_WIDGET(self)));
    drawer->place = drawer->target = (Place){y - place, height, 1, FALSE, 0};
    drawer->is_placed = TRUE;
    y += height;
  }
  stop_animation(self);
  put(self, place, MAX(self->content->room, y), TRUE);
  draw(self, 0);
}

static char *describe(HeaderedScrolledWindow *self) {
  GString *json = g_string_new(NULL);
  const char *more = self->description;
  gboolean is_shared = self->header != NULL;
  GtkWidget *widget = GTK_WIDGET(self);
  double width = is_shared ? 375 : gtk_widget_get_width(widget), height = is_shared ? 667 : gtk_widget_get_height(widget);
  /* A header that several windows have is described without their sizes: each tells its own by an event. */
  double size = is_shared ? 4000 : gtk_adjustment_get_upper(self->content->inner);
  add_text(json, "{\"header\":", name_of(self));
  if (!has(more, "drawers")) {
    char *drawers = heights_of(self, TRUE);
    g_string_append_printf(json, ",\"drawers\":%s", drawers);
    g_free(drawers);
  }
  if (!has(more, "delegates")) {
    add_text(json, ",\"delegates\":[{\"behavior\":", self->behavior);
    g_string_append(json, "}]");
  }
  if (!has(more, "environment") && !is_shared) {
    add_surroundings(self, g_string_append(json, ",\"environment\":{"));
    g_string_append_c(json, '}');
  }
  if (!has(more, "layoutDirection"))
    add_text(json, ",\"layoutDirection\":",
             gtk_widget_get_direction(widget) == GTK_TEXT_DIR_RTL ? "rightToLeft" : "leftToRight");
  if (!has(more, "lifetime")) add_text(json, ",\"lifetime\":", is_shared ? "daemon" : "connection");
  if (!has(more, "scrollViews")) {
    char *viewport = size_of(width, height), *content = size_of(width, size);
    g_string_append_printf(json, ",\"scrollViews\":{\"" CONTENT "\":{\"viewport\":%s,\"contentSize\":%s", viewport, content);
    int inset = self->drawers ? natural_height(self->drawers->data, gtk_widget_get_width(widget)) : 0;
    add_number(json, ",\"contentInset\":{\"top\":", inset);
    if (content_place(self->content) > 0 && !is_shared) add_number(json, "},\"offset\":{\"y\":", offset_of(self));
    g_string_append(json, "}}}");
    g_free(viewport);
    g_free(content);
  }
  add_members(json, more);
  return g_string_free(g_string_append_c(json, '}'), FALSE);
}

/* Connects, opens, subscribes; tries again later if nobody listens, or if what is refused may be granted then. */
static gboolean connect_now(gpointer data) {
  HeaderedScrolledWindow *self = data;
  headerd_opened opened = {0};
  self->retry = 0;
  headerd_status status = headerd_connect_within(self->socket, "headerd for gtk", PATIENCE, &self->client);
  if (status == HEADERD_OK && publishes(self)) {
    char *description = describe(self);
    g_clear_pointer(&self->viewport, g_free);
    g_clear_pointer(&self->size, g_free);
    g_clear_pointer(&self->heights, g_free);
    status = headerd_open(self->client, description, &opened);
    g_free(description);
  }
  if (status == HEADERD_OK) {
    GString *params = g_string_new(NULL);
    add_text(params, "{\"mode\":\"every\",\"headers\":", name_of(self));
    if (self->view.mirrors) g_string_append(params, ",\"include\":[\"contentOffset\"]");
    else if (self->mode == HEADERED_MODE_BOTH) g_string_append(params, ",\"predict\":true");
    /* Who scrolls the content draws the header against it, and knows its place exactly. */
    if (self->grid > 0 && !publishes(self)) {
      char unit[G_ASCII_DTOSTR_BUF_SIZE];
      g_string_append_printf(params, ",\"grid\":%s", g_ascii_dtostr(unit, sizeof unit, self->grid));
    }
    status = headerd_subscribe(self->client, g_string_append_c(params, '}')->str, NULL);
    g_string_free(params, TRUE);
  }
  if (status == HEADERD_REFUSED) {
    /* A header of this name that is described otherwise, above all: it is not drawn as if it were this one. */
    const headerd_error *error = headerd_last_error(self->client);
    gboolean is_known = g_strcmp0(error->message, self->refusal) == 0;
    self->is_refused = error->name && g_strv_contains(LASTING, error->name);
    g_free(self->refusal);
    self->refusal = g_strdup(error->message);
    lose(self);
    if (!is_known) say(self, self->refusal);
  } else if (status != HEADERD_OK) {
    lose(self);
  } else {
    g_clear_pointer(&self->refusal, g_free);
    self->handle = opened.handle;
    self->source = g_unix_fd_add(headerd_fd(self->client), G_IO_IN, readable, self);
    set_connected(self, TRUE);
    readable(0, 0, self);
  }
  return G_SOURCE_REMOVE;
}

/* What ends this turn comes before the next frame. */
static void connect_later(HeaderedScrolledWindow *self, guint delay) {
  self->retry = g_timeout_add_full(delay ? G_PRIORITY_DEFAULT : G_PRIORITY_HIGH_IDLE, delay, connect_now, self, NULL);
}

static void begin(HeaderedScrolledWindow *self) {
  self->is_ended = FALSE;
  if (!self->client && !self->retry && !self->is_refused) connect_later(self, 0);
}

static void end(HeaderedScrolledWindow *self) {
  self->is_ended = TRUE;
  self->is_refused = FALSE;
  g_clear_pointer(&self->refusal, g_free);
  g_clear_handle_id(&self->rest, g_source_remove);
  stop_animation(self);
  disconnect(self);
  g_clear_handle_id(&self->retry, g_source_remove);
}

/* ── States ───────────────────────────────────────────────────────────────────────────────────────────────────────── */

static Place place_of(const headerd_drawer *drawer) {
  return (Place){drawer->frame.y, drawer->frame.height, drawer->alpha, drawer->hidden, drawer->z_index};
}

/* The last state as it goes on to where the content is by now, if the daemon is behind; else NULL. */
static const headerd_state *going_on(HeaderedScrolledWindow *self) {
  headerd_applied *wanted = headerd_view_find(&self->view, CONTENT);
  gboolean is_behind = self->client && headerd_is_behind(self->client);
  return wanted && is_behind ? headerd_view_at(&self->view, wanted->offset.y, self->gesture != MOVING) : NULL;
}

/* Draws a state, which the view has applied. The message is gone with the first call of the client's. */
static void show(HeaderedScrolledWindow *self, const headerd_state *state) {
  HeaderedContent *content = self->content;
  gboolean is_first = state->epoch != self->epoch, is_other = FALSE;
  double before = offset_of(self);
  self->epoch = state->epoch;
  headerd_applied *wanted = headerd_view_find(&self->view, CONTENT);
  if (wanted) {
    double room = is_first ? wanted->inset.top : MAX(content->room, wanted->inset.top);
    gboolean is_at_top = is_first && content_place(content) <= 0 && !self->view.mirrors;
    double offset = is_at_top ? -wanted->inset.top : wanted->offset.y;
    put_beside_gesture(self, offset + room, room);
  }
  const headerd_state *ahead = going_on(self), *drawn = ahead ? ahead : state;
  for (size_t index = 0; index < drawn->drawer_count; index++) {
    HeaderedDrawer *drawer = find_drawer(self, drawn->drawers[index].name);
    if (!drawer) continue;
    Place target = place_of(&drawn->drawers[index]), known = drawer->target;
    is_other |= known.y != target.y || known.height != target.height || known.alpha != target.alpha || known.hidden != target.hidden ||
                known.z_index != target.z_index;
    drawer->source = drawer->place;
    drawer->target = target;
    drawer->is_placed = TRUE;
  }
  double moved = offset_of(self) - before;
  if (state->animation && !is_first && !is_reduced()) {
    stop_animation(self);
    self->animation = *state->animation;
    self->began = now();
    self->moved = moved;
    self->tick = gtk_widget_add_tick_callback(GTK_WIDGET(self), animate, NULL, NULL);
    draw(self, moved);
  } else if (!self->tick || moved != 0 || is_other) {
    /* An animation goes on as long as it leads to the same end. */
    draw_targets(self);
  }
  for (size_t index = 0; index < state->element_count; index++) {
    const headerd_element *element = &state->elements[index];
    for (GList *one = self->drawers; one; one = one->next) {
      GtkWidget *widget = g_hash_table_lookup(HEADERED_DRAWER(one->data)->elements, element->name);
      if (widget) gtk_widget_set_opacity(widget, element->hidden ? 0 : element->alpha);
    }
  }
  g_signal_emit(self, signals[STATE], 0, state);
  if (is_first && publishes(self)) {
    self->is_publishing = TRUE;
    if (self->header) tell_layout(self, TRUE);
    tell_layout(self, FALSE);
  }
  wanted = headerd_view_find(&self->view, CONTENT);
  if (moved != 0 && wanted && self->is_publishing && now() - self->touched < TOUCHED) {
    wanted->offset.y = offset_of(self);
    headerd_event event = headerd_did_scroll(wanted, now());
    event.json = "{\"reason\":\"user\"}";
    settle(self, headerd_send_event(self->client, self->handle, &event));
  }
}

static void receive(void *data, const headerd_message *message) {
  HeaderedScrolledWindow *self = data;
  if (self->is_lost) return;
  if (message->kind == HEADERD_STATE) {
    sync_view(self);
    if (headerd_view_apply(&self->view, &message->state) == HEADERD_OK) show(self, &message->state);
  } else if (message->kind == HEADERD_FAILURE) {
    fail(self, &message->error);
  } else if (message->kind == HEADERD_CLOSED) {
    self->is_lost = TRUE;
  }
}

/* Draws the drawers where they will be: the daemon is late. */
static void draw_ahead(HeaderedScrolledWindow *self) {
  const headerd_state *ahead = self->tick ? NULL : going_on(self);
  for (size_t index = 0; ahead && index < ahead->drawer_count; index++) {
    HeaderedDrawer *drawer = find_drawer(self, ahead->drawers[index].name);
    if (drawer) drawer->place = place_of(&ahead->drawers[index]);
  }
  if (ahead) draw(self, 0);
}

/* ── What a person does, as the events that UIKit has for it ──────────────────────────────────────────────────────── */

static double velocity_of(HeaderedScrolledWindow *self) {
  double time = now() - (double)self->sampled / G_USEC_PER_SEC;
  const graphene_point_t *samples = (const graphene_point_t *)self->samples->data, *first = NULL, *last = NULL;
  for (guint index = 0; index < self->samples->len; index++) {
    if (samples[index].x <= time - SPAN) continue;
    if (!first) first = &samples[index];
    last = &samples[index];
  }
  return first && last->x > first->x ? (last->y - first->y) / (last->x - first->x) / 1000 : 0;
}

static void end_drag(HeaderedScrolledWindow *self, double velocity, gboolean will_decelerate) {
  GString *fields = g_string_new(NULL);
  add_number(fields, ",\"velocity\":{\"x\":0,\"y\":", velocity);
  report(self, "willEndDragging", g_string_append_c(fields, '}')->str);
  report(self, "didEndDragging", will_decelerate ? ",\"willDecelerate\":true" : ",\"willDecelerate\":false");
  g_string_free(fields, TRUE);
}

/* No gesture of the scrolled window counts by itself any more. */
static void rested(HeaderedScrolledWindow *self) {
  if (self->scrolled) put_beside_gesture(self, content_place(self->content), self->content->room);
}

static void end_gesture(HeaderedScrolledWindow *self) {
  Gesture gesture = self->gesture;
  g_clear_handle_id(&self->rest, g_source_remove);
  self->gesture = IDLE;
  g_array_set_size(self->samples, 0);
  if (gesture == DECELERATING) report(self, "didEndDecelerating", "");
  else if (gesture == MOVING) report(self, "didEndScrollingAnimation", "");
  else if (gesture == WHEELING) end_drag(self, 0, FALSE);
  if (gesture != IDLE) rested(self);
}

static gboolean has_rested(gpointer data) {
  HEADERED_SCROLLED_WINDOW(data)->rest = 0;
  end_gesture(data);
  return G_SOURCE_REMOVE;
}

static void await_rest(HeaderedScrolledWindow *self) {
  g_clear_handle_id(&self->rest, g_source_remove);
  self->rest = g_timeout_add((guint)(REST * 1000), has_rested, self);
}

/* Fingers come down: they stop what was going on by itself. */
static void touch(HeaderedScrolledWindow *self) {
  self->fingers = TRUE;
  end_gesture(self);
}

/* The last finger goes. */
static void lift(HeaderedScrolledWindow *self) {
  self->fingers = FALSE;
  if (self->gesture != DRAGGING) return;
  double velocity = velocity_of(self);
  gboolean will_decelerate = fabs(velocity) >= FLING;
  end_drag(self, velocity, will_decelerate);
  self->gesture = IDLE;
  if (will_decelerate) {
    report(self, "willBeginDecelerating", "");
    self->gesture = DECELERATING;
    await_rest(self);
  } else {
    rested(self);
  }
}

/* The content has moved, not by the header. Returns the reason. */
static const char *reason_of(HeaderedScrolledWindow *self, double place) {
  gboolean is_hand = self->fingers || now() - self->wheeled < CAUSE;
  if (!self->samples->len) self->sampled = g_get_monotonic_time();
  graphene_point_t sample = {(float)(now() - (double)self->sampled / G_USEC_PER_SEC), (float)place};
  g_array_append_val(self->samples, sample);
  if (self->samples->len > 256) g_array_remove_range(self->samples, 0, 128);
  if (is_hand && (self->gesture == MOVING || self->gesture == DECELERATING)) {
    /* A hand ends what was going on by itself. */
    report(self, self->gesture == MOVING ? "didEndScrollingAnimation" : "didEndDecelerating", "");
    self->gesture = IDLE;
  }
  if (self->gesture == IDLE) {
    self->gesture = self->fingers ? DRAGGING : is_hand ? WHEELING : MOVING;
    if (is_hand) report(self, "willBeginDragging", "");
  }
  if (!self->fingers) await_rest(self);
  return self->gesture != MOVING ? "user" : now() - self->typed < CAUSE ? "keyboard" : "program";
}

/* The content has moved; the reason is told by what a person did before, if it is not given. */
static void scrolled_by(HeaderedScrolledWindow *self, const char *reason) {
  headerd_applied *known = headerd_view_find(&self->view, CONTENT);
  double offset = offset_of(self);
  if (self->is_publishing && known && known->offset.y == offset) return;
  if (!reason) reason = reason_of(self, content_place(self->content));
  self->touched = now();
  if (!self->is_publishing || !known || self->calls) {
    sync_view(self);
    follow_alone(self);
    return;
  }
  known->offset.y = offset;
  headerd_event event = headerd_did_scroll(known, now());
  char *json = g_strdup_printf("{\"reason\":\"%s\"}", reason), name[sizeof known->name];
  event.json = json;
  event.scroll_view = memcpy(name, known->name, sizeof name);
  g_object_ref(self);
  self->calls++;
  headerd_status status = headerd_scroll(self->client, self->handle, &event, (int)MAX(1, self->within * 1000), receive, self);
  self->calls--;
  g_free(json);
  draw_ahead(self);
  settle(self, status);
  g_object_unref(self);
}

/* The scrolled window has moved the content. */
static void adjusted(HeaderedScrolledWindow *self, GtkAdjustment *adjustment) {
  if (self->is_placing) return;
  /* The range ends where the header's own moves would go beyond it. */
  self->content->shift = content_place(self->content) - gtk_adjustment_get_value(adjustment);
  content_follow(self->content);
  scrolled_by(self, NULL);
}

/* The content has moved by itself: by the focus, by scroll_to, or because rows above turned out to be higher. */
static void window_child_moved(HeaderedScrolledWindow *self, double value) {
  HeaderedContent *content = self->content;
  if (value <= 0 && content_place(content) <= content->room) return;
  put(self, content->room + value, content->room, FALSE);
  scrolled_by(self, content->is_allocating ? "content" : NULL);
}

static gboolean is_touchpad(GtkEventController *controller) {
  GdkDevice *device = gtk_event_controller_get_current_event_device(controller);
  return device && gdk_device_get_source(device) == GDK_SOURCE_TOUCHPAD;
}

static void wheel_begins(HeaderedScrolledWindow *self, GtkEventController *wheel) {
  if (is_touchpad(wheel)) touch(self);
}

static gboolean wheel_turns(GtkEventController *wheel, double x, double y, HeaderedScrolledWindow *self) {
  (void)x, (void)y;
  if (!is_touchpad(wheel)) self->wheeled = now();
  return GDK_EVENT_PROPAGATE;
}

static gboolean key_pressed(HeaderedScrolledWindow *self) {
  self->typed = now();
  return GDK_EVENT_PROPAGATE;
}

/* The widget with the focus is never left behind the header. Lists scroll to it in their next layout: after that. */
static gboolean look(GtkWidget *widget, G_GNUC_UNUSED GdkFrameClock *clock, G_GNUC_UNUSED gpointer data) {
  HeaderedScrolledWindow *self = HEADERED_SCROLLED_WINDOW(widget);
  GtkRoot *root = gtk_widget_get_root(widget);
  GtkWidget *focused = root ? gtk_root_get_focus(root) : NULL;
  if (!focused || !gtk_widget_is_ancestor(focused, widget) || now() - self->typed > TOUCHED) return G_SOURCE_REMOVE;
  /* A row that the list lays out when it has scrolled there. */
  if (!gtk_widget_get_height(focused)) return G_SOURCE_CONTINUE;
  GtkWidget *drawer = gtk_widget_get_ancestor(focused, drawer_get_type());
  if (drawer && HEADERED_DRAWER(drawer)->place.y < 0) {
    GString *params = g_string_new(NULL);
    add_text(params, "{\"to\":\"expanded\",\"header\":", name_of(self));
    g_string_append_printf(params, ",\"animated\":%s}", is_reduced() ? "false" : "true");
    settle(self, ask(self, "header.move", params, NULL));
    g_string_free(params, TRUE);
  } else if (!drawer) {
    headered_scrolled_window_reveal(self, focused);
  }
  return G_SOURCE_REMOVE;
}

static void focus_moved(HeaderedScrolledWindow *self) { gtk_widget_add_tick_callback(GTK_WIDGET(self), look, NULL, NULL); }

static void focus_leaves(HeaderedScrolledWindow *self) {
  if (self->focus_root) g_signal_handlers_disconnect_by_func(self->focus_root, focus_moved, self);
  g_clear_weak_pointer(&self->focus_root);
}

static void focus_enters(HeaderedScrolledWindow *self) {
  focus_leaves(self);
  g_set_weak_pointer(&self->focus_root, gtk_widget_get_root(GTK_WIDGET(self)));
  if (!self->focus_root) return;
  g_signal_connect_object(self->focus_root, "notify::focus-widget", G_CALLBACK(focus_moved), self, G_CONNECT_SWAPPED);
  focus_moved(self);
}

static void animations_switched(HeaderedScrolledWindow *self) {
  report(self, "layout", is_reduced() ? ",\"reduceMotion\":true" : ",\"reduceMotion\":false");
}

static GtkEventController *listen(GtkWidget *widget, GtkEventController *controller) {
  gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE);
  gtk_widget_add_controller(widget, controller);
  return controller;
}

static void listen_to_all(HeaderedScrolledWindow *self) {
  GListModel *controllers = gtk_widget_observe_controllers(self->scrolled);
  /* The scrolled window's own gesture says when fingers come and go: another one would end when it begins to scroll. */
  for (guint index = 0; index < g_list_model_get_n_items(controllers); index++) {
    GtkGesture *drag = g_list_model_get_item(controllers, index);
    if (GTK_IS_GESTURE_DRAG(drag) && gtk_gesture_single_get_touch_only(GTK_GESTURE_SINGLE(drag))) {
      g_signal_connect_swapped(drag, "drag-begin", G_CALLBACK(touch), self);
      g_signal_connect_swapped(drag, "drag-end", G_CALLBACK(lift), self);
      g_signal_connect_swapped(drag, "cancel", G_CALLBACK(lift), self);
    }
    g_object_unref(drag);
  }
  g_object_unref(controllers);
  GtkEventController *wheel = listen(self->scrolled, gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES));
  g_signal_connect_swapped(wheel, "scroll-begin", G_CALLBACK(wheel_begins), self);
  g_signal_connect(wheel, "scroll", G_CALLBACK(wheel_turns), self);
  g_signal_connect_swapped(wheel, "scroll-end", G_CALLBACK(lift), self);
  GtkEventController *keys = listen(GTK_WIDGET(self), gtk_event_controller_key_new());
  g_signal_connect_swapped(keys, "key-pressed", G_CALLBACK(key_pressed), self);
  GtkEventController *focus = gtk_event_controller_focus_new();
  g_signal_connect_swapped(focus, "enter", G_CALLBACK(focus_enters), self);
  g_signal_connect_swapped(focus, "leave", G_CALLBACK(focus_leaves), self);
  gtk_widget_add_controller(GTK_WIDGET(self), focus);
  g_signal_connect_object(gtk_settings_get_default(), "notify::gtk-enable-animations", G_CALLBACK(animations_switched), self,
                          G_CONNECT_SWAPPED);
}

/* ── The class ────────────────────────────────────────────────────────────────────────────────────────────────────── */

static GtkSizeRequestMode window_mode(G_GNUC_UNUSED GtkWidget *widget) { return GTK_SIZE_REQUEST_CONSTANT_SIZE; }

static void window_measure(
    GtkWidget *widget, GtkOrientation orientation, G_GNUC_UNUSED int size, int *minimum, int *natural,
    G_GNUC_UNUSED int *first, G_GNUC_UNUSED int *second) {
  HeaderedScrolledWindow *self = HEADERED_SCROLLED_WINDOW(widget);
  gtk_widget_measure(self->scrolled, orientation, -1, minimum, natural, NULL, NULL);
  for (GList *one = self->drawers; one; one = one->next) {
    int least, wanted;
    gtk_widget_measure(one->data, orientation, -1, &least, &wanted, NULL, NULL);
    *minimum = MAX(*minimum, least);
    *natural = MAX(*natural, wanted);
  }
}

static void window_allocate(GtkWidget *widget, int width, int height, G_GNUC_UNUSED int baseline) {
  HeaderedScrolledWindow *self = HEADERED_SCROLLED_WINDOW(widget);
  self->is_allocating = TRUE;
  follow_alone(self);
  gtk_widget_allocate(self->scrolled, width, height, -1, NULL);
  self->is_allocating = FALSE;
  begin(self);
  tell_layout(self, FALSE);
  for (GList *one = self->drawers; one; one = one->next) {
    HeaderedDrawer *drawer = one->data;
    if (!drawer->is_placed || !gtk_widget_get_child_visible(one->data)) continue;
    int top = whole(drawer->place.y), bottom = whole(drawer->place.y + drawer->place.height);
    gtk_widget_allocate(one->data, width, bottom - top, -1, down(top));
  }
}

static void window_unmap(GtkWidget *widget) {
  end(HEADERED_SCROLLED_WINDOW(widget));
  GTK_WIDGET_CLASS(headered_scrolled_window_parent_class)->unmap(widget);
}

static void window_set(GObject *object, guint property, const GValue *value, G_GNUC_UNUSED GParamSpec *spec) {
  HeaderedScrolledWindow *self = HEADERED_SCROLLED_WINDOW(object);
  char **texts[] = {[HEADER] = &self->header, [BEHAVIOR] = &self->behavior, [DESCRIPTION] = &self->description, [SOCKET] = &self->socket};
  if (property == CHILD) {
    if (g_value_get_object(value)) content_set_child(self->content, g_value_get_object(value));
  } else if (property == MODE) {
    self->mode = g_value_get_enum(value);
    self->view.mirrors = self->mode == HEADERED_MODE_MIRROR;
  } else if (property == WITHIN) {
    self->within = g_value_get_double(value);
  } else if (property == GRID) {
    self->grid = g_value_get_double(value);
  } else {
    g_free(*texts[property]);
    *texts[property] = g_value_dup_string(value);
  }
}

static void window_get(GObject *object, guint property, GValue *value, G_GNUC_UNUSED GParamSpec *spec) {
  HeaderedScrolledWindow *self = HEADERED_SCROLLED_WINDOW(object);
  const char *texts[] = {[HEADER] = name_of(self), [BEHAVIOR] = self->behavior, [DESCRIPTION] = self->description, [SOCKET] = self->socket};
  if (property == CHILD) g_value_set_object(value, self->content->child);
  else if (property == MODE) g_value_set_enum(value, self->mode);
  else if (property == WITHIN) g_value_set_double(value, self->within);
  else if (property == GRID) g_value_set_double(value, self->grid);
  else if (property == CONNECTED) g_value_set_boolean(value, self->is_connected);
  else g_value_set_string(value, texts[property]);
}

static void window_dispose(GObject *object) {
  HeaderedScrolledWindow *self = HEADERED_SCROLLED_WINDOW(object);
  end(self);
  focus_leaves(self);
  self->content->window = NULL;
  for (GList *one = self->drawers; one; one = one->next) gtk_widget_unparent(one->data);
  g_clear_pointer(&self->drawers, g_list_free);
  g_clear_pointer(&self->scrolled, gtk_widget_unparent);
  G_OBJECT_CLASS(headered_scrolled_window_parent_class)->dispose(object);
}

static void window_finalize(GObject *object) {
  HeaderedScrolledWindow *self = HEADERED_SCROLLED_WINDOW(object);
  char *texts[] = {self->header, self->own_header, self->behavior, self->description, self->socket, self->viewport, self->size, self->heights};
  for (size_t index = 0; index < G_N_ELEMENTS(texts); index++) g_free(texts[index]);
  g_object_unref(self->content);
  g_array_unref(self->samples);
  headerd_view_free(&self->view);
  G_OBJECT_CLASS(headered_scrolled_window_parent_class)->finalize(object);
}

static void headered_scrolled_window_class_init(HeaderedScrolledWindowClass *class) {
  GObjectClass *object = G_OBJECT_CLASS(class);
  GtkWidgetClass *widget = GTK_WIDGET_CLASS(class);
  object->set_property = window_set;
  object->get_property = window_get;
  object->dispose = window_dispose;
  object->finalize = window_finalize;
  widget->get_request_mode = window_mode;
  widget->measure = window_measure;
  widget->size_allocate = window_allocate;
  widget->unmap = window_unmap;
  GParamFlags once = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;
  properties[CHILD] = g_param_spec_object("child", NULL, "The content", GTK_TYPE_WIDGET, once);
  properties[HEADER] = g_param_spec_string("header", NULL, "The header's name; NULL: one of its own", NULL, once);
  properties[BEHAVIOR] = g_param_spec_string("behavior", NULL, "The header's behavior", "ShyNavBar", once);
  properties[DESCRIPTION] = g_param_spec_string("description", NULL, "More members of header.open, as a JSON object", NULL, once);
  properties[MODE] = g_param_spec_enum("mode", NULL, "Publisher, renderer, both or mirror", HEADERED_TYPE_MODE, HEADERED_MODE_BOTH, once);
  properties[WITHIN] = g_param_spec_double("within", NULL, "Seconds that a frame waits for the daemon", 0, 60, 0.004, once);
  properties[GRID] = g_param_spec_double("grid", NULL, "Points of which lengths are multiples for renderers and mirrors; 0: they are exact", 0, 16,
                                         1.0 / 16, once);
  properties[SOCKET] = g_param_spec_string("socket", NULL, "Where the daemon listens; NULL: headerctl's", NULL, once);
  properties[CONNECTED] =
      g_param_spec_boolean("connected", NULL, "Whether there is a daemon", FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties(object, PROPERTIES, properties);
  /**
   * HeaderedScrolledWindow::state:
   * @self: the window
   * @state: a `const headerd_state *`, which has been applied; valid during the call
   */
  signals[STATE] = g_signal_new("state", HEADERED_TYPE_SCROLLED_WINDOW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
  /**
   * HeaderedScrolledWindow::failed:
   * @self: the window
   * @text: what the daemon refused, which is logged, too
   */
  signals[FAILED] = g_signal_new("failed", HEADERED_TYPE_SCROLLED_WINDOW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void headered_scrolled_window_init(HeaderedScrolledWindow *self) {
  static int number;
  gtk_widget_set_overflow(GTK_WIDGET(self), GTK_OVERFLOW_HIDDEN);
  self->own_header = g_strdup_printf("gtk-c-%d-%d", (int)getpid(), ++number);
  self->epoch = -1;
  self->touched = self->typed = self->wheeled = -INFINITY;
  self->samples = g_array_new(FALSE, FALSE, sizeof(graphene_point_t));
  self->content = g_object_ref_sink(g_object_new(content_get_type(), NULL));
  self->content->window = self;
  self->scrolled = gtk_scrolled_window_new();
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(self->scrolled), GTK_WIDGET(self->content));
  gtk_widget_set_parent(self->scrolled, GTK_WIDGET(self));
  g_signal_connect_object(adjustment_of(self), "value-changed", G_CALLBACK(adjusted), self, G_CONNECT_SWAPPED);
  listen_to_all(self);
}

GtkWidget *headered_scrolled_window_new(GtkWidget *child) {
  return g_object_new(HEADERED_TYPE_SCROLLED_WINDOW, "child", child, NULL);
}

void headered_scrolled_window_add_drawer(
    HeaderedScrolledWindow *self, const char *name, GtkWidget *widget, const char *description) {
  HeaderedDrawer *drawer = g_object_new(drawer_get_type(), NULL);
  drawer->name = g_strdup(name);
  drawer->description = g_strdup(description);
  drawer->child = widget;
  gtk_widget_set_parent(widget, GTK_WIDGET(drawer));
  /* Earlier drawers lie over later ones. */
  gtk_widget_insert_after(GTK_WIDGET(drawer), GTK_WIDGET(self), self->scrolled);
  self->drawers = g_list_append(self->drawers, drawer);
}

void headered_scrolled_window_add_element(HeaderedScrolledWindow *self, const char *name, const char *element, GtkWidget *widget) {
  HeaderedDrawer *drawer = find_drawer(self, name);
  g_return_if_fail(drawer != NULL);
  g_hash_table_insert(drawer->elements, g_strdup(element), g_object_ref(widget));
}

void headered_scrolled_window_reveal(HeaderedScrolledWindow *self, GtkWidget *widget) {
  graphene_rect_t bounds;
  if (!gtk_widget_compute_bounds(widget, GTK_WIDGET(self), &bounds)) return;
  double missing = MIN(0, bounds.origin.y - covered(self));
  if (self->is_publishing) {
    GString *params = g_string_new(NULL);
    const char *result = NULL;
    size_t size;
    add_text(params, "{\"reason\":\"focus\",\"header\":", name_of(self));
    add_number(params, ",\"rect\":{\"x\":0,\"y\":", bounds.origin.y + offset_of(self));
    add_number(params, ",\"width\":", gtk_widget_get_width(GTK_WIDGET(self)));
    add_number(params, ",\"height\":", bounds.size.height);
    headerd_status status = ask(self, "header.reveal", g_string_append(params, "}}"), &result);
    const char *scroll = status == HEADERD_OK ? headerd_json_find(result, "scroll", &size) : NULL;
    if (scroll) missing = g_ascii_strtod(scroll, NULL);
    g_string_free(params, TRUE);
    settle(self, status);
  }
  if (missing != 0) gtk_adjustment_set_value(adjustment_of(self), gtk_adjustment_get_value(adjustment_of(self)) + missing);
}

gboolean headered_scrolled_window_get_place(HeaderedScrolledWindow *self, const char *name, double *y, double *height) {
  HeaderedDrawer *drawer = find_drawer(self, name);
  *y = drawer ? drawer->place.y : 0;
  *height = drawer ? drawer->place.height : 0;
  return drawer && gtk_widget_get_child_visible(GTK_WIDGET(drawer));
}

GtkScrolledWindow *headered_scrolled_window_get_scrolled_window(HeaderedScrolledWindow *self) {
  return GTK_SCROLLED_WINDOW(self->scrolled);
}
