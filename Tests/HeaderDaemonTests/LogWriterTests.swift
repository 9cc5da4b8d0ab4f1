// SPDX-License-Identifier: MIT
//
// Lines for a reader that has stopped: whoever writes goes on, and what did not fit is counted.

import Glibc
import Posix
import Testing

import HeaderDaemon

@Suite struct LogWriterTests {
  @Test func aReaderThatStopsHoldsUpNobody() throws {
    let pipe = try makePipe()
    let writer = LogWriter(pipe.writer) { "lost \($0)\n" }
    let line = String(repeating: "x", count: 99) + "\n"
    for _ in 0..<10_000 { writer.write(line) }
    #expect(writer.hasWaiting)
    var text = ""
    while writer.hasWaiting || waitUntilReady([Wait(pipe.reader, for: .reading)], seconds: 0)[0].canRead {
      text += String(decoding: try readSome(from: pipe.reader), as: UTF8.self)
      writer.resume()
    }
    let lines = text.split(separator: "\n")
    let told = lines.filter { $0.hasPrefix("lost ") }
    let lost = told.compactMap { Int($0.dropFirst(5)) }.reduce(0, +)
    #expect(told.count == 1 && lines.last == told.first)
    #expect(lost > 0 && lines.count - told.count + lost == 10_000)
    #expect(lines.count >= 1 + LogWriter.maxBytes / line.utf8.count)
    // And it goes on.
    writer.write("again\n")
    #expect(String(decoding: try readSome(from: pipe.reader), as: UTF8.self) == "again\n")
    close(pipe.writer)
    close(pipe.reader)
  }

  @Test func aReaderThatIsGoneIsNotWaitedFor() throws {
    let pipe = try makePipe()
    close(pipe.reader)
    _ = signal(SIGPIPE, SIG_IGN)
    let writer = LogWriter(pipe.writer) { "lost \($0)\n" }
    for _ in 0..<10 { writer.write("a line\n") }
    #expect(!writer.hasWaiting)
    close(pipe.writer)
  }
}
