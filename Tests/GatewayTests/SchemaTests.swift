// SPDX-License-Identifier: MIT
//
// `rpc.discover` (headerd-connection(7), SCHEMA). Tests/Schema/validate.py holds the recorded conversations against the file.

import Fanout
import Foundation
import HeaderModel
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

  /// What generators of code need: each member says what it is, each record has a name, and references lead to names.
  @Test func everyMemberSaysWhatItIs() {
    var members = 0
    for (name, schema) in Self.schemas {
      for (member, value) in Self.properties(of: schema) {
        members += 1
        #expect(!value.at("description").text.isEmpty, "\(name).\(member)")
        #expect(value.at("title").text.first?.isUppercase == true, "\(name).\(member)")
        #expect(Self.properties(of: value).isEmpty, "\(name).\(member) is a record without a name")
      }
    }
    #expect(members > 900)
    for method in tree(Service.schema).at("methods").list {
      for parameter in method.at("params").list {
        let about = parameter.at("schema").at("description").text
        #expect(!about.isEmpty, "\(method.at("name").text): \(parameter.at("name").text)")
      }
    }
    let (text, names) = (Service.schema, Set(Self.schemas.map(\.0)))
    #expect(!text.contains("anyOf"))
    for reference in text.components(separatedBy: "\"$ref\": \"#/components/schemas/").dropFirst() {
      let target = String(reference.prefix { $0 != "\"" })
      #expect(names.contains(target), "\(target)")
    }
  }

  private static let schemas: [(String, Value)] = {
    guard case .record(let record) = tree(Service.schema).at("components").at("schemas") else { return [] }
    return record.fields.map { ($0.name, $0.value) }
  }()

  private static func properties(of schema: Value) -> [(String, Value)] {
    guard case .record(let record) = schema, case .record(let properties)? = record["properties"] else { return [] }
    return properties.fields.map { ($0.name, $0.value) }
  }

  /// A header that is opened with each default written is the one that is open: it attaches.
  @Test func defaultsAreWhatHoldsIfAMemberIsAbsent() throws {
    func defaults(_ name: String, but left: [String] = []) -> Value.Record {
      let schema = Self.schemas.first { $0.0 == name }?.1 ?? .null
      var record = Value.Record()
      for (member, value) in Self.properties(of: schema) where !left.contains(member) {
        if case .record(let facts) = value { record[member] = facts["default"] }
      }
      return record
    }
    func line(_ description: Value.Record) -> String {
      var writer = JSONWriter()
      writer.value(["id": 1, "method": "header.open", "params": .record(description)])
      return String(decoding: writer.copy(), as: UTF8.self)
    }
    var bare: Value.Record = [
      "header": "a", "scrollViews": ["content": [:], "other": ["refreshControl": [:]]], "trackingScrollView": "content",
      "drawers": [
        ["name": "bar", "height": 44, "elements": [["name": "title"]]],
        ["name": "below", "height": 20, "edge": "bottom", "follow": ["drawer": "bar"]],
      ],
    ]
    let client = TestDaemon().connect()
    #expect(client.send(line(bare)).results.first?.at("created") == true)
    var element = defaults("Element")
    element["name"] = "title"
    var bar = defaults("Drawer")
    #expect(bar.fields.count >= 7)
    (bar["name"], bar["height"], bar["elements"]) = ("bar", 44, [.record(element)])
    var below = defaults("Drawer")
    (below["name"], below["height"], below["edge"]) = ("below", 20, "bottom")
    var follow = defaults("Follow")
    follow["drawer"] = "bar"
    below["follow"] = .record(follow)
    var other = defaults("ScrollView")
    other["refreshControl"] = .record(defaults("RefreshControl"))
    let own = defaults("HeaderOpenParams", but: ["drawers"])
    #expect(own.fields.count >= 12)
    bare["scrollViews"] = ["content": .record(defaults("ScrollView")), "other": .record(other)]
    bare["drawers"] = [.record(bar), .record(below)]
    bare["environment"] = .record(defaults("Environment"))
    bare.fields += own.fields
    let answer = client.send(line(bare))
    #expect(answer.results.first?.at("created") == false, "\(answer.errors)")
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
