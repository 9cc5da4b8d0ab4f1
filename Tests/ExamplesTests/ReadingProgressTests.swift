// SPDX-License-Identifier: MIT
//
// The example in Rust: how much of the content was read; and the contract in Rust against the contract in C.

import DaemonTestKit
import Foundation
import HeaderCore
import HeaderModel
import Testing

@Suite(.enabled(if: Toolchain.rust != nil, "there is no rustc on the PATH"))
struct ReadingProgressTests {
  /// Content of 4000 points below an inset of 50, in 600 points: from −50 to 3400.
  private func bench(_ options: Value = [:], line: String = "progressLine") throws -> Bench {
    let line: Value = ["name": .text(line), "frame": ["x": 0, "y": 48, "width": 300, "height": 2]]
    return try Bench(
      "ReadingProgress", in: try Examples.folder(), options: options,
      drawers: [["name": "bar", "height": 50, "elements": [line]]])
  }

  @Test func exportsItsEntryAndNothingElse() throws {
    #expect(try exportedSymbols(try Examples.folder() + "/libReadingProgress.so") == ["header_plugin_entry"])
  }

  @Test func tellsHowMuchWasRead() throws {
    let bench = try bench()
    #expect(bench.value == 0)
    _ = try bench.scroll(812.5)
    #expect(bench.value == 0.25)
    _ = try bench.scroll(-90)
    #expect(bench.value == 0)
    _ = try bench.scroll(3450)
    #expect(bench.value == 1)
  }

  @Test func theLineGrowsFromTheLeft() throws {
    let bench = try bench()
    #expect(bench.header.state.elements[0].frame == Rect(origin: Point(x: 0, y: 48), size: Size(width: 0, height: 2)))
    _ = try bench.scroll(812.5)
    #expect(bench.header.state.elements[0].frame == Rect(origin: Point(x: 0, y: 48), size: Size(width: 75, height: 2)))
  }

  @Test func whichElementItIsIsAnOptionAndAHeaderWithoutItIsFine() throws {
    let other = try bench(["element": "underline"], line: "underline")
    _ = try other.scroll(1675)
    #expect(other.header.state.elements[0].frame?.size.width == 150)
    let none = try bench(line: "title")
    _ = try none.scroll(1675)
    #expect(none.value == 0.5)
    #expect(none.header.state.elements[0].frame?.size.width == 300)
  }

  @Test func theEndIsToldEachTimeThatItComesIntoSight() throws {
    let bench = try bench(["endMargin": 400])
    _ = try bench.scroll(2999)
    #expect(bench.notices == [])
    _ = try bench.scroll(3000)
    #expect(bench.notices == ["didReachEnd"])
    _ = try bench.scroll(3100)
    #expect(bench.notices == [])
    try bench.reload()
    _ = try bench.scroll(3200)
    #expect(bench.notices == [])
    _ = try bench.scroll(1000)
    _ = try bench.scroll(3400)
    #expect(bench.notices == ["didReachEnd"])
  }

  /// Sizes of all structs and places of all their fields, printed by a C and by a Rust program. Tables of a later minor
  /// version may be longer in C: the bindings are a beginning of them.
  @Test func theContractIsTheSameInRustAndInC() throws {
    let structs = [
      "header_point", "header_size", "header_rect", "header_insets", "header_transform", "header_value",
      "header_scroll_view", "header_environment", "header_drawer", "header_element", "header_chain", "header_event",
      "header_answer", "header_animation", "header_wants", "header_host", "header_option", "header_value_description",
      "header_call_description", "header_saved", "header_behavior", "header_behavior_factory", "header_plugin",
    ]
    let fields = try fieldNames()
    let folder = try TemporaryFolder()
    guard let clang = Toolchain.c, let rustc = Toolchain.rust else { throw TestFailure("a compiler is missing") }

    var c = "#include \"header_plugin.h\"\n#include <stdio.h>\nint main(void) {\n"
    var rust =
      "#[path = \"\(Toolchain.sources)/Plugins/Examples/Rust/header_plugin.rs\"]\nmod contract;\nuse contract::*;\n"
    rust += "fn main() {\n"
    for name in structs {
      c += "printf(\"\(name) %zu\\n\", sizeof(\(name)));\n"
      rust += "println!(\"\(name) {}\", std::mem::size_of::<\(name)>());\n"
      rust += "let z = std::mem::MaybeUninit::<\(name)>::uninit(); let z = z.as_ptr();\n"
      for field in fields[name] ?? [] {
        let spelling = field == "type" ? "r#type" : field
        c += "printf(\"\(name).\(field) %zu\\n\", offsetof(\(name), \(field)));\n"
        rust +=
          "println!(\"\(name).\(field) {}\", unsafe { std::ptr::addr_of!((*z).\(spelling)) as usize } - z as usize);\n"
      }
    }
    try folder.write(c + "return 0;\n}\n", to: "c.c")
    try folder.write(rust + "}\n", to: "rust.rs")
    try runTool(
      clang, ["-std=c11", "-I", "\(Toolchain.sources)/Sources/CHeaderPlugin", "-o", folder("c"), folder("c.c")])
    try runTool(rustc, ["--edition", "2021", "-A", "warnings", "-o", folder("rust"), folder("rust.rs")])
    let fromC = try runTool(folder("c"), []).output.split(separator: "\n")
    let fromRust = try runTool(folder("rust"), []).output.split(separator: "\n")
    #expect(fromC.count > 230 && fromC.count == fromRust.count)
    for (c, rust) in zip(fromC, fromRust) where c != rust {
      let (c, rust) = (c.split(separator: " "), rust.split(separator: " "))
      let mayGrow = fields[String(c[0])]?.first == "struct_size"
      #expect(c[0] == rust[0] && mayGrow && (Int(c[1]) ?? 0) > (Int(rust[1]) ?? 0), "\(c) in C, \(rust) in Rust")
    }
  }

  /// The fields of each struct of header_plugin.rs, in order.
  private func fieldNames() throws -> [String: [String]] {
    let text = try String(
      contentsOfFile: "\(Toolchain.sources)/Plugins/Examples/Rust/header_plugin.rs", encoding: .utf8)
    var fields: [String: [String]] = [:]
    var current: String?
    for line in text.split(separator: "\n") {
      if line.hasPrefix("pub struct header_"), line.hasSuffix("{") {
        current = line.split(separator: " ").dropFirst(2).first.map(String.init)
      } else if line == "}" {
        current = nil
      } else if let current, line.hasPrefix("    pub "), let colon = line.firstIndex(of: ":") {
        let name = line[..<colon].dropFirst(8).replacingOccurrences(of: "r#", with: "")
        fields[current, default: []].append(name)
      }
    }
    return fields
  }
}
