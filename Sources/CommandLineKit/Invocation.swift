// SPDX-License-Identifier: MIT
//
// A parsed command line. Values have been checked against their declarations, so reading one cannot fail.

/// What a command line asks for.
public enum Parsed: Sendable, Equatable {
  /// Run the command.
  case run(Invocation)
  /// Print this text, which ends with a line break unless it is empty, to stdout and end with status 0: help, version,
  /// completions.
  case print(String)
}

/// A command with its options and arguments.
public struct Invocation: Sendable, Equatable {
  /// The names that lead to the command, without the program's: `["header", "open"]`; empty for the program itself.
  public let command: [String]
  /// Values by option name, in the order given; flags have one empty text.
  var options: [String: [String]]
  var positionals: [String: [String]]

  /// Whether a flag or an option was given.
  public func has(_ option: any DeclaresOption) -> Bool { options[option.declaration.name] != nil }

  /// The value of an option, its default if it was not given; nil if it has none. The last one, if it repeats.
  public subscript<Value>(option: Option<Value>) -> Value? { all(option).last ?? option.standard }

  /// The values of an option that repeats, in the order given.
  public func all<Value>(_ option: Option<Value>) -> [Value] {
    (options[option.declaration.name] ?? []).compactMap(option.read)
  }

  /// The value of an argument, nil if it is optional and was not given.
  public subscript<Value>(positional: Positional<Value>) -> Value? { all(positional).first }

  /// The values of an argument that takes the rest.
  public func all<Value>(_ positional: Positional<Value>) -> [Value] {
    (positionals[positional.declaration.placeholder] ?? []).compactMap(positional.read)
  }

  /// The value of a required argument. Its command must be the one that runs: the parser has seen to the rest.
  public func required<Value>(_ positional: Positional<Value>) -> Value {
    guard let value = self[positional] else {
      let name = positional.declaration.placeholder
      preconditionFailure("\(name) is no required argument of \"\(command.joined(separator: " "))\"")
    }
    return value
  }
}
