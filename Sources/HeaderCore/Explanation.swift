// SPDX-License-Identifier: MIT
//
// Why a header did what it did: a ledger of one input, kept only while somebody wants it (`Header.explain`).
//
//     input ─▶ shyNavBar asked ─▶ moved the chain by −12 ─▶ extension took 8 (fully contracted), navBar took 4
//                              ─▶ wrote the top inset of content: 84 to 72
//           ─▶ keyframes asked ─▶ nothing
//           ─▶ one state, or why there is none
//
// What a delegate changed is found by comparing the header before and after each call, so that nothing that changes a header has
// to tell. While nobody asks, an input costs one branch at its entrance, and each drawer's part of a movement one.

/// What one input did to a header, and why.
public struct Explanation: Sendable {
  /// The input as recordings have it.
  public internal(set) var event = Value.Record()
  /// Who was called, in the order in which the calls began.
  public internal(set) var turns: [Turn] = []
  /// What the input itself changed, before anybody was called or after all were.
  public internal(set) var changes: [Change] = []
  /// States that were sent.
  public internal(set) var states = 0
  /// The number of the last one.
  public internal(set) var seq: Int64 = 0
  /// Why none was sent; nil: one was.
  public internal(set) var silence: Silence?
  /// Calls, movements and changes that are left out: one explanation has room for `mostEntries`.
  public internal(set) var lost = 0

  /// Calls, movements, drawers' parts of them and changes that one explanation has at most.
  static let mostEntries = 256

  /// One call of a delegate.
  public struct Turn: Sendable {
    /// Its name.
    public var delegate: String
    /// What it was told: an event's word, `afterwards` for layout passes, timers, frames and work put off, `request` for calls and
    /// options, `answer` for what a client answered.
    public var event: String
    /// How deep it is nested in others: 0 for what comes from outside.
    public var depth: Int
    /// Where the content of the event's scroll view was.
    public var offset: Point?
    /// The movements that it asked of the drawers, in order.
    public var moves: [Move] = []
    /// What was held back of them, before the drawers were offered the rest.
    public var cuts: [Cut] = []
    /// What else it wrote.
    public var changes: [Change] = []
    /// What it told and which animations it announced: `didFinishContracting`, `animation of 0.2 s`.
    public var told: [String] = []
    /// What it answered: `targetOffset`, `consumed`, `returned`, `ends`; empty: nothing.
    public var answer = Value.Record()
    /// Why it failed and is bypassed from then on.
    public var failure: String?
  }

  /// A movement that a delegate asked of the drawers.
  public struct Move: Sendable {
    /// What may be asked.
    public enum Kind: String, Sendable, CaseIterable { case by, expand, contract }
    /// What it asked.
    public var kind: Kind
    /// Points in the frame's sign: negative contracts. 0 for `expand` and `contract`.
    public var distance: Double
    /// What none could use.
    public var residual = 0.0
    /// What became of it, drawer by drawer, in the order of asking.
    public var parts: [Part] = []
  }

  /// One drawer's part of a movement. Points in the frame's sign.
  public struct Part: Sendable {
    /// The drawer's name.
    public var drawer: String
    /// What it was offered.
    public var wanted: Double
    /// What it took.
    public var taken: Double
    /// What it passed on.
    public var residual: Double
    /// What cut it; nil: it took all.
    public var rule: Rule?
  }

  /// Why a drawer does not take all of a movement.
  public enum Rule: String, Sendable, CaseIterable {
    /// It is as far down as it goes.
    case expanded
    /// It is as far up as it goes.
    case contracted
    /// It takes part in no movement.
    case sticky
    /// It belongs to another delegate, which the movement is not of: it was not asked.
    case owner
    /// A constraint permits no more, or the header is on its way to where one permits it to be.
    case constraint
    /// A behavior's own resistance takes the first points of a direction.
    case resistance
    /// It comes back, or comes back further, only where the content is at its top.
    case top
  }

  /// A part of a movement that does not reach the drawers. Points in the frame's sign.
  public struct Cut: Sendable {
    /// What holds it back: `constraint` or `resistance`.
    public var rule: Rule
    /// What was wanted.
    public var wanted: Double
    /// What was left of it.
    public var left: Double
    /// The drawer that it is of; nil: of all together.
    public var drawer: String?
    /// The names of the constraints that hold it back.
    public var by: [String] = []
  }

  /// Something that is other than before.
  public struct Change: Sendable {
    /// `navBar top`, `contentInset of content`, `progress`.
    public var what: String
    /// What it was.
    public var old: Value
    /// What it is.
    public var new: Value
  }

  /// Why an input made no state.
  public enum Silence: Sendable, Equatable {
    /// It was refused.
    case refused(String)
    /// It waits for a client.
    case waits(String)
    /// The chain is empty, nobody in it hears such events, or those who do are bypassed.
    case nobody
    /// The event's scroll view is not the one that is tracked.
    case notTracked
    /// They were called and asked for nothing.
    case nothingAsked
    /// What was asked could not be done: the drawers are at their limits.
    case nothingMoved
    /// All that is different is where the publisher says the content is.
    case nothingNew
  }
}

// MARK: - Asking for it

extension Header {
  /// Keeps the explanations of the last inputs from now on; 0 ends it.
  public func explain(last count: Int) { observe { $0.explanations = count } }

  /// How many explanations are kept at most.
  public var explanationLimit: Int { proxy.ledger?.limit ?? 0 }

  /// The explanations that are kept, the oldest first.
  public var explanations: [Explanation] { proxy.ledger?.kept ?? [] }

  /// What of a header is told beside its states, to those who ask.
  public struct Observation: Equatable, Sendable {
    /// `state.happened.calls` is filled in.
    public var recordsCalls = false
    /// `state.happened.explanation` is filled in.
    public var explainsStates = false
    /// How many explanations are kept.
    public var explanations = 0

    /// Nothing.
    public init() {}

    /// What is told.
    public init(recordsCalls: Bool, explainsStates: Bool, explanations: Int) {
      (self.recordsCalls, self.explainsStates, self.explanations) = (recordsCalls, explainsStates, explanations)
    }
  }

  /// What is told beside its states.
  public var observation: Observation {
    Observation(
      recordsCalls: proxy.recordsCalls, explainsStates: proxy.ledger?.explainsStates ?? false,
      explanations: explanationLimit)
  }

  /// Has other things told from now on.
  public func observe(_ change: (inout Observation) -> Void) {
    let old = observation
    var new = old
    change(&new)
    guard new != old else { return }
    proxy.recordsCalls = new.recordsCalls
    if !new.explainsStates, new.explanations == 0 {
      proxy.ledger = nil
    } else {
      let ledger = proxy.ledger ?? ExplanationLedger(of: self)
      (ledger.limit, ledger.explainsStates) = (new.explanations, new.explainsStates)
      proxy.ledger = ledger
    }
    isExplained = proxy.ledger != nil
  }

  /// Notes a drawer's part of a movement.
  /// - Parameter before: where its center was; nil: it is sticky.
  @inline(never)
  func explainPart(of drawer: Int, _ distance: Double, from before: Double?, _ residual: Double) {
    let taken = before.map { drawers[drawer].center.y - $0 } ?? 0
    let isCut = abs(residual) > 1e-9
    let rule: Explanation.Rule? = before == nil ? .sticky : !isCut ? nil : residual > 0 ? .expanded : .contracted
    proxy.ledger?.lastAsked = drawer
    proxy.ledger?.note(
      Explanation.Part(
        drawer: presentName(ofDrawer: drawer), wanted: distance, taken: taken, residual: residual, rule: rule))
  }

  /// A drawer's name. While the structure changes, it may have none yet.
  func presentName(ofDrawer drawer: Int) -> String {
    let names = state.names.drawers
    return names.indices.contains(drawer) ? names[drawer] : "drawer \(drawer)"
  }

  /// The name of a delegate, also of one that is being attached, whom states do not name yet.
  func presentName(ofDelegate delegate: Int) -> String {
    proxy.slots.indices.contains(delegate) ? proxy.slots[delegate].delegate.name : "delegate \(delegate)"
  }

  /// Notes what constraints permit of a movement.
  @inline(never)
  func explainBound(_ distance: Double, _ part: Double) {
    guard abs(distance - part) > 1e-9 else { return }
    let permitted = rare.control?.permitted ?? 0...1
    // Those that are as narrow on that side as all together.
    let holders = (rare.control?.constraints ?? []).filter {
      distance < 0
        ? $0.permitted.upperBound <= permitted.upperBound : $0.permitted.lowerBound >= permitted.lowerBound
    }
    proxy.ledger?.note(
      Explanation.Cut(rule: .constraint, wanted: distance, left: part, by: holders.prefix(8).map(\.name)))
  }

  /// Notes what a rule of a delegate's own has held back of a movement, before the drawers were offered the rest. It changes nothing.
  /// - Parameters:
  ///   - wanted: points in the frame's sign.
  ///   - left: what was left of them.
  ///   - drawer: whose movement it is; nil: that of all together.
  @inline(never)
  public func noteResistance(_ wanted: Double, left: Double, drawer: Int?) {
    // What is wrong with it is left out: an explained header must not go another way than one that is not.
    guard isExplained, isSane(wanted), isSane(left) else { return }
    proxy.ledger?.note(
      Explanation.Cut(rule: .resistance, wanted: wanted, left: left, drawer: drawer.map(presentName(ofDrawer:))))
  }

  /// Notes a movement that a delegate divides among drawers by itself; what each of them takes follows (`notePart`).
  /// - Parameters:
  ///   - distance: points in the frame's sign.
  ///   - taken: what the drawers take of it together.
  @inline(never)
  public func noteMovement(_ distance: Double, taken: Double) {
    guard isExplained, isSane(distance), isSane(taken) else { return }
    proxy.ledger?.beginMove(.by, by: distance)
    proxy.ledger?.endOwnMove(distance - taken)
  }

  /// Notes what a drawer takes of such a movement.
  /// - Parameters:
  ///   - wanted: what it was offered, points in the frame's sign.
  ///   - taken: what it took of that.
  ///   - rule: why it did not take all; nil: it did.
  @inline(never)
  public func notePart(of drawer: Int, _ wanted: Double, taken: Double, rule: Explanation.Rule?) {
    guard isExplained, isSane(wanted), isSane(taken) else { return }
    proxy.ledger?.note(
      Explanation.Part(
        drawer: presentName(ofDrawer: drawer), wanted: wanted, taken: taken, residual: wanted - taken, rule: rule))
  }

  /// `applyScroll` with a ledger.
  @inline(never)
  func explainScroll(
    to offset: PartialPoint, correction: PartialPoint?, at time: Instant?, _ ledger: ExplanationLedger,
    _ emit: (borrowing HeaderState) -> Void
  ) {
    ledger.begin(HeaderInput.scroll(to: offset, correction: correction).recorded(at: time ?? now), nil)
    applyScroll(to: offset, correction: correction, at: time) { state in
      ledger.noteState(state.seq)
      emit(state)
    }
    ledger.end(nil)
  }

  /// `applyOther` with a ledger.
  func applyExplained(
    _ input: HeaderInput, at time: Instant?, _ provider: any BehaviorProvider, _ ledger: ExplanationLedger,
    _ emit: (borrowing HeaderState) -> Void
  ) throws(HeaderError) -> HeaderOutcome {
    ledger.begin(input.recorded(at: time ?? now), waitsFor)
    do throws(HeaderError) {
      let outcome = try applyOther(input, at: time, provider) { state in
        ledger.noteState(state.seq)
        emit(state)
      }
      ledger.end(nil)
      return outcome
    } catch {
      ledger.end(error.message)
      throw error
    }
  }
}

/// The explanations of one header's last inputs.
final class ExplanationLedger {
  private(set) var kept: [Explanation] = []
  var limit = 0 { didSet { trim() } }
  /// Each state says why it is there.
  var explainsStates = false { didSet { forgetSilent() } }
  private var present: Explanation?
  /// The calls under way, by their places among the present turns, the innermost last; below 0: there was no room for it.
  private var stack: [Int] = []
  private var seen = HeaderSnapshot()
  /// There was room for the movement under way.
  private var keepsMove = false
  /// The drawer that was last asked for a part of it.
  var lastAsked = -1
  /// An input is being handled.
  private(set) var isUnderWay = false
  /// Entries of the present explanation, and those that a state has told already.
  private var entries = 0
  private var told = (turns: 0, changes: 0, lost: 0)
  /// Inputs that have made no state since the last one, for the next; and how many before them.
  private var silent: [Explanation] = []
  private var silentLost = 0
  private static let mostSilent = 8
  /// It has the ledger.
  private unowned let header: Header

  init(of header: Header) { self.header = header }

  private func trim() { if kept.count > limit { kept.removeFirst(kept.count - limit) } }

  private func forgetSilent() { (silent, silentLost) = ([], 0) }

  // MARK: The input

  /// - Parameter client: whose answer it is, of an input that has waited.
  func begin(_ event: Value.Record, _ client: String?) {
    isUnderWay = true
    seen = HeaderSnapshot(header)
    stack = []
    if let client, present != nil {
      beginTurn(of: client, "answer", depth: 0, nil)
    } else {
      present = Explanation(event: event)
      (entries, told) = (0, (0, 0, 0))
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
    // It goes on with the client's answer.
    if header.isWaiting { return present = explanation }
    present = nil
    if explainsStates, explanation.silence != nil { keepSilent(explanation) }
    guard limit > 0 else { return }
    kept.append(explanation)
    trim()
  }

  private func keepSilent(_ explanation: Explanation) {
    silent.append(explanation)
    guard silent.count > Self.mostSilent else { return }
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

  /// What a state that is about to be sent says: why it is there, and what came since the one before it and made none.
  func explanation(of seq: Int64) -> HeaderState.Explained? {
    guard explainsStates, isUnderWay else { return nil }
    noteChanges()
    guard let explanation = present else { return nil }
    var part = explanation
    part.turns.removeFirst(told.turns)
    part.changes.removeFirst(told.changes)
    part.lost -= told.lost
    (part.states, part.seq, part.silence) = (1, seq, nil)
    tellUpToHere()
    guard case .record(var record) = part.value else { return nil }
    if !silent.isEmpty { record["silent"] = .list(silent.map(\.value)) }
    if silentLost > 0 { record["silentLost"] = .number(Double(silentLost)) }
    forgetSilent()
    return HeaderState.Explained(record)
  }

  /// An input may make a state a frame: those that are told make room for the next.
  private func tellUpToHere() {
    guard var explanation = present else { return }
    if entries > Explanation.mostEntries / 2, stack.isEmpty {
      explanation.lost += explanation.turns.reduce(explanation.changes.count) { $0 + $1.entries }
      (explanation.turns, explanation.changes) = ([], [])
      entries = 0
      present = explanation
      seen = HeaderSnapshot(header)
    }
    told = (explanation.turns.count, explanation.changes.count, explanation.lost)
  }

  /// Whether there is room for another entry; what there is none for is counted.
  private func hasRoom() -> Bool {
    guard present != nil else { return false }
    guard entries < Explanation.mostEntries else {
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
    present?.turns.append(Explanation.Turn(delegate: delegate, event: event, depth: Int(depth), offset: offset))
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

  /// A call that asked for nothing by itself is of interest only where it changed something.
  func endWork() {
    let place = innermost
    endTurn(DelegateAnswer())
    guard let place, let turns = present?.turns, place == turns.count - 1,
      ["afterwards", "request"].contains(turns[place].event), turns[place].entries == 1, turns[place].failure == nil
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
        Explanation.Turn(delegate: delegate, event: "afterwards", depth: 0, offset: nil, failure: reason))
    }
  }

  // MARK: Movements

  func beginMove(_ kind: Explanation.Move.Kind, by distance: Double) {
    (keepsMove, lastAsked) = (false, -1)
    guard let place = innermost, hasRoom() else { return }
    keepsMove = true
    present?.turns[place].moves.append(Explanation.Move(kind: kind, distance: distance))
  }

  func note(_ part: Explanation.Part) {
    guard keepsMove, let place = innermost, let move = present?.turns[place].moves.indices.last, hasRoom() else {
      return
    }
    present?.turns[place].moves[move].parts.append(part)
  }

  func note(_ cut: Explanation.Cut) {
    guard let place = innermost, hasRoom() else { return }
    present?.turns[place].cuts.append(cut)
  }

  func endMove(_ residual: Double) {
    endOwnMove(residual)
    guard keepsMove, let place = innermost, let move = present?.turns[place].moves.indices.last else { return }
    noteNeighbor(residual, place, move)
  }

  /// What is left of a movement that a delegate divides by itself.
  func endOwnMove(_ residual: Double) {
    guard keepsMove, let place = innermost, let move = present?.turns[place].moves.indices.last else { return }
    present?.turns[place].moves[move].residual = residual
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

  /// Gives what is other than before to the innermost call.
  private func noteChanges() {
    // Without room nothing is compared: what an explanation costs is bounded, too.
    guard entries < Explanation.mostEntries else { return }
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

/// What of a header is compared.
private struct HeaderSnapshot {
  private var drawers: [Drawer] = []
  private var scrollViews: [ScrollView] = []
  private var elements: [Element] = []
  private var values: [NamedValue] = []
  private var wants = Wants()
  private var notices = 0
  private var animations = 0

  init() {}

  init(_ header: Header) {
    drawers = header.drawers.elements
    scrollViews = header.scrollViews.elements
    elements = header.elements.elements
    values = header.values
    wants = header.wants
    notices = header.work.happened.notices.count
    animations = header.work.happened.animations.count
  }

  func changes(since old: HeaderSnapshot, _ names: HeaderNames) -> [Explanation.Change] {
    var changes: [Explanation.Change] = []
    func note(_ what: String, _ old: Value, _ new: Value) {
      if old != new { changes.append(Explanation.Change(what: what, old: old, new: new)) }
    }
    // After a change of structure there is nothing to compare.
    if drawers.count == old.drawers.count, drawers.count == names.drawers.count {
      for (index, name) in names.drawers.enumerated() where drawers[index] != old.drawers[index] {
        let (was, new) = (old.drawers[index], drawers[index])
        note("\(name) top", .number(was.drawnFrame.origin.y), .number(new.drawnFrame.origin.y))
        note("\(name) height", .number(was.size.height), .number(new.size.height))
        note("\(name) alpha", .number(Double(was.alpha)), .number(Double(new.alpha)))
        note("\(name) hidden", .bool(was.isHidden), .bool(new.isHidden))
        note("\(name) sticky", .bool(was.isSticky), .bool(new.isSticky))
      }
    }
    if scrollViews.count == old.scrollViews.count, scrollViews.count == names.scrollViews.count {
      for (index, name) in names.scrollViews.enumerated() {
        let (was, new) = (old.scrollViews[index], scrollViews[index])
        note("contentOffset of \(name)", was.contentOffset.value, new.contentOffset.value)
        note("contentInset of \(name)", was.contentInset.value, new.contentInset.value)
        note("frame of \(name)", was.frame.value, new.frame.value)
      }
    }
    if elements.count == old.elements.count, elements.count == names.elements.count {
      for (index, name) in names.elements.enumerated() where elements[index] != old.elements[index] {
        note("\(name) alpha", .number(Double(old.elements[index].alpha)), .number(Double(elements[index].alpha)))
        note("\(name) center", old.elements[index].center.value, elements[index].center.value)
      }
    }
    if values.count == old.values.count, values.count == names.values.count {
      for (index, name) in names.values.enumerated() {
        note(name, old.values[index].content.explained, values[index].content.explained)
      }
    }
    note(
      "wish for a hidden status bar", .bool(old.wants.prefersStatusBarHidden), .bool(wants.prefersStatusBarHidden))
    return changes
  }

  /// What was told since.
  func told(since old: HeaderSnapshot, _ header: Header) -> [String] {
    let happened = header.work.happened
    // A frame's state in between has emptied them.
    let notices = happened.notices.dropFirst(old.notices <= happened.notices.count ? old.notices : 0)
    let animations = happened.animations.dropFirst(old.animations <= happened.animations.count ? old.animations : 0)
    return notices.compactMap { notice -> String? in
      guard case .behavior(let number) = notice.name, !notice.isRoutine else { return nil }
      return header.state.names.notices[Int(notice.delegate)][Int(number)]
    } + animations.map { "animation of \(explainedNumber($0.duration)) s" }
  }
}

extension NamedValue.Content {
  fileprivate var explained: Value {
    switch self {
    case .null: .null
    case .bool(let bool): .bool(bool)
    case .number(let number): .number(number)
    case .text(let text): .text(text)
    }
  }
}

/// A number as people write it, with at most two decimals.
func explainedNumber(_ number: Double) -> String {
  guard abs(number) < 1e12 else { return "\(number)" }
  let rounded = (number * 100).rounded() / 100
  return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
}
