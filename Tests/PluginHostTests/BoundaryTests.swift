// SPDX-License-Identifier: MIT
//
// The boundary itself: header_plugin.h as C and as C++, the records that both sides share, the one symbol that a plugin
// exports, and what a plugin that reads or writes where it should not gets to see.

import CHeaderPlugin
import DaemonTestKit
import Foundation
import HeaderCore
import HeaderModel
import PluginHost
import Testing

@Suite struct BoundaryTests {
  let folder: Folder
  init() throws { folder = try Folder() }

  @Test func `both sides lay out the shared records alike`() {
    #expect(SharedLayout.differences == [])
  }

  // MARK: The header as others read it

  /// A file that uses the header, with what Swift knows of its structs.
  static var facts: String {
    var lines = ["#include \"header_plugin.h\"", "#include \"header_plugin.h\""]
    func size<Table>(_ type: Table.Type, _ core: Int? = nil) {
      let name = "\(type)"
      lines.append("CHECK(\(name)_size, sizeof(\(name)) == \(MemoryLayout<Table>.stride))")
      if let core { lines.append("CHECK(\(name)_core, sizeof(\(name)) == \(core))") }
    }
    func place(_ table: String, _ field: String, _ offset: Int?) {
      lines.append("CHECK(\(table)_\(field), offsetof(\(table), \(field)) == \(offset ?? -1))")
    }
    unsafe size(header_value.self)
    size(header_scroll_view.self, MemoryLayout<ScrollView>.stride)
    size(header_environment.self, MemoryLayout<Environment>.stride)
    size(header_drawer.self, MemoryLayout<Drawer>.stride)
    size(header_element.self, MemoryLayout<Element>.stride)
    size(header_event.self, MemoryLayout<DelegateEvent>.stride)
    size(header_answer.self, MemoryLayout<DelegateAnswer>.stride)
    size(header_chain.self)
    size(header_animation.self)
    size(header_wants.self)
    size(header_host.self)
    unsafe size(header_option.self)
    unsafe size(header_value_description.self)
    unsafe size(header_call_description.self)
    unsafe size(header_saved.self)
    unsafe size(header_behavior.self)
    unsafe size(header_behavior_factory.self)
    unsafe size(header_plugin.self)
    place("header_scroll_view", "decides_content_size", MemoryLayout<ScrollView>.offset(of: \.decidesContentSize))
    place("header_environment", "app_extension", MemoryLayout<Environment>.offset(of: \.appExtension))
    place("header_environment", "keyboard_height", MemoryLayout<Environment>.offset(of: \.keyboardHeight))
    place("header_drawer", "is_sticky", MemoryLayout<Drawer>.offset(of: \.isSticky))
    place("header_element", "is_changed", MemoryLayout<Element>.offset(of: \.isChanged))
    place("header_event", "will_decelerate", MemoryLayout<DelegateEvent>.offset(of: \.willDecelerate))
    place("header_answer", "ends", MemoryLayout<DelegateAnswer>.offset(of: \.ends))
    for (name, kind) in zip(eventNames, DelegateEventKind.allCases) {
      lines.append("CHECK(\(name)_number, \(name) == \(kind.rawValue))")
    }
    lines.append("bool has(const header_host *host); bool has(const header_host *host) {")
    lines.append("  return HEADER_HAS(host, drawer_is_free) && HEADER_EVENT(HEADER_DID_SCROLL) == 2; }")
    return lines.joined(separator: "\n") + "\n"
  }

  /// The names of the kinds of events in C, from their names: `willBeginDragging` is `HEADER_WILL_BEGIN_DRAGGING`.
  static var eventNames: [String] {
    DelegateEventKind.allCases.map { kind in
      var name = "HEADER_"
      for character in kind.word {
        if character.isUppercase { name += "_" }
        name += character.uppercased()
      }
      return name
    }
  }

  @Test(arguments: [
    ("c", "c99", "#define CHECK(name, truth) typedef char name[(truth) ? 1 : -1];"),
    ("c", "c17", "#define CHECK(name, truth) _Static_assert(truth, #name);"),
    ("c++", "c++17", "#define CHECK(name, truth) static_assert(truth, #name);"),
    ("c++", "c++20", "#define CHECK(name, truth) static_assert(truth, #name);"),
  ])
  func `the header compiles without a warning, to the same layout`(
    _ language: String, _ standard: String, _ check: String
  )
    throws
  {
    let source = "\(folder.path)/facts.\(language == "c" ? "c" : "cc")"
    try folder.write("\(check)\n\(Self.facts)", to: source)
    let arguments = [
      "-x", language, "-std=\(standard)", "-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I",
      Project.include,
    ]
    try Toolchain.run("clang", arguments + [source])
    try folder.write("\(check)\n\(Self.facts)CHECK(wrong, sizeof(header_value) == 1)\n", to: source)
    #expect(throws: TestFailure.self, "a wrong fact would be found") {
      try Toolchain.run("clang", arguments + [source])
    }
  }

  // MARK: One symbol

  @Test func `every built plugin exports its entry and nothing else`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: TestFiles.build)
    let plugins = names.filter { $0.hasPrefix("lib") && $0.hasSuffix(".so") }.sorted()
    #expect(plugins.contains("libShyNavBar.so") && plugins.contains("libStretchyHeader.so"))
    for plugin in plugins {
      let file = try ElfFile("\(TestFiles.build)/\(plugin)")
      #expect(file.exported == ["header_plugin_entry"], "\(plugin)")
    }
  }

  @Test func `the reader of symbols sees what else is exported`() throws {
    let path = try folder.compile("Faulty", "NO_SYMBOL")
    #expect(try ElfFile(path).exported == ["some_other_entry"])
  }

  // MARK: Reading and writing beyond

  private func stage(_ act: String, _ when: String, claims: Bool = false) throws -> Stage {
    try folder.compile()
    try folder.compile(
      "Bystander", #"PLUGIN_NAME="Bystander""#, #"BEHAVIOR_NAME="Bystander""#, #"VALUE_NAME="seen""#)
    return try Stage(try folder.registry("Faulty", "Bystander")) {
      $0.delegates = [
        .faulty([("act", .text(act)), ("when", .text(when)), ("claims", .bool(claims))]),
        DelegateDescription(behavior: "Bystander"),
      ]
    }
  }

  @Test(arguments: ["readsBeyond", "readsNames"]) func `what is not there reads as nothing`(_ act: String) throws {
    let stage = try stage(act, "didScroll")
    try stage.send(.didScroll, y: 1, at: 0)
    // -2: it got what header_plugin.h says, -1: it did not.
    #expect(stage.value("count") == .number(-2))
  }

  @Test func `an event is its own copy`() throws {
    let stage = try stage("", "event")
    for step in 1...3 { try stage.send(.didScroll, y: Double(step), at: Double(step)) }
    #expect(stage.value("seen") == .number(3))
  }

  @Test func `frames without a frame function`() throws {
    try folder.compile("Faulty", "NO_FRAME")
    let stage = try Stage(try folder.registry("Faulty")) { $0.delegates = [.faulty([("when", "frame")])] }
    for step in 1...3 { try stage.send(.didScroll, y: Double(step), at: Double(step)) }
    #expect(stage.header.isBypassed(0))
    let reasons = stage.states.flatMap(\.happened.notices).compactMap { $0.arguments?["reason"] }
    #expect(reasons == ["it asked for frames and has no frame function"])
  }

  /// A table of positions is used whole or not at all: who leaves a function out is moved by nobody, and goes on.
  @Test(arguments: ["", "position", "move", "permit"])
  func `a position with a function missing is none`(_ missing: String) throws {
    let present = ["position", "move", "permit"].filter { $0 != missing }
    try folder.compile("Faulty", "POSITION=" + present.map { ".\($0) = \($0)" }.joined(separator: ", "))
    let stage = try Stage(try folder.registry("Faulty")) { $0.delegates = [.faulty()] }
    let requests: [ScrollEvent.Kind] = [
      .move(HeaderMove(to: .progress(0.5))), .constrain(Constraint(name: "tour", permitted: 0...0.5)),
    ]
    for request in requests {
      if missing.isEmpty {
        #expect(try stage.send(request, at: 0).failure == nil)
      } else {
        let error = #expect(throws: HeaderError.self) { try stage.send(request, at: 0) }
        #expect(error?.name == .unsupported, "\(String(describing: error))")
      }
    }
    #expect(!stage.header.isBypassed(0))
    #expect((stage.state.position != nil) == missing.isEmpty)
  }

  /// Where it is may be asked between two events. A notice of that time would be read by the list of the next version.
  @Test func `who changes something where only its position is asked is bypassed`() throws {
    try folder.compile("Faulty", "POSITION=.position = position, .move = move, .permit = permit")
    let stage = try Stage(try folder.registry("Faulty")) {
      $0.delegates = [.faulty([("act", "noticesWithoutEnd"), ("when", "position")])]
    }
    try stage.send(.didScroll, y: 10, at: 0)
    #expect(!stage.header.isBypassed(0))
    _ = stage.header.positionReport
    #expect(stage.header.isBypassed(0))
    try stage.send(.didScroll, y: 20, at: 1)
    let notices = stage.states.flatMap(\.happened.notices)
    #expect(notices.map(\.name) == [.delegatePassedOver])
    #expect(notices.first?.arguments?["reason"] == "it changed something in position")
  }

  @Test func `a scroll view that grows in each scroll that growing brings about`() throws {
    let stage = try stage("", "shrinking")
    for step in 0..<6 { try stage.send(.didScroll, y: 1520, at: Double(step)) }
    #expect(stage.value("seen") == .number(6) && !stage.header.isBypassed(1))
  }

  @Test func `the header goes away while its delegates still write`() throws {
    for when in ["detach", "destroy"] {
      var header: Stage? = try stage("leaves", when, claims: true)
      try header?.send(.didScroll, y: 10, at: 0)
      let other = try Stage(try folder.registry("Faulty")) { $0.delegates = [.faulty()] }
      header = nil
      try other.send(.didScroll, y: 10, at: 0)
      #expect(other.value("count") == .number(1))
    }
  }
}

/// The dynamic symbols of a 64-bit little-endian ELF file, without a tool.
private struct ElfFile {
  private let bytes: [UInt8]

  init(_ path: String) throws {
    bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    try #require(bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]))
  }

  private func number(_ place: Int, _ count: Int) -> Int {
    (0..<count).reversed().reduce(0) { $0 << 8 | Int(bytes[place + $1]) }
  }

  /// The names that others may link to: of global or weak symbols that are defined and not hidden, without the linker's own.
  var exported: [String] {
    let (table, size, count) = (number(40, 8), number(58, 2), number(60, 2))
    let sections = (0..<count).map { table + $0 * size }
    guard let symbols = sections.first(where: { number($0 + 4, 4) == 11 }) else { return [] }
    let names = number(sections[number(symbols + 40, 4)] + 24, 8)
    let (start, length) = (number(symbols + 24, 8), number(symbols + 32, 8))
    var found: [String] = []
    for symbol in stride(from: start, to: start + length, by: 24) {
      let (binding, visibility, section) = (bytes[symbol + 4] >> 4, bytes[symbol + 5] & 3, number(symbol + 6, 2))
      guard binding == 1 || binding == 2, visibility == 0 || visibility == 3, section != 0 else { continue }
      let text = names + number(symbol, 4)
      found.append(String(decoding: bytes[text...].prefix { $0 != 0 }, as: UTF8.self))
    }
    return found
  }
}
