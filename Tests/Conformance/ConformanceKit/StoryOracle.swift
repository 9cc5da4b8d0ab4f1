// SPDX-License-Identifier: MIT
//
// Holds each sentence of a story (Sources/HeaderModel/ExplanationStory.swift) against the states before and after. It knows the
// sentences by their words alone: one that it does not know is an error, so that none goes unchecked.

internal import Foundation
package import HeaderCore
package import HeaderModel

/// What a header shows, by the names that stories have for it.
package struct Shown: Equatable {
  /// Numbers and words, as stories write them.
  var things: [String: String] = [:]
  /// Those that are numbers, in full.
  var numbers: [String: Double] = [:]

  package init(_ header: Header) {
    let state = header.state
    for (index, name) in state.names.drawers.enumerated() {
      let (drawer, frame) = (state.drawers[index], state.drawers[index].drawnFrame)
      put("\(name) top", frame.origin.y)
      put("\(name) left", frame.origin.x)
      put("\(name) height", drawer.size.height)
      put("\(name) width", drawer.size.width)
      put("\(name) alpha", Double(drawer.alpha))
      put("\(name) hidden", drawer.isHidden)
    }
    for (index, name) in state.names.scrollViews.enumerated() {
      let view = state.scrollViews[index]
      put("the offset of \(name)", view.contentOffset.y)
      put("the horizontal offset of \(name)", view.contentOffset.x)
      put("the top inset of \(name)", view.contentInset.top)
      put("the bottom inset of \(name)", view.contentInset.bottom)
    }
    for (index, name) in state.names.values.enumerated() {
      switch state.values[index].content {
      case .null: things[name] = "null"
      case .bool(let bool): put(name, bool)
      case .number(let number): put(name, number)
      case .text(let text): things[name] = "\"\(text)\""
      }
    }
  }

  private mutating func put(_ name: String, _ bool: Bool) { things[name] = bool ? "yes" : "no" }

  private mutating func put(_ name: String, _ number: Double) {
    numbers[name] = number
    things[name] = Self.text(number)
  }

  static func text(_ number: Double) -> String {
    guard abs(number) < 1e12 else { return "\(number)" }
    let rounded = (number * 100).rounded() / 100
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}

/// What is known of an event without its explanation.
package struct Witness {
  package var event: ScrollEvent
  package var before: Shown
  package var after: Shown
  /// The texts of the states before and after, all but their numbers.
  package var isNew: Bool
  package var states: Int
  package var seq: Int64
  package var bypassed: [String]
  package var notices: [String]
  package var animations: Int
  package var commands: [String]
  package var tracking: String?

  package init(
    event: ScrollEvent, before: Shown, after: Shown, isNew: Bool, states: Int, seq: Int64, bypassed: [String],
    notices: [String], animations: Int, commands: [String], tracking: String?
  ) {
    (self.event, self.before, self.after) = (event, before, after)
    (self.isNew, self.states, self.seq, self.bypassed) = (isNew, states, seq, bypassed)
    (self.notices, self.animations, self.commands, self.tracking) = (notices, animations, commands, tracking)
  }

  /// Whether the content moved, or somebody asked whether it may.
  var moves: Bool {
    switch event.kind {
    case .willScroll(let delta, _), .didOverscroll(let delta, _): delta != Point()
    case .willFling: true
    default: before.numbers.contains { $0.key.hasPrefix("the offset of ") && after.numbers[$0.key] != $0.value }
    }
  }
}

/// What is untrue of one story.
package struct StoryOracle {
  package private(set) var problems: [String] = []
  private let witness: Witness
  private let explanation: Explanation
  /// What was said to have changed, in order.
  private var changes: [(what: String, old: String, new: String)] = []
  private var offered: [Double] = []
  private var line = ""

  package init(_ explanation: Explanation, _ witness: Witness) {
    (self.explanation, self.witness) = (explanation, witness)
    for line in explanation.story {
      self.line = line
      read(line.trimmingCharacters(in: .whitespaces))
    }
    checkChanges()
    if explanation.story.count > 40 { claim(false, "it has \(explanation.story.count) sentences") }
  }

  private mutating func claim(_ isTrue: Bool, _ why: String) {
    if !isTrue { problems.append("\(line) | \(why)") }
  }

  // MARK: - Sentences

  private mutating func read(_ sentence: String) {
    if sentence.hasPrefix("At ") { return readOpening(sentence) }
    if sentence.hasPrefix("No state was sent: ") { return readSilence(String(sentence.dropFirst(19))) }
    if sentence.contains(" sent, ") { return readEnding(sentence) }
    if let part = parse(sentence, "# took all #.") { return took(part[0], part[1], part[1], nil) }
    if let part = parse(sentence, "# took # of what was offered.") {
      return claim(witness.moves || part[1] == "0", "nothing was offered: \(part)")
    }
    if let part = parse(sentence, "# took # of #: #.") { return took(part[0], part[1], part[2], part[3]) }
    if let part = parse(sentence, "# was offered # and moved by # in all: its limits have changed.") {
      offered = []
      return claim(part[1] != part[2], "that is what was offered")
    }
    if let part = parse(sentence, "# was not asked for the # left: #.") {
      return claim(part[1] != "0", "nothing was left")
    }
    if let part = parse(sentence, "# were left that no drawer could use.") {
      return claim(points(part[0]) > 0, "nothing was left")
    }
    if let part = parse(sentence, "# held back # of #.") { return held(part[1], points(part[2]), nil) }
    if let part = parse(sentence, "# told #.") { return told(part[1]) }
    if let part = parse(sentence, "# failed and is bypassed: #.") {
      return claim(witness.bypassed.contains(part[0]), "\(witness.bypassed) are bypassed")
    }
    if let part = parse(sentence, "# let the content come to rest at #.") {
      return claim(Double(part[1]) != nil, "that is no number")
    }
    if parse(sentence, "# answered yes.") != nil || parse(sentence, "# answered no.") != nil { return }
    if sentence.hasSuffix(" kept the event from those after it.") { return }
    if let part = parse(sentence, "# resisted: # held back # of #, so that nothing was left.") {
      return held(part[2], points(part[3]), 0)
    }
    if let part = parse(sentence, "# resisted: # held back # of #, and let # through.") {
      return held(part[2], points(part[3]), Double(part[4]))
    }
    if let part = parse(sentence, "# asked the drawers to # by #.") {
      offered = [points(part[2])]
      return claim(points(part[2]) > 0, "by nothing")
    }
    if parse(sentence, "# expanded the drawers fully.") != nil
      || parse(sentence, "# contracted the drawers fully.") != nil
    {
      offered = []
      return
    }
    if sentence.contains("rule of its own") { return claim(witness.moves, "the content did not move") }
    if parse(sentence, "# asked for no movement.") != nil { return }
    if let part = parse(sentence, "Also changed: #.") { return changed(part[0]) }
    if parse(sentence, "#, in # frames from # s to # s, changed nothing.") != nil { return }
    if parse(sentence, "#, in the frame at # s, changed nothing.") != nil { return }
    if let part = parse(sentence, "# changed #.") { return changed(part[1]) }
    if parse(sentence, "More came of it, of which # entries are not kept.") != nil { return }
    claim(false, "nobody knows this sentence")
  }

  private mutating func readOpening(_ sentence: String) {
    guard let part = parse(sentence, "At # s came #: the content moved # by # (offset of # from # to #).") else {
      let words = sentence.components(separatedBy: " s came ").last ?? ""
      return claim(words.hasPrefix(name), "it is \(name)")
    }
    claim(part[1] == name, "it is \(name)")
    guard let from = Double(part[5]), let to = Double(part[6]) else { return claim(false, "these are no numbers") }
    claim(from != to && (part[2] == "up") == (to > from), "that is no way")
    claim(abs(abs(to - from) - points(part[3])) < 0.011, "the way is \(abs(to - from))")
    changes.append(("the offset of \(part[4])", part[5], part[6]))
  }

  private var name: String { witness.event.kind.name.rawValue }

  private mutating func readSilence(_ reason: String) {
    claim(witness.states == 0, "\(witness.states) states were sent")
    let turns = explanation.turns
    if reason.contains("hold") || reason.contains("rules of their own") || reason.contains("held it back") {
      claim(witness.moves, "the content did not move")
    }
    if reason.hasPrefix("the drawers are where") {
      claim(turns.contains { $0.moves.contains { !$0.parts.isEmpty } }, "no drawer was asked")
      claim(turns.allSatisfy { $0.moves.allSatisfy { $0.parts.allSatisfy { $0.taken == 0 } } }, "one took something")
    } else if reason.hasPrefix("nobody in the chain") {
      claim(turns.isEmpty, "somebody was asked")
    } else if reason.hasPrefix("the header follows another") {
      claim(
        witness.event.scrollView != nil && witness.event.scrollView != witness.tracking,
        "it follows \(witness.tracking ?? "none")")
    }
    if !reason.hasPrefix("the event was refused") { claim(!witness.isNew, "the state is another one") }
  }

  private mutating func readEnding(_ sentence: String) {
    let one = sentence.hasPrefix("One state")
    claim(one ? witness.states == 1 : sentence.hasPrefix("\(witness.states) states"), "\(witness.states) were sent")
    claim(sentence.contains("number \(witness.seq)"), "the last one is \(witness.seq)")
    if sentence.contains("nothing new in it") {
      claim(
        witness.bypassed.isEmpty && witness.notices.isEmpty && witness.animations == 0,
        "it says \(witness.notices), \(witness.bypassed)")
      for (name, new) in witness.after.things where !(sentence.hasSuffix("offset.") && name.hasPrefix("the offset of "))
      {
        claim(
          witness.before.things[name] ?? new == new, "\(name) is \(new) and was \(witness.before.things[name] ?? "")")
      }
    }
  }

  // MARK: - Their parts

  private mutating func took(_ drawer: String, _ taken: String, _ of: String, _ reason: String?) {
    guard let wanted = Double(of), let took = taken == "nothing" ? 0 : Double(taken) else {
      return claim(false, "these are no numbers")
    }
    claim(witness.after.things["\(drawer) top"] != nil, "there is no drawer \(drawer)")
    claim(wanted > 0, "nothing was offered")
    claim(reason == nil ? took == wanted : took < wanted || wanted < 0.01, "took \(took)")
    if let most = offered.first { claim(wanted <= most + 0.011, "only \(most) were asked for") }
  }

  private mutating func held(_ held: String, _ wanted: Double, _ left: Double?) {
    guard let held = Double(held) else { return claim(false, "that is no number") }
    claim(held > 0 && held <= wanted + 0.011, "held \(held) of \(wanted)")
    if let left { claim(abs(wanted - held - left) < 0.021, "\(left) would be left") }
    if line.contains("resisted") { claim(witness.moves, "the content did not move") }
  }

  private mutating func told(_ list: String) {
    for word in words(of: list) {
      if word.hasPrefix("command ") {
        claim(witness.commands.contains(String(word.dropFirst(8))), "\(witness.commands) were")
      } else if word.hasPrefix("animation of ") {
        claim(witness.animations > 0, "no animation was")
      } else {
        claim(witness.notices.contains(word.components(separatedBy: " ")[0]), "\(witness.notices) were")
      }
    }
  }

  private mutating func changed(_ list: String) {
    for words in words(of: list) {
      if words.hasSuffix(" by less than 0.01") || words.hasSuffix(" to another one") { continue }
      guard let part = parse(words, "# from # to #") else { return claim(false, "\(words) is no change") }
      claim(part[1] != part[2], "\(part[0]) did not change")
      changes.append((part[0], part[1], part[2]))
    }
  }

  /// What was said to have changed leads from what was there before to what is there after, and nothing else has changed.
  private mutating func checkChanges() {
    guard explanation.lost == 0, !explanation.story.contains(where: { $0.contains("the event was refused") }) else {
      return
    }
    line = explanation.story.joined(separator: " / ")
    for (name, new) in witness.after.things.sorted(by: { $0.key < $1.key }) {
      guard let old = witness.before.things[name] else { continue }
      let own = changes.filter { $0.what == name }
      if own.isEmpty {
        // A part of what the publisher reports of the content makes no news.
        claim(old == new, "\(name) was \(old), is \(new), and nobody says so")
      } else if own.count == 1 {
        claim(own[0].old == old && own[0].new == new, "\(name) was \(old) and is \(new)")
      } else {
        claim(own.contains { $0.old == old } && own.contains { $0.new == new }, "\(name) was \(old) and is \(new)")
      }
    }
  }

  // MARK: - Words

  /// `a, b and c`.
  private func words(of list: String) -> [String] {
    let parts = list.components(separatedBy: ", ")
    guard let last = parts.last?.components(separatedBy: " and "), last.count > 1 else { return parts }
    return parts.dropLast() + [last.dropLast().joined(separator: " and "), last[last.count - 1]]
  }

  /// `1 point`, `12 points`.
  private func points(_ words: String) -> Double { Double(words.components(separatedBy: " ")[0]) ?? .nan }

  /// What stands in place of each # of a pattern; nil: the sentence is another one.
  private func parse(_ sentence: String, _ pattern: String) -> [String]? {
    let pieces = pattern.utf8.split(separator: UInt8(ascii: "#"), omittingEmptySubsequences: false)
    guard sentence.utf8.starts(with: pieces[0]) else { return nil }
    var rest = sentence.utf8.dropFirst(pieces[0].count)
    var found: [String] = []
    for piece in pieces.dropFirst().dropLast() {
      guard !piece.isEmpty, let end = rest.indices.first(where: { rest[$0...].starts(with: piece) }) else { return nil }
      found.append(String(Substring(rest[..<end])))
      rest = rest[end...].dropFirst(piece.count)
    }
    guard pieces.count > 1 else { return rest.isEmpty ? found : nil }
    let tail = pieces[pieces.count - 1]
    guard rest.count >= tail.count, rest.suffix(tail.count).elementsEqual(tail) else { return nil }
    return found + [String(Substring(rest.dropLast(tail.count)))]
  }
}
