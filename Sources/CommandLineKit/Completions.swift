// SPDX-License-Identifier: MIT
//
// The words that may come next on a command line. The shells' scripts (CompletionScripts.swift) ask the program itself:
//
//     headerctl --complete header open main --fr       ▶  --frames␉Where frames come from.
//
// The words are those after the program's name; the last one is the beginning of the word that is completed. The answer is one candidate
// a line, with a tabulator and its meaning behind it if it has one. A line "␉file" says that file names would do. Names that only the
// running program knows come from `Program.FindNames`.

/// Something that a word on a command line may become.
public struct Candidate: Sendable, Equatable {
  /// The word. One that ends with "=" is to be continued.
  public var word: String
  /// One line about it; may be empty.
  public var meaning: String

  /// Makes a candidate.
  public init(_ word: String, _ meaning: String = "") {
    self.word = word
    self.meaning = meaning
  }
}

extension Program {
  /// The word that asks for candidates, before all others. It is in no help: scripts alone use it.
  static let completeWord = "--complete"
  /// The line that stands for file names.
  static let fileNames = "\tfile\n"

  /// The candidates for the last one of some words, a line each; empty if there is none.
  public func completions(of words: [String]) -> String {
    var line = Walk(program: self, words: words.dropLast())
    // An unfinished line may have mistakes, since the user may still change it.
    while let word = line.words.popFirst() { try? line.take(word) }
    let word = words.last ?? ""
    let found = line.candidates(for: word)
    // The shells separate names by line breaks and tabulators, so a name cannot contain them.
    let safe = found.list.filter { $0.word.hasPrefix(word) && !$0.word.contains(where: { "\t\n".contains($0) }) }
    return safe.map { candidate in
      let meaning = candidate.meaning.split(whereSeparator: { "\t\n".contains($0) }).joined(separator: " ")
      return meaning.isEmpty ? "\(candidate.word)\n" : "\(candidate.word)\t\(meaning)\n"
    }.joined() + (found.areFiles ? Self.fileNames : "")
  }
}

// MARK: - What may come next

extension Walk {
  /// The options that may stand here: those of the commands on the way, and of every program.
  private var known: [OptionDeclaration] {
    commands.flatMap(\.options) + (path.isEmpty ? [Program.completions] : []) + [Program.version, Program.help]
  }

  fileprivate func candidates(for word: String) -> (list: [Candidate], areFiles: Bool) {
    if let pending { return values(of: pending.kind, word) }
    if !optionsHaveEnded, word.hasPrefix("--"), case (let name, let value?) = parts(of: word) {
      guard let option = known.first(where: { "--\($0.name)" == name }), option.placeholder != nil else {
        return ([], false)
      }
      let found = values(of: option.kind, value)
      return (found.list.map { Candidate("\(name)=\($0.word)", $0.meaning) }, found.areFiles)
    }
    var list = current.commands.map { Candidate($0.name, $0.summary) }
    var areFiles = false
    if let next = nextPositional {
      let found = values(of: next.kind, word)
      list += found.list
      areFiles = found.areFiles && !word.hasPrefix("-")
    }
    // Where an argument may come, options are offered once the word begins with a dash.
    if !optionsHaveEnded, word.hasPrefix("-") || (list.isEmpty && !areFiles) {
      list += known.map { Candidate("--\($0.name)", $0.meaning) }
    }
    return (list, areFiles)
  }

  /// The argument that comes next.
  private var nextPositional: PositionalDeclaration? {
    let declared = current.positionals
    if arguments.count < declared.count { return declared[arguments.count] }
    guard let last = declared.last, case .rest = last.arity else { return nil }
    return last
  }

  private func values(of kind: ValueKind, _ word: String) -> (list: [Candidate], areFiles: Bool) {
    switch kind {
    case .choice(let words): (words.map { Candidate($0) }, false)
    case .file: ([], true)
    case .name(let kind): (program.names(kind, soFar, word), false)
    case .text, .integer, .number: ([], false)
    }
  }

  /// The line as an invocation.
  private var soFar: Invocation {
    var positionals: [String: [String]] = [:]
    for (index, argument) in arguments.enumerated() {
      guard let declared = index < current.positionals.count ? current.positionals[index] : current.positionals.last
      else { break }
      positionals[declared.placeholder, default: []].append(argument)
    }
    return Invocation(command: path, options: options, positionals: positionals)
  }
}
