// SPDX-License-Identifier: MIT
//
// What tests of clients in a chain say, and read of what they are told.

package import HeaderModel

package enum Chains {
  package static func add(_ way: String, _ name: String, _ more: String = "") -> String {
    "{\"id\":\"a\",\"method\":\"delegate.add\",\"params\":{\"header\":\"main\",\"client\":\"\(way)\",\"name\":\"\(name)\"\(more)}}"
  }

  package static func drag(_ id: Int, _ time: Double, _ target: Double = 210) -> String {
    "{\"id\":\(id),\"method\":\"event\",\"params\":{\"header\":\"main\",\"event\":\"willEndDragging\",\"time\":\(time),\"targetOffset\":{\"y\":\(target)}}}"
  }

  package static func scroll(_ id: Int, _ time: Double, _ y: Double, _ header: String = "main") -> String {
    "{\"id\":\(id),\"method\":\"event\",\"params\":{\"header\":\"\(header)\",\"event\":\"didScroll\",\"time\":\(time),\"offset\":{\"y\":\(y)}}}"
  }

  package static let pass = #"{"verdict":"pass"}"#
  package static let listen = #"{"id":"s","method":"subscribe","params":{"headers":"**","mode":"every"}}"#
}

extension TestClient {
  /// Answers a question of the daemon's.
  @discardableResult package func answer(_ id: String, _ result: String) -> [String] {
    send("{\"id\":\"\(id)\",\"result\":\(result)}")
  }
}

extension [String] {
  /// The ids of the daemon's questions.
  package var asked: [String] { notifications("delegate.ask").map { $0.at("id").text } }
  /// The events that a client is told.
  package var told: [Value] { notifications("delegate.event").map { $0.at("params.event") } }
  package var ids: [Value] { map(tree).filter { $0.at("method") == .null }.map { $0.at("id") } }
}
