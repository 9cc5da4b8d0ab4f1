// SPDX-License-Identifier: MIT
//
// HeaderPluginKit's `host.log` on this host, and on one of ABI 1.0, whose table ends before the function; and `host.setExtents` on hosts
// with and without the function for several drawers.

import CHeaderPlugin
import Synchronization
import Testing

import HeaderPluginKit

private let told = Mutex<[String]>([])
private let placed = Mutex<[String]>([])

@Suite struct KitLogTests {
  @Test func `it does nothing on a host of 1.0`() throws {
    var table = header_host()
    unsafe table.log = { _, level, message in
      guard let message = unsafe message else { return }
      let text = unsafe "\(level) \(String(cString: message))"
      told.withLock { $0.append(text) }
    }
    let end: Int? = unsafe MemoryLayout<header_host>.offset(of: \.log)
    for size in [end ?? 0, MemoryLayout<header_host>.size] {
      table.struct_size = UInt32(size)
      unsafe withUnsafePointer(to: table) { table in
        let host = unsafe Host(table: table, context: nil)
        host.log(.warning, "from a table of \(size) bytes")
      }
    }
    #expect(told.withLock { $0 } == ["2 from a table of \(MemoryLayout<header_host>.size) bytes"])
  }

  @Test func `extents are set one by one on a host that does not take several`() throws {
    var table = header_host()
    unsafe table.set_drawer_extents = { _, first, count, extents in
      let list = unsafe UnsafeBufferPointer(start: extents, count: Int(count))
      let text = unsafe list.map { "\($0.top) \($0.height)" }.joined(separator: ", ")
      placed.withLock { $0.append("from \(first): \(text)") }
      return Int32(HEADER_OK)
    }
    unsafe table.set_drawer_center = { _, drawer, center, size in
      placed.withLock { $0.append("\(drawer): \(center.x) \(center.y), \(size.width) \(size.height)") }
      return Int32(HEADER_OK)
    }
    var drawers = [header_drawer(), header_drawer(), header_drawer()]
    drawers[1].center.x = 100
    drawers[1].size.width = 200
    unsafe table.records = { unsafe UnsafePointer($0) }
    let end: Int? = unsafe MemoryLayout<header_host>.offset(of: \.set_drawer_extents)
    for size in [end ?? 0, MemoryLayout<header_host>.size] {
      table.struct_size = UInt32(size)
      unsafe drawers.withUnsafeBufferPointer { drawers in
        var records = unsafe header_records()
        unsafe records.drawers = drawers.baseAddress
        unsafe records.drawer_count = 3
        unsafe withUnsafePointer(to: records) { records in
          unsafe withUnsafePointer(to: table) { table in
            var host = unsafe Host(table: table, context: OpaquePointer(records))
            host.lookUpRecords()
            host.setExtents(of: 1..<3, [10, 44, 5].map { Extent(top: $0, height: 20) })
          }
        }
      }
    }
    #expect(
      placed.withLock { $0 } == ["1: 100.0 54.0, 200.0 20.0", "2: 0.0 15.0, 0.0 20.0", "from 1: 44.0 20.0, 5.0 20.0"])
  }
}
