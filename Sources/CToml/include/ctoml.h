// SPDX-License-Identifier: MIT
//
// The thinnest C door to toml++: bytes in, a tree with the line and column of every key and value out.
//
// A document owns everything that is reached through it: its nodes, the texts of its strings and keys, the message of
// its error. All of these are valid until `ctoml_free`, which is called once, and nothing else here needs freeing.
// Nothing throws through this header. A document is read by one thread at a time.
//
//     document ─ root (a table) ─ children: key, node ─ children … ─ leaves: text, integer, number, bool, date
//
// toml++ keeps the keys of a table sorted by name; whoever wants the order of the file sorts by position.
// Lines and columns count from 1, columns in code points. Texts are UTF-8 with a length, and may contain zero bytes.
#ifndef CTOML_H
#define CTOML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ctoml_document ctoml_document;
typedef struct ctoml_node ctoml_node;

typedef struct {
  const char *bytes;
  size_t count;
} ctoml_text;

typedef struct {
  uint32_t line;
  uint32_t column;
} ctoml_position;

enum {
  CTOML_TABLE = 0,
  CTOML_ARRAY = 1,
  CTOML_TEXT = 2,
  CTOML_INTEGER = 3,
  CTOML_NUMBER = 4,
  CTOML_BOOL = 5,
  CTOML_DATE = 6,  // a date, a time, or both: TOML knows four kinds, nobody here asks which
};

// One child of a table or an array. Children of an array have an empty key, at the position of the node.
typedef struct {
  ctoml_text key;
  ctoml_position position;
  const ctoml_node *node;
} ctoml_child;

// Parses `count` bytes. The bytes are not needed afterwards. Null only when memory has run out.
ctoml_document *ctoml_parse(const char *bytes, size_t count);

// Frees a document and all that was reached through it. Null is allowed.
void ctoml_free(ctoml_document *document);

// The root table, or null if the bytes were not TOML: then the two functions below say why and where.
const ctoml_node *ctoml_root(const ctoml_document *document);
ctoml_text ctoml_error_message(const ctoml_document *document);
ctoml_position ctoml_error_position(const ctoml_document *document);

// One of the constants above, and where the node begins. A table that was only implied (`a` in `[a.b]`) begins where
// its key stands.
int32_t ctoml_type(const ctoml_node *node);
ctoml_position ctoml_node_position(const ctoml_node *node);

// The value of a leaf; empty, 0 or false if the node has another type.
ctoml_text ctoml_get_text(const ctoml_node *node);
int64_t ctoml_get_integer(const ctoml_node *node);
double ctoml_get_number(const ctoml_node *node);
bool ctoml_get_bool(const ctoml_node *node);

// How many children a table or an array has (0 for leaves), and all of them, written to room for that many.
size_t ctoml_child_count(const ctoml_node *node);
void ctoml_children(const ctoml_node *node, ctoml_child *room);

#ifdef __cplusplus
}
#endif

#endif
