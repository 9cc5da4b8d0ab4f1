// SPDX-License-Identifier: MIT
//
// An explanation in plain words, one sentence a line, and as JSON.

extension Explanation {
  /// The story in plain words, for people who do not know the code.
  public var story: [String] {
    var lines = [opening]
    let frames = turns.filter { $0.frame != nil }
    lines += Self.sentences(ofFrames: frames)
    for turn in turns where turn.frame == nil { lines += sentences(of: turn) }
    let others = Self.merged(changes.filter { $0.what != shownOffset?.what })
    if !others.isEmpty { lines.append("Also changed: \(list(others.flatMap(\.words))).") }
    if lost > 0 { lines.append("More came of it, of which \(lost) entries are not kept.") }
    lines.append(ending)
    return lines
  }

  /// Whether the content moved, or is about to.
  private var movesContent: Bool {
    if let delta = event["delta"]?.record { return delta.fields.contains { $0.value != 0 } }
    return changes.contains { $0.what.hasPrefix("contentOffset of ") }
  }

  /// The movement of the content that the story begins with.
  private var shownOffset: Change? {
    changes.first { $0.what.hasPrefix("contentOffset of ") && text($0.old.record?["y"]) != text($0.new.record?["y"]) }
  }

  // MARK: The input

  private var opening: String {
    let time = event["time"]?.number.map { "At \(text($0)) s " } ?? ""
    guard let word = event["event"]?.text else { return "\(time)something came." }
    guard let moved = shownOffset, let from = moved.old.record?["y"]?.number, let to = moved.new.record?["y"]?.number
    else { return "\(time)came \(word)\(place)." }
    let view = moved.what.dropFirst("contentOffset of ".count)
    let way = to > from ? "up" : "down"
    return
      "\(time)came \(word): the content moved \(way) by \(points(abs(to - from))) (offset of \(view) from \(text(from)) to \(text(to)))."
  }

  private var place: String {
    if let name = event["name"]?.text { return " \(name)" }
    return event["offset"]?.record?["y"]?.number.map { " at \(text($0))" } ?? ""
  }

  // MARK: Actors and effects

  /// Sentences about the frames that ran before the event: the delegates that ran in them, and the sum of their effects.
  private static func sentences(ofFrames turns: [Turn]) -> [String] {
    var groups: [[Turn]] = []
    for turn in turns {
      let index = groups.firstIndex {
        $0[0].delegate == turn.delegate && $0[0].event == turn.event && $0[0].depth == turn.depth
      }
      if let index { groups[index].append(turn) } else { groups.append([turn]) }
    }
    return groups.flatMap { group -> [String] in
      let times = group.compactMap(\.frame)
      guard let first = times.first, let last = times.last else { return [] }
      let count = Set(times.map(\.nanoseconds)).count
      let before =
        count == 1
        ? "in the frame at \(text(first.seconds)) s"
        : "in \(count) frames from \(text(first.seconds)) s to \(text(last.seconds)) s"
      let name = group[0].delegate
      let indent = String(repeating: "  ", count: min(group[0].depth, 8))
      let changes = merged(group.flatMap(\.changes))
      let told = group.flatMap(\.told)
      var lines = [
        "\(indent)\(name), \(before), \(changes.isEmpty ? "changed nothing" : "changed \(list(changes.flatMap(\.words)))")."
      ]
      if !told.isEmpty { lines.append("\(indent)\(name) told \(list(told)).") }
      return lines
        + group.compactMap(\.failure).map { "\(indent)\(name) failed and is bypassed: \($0)." }
    }
  }

  /// Of several changes of one thing the way from the first to the last.
  private static func merged(_ changes: [Change]) -> [Change] {
    var merged: [Change] = []
    for change in changes {
      if let index = merged.firstIndex(where: { $0.what == change.what }) {
        merged[index].new = change.new
      } else {
        merged.append(change)
      }
    }
    return merged.filter { $0.old != $0.new }
  }

  private func sentences(of turn: Turn) -> [String] {
    let indent = String(repeating: "  ", count: min(turn.depth, 8))
    var lines: [String] = []
    let heard =
      switch turn.event {
      case "afterwards": "\(turn.delegate), after the event,"
      case "timer": "\(turn.delegate), whose time had come,"
      case "frame": "\(turn.delegate), in this frame,"
      case "request": "\(turn.delegate), asked by name,"
      case "answer": "\(turn.delegate) answered and"
      default: "\(turn.delegate) heard of it\(turn.depth > 0 ? " (\(turn.event), brought about by the write)" : "") and"
      }
    var isBegun = false
    func say(_ words: String) {
      lines.append("\(indent)\(isBegun ? "\(turn.delegate) then" : heard) \(words)")
      isBegun = true
    }
    for cut in turn.cuts where cut.rule != .constraint { say(Self.words(for: cut)) }
    // What constraints hold back comes back as left over, too.
    let bounds = turn.cuts.filter { $0.rule == .constraint }
    let held = turn.moves.count == 1 ? bounds.reduce(0) { $0 + $1.wanted - $1.left } : 0
    for (index, move) in turn.moves.enumerated() {
      // An earlier sentence has said that nothing was left of it.
      if move.kind == .by, move.distance == 0, isBegun { continue }
      say(words(for: move))
      if index == 0 { lines += bounds.map { "\(indent)  \(Self.words(for: $0))" } }
      lines += move.parts.filter { Self.isSeen($0.wanted) }.map { "\(indent)  \(Self.sentence(of: $0))" }
      if move.kind == .by, Self.isSeen(move.residual - held) {
        lines.append("\(indent)  \(points(abs(move.residual - held))) were left that no drawer could use.")
      }
    }
    if turn.moves.isEmpty { lines += bounds.map { "\(indent)  \(Self.words(for: $0))" } }
    if !isBegun, turn.changes.isEmpty, turn.failure == nil {
      lines.append("\(indent)\(heard) asked for no movement.")
    }
    if !turn.changes.isEmpty {
      let before = isBegun ? "So \(turn.delegate)" : heard
      lines.append("\(indent)\(before) changed \(list(turn.changes.flatMap(\.words))).")
    }
    if !turn.told.isEmpty { lines.append("\(indent)\(turn.delegate) told \(list(turn.told)).") }
    lines += turn.answer.fields.map { "\(indent)\(turn.delegate) \(Self.words(for: $0))" }
    if let failure = turn.failure { lines.append("\(indent)\(turn.delegate) failed and is bypassed: \(failure).") }
    return lines
  }

  /// Whether it is more than nothing as numbers are written here.
  private static func isSeen(_ distance: Double) -> Bool { text(abs(distance)) != "0" }

  private func words(for move: Move) -> String {
    switch move.kind {
    case .expand: "expanded the drawers fully."
    case .contract: "contracted the drawers fully."
    case .by where !Self.isSeen(move.distance):
      movesContent
        ? "asked for no movement, by a rule of its own (resistance, direction, the ends of the content)."
        : "asked for no movement."
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
    // The drawer's limits have moved meanwhile, and the drawer with them.
    if isSeen(part.taken - part.wanted), !(min(0, part.wanted)...max(0, part.wanted) ~= part.taken) {
      return
        "\(part.drawer) was offered \(offered) and moved by \(text(abs(part.taken))) in all: its limits have changed."
    }
    let took = abs(part.taken) < 1e-9 ? "took nothing of \(offered)" : "took \(text(abs(part.taken))) of \(offered)"
    switch part.rule {
    case nil: return "\(part.drawer) took all \(offered)."
    case .sticky: return "\(part.drawer) took nothing of \(offered): it is sticky."
    case .expanded: return "\(part.drawer) \(took): it is expanded as far as it goes."
    case .contracted: return "\(part.drawer) \(took): it is contracted as far as it goes."
    case .owner: return "\(part.drawer) was not asked for the \(offered) left: it belongs to another delegate."
    case .constraint:
      switch part.by.count {
      case 0: return "\(part.drawer) \(took): it is permitted no more."
      case 1: return "\(part.drawer) \(took): the constraint \"\(part.by[0])\" permits no more."
      default: return "\(part.drawer) \(took): the constraints \(list(part.by.map { "\"\($0)\"" })) permit no more."
      }
    case .resistance: return "\(part.drawer) \(took): its resistance held the rest back."
    case .top: return "\(part.drawer) \(took): it comes back further at the content's top only."
    }
  }

  private static func words(for answer: Value.Record.Field) -> String {
    func y(_ value: Value, _ change: (Double) -> Double = { $0 }) -> String {
      value.record?["y"]?.number.map { text(change($0)) } ?? value.brief
    }
    switch answer.name {
    case "targetOffset": return "let the content come to rest at \(y(answer.value))."
    case "consumed": return "took \(y(answer.value, abs)) of what was offered."
    case "returned": return "answered \(answer.value == .bool(true) ? "yes" : "no")."
    default: return "kept the event from those after it."
    }
  }

  // MARK: Outcome

  private var ending: String {
    guard let silence else {
      let isNew = !changes.allSatisfy { $0.what == shownOffset?.what } || turns.contains(where: \.isTold)
      let rest = isNew ? "" : ", with nothing new in it\(shownOffset == nil ? "" : " but the offset")"
      return states == 1
        ? "One state was sent, number \(seq)\(rest)." : "\(states) states were sent, the last one number \(seq)."
    }
    return "No state was sent: \(words(for: silence))."
  }

  /// Why no state was sent, in words.
  private func words(for silence: Silence) -> String {
    switch silence {
    case .refused(let reason): "the event was refused: \(reason)"
    case .waits(let client): "the header waits for \(client)"
    case .nobody: "nobody in the chain hears of such events, or those who do are bypassed"
    case .notTracked: "the header follows another scroll view"
    case .nothingAsked where movesContent:
      "those who heard of it held it back by rules of their own (resistance, direction, the ends of the content)"
    case .nothingAsked: "those who heard of it asked for nothing"
    case .nothingMoved: "the drawers are where they can move no further that way"
    case .nothingNew: "nothing that a subscriber sees is other than before"
    }
  }
}

extension Explanation.Silence {
  fileprivate var name: String {
    switch self {
    case .refused: "refused"
    case .waits: "waits"
    case .nobody, .notTracked, .nothingAsked, .nothingMoved, .nothingNew: "\(self)"
    }
  }
}

extension Explanation.Change {
  /// `navBar top from 20 to 8`, `the top inset of content from 104 to 92`.
  fileprivate var words: [String] {
    guard let was = old.record, let new = new.record else { return ["\(what) \(Self.way(old, self.new))"] }
    // The changed members of a point, a size or insets, the vertical ones first.
    let names = ["y", "top", "bottom", "height", "x", "left", "right", "width"].filter { was[$0] != new[$0] }
    let seen = names.filter { text(was[$0]) != text(new[$0]) }
    let parts = seen.isEmpty ? Array(names.prefix(1)) : seen
    return parts.map { "\(plain(of: $0)) \(Self.way(was[$0] ?? .null, new[$0] ?? .null))" }
  }

  private static func way(_ old: Value, _ new: Value) -> String {
    if case .list = new { return "to another one" }
    if case .number(let old) = old, case .number(let new) = new, text(old) == text(new) { return "by less than 0.01" }
    return "from \(shown(old)) to \(shown(new))"
  }

  private static func shown(_ value: Value) -> String {
    switch value {
    case .number(let number): text(number)
    case .bool(let bool): bool ? "yes" : "no"
    default: value.brief
    }
  }

  /// A part of it, as people say it.
  private func plain(of part: String) -> String {
    let words = what.split(separator: " ", maxSplits: 2)
    guard words.count == 3, words[1] == "of" else { return "\(what) \(part)" }
    let subject = words[2]
    return switch words[0] {
    case "contentOffset": part == "y" ? "the offset of \(subject)" : "the horizontal offset of \(subject)"
    case "contentInset": "the \(part) inset of \(subject)"
    default: "\(words[0]) \(part) of \(subject)"
    }
  }
}

extension Explanation.Turn {
  /// Whether something in a state is new by it.
  fileprivate var isTold: Bool { !changes.isEmpty || !told.isEmpty || failure != nil }
}

// MARK: - JSON

extension Explanation {
  /// The ledger and the story, as JSON.
  public var value: Value {
    var record: Value.Record = [
      "event": .record(event), "turns": .list(turns.map(\.value)), "states": .number(Double(states)),
    ]
    if states > 0 { record["seq"] = .number(Double(seq)) }
    if !changes.isEmpty { record["changes"] = .list(changes.map(\.value)) }
    if lost > 0 { record["lost"] = .number(Double(lost)) }
    if let silence { record["silence"] = ["name": .text(silence.name), "words": .text(words(for: silence))] }
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
    record["frame"] = frame.map { .number($0.seconds) }
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
          if !part.by.isEmpty { record["by"] = .list(part.by.map { .text($0) }) }
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

private func text(_ value: Value?) -> String { value?.number.map { text($0) } ?? "" }

/// `a, b and c`.
private func list(_ words: [String]) -> String {
  guard let last = words.last, words.count > 1 else { return words.first ?? "" }
  return "\(words.dropLast().joined(separator: ", ")) and \(last)"
}
