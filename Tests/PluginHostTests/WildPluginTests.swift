// SPDX-License-Identifier: MIT
//
// A plugin that calls every function of the host with any index and any number (Tests/Support/Plugins/Wild). Whatever it gives is
// taken or gets it bypassed; no number that is none reaches a state, and nothing ends the program.

import DaemonTestKit
import Foundation
import HeaderCore
import HeaderModel
import HeaderTestKit
import PluginHost
import Testing

@Suite struct WildPluginTests {
  static let source = "\(Toolchain.sources)/Tests/Support/Plugins/Wild/wild.c"

  private func registry(_ folder: Folder) throws -> PluginRegistry {
    try Toolchain.run(
      "clang",
      [
        "-shared", "-fPIC", "-O0", "-std=c11", "-fuse-ld=lld", "-I", Project.include, "-o", folder.file("Wild"),
        Self.source,
      ])
    try folder.set(mode: 0o755, of: folder.file("Wild"))
    return try folder.registry("Wild")
  }

  private func stage(_ registry: PluginRegistry, _ function: Int, _ index: Double, _ number: Double) throws -> Stage {
    let bits = String(number.bitPattern, radix: 16)
    return try Stage(registry) {
      $0.environment.statusBarFollowsHeader = true
      $0.delegates = [
        DelegateDescription(
          behavior: "Wild",
          options: Value.Record(fields: [
            .init(name: "function", value: .number(Double(function))), .init(name: "index", value: .number(index)),
            .init(name: "bits", value: .text(bits)),
          ]))
      ]
    }
  }

  /// The names in wild.c's table.
  private static func functions() throws -> [String] {
    let text = try String(contentsOfFile: source, encoding: .utf8)
    let table = text.components(separatedBy: "functions[] = {")[1].components(separatedBy: "};")[0]
    return table.split(separator: ",").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.filter { !$0.isEmpty }
  }

  @Test func `every function of the host is called`() throws {
    let header = try String(contentsOfFile: "\(Project.include)/header_plugin.h", encoding: .utf8)
    let host = header.components(separatedBy: "typedef struct header_host {")[1]
      .components(separatedBy: "} header_host;")[0]
    let names = host.matches(of: /\(\*(\w+)\)\(/).map { String($0.1) }
    #expect(names.count > 50)
    let text = try String(contentsOfFile: Self.source, encoding: .utf8)
    for name in names { #expect(text.contains("host->\(name)("), "\(name)") }
  }

  /// Whether a number that is none is to be seen.
  private func isSane(_ state: HeaderState) -> Bool {
    let text = "\(state.shown) \(state.happened.animations)"
    return !["nan", ": inf", "-inf", "(inf"].contains { text.contains($0) }
  }

  @Test func `whatever is given is taken or refused`() throws {
    let folder = try Folder()
    let registry = try registry(folder)
    let count = try Self.functions().count
    var bypassed = 0
    var calls = 0
    for function in 0..<count {
      let cases =
        (Wild.numbers + Wild.infinite).map { (0.0, $0) }
        + [1, 2, 3, 7, 200, 255, 256, 0x1p31, 4_294_967_295].flatMap { index in
          [0, 10, .nan].map { (index, $0) }
        }
      for (index, number) in cases {
        let stage = try stage(registry, function, index, number)
        _ = try? stage.send(.didScroll, y: 20, at: 1)
        _ = try? stage.send(.didScroll, y: 30, at: 1.1)
        calls += 1
        if stage.header.isBypassed(0) { bypassed += 1 }
        #expect(isSane(stage.state), "function \(function), index \(index), number \(number)")
      }
    }
    #expect(bypassed > calls / 10 && bypassed < calls * 9 / 10, "\(bypassed) of \(calls)")
  }

  @Test func `answers and results may be anything`() throws {
    let folder = try Folder()
    let registry = try registry(folder)
    for number in Wild.numbers + Wild.infinite {
      for index in [0, 1, 2, 3, 4, 5, 200, 4_294_967_295.0] {
        let stage = try stage(registry, 1 << 20, index, number)
        let offer = Point(x: 0, y: 5)
        _ = try? stage.send(.call(name: "tell", arguments: Value.Record(), delegate: nil), at: 1)
        _ = try? stage.send(.willScroll(delta: offer, source: .drag), at: 1)
        _ = try? stage.send(.willFling(velocity: offer), at: 1)
        let answer = try? stage.send(.willEndDragging(velocity: offer, targetOffset: nil), at: 1)
        if let target = answer?.targetOffset { #expect(abs(target.y) <= 1e9) }
        #expect(isSane(stage.state))
        // What it saves may be no state, and it may say any version of it.
        guard let saved = try? stage.header.save() else { continue }
        _ = try? Header(stage.header.description, epoch: 2, provider: registry, saved: saved)
        let fresh = try registry.makeDelegate(behavior: "Wild", name: "wild")
        _ = try? stage.replace(0, with: fresh)
      }
    }
  }
}
