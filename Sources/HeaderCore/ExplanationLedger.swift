// SPDX-License-Identifier: MIT
//
// Records explanations: reports during an input, and the differences before and after each call.

import HeaderModel

/// The explanations of one header's last inputs.
final class ExplanationLedger {
  private(set) var kept: [Explanation] = []
  var limit = 0 { didSet { trim() } }
  /// Each state says why it is there.
  var explainsStates = false { didSet { forgetSilent() } }
  private var present: Explanation?
  /// The calls under way, by their places among the present turns, the innermost last; below 0: there was no room for one.
  private var stack: [Int] = []
  private var seen = HeaderSnapshot()
  /// There was room for the movement under way.
  private var keepsMove = false
  /// The drawer that was last asked for a part of it.
  var lastAsked = -1
  /// An input is being handled.
  private(set) var isUnderWay = false
  /// When the frame is due that is being run before an event.
  var frame: Instant?
  /// Entries of the present explanation, and those that an earlier state has carried.
  private var entries = 0
  private var sent = (turns: 0, changes: 0, lost: 0)
  /// Inputs that have made no state since the last one, for the next; and how many before them.
  private var silent: [Explanation] = []
  private var silentLost = 0
  private static let maxSilent = 8
  private unowned let header: Header

  init(of header: Header) { self.header = header }

  private func trim() { if kept.count > limit { kept.removeFirst(kept.count - limit) } }

  private func forgetSilent() { (silent, silentLost) = ([], 0) }

  // MARK: The input

  /// - Parameter client: the client whose answer an input that has waited continues with.
  func begin(_ event: Value.Record, _ client: String?) {
    isUnderWay = true
    seen = HeaderSnapshot(header)
    stack = []
    if let client, present != nil {
      beginTurn(of: client, "answer", depth: 0, nil)
    } else {
      present = Explanation(event: event)
      (entries, sent) = (0, (0, 0, 0))
    }
  }

  func noteState(_ seq: Int64) {
    present?.states += 1
    present?.seq = seq
  }

  /// - Parameter refusal: why the input was refused; nil: it was not.
  func end(_ refusal: String?) {
    noteChanges()
    stack = []
    isUnderWay = false
    guard var explanation = present else { return }
    explanation.silence = explanation.states > 0 ? nil : silence(of: explanation, refusal)
    // The explanation continues with the client's answer.
    if header.isWaiting { return present = explanation }
    present = nil
    if explainsStates, explanation.silence != nil { keepSilent(explanation) }
    guard limit > 0 else { return }
    kept.append(explanation)
    trim()
  }

  private func keepSilent(_ explanation: Explanation) {
    silent.append(explanation)
    guard silent.count > Self.maxSilent else { return }
    silent.removeFirst()
    silentLost += 1
  }

  private func silence(of explanation: Explanation, _ refusal: String?) -> Explanation.Silence {
    if let refusal { return .refused(refusal) }
    if let client = header.waitsFor { return .waits(client) }
    guard !explanation.turns.isEmpty else {
      if case .text(let view)? = explanation.event["scrollView"],
        header.state.names.scrollViews.firstIndex(of: view) != header.trackingScrollView
      {
        return .notTracked
      }
      return .nobody
    }
    let moves = explanation.turns.flatMap(\.moves)
    let parts = moves.flatMap(\.parts)
    if !parts.isEmpty, parts.allSatisfy({ $0.taken == 0 }) { return .nothingMoved }
    return explanation.turns.allSatisfy { $0.moves.isEmpty && $0.changes.isEmpty } ? .nothingAsked : .nothingNew
  }

  // MARK: States

  /// The explanation of a state that is about to be sent: why it is sent, and the inputs since the one before it that made none.
  func explanation(of seq: Int64) -> HeaderState.Explained? {
    guard explainsStates, isUnderWay else { return nil }
    noteChanges()
    guard let explanation = present else { return nil }
    var part = explanation
    part.turns.removeFirst(sent.turns)
    part.changes.removeFirst(sent.changes)
    part.lost -= sent.lost
    (part.states, part.seq, part.silence) = (1, seq, nil)
    noteSent()
    guard case .record(var record) = part.value else { return nil }
    if !silent.isEmpty { record["silent"] = .list(silent.map(\.value)) }
    if silentLost > 0 { record["silentLost"] = .number(Double(silentLost)) }
    forgetSilent()
    return HeaderState.Explained(record)
  }

  /// Notes that a state carries the entries so far. If they are many, they make room for the next ones: an input may make a state for each
  /// frame.
  private func noteSent() {
    guard var explanation = present else { return }
    if entries > Explanation.maxEntries / 2, stack.isEmpty {
      explanation.lost += explanation.turns.reduce(explanation.changes.count) { $0 + $1.entries }
      (explanation.turns, explanation.changes) = ([], [])
      entries = 0
      present = explanation
      seen = HeaderSnapshot(header)
    }
    sent = (explanation.turns.count, explanation.changes.count, explanation.lost)
  }

  /// Whether there is room for another entry; entries without room are counted.
  private func hasRoom() -> Bool {
    guard present != nil else { return false }
    guard entries < Explanation.maxEntries else {
      present?.lost += 1
      return false
    }
    entries += 1
    return true
  }

  /// The innermost call, if it is kept.
  private var innermost: Int? { stack.last.flatMap { $0 >= 0 ? $0 : nil } }

  // MARK: Calls

  func beginTurn(of delegate: String, _ event: String, depth: Int32, _ offset: Point?) {
    guard present != nil else { return }
    noteChanges()
    guard hasRoom() else { return stack.append(-1) }
    stack.append(present?.turns.count ?? 0)
    present?.turns.append(
      Explanation.Turn(delegate: delegate, event: event, frame: frame, depth: Int(depth), offset: offset))
  }

  func endTurn(_ answer: DelegateAnswer) {
    guard present != nil, !stack.isEmpty else { return }
    noteChanges()
    let place = stack.removeLast()
    guard place >= 0 else { return }
    if answer.hasTargetOffset { present?.turns[place].answer["targetOffset"] = answer.targetOffset.value }
    if answer.hasConsumed { present?.turns[place].answer["consumed"] = answer.consumed.value }
    if answer.hasReturned { present?.turns[place].answer["returned"] = .bool(answer.returned) }
    if answer.ends { present?.turns[place].answer["ends"] = true }
  }

  /// Drops a call without requests of its own if it changed nothing.
  func endWork() {
    let place = innermost
    endTurn(DelegateAnswer())
    guard let place, let turns = present?.turns, place == turns.count - 1,
      ["afterwards", "frame", "timer", "request"].contains(turns[place].event), turns[place].entries == 1,
      turns[place].failure == nil
    else { return }
    present?.turns.removeLast()
    entries -= 1
  }

  func noteFailure(of delegate: String, _ reason: String) {
    guard present != nil else { return }
    if let place = stack.last(where: { $0 >= 0 && present?.turns[$0].delegate == delegate }) {
      present?.turns[place].failure = reason
    } else if hasRoom() {
      present?.turns.append(
        Explanation.Turn(
          delegate: delegate, event: "afterwards", frame: frame, depth: 0, offset: nil, failure: reason))
    }
  }

  // MARK: Movements

  func beginMove(_ kind: Explanation.Move.Kind, by distance: Double) {
    (keepsMove, lastAsked) = (false, -1)
    guard let place = innermost, hasRoom() else { return }
    keepsMove = true
    present?.turns[place].moves.append(Explanation.Move(kind: kind, distance: distance))
  }

  /// The movement under way, if it is kept.
  private var presentMove: (turn: Int, move: Int)? {
    guard keepsMove, let turn = innermost, let move = present?.turns[turn].moves.indices.last else { return nil }
    return (turn, move)
  }

  func note(_ part: Explanation.Part) {
    guard let (turn, move) = presentMove, hasRoom() else { return }
    present?.turns[turn].moves[move].parts.append(part)
  }

  func note(_ cut: Explanation.Cut) {
    guard let place = innermost, hasRoom() else { return }
    present?.turns[place].cuts.append(cut)
  }

  func endMove(_ residual: Double) {
    endOwnMove(residual)
    if let (turn, move) = presentMove { noteNeighbor(residual, turn, move) }
  }

  /// Notes the rest of a movement that a delegate divides by itself.
  func endOwnMove(_ residual: Double) {
    if let (turn, move) = presentMove { present?.turns[turn].moves[move].residual = residual }
  }

  /// The drawer behind those that were asked may be another delegate's.
  private func noteNeighbor(_ residual: Double, _ place: Int, _ move: Int) {
    guard abs(residual) > 1e-9, !header.isEdged, present?.turns[place].cuts.isEmpty == true, lastAsked >= 0 else {
      return
    }
    let (owners, next) = (header.owners.drawers, lastAsked + 1)
    guard owners.indices.contains(next), owners[next] >= 0, owners[next] != owners[lastAsked], hasRoom() else { return }
    present?.turns[place].moves[move].parts.append(
      Explanation.Part(
        drawer: header.presentName(ofDrawer: next), wanted: residual, taken: 0, residual: residual, rule: .owner))
  }

  // MARK: Changes

  /// Attributes the differences to the innermost call.
  private func noteChanges() {
    // Without room nothing is compared, so that the cost of an explanation is bounded, too.
    guard entries < Explanation.maxEntries else { return }
    let now = HeaderSnapshot(header)
    let changes = now.changes(since: seen, header.state.names).filter { _ in hasRoom() }
    guard let place = innermost else {
      if stack.isEmpty { present?.changes += changes }
      seen = now
      return
    }
    let told = now.told(since: seen, header).filter { _ in hasRoom() }
    seen = now
    present?.turns[place].changes += changes
    present?.turns[place].told += told
  }
}

extension Explanation.Turn {
  /// How much of an explanation it is.
  fileprivate var entries: Int { moves.reduce(1 + changes.count + told.count + cuts.count) { $0 + 1 + $1.parts.count } }
}

/// What of a header is compared: all that its states say.
private struct HeaderSnapshot {
  private var drawers: [Drawer] = []
  private var scrollViews: [ScrollView] = []
  private var elements: [Element] = []
  private var values: [NamedValue] = []
  private var wants = Wants()
  private var tracking = -1
  private var isRunningFrames = false
  private var constraints: [Constraint] = []
  private var notices = 0
  private var animations = 0
  private var commands = 0

  init() {}

  init(_ header: Header) {
    drawers = header.drawers.elements
    scrollViews = header.scrollViews.elements
    elements = header.elements.elements
    values = header.values
    wants = header.wants
    tracking = header.trackingScrollView
    isRunningFrames = !header.schedule.frames.isEmpty
    constraints = header.rare.control?.constraints ?? []
    notices = header.work.happened.notices.count
    animations = header.work.happened.animations.count
    commands = header.work.happened.commands.count
  }

  func changes(since old: HeaderSnapshot, _ names: HeaderNames) -> [Explanation.Change] {
    var list = ChangeList()
    // After a change of structure there is nothing to compare.
    if drawers.count == old.drawers.count, drawers.count == names.drawers.count {
      for (index, name) in names.drawers.enumerated() where drawers[index] != old.drawers[index] {
        list.add(name, old.drawers[index], drawers[index])
      }
    }
    if scrollViews.count == old.scrollViews.count, scrollViews.count == names.scrollViews.count {
      for (index, name) in names.scrollViews.enumerated() where scrollViews[index] != old.scrollViews[index] {
        list.add(name, old.scrollViews[index], scrollViews[index])
      }
      func view(_ index: Int) -> Value { scrollViews.indices.contains(index) ? .text(names.scrollViews[index]) : .null }
      list.add("trackingScrollView", view(old.tracking), view(tracking))
    }
    if elements.count == old.elements.count, elements.count == names.elements.count {
      for (index, name) in names.elements.enumerated() where elements[index] != old.elements[index] {
        list.add(name, old.elements[index], elements[index])
      }
    }
    if values.count == old.values.count, values.count == names.values.count {
      for (index, name) in names.values.enumerated() {
        list.add(name, old.values[index].content.value, values[index].content.value)
      }
    }
    list.add(
      "wish for a hidden status bar", .bool(old.wants.prefersStatusBarHidden), .bool(wants.prefersStatusBarHidden))
    list.add(
      "wish for a status bar's style", old.wants.preferredStatusBarStyle.map { .text($0.rawValue) } ?? .null,
      wants.preferredStatusBarStyle.map { .text($0.rawValue) } ?? .null)
    list.add(
      "additionalSafeAreaInset", old.wants.additionalSafeAreaInset?.value ?? .null,
      wants.additionalSafeAreaInset?.value ?? .null)
    list.add(
      "topLayoutGuideLength", old.wants.topLayoutGuideLength.map { .number($0) } ?? .null,
      wants.topLayoutGuideLength.map { .number($0) } ?? .null)
    list.add("frames", .bool(old.isRunningFrames), .bool(isRunningFrames))
    if constraints != old.constraints {
      func names(_ constraints: [Constraint]) -> Value {
        constraints.isEmpty ? "none" : .text(constraints.map(\.name).joined(separator: " "))
      }
      list.add("constraints", names(old.constraints), names(constraints))
    }
    return list.changes
  }

  /// Notices and animations since a snapshot.
  func told(since old: HeaderSnapshot, _ header: Header) -> [String] {
    let happened = header.work.happened
    // A frame's state in between has emptied them.
    func news<Entry>(_ list: ContiguousArray<Entry>, after count: Int) -> ArraySlice<Entry> {
      list.dropFirst(count <= list.count ? count : 0)
    }
    return news(happened.notices, after: old.notices).compactMap { notice -> String? in
      guard case .behavior(let number) = notice.name, !notice.isRoutine else { return nil }
      // One that is joining is not among the state's names yet.
      return header.proxy.slots[Int(notice.delegate)].delegate.behavior.notices[Int(number)]
    } + news(happened.animations, after: old.animations).map { "animation of \(explainedNumber($0.duration)) s" }
      + news(happened.commands, after: old.commands).map { "command \($0.name)" }
  }
}

private struct ChangeList {
  private(set) var changes: [Explanation.Change] = []

  mutating func add(_ what: String, _ old: Value, _ new: Value) {
    if old != new { changes.append(Explanation.Change(what: what, old: old, new: new)) }
  }

  private mutating func add(_ what: String, _ old: Double, _ new: Double) { add(what, .number(old), .number(new)) }

  mutating func add(_ name: String, _ old: Drawer, _ new: Drawer) {
    add("\(name) top", old.drawnFrame.origin.y, new.drawnFrame.origin.y)
    add("\(name) left", old.drawnFrame.origin.x, new.drawnFrame.origin.x)
    add("\(name) height", old.size.height, new.size.height)
    add("\(name) width", old.size.width, new.size.width)
    add("\(name) alpha", Double(old.alpha), Double(new.alpha))
    add("\(name) hidden", .bool(old.isHidden), .bool(new.isHidden))
    add("\(name) sticky", .bool(old.isSticky), .bool(new.isSticky))
    add("\(name) zIndex", Double(old.zIndex), Double(new.zIndex))
  }

  mutating func add(_ name: String, _ old: ScrollView, _ new: ScrollView) {
    add("contentOffset of \(name)", old.contentOffset.value, new.contentOffset.value)
    add("contentInset of \(name)", old.contentInset.value, new.contentInset.value)
    // Indicator insets follow the content inset unless they are written.
    if new.scrollIndicatorInsets != new.contentInset {
      add("scrollIndicatorInsets of \(name)", old.scrollIndicatorInsets.value, new.scrollIndicatorInsets.value)
    }
    if new.adjustedContentInset != new.contentInset {
      add("adjustedContentInset of \(name)", old.adjustedContentInset.value, new.adjustedContentInset.value)
    }
    // The correction is the sum of the header's own moves of the offset, which stand here already.
    add("contentSize of \(name)", old.contentSize.value, new.contentSize.value)
    add("frame of \(name)", old.frame.value, new.frame.value)
  }

  mutating func add(_ name: String, _ old: Element, _ new: Element) {
    add("\(name) alpha", Double(old.alpha), Double(new.alpha))
    add("\(name) center", old.center.value, new.center.value)
    add("\(name) hidden", .bool(old.isHidden), .bool(new.isHidden))
    add("\(name) bounds", old.bounds.value, new.bounds.value)
    add("\(name) zIndex", old.zIndex, new.zIndex)
    add("\(name) cornerRadius", old.cornerRadius, new.cornerRadius)
    add("\(name) transform", old.transform.value, new.transform.value)
  }
}
