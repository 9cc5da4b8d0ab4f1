// SPDX-License-Identifier: MIT

public import HeaderModel

extension HeaderError {
  /// A limit of the daemon that was met.
  public static func limit(_ name: String, _ value: Int, _ message: String, field: String? = nil) -> HeaderError {
    limit(name, Double(value), message, field: field)
  }

  /// The same for a time in seconds.
  public static func limit(_ name: String, _ value: Double, _ message: String, field: String?) -> HeaderError {
    HeaderError(
      .limitExceeded, message, field: field, hint: "limits.\(name) in the daemon's config sets it",
      facts: ["limit": ["name": .text(name), "value": .number(value), "key": .text("limits.\(name)")]])
  }
}
