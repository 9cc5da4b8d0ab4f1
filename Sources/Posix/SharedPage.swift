// SPDX-License-Identifier: MIT
//
// A page of memory that two processes share: one writes numbers and the other reads them at any time, also when the first has died. Its
// size is sealed: no process can shorten it, which would crash the others when they read it.

private import CLinux
private import Glibc
private import Synchronization

/// A page of numbers, all 0 at first.
@safe public final class SharedPage: Sendable {
  /// How many numbers it has.
  public static let count = 512
  /// The page; as long as this object lives. All access to it is atomic, from any thread or process.
  public nonisolated(unsafe) let address: UnsafeMutableRawPointer
  /// What another process maps it by; the caller's to keep open until that has begun.
  public let descriptor: Int32

  private static var size: Int { count * MemoryLayout<UInt>.size }

  /// Makes a page that other processes can map.
  public convenience init() throws(SystemError) {
    let descriptor = unsafe linux_memfd_create("headerd-page")
    guard descriptor >= 0 else { throw .last }
    do throws(SystemError) {
      try truncateFile(descriptor, to: Self.size)
      try seal(descriptor, .size)
      try self.init(mapping: descriptor)
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// The page behind a descriptor, which is this object's from now on.
  public init(mapping descriptor: Int32) throws(SystemError) {
    guard let address = unsafe mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
      unsafe address != MAP_FAILED
    else { throw .last }
    unsafe self.address = address
    self.descriptor = descriptor
  }

  deinit {
    unsafe munmap(address, Self.size)
    close(descriptor)
  }

  /// A number of the page, by its index.
  public subscript(place: Int) -> UInt {
    get { unsafe number(place).pointee.load(ordering: .acquiring) }
    set { unsafe number(place).pointee.store(newValue, ordering: .releasing) }
  }

  private func number(_ place: Int) -> UnsafeMutablePointer<Atomic<UInt>> {
    precondition(place >= 0 && place < Self.count, "the page has no number \(place)")
    return unsafe address.assumingMemoryBound(to: Atomic<UInt>.self) + place
  }
}
