// SPDX-License-Identifier: MIT
//
// The error of this room: the code, the refused call and its subject (mostly a path).
//
//     bind /run/headerd/headerd.sock: address already in use (EADDRINUSE)
//
// Codes are libuv's: on Linux the negative `errno`, and a few beyond -3000 (`EOF`). Texts are read into a buffer of
// ours, because libuv's short forms leak memory for unknown codes.

internal import CUV
internal import Glibc

/// A refused call of libuv or of the kernel below it.
public struct UVError: Error, Equatable, Sendable {
  /// What libuv answered: a negative number, on Linux the negative `errno` for the kernel's errors.
  public let code: Int32
  /// The call that was refused, in the words of the manual: `bind`, `write`, `uv_signal_start`.
  public let call: String
  /// The subject of the call, mostly a path.
  public let subject: String?

  /// - Parameter code: libuv's negative code.
  public init(code: Int32, call: String, subject: String? = nil) {
    self.code = code
    self.call = call
    self.subject = subject
  }

  /// The error that the last system call of this thread left in `errno`.
  static func last(_ call: String, _ subject: String? = nil) -> UVError {
    UVError(code: -errno, call: call, subject: subject)
  }

  /// The code's symbol: `EADDRINUSE`.
  public var name: String { unsafe Self.words(code, uv_err_name_r) }

  /// The code in a few English words: `address already in use`.
  public var text: String { unsafe Self.words(code, uv_strerror_r) }

  private static func words(
    _ code: Int32, _ fill: (Int32, UnsafeMutablePointer<CChar>?, Int) -> UnsafeMutablePointer<CChar>?
  ) -> String {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
      guard let words = unsafe fill(code, buffer.baseAddress, buffer.count) else { return "error \(code)" }
      return unsafe String(cString: words)
    }
  }
}

extension UVError: CustomStringConvertible {
  /// One line for people: the call, its subject, the words and the symbol.
  public var description: String {
    "\(call)\(subject.map { " " + $0 } ?? ""): \(text) (\(name))"
  }
}

/// Throws if a libuv call returned an error.
func check(_ answer: Int32, _ call: String, _ subject: String? = nil) throws(UVError) {
  if answer < 0 { throw UVError(code: answer, call: call, subject: subject) }
}
