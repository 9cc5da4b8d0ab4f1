// SPDX-License-Identifier: MIT
//
// The earlier life that `header.open` gives for a header, from this daemon or another one: the saved state, the recorded steps since, and
// the last epoch.

internal import HeaderCore
internal import HeaderModel

/// The state that a header is opened in.
public struct OpeningState {
  /// What `header.get` or a recording gave; nil: a header without a past.
  var saved: Value?
  /// Recorded inputs behind `saved`, in order.
  var steps: [Step] = []
  /// The new epoch is larger.
  var epoch: Int64 = 0

  /// An input and its time.
  struct Step {
    var input: HeaderInput
    var time: Instant?
    /// The answers that clients gave then.
    var asked: [Value]
  }

  /// A header without a past.
  init() {}

  init(_ fields: inout FieldReader) throws(HeaderError) {
    let saved = fields.value("saved", as: [.null, .record])
    self.saved = saved == .null ? nil : saved
    if let epoch = try fields.integer("after", in: 0...Self.maxEpoch) { self.epoch = Int64(epoch) }
    fields.note(itemsOf: "steps", [.record])
    let path = fields.path + "steps"
    guard let list = try fields.list("steps", count: 0...Self.maxSteps) else { return }
    guard list.count <= Self.maxSteps else {
      throw .unexpected(
        .number(Double(list.count)), at: path, needed: "at most \(Self.maxSteps) steps", expected: "list")
    }
    steps.reserveCapacity(list.count)
    for (index, value) in list.enumerated() { try add(value, at: path[index]) }
  }

  /// An epoch is below 2^53, and there is one behind it.
  private static let maxEpoch = 9_007_199_254_740_990
  private static let maxSteps = 65_536

  private mutating func add(_ value: Value, at path: Path) throws(HeaderError) {
    guard case .record(let record) = value else {
      throw .unexpected(value, at: path, needed: "a step of a recording", expected: "record")
    }
    var time: Instant?
    var unknown: [UnknownField] = []
    let input: HeaderInput
    do throws(HeaderError) {
      input = try HeaderInput(recorded: record, time: &time, unknown: &unknown, alsoKnown: Self.outcomes)
    } catch {
      throw error.under(path.text)
    }
    var asked: [Value] = []
    if case .list(let answers)? = record["asked"] { asked = answers }
    steps.append(Step(input: input, time: time, asked: asked))
  }

  /// The members of a recorded step beside its input.
  private static let outcomes = ["asked", "result", "error", "frames", "state", "nanoseconds"]

  /// The steps one after the other; what clients answered then they answer again.
  func steps(for header: Header) -> () -> HeaderHost.Step? {
    var (steps, asked) = (steps[...], [Value]()[...])
    return {
      // A chain asks each of its delegates once for a call, however deep; the answers run out before.
      if header.isWaiting {
        return (asked.popFirst()?.recordedInput ?? .answer(.passedOver("the recording has no answer of it")), nil)
      }
      guard let step = steps.popFirst() else { return nil }
      asked = step.asked[...]
      return (step.input, step.time)
    }
  }
}

extension Value {
  /// What a step's `asked` has: a client's answer, or a delegate that was bypassed while the event waited.
  fileprivate var recordedInput: HeaderInput? {
    guard case .record(let record) = self else { return nil }
    if case .text(let delegate)? = record["delegate"], case .text(let reason)? = record["bypassed"] {
      return .bypassDelegate(delegate, reason: reason)
    }
    return .answer(DelegateReply(recorded: record))
  }
}
