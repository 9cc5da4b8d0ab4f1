// SPDX-License-Identifier: MIT
//
// An explanation in plain words, one sentence a line, and as JSON.

extension Explanation {
  /// The story in plain words, for people who do not know the code.
  public var story: [String] {
    var lines = [opening]
    for turn in turns { lines += Self.sentences(of: turn) }
    if lost > 0 { lines.append("More came of it, of which \(lost) entries are not kept.") }
    lines.append(ending)
    return lines
  }

  /// Whether something of it can be seen, or was tried.
  public var isMovement: Bool { states > 0 || turns.contains { !$0.moves.isEmpty } }

  // MARK: What came

  private var opening: String {
    let time = number(event["time"]).map { "At \($0) s " } ?? ""
    guard case .text(let word)? = event["event"] else { return "\(time)something came." }
    guard let moved = changes.first(where: { $0.what.hasPrefix("contentOffset of ") }) else {
      return "\(time)came \(word)\(place)."
    }
    let view = moved.what.dropFirst("contentOffset of ".count)
    guard case .record(let old) = moved.old, case .record(let new) = moved.new, case .number(let from)? = old["y"],
      case .number(let to)? = new["y"], from != to
    else { return "\(time)came \(word)\(place)." }
    let way = to > from ? "up" : "down"
    return
      "\(time)came \(word): the content moved \(way) by \(points(abs(to - from))) (offset of \(view) from \(text(from)) to \(text(to)))."
  }

  private var place: String {
    if case .text(let name)? = event["name"] { return " \(name)" }
    if case .record(let offset)? = event["offset"], case .number(let y)? = offset["y"] { return " at \(text(y))" }
    return ""
  }

  // MARK: Who did what

  private static func sentences(of turn: Turn) -> [String] {
    let indent = String(repeating: "  ", count: min(turn.depth, 8))
    var lines: [String] = []
    let heard =
      switch turn.event {
      case "afterwards": "\(turn.delegate), after the event,"
      case "request": "\(turn.delegate), asked by name,"
      case "answer": "\(turn.delegate) answered and"
      default: "\(turn.delegate) heard of it\(turn.depth > 0 ? " (\(turn.event), brought about by the write)" : "") and"
      }
    var isBegun = false
    func say(_ words: String) {
      lines.append("\(indent)\(isBegun ? "\(turn.delegate) then" : heard) \(words)")
      isBegun = true
    }
    for cut in turn.cuts where cut.rule != .constraint { say(words(for: cut)) }
    // What constraints hold back comes back as left over, too.
    let bounds = turn.cuts.filter { $0.rule == .constraint }
    let held = turn.moves.count == 1 ? bounds.reduce(0) { $0 + $1.wanted - $1.left } : 0
    for (index, move) in turn.moves.enumerated() {
      // That nothing was left of it is said already.
      if move.kind == .by, move.distance == 0, isBegun { continue }
      say(words(for: move))
      if index == 0 { lines += bounds.map { "\(indent)  \(words(for: $0))" } }
      lines += move.parts.filter { abs($0.wanted) > 1e-9 }.map { "\(indent)  \(sentence(of: $0))" }
      if move.kind == .by, abs(move.residual - held) > 1e-9 {
        lines.append("\(indent)  \(points(abs(move.residual - held))) were left that no drawer could use.")
      }
    }
    if turn.moves.isEmpty { lines += bounds.map { "\(indent)  \(words(for: $0))" } }
    if !isBegun, turn.changes.isEmpty, turn.failure == nil {
      lines.append("\(indent)\(heard) asked for no movement.")
    }
    if !turn.changes.isEmpty {
      let before = isBegun ? "So \(turn.delegate)" : heard
      lines.append("\(indent)\(before) changed \(list(turn.changes.map(\.words))).")
    }
    if !turn.told.isEmpty { lines.append("\(indent)\(turn.delegate) told \(list(turn.told)).") }
    lines += turn.answer.fields.map { "\(indent)\(turn.delegate) \(words(for: $0))" }
    if let failure = turn.failure { lines.append("\(indent)\(turn.delegate) failed and is bypassed: \(failure).") }
    return lines
  }

  private static func words(for move: Move) -> String {
    switch move.kind {
    case .expand: "expanded the drawers fully."
    case .contract: "contracted the drawers fully."
    case .by where move.distance == 0:
      "asked for no movement: it held it back by a rule of its own, such as a resistance."
    case .by: "asked the drawers to \(move.distance < 0 ? "contract" : "expand") by \(points(abs(move.distance)))."
    }
  }

  private static func words(for cut: Cut) -> String {
    let (wanted, held) = (points(abs(cut.wanted)), text(abs(cut.wanted - cut.left)))
    guard cut.rule == .constraint else {
      let left = text(abs(cut.left))
      let rest = left == "0" ? "so that nothing was left" : "and let \(left) through"
      return
        "resisted: \(cut.drawer.map { "the resistance of \($0)" } ?? "its resistance") held back \(held) of \(wanted), \(rest)."
    }
    let names = cut.by.map { "\"\($0)\"" }
    let who =
      switch names.count {
      case 0: "The way to where the header is permitted to be"
      case 1: "The constraint \(list(names))"
      default: "The constraints \(list(names))"
      }
    return "\(who) held back \(held) of \(wanted)."
  }

  private static func sentence(of part: Part) -> String {
    let offered = text(abs(part.wanted))
    let took = abs(part.taken) < 1e-9 ? "took nothing of \(offered)" : "took \(text(abs(part.taken))) of \(offered)"
    switch part.rule {
    case nil: return "\(part.drawer) took all \(offered)."
    case .sticky: return "\(part.drawer) took nothing of \(offered): it is sticky."
    case .expanded: return "\(part.drawer) \(took): it is expanded as far as it goes."
    case .contracted: return "\(part.drawer) \(took): it is contracted as far as it goes."
    case .owner: return "\(part.drawer) was not asked for the \(offered) left: it belongs to another delegate."
    case .constraint: return "\(part.drawer) \(took): a constraint permits no more."
    case .resistance: return "\(part.drawer) \(took): its resistance held the rest back."
    case .top: return "\(part.drawer) \(took): it comes back further at the content's top only."
    }
  }

  private static func words(for answer: Value.Record.Field) -> String {
    func y(_ value: Value) -> String {
      guard case .record(let record) = value, case .number(let y)? = record["y"] else { return value.brief }
      return text(y)
    }
    switch answer.name {
    case "targetOffset": return "let the content come to rest at \(y(answer.value))."
    case "consumed": return "took \(y(answer.value)) of what was offered."
    case "returned": return "answered \(answer.value == .bool(true) ? "yes" : "no")."
    default: return "kept the event from those after it."
    }
  }

  // MARK: What came of it

  private var ending: String {
    guard let silence else {
      if changes.allSatisfy({ $0.what.hasPrefix("contentOffset of ") }),
        turns.allSatisfy({ $0.changes.isEmpty && $0.told.isEmpty })
      {
        return "One state was sent, number \(seq); what is new in it is too small to see."
      }
      return states == 1
        ? "One state was sent, number \(seq)." : "\(states) states were sent, the last one number \(seq)."
    }
    return "No state was sent: \(silence.words)."
  }
}

extension Explanation.Silence {
  /// Why, in words.
  var words: String {
    switch self {
    case .refused(let reason): "the event was refused: \(reason)"
    case .waits(let client): "the header waits for \(client)"
    case .nobody: "nobody in the chain hears of such events, or those who do are bypassed"
    case .notTracked: "the header follows another scroll view"
    case .nothingAsked:
      "those who heard of it held it back by rules of their own (resistance, direction, the ends of the content)"
    case .nothingMoved: "the drawers are where they can move no further that way"
    case .nothingNew: "nothing that a subscriber sees is other than before"
    }
  }

  /// For programs.
  var name: String {
    switch self {
    case .refused: "refused"
    case .waits: "waits"
    case .nobody: "nobody"
    case .notTracked: "notTracked"
    case .nothingAsked: "nothingAsked"
    case .nothingMoved: "nothingMoved"
    case .nothingNew: "nothingNew"
    }
  }
}

extension Explanation.Change {
  /// What it is, as people say it.
  private var plain: String {
    if what.hasPrefix("contentOffset of ") { return "the offset of \(what.dropFirst("contentOffset of ".count))" }
    guard what.hasPrefix("contentInset of ") else { return what }
    return "the top inset of \(what.dropFirst("contentInset of ".count))"
  }

  /// `navBar top from 20 to 8`.
  fileprivate var words: String {
    func shown(_ value: Value) -> String {
      switch value {
      case .number(let number): text(number)
      case .bool(let bool): bool ? "yes" : "no"
      case .record(let record):
        switch (record["top"], record["y"]) {
        case (.number(let top)?, _): text(top)
        case (_, .number(let y)?): text(y)
        default: value.brief
        }
      default: value.brief
      }
    }
    return "\(plain) from \(shown(old)) to \(shown(new))"
  }
}

// MARK: - JSON

extension Explanation {
  /// For programs: the ledger, and the story.
  public var value: Value {
    var record: Value.Record = [
      "event": .record(event), "turns": .list(turns.map(\.value)), "states": .number(Double(states)),
    ]
    if states > 0 { record["seq"] = .number(Double(seq)) }
    if !changes.isEmpty { record["changes"] = .list(changes.map(\.value)) }
    if lost > 0 { record["lost"] = .number(Double(lost)) }
    if let silence { record["silence"] = ["name": .text(silence.name), "words": .text(silence.words)] }
    record["story"] = .list(story.map { .text($0) })
    return .record(record)
  }
}

extension Explanation.Turn {
  fileprivate var value: Value {
    var record: Value.Record = [
      "delegate": .text(delegate), "event": .text(event), "depth": .number(Double(depth)),
      "moves": .list(moves.map(\.value)), "changes": .list(changes.map(\.value)),
    ]
    record["offset"] = offset?.value
    if !cuts.isEmpty { record["cuts"] = .list(cuts.map(\.value)) }
    if !told.isEmpty { record["told"] = .list(told.map { .text($0) }) }
    if !answer.fields.isEmpty { record["answer"] = .record(answer) }
    record["failure"] = failure.map { .text($0) }
    return .record(record)
  }
}

extension Explanation.Move {
  fileprivate var value: Value {
    [
      "kind": .text(kind.rawValue), "distance": .number(distance), "residual": .number(residual),
      "drawers": .list(
        parts.map { part in
          var record: Value.Record = [
            "drawer": .text(part.drawer), "wanted": .number(part.wanted), "taken": .number(part.taken),
            "residual": .number(part.residual),
          ]
          record["rule"] = part.rule.map { .text($0.rawValue) }
          return .record(record)
        }),
    ]
  }
}

extension Explanation.Cut {
  fileprivate var value: Value {
    var record: Value.Record = ["rule": .text(rule.rawValue), "wanted": .number(wanted), "left": .number(left)]
    record["drawer"] = drawer.map { .text($0) }
    if !by.isEmpty { record["by"] = .list(by.map { .text($0) }) }
    return .record(record)
  }
}

extension Explanation.Change {
  fileprivate var value: Value { ["what": .text(what), "from": old, "to": new] }
}

// MARK: - Words

private func text(_ number: Double) -> String { explainedNumber(number) }
private func points(_ number: Double) -> String { "\(text(number)) point\(text(number) == "1" ? "" : "s")" }

private func number(_ value: Value?) -> String? {
  guard case .number(let number)? = value else { return nil }
  return text(number)
}

/// `a, b and c`.
private func list(_ words: [String]) -> String {
  guard let last = words.last, words.count > 1 else { return words.first ?? "" }
  return "\(words.dropLast().joined(separator: ", ")) and \(last)"
}
