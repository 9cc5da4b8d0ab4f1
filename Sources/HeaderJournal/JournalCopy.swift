// SPDX-License-Identifier: MIT
//
// Copies the records of headers that cannot be saved when the oldest segment is to go: their old snapshots and inputs are written again
// behind everything else. The shard does not have them any more, so the disk reads its own segments. It does so in the order of its
// steps: the copy has all earlier records, and later ones follow it.

internal import HeaderModel

/// Records that the disk is to read and write again.
public struct JournalCopy: Sendable {
  /// For each header, the bytes that it may take at most.
  let limits: [Int: Int]
  /// The segments to be read, the present one last.
  public let segments: [Int]
  /// The segment that is written.
  let segment: Int

  /// Copies the headers' records.
  /// - Parameter read: the bytes of a segment as far as they are written; nil: they cannot be read.
  /// - Returns: the records, and for each header that was copied its bytes.
  public func records(_ read: (Int) -> [UInt8]?) -> (bytes: [UInt8], sizes: [Int: Int]) {
    var files: [Int: [UInt8]] = [:]
    for number in segments { files[number] = read(number) }
    // A header of which something is missing is not copied.
    guard files.count == segments.count,
      let stored = try? StoredJournal(
        files: segments.map { SegmentHead.fileName(of: $0) }, only: Set(limits.keys),
        { (name) throws(JournalError) in SegmentHead.number(inFileName: name).flatMap { files[$0] } ?? [] })
    else { return ([], [:]) }
    var (bytes, sizes) = ([UInt8](), [Int: Int]())
    for header in stored.headers where header.size <= limits[header.number] ?? 0 {
      header.write(to: &bytes, segment: segment)
      sizes[header.number] = header.size
    }
    return (bytes, sizes)
  }
}
