// SPDX-License-Identifier: MIT
//
// The daemon's own errors, each made in one place, so that the same mistake is reported in the same words everywhere.

public import HeaderModel
internal import HeaderWire

extension HeaderError {
  static func headerNotFound(_ name: String, known: [String]) -> HeaderError {
    let guess = nearest(to: name, in: known)
    let wanted = Value.text(String(name.prefix(256)))
    return HeaderError(
      .headerNotFound, "params.header: there is no header \(Value.text(name).brief)", field: "params.header",
      got: wanted, hint: guess.map { "did you mean \"\($0)\"?" } ?? "header.open makes one",
      facts: ["header": wanted])
  }

  /// An event without a header, of a connection that opened none or several.
  public static func noOnlyHeader(_ count: Int) -> HeaderError {
    let reason = count == 0 ? "this connection has opened none" : "this connection has opened \(count)"
    return HeaderError(
      .invalidParams, "params.header: it is missing, and \(reason)", field: "params.header",
      expected: "a header's name")
  }

  /// The same error with its path below another one.
  func under(_ root: String) -> HeaderError {
    guard let field, field != root, !field.hasPrefix(root + ".") else { return self }
    var error = self
    error.field = "\(root).\(field)"
    if message.hasPrefix(field) { error.message = "\(root).\(message)" }
    return error
  }

  /// The error of an event whose fields stand at a path. Options keep the path that headerd-connection(7), ERRORS, gives
  /// them.
  func ofEvent(at path: Path) -> HeaderError {
    field?.hasPrefix("options") == true ? self : under(path.text)
  }

  /// The same error naming its header, unless it does already.
  func of(header: String) -> HeaderError {
    guard facts["header"] == nil else { return self }
    var error = self
    error.facts["header"] = .text(header)
    return error
  }

  /// The same error naming its place in a batch.
  func at(index: Int) -> HeaderError {
    var error = self
    error.facts["index"] = .number(Double(index))
    return error
  }
}
