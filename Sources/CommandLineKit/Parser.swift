// SPDX-License-Identifier: MIT
//
// Words in, an invocation out.
//
//     headerctl --json  header  open  main.json  --socket /tmp/x  --  --odd-name
//               │       │       │     │          │                │   └ a word, whatever it looks like
//               │       │       │     │          │                └ ends the options
//               │       │       │     │          └ an option of any command on the way
//               │       │       │     └ a leaf's argument
//               └───────┴───────┴ down the tree
//
// A word that begins with a dash is an option, unless it is "-" (stdin or stdout) or a negative number. An option's
// value may begin with one dash, not with two: `--socket --json` is a forgotten path, and so is `--socket -h`. `--help`
// precedes errors about what is missing, not about what is wrong.

extension Program {
  /// Parses a command line.
  ///
  /// - Parameter arguments: the words after the program's name.
  /// - Throws: the first mistake, from left to right; missing arguments come last.
  public func parse(_ arguments: [String]) throws(UsageError) -> Parsed {
    if arguments.first == Program.completeWord { return .print(completions(of: Array(arguments.dropFirst()))) }
    var walk = Walk(program: self, words: arguments[...])
    while let word = walk.words.popFirst() { try walk.take(word) }
    if walk.options[Program.help.name] != nil { return .print(help(for: walk.path)) }
    if walk.options[Program.version.name] != nil { return .print("\(root.name) \(version)\n") }
    if let name = walk.options[Program.completions.name]?.last, let shell = Shell(rawValue: name) {
      return .print(completionScript(for: shell))
    }
    return .run(try walk.finish())
  }
}

/// A command line as far as it was read.
struct Walk {
  let program: Program
  var words: ArraySlice<String>
  var path: [String] = []
  /// The commands on the way, the program itself first.
  var commands: [Command]
  var options: [String: [String]] = [:]
  var arguments: [String] = []
  var optionsHaveEnded = false
  /// The last word, if it is an option whose value is not there yet.
  var pending: OptionDeclaration?

  init(program: Program, words: ArraySlice<String>) {
    self.program = program
    self.words = words
    commands = [program.root]
  }

  /// The command that words and arguments now belong to.
  var current: Command { commands[commands.count - 1] }

  mutating func take(_ word: String) throws(UsageError) {
    if optionsHaveEnded || !looksLikeOption(word) {
      try takeWord(word)
    } else if word == "--" {
      optionsHaveEnded = true
    } else {
      try takeOption(word == "-h" ? "--help" : word)
    }
  }

  private func looksLikeOption(_ word: String) -> Bool {
    guard word.first == "-", let second = word.dropFirst().first else { return false }
    return !second.isNumber && second != "."
  }

  /// A word that is no option: the next command, or an argument of the leaf. `help` in a command's place is `--help`.
  private mutating func takeWord(_ word: String) throws(UsageError) {
    guard !current.commands.isEmpty else {
      arguments.append(word)
      return
    }
    if let next = current.command(word) {
      commands.append(next)
      path.append(word)
    } else if word == Program.help.name {
      options[word] = [""]
    } else {
      let unknown = "unknown command \(word.debugDescription)\(place)"
      // A command without its group's name is suggested with it.
      let grouped = current.descendants.map(\.path).filter { $0.last == word }.map {
        (path + $0).joined(separator: " ")
      }
      guard grouped.count <= 1 else {
        throw error("\(unknown); there are \(grouped.map(\.debugDescription).joined(separator: ", "))")
      }
      throw error(unknown, suggestion: grouped.first ?? program.suggest(word, current.commands.map(\.name)))
    }
  }

  private mutating func takeOption(_ word: String) throws(UsageError) {
    let (dashed, attached) = parts(of: word)
    var value = attached
    let option = try declaration(of: dashed)
    let named = "option \(dashed.debugDescription)"
    if let placeholder = option.placeholder {
      if value == nil, let next = words.first, !next.hasPrefix("--"), next != "-h" { value = words.popFirst() }
      guard let value else {
        if words.isEmpty { pending = option }
        throw error("\(named)\(place) needs a value: \(placeholder), \(option.kind.expectation)")
      }
      guard option.isValid(value) else { throw wrongValue(named, option.kind, value) }
      guard option.repeats || options[option.name] == nil else { throw error("\(named)\(place) was given twice") }
    } else if let value {
      throw error("\(named)\(place) takes no value, got \(value.debugDescription)")
    }
    options[option.name, default: []].append(value ?? "")
  }

  /// `--mode=every` as `--mode` and `every`.
  func parts(of word: String) -> (name: String, value: String?) {
    guard let equals = word.firstIndex(of: "=") else { return (word, nil) }
    return (String(word[..<equals]), String(word[word.index(after: equals)...]))
  }

  private func declaration(of dashed: String) throws(UsageError) -> OptionDeclaration {
    let builtIn = [Program.help, Program.version] + (path.isEmpty ? [Program.completions] : [])
    let known = commands.reversed().flatMap(\.options) + builtIn
    if let option = known.first(where: { "--\($0.name)" == dashed }) { return option }
    let owners = current.descendants.filter { $0.command.options.contains { "--\($0.name)" == dashed } }
    // The one that stands further on the line, if any does.
    let owner = owners.first { owner in words.contains { $0 == owner.path.last } } ?? owners.first
    let named = "option \(dashed.debugDescription)"
    if let owner { throw error("\(named) belongs to \(quoted(path + owner.path)) and must stand after it") }
    throw error("unknown \(named)\(place)", suggestion: program.suggest(dashed, known.map { "--\($0.name)" }))
  }

  /// Gives the words to the arguments that the command declares.
  func finish() throws(UsageError) -> Invocation {
    guard current.commands.isEmpty else {
      let names = current.commands.map(\.name).joined(separator: ", ")
      throw error("expected a command\(path.isEmpty ? "" : " after \(quoted(path))"): \(names)")
    }
    var left = arguments[...]
    var positionals: [String: [String]] = [:]
    for declaration in current.positionals {
      let (least, most) =
        switch declaration.arity {
        case .required: (1, 1)
        case .optional: (0, 1)
        case .rest(let least): (least, left.count)
        }
      guard left.count >= least else {
        let owner = path.isEmpty ? "" : "\(quoted(path)) "
        throw error("\(owner)needs \(declaration.placeholder): \(declaration.meaning)")
      }
      let taken = left.prefix(most)
      left = left.dropFirst(taken.count)
      if let wrong = taken.first(where: { !declaration.isValid($0) }) {
        throw wrongValue(declaration.placeholder, declaration.kind, wrong)
      }
      positionals[declaration.placeholder] = Array(taken)
    }
    if let extra = left.first { throw error("unexpected argument \(extra.debugDescription)\(place)") }
    return Invocation(command: path, options: options, positionals: positionals)
  }

  private func wrongValue(_ owner: String, _ kind: ValueKind, _ got: String) -> UsageError {
    var suggestion: String?
    if case .choice(let words) = kind { suggestion = program.suggest(got, words) }
    return error("\(owner)\(place): expected \(kind.expectation), got \(got.debugDescription)", suggestion: suggestion)
  }

  /// The command that an error is about, as its sentence says it; empty for the program itself.
  private var place: String { path.isEmpty ? "" : " for \(quoted(path))" }

  private func quoted(_ command: [String]) -> String { "\"\(command.joined(separator: " "))\"" }

  private func error(_ sentence: String, suggestion: String? = nil) -> UsageError {
    UsageError(program: program.root.name, command: path, sentence: sentence, suggestion: suggestion)
  }
}
