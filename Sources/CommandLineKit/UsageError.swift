// SPDX-License-Identifier: MIT
//
// The error of a command line that was not understood.
//
//     headerctl: unknown option "--sokcet" for "stream". Did you mean "--socket"?
//     see 'headerctl stream --help'

/// A command line that was not understood.
public struct UsageError: Error, Equatable, Sendable {
  /// The program's name.
  public var program: String
  /// The names of the command it concerns, as far as they were understood; empty for the program itself.
  public var command: [String]
  /// The mistake, in a sentence without the program's name. Options are named with their dashes.
  public var sentence: String
  /// The suggestion: a command, an option with its dashes, or a value.
  public var suggestion: String?

  /// Where to read more: `see 'headerctl stream --help'`.
  public var hint: String { "see '\(([program] + command).joined(separator: " ")) --help'" }
}

extension UsageError: CustomStringConvertible {
  /// The sentence, begun by the program's name, without a line break.
  public var description: String {
    let meant = suggestion.map { ". Did you mean \($0.debugDescription)?" } ?? ""
    return "\(program): \(sentence)\(meant)"
  }
}
