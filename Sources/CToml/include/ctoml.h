// SPDX-License-Identifier: MIT
//
// The thinnest C door to toml++: bytes in, a tree with the line and column of every key and value out, flattened into bytes,
// so that nothing of toml++'s is pointed to from outside.
//
//     tree   = node | CTOML_ERROR position text
//     node   = type position content
//     content of a table: count, then for each of that many entries: text (its key), position (its key's), node
//                an array: count, then that many nodes
//                a text: text · an integer, a number: 8 bytes · a bool: 1 byte · a date: nothing
//     position = line, column (4 bytes each, from 1, columns in code points) · text = count, UTF-8 · count = 4 bytes
//
// Numbers are little-endian. toml++ keeps the keys of a table sorted by name; sort by position for the order of the file.
#ifndef CTOML_H
#define CTOML_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// What a node begins with, one byte.
enum {
  CTOML_TABLE = 0,
  CTOML_ARRAY = 1,
  CTOML_TEXT = 2,
  CTOML_INTEGER = 3,
  CTOML_NUMBER = 4,
  CTOML_BOOL = 5,
  CTOML_DATE = 6,  // a date, a time, or both: TOML knows four kinds, nobody here asks which
  CTOML_ERROR = 7,
};

// Parses `count` bytes into a tree as above, of `*length` bytes. To be freed. Null only when memory has run out.
uint8_t *ctoml_parse(const char *bytes, size_t count, size_t *length);

// Frees a tree.
void ctoml_free(uint8_t *tree);

#ifdef __cplusplus
}
#endif

#endif
