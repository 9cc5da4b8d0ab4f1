// SPDX-License-Identifier: MIT
//
// What fuzzing begins with: the conversations, recordings and config files that the tests have, and the words of the protocol
// from the project's own lists.

internal import Foundation
internal import HeaderConfig
internal import HeaderModel
internal import HeaderWire

enum Corpus {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The files below a folder of the checkout whose names end so, in order.
  static func files(_ folder: String, _ ending: String) throws -> [[UInt8]] {
    let base = root.appendingPathComponent(folder)
    let names = try FileManager.default.subpathsOfDirectory(atPath: base.path).filter { $0.hasSuffix(ending) }.sorted()
    return try names.map { Array(try Data(contentsOf: base.appendingPathComponent($0))) }
  }

  /// What clients say in recorded conversations.
  static func goldenLines() throws -> [String] { try conversations(after: "> ") }

  /// What they are told.
  static func goldenAnswers() throws -> [String] { try conversations(after: "< ").filter { $0.hasPrefix("{") } }

  private static func conversations(after mark: String) throws -> [String] {
    try files("Tests/HeaderServiceTests/Golden", ".txt").flatMap { file in
      String(decoding: file, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix(mark) }
        .map { String($0.dropFirst(2)) }
    }
  }

  /// The frames in recorded conversations, of both sides, each alone and those of a conversation together.
  static func goldenFrames() throws -> [[UInt8]] {
    try files("Tests/GatewayTests/Golden/frames", ".hex").flatMap { file -> [[UInt8]] in
      var frames: [[UInt8]] = []
      for line in String(decoding: file, as: UTF8.self).split(separator: "\n") {
        if line.hasPrefix("    ") {
          frames[frames.count - 1] += bytes(ofHex: line.dropFirst(4).prefix(72))
        } else {
          frames.append([])
        }
      }
      frames.removeAll { $0.count < 8 }
      return frames + [Array(frames.joined().prefix(4000))]
    }
  }

  private static func bytes(ofHex text: Substring) -> [UInt8] {
    let digits = text.split(separator: " ").joined()
    return stride(from: 0, to: digits.count - 1, by: 2).compactMap { place in
      let start = digits.index(digits.startIndex, offsetBy: place)
      return UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16)
    }
  }

  /// Methods, kinds of events, members and numbers.
  static var wireWords: [String] {
    var members: Set<String> = []
    for message in CommandTable.messages {
      for word in message.split(separator: "\"") where word.first?.isLetter == true && word.utf8.count < 40 {
        members.insert(String(word))
      }
    }
    var words = RequestMethod.allCases.map(\.rawValue)
    words += EventName.allCases.map(\.rawValue)
    words += members.sorted().map { "\"\($0)\":" }
    return words + numbers
  }

  static let numbers = ["1e999", "-0", "1e9", "9007199254740993", "9223372036854775808", "5e-324", "null", "NaN"]

  /// Keys and tables of the config file.
  static var configWords: [String] {
    var words = ["[[header]]\n", "nan", "inf", "1979-05-27T07:32:00Z", "\"\"\"", "'''", "0xFFFFFFFFFFFFFFFF"] + numbers
    for path in Config.keyPaths {
      let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
      if parts.count == 2 { words.append("[\(parts[0])]\n") }
      words.append("\(parts[parts.count - 1]) = ")
    }
    return words
  }

  /// Each key of the config file with values of each type, right and wrong.
  static var configValues: [[UInt8]] {
    let values = [
      "1", "0", "-1", "65536", "0.5", "nan", "true", "\"0600\"", "\"0680\"", "\"any\"", "\"/run/x\"", "\"debug\"",
      "2026-11-21",
      "[\"any\", \"uid:0\", \"gid:4294967296\", \"self\", 1]", "[\"*\"]", "[\"ShyNavBar\", \"../x\"]",
      "[\"/a\", \"b\"]", "{ a = [1] }",
      "[{ user = \"uid:0\", headers = [\"app.*\", \"u%U.**\"] }, { group = \"gid:1\" }]",
      "[{ user = \"x\", group = \"y\" }, { user = 1, nope = 1 }, { user = \"any\", headers = [\"[\", 1] }, { group = \"z\" }]",
    ]
    let keys = (Config.keyPaths + WebConfig.keyPaths + NatsConfig.keyPaths).flatMap { path in
      let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
      let table = parts.count == 2 ? "[\(parts[0])]\n" : ""
      return values.map { "\(table)\(parts[parts.count - 1]) = \($0)\n" }
    }
    return (keys + configTables).map { Array($0.utf8) }
  }

  /// What has an inner form of its own.
  private static let configTables = [
    "[quotas]\nusers = { \"uid:1000\" = { connections = 100, headers = \"75%\", nope = 1 }, self = { headers = \"101%\" } }\n",
    "[quotas]\nusers = { alice = { queueBytes = 1 }, \"gid:4\" = 3, any = {}, self = { connections = 1 }, \"uid:7\" = {} }\n",
    "[quotas]\nusers = { \"uid:0\" = { connection = 1, headers = \"50%\" } }\n",
    "[plugins.isolation]\ndefault = \"proces\"\nShyNavBar = \"process\"\nshy = 1\n",
    "[plugins.isolation]\ndefault = \"process\"\nShyNavBar = \"none\"\n",
    "[socket]\ngathering = \"off\"\n[limits]\nconnections = 2147483648\n",
    "[roles]\npublish = [\"joe$\", \"gid:3\", { group = \"gid:1\", headers = [\"a\"] }, { user = \"a.b-c_d$\" }, { group = \"uid:1\" }]\n",
    "[[header]]\nheader = \"a\"\ndelegates = [{ behavior = \"ShyNavBar\", when = 2026-11-21 }]\n",
    "header = \"a\"\ndrawers = [{ name = \"n\", height = -1, hight = 2 }]\n[scrollViews.content]\nviewport = { width = 1, height = 2 }\n",
    "header = \"a\"\nframes = \"liv\"\n[scrollViews.content]\nviewport = { width = 1, height = 2 }\n",
    "header = \"a\"\nwhen = 1979-05-27\n[[drawers]]\nname = \"n\"\n", "header = 1\n", "header = [1]\n",
    "behavior = \"ShyNavBar\"\nsummary = \"s\"\n[options]\nlaw = { a = [1, 2.5, true] }\n",
    "behavior = \"x\"\nsummary = 1\n",
  ]

  /// Lines as Python writes them, and usual ones with all that they may have.
  static var usualLines: [String] {
    let dense =
      CommandTable.messages + [
        #"{"method":"event","params":{"header":"main","event":"didScroll","time":1.25,"offset":{"y":12.5}}}"#,
        #"{"jsonrpc":"2.0","method":"event","params":{"offset":{"x":1,"y":-2e3},"correction":{"y":0.1},"event":"didScroll"}}"#,
        #"{"method":"event","params":{"event":"didScroll","correction":{"x":1,"y":2},"offset":{"x":3},"time":-0.0001}}"#,
        #"{"method":"event","params":{"time":9000000000,"event":"didScroll","header":"ä","offset":{"y":123456.123456789}}}"#,
      ]
    return dense
      + dense.map {
        $0.split(separator: ":", omittingEmptySubsequences: false).joined(separator: ": ")
          .split(separator: ",", omittingEmptySubsequences: false).joined(separator: ", ")
      }
  }
}
