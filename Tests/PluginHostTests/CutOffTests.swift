// SPDX-License-Identifier: MIT
//
// A library that is cut off, or has holes where something was not written yet, is refused. The dynamic loader itself
// would map what is not there and end the process with SIGBUS.

import Foundation
import HeaderModel
import PluginHost
import Testing

@Suite struct CutOffTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("headerd-cut-\(UUID().uuidString)")
  private let whole: Data

  init() throws {
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let library = URL(fileURLWithPath: program).deletingLastPathComponent().appendingPathComponent(
      "libOriginalDelegate.so")
    whole = try Data(contentsOf: library)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Why these bytes are not loaded, nil when they are.
  private func refusal(_ bytes: Data) throws -> HeaderError? {
    let file = folder.appendingPathComponent("libOriginalDelegate.so")
    try bytes.write(to: file)
    defer { try? FileManager.default.removeItem(at: folder) }
    let registry = PluginRegistry(folders: [folder.path])
    do {
      try registry.load("OriginalDelegate")
      return nil
    } catch {
      return error
    }
  }

  @Test func theWholeLibraryIsLoaded() throws { #expect(try refusal(whole)?.message == nil) }

  @Test(arguments: [0, 1, 63, 64, 65, 4096, 1 << 20], [0.1, 0.5, 0.9, 0.999]) func aPartIsRefused(
    _ bytes: Int, _ share: Double
  ) throws {
    for count in [bytes, Int(Double(whole.count) * share), whole.count - 1] where count < whole.count {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let error = try refusal(whole.prefix(count))
      #expect(error?.name == .pluginRefused)
      #expect(error?.facts["check"] == "load")
    }
  }

  /// As long as it will be, but its end still zeros.
  @Test(arguments: [0.3, 0.6, 0.95]) func aLibraryWithAHoleAtItsEndIsRefused(_ share: Double) throws {
    let written = Int(Double(whole.count) * share)
    let error = try refusal(whole.prefix(written) + Data(count: whole.count - written))
    #expect(error?.message.contains("it is not whole") == true)
  }
}
