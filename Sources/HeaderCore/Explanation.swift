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
    /// What it was told: an event's word, `frame`, `timer` (and the end of an animation), `afterwards` for layout passes and work put
    /// off, `request` for calls and options, `answer` for what a client answered.
    public var event: String
    /// When the frame was due that ran before the event and brought it about; nil: the event did.
    public var frame: Instant?
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
    /// The names of the constraints that did, if one did.
    public var by: [String] = []
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
    /// Followers in other headers need the places of its drawers (`MirroredRest.places`).
    public var isLed = false

    /// Nothing.
    public init() {}

    /// What is told.
    public init(recordsCalls: Bool, explainsStates: Bool, explanations: Int, isLed: Bool) {
      (self.recordsCalls, self.explainsStates, self.explanations) = (recordsCalls, explainsStates, explanations)
      self.isLed = isLed
    }
  }

  /// What is told beside its states.
  public var observation: Observation {
    Observation(
      recordsCalls: proxy.recordsCalls, explainsStates: proxy.ledger?.explainsStates ?? false,
      explanations: explanationLimit, isLed: rare.isLed)
  }

  /// Has other things told from now on.
  public func observe(_ change: (inout Observation) -> Void) {
    let old = observation
    var new = old
    change(&new)
    guard new != old else { return }
    proxy.recordsCalls = new.recordsCalls
    rare.isLed = new.isLed
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

  /// Notes what a rule of a delegate's own has held back of a movement, before the drawers were offered the rest. It changes nothing.
  /// - Parameters:
  ///   - wanted: points in the frame's sign.
  ///   - left: what was left of them, in the same direction and no more.
  ///   - drawer: whose movement it is; nil: that of all together.
  @inline(never)
  public func noteResistance(_ wanted: Double, left: Double, drawer: Int?) {
    // What is wrong with it is left out: an explained header must not go another way than one that is not.
    guard isExplained, isSane(wanted), isSane(left), wanted != 0, left != wanted,
      wanted > 0 ? 0...wanted ~= left : wanted...0 ~= left
    else { return }
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
