// SPDX-License-Identifier: MIT
//
// A state's messages, one for each view (plain, routine notices, calls, a selection of its parts, a grid; as a line, as a frame). Each
// is written when the first subscriber asks for it and shared by all subscribers with that view.

internal import HeaderModel
internal import HeaderWire

/// A way of reading states, shared by all subscriptions that read them so.
@safe final class StateProjection {
  struct Key: Hashable {
    var encoding: Encoding
    var parts: StateEncoder.Parts
    /// The parts that are read; nil: all.
    var selection: StateSelection?
    /// The grid of lengths; nil: they are exact.
    var grid: Grid?
  }

  let key: Key
  /// Subscriptions with this view.
  var users = 0
  /// Where its message of the state that is being sent stands, if it is written already.
  fileprivate var slot = 0
  fileprivate var generation = 0
  /// The message itself; good as long as the generation is.
  fileprivate var message = StateMessage()
  /// The state says what the one before it said.
  fileprivate var isRepeated = false

  init(_ key: Key) {
    self.key = key
    skipsRepeated = key.grid != nil && !key.parts.contains(.ahead)
  }

  var parts: StateEncoder.Parts { key.parts }
  /// States that are the same on its grid as the one before are not sent. Those that say how they go on are, since a client draws by that
  /// what it was not sent.
  let skipsRepeated: Bool
}

/// The messages of the state that is being sent, one for each way of reading it, written when first asked for.
@safe final class EncodedStateCache {
  final class Line {
    private var encoding = Encoding.lines
    /// The view uses one of the two writers, by its encoding.
    private var writer = JSONWriter()
    private var frameWriter = FrameWriter()
    /// Which of the bytes say what is where.
    fileprivate private(set) var places = 0..<0
    fileprivate var kept: KeptState?

    var count: Int { encoding == .lines ? writer.count : frameWriter.count }
    /// Stays where it is until the next state is written.
    var bytes: UnsafeRawBufferPointer {
      unsafe encoding == .lines ? writer.withUnsafeBytes { unsafe $0 } : frameWriter.withUnsafeBytes { unsafe $0 }
    }
    /// Those that say what is where.
    var bytesOfPlaces: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(rebasing: bytes[places]) }
    fileprivate var copy: [UInt8] { encoding == .lines ? writer.copy() : frameWriter.copy() }

    func write(
      _ state: borrowing HeaderState, of channel: HeaderChannel, _ view: StateProjection, _ parts: StateEncoder.Parts
    ) {
      let way = view.key
      encoding = way.encoding
      switch encoding {
      case .lines:
        writer.removeAll(keepingUpTo: 65_536)
        places = unsafe channel.template(for: view)._withUnsafeGuaranteedRef {
          StateEncoder.notification(state, parts, $0, into: &writer)
        }
      case .frames:
        frameWriter.removeAll(keepingUpTo: 65_536)
        let lists = StateEncoder.frame(
          state, handle: channel.handle.number, parts, way.selection, on: way.grid,
          ahead: channel.ahead(for: view), into: &frameWriter)
        places = StateEncoder.placesOfFrame..<lists
      }
    }
  }

  /// A message that goes to one delivery alone.
  let snapshot = Line()
  /// Memory for this many messages is kept from state to state.
  private static let warmLines = 16
  private var lines: [Line] = []
  /// How many of them belong to the present state.
  private var used = 0
  /// The number of the present state.
  private var generation = 0
  /// The values that the state changed; nil: not known yet.
  private var changes: [ValueChange]?

  /// Begins with a state.
  /// - Parameter changes: the values that it changed, if it was kept; nil: not known yet.
  func begin(changes: [ValueChange]? = nil) {
    self.changes = changes
    generation += 1
    used = 0
  }

  /// Releases everything that belongs to the state.
  func end() {
    for index in 0..<used where lines[index].kept != nil { lines[index].kept = nil }
    if lines.count > Self.warmLines { lines.removeSubrange(Self.warmLines...) }
  }

  /// The state's message for a way of reading it.
  func line(_ state: borrowing HeaderState, _ view: StateProjection, of channel: HeaderChannel) -> Line {
    if view.generation != generation { write(state, view, of: channel) }
    return lines[view.slot]
  }

  private func write(_ state: borrowing HeaderState, _ view: StateProjection, of channel: HeaderChannel) {
    if used == lines.count { lines.append(Line()) }
    (view.generation, view.slot) = (generation, used)
    used += 1
    unsafe Unmanaged.passUnretained(lines[view.slot])._withUnsafeGuaranteedRef { line in
      line.write(state, of: channel, view, view.parts)
      if view.skipsRepeated {
        let isSame = unsafe channel.sentPlaces(of: view).replace(with: state, line.bytesOfPlaces)
        view.isRepeated = isSame && !StateEncoder.hasNews(state.happened, view.parts)
        if view.isRepeated { return }
      }
      view.message = unsafe channel.isShared ? channel.share(line.bytes, view) : StateMessage(bytes: line.bytes)
    }
  }

  /// The bytes of that message, good until the state has been sent. Nothing is retained once it is written: counting
  /// references here and in `write` would cost 140 instructions a state, 3 % of the bench's row `service`.
  @inline(__always)
  func message(_ state: borrowing HeaderState, _ view: StateProjection, of channel: HeaderChannel) -> StateMessage {
    if view.generation != generation { write(state, view, of: channel) }
    return view.message
  }

  /// Whether the state says nothing new to the readers of a view.
  func isRepeated(_ state: borrowing HeaderState, _ view: StateProjection, of channel: HeaderChannel) -> Bool {
    guard view.skipsRepeated else { return false }
    if view.generation != generation { write(state, view, of: channel) }
    return view.isRepeated
  }

  /// The state, to be kept for subscribers that are behind.
  func kept(_ state: borrowing HeaderState, _ view: StateProjection, of channel: HeaderChannel) -> KeptState {
    let line = line(state, view, of: channel)
    if let kept = line.kept { return kept }
    var changes = changedValues(state, of: channel)
    if let selection = view.key.selection {
      let names = state.names.values
      changes.removeAll { !selection.values.includes(names[$0.value]) }
    }
    let kept = KeptState(
      message: line.copy, encoding: view.key.encoding, positions: line.places.upperBound, happened: state.happened,
      names: state.names, changes: changes, owners: state.values.map(\.delegate))
    line.kept = kept
    return kept
  }

  /// Texts and bools that the state changed, against the header's state before.
  func changedValues(_ state: borrowing HeaderState, of channel: HeaderChannel) -> [ValueChange] {
    if let changes { return changes }
    var found: [ValueChange] = []
    let before = channel.publishedValues
    for index in state.values.indices where index < before.count {
      let (old, new) = (before[index].content, state.values[index].content)
      if old != new, old.isMeaning || new.isMeaning {
        found.append(ValueChange(value: index, from: old, to: new))
      }
    }
    changes = found
    return found
  }
}

extension NamedValue.Content {
  /// A text or a bool: its change means something; a number's is a position.
  fileprivate var isMeaning: Bool {
    switch self {
    case .text, .bool: true
    case .null, .number: false
    }
  }
}
