// SPDX-License-Identifier: MIT
//
// ctoml.h over toml++ 3.3. toml++ is used without exceptions of its own, so a syntax error comes back as a value; the
// one throw that is left, memory running out, is caught in `ctoml_parse`.

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "ctoml.h"

namespace {

/// Appends a tree to bytes.
struct Writer {
  std::string bytes;

  template <typename Plain>
  void plain(Plain value) {
    static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
    bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
  }

  void text(std::string_view view) {
    plain(static_cast<uint32_t>(view.size()));
    bytes.append(view);
  }

  void position(const toml::source_position &at) {
    plain(static_cast<uint32_t>(at.line));
    plain(static_cast<uint32_t>(at.column));
  }

  void begin(uint8_t type, const toml::source_position &at) {
    plain(type);
    position(at);
  }

  void node(const toml::node &node) {
    const auto &at = node.source().begin;
    if (const auto *table = node.as_table()) {
      begin(CTOML_TABLE, at);
      plain(static_cast<uint32_t>(table->size()));
      for (const auto &[key, value] : *table) {
        text(key.str());
        position(key.source().begin);
        this->node(value);
      }
    } else if (const auto *array = node.as_array()) {
      begin(CTOML_ARRAY, at);
      plain(static_cast<uint32_t>(array->size()));
      for (const auto &value : *array) this->node(value);
    } else if (const auto *string = node.as_string()) {
      begin(CTOML_TEXT, at);
      text(string->get());
    } else if (const auto *integer = node.as_integer()) {
      begin(CTOML_INTEGER, at);
      plain(integer->get());
    } else if (const auto *number = node.as_floating_point()) {
      begin(CTOML_NUMBER, at);
      plain(number->get());
    } else if (const auto *boolean = node.as_boolean()) {
      begin(CTOML_BOOL, at);
      plain(static_cast<uint8_t>(boolean->get()));
    } else {
      begin(CTOML_DATE, at);
    }
  }
};

}  // namespace

uint8_t *ctoml_parse(const char *bytes, size_t count, size_t *length) try {
  const auto result = toml::parse(std::string_view{bytes, count});
  Writer writer;
  if (result) {
    writer.node(result.table());
  } else {
    writer.begin(CTOML_ERROR, result.error().source().begin);
    writer.text(result.error().description());
  }
  auto *tree = static_cast<uint8_t *>(std::malloc(writer.bytes.size()));
  if (tree) std::memcpy(tree, writer.bytes.data(), writer.bytes.size());
  *length = writer.bytes.size();
  return tree;
} catch (...) {
  return nullptr;
}

void ctoml_free(uint8_t *tree) { std::free(tree); }
