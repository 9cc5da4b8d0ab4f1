// SPDX-License-Identifier: MIT
//
// Where a header's things lie, for a driver that has memory fetched ahead of its use. Of a thousand headers hardly one is
// in the processor's caches when its turn comes, and to wait for one thing after the other takes longer than all that is
// done with them.

extension Header {
  /// Shows what a scroll goes through: objects, and rows of records. They are good until the header changes.
  public func visitMemory(objects: (AnyObject) -> Void, rows: (UnsafeRawBufferPointer) -> Void) {
    objects(self)
    unsafe rows(places.memory)
    unsafe rows(drawers.memory)
    unsafe rows(scrollViews.memory)
    unsafe proxy.slots.withUnsafeBytes { unsafe rows($0) }
    unsafe drawerOwners.withUnsafeBytes { unsafe rows($0) }
    unsafe values.withUnsafeBytes { unsafe rows($0) }
    unsafe state.drawers.withUnsafeBytes { unsafe rows($0) }
    unsafe state.scrollViews.withUnsafeBytes { unsafe rows($0) }
    unsafe state.values.withUnsafeBytes { unsafe rows($0) }
    for slot in proxy.slots { unsafe slot.delegate.visitMemory(objects: objects, rows: rows) }
  }
}

extension FixedBuffer {
  /// All records.
  fileprivate var memory: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: start, count: count * MemoryLayout<Element>.stride)
  }
}
