// SPDX-License-Identifier: MIT
//
// The headers that one connection publishes to. An event names its header in each message, by name or by handle; nearly
// always it is that of the event before, which is compared first. Otherwise the binding is found by a hash of the name's
// bytes as they lie in the message, or of the handle, so that no string is made and no reference is counted.
//
//     didScroll "main" ─▶ latest? ─▶ yes: its clock, its header
//                            ╰────▶ no:  byName[hash("main")] ─▶ the binding, now the latest
//
// Indexes are hash tables with linear probing; a removal moves the entries behind it back, so that there are no tombstones.

internal import Fanout
internal import HeaderCore
internal import HeaderWire

/// A connection as the publisher of one header.
final class PublisherBinding {
  let entry: HeaderEntry
  /// Maps the publisher's times to header time.
  var clock: PublisherClock
  fileprivate let nameHash: UInt64

  init(_ entry: HeaderEntry, _ clock: PublisherClock) {
    self.entry = entry
    self.clock = clock
    nameHash = hash(of: entry.name)
  }

  /// Whether a didScroll concerns the header alone: nobody records it, and no client is in its chain.
  @inline(__always)
  var concernsHeaderAlone: Bool {
    entry.isOpen && entry.recorders.isEmpty && !entry.header.hasListeners && !(entry.waiting?.isPrepared ?? false)
  }

  /// The header time of an event; nil: what is wrong with its time is to be found out by the general path.
  @inline(__always)
  func headerTime(of given: Instant?, _ readTime: Int64) -> Instant? {
    clock.regularTime(of: given, readAt: readTime)
  }
}

/// The bindings of one connection.
@safe struct PublisherBindings {
  /// Owns the bindings; what follows only refers to them.
  private var owned: [HeaderHandle: PublisherBinding] = [:]
  /// That of the last event.
  private var latestReference: Unmanaged<PublisherBinding>?
  /// Both are empty as long as there is one binding.
  private var byName = BindingIndex { $0.nameHash }
  private var byHandle = BindingIndex { hash(of: UInt64($0.entry.handle.number)) }

  var all: [PublisherBinding] { Array(owned.values) }
  var latest: PublisherBinding? { unsafe latestReference?.takeUnretainedValue() }

  /// The binding to an open header.
  mutating func binding(to entry: HeaderEntry) -> PublisherBinding? {
    if let latest, latest.entry === entry { return latest }
    guard let binding = owned[entry.handle] else { return nil }
    unsafe latestReference = Unmanaged.passUnretained(binding)
    return binding
  }

  /// Adds a binding, which is the latest from now on.
  mutating func insert(_ binding: PublisherBinding) {
    remove(binding.entry)
    owned[binding.entry.handle] = binding
    unsafe latestReference = Unmanaged.passUnretained(binding)
    guard owned.count > 1 else { return }
    if byName.isEmpty {
      for one in owned.values {
        byName.insert(one)
        byHandle.insert(one)
      }
    } else {
      byName.insert(binding)
      byHandle.insert(binding)
    }
  }

  /// Forgets a header.
  mutating func remove(_ entry: HeaderEntry) {
    guard let binding = owned.removeValue(forKey: entry.handle) else { return }
    byName.remove(binding)
    byHandle.remove(binding)
    if latest === binding { unsafe latestReference = nil }
  }

  /// Finds the binding of a message's header and lends it, without counting a reference.
  /// - Returns: nil when there is none: the header has to be looked up by the general path.
  @inline(__always)
  mutating func withBinding<Result>(
    to header: ScrollMessage.Header, _ body: (PublisherBinding) -> Result
  ) -> Result? {
    if let latest = unsafe latestReference {
      let isMeant = unsafe latest._withUnsafeGuaranteedRef { isNamed(header, $0.entry) }
      if isMeant { return unsafe latest._withUnsafeGuaranteedRef { body($0) } }
    }
    guard let found = unsafe find(header) else { return nil }
    unsafe latestReference = found
    return unsafe found._withUnsafeGuaranteedRef { body($0) }
  }

  @inline(__always)
  private func isNamed(_ header: ScrollMessage.Header, _ entry: HeaderEntry) -> Bool {
    switch header {
    case .name(let name): name.hasBytes(of: entry.name)
    case .handle(let handle): entry.isNumbered(handle)
    case .only: false
    }
  }

  @inline(never)
  private func find(_ header: ScrollMessage.Header) -> Unmanaged<PublisherBinding>? {
    switch header {
    case .name(let name): unsafe byName.find(name.plainHash) { name.hasBytes(of: $0.entry.name) }
    case .handle(let handle): unsafe byHandle.find(hash(of: handle)) { $0.entry.isNumbered(handle) }
    case .only: nil
    }
  }
}

/// A hash table of bindings that it does not own.
@safe private struct BindingIndex {
  private var slots = unsafe ContiguousArray<Unmanaged<PublisherBinding>?>()
  private var count = 0
  private let hash: (PublisherBinding) -> UInt64

  init(_ hash: @escaping (PublisherBinding) -> UInt64) { self.hash = hash }

  var isEmpty: Bool { count == 0 }
  private var mask: Int { unsafe slots.count - 1 }

  @inline(__always)
  func find(_ hash: UInt64, _ isMeant: (PublisherBinding) -> Bool) -> Unmanaged<PublisherBinding>? {
    guard count > 0 else { return nil }
    var place = Int(truncatingIfNeeded: hash) & mask
    while let slot = unsafe slots[place] {
      if unsafe slot._withUnsafeGuaranteedRef({ isMeant($0) }) { return unsafe slot }
      place = (place + 1) & mask
    }
    return nil
  }

  mutating func insert(_ binding: PublisherBinding) {
    if unsafe 2 * (count + 1) > slots.count { grow() }
    unsafe put(Unmanaged.passUnretained(binding), hash(binding))
    count += 1
  }

  private mutating func put(_ binding: Unmanaged<PublisherBinding>, _ hash: UInt64) {
    var place = Int(truncatingIfNeeded: hash) & mask
    while unsafe slots[place] != nil { place = (place + 1) & mask }
    unsafe slots[place] = binding
  }

  private mutating func grow() {
    let old = unsafe slots
    unsafe slots = ContiguousArray(repeating: nil, count: max(8, 2 * old.count))
    for index in unsafe old.indices {
      if let binding = unsafe old[index] {
        unsafe put(binding, binding._withUnsafeGuaranteedRef { hash($0) })
      }
    }
  }

  /// Takes a binding out; whoever stands behind it because its place was taken moves back.
  mutating func remove(_ binding: PublisherBinding) {
    guard count > 0 else { return }
    var place = Int(truncatingIfNeeded: hash(binding)) & mask
    while let slot = unsafe slots[place], unsafe slot.takeUnretainedValue() !== binding { place = (place + 1) & mask }
    guard unsafe slots[place] != nil else { return }
    count -= 1
    var next = (place + 1) & mask
    while let slot = unsafe slots[next] {
      let wanted = Int(truncatingIfNeeded: unsafe slot._withUnsafeGuaranteedRef { hash($0) }) & mask
      // It may move back unless its wanted place lies behind the hole.
      if (next - wanted) & mask >= (next - place) & mask {
        unsafe slots[place] = slot
        place = next
      }
      next = (next + 1) & mask
    }
    unsafe slots[place] = nil
  }
}

/// The hash of a header's name: that of its bytes in a message (`JSONString.plainHash`).
private func hash(of name: String) -> UInt64 {
  var name = name
  return name.withUTF8 { unsafe byteHash(UnsafeRawBufferPointer($0)) }
}

/// The hash of a handle. Handles count up, in steps of the number of shards.
private func hash(of handle: UInt64) -> UInt64 { (handle &* 0x9e37_79b9_7f4a_7c15) >> 32 }
