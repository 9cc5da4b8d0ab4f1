// SPDX-License-Identifier: MIT
//
// config/headerd-nats.toml is the reference: it has every key and says the defaults. What is wrong is told with its place.

import Foundation
import HeaderConfig
import Testing

@Suite struct NatsConfigTests {
  private func config(_ text: String) throws -> NatsConfig {
    try NatsConfig(bytes: Array(text.utf8).span, file: "headerd-nats.toml")
  }

  private func reference() throws -> String {
    let file = URL(filePath: #filePath).appending(path: "../../../config/headerd-nats.toml").standardized
    return try String(contentsOf: file, encoding: .utf8)
  }

  @Test func theReferenceSaysTheDefaults() throws { #expect(try config(reference()) == NatsConfig()) }

  @Test func theReferenceHasEveryKeyInItsOrder() throws {
    var section = ""
    var keys: [String] = []
    for line in try reference().split(separator: "\n") where !line.hasPrefix("#") {
      if line.hasPrefix("[") {
        section = String(line.dropFirst().prefix { $0 != "]" })
      } else {
        keys.append("\(section).\(line.prefix { $0 != " " })")
      }
    }
    #expect(keys == NatsConfig.keyPaths)
  }

  @Test(arguments: [
    ("[nats]\nrealm = \"a.b\"", "headerd-nats.toml:2:"), ("[nats]\nprefix = \"a..b\"", "nats.prefix"),
    ("[nats]\nservers = [\"http://x\"]", "nats.servers"), ("[nats]\nlease = 10", "nats.lease"),
    ("[nats]\ncertificate = \"/c\"", "privateKey"), ("[nat]\nrealm = \"a\"", "Did you mean \"nats\"?"),
    ("[nats]\nrelm = \"a\"", "Did you mean \"realm\"?"), ("[listen]\nmode = \"x\"", "listen.mode"),
    ("[nats]\nnode = \"shop >\"", "nats.node"),
  ])
  func mistakes(_ text: String, _ words: String) {
    let error = #expect(throws: ConfigErrors.self) { try config(text) }
    #expect(error?.description.contains(words) == true, "\(String(describing: error))")
  }

  @Test func aWholeFile() throws {
    let read = try config(
      """
      [nats]
      servers = ["tls://one:4222", "tls://two:4222"]
      realm = "shops"
      prefix = "tenants.acme"
      node = "till_7"
      [listen]
      mode = 0o660
      """)
    #expect(read.nats.servers.count == 2)
    #expect(read.nats.node == "till_7")
    #expect(read.listen.mode == 0o660)
  }
}
