// SPDX-License-Identifier: MIT
//
// The service's own errors, each made in one place, so that the same mistake is told in the same words everywhere.

internal import HeaderCore
internal import HeaderWire

extension HeaderError {
  /// A limit of the daemon that was met.
  static func limit(_ name: String, _ value: Int, _ message: String, field: String? = nil) -> HeaderError {
    HeaderError(
      .limitExceeded, message, field: field, hint: "limits.\(name) in the daemon's config sets it",
      facts: ["limit": ["name": .text(name), "value": .number(Double(value)), "key": .text("limits.\(name)")]])
  }

  /// The same for a time in seconds.
  static func limit(_ name: String, _ value: Double, _ message: String, field: String) -> HeaderError {
    var error = limit(name, 0, message, field: field)
    error.facts["limit"] = ["name": .text(name), "value": .number(value), "key": .text("limits.\(name)")]
    return error
  }

  /// A header that is not open.
  static func headerNotFound(_ name: String, known: [String], at field: String) -> HeaderError {
    let guess = nearest(to: name, in: known)
    let wanted = Value.text(String(name.prefix(256)))
    return HeaderError(
      .headerNotFound, "\(field): there is no header \(Value.text(name).brief)", field: field,
      got: wanted, hint: guess.map { "did you mean \"\($0)\"?" } ?? "header.open makes one",
      facts: ["header": wanted])
  }

  /// Something that a connection's roles do not allow.
  /// - Parameter what: the method, and what of it if that is not all.
  static func notPermitted(_ what: String, needs role: Roles, has: Roles) -> HeaderError {
    let needed = role.words.joined(separator: " or ")
    let present = has.words.isEmpty ? "none" : has.words.joined(separator: ", ")
    return HeaderError(
      .notPermitted, "\(what) needs the role \(needed), this connection has \(present)",
      hint: "roles.\(role.words.first ?? "") in the daemon's config gives it",
      facts: ["role": .text(needed)])
  }

  /// The same error with its path below another one.
  func under(_ root: String) -> HeaderError {
    guard let field, field != root, !field.hasPrefix(root + ".") else { return self }
    var error = self
    error.field = "\(root).\(field)"
    if message.hasPrefix(field) { error.message = "\(root).\(message)" }
    return error
  }

  /// The error of an event whose fields stand at a path. Options keep the path that headerd-protocol(7), ERRORS, gives
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
