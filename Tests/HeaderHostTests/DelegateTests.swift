// SPDX-License-Identifier: MIT
//
// `delegate.*` for behaviors (headerd-delegates(7)): they join a chain, leave it, change places, get other
// options, while the header lives; what they own goes with them.

import HeaderCore
import HeaderModel
import HeaderService
import ServiceTestKit
import Testing

@Suite struct DelegateTests {
  private func add(_ more: String, id: Int = 1) -> String {
    "{\"id\":\(id),\"method\":\"delegate.add\",\"params\":{\"header\":\"main\",\(more)}}"
  }

  private func remove(_ name: String) -> String {
    "{\"id\":2,\"method\":\"delegate.remove\",\"params\":{\"header\":\"main\",\"delegate\":\"\(name)\"}}"
  }

  private func chain(_ client: TestClient) -> [String] {
    client.send(#"{"id":"l","method":"header.list"}"#).results[0].at("headers.0.delegates").list.map(\.text)
  }

  /// A header with two drawers and nobody in its chain.
  private func empty(_ daemon: TestDaemon) -> TestClient {
    let client = daemon.connect()
    client.send(TestDaemon.open("main").replacing("{\"behavior\":\"ShyNavBar\"}", with: ""))
    client.send(#"{"id":"s","method":"subscribe","params":{"headers":"main","mode":"every"}}"#)
    return client
  }

  @Test func aBehaviorJoinsWorksAndLeaves() {
    let client = empty(TestDaemon())
    #expect(client.send(TestDaemon.scroll("main", 1, 10)).states.isEmpty)
    let added = client.send(add(#""behavior":"ShyNavBar""#))
    #expect(added.results == [["delegate": "shyNavBar", "index": 0]])
    // Its values are new: that is a state.
    #expect(added.states.map { $0.at("values.phase") } == ["expanded"])
    let moved = client.send(TestDaemon.scroll("main", 2, 11))
    #expect(moved.states.map { $0.at("drawers.0.frame.y") } == [9])
    let removed = client.send(remove("shyNavBar"))
    #expect(removed.results == [["delegates": []]])
    // What it moved stays where it is, its values are gone.
    #expect(removed.states.map { $0.at("drawers.0.frame.y") } == [9])
    #expect(removed.states.map { $0.at("values") } == [.null])
    #expect(client.send(TestDaemon.scroll("main", 3, 20)).states.isEmpty)
  }

  @Test func aPlaceInTheChain() {
    let client = TestDaemon().publisher()
    #expect(client.send(add(#""behavior":"Teller","name":"last""#)).results == [["delegate": "last", "index": 1]])
    #expect(
      client.send(add(#""behavior":"Faulty","name":"first","at":0"#)).results == [["delegate": "first", "index": 0]])
    #expect(chain(client) == ["first", "shyNavBar", "last"])
    let moved = client.send(
      #"{"id":3,"method":"delegate.move","params":{"header":"main","delegate":"first","at":2}}"#)
    #expect(moved.results == [["delegates": ["shyNavBar", "last", "first"]]])
    #expect(chain(client) == ["shyNavBar", "last", "first"])
    // Everybody still has what is his: the shifter its drawers, the teller its values.
    client.send(#"{"id":"s","method":"subscribe","params":{"headers":"main","mode":"every"}}"#)
    #expect(client.send(TestDaemon.scroll("main", 1, 11)).states.map { $0.at("values.progress") } == [0.25])
    let said = client.send(
      #"{"id":4,"method":"header.call","params":{"header":"main","delegate":"last","name":"say","arguments":{"words":"a on=true"}}}"#
    )
    #expect(said.states.map { $0.at("notices.0.delegate") } == ["last"])
    #expect(said.states.map { $0.at("values.on") } == [true])
    #expect(said.states.map { $0.at("values.progress") } == [0.25])
  }

  /// A call that comes as an event is answered with what it returned, by itself and in a batch.
  @Test func anEventThatCallsIsAnsweredWithWhatItReturned() {
    let client = TestDaemon().publisher()
    let call = #""event":"call","time":1,"name":"expand""#
    let single = client.send(#"{"id":3,"method":"event","params":{"header":"main",\#(call)}}"#)
    #expect(single.results.map { $0.at("returned") } == [["expanded": true]])
    let batch = client.send(
      #"{"id":4,"method":"event","params":{"header":"main","events":[{\#(call)},{"event":"willAppear","time":2}]}}"#)
    #expect(batch.results.map { $0.at("results.0.returned") } == [["expanded": true]])
    #expect(batch.results.map { $0.at("results.1.returned") } == [.null])
  }

  /// Who is bypassed can be seen as long as it is, with the reason.
  @Test func whoIsBypassedIsTold() {
    let client = TestDaemon().connect()
    client.send(TestDaemon.open("main", behavior: "Faulty"))
    let get = #"{"id":"g","method":"header.get","params":{"header":"main"}}"#
    let list = #"{"id":"l","method":"header.list"}"#
    #expect(client.send(get).results.allSatisfy { $0.at("bypassed") == .null })
    #expect(client.send(list).results.allSatisfy { $0.at("headers.0.bypassed") == .null })
    client.send(TestDaemon.scroll("main", 1, 101))
    let bypassed: Value = [["delegate": "faulty", "reason": "it gave NaN for a frame"]]
    #expect(client.send(get).results.map { $0.at("bypassed") } == [bypassed])
    #expect(client.send(list).results.map { $0.at("headers.0.bypassed") } == [bypassed])
    client.send(#"{"id":"r","method":"plugin.reload","params":{"plugin":"Faulty"}}"#)
    #expect(client.send(get).results.allSatisfy { $0.at("bypassed") == .null })
  }

  @Test func timersGoAlongWithTheirOwner() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    client.send(TestDaemon.open("main", behavior: "Ticker"))
    client.send(#"{"id":"s","method":"subscribe","params":{"headers":"main","mode":"every"}}"#)
    client.send(#"{"method":"event","params":{"event":"didEndDragging","time":1,"willDecelerate":false}}"#)
    client.send(add(#""behavior":"Faulty","at":0"#))
    daemon.pass(0.6)
    let states = client.received().states
    #expect(states.compactMap { $0.at("values.frames") == .null ? nil : $0.at("values.frames").number }.max() == 5)
    #expect(states.last?.at("notices.0") == ["name": "rang", "delegate": "ticker", "arguments": ["frames": 5]])
    client.send(#"{"method":"event","params":{"event":"didEndDragging","time":2,"willDecelerate":false}}"#)
    client.send(remove("ticker"))
    _ = client.received()
    daemon.pass(2)
    #expect(client.received().states.isEmpty, "what was due of it is forgotten")
  }

  @Test func optionsAreSetAllOrNothing() {
    let client = TestDaemon().publisher()
    let configure =
      #"{"id":5,"method":"delegate.configure","params":{"header":"main","delegate":"shyNavBar","options":"#
    #expect(client.send(configure + #"{"expansionResistance":12}}}"#).results == [["seq": 1]])
    let get = #"{"id":6,"method":"header.get","params":{"header":"main","include":["description"]}}"#
    #expect(client.send(get).results[0].at("description.delegates.0.options.expansionResistance") == 12)
    let refused = client.send(configure + #"{"expansionResistance":-1}}}"#)
    #expect(refused.errors[0].at("data.name") == "invalidOption")
    #expect(refused.errors[0].at("data.field") == "options.expansionResistance")
    #expect(client.send(get).results[0].at("description.delegates.0.options.expansionResistance") == 12)
  }

  @Test func twoThatMoveOneDrawerAreAConflictThatNamesBoth() {
    let client = TestDaemon().publisher()
    // Other values, the same drawers.
    let error = client.send(add(#""behavior":"Ticker""#)).errors[0]
    #expect(error.at("data.name") == "conflict")
    #expect(error.at("data.delegates") == ["shyNavBar", "ticker"])
    let values = client.send(add(#""behavior":"ShyNavBar","name":"second""#)).errors[0]
    #expect(values.at("data.name") == "conflict")
    #expect(values.at("data.delegates") == ["shyNavBar", "second"])
    #expect(chain(client) == ["shyNavBar"])
    client.send(#"{"id":"s","method":"subscribe","params":{"headers":"main","mode":"every"}}"#)
    #expect(client.send(TestDaemon.scroll("main", 1, 11)).states.map { $0.at("values.progress") } == [0.25])
  }

  @Test func aDescriptionTakenLaterHasTheChainOfToday() {
    let daemon = TestDaemon()
    let client = daemon.publisher()
    client.send(add(#""behavior":"Teller""#))
    let get = #"{"id":6,"method":"header.get","params":{"header":"main","include":["description"]}}"#
    let description = client.send(get).results[0].at("description")
    #expect(description.at("delegates").list.map { $0.at("behavior") } == ["ShyNavBar", "Teller"])
    var writer = JSONText()
    let again = daemon.connect().send("{\"id\":1,\"method\":\"header.open\",\"params\":\(writer.text(description))}")
    #expect(again.results.map { $0.at("created") } == [false])
  }

  /// Whatever asks for a header that is not open is told its name, as other errors tell theirs.
  @Test func aHeaderThatIsNotThereIsNamed() {
    let client = TestDaemon().publisher()
    let requests = [
      #"{"id":1,"method":"header.get","params":{"header":"mian"}}"#,
      #"{"id":1,"method":"header.close","params":{"header":"mian"}}"#,
      #"{"id":1,"method":"header.configure","params":{"header":"mian","frameRate":30}}"#,
      #"{"id":1,"method":"header.call","params":{"header":"mian","name":"expand"}}"#,
      #"{"id":1,"method":"delegate.remove","params":{"header":"mian","delegate":"shyNavBar"}}"#,
      #"{"id":1,"method":"event","params":{"header":"mian","event":"didScroll","offset":{"y":1}}}"#,
      #"{"method":"event","params":{"header":"mian","event":"didScroll","offset":{"y":1}}}"#,
    ]
    for request in requests {
      let lines = client.send(request)
      let data = lines.errors.first?.at("data") ?? lines.notifications("error").first?.at("params.data") ?? .null
      #expect(data.at("name") == "headerNotFound", "\(request)")
      #expect(data.at("header") == "mian", "\(request)")
    }
  }

  @Test func removingADelegateThatIsNotThereIsAnError() {
    let daemon = TestDaemon()
    let client = daemon.publisher()
    client.send(add(#""behavior":"Teller""#))
    let unknown = client.send(remove("shyNavBr")).errors.first ?? .null
    #expect(unknown.at("data.name") == "delegateNotFound")
    #expect(unknown.at("data.got") == "shyNavBr")
    #expect(unknown.at("data.header") == "main")
    #expect(unknown.at("data.hint") == #"did you mean "shyNavBar"?"#)
    #expect(
      unknown.at("message")
        == #"params.delegate: header "main" has no delegate "shyNavBr"; there are shyNavBar, teller"#)
    // One that was there once is no other case, and the last one neither.
    for name in ["teller", "shyNavBar"] {
      #expect(client.send(remove(name)).errors.isEmpty)
      let again = client.send(remove(name)).errors.first ?? .null
      #expect(again.at("data.name") == "delegateNotFound")
      #expect(again.at("data.got") == .text(name))
    }
    #expect(chain(client).isEmpty)
  }

  @Test func whatIsWrongIsSaidByField() {
    let client = TestDaemon { $0.limits.delegates = 2 }.publisher()
    func error(_ line: String) -> (Value, Value) {
      let data = client.send(line).errors[0].at("data")
      return (data.at("name"), data.at("field"))
    }
    #expect(error(add(#""behavior":"ShyNavBr""#)) == ("behaviorNotFound", "params.behavior"))
    #expect(error(add(#""name":"x""#)) == ("invalidParams", "params.behavior"))
    #expect(error(add(#""behavior":"Faulty","name":"a b""#)) == ("invalidParams", "params.name"))
    #expect(error(add(#""behavior":"Teller","name":"shyNavBar""#)) == ("invalidParams", "params.name"))
    #expect(error(add(#""behavior":"Faulty","at":2"#)) == ("invalidParams", "params.at"))
    #expect(error(add(#""behavior":"Faulty","options":{"poison":1}"#)) == ("invalidOption", "options.poison"))
    #expect(error(add(#""behavior":"Faulty","options":{"posion":1}"#)) == ("invalidOption", "options.posion"))
    #expect(error(add(#""behavior":"Faulty","deadline":0.01"#)) == ("invalidParams", "params.deadline"))
    #expect(error(add(#""behavior":"Faulty","client":"observe""#)) == ("invalidParams", "params.client"))
    #expect(error(remove("shyNavBr")) == ("delegateNotFound", "params.delegate"))
    let move = #"{"id":3,"method":"delegate.move","params":{"header":"main","delegate":"shyNavBar""#
    #expect(error(move + "}}") == ("invalidParams", "params.at"))
    #expect(error(move + ",\"at\":1}}") == ("invalidParams", "params.at"))
    #expect(
      error(#"{"id":3,"method":"delegate.remove","params":{"header":"mian","delegate":"x"}}"#) == (
        "headerNotFound", "params.header"
      ))
    client.send(add(#""behavior":"Teller""#))
    let full = client.send(add(#""behavior":"Faulty""#)).errors[0]
    #expect(full.at("data.limit") == ["name": "delegates", "value": 2, "key": "limits.delegates"])
    #expect(chain(client) == ["shyNavBar", "teller"])
  }

  /// The other delegate is bounded by it, and would be for ever.
  @Test func aConstraintThatADelegateFailsByEndsWithItsConnection() {
    let daemon = TestDaemon()
    daemon.plugins.kinds.append(TestPlugins.Kind(description: Mover.description, make: Mover.init))
    let (watcher, client) = (daemon.connect(), daemon.connect())
    let delegates = #"{"behavior":"Mover","name":"frail"},{"behavior":"Mover","name":"firm"}"#
    watcher.send(TestDaemon.open("main").replacing(#"{"behavior":"ShyNavBar"}"#, with: delegates))
    let get = #"{"id":2,"method":"header.get","params":{"header":"main","include":["position"]}}"#
    let constraint = #"{"header":"main","name":"dialog","permitted":"shown","lease":"connection"}"#
    let refused = client.send(#"{"id":1,"method":"header.constrain","params":\#(constraint)}"#)
    #expect(refused.errors.map { $0.at("data.name") } == ["behaviorFailed"])
    #expect(watcher.send(get).results.map { $0.at("position.constraints.0.name") } == ["dialog"])
    // Nor does it end by a release that comes to nothing.
    let release = #""header":"main","event":"release","name":"dialog","scrollView":"nowhere""#
    #expect(watcher.send("{\"id\":3,\"method\":\"event\",\"params\":{\(release)}}").errors.count == 1)
    client.hangUp()
    #expect(watcher.send(get).results.map { $0.at("position.constraints") } == [[]])
  }
}

/// Can be positioned, and fails where it is called `frail` and is bounded.
private final class Mover: ScrollDelegate {
  static let description = BehaviorDescription(
    name: "Mover", plugin: "Mover", summary: "Can be positioned", moves: true, events: .all)

  override var positioning: Positioning { .own }
  override func position(in header: Header) throws(DelegateFailure) -> Position { Position(traveled: 0, travel: 44) }
  override func permit(_ range: ClosedRange<Double>, in header: Header) throws(DelegateFailure) {
    if name == "frail" { throw .failed("it was bounded") }
  }
}

/// Writes trees as JSON.
struct JSONText {
  mutating func text(_ value: Value) -> String {
    switch value {
    case .null: return "null"
    case .bool(let bool): return "\(bool)"
    case .number(let number): return "\(number)"
    case .text(let text): return "\"\(text)\""
    case .list(let list): return "[" + list.map { text($0) }.joined(separator: ",") + "]"
    case .record(let record):
      return "{" + record.fields.map { "\"\($0.name)\":\(text($0.value))" }.joined(separator: ",") + "}"
    }
  }
}
