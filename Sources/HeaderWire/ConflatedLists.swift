// SPDX-License-Identifier: MIT
//
// The lists of a waiting state, with those of the states that it replaced (headerd-states(7), SUBSCRIPTIONS):
// conflation replaces positions and keeps meanings.
//
//     seq 41  progress .2  notice A                       one line is sent: positions of 44,
//     seq 42  progress .4  notice A, phase "a" → "b"  ──▶  notices A ×2, didChange {phase, a, b}, B
//     seq 43  progress .6  phase "b" → "c"                 (didChange also reports that 43 changed `phase` to "c";
//     seq 44  progress .8  notice B                         that 44 has "c" is in its values)
//
// Equal neighbors are counted; animations and commands are never merged. Together they are bounded: beyond the bound
// they are only counted (`noticesLost`).

internal import CHeaderWire
public import HeaderModel

/// A text or bool value that a state changed: a meaning, kept when the state is replaced.
public struct ValueChange: Equatable, Sendable {
  /// Index among the header's values.
  public var value: Int
  /// The value before the state.
  public var from: NamedValue.Content
  /// The value in the state.
  public var to: NamedValue.Content

  /// A change of the value at an index, from one content to another.
  public init(value: Int, from: NamedValue.Content, to: NamedValue.Content) {
    self.value = value
    self.from = from
    self.to = to
  }
}

/// The notices, commands and animations of several states in a row.
public struct ConflatedLists: Sendable {
  /// One notice, or several equal ones in a row.
  struct Notice: Equatable, Sendable {
    var name: String
    var delegate: String
    var arguments: Value.Record?
    var isRoutine: Bool
    var count = 1
  }

  private let limit: Int
  private var notices: [Notice] = []
  private var commands: [(command: HeaderState.Command, names: HeaderNames)] = []
  private var animations: [(animation: HeaderState.Animation, names: HeaderNames)] = []
  private var lost = 0

  /// Nothing gathered yet; at most that many entries.
  public init(limit: Int) { self.limit = limit }

  private var isFull: Bool { notices.count + commands.count + animations.count >= limit }

  /// Adds what happened with one state.
  /// - Parameter changes: the values that the state changed, if it is being replaced; empty for the newest one.
  public mutating func append(
    _ happened: HeaderState.Happened, _ names: HeaderNames, changes: [ValueChange], owners: [Int32],
    includingRoutine: Bool
  ) {
    for change in changes {
      let arguments: Value.Record = [
        "value": .text(names.values[change.value]), "from": change.from.value, "to": change.to.value,
      ]
      append(
        Notice(
          name: "didChange", delegate: names.delegates[Int(owners[change.value])], arguments: arguments,
          isRoutine: false))
    }
    for notice in happened.notices where includingRoutine || !notice.isRoutine {
      append(Notice(notice, names))
    }
    for command in happened.commands {
      if isFull { lost += 1 } else { commands.append((command, names)) }
    }
    for animation in happened.animations {
      if isFull { lost += 1 } else { animations.append((animation, names)) }
    }
  }

  private mutating func append(_ notice: Notice) {
    // Behind the first loss no notice counts as a neighbor of an earlier one.
    if lost == 0, var last = notices.last {
      let count = last.count
      last.count = 1
      if last == notice {
        notices[notices.count - 1].count = count + 1
        return
      }
    }
    if isFull { lost += 1 } else { notices.append(notice) }
  }

  /// The line of a waiting state: the newest state's bytes up to its lists, then the gathered lists.
  /// - Parameters:
  ///   - line: the newest state's own line, `positions` of its bytes preceding the lists.
  ///   - calls: the delegates asked for the newest state, if its reader wants them; those of replaced states are dropped.
  ///   - explanation: why the newest state was sent, if its reader wants to know.
  public func line(
    after line: [UInt8], positions: Int, calls: (HeaderState.Happened, HeaderNames)?,
    explanation: HeaderState.Explained? = nil
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.list("notices", notices) { $0.object(header_wire_notice(), $1) }
    writer.list("commands", commands) { $0.object(header_wire_command(), $1) }
    writer.list("animations", animations) { $0.object(header_wire_animation(), $1) }
    if let (happened, names) = calls {
      writer.list("calls", happened.calls) { $0.object(header_wire_call(), ($1, names)) }
    }
    if let explanation { writer.member("explanation", .record(explanation.record)) }
    if lost > 0 { writer.member("noticesLost", lost) }
    writer.endObject()
    let lists = writer.copy().dropFirst().dropLast()
    var bytes = Array(line[..<positions])
    if !lists.isEmpty { bytes.append(UInt8(ascii: ",")) }
    return bytes + lists + Array("}}\n".utf8)
  }

  /// The same for a state's frame.
  public func frame(
    after frame: [UInt8], positions: Int, calls: (HeaderState.Happened, HeaderNames)?,
    explanation: HeaderState.Explained? = nil
  ) -> [UInt8] {
    var writer = FrameWriter()
    writer.raw(frame[..<positions])
    writer.lists(
      notices: notices.count, commands: commands.count, animations: animations.count,
      calls: calls?.0.calls.count ?? 0, lost: lost)
    for notice in notices { writer.record(header_wire_notice(), notice) }
    for entry in commands { writer.record(header_wire_command(), entry) }
    for entry in animations { writer.record(header_wire_animation(), entry) }
    if let (happened, names) = calls {
      for call in happened.calls { writer.record(header_wire_call(), (call, names)) }
    }
    if let explanation { writer.explanation(explanation) }
    // How the newest state goes on is the end of its frame.
    let aheadSize = frame[positions + 20..<positions + 24].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    writer.patch(aheadSize, at: positions + 20)
    writer.raw(frame.suffix(Int(aheadSize)))
    writer.end(HEADER_WIRE_STATE)
    return writer.copy()
  }
}

extension ConflatedLists.Notice {
  init(_ notice: HeaderState.Notice, _ names: HeaderNames) {
    self.init(
      name: notice.word(in: names), delegate: names.delegate(of: notice), arguments: notice.arguments,
      isRoutine: notice.isRoutine)
  }
}
