// SPDX-License-Identifier: MIT
//
// Explanations of a header's inputs: which are wanted, and notes about a movement.

import HeaderModel

extension Header {
  /// Keeps the explanations of the last inputs from now on; 0 ends it.
  public func explain(last count: Int) { observe { $0.explanations = count } }

  /// How many explanations are kept at most.
  public var explanationLimit: Int { proxy.ledger?.limit ?? 0 }

  /// The explanations that are kept, the oldest first.
  public var explanations: [Explanation] { proxy.ledger?.kept ?? [] }

  /// What a header reports beside its states, because a client has asked for it.
  public struct Observation: Equatable, Sendable {
    /// `state.happened.calls` is filled in.
    public var recordsCalls = false
    /// `state.happened.explanation` is filled in.
    public var explainsStates = false
    /// How many explanations are kept.
    public var explanations = 0
    /// Followers in other headers need the places of its drawers (`MirrorMetadata.places`).
    public var hasFollowers = false

    /// An observation of nothing.
    public init() {}

    /// Creates an observation; `explanations` is how many are kept.
    public init(recordsCalls: Bool, explainsStates: Bool, explanations: Int, hasFollowers: Bool) {
      (self.recordsCalls, self.explainsStates, self.explanations) = (recordsCalls, explainsStates, explanations)
      self.hasFollowers = hasFollowers
    }
  }

  /// What the header reports beside its states.
  public var observation: Observation {
    Observation(
      recordsCalls: proxy.recordsCalls, explainsStates: proxy.ledger?.explainsStates ?? false,
      explanations: explanationLimit, hasFollowers: rare.hasFollowers)
  }

  /// Changes what the header reports beside its states.
  public func observe(_ change: (inout Observation) -> Void) {
    let old = observation
    var new = old
    change(&new)
    guard new != old else { return }
    proxy.recordsCalls = new.recordsCalls
    rare.hasFollowers = new.hasFollowers
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

  /// The name of a delegate, also of one that is being attached and that states do not name yet.
  func presentName(ofDelegate delegate: Int) -> String {
    proxy.slots.indices.contains(delegate) ? proxy.slots[delegate].delegate.name : "delegate \(delegate)"
  }

  /// Notes what constraints permit of a movement.
  @inline(never)
  func explainBound(_ distance: Double, _ part: Double) {
    guard abs(distance - part) > 1e-9 else { return }
    proxy.ledger?.note(Explanation.Cut(rule: .constraint, wanted: distance, left: part, by: holders(of: distance)))
  }

  /// The constraints that are as narrow on the side of a movement as all together.
  private func holders(of distance: Double) -> [String] {
    let permitted = rare.control?.permitted ?? 0...1
    let holders = (rare.control?.constraints ?? []).filter {
      distance < 0
        ? $0.permitted.upperBound <= permitted.upperBound : $0.permitted.lowerBound >= permitted.lowerBound
    }
    return holders.prefix(8).map(\.name)
  }

  /// Notes how much a delegate's own rule has held back of a movement, before the drawers were offered the rest. It changes nothing.
  /// - Parameters:
  ///   - wanted: points in the frame's sign.
  ///   - left: what was left of them, in the same direction and no more.
  ///   - drawer: the drawer that was held back; nil: all together.
  @inline(never)
  public func noteResistance(_ wanted: Double, left: Double, drawer: Int?) {
    // Invalid notes are dropped and not refused: an explained header must behave like one that is not.
    guard isExplained, isSane(wanted), isSane(left), wanted != 0, left != wanted,
      wanted > 0 ? 0...wanted ~= left : wanted...0 ~= left
    else { return }
    proxy.ledger?.note(
      Explanation.Cut(rule: .resistance, wanted: wanted, left: left, drawer: drawer.map(presentName(ofDrawer:))))
  }

  /// Notes a movement that a delegate divides among drawers by itself; `notePart` follows for each of them.
  /// - Parameters:
  ///   - distance: points in the frame's sign.
  ///   - taken: what the drawers take of it together.
  @inline(never)
  public func noteMovement(_ distance: Double, taken: Double) {
    guard isExplained, isSane(distance), isSane(taken) else { return }
    proxy.ledger?.beginMove(.by, by: distance)
    proxy.ledger?.endOwnMove(distance - taken)
  }

  /// Notes a drawer's part of such a movement.
  /// - Parameters:
  ///   - wanted: what it was offered, points in the frame's sign.
  ///   - taken: what it took of that.
  ///   - rule: why it did not take all; nil: it did.
  @inline(never)
  public func notePart(of drawer: Int, _ wanted: Double, taken: Double, rule: Explanation.Rule?) {
    guard isExplained, isSane(wanted), isSane(taken) else { return }
    var part = Explanation.Part(
      drawer: presentName(ofDrawer: drawer), wanted: wanted, taken: taken, residual: wanted - taken, rule: rule)
    if rule == .constraint { part.by = holders(of: wanted) }
    proxy.ledger?.note(part)
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

// MARK: - Notices
//
// Notices of the header itself, with any behavior: that a finger lets go of it while it is stretched, and that it goes back and forth
// without a finger.

extension Header {
  /// Posts a notice when a finger lets go of a drawer that is taller than its maximum height by the trigger, with the points.
  func noteStretch() {
    let trigger = plans.plan.description.stretchTrigger
    guard trigger > 0 else { return }
    for index in drawers.indices {
      let stretch = drawers[index].size.height - drawers[index].maximumHeight
      guard stretch >= trigger else { continue }
      work.note(
        .didTriggerStretch, of: Int(owners.drawers[index]),
        ["drawer": .text(presentName(ofDrawer: index)), "stretch": .number(stretch)])
    }
  }

  /// Movements are seen from here on.
  func noteEdge() { if drawers.count > 0 { lastEdge = isEdged ? farEdges : drawers[drawers.count - 1].farEdge } }

  /// How far the drawers of all edges reach together.
  var farEdges: Double { sides.reduce(0) { $0 + ($1.drawers.last.map { drawers[$0].farEdge } ?? 0) } }

  /// Drawers have changed: one that moves the other way than before has turned round.
  @inline(__always)
  func noteDirection() {
    guard drawers.count > 0 else { return }
    let edge = isEdged ? farEdges : drawers[drawers.count - 1].farEdge
    guard edge != lastEdge else { return }
    let isExpanding = edge > lastEdge
    lastEdge = edge
    guard isExpanding != wasExpanding else { return }
    wasExpanding = isExpanding
    noteTurn(to: isExpanding)
  }

  /// Posts a routine notice when the header has turned round too often in too short a time; called before a state is made.
  @inline(never)
  func noteTurn(to isExpanding: Bool) {
    // The original libraries have no such notice.
    guard plans.plan.description.accessibility == .shown else { return }
    guard trackingScrollView < 0 || !(scrollViews[trackingScrollView].isTracking) else {
      rare.turns = []
      return
    }
    rare.turns.append(now)
    while let first = rare.turns.first, now.nanoseconds(since: first) > Self.turnsWithin { rare.turns.removeFirst() }
    guard rare.turns.count > Self.maxTurns else { return }
    let turns = Double(rare.turns.count)
    work.note(.didOscillate, of: Int(owners.drawers.first ?? -1), ["turns": .number(turns)], isRoutine: true)
    rare.turns = []
  }

  /// More turns than these …
  static var maxTurns: Int { 6 }
  /// … within one second, in nanoseconds, are no intended movement.
  static var turnsWithin: Int64 { 1_000_000_000 }
}
