// SPDX-License-Identifier: MIT
//
// The addresses of all records that delegates read in place. A delegate asks for them once, when it is attached; from then on a look at a
// drawer costs a load and not a call. The fields lie in memory as `header_records` of header_plugin.h does.

import HeaderModel

/// Pointers to a header's records, kept up to date while plugins read through them.
@safe public struct HeaderRecords {
  /// The size of the struct as this side knows it.
  public private(set) var structSize = UInt32(MemoryLayout<HeaderRecords>.size)
  /// Index of the tracking scroll view, −1 for none.
  public internal(set) var trackingScrollView: Int32 = -1
  /// Header time in nanoseconds.
  public internal(set) var time: Int64 = 0
  /// How many drawers there are.
  public private(set) var drawerCount: UInt32 = 0
  /// How many elements all drawers have together.
  public private(set) var elementCount: UInt32 = 0
  /// How many scroll views there are.
  public private(set) var scrollViewCount: UInt32 = 0
  /// Explanations are wanted.
  public internal(set) var isExplained = false
  /// The drawers, in chain order.
  public private(set) var drawers: UnsafePointer<Drawer>? = nil
  /// The elements, in the order of their drawers.
  public private(set) var elements: UnsafePointer<Element>? = nil
  /// The scroll views, in the order of the description.
  public private(set) var scrollViews: UnsafePointer<ScrollView>? = nil
  /// Screen, safe area, status bar and other surroundings.
  public private(set) var environment: UnsafePointer<Environment>? = nil

  /// Creates a table without records.
  public init() {}

  /// Points to the rows as they lie now, or to a part of the drawers and elements.
  mutating func point(
    to drawers: borrowing FixedBuffer<Drawer>, _ drawerPart: Range<Int>, _ elements: borrowing FixedBuffer<Element>,
    _ elementPart: Range<Int>, _ scrollViews: borrowing FixedBuffer<ScrollView>,
    _ environment: UnsafePointer<Environment>
  ) {
    drawerCount = UInt32(drawerPart.count)
    elementCount = UInt32(elementPart.count)
    scrollViewCount = UInt32(scrollViews.count)
    unsafe self.drawers = drawerPart.isEmpty ? nil : drawers.start.map { unsafe $0 + drawerPart.lowerBound }
    unsafe self.elements = elementPart.isEmpty ? nil : elements.start.map { unsafe $0 + elementPart.lowerBound }
    unsafe self.scrollViews = scrollViews.start
    unsafe self.environment = environment
  }
}

/// Records that have one address as long as the header lives.
struct HeaderPlaces {
  var records = HeaderRecords()
  var environment: Environment
}
