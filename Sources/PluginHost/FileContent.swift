// SPDX-License-Identifier: MIT
//
// Checks on a library's bytes before any of them run: a hash of the content, so that a file that was only touched
// counts as unchanged, and whether the file is complete. The dynamic loader maps what the ELF headers promise; touching
// a page that a truncated file lacks would kill the process.

private import Glibc

/// A plugin file's bytes, mapped for as long as they are looked at.
enum FileContent {
  /// A number for the content of an open file: equal contents have equal numbers, others do not by any ordinary chance.
  static func hash(_ file: Int32, size: Int) -> UInt64 {
    withBytes(file, size: size) { bytes in
      // FNV-1a over words of eight bytes, with a rotation so that high bits come back to the low ones.
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(truncatingIfNeeded: bytes.byteCount)
      func take(_ word: UInt64) {
        hash = (hash ^ word) &* 0x0000_0100_0000_01B3
        hash = hash << 29 | hash >> 35
      }
      let whole = bytes.byteCount & ~7
      for offset in stride(from: 0, to: whole, by: 8) { take(bytes.word(at: offset)) }
      for offset in whole..<bytes.byteCount { take(UInt64(bytes.byte(at: offset))) }
      return hash
    } ?? 0
  }

  /// Why an open file must not be given to the loader: it is truncated. Nil for a library that is whole according to its headers, and for
  /// a file that is no library: the loader refuses that by itself.
  static func objection(_ file: Int32, size: Int) -> String? {
    size < Elf.headerSize ? nil : withBytes(file, size: size) { bytes in Elf.objection(bytes) }
  }

  private static func withBytes<Result>(_ file: Int32, size: Int, _ body: (borrowing MappedBytes) -> Result?) -> Result?
  {
    guard let bytes = MappedBytes(file, size: size) else { return nil }
    return body(bytes)
  }
}

/// A private, read-only mapping of a file that no other process changes.
@safe private struct MappedBytes: ~Copyable {
  let byteCount: Int
  private let start: UnsafeMutableRawPointer

  init?(_ file: Int32, size: Int) {
    guard size > 0, let start = unsafe mmap(nil, size, PROT_READ, MAP_PRIVATE, file, 0), unsafe start != MAP_FAILED
    else {
      return nil
    }
    byteCount = size
    unsafe self.start = start
  }

  deinit { unsafe munmap(start, byteCount) }

  func byte(at offset: Int) -> UInt8 { unsafe start.load(fromByteOffset: offset, as: UInt8.self) }
  func half(at offset: Int) -> Int { Int(unsafe start.loadUnaligned(fromByteOffset: offset, as: UInt16.self)) }
  func quarter(at offset: Int) -> UInt32 { unsafe start.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
  func word(at offset: Int) -> UInt64 { unsafe start.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
}

/// The few fields of a 64-bit ELF file that say how long it is (elf(5)).
private enum Elf {
  static let headerSize = 64
  private static let programEntrySize = 56
  private static let sectionEntrySize = 64
  private static let loaded: UInt32 = 1
  private static let dynamic: UInt32 = 2
  private static let stringTable: UInt32 = 3
  private static let sharedObject = 3

  static func objection(_ bytes: borrowing MappedBytes) -> String? {
    let isOurs =
      bytes.quarter(at: 0) == 0x464C_457F && bytes.byte(at: 4) == 2 && bytes.byte(at: 5) == 1
      && bytes.half(at: 16) == sharedObject
    guard isOurs else { return nil }
    return segments(bytes) ?? sections(bytes)
  }

  /// What the loader maps has to lie within the file.
  private static func segments(_ bytes: borrowing MappedBytes) -> String? {
    let (count, entry) = (bytes.half(at: 56), bytes.half(at: 54))
    let table = bytes.word(at: 32)
    guard count > 0, entry == programEntrySize else { return nil }
    guard fits(table, UInt64(count * programEntrySize), bytes) else { return cutOff(bytes) }
    for index in 0..<count {
      let header = Int(table) + index * programEntrySize
      let type = bytes.quarter(at: header)
      guard type == loaded || type == dynamic else { continue }
      guard fits(bytes.word(at: header + 8), bytes.word(at: header + 32), bytes) else { return cutOff(bytes) }
    }
    return nil
  }

  /// Linkers write the section table last: when it is there, so is the rest. A file without one (stripped of it) is fine.
  private static func sections(_ bytes: borrowing MappedBytes) -> String? {
    let table = bytes.word(at: 40)
    let (entry, count, names) = (bytes.half(at: 58), bytes.half(at: 60), bytes.half(at: 62))
    guard table != 0, count > 0 else { return nil }
    guard entry == sectionEntrySize, names < count, fits(table, UInt64(count * sectionEntrySize), bytes) else {
      return cutOff(bytes)
    }
    guard names > 0 else { return nil }
    return bytes.quarter(at: Int(table) + names * sectionEntrySize + 4) == stringTable ? nil : cutOff(bytes)
  }

  private static func fits(_ start: UInt64, _ length: UInt64, _ bytes: borrowing MappedBytes) -> Bool {
    let size = UInt64(bytes.byteCount)
    return start <= size && length <= size - start
  }

  private static func cutOff(_ bytes: borrowing MappedBytes) -> String {
    "it is not whole: its headers speak of more than its \(bytes.byteCount) bytes, or of some that were never written"
  }
}
