// SPDX-License-Identifier: MIT
//
// Bytes of TOML → `LocatedValue`, through the C door to toml++. The only file that sees a C pointer: it copies the
// whole tree and frees toml++'s before it returns.
//
// toml++ sorts the keys of a table by name; here they go back into the order of the file.

import CToml

/// Why bytes are not TOML, and where.
struct SyntaxError: Error {
  var position: LocatedValue.Position
  var message: String
}

/// Parses a whole TOML file.
func parseTOML(_ bytes: Span<UInt8>) throws(SyntaxError) -> LocatedValue {
  let document = TOMLDocument(bytes)
  guard let root = unsafe ctoml_root(document.pointer) else {
    throw unsafe SyntaxError(
      position: LocatedValue.Position(ctoml_error_position(document.pointer)),
      message: sentence(String(ctoml_error_message(document.pointer))))
  }
  return unsafe located(root)
}

/// One parsed document; frees it, and with it all nodes, at the end of its life.
@safe private struct TOMLDocument: ~Copyable {
  let pointer: OpaquePointer

  init(_ bytes: Span<UInt8>) {
    let pointer = unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe buffer.withMemoryRebound(to: CChar.self) { unsafe ctoml_parse($0.baseAddress, $0.count) }
    }
    guard let pointer = unsafe pointer else { preconditionFailure("no memory left to parse a config file") }
    unsafe self.pointer = unsafe pointer
  }

  deinit { unsafe ctoml_free(pointer) }
}

/// A node and everything below it, copied.
private func located(_ node: OpaquePointer) -> LocatedValue {
  let content: LocatedValue.Content =
    switch unsafe Int(ctoml_type(node)) {
    case CTOML_TABLE:
      .table(
        unsafe children(of: node).map { unsafe LocatedValue.Entry($0) }.sorted { $0.position < $1.position })
    case CTOML_ARRAY: .list(unsafe children(of: node).map { unsafe located($0.node) })
    case CTOML_TEXT: .text(unsafe String(ctoml_get_text(node)))
    case CTOML_INTEGER: .integer(unsafe ctoml_get_integer(node))
    case CTOML_NUMBER: .number(unsafe ctoml_get_number(node))
    case CTOML_BOOL: .bool(unsafe ctoml_get_bool(node))
    default: .date
    }
  return unsafe LocatedValue(content, at: LocatedValue.Position(ctoml_node_position(node)))
}

private func children(of node: OpaquePointer) -> [ctoml_child] {
  let count = unsafe ctoml_child_count(node)
  return unsafe [ctoml_child](unsafeUninitializedCapacity: count) { buffer, initialized in
    unsafe ctoml_children(node, buffer.baseAddress)
    initialized = count
  }
}

extension LocatedValue.Entry {
  fileprivate init(_ child: ctoml_child) {
    unsafe self.init(
      key: String(child.key), position: LocatedValue.Position(child.position), value: located(child.node))
  }
}

extension LocatedValue.Position {
  fileprivate init(_ position: ctoml_position) {
    self.init(line: Int(position.line), column: Int(position.column))
  }
}

extension String {
  fileprivate init(_ text: ctoml_text) {
    let bytes = unsafe UnsafeRawBufferPointer(start: text.bytes, count: text.count)
    self = unsafe String(decoding: bytes, as: UTF8.self)
  }
}

/// toml++'s "Error while parsing WHAT: WHY" as "WHY, while reading a WHAT".
private func sentence(_ message: String) -> String {
  let opening = "Error while parsing "
  guard message.hasPrefix(opening), let colon = message.firstIndex(of: ":") else { return message }
  let what = message[..<colon].dropFirst(opening.count)
  let why = message[colon...].dropFirst(2)
  let article = what.first.map { "aeiou".contains($0) } ?? false ? "an" : "a"
  return "\(why), while reading \(article) \(what)"
}
