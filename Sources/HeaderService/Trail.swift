// SPDX-License-Identifier: MIT
//
// Memory ahead of its use. An event goes through some hundred cache lines: who publishes, the header and its drawers, its
// behaviors, the feed and the stream by which its state leaves. A daemon that has slept, or serves a thousand headers, finds
// hardly one of them in the processor's caches, and to wait for one after the other costs more than all that is done with
// them. A publisher's trail says where they all lie, so that they are asked for together, as soon as it is known whose
// event comes next:
//
//     one header a connection    before its bytes are read: the system call takes longer than the memory
//     many                       in the order of their turns (TurnOrder.swift), one turn ahead
//
// A trail is walked anew from time to time. Nothing depends on it: memory that is not the header's any more is asked for in
// vain.

internal import CPrefetch
internal import HeaderCore
internal import HeaderWire

/// Where everything lies that a publisher's events go through.
@safe final class Trail {
  /// Pieces of memory: the first cache line of each and, in the six bits that no line's address has, how many lines it has.
  private var pieces = InlineArray<28, UInt>(repeating: 0)
  private var count: UInt8 = 0
  /// It is good for so many fetches more.
  private var fetchesLeft: UInt8 = 0

  /// Cache lines that it takes itself.
  fileprivate static var lines: Int { 4 }

  /// Goes through the pieces: the first cache line of each, and how many lines it has.
  @inline(__always)
  func forEachPiece(_ body: (UnsafeRawPointer?, Int) -> Void) {
    for index in 0..<Int(count) {
      let piece = pieces[index]
      unsafe body(UnsafeRawPointer(bitPattern: piece & ~Self.inLine), Int(piece & Self.inLine))
    }
  }

  /// The bits of an address that say where in its line it is.
  private static var inLine: UInt { UInt(prefetch_line_size) - 1 }

  /// Asks for all the memory.
  @inline(__always)
  fileprivate func fetch(of entry: HeaderEntry) {
    if fetchesLeft == 0 { walk(entry) }
    fetchesLeft -= 1
    unsafe forEachPiece { unsafe prefetch_lines($0, $1) }
  }

  @inline(never)
  private func walk(_ entry: HeaderEntry) {
    count = 0
    fetchesLeft = .max
    unsafe entry.visitMemory(
      objects: { object in
        let start = unsafe place(of: object)
        unsafe add(start, size: prefetch_allocated(start))
      },
      rows: { row in
        guard let start = row.baseAddress, row.count > 0 else { return }
        unsafe add(start - Self.arrayHead, size: Self.arrayHead + row.count)
      })
  }

  /// Bytes in front of an array's elements, where it says how many they are; other rows are fetched with a line too many.
  private static var arrayHead: Int { 32 }

  /// Adds a piece, if there is a place for it.
  private func add(_ start: UnsafeRawPointer, size: Int) {
    guard Int(count) < pieces.count, size > 0 else { return }
    let first = UInt(bitPattern: start) & ~Self.inLine
    let lines = (UInt(bitPattern: start) + UInt(size) - 1 - first) / UInt(prefetch_line_size) + 1
    pieces[Int(count)] = first | min(lines, Self.inLine)
    count += 1
  }
}

extension Publishing {
  /// Asks for all that its next event will need. Who publishes once has no trail: it is laid with the first fetch.
  @inline(__always)
  func fetch() {
    if trail == nil { trail = Trail() }
    unsafe knownTrail?._withUnsafeGuaranteedRef { $0.fetch(of: entry) }
  }

  /// Asks for the trail itself.
  @inline(__always)
  func fetchTrail() { unsafe prefetch_lines(knownTrail?.toOpaque(), Trail.lines) }

  /// Asks for where that stands.
  @inline(__always)
  func fetchStart() { unsafe prefetch_lines(place(of: self), 1) }

  private var knownTrail: Unmanaged<Trail>? { unsafe trail.map { unsafe Unmanaged.passUnretained($0) } }
}

@inline(__always)
private func place(of object: AnyObject) -> UnsafeRawPointer {
  unsafe UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
}

extension HeaderEntry {
  /// Shows what an event goes through, to the first of those who get the state: the others come one behind the other.
  fileprivate func visitMemory(objects: (AnyObject) -> Void, rows: (UnsafeRawBufferPointer) -> Void) {
    objects(self)
    unsafe header.visitMemory(objects: objects, rows: rows)
    unsafe feeds.withUnsafeBytes { unsafe rows($0) }
    unsafe toldValues.withUnsafeBytes { unsafe rows($0) }
    if let phrases {
      objects(phrases)
      unsafe rows(phrases.memory)
    }
    guard let feed = feeds.first else { return }
    objects(feed)
    objects(feed.session)
    unsafe feed.session.output.visitMemory(objects: objects, rows: rows)
    unsafe feed.session.service.visitMemory(objects: objects, rows: rows)
  }
}

extension Service {
  /// Shows what every event goes through.
  fileprivate func visitMemory(objects: (AnyObject) -> Void, rows: (UnsafeRawBufferPointer) -> Void) {
    objects(self)
    unsafe lines.visitMemory(objects: objects, rows: rows)
  }
}
