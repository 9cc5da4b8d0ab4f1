// SPDX-License-Identifier: MIT
//
// The output of a process with a plugin, as lines for the log. Each second a portion of it is read, and the first lines of that are
// logged: a plugin that prints without end delays no other header. Output beyond a pipe's room is lost.

internal import Clocks
internal import EventLoop
internal import Posix

/// Reads the output of a process.
final class PrintedLines {
  private let descriptor: Int32
  private let loop: Loop
  private let write: (String) -> Void
  private var watcher: DescriptorWatcher?
  private var pause: Timer
  /// The beginning of a line whose end has not come.
  private var begun: [UInt8] = []
  /// The bytes and lines that may still be read before `end`.
  private var portion = (bytes: 0, lines: 0, end: MonotonicTime(0))
  /// Lines of the present portion that were not handed on.
  private var leftOut = 0

  private static let span: Int64 = 1_000_000_000
  private static let most = (bytes: 65_536, lines: 20, lineBytes: 1_024)

  /// Reads from now on.
  /// - Parameters:
  ///   - descriptor: a pipe that is not waited for; stays open as long as this object.
  ///   - write: gets each line without its end, on the loop's thread.
  init(from descriptor: Int32, on loop: Loop, write: @escaping (String) -> Void) {
    self.descriptor = descriptor
    self.loop = loop
    self.write = write
    pause = Timer(on: loop)
    pause.fired = { [unowned self] in watch() }
    watch()
  }

  /// Passes on the remaining output, because the process has ended.
  func finish() {
    stop()
    read()
    if !begun.isEmpty { tell(begun[...]) }
    begun = []
    reportLeftOut()
  }

  func stop() {
    watcher = nil
    pause.disarm()
  }

  private func watch() {
    reportLeftOut()
    // Without a watcher the output is read at the end.
    guard let watcher = try? DescriptorWatcher(descriptor, on: loop) else { return }
    watcher.ready = { [unowned self] in read() }
    self.watcher = consume watcher
  }

  private func read() {
    if loop.now >= portion.end { portion = (Self.most.bytes, Self.most.lines, loop.now + Self.span) }
    guard let bytes = receiveSome(from: descriptor) else { return }
    guard !bytes.isEmpty else { return stop() }
    portion.bytes -= bytes.count
    take(bytes)
    guard portion.bytes <= 0 || portion.lines == 0, watcher != nil else { return }
    watcher = nil
    pause.arm(at: portion.end)
  }

  private func take(_ bytes: [UInt8]) {
    var rest = (begun + bytes)[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      tell(rest[..<end])
      rest = rest[(end + 1)...]
    }
    if rest.count > Self.most.lineBytes {
      tell(rest)
      rest = []
    }
    begun = Array(rest)
  }

  private func tell(_ line: ArraySlice<UInt8>) {
    guard portion.lines > 0 else { return leftOut += 1 }
    portion.lines -= 1
    write(String(decoding: line.prefix(Self.most.lineBytes), as: UTF8.self))
  }

  private func reportLeftOut() {
    guard leftOut > 0 else { return }
    write("(\(leftOut) lines more)")
    leftOut = 0
  }
}
