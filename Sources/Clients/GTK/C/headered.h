/* SPDX-License-Identifier: MIT
 *
 * headered.h: headers in GTK 4 that headerd moves, in C
 */
#ifndef HEADERED_H
#define HEADERED_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * HeaderedMode:
 * @HEADERED_MODE_BOTH: reports the scrolling, and draws the drawers
 * @HEADERED_MODE_PUBLISHER: reports the scrolling, and draws no drawer
 * @HEADERED_MODE_RENDERER: draws what others scroll, and reports nothing
 * @HEADERED_MODE_MIRROR: shows their content's place, too
 */
typedef enum { HEADERED_MODE_BOTH, HEADERED_MODE_PUBLISHER, HEADERED_MODE_RENDERER, HEADERED_MODE_MIRROR } HeaderedMode;
#define HEADERED_TYPE_MODE (headered_mode_get_type())
GType headered_mode_get_type(void);

/**
 * HeaderedScrolledWindow:
 *
 * Scrolls a child below and behind drawers, which are where the header's states say.
 */
#define HEADERED_TYPE_SCROLLED_WINDOW (headered_scrolled_window_get_type())
G_DECLARE_FINAL_TYPE(HeaderedScrolledWindow, headered_scrolled_window, HEADERED, SCROLLED_WINDOW, GtkWidget)

/**
 * headered_scrolled_window_new:
 * @child: the content: a list view, a text view, or any other widget
 */
GtkWidget *headered_scrolled_window_new(GtkWidget *child);

/**
 * headered_scrolled_window_add_drawer:
 * @name: of the drawer
 * @widget: its natural height is the drawer's
 * @description: (nullable): more of the drawer's description, a JSON object such as {"minimumHeight": 44}
 *
 * Adds a drawer below the last one, before the window is shown.
 */
void headered_scrolled_window_add_drawer(
    HeaderedScrolledWindow *self, const char *name, GtkWidget *widget, const char *description);

/**
 * headered_scrolled_window_add_element:
 * @drawer: the name of a drawer
 * @name: of the element, by which tracks of Keyframes name it
 * @widget: a widget in that drawer, which the header fades and hides
 */
void headered_scrolled_window_add_element(
    HeaderedScrolledWindow *self, const char *drawer, const char *name, GtkWidget *widget);

/**
 * headered_scrolled_window_reveal:
 * @widget: a widget of the content, which is to be seen: the header makes room, or the content scrolls
 */
void headered_scrolled_window_reveal(HeaderedScrolledWindow *self, GtkWidget *widget);

/**
 * headered_scrolled_window_get_place:
 * @drawer: the name of a drawer
 * @y: (out): where it begins in the window
 * @height: (out): its height
 *
 * Returns: whether there is such a drawer, and it is seen
 */
gboolean headered_scrolled_window_get_place(HeaderedScrolledWindow *self, const char *drawer, double *y, double *height);

/**
 * headered_scrolled_window_get_scrolled_window:
 *
 * Returns: (transfer none): the scrolled window inside, for its policies and its adjustment
 */
GtkScrolledWindow *headered_scrolled_window_get_scrolled_window(HeaderedScrolledWindow *self);

G_END_DECLS

#endif
