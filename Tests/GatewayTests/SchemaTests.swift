// SPDX-License-Identifier: MIT
//
// `rpc.discover` (headerd-connection(7), SCHEMA). Tests/Schema/validate.py holds the recorded conversations against the file.

import Foundation
import HeaderCore
import HeaderService
import HeaderWire
import ServiceTestKit
import Testing

@Suite struct SchemaTests {
  private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../config/schema/openrpc.json").standardized

  /// `make manual` writes the file.
  @Test func fileIsWhatTheDaemonSays() throws {
    let text = try String(contentsOf: Self.file, encoding: .utf8)
    #expect(text == Service.schema, "config/schema/openrpc.json is old: make manual")
  }

  @Test(arguments: [Roles.all, .publish, .subscribe, .admin, []])
  func everybodyIsAnswered(_ roles: Roles) throws {
    let client = TestDaemon().connect(roles)
    let answer = client.send(#"{"id":1,"method":"rpc.discover"}"#)
    let document = try #require(answer.results.first)
    #expect(document == tree(try String(contentsOf: Self.file, encoding: .utf8)))
  }

  @Test func everyMethodMessageAndErrorIsThere() {
    let document = tree(Service.schema)
    #expect(document.at("methods").list.map { $0.at("name") } == RequestMethod.allCases.map { .text($0.rawValue) })
    #expect(document.at("x-messages").list.map { $0.at("name") } == ServerMessage.allCases.map { .text($0.rawValue) })
    for name in ErrorName.allCases {
      #expect(document.at("components.errors.\(name.rawValue).code") == .number(Double(name.code)))
    }
  }

  @Test func everyMethodHasItsParameters() {
    let client = TestDaemon().connect()
    for method in Service.schemaMethods where method.required {
      let answer = client.send("{\"id\":1,\"method\":\"\(method.name)\",\"params\":{}}")
      #expect(answer.errors.first?.at("data.name") == "invalidParams", "\(method.name) has required parameters")
    }
  }
}

extension Service {
  /// The methods of the schema, and whether one has required parameters.
  fileprivate static var schemaMethods: [(name: String, required: Bool)] {
    tree(schema).at("methods").list.map { method in
      (method.at("name").text, method.at("params").list.contains { $0.at("required") == true })
    }
  }
}
