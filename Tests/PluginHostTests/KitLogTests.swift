// SPDX-License-Identifier: MIT
//
// HeaderPluginKit's `host.log` on this host, and on one of ABI 1.0, whose table ends before the function.

import CHeaderPlugin
import Synchronization
import Testing

import HeaderPluginKit

private let told = Mutex<[String]>([])

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
}
