// SPDX-License-Identifier: MIT
//
// Plugins of other minor versions of the ABI: what was built with the released header of 1.0 (ABI/1.0, never changed) is loaded and
// moves a header, and what needs more than this host has is refused with a reason.

import CHeaderPlugin
import DaemonTestKit
import Foundation
import HeaderModel
import PluginHost
import Testing

@Suite struct AbiTests {
  let folder: Folder
  init() throws { folder = try Folder() }

  private static let fixtures = "\(Toolchain.sources)/Tests/PluginHostTests/ABI"

  private func compile(_ source: String, _ flags: [String], to library: String) throws {
    try Toolchain.compile(
      "clang",
      ["-shared", "-fPIC", "-std=c11", "-Wall", "-Werror", "-fuse-ld=lld"] + flags
        + ["\(Self.fixtures)/\(source)", "-lm"],
      to: library)
  }

  /// The fixture includes the header beside it.
  @Test func `a plugin of 1.0 moves a header`() throws {
    try compile("1.0/QuickReturn.c", [], to: folder.file("QuickReturn"))
    let registry = try folder.registry("QuickReturn")
    #expect(registry.plugins.map(\.abi) == ["1.0"])
    let stage = try Stage(registry) { $0.delegates = [DelegateDescription(behavior: "QuickReturn")] }
    let start = stage.state.drawers[0].frame.origin.y
    for (step, y) in [0, 30, 60, 300].enumerated() { try stage.send(.didScroll, y: Double(y), at: Double(step)) }
    #expect(stage.state.drawers[0].frame.origin.y < start)
    // Its saved state fits itself.
    try stage.replace(0, with: try registry.makeDelegate(behavior: "QuickReturn", name: "quickReturn"))
    #expect(stage.state.drawers[0].frame.origin.y < start)
  }

  @Test func `tables of 1.0 are large enough`() throws {
    var flags = unsafe [
      "HOST_header_plugin": MemoryLayout<header_plugin>.size,
      "HOST_header_behavior_factory": MemoryLayout<header_behavior_factory>.size,
      "HOST_header_behavior": MemoryLayout<header_behavior>.size,
      "HOST_header_option": MemoryLayout<header_option>.size,
      "HOST_header_value_description": MemoryLayout<header_value_description>.offset(of: \.cases) ?? .max,
      "HOST_header_call_description": MemoryLayout<header_call_description>.size,
      "SAME_header_value": MemoryLayout<header_value>.stride,
    ]
    flags["HOST_header_animation"] = MemoryLayout<header_animation>.size
    flags["HOST_header_wants"] = MemoryLayout<header_wants>.size
    flags["SAME_header_drawer"] = MemoryLayout<Drawer>.stride
    flags["SAME_header_element"] = MemoryLayout<Element>.stride
    flags["SAME_header_scroll_view"] = MemoryLayout<ScrollView>.stride
    flags["HOST_header_environment"] = MemoryLayout<Environment>.stride
    flags["SAME_header_event"] = MemoryLayout<DelegateEvent>.stride
    flags["SAME_header_answer"] = MemoryLayout<DelegateAnswer>.stride
    flags["SAME_header_chain"] = MemoryLayout<header_chain>.stride
    flags["HOST_END_OF_1_0"] = unsafe MemoryLayout<header_host>.offset(of: \.log)
    try compile(
      "sizes.c", ["-I", "\(Self.fixtures)/1.0"] + flags.map { "-D\($0.key)=\($0.value)" }, to: folder.file("Sizes"))
  }

  @Test func `what needs a later minor version is refused with a reason`() throws {
    let minor = Int(HEADER_ABI_MINOR)
    func build(needed: Int) throws {
      try compile(
        "needs-newer.c", ["-I", Project.include, "-DNEEDED_MINOR=\(needed)"], to: folder.file("Newer"))
    }
    try build(needed: minor + 1)
    let refusal = try folder.refusal("Newer")
    #expect(refusal.check == "abi")
    #expect(
      refusal.message
        == "DIR/libNewer.so: it does not serve plugin ABI \(HEADER_ABI_MAJOR).\(minor), which this headerd speaks; "
        + "it may need a later version of headerd")
    // With what this host has it gets further.
    try build(needed: minor)
    #expect(try folder.refusal("Newer").check == "table")
  }
}
