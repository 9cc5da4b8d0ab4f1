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
  /// Command lines that show its use, one a line; its help ends with them.
  let example: String
  /// The heading that lists have it under, and the commands below it; empty: that of the command above it.
  let section: String
  let options: [OptionDeclaration]
  let positionals: [PositionalDeclaration]
  let commands: [Command]

  /// A command that does something; or, with commands below it, a group, whose options hold for all of them.
  ///
  /// - Parameters:
  ///   - name: the word on the command line.
  ///   - summary: one line about it.
  ///   - discussion: more for its own help; paragraphs are separated by empty lines.
  ///   - example: command lines that show its use, one a line.
  ///   - section: the heading that lists of commands have it under.
  ///   - options: its options, in the order of its help.
  ///   - positionals: its arguments, in order.
  ///   - commands: the commands below it.
  public init(
    _ name: String, _ summary: String, discussion: String = "", example: String = "", section: String = "",
    options: [any DeclaresOption] = [], positionals: [any DeclaresPositional] = [], commands: [Command] = []
  ) {
    precondition(positionals.isEmpty || commands.isEmpty, "\(name): a group takes no words")
    let positionals = positionals.map(\.declaration)
    let places = positionals.dropLast().map(\.arity)
    precondition(places.allSatisfy { if case .rest = $0 { false } else { true } }, "\(name): words after the rest")
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.example = example
    self.section = section
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

  /// The leaves below this command under their headings, headings and leaves in the order of the table.
  var sections: [(heading: String, leaves: [(path: [String], command: Command)])] {
    var sections: [(heading: String, leaves: [(path: [String], command: Command)])] = []
    for leaf in leaves {
      let heading = commands(along: leaf.path).dropFirst().last { !$0.section.isEmpty }?.section ?? "Commands"
      if let place = sections.firstIndex(where: { $0.heading == heading }) {
        sections[place].leaves.append(leaf)
      } else {
        sections.append((heading, [leaf]))
      }
    }
    return sections
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
  /// Finds the names of a kind (`ValueKind.name`) for completion. It gets what stands on the command line before the
  /// word that is completed, and what is there of the word.
  public typealias FindNames = @Sendable (_ kind: String, _ line: Invocation, _ word: String) -> [Candidate]

  /// The program itself: a leaf, or the group of all commands.
  public let root: Command
  let version: String
  let suggest: Suggest
  let names: FindNames

  /// Makes a program from its table.
  ///
  /// - Parameters:
  ///   - root: the tree; its name is the program's.
  ///   - version: what `--version` prints after the name.
  ///   - suggest: finds what a misspelled name was meant to be. This target knows no other, so the one algorithm of
  ///     the project is handed in by the program.
  ///   - names: finds names that only the running program can know, for completion.
  public init(
    _ root: Command, version: String, suggest: @escaping Suggest, names: @escaping FindNames = { _, _, _ in [] }
  ) {
    self.root = root
    self.version = version
    self.suggest = suggest
    self.names = names
  }

  // The options that every program has. Any command takes the first two.
  static let help = Flag("help", "Print this help.").declaration
  static let version = Flag("version", "Print the version.").declaration
  static let completions = Option<Shell>(
    "completions", "SHELL", .choice, "Print a completion script for a shell."
  ).declaration

  enum Shell: String, CaseIterable, Sendable { case bash, zsh, fish }
}
