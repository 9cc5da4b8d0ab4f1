// SPDX-License-Identifier: MIT
//
// What a test's daemon in memory and its clients say to each other, for Tests/Schema/validate.py, which holds it against the schema.
// Sockets are recorded by Tests/Schema/recorder.c, in the same form.

internal import Foundation
internal import Synchronization

/// The bytes of one connection, written into one of a few files of the folder `$TEST_MESSAGES` when the connection is gone. Without
/// the variable nothing is kept.
public final class MessageRecord {
  private static let folder = ProcessInfo.processInfo.environment["TEST_MESSAGES"]
  private static let maxBytes = 1 << 20
  private static let lastNumber = Atomic<UInt32>(0)
  private let number = lastNumber.add(1, ordering: .relaxed).newValue
  private var bytes: [UInt8] = []

  /// Nothing was said yet.
  public init() {}

  /// A client says something.
  public func sent(_ piece: some Collection<UInt8>) { add(UInt8(ascii: ">"), piece) }

  /// The daemon does.
  public func received(_ piece: some Collection<UInt8>) { add(UInt8(ascii: "<"), piece) }

  private func add(_ direction: UInt8, _ piece: some Collection<UInt8>) {
    guard Self.folder != nil, bytes.count < Self.maxBytes else { return }
    add(number)
    bytes.append(direction)
    add(UInt32(piece.count))
    bytes += piece
  }

  private func add(_ number: UInt32) {
    for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  deinit {
    guard let folder = Self.folder, !bytes.isEmpty else { return }
    // One write, so that connections that end at once do not mix.
    let path = "\(folder)/memory-\(ProcessInfo.processInfo.processIdentifier)-\(number % 16).messages"
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
    guard file >= 0 else { return }
    _ = unsafe write(file, bytes, bytes.count)
    close(file)
  }
}
