// SPDX-License-Identifier: MIT
//
// Why a header did what it did: an account of one input, kept only while a client wants it (`Header.explain`).
//
//     input ─▶ shyNavBar asked ─▶ moved the chain by −12 ─▶ extension took 8 (fully contracted), navBar took 4
//                              ─▶ wrote the top inset of content: 84 to 72
//           ─▶ keyframes asked ─▶ nothing
//           ─▶ one state, or why there is none
//
// A delegate's changes are found by comparing the header before and after each call, so that code that changes a header has nothing to
// report. Without explanations an input costs one branch at its entrance, and each drawer's part of a movement one.

/// The effects of one input on a header, and their reasons.
public struct Explanation: Sendable {
  /// The input as recordings have it.
  public package(set) var event = Value.Record()
  /// Calls of delegates, in the order in which they began.
  public package(set) var turns: [Turn] = []
  /// Changes by the input itself, before or after the calls.
  public package(set) var changes: [Change] = []
  /// How many states were sent.
  public package(set) var states = 0
  /// The number of the last one.
  public package(set) var seq: Int64 = 0
  /// Why none was sent; nil: one was.
  public package(set) var silence: Silence?
  /// Calls, movements and changes that are left out: one explanation has room for `maxEntries`.
  public package(set) var lost = 0

  /// Calls, movements, drawers' parts of them and changes that one explanation has at most.
  package static let maxEntries = 256

  package init(event: Value.Record) { self.event = event }

  /// One call of a delegate.
  public struct Turn: Sendable {
    /// The delegate's name.
    public var delegate: String
    /// The call: an event's word, `frame`, `timer` (and the end of an animation), `afterwards` for layout passes and work put off,
    /// `request` for calls and options, `answer` for a client's answer.
    public var event: String
    /// When the frame was due that brought the call about before the event; nil: the event did.
    public var frame: Instant?
    /// The nesting depth: 0 for an event from outside.
    public var depth: Int
    /// Where the content of the event's scroll view was.
    public var offset: Point?
    /// The movements that it asked of the drawers, in order.
    public var moves: [Move] = []
    /// Parts of movements that were held back before the drawers were offered the rest.
    public var cuts: [Cut] = []
    /// Other changes by the delegate.
    public var changes: [Change] = []
    /// Notices that it posted and animations that it announced: `didFinishContracting`, `animation of 0.2 s`.
    public var told: [String] = []
    /// The delegate's answer: `targetOffset`, `consumed`, `returned`, `ends`; empty: none.
    public var answer = Value.Record()
    /// Why it failed and is bypassed from then on.
    public var failure: String?

    package init(
      delegate: String, event: String, frame: Instant?, depth: Int, offset: Point?, failure: String? = nil
    ) {
      (self.delegate, self.event, self.frame, self.depth) = (delegate, event, frame, depth)
      (self.offset, self.failure) = (offset, failure)
    }
  }

  /// A movement that a delegate asked of the drawers.
  public struct Move: Sendable {
    /// Kinds of requests to the chain.
    public enum Kind: String, Sendable, CaseIterable { case by, expand, contract }
    /// The kind of the request.
    public var kind: Kind
    /// Points in the frame's sign: negative contracts. 0 for `expand` and `contract`.
    public var distance: Double
    /// Points that no drawer could use.
    public var residual = 0.0
    /// The drawers' parts of it, in the order of asking.
    public var parts: [Part] = []

    package init(kind: Kind, distance: Double) { (self.kind, self.distance) = (kind, distance) }
  }

  /// One drawer's part of a movement. Points in the frame's sign.
  public struct Part: Sendable {
    /// The drawer's name.
    public var drawer: String
    /// Points that the drawer was offered.
    public var wanted: Double
    /// Points that it took.
    public var taken: Double
    /// Points that it passed on.
    public var residual: Double
    /// What cut it; nil: it took all.
    public var rule: Rule?
    /// The names of the constraints that did, if one did.
    public var by: [String] = []

    package init(drawer: String, wanted: Double, taken: Double, residual: Double, rule: Rule?) {
      (self.drawer, self.wanted, self.taken, self.residual, self.rule) = (drawer, wanted, taken, residual, rule)
    }
  }

  /// Why a drawer does not take all of a movement.
  public enum Rule: String, Sendable, CaseIterable {
    /// The drawer is fully expanded.
    case expanded
    /// The drawer is fully contracted.
    case contracted
    /// The drawer takes part in no movement.
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
    /// Points before the rule applied.
    public var wanted: Double
    /// Points that the rule left.
    public var left: Double
    /// The drawer that it is of; nil: of all together.
    public var drawer: String?
    /// The names of the constraints that hold it back.
    public var by: [String] = []

    package init(rule: Rule, wanted: Double, left: Double, drawer: String? = nil, by: [String] = []) {
      (self.rule, self.wanted, self.left, self.drawer, self.by) = (rule, wanted, left, drawer, by)
    }
  }

  /// Something that is other than before.
  public struct Change: Sendable {
    /// `navBar top`, `contentInset of content`, `progress`.
    public var what: String
    /// The value before.
    public var old: Value
    /// The value after.
    public var new: Value

    package init(what: String, old: Value, new: Value) { (self.what, self.old, self.new) = (what, old, new) }
  }

  /// Why an input made no state.
  public enum Silence: Sendable, Equatable {
    /// The event was refused.
    case refused(String)
    /// The event waits for a client.
    case waits(String)
    /// No delegate receives the event: the chain is empty, or those that ask for such events are bypassed.
    case nobody
    /// The event's scroll view is not the one that is tracked.
    case notTracked
    /// The delegates were called and asked for nothing.
    case nothingAsked
    /// A request could not be met: the drawers are at their limits.
    case nothingMoved
    /// Only the publisher's content offset is different.
    case nothingNew
  }
}

/// A number as people write it, with at most two decimals.
package func explainedNumber(_ number: Double) -> String {
  guard abs(number) < 1e12 else { return "\(number)" }
  let rounded = (number * 100).rounded() / 100
  return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
}
