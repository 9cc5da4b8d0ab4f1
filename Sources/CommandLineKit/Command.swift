// SPDX-License-Identifier: MIT
//
// A program is a tree of commands, which parsing, help and completions read.
//
//     headerctl ─┬─ header ─┬─ list
//                │          └─ open        an inner command only has commands below it and options for all of them
//                └─ stream                 a leaf does something
//
// A command's options hold for everything below it, and may stand anywhere on the line behind its name.

/// One command: a leaf that does something, or a group of commands.
public struct Command: Sendable {
  let name: String
  /// One line, as lists of commands show it.
  let summary: String
  /// More, for the command's own help; paragraphs are separated by empty lines.
  let discussion: String
  let options: [OptionDeclaration]
  let positionals: [PositionalDeclaration]
  let commands: [Command]

  /// A command that does something; or, with commands below it, a group, whose options hold for all of them.
  public init(
    _ name: String, _ summary: String, discussion: String = "", options: [any DeclaresOption] = [],
    positionals: [any DeclaresPositional] = [], commands: [Command] = []
  ) {
    precondition(positionals.isEmpty || commands.isEmpty, "\(name): a group takes no words")
    let positionals = positionals.map(\.declaration)
    let places = positionals.dropLast().map(\.arity)
    precondition(places.allSatisfy { if case .rest = $0 { false } else { true } }, "\(name): words after the rest")
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.options = options.map(\.declaration)
    self.positionals = positionals
    self.commands = commands
  }

  func command(_ name: String) -> Command? { commands.first { $0.name == name } }

  /// This command and those below it that names lead to, as far as they exist.
  func commands(along path: [String]) -> [Command] {
    guard let name = path.first, let next = command(name) else { return [self] }
    return [self] + next.commands(along: Array(path.dropFirst()))
  }

  /// The leaves below this command, with the names that lead to them.
  var leaves: [(path: [String], command: Command)] {
    descendants.filter { $0.command.commands.isEmpty }
  }

  /// Every command below this one, groups too, with the names that lead to it.
  var descendants: [(path: [String], command: Command)] {
    commands.flatMap { command in
      [([command.name], command)] + command.descendants.map { ([command.name] + $0.path, $0.command) }
    }
  }
}

/// A program: its tree of commands and what every program has: `--help` (`-h`), `--version`, `--completions`.
public struct Program: Sendable {
  /// Proposes one of some names for a misspelled one, nil if none is close.
  public typealias Suggest = @Sendable (_ name: String, _ candidates: [String]) -> String?

  /// The program itself: a leaf, or the group of all commands.
  public let root: Command
  let version: String
  let suggest: Suggest

  /// Makes a program from its table.
  ///
  /// - Parameters:
  ///   - root: the tree; its name is the program's.
  ///   - version: what `--version` prints after the name.
  ///   - suggest: finds what a misspelled name was meant to be. This target knows no other, so the one algorithm of
  ///     the project is handed in by the program.
  public init(_ root: Command, version: String, suggest: @escaping Suggest) {
    self.root = root
    self.version = version
    self.suggest = suggest
  }

  // The options that every program has. Any command takes the first two.
  static let help = Flag("help", "Print this help.").declaration
  static let version = Flag("version", "Print the version.").declaration
  static let completions = Option<Shell>(
    "completions", "SHELL", .choice, "Print a completion script for a shell: bash."
  ).declaration

  enum Shell: String, CaseIterable, Sendable { case bash }
}
