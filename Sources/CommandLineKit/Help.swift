// SPDX-License-Identifier: MIT
//
// Help, made from the table: usage, summary, then columns of arguments, commands and options, in lines of at most 100
// columns. Names and meanings are expected to be of single width.

extension Program {
  /// The help of a command, given by the names that lead to it; the program's own for an empty list.
  /// Ends with a line break. Names that lead nowhere stop at the last command that exists.
  public func help(for path: [String] = []) -> String {
    let commands = root.commands(along: path)
    let command = commands[commands.count - 1]
    var sections = [usage(of: command, after: commands.map(\.name)), wrapped(command.summary).joined(separator: "\n")]
    if !command.discussion.isEmpty { sections.append(paragraphs(command.discussion)) }
    sections.append(table("Arguments:", command.positionals.map { ($0.placeholder, meaning(of: $0)) }))
    let rows = command.leaves.map { ($0.path.joined(separator: " "), $0.command.summary) }
    for section in command.sections {
      let own = section.leaves.map { ($0.path.joined(separator: " "), $0.command.summary) }
      sections.append(table("\(section.heading):", own, alignedWith: rows))
    }
    if commands.count == 1 {
      sections.append(
        table("Options:", self.rows(root.options + [Program.completions, Program.version, Program.help])))
    } else {
      sections.append(table("Options:", self.rows(command.options)))
      let inherited = commands.dropLast().reversed().flatMap(\.options) + [Program.version, Program.help]
      sections.append(table("Options of every command:", self.rows(inherited)))
    }
    if !command.commands.isEmpty {
      sections.append("'\(commands.map(\.name).joined(separator: " ")) COMMAND --help' shows more about a command.")
    }
    if !command.example.isEmpty {
      let lines = command.example.split(separator: "\n").map { "  \($0)" }
      sections.append("\(lines.count > 1 ? "Examples" : "Example"):\n" + lines.joined(separator: "\n"))
    }
    return sections.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  private func usage(of command: Command, after names: [String]) -> String {
    let options = command.options + (names.count == 1 ? [Program.version, Program.help] : [])
    let parts =
      options.map { "[\($0.usage)]" + ($0.repeats && $0.placeholder != nil ? "…" : "") }
      + command.positionals.map(\.usage) + (command.commands.isEmpty ? [] : ["COMMAND"])
    let opening = "Usage: \(names.joined(separator: " "))"
    return wrapped(parts, first: opening, indent: opening.count + 1).joined(separator: "\n")
  }

  private func rows(_ options: [OptionDeclaration]) -> [(String, String)] {
    options.map { option in
      let absent = option.absent.map { " (default: \($0))" } ?? ""
      return (option.usage + (option.name == Program.help.name ? ", -h" : ""), meaning(of: option) + absent)
    }
  }

  private func meaning(of option: OptionDeclaration) -> String { option.meaning + choices(option.kind) }

  private func meaning(of argument: PositionalDeclaration) -> String { argument.meaning + choices(argument.kind) }

  private func choices(_ kind: ValueKind) -> String {
    if case .choice(let words) = kind { " One of: \(words.joined(separator: ", "))." } else { "" }
  }
}

private let lineWidth = 100

/// A heading and two aligned columns; empty without rows. A left side that is too wide has its line for itself.
/// - Parameter others: rows of tables that have their columns at the same places.
private func table(
  _ heading: String, _ rows: [(left: String, right: String)], alignedWith others: [(left: String, right: String)] = []
) -> String {
  guard !rows.isEmpty else { return "" }
  let widest = (rows + others).map(\.left.count).filter { $0 <= 28 }.max() ?? 0
  var lines = [heading]
  for row in rows {
    let indent = widest + 4
    var opening = "  \(row.left)"
    if row.left.count > widest {
      lines.append(opening)
      opening = ""
    }
    let padding = String(repeating: " ", count: indent - 1 - opening.count)
    lines += wrapped(row.right.split(separator: " ").map(String.init), first: opening + padding, indent: indent)
  }
  return lines.joined(separator: "\n")
}

private func paragraphs(_ text: String) -> String {
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  return lines.split(separator: "").map { wrapped($0.joined(separator: " ")).joined(separator: "\n") }
    .joined(separator: "\n\n")
}

private func wrapped(_ text: String) -> [String] {
  let words = text.split(separator: " ").map(String.init)
  return wrapped(Array(words.dropFirst()), first: words.first ?? "", indent: 0)
}

/// Parts with blanks between them, in lines of at most 100 columns; lines after the first begin with an indent.
/// A part that is longer than a line has one for itself.
private func wrapped(_ parts: [String], first: String, indent: Int) -> [String] {
  var lines: [String] = []
  var line = first
  var isFresh = false
  for part in parts {
    if !isFresh, !lines.isEmpty || line.contains(where: { $0 != " " }), line.count + 1 + part.count > lineWidth {
      lines.append(line)
      line = String(repeating: " ", count: indent)
      isFresh = true
    }
    line += isFresh ? part : " \(part)"
    isFresh = false
  }
  return lines + [line]
}
