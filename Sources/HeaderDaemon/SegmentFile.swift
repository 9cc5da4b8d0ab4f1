// SPDX-License-Identifier: MIT
//
// The file of the journal's present segment, for one thread at a time: the steps of HeaderJournal as system calls.

internal import EventLoop
internal import HeaderJournal
internal import Posix
private import Glibc

/// The file that a shard's journal writes to.
struct SegmentFile: Sendable {
  private let lock: StateLock
  private var folder: String { lock.folder }
  private var descriptor: Int32 = -1
  private var path = ""
  private var identity: FileStatus.Identity?
  /// Bytes that were written completely; a step that failed is written over.
  private var size = 0

  init(in lock: StateLock) { self.lock = lock }

  /// Carries out a step: writes, syncs, begins and removes segments.
  mutating func perform(_ step: JournalStep) -> StepResult {
    var copied: [Int: Int] = [:]
    do {
      if let head = step.begins {
        if let loss = lock.regain() { return StepResult(loss) }
        try begin(head)
      }
      if !step.bytes.isEmpty {
        try attempt("write") { () throws(SystemError) in try writeAll(step.bytes, to: descriptor, at: size) }
        size += step.bytes.count
      }
      if let copies = step.copies {
        let (bytes, sizes) = copies.records(read)
        try attempt("write") { () throws(SystemError) in try writeAll(bytes, to: descriptor, at: size) }
        size += bytes.count
        copied = sizes
      }
      if step.syncs, descriptor >= 0 { try attempt("fdatasync") { () throws(SystemError) in try syncData(descriptor) } }
      if let loss { return StepResult(loss) }
      for number in step.removes { try remove("\(folder)/\(SegmentHead.fileName(of: number))") }
      return StepResult(copied: copied)
    } catch {
      return StepResult("\(error)")
    }
  }

  /// A segment as far as it is written.
  private func read(_ number: Int) -> [UInt8]? {
    let file = "\(folder)/\(SegmentHead.fileName(of: number))"
    guard let bytes = try? contents(ofRegularFile: file, atMost: StoredJournal.largestFile) else { return nil }
    return file == path ? Array(bytes.prefix(size)) : bytes
  }

  /// Begins a segment. The one before is on the disk as far as it was written, and ends there.
  private mutating func begin(_ head: SegmentHead) throws(UVError) {
    try end()
    path = "\(folder)/\(head.fileName)"
    let (path, new, folder) = (path, "\(path).new", folder)
    descriptor = try attempt("open") { () throws(SystemError) in try openFile(new, for: .keeping) }
    size = 0
    // The head is written before the file gets its name: a file that ends within its head is damaged.
    try attempt("write") { () throws(SystemError) in try writeAll(head.bytes, to: descriptor, at: 0) }
    try attempt("fdatasync") { () throws(SystemError) in try syncData(descriptor) }
    size = head.bytes.count
    identity = try attempt("fstat") { () throws(SystemError) in try FileStatus(of: descriptor).identity }
    try attempt("rename") { () throws(SystemError) in try renameFile(new, to: path) }
    try attempt("fsync", folder) { () throws(SystemError) in try syncFolder(folder) }
  }

  /// The file or folder that was removed while the daemon runs, in words; nil: none. Bytes written to a file without a name are lost.
  private var loss: String? {
    if let loss = lock.loss { return loss }
    guard descriptor >= 0, (try? FileStatus(of: path, followsLinks: false))?.identity != identity else { return nil }
    return "\(path) was removed or replaced"
  }

  private mutating func end() throws(UVError) {
    guard descriptor >= 0 else { return }
    let (descriptor, size) = (descriptor, size)
    try attempt("ftruncate") { () throws(SystemError) in try truncateFile(descriptor, to: size) }
    try attempt("fdatasync") { () throws(SystemError) in try syncData(descriptor) }
    close()
  }

  private func remove(_ path: String) throws(UVError) {
    do { try removeFile(path) } catch {
      guard error.code == ENOENT else { throw UVError(code: -error.code, call: "unlink", subject: path) }
    }
  }

  mutating func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }

  private func attempt<Result>(
    _ call: String, _ subject: String? = nil, _ body: () throws(SystemError) -> Result
  ) throws(UVError) -> Result {
    do { return try body() } catch { throw UVError(code: -error.code, call: call, subject: subject ?? path) }
  }
}

/// A shard's journal on the disk: steps run on a thread of the loop's pool, one at a time.
final class JournalFiles: JournalDisk {
  private let loop: Loop
  private var file: SegmentFile
  /// Called after each step.
  var finished: ((StepResult) -> Void)?

  init(in lock: StateLock, on loop: Loop) {
    self.loop = loop
    file = SegmentFile(in: lock)
  }

  deinit { file.close() }

  func perform(_ step: JournalStep) {
    let file = file
    loop.runInBackground({
      var file = file
      let result = file.perform(step)
      return (file, result)
    }) { [weak self] (file: SegmentFile, result: StepResult) in
      self?.file = file
      self?.finished?(result)
    }
  }
}
