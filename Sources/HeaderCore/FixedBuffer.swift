// SPDX-License-Identifier: MIT
//
// Records that do not move. A plugin reads the header's drawers and scroll views in place, and a behavior writes while it is being
// called, so the records need an address of their own and accesses that never copy a whole array. Every index is checked; only the
// address itself is unsafe. PluginHost and code that prefetches ask for it.

/// A row of records of fixed count at a fixed address; its one owner frees it.
@safe public struct FixedBuffer<Element>: ~Copyable {
  private let storage: UnsafeMutableBufferPointer<Element>
  /// The first record that may differ from the copies that were updated last; `count`: none.
  private var firstWritten = 0

  /// A row made of an array's elements. One of none takes no memory.
  public init(_ elements: [Element]) {
    guard !elements.isEmpty else {
      unsafe storage = UnsafeMutableBufferPointer(start: nil, count: 0)
      return
    }
    let buffer = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
    _ = unsafe buffer.initialize(fromContentsOf: elements)
    unsafe storage = buffer
  }

  deinit {
    unsafe storage.deinitialize()
    unsafe storage.deallocate()
  }

  /// How many records there are.
  public var count: Int { unsafe storage.count }
  /// The indexes that exist: 0 to `count`, without it.
  public var indices: Range<Int> { 0..<count }

  /// The record at an index. The index must be one of `indices`.
  ///
  /// Fields are assigned in place. What mutates a record or a field (`+=`, a mutating method, a computed field) does so on
  /// a copy that is then assigned: of such an access in place, the compiler (6.3) makes invalid code for ThreadSanitizer.
  public subscript(index: Int) -> Element {
    unsafeAddress {
      precondition(index >= 0 && index < count, "index out of range")
      return unsafe UnsafePointer(storage.baseAddress.unsafelyUnwrapped + index)
    }
    unsafeMutableAddress {
      precondition(index >= 0 && index < count, "index out of range")
      if index < firstWritten { firstWritten = index }
      return unsafe storage.baseAddress.unsafelyUnwrapped + index
    }
  }

  /// The address of a record: valid as long as the buffer.
  public func address(of index: Int) -> UnsafeMutablePointer<Element> {
    precondition(index >= 0 && index < count, "index out of range")
    return unsafe storage.baseAddress.unsafelyUnwrapped + index
  }

  /// The address of a record's field: valid as long as the buffer.
  func address<Field>(of index: Int, _ field: KeyPath<Element, Field>) -> UnsafePointer<Field> {
    let place = MemoryLayout<Element>.offset(of: field) ?? 0
    return unsafe UnsafeRawPointer(address(of: index)).advanced(by: place).assumingMemoryBound(to: Field.self)
  }

  /// The address of the first record; valid as long as the buffer.
  var start: UnsafePointer<Element>? { unsafe UnsafePointer(storage.baseAddress) }

  /// Brings copies of all records up to date.
  /// - Parameters:
  ///   - differs: becomes true when a record says something new. Once it is, nothing is compared any more.
  ///   - isNews: whether the first record says more than the second one.
  @inline(__always)
  func update(_ copies: inout [Element], _ differs: inout Bool, isNews: (Element, Element) -> Bool) {
    precondition(copies.count == count, "copies of other records")
    guard count > 0 else { return }
    unsafe copies.withUnsafeMutableBufferPointer { copies in
      for index in 0..<copies.count {
        if !differs, unsafe isNews(storage[index], copies[index]) { differs = true }
        unsafe copies[index] = storage[index]
      }
    }
  }

  /// The same where any difference is news, and nothing is compared before the first record that was written since the last
  /// time. Copies that are compared and the same are not touched: others may share them.
  @inline(__always)
  mutating func updateWritten(_ copies: inout [Element], _ differs: inout Bool) where Element: Equatable {
    precondition(copies.count == count, "copies of other records")
    guard firstWritten < count else { return }
    var first = firstWritten
    firstWritten = count
    if !differs {
      unsafe copies.withUnsafeBufferPointer { copies in
        while first < copies.count, unsafe storage[first] == copies[first] { first += 1 }
      }
    }
    guard first < count else { return }
    differs = true
    unsafe copies.withUnsafeMutableBufferPointer { copies in
      guard let copies = copies.baseAddress, let start = unsafe start else { return }
      unsafe (copies + first).update(from: start + first, count: count - first)
    }
  }

  /// Brings copies up to date that say something else than the records. All records then count as written, since the next
  /// copies may be the records again.
  @inline(never)
  mutating func update(_ copies: inout [Element], to real: [Element], _ differs: inout Bool) where Element: Equatable {
    firstWritten = 0
    guard real != copies else { return }
    copies = real
    differs = true
  }

  /// A copy of all records.
  public var elements: [Element] { unsafe Array(storage) }
}
