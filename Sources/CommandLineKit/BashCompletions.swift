// SPDX-License-Identifier: MIT
//
// A completion script for bash, made from the table: the tree as `case` statements of commands, of options with values
// and of words that may follow. It needs no running daemon.

extension Program {
  /// The script; `source <(headerctl --completions bash)` puts it to use. Ends with a line break.
  public func bashCompletions() -> String {
    let function = "_\(String(root.name.map { $0.isLetter || $0.isNumber ? $0 : "_" }))"
    let commands = [(path: [String](), command: root)] + root.descendants
    let steps = commands.dropFirst().map { key($0.path.dropLast()) + ":" + ($0.path.last ?? "") }
    return """
      # bash completion for \(root.name), made by `\(root.name) --completions bash`
      \(function)() {
        local current=${COMP_WORDS[COMP_CWORD]} at="" option="" word i
        COMPREPLY=()
        for ((i = 1; i < COMP_CWORD; i++)); do
          word=${COMP_WORDS[i]}
          if [[ $word == "=" ]]; then continue; fi
          if [[ -n $option ]]; then option=""; continue; fi
          case "$at:$word" in
      \(caseLine(steps, "at=\"$at/$word\"; continue"))
          esac
          case "$at:$word" in
      \(caseLine(commands.flatMap(valuedOptions), "option=$word"))
          esac
        done
        if [[ $current == "=" ]]; then current=""; fi
        case "$at:$option" in
      \(commands.flatMap(valueCases).joined(separator: "\n"))
          *:-*) return ;;
        esac
        case "$at" in
      \(commands.map(wordCase).joined(separator: "\n"))
        esac
      }
      complete -o default -F \(function) \(root.name)

      """
  }

  private typealias Place = (path: [String], command: Command)

  /// `/header/open`; empty for the program itself.
  private func key(_ path: some Sequence<String>) -> String { path.map { "/\($0)" }.joined() }

  private func caseLine(_ patterns: [String], _ action: String) -> String {
    patterns.isEmpty ? "      \"\") ;;" : "      \(patterns.joined(separator: " | "))) \(action) ;;"
  }

  /// The options that may stand at a command: its own and those of the commands above it.
  private func options(at place: Place) -> [OptionDeclaration] {
    root.commands(along: place.path).flatMap(\.options)
      + (place.path.isEmpty ? [Program.completions] : []) + [Program.version, Program.help]
  }

  private func valuedOptions(at place: Place) -> [String] {
    options(at: place).filter { $0.placeholder != nil }.map { "\(key(place.path)):--\($0.name)" }
  }

  private func valueCases(at place: Place) -> [String] {
    options(at: place).compactMap { option in
      guard option.placeholder != nil, let reply = reply(for: option.kind) else { return nil }
      return "    \(key(place.path)):--\(option.name)) \(reply); return ;;"
    }
  }

  /// Words that may follow at a command: its commands, its options, and the choices of its first arguments.
  private func wordCase(at place: Place) -> String {
    let choices = place.command.positionals.flatMap { positional in
      if case .choice(let words) = positional.kind { words } else { [String]() }
    }
    let words = place.command.commands.map(\.name) + choices + options(at: place).map { "--\($0.name)" }
    let pattern = place.path.isEmpty ? "\"\"" : key(place.path)
    return "    \(pattern)) \(compgen(words)) ;;"
  }

  /// What completes a value; nil where nothing is known about it.
  private func reply(for kind: ValueKind) -> String? {
    switch kind {
    case .choice(let words): compgen(words)
    case .file: "COMPREPLY=($(compgen -f -- \"$current\"))"
    case .text, .integer, .number: nil
    }
  }

  private func compgen(_ words: [String]) -> String {
    "COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"$current\"))"
  }
}
