// SPDX-License-Identifier: MIT
//
// Decides when a changing file is worth reading. A linker writes in pieces, a build replaces several files, an editor saves twice. So a
// file is read once it has been left alone for a while, and only if it then looks as it did at its last change: writes through a mapping
// change it without a notification from the kernel.
//
//     change      change  change              due: still the same? yes: read it
//     ──┴───────────┴───────┴───── quiet ──────┘                   no: that was a change
//
// A value with times as numbers: the shell provides the clock and the file's status.

package import Clocks

/// A file's status, by which a change is noticed.
package struct FileLooks: Equatable, Sendable {
  /// Which file it is: one renamed into place is another one.
  package var device: UInt64
  package var file: UInt64
  /// The file's size in bytes.
  package var size: Int64
  /// When its content was written last, nanoseconds.
  package var written: Int64

  package init(device: UInt64, file: UInt64, size: Int64, written: Int64) {
    self.device = device
    self.file = file
    self.size = size
    self.written = written
  }
}

/// Files that changed lately, by name, each with the time at which it has been quiet for long enough.
package struct QuietFiles {
  /// How long a file has to be left alone, nanoseconds.
  package let quiet: Int64
  private var waiting: [String: (due: MonotonicTime, looks: FileLooks?)] = [:]

  package init(quiet: Int64) { self.quiet = quiet }

  /// Notes that a file changed, or may have.
  /// - Parameter looks: its present status; nil: the file does not exist.
  package mutating func changed(_ name: String, _ looks: FileLooks?, at now: MonotonicTime) {
    waiting[name] = (now + quiet, looks)
  }

  /// When to ask `due` next, nil when no file waits.
  package var nextDue: MonotonicTime? { waiting.values.map(\.due).min() }

  /// The files that have become quiet, by name. Each is reported once. A file that was removed is not reported: if it comes back, that is
  /// a change of its own.
  /// - Parameter look: gives a file's present status.
  package mutating func due(at now: MonotonicTime, look: (String) -> FileLooks?) -> [String] {
    var quietOnes: [String] = []
    for (name, entry) in waiting where entry.due <= now {
      let looks = look(name)
      if looks == entry.looks {
        waiting[name] = nil
        if looks != nil { quietOnes.append(name) }
      } else {
        changed(name, looks, at: now)
      }
    }
    return quietOnes.sorted()
  }
}
