// SPDX-License-Identifier: MIT
//
// What a test's daemon in memory and its clients say to each other, for Tests/Schema/validate.py, which holds it against the schema.
// Sockets are recorded by Tests/Schema/recorder.c, in the same form.

internal import Foundation

/// The bytes of one connection, written into a file of the folder `$TEST_MESSAGES` when the connection is gone. Without
/// the variable nothing is kept.
public final class MessageRecord {
  private static let folder = ProcessInfo.processInfo.environment["TEST_MESSAGES"]
  private static let mostBytes = 1 << 20
  private var bytes: [UInt8] = []

  /// Nothing was said yet.
  public init() {}

  /// A client says something.
  public func sent(_ piece: some Collection<UInt8>) { add(UInt8(ascii: ">"), piece) }

  /// The daemon does.
  public func received(_ piece: some Collection<UInt8>) { add(UInt8(ascii: "<"), piece) }

  private func add(_ direction: UInt8, _ piece: some Collection<UInt8>) {
    guard Self.folder != nil, bytes.count < Self.mostBytes else { return }
    bytes.append(direction)
    for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: piece.count >> shift)) }
    bytes += piece
  }

  deinit {
    guard let folder = Self.folder, !bytes.isEmpty else { return }
    let file = URL(fileURLWithPath: folder).appendingPathComponent("memory-\(UUID().uuidString).messages")
    try? Data(bytes).write(to: file)
  }
}
