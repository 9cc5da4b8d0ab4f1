// SPDX-License-Identifier: MIT
//
// HeaderPluginKit's `host.log`, and its `host.setExtents`, which hands over several drawers at once.

import CHeaderPlugin
import Synchronization
import Testing

import HeaderPluginKit

private let told = Mutex<[String]>([])
private let placed = Mutex<[String]>([])

@Suite struct KitLogTests {
  @Test func `a line goes to the host with its level`() throws {
    var table = header_host()
    unsafe table.log = { _, level, message in
      guard let message = unsafe message else { return }
      let text = unsafe "\(level) \(String(cString: message))"
      told.withLock { $0.append(text) }
    }
    unsafe withUnsafePointer(to: table) { table in
      let host = unsafe Host(table: table, context: nil)
      host.log(.warning, "a line")
    }
    #expect(told.withLock { $0 } == ["2 a line"])
  }

  @Test func `extents of some drawers are set in one call`() throws {
    var table = header_host()
    unsafe table.set_drawer_extents = { _, first, count, extents in
      let list = unsafe UnsafeBufferPointer(start: extents, count: Int(count))
      let text = unsafe list.map { "\($0.top) \($0.height)" }.joined(separator: ", ")
      placed.withLock { $0.append("from \(first): \(text)") }
      return Int32(HEADER_OK)
    }
    unsafe withUnsafePointer(to: table) { table in
      let host = unsafe Host(table: table, context: nil)
      host.setExtents(of: 1..<3, [10, 44, 5].map { Extent(top: $0, height: 20) })
    }
    #expect(placed.withLock { $0 } == ["from 1: 44.0 20.0, 5.0 20.0"])
  }
}
