// SPDX-License-Identifier: MIT
//
// How long an ELF file must be. The loader maps what the file's tables speak of without looking whether it is there, and
// touching a page that is not there ends the process (SIGBUS). A library that is still being written, or whose disk was
// full, would so end the daemon; here it is told before anything is mapped.
//
//     ┌ ELF header ┬ program headers ┬ segments … ┬ section headers ┐   linkers put these last, so a cut shows
//     0            e_phoff           p_offset     e_shoff           e_shoff + e_shnum · e_shentsize

private import Glibc

/// The length that an ELF file's own tables speak of.
enum ElfExtent {
  /// The bytes that a file must have; nil for one that is no 64-bit ELF file or whose header is cut: the loader says so.
  static func of(_ descriptor: Int32) -> Int? {
    guard let header = read(descriptor, at: 0, count: 64), header.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2]) else {
      return nil
    }
    let programs = table(header, at: 32, entrySizeAt: 54, countAt: 56)
    let sections = table(header, at: 40, entrySizeAt: 58, countAt: 60)
    var end = max(programs.end, sections.end)
    guard programs.entrySize >= 56,
      let entries = read(descriptor, at: programs.offset, count: programs.end - programs.offset)
    else { return end }
    for start in stride(from: 0, to: entries.count, by: programs.entrySize) where number(entries, start, 4) == 1 {
      end = max(end, sum(number(entries, start + 8, 8), number(entries, start + 32, 8)))
    }
    return end
  }

  private static func table(_ header: [UInt8], at place: Int, entrySizeAt: Int, countAt: Int)
    -> (offset: Int, end: Int, entrySize: Int)
  {
    let offset = number(header, place, 8)
    let entrySize = number(header, entrySizeAt, 2)
    let length = entrySize * number(header, countAt, 2)
    return (offset, length == 0 ? 0 : sum(offset, length), entrySize)
  }

  /// A little-endian number; one that no file can reach counts as the largest.
  private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
    var result: UInt64 = 0
    for index in (0..<count).reversed() { result = result << 8 | UInt64(bytes[start + index]) }
    return Int(clamping: result)
  }

  private static func sum(_ a: Int, _ b: Int) -> Int {
    let (sum, isTooMuch) = a.addingReportingOverflow(b)
    return isTooMuch ? Int.max : sum
  }

  private static func read(_ descriptor: Int32, at offset: Int, count: Int) -> [UInt8]? {
    guard (1...(1 << 22)).contains(count) else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    let got = unsafe bytes.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, count, off_t(offset)) }
    return got == count ? bytes : nil
  }
}
