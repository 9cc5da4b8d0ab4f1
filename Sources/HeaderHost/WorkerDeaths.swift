// SPDX-License-Identifier: MIT
//
// The deaths of one worker's processes, and their consequences for its headers. The headers share memory, and a plugin can make a process
// report anything. So a header among others is never blamed: the headers are split until the culprit is alone.
//
//     a b c d  ✝ no suspect    ✝  ─▶  a b │ c d      a b  ✝  ─▶  a │ b      a  ✝ ✝ ✝ ✝  closed
//     a b c d  ✝ c was running ✝  ─▶  a b d │ c      c  ✝  its delegate is bypassed

internal import Clocks
internal import HeaderWorker

/// How the processes of a worker have died.
struct WorkerDeaths {
  /// Deaths in a row since a process has completed something: all, and those that no header explains.
  private var inARow = (all: 0, unexplained: 0)
  /// When the unexplained deaths of the last minute happened.
  private var unexplained: [MonotonicTime] = []
  /// A header has got a process of its own since a process last completed something.
  private var hasMovedOne = false

  /// Half of the headers move to another process after `unexplained` such deaths in a row, after `recently` of them `within` a time in
  /// nanoseconds if processes completed something in between, and after more than `accused` deaths in a row with changing suspects.
  private static let limits = (unexplained: 2, recently: 3, within: Int64(60_000_000_000), accused: 4)
  /// A header by itself is closed after this many unexplained deaths.
  private static let maxDeathsAlone = 5

  mutating func note(_ suspicion: RemoteHeaders.Suspicion, at now: MonotonicTime) {
    inARow.all += 1
    guard suspicion == .unknown else { return }
    inARow.unexplained += 1
    unexplained = unexplained.filter { now - $0 < Self.limits.within } + [now]
  }

  /// Notes that a process has completed something.
  mutating func noteProgress() { (inARow, hasMovedOne) = ((0, 0), false) }

  /// Notes that some headers have moved. The culprit is on either side, so the next unexplained death splits that side again.
  mutating func noteSplit() {
    inARow = (0, Self.limits.unexplained - 1)
    unexplained = unexplained.suffix(Self.limits.recently - 1)
  }

  /// Which headers are to move to another process after the last death: the one that was running too often, alone; half of them, where
  /// that has been tried or there is no suspect. Nil: none.
  mutating func headersToMove(_ suspicion: RemoteHeaders.Suspicion, of headers: [UInt32]) -> [UInt32]? {
    guard headers.count > 1 else { return nil }
    let half = Array(headers.suffix(headers.count / 2))
    switch suspicion {
    case .unknown:
      return inARow.unexplained >= Self.limits.unexplained || unexplained.count >= Self.limits.recently ? half : nil
    case .header: return inARow.all > Self.limits.accused ? half : nil
    case .mustBeAlone(let header):
      defer { hasMovedOne = true }
      return hasMovedOne ? half : [header]
    }
  }

  /// Whether a header that is alone in its process is to be closed. Each of its delegates is bypassed after two deaths, and it is given
  /// up if it cannot be opened; more deaths than that are no known plugin's fault.
  func areTooMany(for delegates: Int) -> Bool {
    inARow.unexplained >= Self.maxDeathsAlone || inARow.all >= 13 + 2 * delegates
  }
}
