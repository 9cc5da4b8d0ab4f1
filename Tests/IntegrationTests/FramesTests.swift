// SPDX-License-Identifier: MIT
//
// The binary encoding as somebody else reads it: a client in Python, written from header_wire.h, against the real daemon,
// beside a client that reads lines; and the header itself, as C and as C++.

import DaemonTestKit
import Foundation
import Testing

@Suite struct FramesTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path

  /// Every state that the other client read from frames is the one that stood in a line.
  @Test func aClientFromTheReferenceAlone() throws {
    let python = try #require(Toolchain.find("python3"))
    let daemon = try RunningDaemon()
    let lines = try daemon.client()
    _ = try lines.result("subscribe", #"{"headers":"app.main","mode":"every"}"#)
    let end = try runTool(python, ["\(Self.folder)/Clients/frames.py", daemon.socket, "app.main"])
    let told = try end.output.split(separator: "\n").map { try JSON(String($0)) }
    let states = told.filter { $0[0].string == "state" }.map { $0[1].description }
    var wanted: [String] = []
    while true {
      let message = try lines.message()
      if message["method"].string == "closed" {
        #expect(told.last?[1].description == message["params"].description)
        break
      }
      wanted.append(message["params"].description)
    }
    #expect(wanted.count > 60)
    #expect(states == wanted)
    let decided = try #require(told.first { $0[0].string == "decided" })
    #expect(
      decided[1].keys == ["returned", "rewrittenBy", "seq", "targetOffset"]
        || decided[1].keys == ["rewrittenBy", "seq", "targetOffset"])
  }

  /// The reference compiles by itself, with every warning there is, in the oldest languages that it promises.
  @Test(arguments: [["-x", "c", "-std=c99"], ["-x", "c", "-std=c11"], ["-x", "c++", "-std=c++17"]])
  func theReferenceCompiles(_ language: [String]) throws {
    let compiler = try #require(Toolchain.c)
    let header = "\(Toolchain.sources)/Sources/CHeaderWire/header_wire.h"
    try runTool(
      compiler,
      language + ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", "-include", header, "/dev/null"])
  }
}
