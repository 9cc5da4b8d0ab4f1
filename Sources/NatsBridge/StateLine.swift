// SPDX-License-Identifier: MIT
//
// Changes to a state's line for one subscriber: it becomes a snapshot, replaces a waiting one, or keeps only some fields.

internal import HeaderModel
internal import HeaderWire
internal import Realm

/// A state as its owner's daemon wrote it.
struct StateLine {
  var epoch: Int64
  var seq: Int64
  /// The JSON of the state, without a line end.
  var bytes: [UInt8]

  init(epoch: Int64, seq: Int64, bytes: [UInt8]) { (self.epoch, self.seq, self.bytes) = (epoch, seq, bytes) }

  /// nil: it is no state of the header.
  init?(_ bytes: [UInt8], of header: String) {
    guard case .state(header, let epoch, let seq) = DaemonLine(bytes) else { return nil }
    (self.epoch, self.seq, self.bytes) = (epoch, seq, bytes)
  }

  func isAfter(_ epoch: Int64, _ seq: Int64) -> Bool { self.epoch > epoch || (self.epoch == epoch && self.seq > seq) }

  /// The line with `snapshot`, behind `time`, and without notices, commands and animations.
  var asSnapshot: StateLine {
    changed { state in
      let happened = Self.lists + ["calls", "explanation", "noticesLost", "snapshot"]
      var fields = state.fields.filter { !happened.contains($0.name) }
      let place = (fields.firstIndex { $0.name == "time" } ?? 2) + 1
      fields.insert(.init(name: "snapshot", value: true), at: min(place, fields.count))
      state.fields = fields
    }
  }

  /// What happened and is in lists, which a state that takes another's place gathers.
  private static let lists = ["notices", "commands", "animations"]
  private static let maxListCount = 64

  /// This state with the notices, commands and animations of an earlier one that subscribers do not get.
  func gathering(_ old: StateLine) -> StateLine {
    guard case .record(let before)? = json(old.bytes)?["params"] else { return self }
    return changed { state in
      var lost = [before, state].reduce(Int64(0)) { $0 + ($1["noticesLost"]?.wholeNumber ?? 0) }
      for name in Self.lists {
        guard case .list(var all)? = before[name] else { continue }
        if case .list(let own)? = state[name] { all += own }
        lost += Int64(max(0, all.count - Self.maxListCount))
        state[name] = .list(all.suffix(Self.maxListCount))
      }
      if lost > 0 { state["noticesLost"] = .number(Double(lost)) }
    }
  }

  /// The line with only the wanted routine notices and calls.
  func including(routine: Bool, calls: Bool) -> StateLine {
    if routine, calls { return self }
    return changed { state in
      if !calls { state["calls"] = nil }
      guard !routine, case .list(let notices)? = state["notices"] else { return }
      let kept = notices.filter { $0["routine"] != true }
      state["notices"] = kept.isEmpty ? nil : .list(kept)
    }
  }

  /// The line with only the wanted parts of a state.
  func selecting(_ fields: [String]) -> StateLine {
    changed { state in
      for part in Self.parts {
        guard let value = state[part], !fields.contains(part) else { continue }
        let entries = fields.filter { $0.hasPrefix(part + ".") }.map { String($0.dropFirst(part.count + 1)) }
        state[part] = Self.entries(entries, of: value)
      }
    }
  }

  private static let parts = ["drawers", "scrollViews", "values", "elements", "wants"]

  private static func entries(_ names: [String], of value: Value) -> Value? {
    switch value {
    case .record(let record):
      let fields = record.fields.filter { names.contains($0.name) }
      return fields.isEmpty ? nil : .record(Value.Record(fields: fields))
    case .list(let list):
      let found = list.filter { if case .text(let name)? = $0["name"] { names.contains(name) } else { false } }
      return found.isEmpty ? nil : .list(found)
    default: return nil
    }
  }

  private func changed(_ body: (inout Value.Record) -> Void) -> StateLine {
    StateLine(epoch: epoch, seq: seq, bytes: changing("params", of: bytes, body))
  }
}
