// SPDX-License-Identifier: MIT
//
// The states that a resuming subscriber may have missed (`resumeFrom`, headerd-states(7), SUBSCRIPTIONS): a header's last states, kept
// from the first subscription on that says it may resume.
//
//     floor 41 │ 42 43 44 … 97 │ present 97        after 41 and later: all of it; before: `tooOld`
//              ╰─ limits.resumeStates at most; all headers together limits.resumeBytes
//
// States are kept as values, not as bytes, since a resuming subscriber may have any view. Arrays that did not change from one state to
// the next are shared between them and with the header. A header therefore pays for copies of what changes, and nothing is kept before a
// subscriber asks for it.

public import HeaderModel
internal import HeaderWire

/// The last state that a client has seen of a header.
public struct ResumePoint: Sendable {
  /// The life of the header that it belongs to.
  public var epoch: Int64
  /// The number of the state.
  public var seq: Int64
}

/// The kept states of all headers of a service; each shard has its part of the limit on bytes.
final class RecentStore {
  fileprivate(set) var states = 0
  /// An upper bound: shared memory is counted each time.
  fileprivate(set) var bytes = 0
  /// Other bounds hold for a row from its next state on.
  var maxStates: Int { context.limits.resumeStates }
  var maxBytes: Int { max(context.limits.resumeBytes / shardCount, 1) }
  private let context: ShardContext
  private let shardCount: Int

  init(_ context: ShardContext, shardCount: Int) {
    self.context = context
    self.shardCount = shardCount
  }
}

/// A header's last states, oldest first, without holes.
final class RecentStates {
  struct Kept {
    let state: HeaderState
    /// Texts and bools that it changed.
    let changes: [ValueChange]
    fileprivate let bytes: Int
  }

  private let store: RecentStore
  private var states = Queue<Kept>()
  /// All states after this one are kept.
  private(set) var floor: Int64

  /// Nothing yet.
  /// - Parameter present: the header's last state.
  init(after present: Int64, in store: RecentStore) {
    floor = present
    self.store = store
  }

  deinit { while count > 0 { dropFirst() } }

  var count: Int { states.count }

  /// Where the states after one of at least `floor` are kept.
  func indices(after seq: Int64) -> Range<Int> { Int(seq - floor)..<count }

  subscript(index: Int) -> Kept { states[index] }

  /// Keeps a state; the oldest ones make room. When other headers keep all that may be kept, it is not kept either.
  func append(_ state: borrowing HeaderState, changes: [ValueChange]) {
    let bytes = state.keptBytes
    states.append(Kept(state: copy state, changes: changes, bytes: bytes))
    store.states += 1
    store.bytes += bytes
    while count > store.maxStates || (store.bytes > store.maxBytes && count > 0) { dropFirst() }
  }

  private func dropFirst() {
    guard let kept = states.popFirst() else { return }
    store.states -= 1
    store.bytes -= kept.bytes
    floor = kept.state.seq
  }
}

extension HeaderState {
  /// Bytes that it takes at most, in memory, when it is kept.
  fileprivate var keptBytes: Int {
    var bytes = MemoryLayout<RecentStates.Kept>.stride + 4 * 32
    bytes += drawers.count * MemoryLayout<Drawer>.stride
    bytes += scrollViews.count * MemoryLayout<ScrollView>.stride
    bytes += elements.count * MemoryLayout<Element>.stride
    bytes += values.count * MemoryLayout<NamedValue>.stride
    for value in values {
      if case .text(let text) = value.content { bytes += text.utf8.count }
    }
    for notice in happened.notices { bytes += MemoryLayout<Notice>.stride + (notice.arguments?.keptBytes ?? 0) }
    for command in happened.commands {
      bytes += MemoryLayout<Command>.stride + command.name.utf8.count + command.arguments.keptBytes
    }
    bytes += happened.animations.count * MemoryLayout<Animation>.stride
    bytes += happened.calls.count * MemoryLayout<Call>.stride
    if let explanation = happened.explanation { bytes += explanation.record.keptBytes }
    return bytes
  }
}

extension Value.Record {
  /// Bytes of memory that it takes, beside the record itself.
  public var keptBytes: Int {
    fields.reduce(32) { $0 + MemoryLayout<Field>.stride + $1.name.utf8.count + $1.value.keptBytes }
  }
}

extension Value {
  fileprivate var keptBytes: Int {
    switch self {
    case .null, .bool, .number: 0
    case .text(let text): text.utf8.count
    case .list(let list): list.reduce(32) { $0 + MemoryLayout<Value>.stride + $1.keptBytes }
    case .record(let record): record.keptBytes
    }
  }
}
