/* SPDX-License-Identifier: MIT
 *
 * Rows below a bar and tabs, in GTK 4. headerd runs beside it.
 */
#include "headered.h"

static GtkWidget *label(const char *text, int height) {
  GtkWidget *label = gtk_label_new(text);
  gtk_widget_set_size_request(label, -1, height);
  gtk_widget_add_css_class(label, "background");
  return label;
}

static void activate(GtkApplication *app) {
  GtkWidget *rows = gtk_list_box_new(), *window = gtk_application_window_new(app);
  for (int number = 0; number < 100; number++) {
    char *text = g_strdup_printf("Row %d", number);
    gtk_list_box_append(GTK_LIST_BOX(rows), label(text, 44));
    g_free(text);
  }
  HeaderedScrolledWindow *scroller = HEADERED_SCROLLED_WINDOW(headered_scrolled_window_new(rows));
  headered_scrolled_window_add_drawer(scroller, "navBar", label("Rows", 44), NULL);
  headered_scrolled_window_add_drawer(scroller, "tabs", label("All  Some", 40), NULL);
  gtk_window_set_default_size(GTK_WINDOW(window), 360, 640);
  gtk_window_set_child(GTK_WINDOW(window), GTK_WIDGET(scroller));
  gtk_window_present(GTK_WINDOW(window));
}

int main(int count, char **words) {
  GtkApplication *app = gtk_application_new("org.headerd.Rows", G_APPLICATION_NON_UNIQUE);
  g_signal_connect(app, "activate", G_CALLBACK(activate), NULL);
  return g_application_run(G_APPLICATION(app), count, words);
}
