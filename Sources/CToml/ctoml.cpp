// SPDX-License-Identifier: MIT
//
// ctoml.h over toml++ 3.3. toml++ is used without exceptions of its own, so a syntax error comes back as a value; the
// one throw that is left, memory running out, is caught in `ctoml_parse`. The other functions allocate nothing.
// A `ctoml_node` is a `toml::node` under another name: the casts below are the only place that knows.

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <new>

#include "ctoml.h"

struct ctoml_document {
  toml::parse_result result;
};

namespace {

const toml::node &unwrap(const ctoml_node *node) { return *reinterpret_cast<const toml::node *>(node); }
const ctoml_node *wrap(const toml::node &node) { return reinterpret_cast<const ctoml_node *>(&node); }
ctoml_position position(const toml::source_position &at) { return {at.line, at.column}; }
ctoml_text text(std::string_view view) { return {view.data(), view.size()}; }

}  // namespace

ctoml_document *ctoml_parse(const char *bytes, size_t count) try {
  return new ctoml_document{toml::parse(std::string_view{bytes, count})};
} catch (...) {
  return nullptr;
}

void ctoml_free(ctoml_document *document) { delete document; }

const ctoml_node *ctoml_root(const ctoml_document *document) {
  return document->result ? wrap(document->result.table()) : nullptr;
}

ctoml_text ctoml_error_message(const ctoml_document *document) {
  return document->result ? ctoml_text{} : text(document->result.error().description());
}

ctoml_position ctoml_error_position(const ctoml_document *document) {
  return document->result ? ctoml_position{} : position(document->result.error().source().begin);
}

int32_t ctoml_type(const ctoml_node *node) {
  switch (unwrap(node).type()) {
    case toml::node_type::table: return CTOML_TABLE;
    case toml::node_type::array: return CTOML_ARRAY;
    case toml::node_type::string: return CTOML_TEXT;
    case toml::node_type::integer: return CTOML_INTEGER;
    case toml::node_type::floating_point: return CTOML_NUMBER;
    case toml::node_type::boolean: return CTOML_BOOL;
    default: return CTOML_DATE;
  }
}

ctoml_position ctoml_node_position(const ctoml_node *node) { return position(unwrap(node).source().begin); }

ctoml_text ctoml_get_text(const ctoml_node *node) {
  const auto *value = unwrap(node).as_string();
  return value ? text(value->get()) : ctoml_text{};
}

int64_t ctoml_get_integer(const ctoml_node *node) {
  const auto *value = unwrap(node).as_integer();
  return value ? value->get() : 0;
}

double ctoml_get_number(const ctoml_node *node) {
  const auto *value = unwrap(node).as_floating_point();
  return value ? value->get() : 0;
}

bool ctoml_get_bool(const ctoml_node *node) {
  const auto *value = unwrap(node).as_boolean();
  return value && value->get();
}

size_t ctoml_child_count(const ctoml_node *node) {
  if (const auto *table = unwrap(node).as_table()) return table->size();
  if (const auto *array = unwrap(node).as_array()) return array->size();
  return 0;
}

void ctoml_children(const ctoml_node *node, ctoml_child *room) {
  if (const auto *table = unwrap(node).as_table()) {
    for (const auto &[key, value] : *table)
      *room++ = {text(key.str()), position(key.source().begin), wrap(value)};
  } else if (const auto *array = unwrap(node).as_array()) {
    for (const auto &value : *array)
      *room++ = {ctoml_text{}, position(value.source().begin), wrap(value)};
  }
}
