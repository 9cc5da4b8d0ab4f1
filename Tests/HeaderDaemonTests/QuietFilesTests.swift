// SPDX-License-Identifier: MIT
//
// When a file that changes is read, on a clock that the test moves.

import Clocks
import HeaderDaemon
import Testing

@Suite struct QuietFilesTests {
  /// A file system of one's own: what each file looks like.
  private final class Disk {
    var files: [String: FileLooks] = [:]
    func look(_ name: String) -> FileLooks? { files[name] }
    func write(_ name: String, size: Int64, file: UInt64 = 1) {
      files[name] = FileLooks(device: 1, file: file, size: size, written: (files[name]?.written ?? 0) + 1)
    }
  }

  private let disk = Disk()

  @Test func aFileIsToldOnceItHasBeenLeftAlone() {
    var files = QuietFiles(quiet: 150)
    #expect(files.nextDue == nil)
    disk.write("A", size: 10)
    files.changed("A", disk.look("A"), at: 1000)
    #expect(files.nextDue == 1150)
    #expect(files.due(at: 1149, look: disk.look) == [])
    #expect(files.due(at: 1150, look: disk.look) == ["A"])
    #expect(files.nextDue == nil)
    #expect(files.due(at: 9999, look: disk.look) == [])
  }

  @Test func eachPieceThatIsWrittenPutsItOff() {
    var files = QuietFiles(quiet: 150)
    for size in stride(from: Int64(0), through: 1000, by: 100) {
      let time = MonotonicTime(nanoseconds: size)
      disk.write("A", size: size)
      files.changed("A", disk.look("A"), at: time)
      #expect(files.due(at: time + 99, look: disk.look) == [])
    }
    #expect(files.nextDue == 1150)
    #expect(files.due(at: 1150, look: disk.look) == ["A"])
  }

  /// Nobody tells of what is written through a mapping; the file looks otherwise when its time has come.
  @Test func aChangeThatNobodyToldPutsItOffToo() {
    var files = QuietFiles(quiet: 150)
    disk.write("A", size: 10)
    files.changed("A", disk.look("A"), at: 0)
    disk.write("A", size: 10)
    #expect(files.due(at: 150, look: disk.look) == [])
    #expect(files.nextDue == 300)
    #expect(files.due(at: 300, look: disk.look) == ["A"])
  }

  @Test func aFileThatIsGoneIsNotToldAndNotWaitedFor() {
    var files = QuietFiles(quiet: 150)
    disk.write("A", size: 10)
    files.changed("A", disk.look("A"), at: 0)
    disk.files["A"] = nil
    #expect(files.due(at: 150, look: disk.look) == [])
    #expect(files.due(at: 300, look: disk.look) == [])
    #expect(files.nextDue == nil)
    disk.write("A", size: 10, file: 2)
    files.changed("A", disk.look("A"), at: 400)
    #expect(files.due(at: 550, look: disk.look) == ["A"])
  }

  @Test func filesWaitEachForThemselves() {
    var files = QuietFiles(quiet: 150)
    for (name, time) in [("C", MonotonicTime(nanoseconds: 10)), ("A", 0), ("B", 10)] {
      disk.write(name, size: 1)
      files.changed(name, disk.look(name), at: time)
    }
    #expect(files.nextDue == 150)
    #expect(files.due(at: 155, look: disk.look) == ["A"])
    #expect(files.nextDue == 160)
    #expect(files.due(at: 160, look: disk.look) == ["B", "C"])
    #expect(files.nextDue == nil)
  }
}
