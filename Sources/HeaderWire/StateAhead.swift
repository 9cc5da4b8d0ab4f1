// SPDX-License-Identifier: MIT
//
// `ahead` of a state: how it goes on (headerd-states(7), HOW A STATE GOES ON). A keyframe has what differs from the state, written as in a
// state, once for all states that it stands in.

public import HeaderModel

/// How a header goes on from one of its states.
public final class StateAhead: Sendable {
  /// The number of the state.
  public let seq: Int64
  /// Where the content is then.
  let offset: Double
  /// All but its values depends on the offset alone.
  let isReversible: Bool
  let growing: [Value.Record]
  let shrinking: [Value.Record]
  /// The same once a drag begins; nil: nothing else.
  let dragged: StateAhead?

  /// Keyframes in each direction, as `StateEncoder.keyframe` makes them.
  public init(
    seq: Int64, offset: Double, growing: [Value.Record], shrinking: [Value.Record], isReversible: Bool,
    dragged: StateAhead? = nil
  ) {
    self.seq = seq
    self.offset = offset
    self.growing = growing
    self.shrinking = shrinking
    self.isReversible = isReversible
    self.dragged = dragged
  }
}

extension StateEncoder {
  /// The members that every state has, and a keyframe has not.
  private static let ofStates: Set = ["header", "epoch", "seq", "time", "trackingScrollView", "framesActive"]

  /// A state at an offset.
  /// - Parameter selection: what differs from the state that it belongs to.
  public static func keyframe(_ state: HeaderState, at offset: Double, _ selection: StateSelection) -> Value.Record {
    var writer = JSONWriter()
    object(state, .positionsOnly, StateTemplate(selection), into: &writer)
    var record: Value.Record = ["offset": .number(offset)]
    let document = try? JSONReader.reading(writer.copy()) { (reader) throws(JSONError) in try reader.value() }
    guard case .record(let members)? = document else { return record }
    record.fields += members.fields.filter { !ofStates.contains($0.name) }
    return record
  }

  /// How a state goes on, as its line has it.
  /// - Parameter selection: the wanted positions; nil: all.
  static func record(of ahead: StateAhead, _ selection: StateSelection?) -> Value.Record {
    var record: Value.Record = ["offset": .number(ahead.offset)]
    record.fields += ways(of: ahead, selection).fields
    if let dragged = ahead.dragged { record["dragged"] = .record(ways(of: dragged, selection)) }
    return record
  }

  private static func ways(of ahead: StateAhead, _ selection: StateSelection?) -> Value.Record {
    var record = Value.Record()
    if ahead.isReversible { record["reversible"] = true }
    for (name, keyframes) in [("growing", ahead.growing), ("shrinking", ahead.shrinking)] where !keyframes.isEmpty {
      record[name] = .list(keyframes.map { .record(selection?.chosen($0) ?? $0) })
    }
    return record
  }
}

extension StateSelection {
  /// The wanted members of a keyframe.
  fileprivate func chosen(_ keyframe: Value.Record) -> Value.Record {
    func chosen(_ entries: Value, _ choice: Choice) -> Value? {
      switch entries {
      case .list(let list):
        let kept = list.filter { entry in
          LenientRecord(entry).value("name")?.text.map { choice.includes($0) } ?? false
        }
        return kept.isEmpty ? nil : .list(kept)
      case .record(let record):
        let kept = record.fields.filter { choice.includes($0.name) }
        return kept.isEmpty ? nil : .record(Value.Record(fields: kept))
      default: return entries
      }
    }
    return Value.Record(
      fields: keyframe.fields.compactMap { field in
        guard let part = Self.partPaths.first(where: { $0.name == field.name }) else { return field }
        return chosen(field.value, self[keyPath: part.path]).map { Value.Record.Field(name: field.name, value: $0) }
      })
  }
}
