// SPDX-License-Identifier: MIT
//
// Why a command line was not understood: the facts, and the one sentence made of them.
//
//     headerctl: unknown option "--sokcet" for "stream". Did you mean "--socket"?
//     see 'headerctl stream --help'

/// A command line that was not understood.
public struct UsageError: Error, Equatable, Sendable {
  /// The program's name.
  public var program: String
  /// The names of the command it concerns, as far as they were understood; empty for the program itself.
  public var command: [String]
  /// What is wrong.
  public var reason: Reason
  /// What was probably meant: a command, an option with its dashes, or a value.
  public var suggestion: String?

  /// What can be wrong. Options are named with their dashes.
  public enum Reason: Equatable, Sendable {
    /// No command on the way knows this option.
    case unknownOption(String)
    /// An option of a command further down stands before that command's name.
    case optionBeforeItsCommand(String, command: [String])
    /// A valued option was the last word, or another option followed it.
    case missingValue(option: String, placeholder: String, expected: String)
    /// A flag was given a value by `=`.
    case unexpectedValue(option: String, got: String)
    /// An option that does not repeat was given twice.
    case repeatedOption(String)
    /// An option's or an argument's value is none of its kind.
    case wrongValue(of: String, expected: String, got: String)
    /// There is no such command here.
    case unknownCommand(String)
    /// A group was named, but none of its commands.
    case missingCommand(among: [String])
    /// A required argument is absent.
    case missingArgument(String, meaning: String)
    /// A word is left over.
    case unexpectedArgument(String)
  }

  /// Where to read more: `see 'headerctl stream --help'`.
  public var hint: String { "see '\(([program] + command).joined(separator: " ")) --help'" }
}

extension UsageError: CustomStringConvertible {
  /// The sentence, begun by the program's name, without a line break.
  public var description: String {
    let meant = suggestion.map { ". Did you mean \($0.debugDescription)?" } ?? ""
    return "\(program): \(sentence)\(meant)"
  }

  private var sentence: String {
    let place = command.isEmpty ? "" : " for \(name(command))"
    switch reason {
    case .unknownOption(let option): return "unknown option \(option.debugDescription)\(place)"
    case .optionBeforeItsCommand(let option, let owner):
      return "option \(option.debugDescription) belongs to \(name(owner)) and must stand after it"
    case .missingValue(let option, let placeholder, let expected):
      return "option \(option.debugDescription)\(place) needs a value: \(placeholder), \(expected)"
    case .unexpectedValue(let option, let got):
      return "option \(option.debugDescription)\(place) takes no value, got \(got.debugDescription)"
    case .repeatedOption(let option): return "option \(option.debugDescription)\(place) was given twice"
    case .wrongValue(let owner, let expected, let got):
      return "\(owner)\(place): expected \(expected), got \(got.debugDescription)"
    case .unknownCommand(let word): return "unknown command \(word.debugDescription)\(place)"
    case .missingCommand(let names):
      return "expected a command\(command.isEmpty ? "" : " after \(name(command))"): \(names.joined(separator: ", "))"
    case .missingArgument(let placeholder, let meaning):
      return "\(command.isEmpty ? "" : "\(name(command)) ")needs \(placeholder): \(meaning)"
    case .unexpectedArgument(let word): return "unexpected argument \(word.debugDescription)\(place)"
    }
  }

  private func name(_ command: [String]) -> String { "\"\(command.joined(separator: " "))\"" }
}
