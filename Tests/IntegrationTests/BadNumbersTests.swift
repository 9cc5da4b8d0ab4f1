// SPDX-License-Identifier: MIT
//
// Numbers that are none. A publisher's 0/0 in a frame is answered like any other wrong number: the error names the field and
// what was given, the connection goes on, and so does everybody else. The frames are written byte by byte from
// header_wire.h's tables.

import DaemonTestKit
import Testing

@Suite struct BadNumbersTests {
  /// A number of an event: how much of it is given, the kind, and where its double stands in the event.
  struct Place: CustomTestStringConvertible {
    var field: String
    var given: UInt16
    var kind: UInt8
    var offset: Int

    var testDescription: String { field }
  }

  static let places = [
    Place(field: "offset.x", given: 1 << 1, kind: 0, offset: 16),
    Place(field: "offset.y", given: 1 << 2, kind: 0, offset: 24),
    Place(field: "correction.x", given: 1 << 7 | 1 << 2, kind: 0, offset: 32),
    Place(field: "correction.y", given: 1 << 8 | 1 << 2, kind: 0, offset: 40),
    Place(field: "velocity.x", given: 1 << 9, kind: 2, offset: 48),
    Place(field: "velocity.y", given: 1 << 10, kind: 2, offset: 56),
    Place(field: "targetOffset.x", given: 1 << 11, kind: 2, offset: 64),
    Place(field: "targetOffset.y", given: 1 << 12, kind: 2, offset: 72),
    Place(field: "delta.y", given: 1 << 10, kind: 10, offset: 56),
    Place(field: "size.width", given: 1 << 9, kind: 19, offset: 48),
    Place(field: "frameDuration", given: 1 << 9, kind: 131, offset: 48),
  ]

  static let numbers: [(Double, String)] = [(.nan, "nan"), (.infinity, "inf"), (-.infinity, "-inf")]

  @Test func areAnsweredByAnErrorAndEverybodyGoesOn() throws {
    let daemon = try RunningDaemon()
    let bystanders = try Bystanders(daemon)
    let client = try daemon.client()
    try client.write([0x89, 0x48, 0x44, 0x01])
    #expect(try client.bytes(4) == [0x89, 0x48, 0x44, 0x01])
    try client.write(Self.frame(6, Self.little(1, 8) + Array(Conversation.opening.utf8)))
    let opened = try client.frame()
    #expect(opened[4] == 0x86)
    let handle = Array(opened[24..<32])
    var id: UInt64 = 1
    for place in Self.places {
      for (number, text) in Self.numbers {
        for isBatch in [false, true] {
          id += 1
          try client.write(Self.eventFrame(place, number, id: id, handle: handle, isBatch: isBatch))
          let answer = try client.frame()
          #expect(answer[4] == 0x90 && Array(answer[8..<16]) == Self.little(id, 8), "\(place.field) \(text)")
          let size = Int(answer[24]) | Int(answer[25]) << 8
          let message = String(decoding: answer[32..<32 + size], as: UTF8.self)
          let data = try JSON(String(decoding: answer[(32 + size)...], as: UTF8.self))
          let field = (isBatch ? "params.events[0]." : "params.") + place.field
          #expect(data["field"].string == field)
          #expect(data["got"].string == text)
          #expect(data["expected"].string == "number")
          #expect(message.hasPrefix("\(field): expected a") && message.hasSuffix(", got \(text)"), "\(message)")
        }
      }
      try bystanders.goOn()
    }
    try client.write(Self.frame(5, Self.little(id + 1, 8)))
    #expect(try client.frame()[4] == 0x85)
    #expect(try bystanders.story().count > 5)
    #expect(try daemon.client().result("header.list")["headers"].list.count == 2)
  }

  /// The same where nobody waits for an answer: the shortest road, and 64 bytes.
  @Test func aNotificationIsRefusedTheSameWay() throws {
    let daemon = try RunningDaemon()
    let client = try daemon.client()
    try client.write([0x89, 0x48, 0x44, 0x01] + Self.frame(6, Self.little(1, 8) + Array(Conversation.opening.utf8)))
    _ = try client.bytes(4)
    let handle = Array(try client.frame()[24..<32])
    let frame = Self.eventFrame(Self.places[1], .nan, id: 0, handle: handle, isBatch: false)
    #expect(frame.count == 64)
    try client.write(frame)
    let answer = try client.frame()
    // About a notification.
    #expect(answer[4] == 0x90 && answer[20] == 1)
    #expect(try daemon.client().result("stats")["errors"].int == 1)
  }

  // MARK: - Bytes

  static func little(_ number: UInt64, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
  }

  static func frame(_ kind: UInt64, _ body: [UInt8]) -> [UInt8] {
    little(UInt64(8 + body.count), 4) + little(kind, 2) + little(0, 2) + body
  }

  static func eventFrame(
    _ place: Place, _ number: Double, id: UInt64, handle: [UInt8], isBatch: Bool
  ) -> [UInt8] {
    var event = [UInt8](repeating: 0, count: place.offset < 32 ? 32 : 88)
    event.replaceSubrange(0..<4, with: little(UInt64(event.count), 4))
    event.replaceSubrange(4..<6, with: little(UInt64(place.given), 2))
    event[6] = place.kind
    event.replaceSubrange(place.offset..<place.offset + 8, with: little(number.bitPattern, 8))
    return frame(isBatch ? 3 : 2, little(id, 8) + handle + little(1, 4) + little(0, 4) + event)
  }
}
