// SPDX-License-Identifier: MIT
//
// The headers that one connection publishes to. An event names its header in each message, by name or by handle; nearly
// always it is that of the event before, which is compared first. Otherwise the binding is found by a hash of the name's
// bytes as they lie in the message, or by the handle, so that no string is made.
//
//     didScroll "main" ─▶ latest? ─▶ yes: its clock, its header
//                            ╰────▶ no:  byName[hash("main")] ─▶ the binding, now the latest

internal import Clocks
internal import Fanout
internal import HeaderCore
internal import HeaderModel
internal import HeaderWire

/// A connection as the publisher of one header.
final class PublisherBinding {
  let entry: HeaderEntry
  /// The entry's header and its name. Events take them from here, without counting references.
  let header: Header
  private let name: String
  /// Maps the publisher's times to header time.
  var clock: PublisherClock
  /// Nanoseconds from the publisher's times to when its events were read, the least of all.
  private var leastDelay = Int64.max
  fileprivate let nameHash: UInt64

  init(_ entry: HeaderEntry, _ clock: PublisherClock) {
    self.entry = entry
    header = entry.header
    name = entry.name
    self.clock = clock
    nameHash = hash(of: name)
  }

  /// Whether a didScroll concerns the header alone: it is not recorded, no client is in its chain, and its engine is in this process.
  @inline(__always)
  var isFastPathEligible: Bool {
    entry.isOpen && entry.recorders.isEmpty && !entry.isMirrored && !header.hasListeners
      && !(entry.log?.needsGeneralPath ?? false)
  }

  /// Whether a message names its header.
  @inline(__always)
  func isNamed(_ header: ScrollMessage.Header) -> Bool {
    switch header {
    case .name(let given): given.hasBytes(of: name)
    case .handle(let handle): entry.isNumbered(handle)
    case .only: false
    }
  }

  /// How much later an event came than the least late one; nil: it has no time.
  func age(of given: Instant?, _ readTime: MonotonicTime) -> Int64? {
    guard let given else { return nil }
    let delay = readTime.nanoseconds &- given.nanoseconds
    leastDelay = min(leastDelay, delay)
    return max(0, delay &- leastDelay)
  }

  /// The header time of an event; nil: its time is invalid, and the general path reports how.
  @inline(__always)
  func headerTime(of given: Instant?, _ readTime: MonotonicTime) -> Instant? {
    clock.regularTime(of: given, readAt: readTime)
  }
}

/// The bindings of one connection.
@safe struct PublisherBindings {
  private var byHandle: [HeaderHandle: PublisherBinding] = [:]
  /// By the hash of the name; empty as long as there is one binding. Of two names with one hash the later has the place:
  /// events for the other one take the general path.
  private var byName: [UInt64: PublisherBinding] = [:]
  /// That of the last event, which `byHandle` owns. Lent without counting references, which would cost 2.5 % of the
  /// instructions of the bench's row `service`.
  private var latestReference: Unmanaged<PublisherBinding>?

  var all: [PublisherBinding] { Array(byHandle.values) }
  var latest: PublisherBinding? { unsafe latestReference?.takeUnretainedValue() }

  mutating func binding(to entry: HeaderEntry) -> PublisherBinding? {
    if let latest, latest.entry === entry { return latest }
    guard let binding = byHandle[entry.handle] else { return nil }
    unsafe latestReference = Unmanaged.passUnretained(binding)
    return binding
  }

  /// Adds a binding, which is the latest from now on.
  mutating func insert(_ binding: PublisherBinding) {
    remove(binding.entry)
    byHandle[binding.entry.handle] = binding
    unsafe latestReference = Unmanaged.passUnretained(binding)
    guard byHandle.count > 1 else { return }
    if byName.isEmpty { for one in byHandle.values { byName[one.nameHash] = one } }
    byName[binding.nameHash] = binding
  }

  mutating func remove(_ entry: HeaderEntry) {
    guard let binding = byHandle.removeValue(forKey: entry.handle) else { return }
    if byName[binding.nameHash] === binding { byName[binding.nameHash] = nil }
    if latest === binding { unsafe latestReference = nil }
  }

  /// Finds the binding of a message's header and lends it.
  /// - Returns: nil when there is none: the header has to be looked up by the general path.
  @inline(__always)
  mutating func withBinding<Result>(
    to header: ScrollMessage.Header, _ body: (PublisherBinding) -> Result
  ) -> Result? {
    if let latest = unsafe latestReference {
      let isMeant = unsafe latest._withUnsafeGuaranteedRef { $0.isNamed(header) }
      if isMeant { return unsafe latest._withUnsafeGuaranteedRef { body($0) } }
    }
    guard let found = find(header) else { return nil }
    unsafe latestReference = Unmanaged.passUnretained(found)
    return body(found)
  }

  @inline(never)
  private func find(_ header: ScrollMessage.Header) -> PublisherBinding? {
    switch header {
    case .name(let name): byName[name.plainHash].flatMap { $0.isNamed(header) ? $0 : nil }
    case .handle(let handle): Int(exactly: handle).flatMap { byHandle[HeaderHandle(number: $0)] }
    case .only: nil
    }
  }
}

/// The hash of a header's name: that of its bytes in a message (`JSONString.plainHash`).
private func hash(of name: String) -> UInt64 {
  var name = name
  return name.withUTF8 { unsafe byteHash(UnsafeRawBufferPointer($0)) }
}
