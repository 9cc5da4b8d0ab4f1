// SPDX-License-Identifier: MIT
//
// What is asked for ahead of its use: whether it is what the next event goes through.

import HeaderCore
import HeaderTestKit
import Testing

@testable import HeaderService

@Suite struct TrailTests {
  /// The cache lines on a publisher's trail as it is when its connection is read from again.
  private func trail(of publisher: Client, in daemon: TestDaemon) throws -> Set<UInt> {
    let session = try #require(daemon.service.sessions[publisher.id])
    session.willBeRead()
    session.willBeRead()
    let trail = try #require(session.lastPublishing?.trail)
    var lines: Set<UInt> = []
    unsafe trail.forEachPiece { line, count in
      let first = UInt(bitPattern: line) / 64
      lines.formUnion(first..<first + UInt(count))
    }
    return lines
  }

  private func line(of object: AnyObject) -> UInt {
    unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()) / 64
  }

  private func lines(of row: UnsafeRawBufferPointer) -> Set<UInt> {
    let start = UInt(bitPattern: row.baseAddress)
    return Set(start / 64...(start + UInt(row.count) - 1) / 64)
  }

  @Test func itLeadsThroughAllThatAnEventNeeds() throws {
    let daemon = TestDaemon()
    let (publisher, reader) = (daemon.connect(), daemon.connect())
    publisher.send(TestDaemon.open("main"))
    reader.send(#"{"id":1,"method":"subscribe","params":{"headers":"main","mode":"every"}}"#)
    publisher.send(TestDaemon.scroll("main", 0, 0))
    publisher.send(TestDaemon.scroll("main", 0.1, 30))
    let trail = try trail(of: publisher, in: daemon)
    let entry = try #require(daemon.service.table["main"])
    let header = entry.header
    let feed = try #require(entry.feeds.first)
    let delegate = try #require(header.delegates.first)
    let objects: [AnyObject] = [
      entry, header, delegate, feed, feed.session, feed.session.output, daemon.service, daemon.service.lines,
    ]
    for object in objects {
      #expect(trail.contains(line(of: object)), "\(type(of: object))")
    }
    let rows = unsafe [
      UnsafeRawBufferPointer(start: header.recordsAddress, count: MemoryLayout<HeaderRecords>.size),
      UnsafeRawBufferPointer(
        start: header.drawers.address(of: 0), count: MemoryLayout<Drawer>.stride * header.drawers.count),
      UnsafeRawBufferPointer(start: header.scrollViews.address(of: 0), count: MemoryLayout<ScrollView>.stride),
    ]
    unsafe rows.forEach { #expect(unsafe trail.isSuperset(of: lines(of: $0))) }
    unsafe header.state.drawers.withUnsafeBytes { #expect(unsafe trail.isSuperset(of: lines(of: $0))) }
    unsafe header.state.scrollViews.withUnsafeBytes { #expect(unsafe trail.isSuperset(of: lines(of: $0))) }
    // Memory asked for in vain takes the place of other memory.
    #expect(trail.count < 150)
  }

  @Test func whoSubscribesLaterIsFoundInTime() throws {
    let daemon = TestDaemon()
    let (publisher, reader) = (daemon.connect(), daemon.connect())
    publisher.send(TestDaemon.open("main"))
    publisher.send(TestDaemon.scroll("main", 0, 0))
    _ = try trail(of: publisher, in: daemon)
    reader.send(#"{"id":1,"method":"subscribe","params":{"headers":"main"}}"#)
    let feed = try #require(daemon.service.table["main"]?.feeds.first)
    let session = try #require(daemon.service.sessions[publisher.id])
    for _ in 0..<256 { session.willBeRead() }
    #expect(try trail(of: publisher, in: daemon).contains(line(of: feed)))
  }

  @Test func aConnectionThatHasPublishedNothingHasNone() throws {
    let daemon = TestDaemon()
    let reader = daemon.connect()
    reader.send(#"{"id":1,"method":"subscribe","params":{"headers":"**"}}"#)
    let session = try #require(daemon.service.sessions[reader.id])
    session.willBeRead()
    #expect(session.lastPublishing == nil)
  }

  @Test func whoHasPublishedOnceHasNoneUntilMoreIsExpected() throws {
    let daemon = TestDaemon()
    let publisher = daemon.connect()
    publisher.send(TestDaemon.open("main"))
    publisher.send(TestDaemon.scroll("main", 0, 0))
    let session = try #require(daemon.service.sessions[publisher.id])
    let publishing = try #require(session.lastPublishing)
    #expect(publishing.trail == nil)
    session.willBeRead()
    #expect(publishing.trail != nil)
  }
}
