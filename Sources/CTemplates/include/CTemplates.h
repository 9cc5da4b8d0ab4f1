/* SPDX-License-Identifier: MIT
 *
 * The files that `headerctl plugin new` writes, built into the program: so they fit the headerd that they come with,
 * wherever it is installed. They are files of this repository, embedded by the compiler (templates.c), not copies.
 */
#ifndef CTEMPLATES_H
#define CTEMPLATES_H

#include <stdbool.h>
#include <stddef.h>

enum { TEMPLATE_SWIFT = 1, TEMPLATE_C = 2, TEMPLATE_RUST = 4 };

typedef struct template_file {
  int languages;        /* TEMPLATE_SWIFT | …: whose skeletons have it */
  const char *path;     /* within the skeleton's folder */
  bool is_template;     /* `Skeleton` stands for the plugin's name, in the path as well */
  const char *text;     /* UTF-8, not ended by NUL */
  size_t count;         /* bytes */
} template_file;

/* A file by its place, from 0; NULL after the last. Those of one path are parts of one file, in this order. */
const template_file *template_file_at(size_t place);

#endif
