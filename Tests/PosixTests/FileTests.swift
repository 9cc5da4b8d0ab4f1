// SPDX-License-Identifier: MIT

import Clocks
import DaemonTestKit
import Foundation
import Posix
import Testing

@Suite struct FileTests {
  @Test func onlyRegularFilesUpToTheLimitAreRead() throws {
    let folder = try TemporaryFolder()
    let file = "\(folder.path)/file"
    try Data(repeating: 7, count: 200_000).write(to: URL(fileURLWithPath: file))
    #expect(try contents(ofRegularFile: file, atMost: 200_000).count == 200_000)
    func refusal(_ path: String, _ limit: Int = 200_000) -> String? {
      do throws(FileRefusal) {
        _ = try contents(ofRegularFile: path, atMost: limit)
        return nil
      } catch { return error.reason }
    }
    #expect(refusal(file, 199_999) == "it is larger than 199999 bytes")
    #expect(unsafe symlink(file, "\(folder.path)/link") == 0)
    #expect(refusal("\(folder.path)/link") == "it is a symbolic link and no file")
    #expect(try contents(ofRegularFile: "\(folder.path)/link", atMost: 200_000, followsLinks: true).count == 200_000)
    // Opening it for reading would block, since it has no writer.
    #expect(unsafe mkfifo("\(folder.path)/fifo", 0o600) == 0)
    #expect(refusal("\(folder.path)/fifo") == "it is no regular file")
    #expect(refusal(folder.path) == "it is no regular file")
    #expect(refusal("/dev/zero") == "it is no regular file")
    #expect(refusal("\(folder.path)/none") == SystemError(code: ENOENT).text)
    // Files in /proc report a size of 0.
    #expect(try !contents(ofRegularFile: "/proc/self/status", atMost: 100_000).isEmpty)
    #expect(refusal("/proc/self/status", 10) == "it is larger than 10 bytes")
  }

  @Test func filesOfAnyKindAreReadUpToTheLimit() throws {
    let folder = try TemporaryFolder()
    let (file, link) = ("\(folder.path)/file", "\(folder.path)/link")
    try Data(repeating: 7, count: 200_000).write(to: URL(fileURLWithPath: file))
    #expect(unsafe symlink(file, link) == 0)
    #expect(try contents(ofFile: link, atMost: 200_000).count == 200_000)
    for (path, reason) in [
      (link, "it is larger than 199999 bytes"), ("/dev/zero", "it is larger than 199999 bytes"),
      ("\(folder.path)/none", SystemError(code: ENOENT).text),
    ] {
      let refusal = #expect(throws: FileRefusal.self) { try contents(ofFile: path, atMost: 199_999) }
      #expect(refusal?.reason == reason)
    }
  }

  @Test func anErrorOfTheSystemIsSaidInWords() {
    let error: any Error = SystemError(code: ENOENT)
    #expect("it cannot be started: \(error)" == "it cannot be started: No such file or directory")
  }

  @Test func aFileIsOpenedForItsUse() throws {
    let folder = try TemporaryFolder()
    let file = "\(folder.path)/file"
    let link = "\(folder.path)/link"
    #expect(unsafe symlink(file, link) == 0)
    #expect(throws: SystemError(code: ENOENT)) { try openFile(file, for: .reading) }
    #expect(throws: SystemError(code: ENOENT)) { try openFile(file, for: .changing) }
    let created = try openFile(file, for: .creating)
    #expect(fcntl(created, F_GETFD) & FD_CLOEXEC != 0)
    try writeAll(Array("0123456789".utf8), to: created)
    try writeAll(Array("ab".utf8), to: created, at: 4)
    close(created)
    #expect(throws: SystemError(code: EEXIST)) { try openFile(file, for: .creating) }
    #expect(try contents(ofFile: file) == Array("0123ab6789".utf8))
    for use in [FileUse.updating, .keeping, .changing] {
      #expect(throws: SystemError(code: ELOOP)) { try openFile(link, for: use) }
    }
    let kept = try openFile(file, for: .keeping)
    #expect(try FileStatus(of: kept).size == 0)
    try writeAll([1, 2, 3], to: kept)
    try truncateFile(kept, to: 2)
    try syncData(kept)
    try syncFolder(folder.path)
    #expect(try FileStatus(of: file).size == 2)
    close(kept)
  }

  @Test func aReplacedFileHasAnotherIdentity() throws {
    let folder = try TemporaryFolder()
    let (file, other) = ("\(folder.path)/file", "\(folder.path)/other")
    for path in [file, other] { close(try openFile(path, for: .creating)) }
    let before = try FileStatus(of: file)
    #expect(before.isRegular && !before.isFolder)
    try renameFile(other, to: file)
    #expect(try FileStatus(of: file).identity != before.identity)
    #expect(try names(inFolder: folder.path) == ["file"])
    try removeFile(file)
    #expect(!exists(file))
    #expect(throws: SystemError(code: ENOENT)) { try removeFile(file) }
  }

  @Test func aLockIsExclusive() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/lock"
    let (first, second) = (try openFile(path, for: .updating), try openFile(path, for: .updating))
    #expect(try FileStatus(of: path).permissions == 0o600)
    #expect(try tryLock(first))
    #expect(try !tryLock(second))
    close(first)
    #expect(try tryLock(second))
    close(second)
  }

  @Test func missingParentFoldersAreCreated() throws {
    let folder = try TemporaryFolder()
    try makeFolder("\(folder.path)/a/b/c")
    try makeFolder("\(folder.path)/a/b/c")
    #expect(try FileStatus(of: "\(folder.path)/a/b/c").isFolder)
    try makePrivateFolder("\(folder.path)/own")
    #expect(try FileStatus(of: "\(folder.path)/own").permissions == 0o700)
    #expect(throws: SystemError(code: EEXIST)) { try makePrivateFolder("\(folder.path)/own") }
    #expect(throws: SystemError(code: ENOTDIR)) {
      close(try openFile("\(folder.path)/file", for: .creating))
      try makeFolder("\(folder.path)/file/b")
    }
    #expect(unsafe symlink("../own", "\(folder.path)/a/link") == 0)
    #expect(target(ofLink: "\(folder.path)/a/link") == "../own")
    #expect(target(ofLink: "\(folder.path)/a") == nil)
    #expect(realPath("\(folder.path)/a/link") == realPath("\(folder.path)/own"))
    #expect(realPath("\(folder.path)/none") == nil)
  }

  /// A process with the descriptor cannot shrink the page under the others' mappings.
  @Test func aSharedPageKeepsItsSize() throws {
    let page = try SharedPage()
    let other = try SharedPage(mapping: fcntl(page.descriptor, F_DUPFD_CLOEXEC, 0))
    (page[0], page[SharedPage.count - 1]) = (17, .max)
    #expect(other[0] == 17 && other[SharedPage.count - 1] == .max)
    for size in [0, 1, 1_000_000] {
      #expect(throws: SystemError(code: EPERM)) { try truncateFile(page.descriptor, to: size) }
    }
    other[0] = 18
    #expect(page[0] == 18)
  }

  @Test func aMemoryFileLivesAsLongAsItsObject() throws {
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
    let path: String
    do {
      let file = try MemoryFile(bytes)
      path = file.path
      #expect(try contents(ofFile: path) == bytes)
      withExtendedLifetime(file) {}
    }
    #expect((try? contents(ofFile: path)) != bytes)
  }

  @Test func sealedContentCannotBeChanged() throws {
    let file = try MemoryFile([1, 2, 3])
    let descriptor = unsafe open(file.path, O_RDWR)
    defer { close(descriptor) }
    try seal(descriptor, .content)
    #expect(throws: SystemError(code: EPERM)) { try writeAll([4], to: descriptor, at: 0) }
    #expect(throws: SystemError(code: EPERM)) { try truncateFile(descriptor, to: 0) }
    #expect(try contents(ofFile: file.path) == [1, 2, 3])
  }
}
