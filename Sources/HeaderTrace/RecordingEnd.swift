// SPDX-License-Identifier: MIT
//
// How a recording ends. The last line says why, after how many steps, and has the checksum of all bytes before it:
//
//     {"ended":"closed","steps":58,"checksum":"9f3c61d0a7b2e845"}
//
// The first line has `ends` if there is to be such a line: then a file without one is incomplete. Files of people and
// of older recorders have neither.

internal import HeaderModel
internal import HeaderWire

/// A checksum over the bytes of a recording, against accidental damage (FNV-1a, 64 bits).
public struct RecordingChecksum: Sendable {
  private var hash = fnv1a([])

  /// The checksum of no bytes.
  public init() {}

  /// Adds bytes behind those before.
  public mutating func add(_ bytes: some Sequence<UInt8>) {
    hash = fnv1a(bytes, after: hash)
  }

  /// As it stands in a file: 16 digits.
  public var text: String {
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// Why a recording ended.
public enum RecordingEnd: String, Sendable {
  case closed
  case stopped
  case draining
  /// The header continued in a new epoch, with other states than its inputs make.
  case restarted
  /// The reader was too slow, and the daemon ended the recording.
  case overflow
  /// The connection to the daemon was lost.
  case lost
}

extension Recording {
  /// Whether a recording is complete.
  public enum Completeness: Equatable, Sendable {
    /// All steps are there.
    case whole
    /// The file does not say: a person wrote it, or a recorder before there were ends.
    case unknown
    /// Steps are missing or damaged: why, in a sentence.
    case incomplete(String)
  }

  /// The completeness according to an end line.
  /// - Parameter checksum: of all bytes before the line.
  static func completeness(_ end: Value, steps: Int, _ checksum: RecordingChecksum) -> Completeness {
    guard let count = end["steps"]?.asNumber, count == Double(steps) else {
      return .incomplete("its end speaks of \(end["steps"]?.brief ?? "no number of") steps, there are \(steps)")
    }
    guard end["checksum"]?.asText == checksum.text else {
      return .incomplete(
        "it is not as it was recorded, its checksum is another (who changes one leaves out its last line, and \"ends\" in "
          + "the first)")
    }
    switch end["ended"]?.asText.flatMap(RecordingEnd.init) {
    case .overflow: return .incomplete("its reader was too slow, and the daemon ended it after \(counted(steps))")
    case .lost: return .incomplete("the connection to the daemon was lost after \(counted(steps))")
    default: return .whole
    }
  }

  /// The completeness of a file without an end line.
  static func completeness(withoutEnd head: Value) -> Completeness {
    head["ends"]?.asBool == true
      ? .incomplete("it has no end: its recorder was killed, or the file was cut off") : .unknown
  }

  private static func counted(_ steps: Int) -> String { steps == 1 ? "1 step" : "\(steps) steps" }
}

extension RecordingLine {
  /// The last line.
  /// - Parameters:
  ///   - ended: why, in a word: one of `RecordingEnd`, or the daemon's own for the end of a header.
  ///   - checksum: of all lines before.
  public static func end(_ ended: String, steps: Int, _ checksum: RecordingChecksum) -> [UInt8] {
    let end: Value = ["ended": .text(ended), "steps": .number(Double(steps)), "checksum": .text(checksum.text)]
    return end.jsonBytes + [0x0A]
  }
}
