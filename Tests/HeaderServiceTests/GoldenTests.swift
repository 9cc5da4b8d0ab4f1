// SPDX-License-Identifier: MIT
//
// The daemon's words, as files: each message to a client is an interface, so a changed word shows up in a diff. The files
// in Golden are read case by case and rewritten with SNAP_UPDATE=1; the diff is then the review.
//
//     # a title                                a fresh daemon with header `main` open, and one connection
//     @ bare                                   … without the header
//     @ roles subscribe                        … with these roles only
//     @ headers publish a.* b                  … with a role for these headers only
//     @ limit lineBytes 80                     … with another limit
//     @ user 1000                              … as this user, with what follows
//     @ quota headers 2                        … bounded so
//     > {"id":1,"method":"ping"}               sent as a line; \xHH is a byte; a last `\` keeps the line's end back
//     < {"jsonrpc":"2.0","id":1,…}             what comes back
//     < (closed)                               the connection was ended

import Fanout
import Foundation
import HeaderModel
import HeaderService
import ServiceTestKit
import Testing

@Suite struct GoldenTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Golden")

  static var files: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".txt") }.sorted()
  }

  @Test(arguments: files) func answersAsWritten(_ file: String) throws {
    let url = Self.folder.appendingPathComponent(file)
    let text = try String(contentsOf: url, encoding: .utf8)
    let cases = GoldenCase.read(text)
    #expect(!cases.isEmpty)
    let told = cases.map { $0.run() }.joined(separator: "\n")
    if ProcessInfo.processInfo.environment["SNAP_UPDATE"] == "1" {
      try told.write(to: url, atomically: true, encoding: .utf8)
    }
    let (expected, got) = (text.split(separator: "\n"), told.split(separator: "\n"))
    for (wanted, line) in zip(expected, got) { #expect(line == wanted) }
    #expect(expected.count == got.count)
  }

  @Test func enoughCases() throws {
    var count = 0
    for file in Self.files {
      count += GoldenCase.read(try String(contentsOf: Self.folder.appendingPathComponent(file), encoding: .utf8)).count
    }
    #expect(count >= 60)
  }
}

/// One case of a golden file.
struct GoldenCase {
  var title: String
  var directives: [String] = []
  var inputs: [String] = []

  static func read(_ text: String) -> [GoldenCase] {
    var cases: [GoldenCase] = []
    for line in text.split(separator: "\n").map(String.init) {
      if line.hasPrefix("# ") { cases.append(GoldenCase(title: line)) }
      if line.hasPrefix("@ ") { cases[cases.count - 1].directives.append(line) }
      if line.hasPrefix("> ") { cases[cases.count - 1].inputs.append(line) }
    }
    return cases
  }

  /// Plays the case and writes it down anew.
  func run() -> String {
    let daemon = TestDaemon { settings in
      for words in directives.map({ $0.split(separator: " ").map(String.init) }) where words[1] == "limit" {
        settings.limits.set(words[2], Double(words[3]) ?? 0)
      }
    }
    let client = daemon.connect(peer)
    if !directives.contains("@ bare") { daemon.publisher().hangUp() }
    var told = ([title] + directives).map { $0 + "\n" }.joined()
    var wasClosed = false
    for input in inputs {
      told += input + "\n"
      let (bytes, ends) = Self.bytes(String(input.dropFirst(2)))
      for line in client.send(bytes + (ends ? [10] : [])) { told += "< \(line)\n" }
      if client.isClosed, !wasClosed {
        told += "< (closed)\n"
        wasClosed = true
      }
    }
    return told
  }

  /// The connection's other end, as the directives say.
  private var peer: Peer {
    var roles = Roles.all
    var headers: [Roles: [String]] = [:]
    var peer = Peer(name: "test")
    func role(_ word: String) -> Roles { Roles.each.first { $0.word == word }?.role ?? [] }
    for words in directives.map({ $0.split(separator: " ").map(String.init) }) {
      switch words[1] {
      case "roles": roles = words.dropFirst(2).reduce(into: []) { $0.insert(role($1)) }
      case "headers": headers[role(words[2])] = Array(words[3...])
      case "user": peer.user = UInt32(words[2]) ?? 0
      case "quota": if let quota = Quota(rawValue: words[2]) { peer.quotas[quota] = Int(words[3]) ?? 0 }
      default: break
      }
    }
    peer.access = Access([])
    for (role, _) in Roles.each where roles.contains(role) { peer.access.grant(role, headers: headers[role]) }
    return peer
  }

  /// The bytes of an input, and whether its line ends.
  private static func bytes(_ text: String) -> ([UInt8], Bool) {
    let given = Array(text.utf8)
    var bytes: [UInt8] = []
    var index = 0
    while index < given.count {
      if given[index] == UInt8(ascii: "\\"), index + 1 == given.count { return (bytes, false) }
      if given[index] == UInt8(ascii: "\\"), given[index + 1] == UInt8(ascii: "x") {
        bytes.append(UInt8(String(decoding: given[index + 2..<index + 4], as: UTF8.self), radix: 16) ?? 0)
        index += 4
      } else {
        bytes.append(given[index])
        index += 1
      }
    }
    return (bytes, true)
  }
}

extension Limits {
  /// Sets a limit by its name.
  mutating func set(_ name: String, _ value: Double) {
    for entry in Self.entries where entry.name == name {
      switch entry.kind {
      case .count(let path, _): self[keyPath: path] = Int(value)
      case .seconds(let path, _): self[keyPath: path] = value
      }
    }
  }
}
