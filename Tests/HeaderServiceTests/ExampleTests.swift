// SPDX-License-Identifier: MIT
//
// The examples of the protocol (headerd-protocol(7)), line by line. A client's line is sent and what comes back must
// have the shape of the daemon's line: every member that the example shows, with a value of the same type. Examples of
// what this daemon does not do yet must be answered `unsupported`.

import HeaderModel
import HeaderService
import ServiceTestKit
import Testing

@Suite struct ExampleTests {
  /// Whether a value has all that an example shows; the path of the first thing missing.
  static func missing(_ example: Value, in value: Value, at path: String = "") -> String? {
    switch (example, value) {
    case (.record(let wanted), .record(let got)):
      for field in wanted.fields {
        guard let present = got[field.name] else { return "\(path).\(field.name)" }
        if let inner = missing(field.value, in: present, at: "\(path).\(field.name)") { return inner }
      }
      return nil
    case (.list(let wanted), .list(let got)):
      guard let first = wanted.first else { return nil }
      guard let present = got.first else { return "\(path)[0]" }
      return missing(first, in: present, at: "\(path)[0]")
    default: return example.typeName == value.typeName ? nil : "\(path): \(example.typeName), got \(value.typeName)"
    }
  }

  private func expect(_ lines: [String], like example: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let wanted = tree(example)
    let misses = lines.map { Self.missing(wanted, in: tree($0)) }
    #expect(misses.contains(nil), "\(misses) in \(lines)", sourceLocation: sourceLocation)
  }

  private func unsupported(_ lines: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(lines.errors.first?.at("data.name") == "unsupported", "\(lines)", sourceLocation: sourceLocation)
  }

  @Test func hello() {
    let client = TestDaemon().connect()
    expect(
      client.send(#"{"id":1,"method":"hello","params":{"protocol":1,"client":"demo 0.1"}}"#),
      like:
        #"{"id":1,"result":{"protocol":1,"server":"headerd 0.2.0","capabilities":["binary","every","latest","trace"],"roles":["publish","subscribe","admin"],"limits":{"lineBytes":262144},"connection":7,"time":81.25}}"#
    )
  }

  static let open =
    #"{"id":2,"method":"header.open","params":{"header":"main","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},"contentInset":{"top":64}}},"environment":{"statusBarHeight":20},"drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],"delegates":[{"behavior":"ShyNavBar","options":{"expansionResistance":100}}]}}"#

  @Test func openAndCall() {
    let client = TestDaemon().connect()
    expect(
      client.send(Self.open),
      like: #"{"id":2,"result":{"header":"main","handle":1,"epoch":1763690400000001,"created":true,"seq":1}}"#)
    let again = client.send(Self.open)
    #expect(again.results.first?.at("created") == false)
    expect(
      client.send(
        #"{"id":3,"method":"header.call","params":{"header":"main","name":"expand","arguments":{"animated":true}}}"#),
      like: #"{"id":3,"result":{"returned":{},"seq":1}}"#)
  }

  @Test func events() {
    let client = TestDaemon().connect()
    client.send(Self.open)
    client.send(#"{"id":"s","method":"subscribe","params":{"headers":"**","mode":"every"}}"#)
    let states = client.send(
      #"{"method":"event","params":{"header":"main","event":"didScroll","time":1.25,"offset":{"y":12.5}}}"#)
    expect(
      states,
      like:
        #"{"method":"state","params":{"header":"main","epoch":1763690400000001,"seq":58,"time":1.25,"drawers":[{"name":"navBar","frame":{"x":0,"y":7.5,"width":375,"height":44}},{"name":"extension","frame":{"x":0,"y":51.5,"width":375,"height":40},"alpha":0.6875}],"scrollViews":{"content":{"contentOffset":{"x":0,"y":12.5},"contentInset":{"top":91.5,"left":0,"bottom":0,"right":0}}},"values":{"isContracting":true}}}"#
        .replacing("\"isContracting\":true", with: "\"phase\":\"between\""))
    let batch = client.send(
      #"{"method":"event","params":{"header":"main","events":[{"event":"didScroll","time":1.2667,"offset":{"y":19}},{"event":"didScroll","time":1.2833,"offset":{"y":26}}]}}"#
    )
    #expect(batch.seqs == [3, 4])
    expect(
      client.send(
        #"{"id":4,"method":"event","params":{"header":"main","event":"willEndDragging","time":1.3,"velocity":{"y":0.8},"targetOffset":{"y":210}}}"#
      ),
      like:
        #"{"id":4,"result":{"seq":58,"targetOffset":{"x":0,"y":176},"returned":true,"rewrittenBy":"flexibleHeader"}}"#)
    let nested = client.send(
      #"{"id":5,"method":"event","params":{"header":"main","event":"willScroll","time":1.4,"delta":{"y":30},"source":"drag"}}"#
    )
    expect(nested, like: #"{"id":5,"result":{"seq":59,"consumed":{"x":0,"y":18},"residual":{"x":0,"y":12}}}"#)
    // The header had gone 26 of its 44 points: the numbers are the example's.
    #expect(nested.results.first?.at("consumed.y") == 18)
    #expect(nested.results.first?.at("residual.y") == 12)
    expect(
      client.send(#"{"id":8,"method":"event","params":{"event":"didScroll","time":2,"offset":{"y":"12px"}}}"#),
      like:
        #"{"id":8,"error":{"code":-32602,"message":"params.offset.y: expected a finite number of points, got \"12px\"","data":{"name":"invalidParams","field":"params.offset.y","got":"12px","expected":"number"}}}"#
    )
  }

  @Test func anAnimatedState() {
    let client = TestDaemon().connect()
    client.send(Self.open)
    client.send(#"{"id":"s","method":"subscribe","params":{"headers":"main"}}"#)
    client.send(TestDaemon.scroll("main", 1, 44))
    expect(
      client.send(
        #"{"id":3,"method":"header.call","params":{"header":"main","name":"expand","arguments":{"animated":true}}}"#),
      like:
        #"{"method":"state","params":{"header":"main","epoch":1763690400000001,"seq":71,"time":2.5,"drawers":[{"name":"navBar","frame":{"x":0,"y":-24,"width":375,"height":44}}],"animations":[{"duration":0.2,"curve":"easeInOut","delegate":"shyNavBar"}]}}"#
    )
  }

  @Test func subscriptions() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    expect(
      client.send(
        #"{"id":6,"method":"subscribe","params":{"headers":"app.*","mode":"every","resumeFrom":{"app.main":{"epoch":1763690400000001,"seq":41}}}}"#
      ),
      like: #"{"id":6,"result":{"subscription":1,"matched":3}}"#)
    daemon.publisher("app.main").send(#"{"id":1,"method":"header.close","params":{"header":"app.main"}}"#)
    expect(
      client.received(),
      like: #"{"method":"closed","params":{"header":"main","epoch":1763690400000001,"seq":97,"reason":"closed"}}"#)
  }

  @Test func gap() {
    let daemon = TestDaemon { $0.limits.queueBytes = 1000 }
    let publisher = daemon.publisher()
    let client = daemon.connect()
    client.send(#"{"id":6,"method":"subscribe","params":{"headers":"*","mode":"every"}}"#)
    client.stopReading()
    for step in 1...20 { publisher.send(TestDaemon.scroll("main", Double(step), Double(step))) }
    client.resumeReading()
    expect(
      client.received(),
      like:
        #"{"method":"gap","params":{"header":"main","epoch":1763690400000001,"from":42,"to":97,"reason":"overflow"}}"#)
  }

  @Test func reloadAndTrace() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    client.send(Self.open)
    expect(
      client.send(#"{"id":7,"method":"plugin.reload","params":{"plugin":"ShyNavBar"}}"#),
      like: #"{"id":7,"result":{"headers":[{"header":"main","seq":1}]}}"#)
    client.send(#"{"id":1,"method":"trace.start","params":{"header":"main"}}"#)
    expect(
      client.send(
        #"{"method":"event","params":{"event":"didScroll","time":1.25,"scrollView":"content","offset":{"x":0,"y":12.5}}}"#
      ),
      like:
        #"{"method":"trace","params":{"trace":1,"step":{"event":"didScroll","time":1.25,"scrollView":"content","offset":{"x":0,"y":12.5},"state":{"seq":58}}}}"#
    )
  }

  @Test func delegates() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    client.send(Self.open)
    client.send(#"{"id":1,"method":"delegate.add","params":{"header":"main","client":"observe","name":"logger"}}"#)
    client.send(
      #"{"id":1,"method":"delegate.add","params":{"header":"main","client":"intercept","name":"guard","at":0}}"#)
    let publisher = daemon.connect()
    publisher.send(
      #"{"method":"event","params":{"header":"main","event":"willEndDragging","time":1.3,"targetOffset":{"y":210}}}"#)
    let asked = client.received()
    expect(
      asked,
      like:
        #"{"id":"d9","method":"delegate.ask","params":{"header":"main","delegate":"guard","deadline":0.008,"event":{"event":"willEndDragging","time":1.3,"targetOffset":{"x":0,"y":210}}}}"#
    )
    let id = tree(asked[0]).at("id").text
    let answer =
      #"{"id":"d9","result":{"verdict":"rewrite","targetOffset":{"y":176},"actions":[{"action":"notice","name":"heldBack"}]}}"#
    expect(
      client.send(answer.replacing("d9", with: id)),
      like:
        #"{"method":"delegate.event","params":{"header":"main","delegate":"logger","event":{"event":"didScroll","time":1.25,"scrollView":"content","offset":{"x":0,"y":12.5}}}}"#
    )
    // Answered twice: nobody asked.
    #expect(client.send(answer).errors.first?.at("data.name") == "invalidRequest")
  }

  @Test func byeWhenDraining() {
    let daemon = TestDaemon()
    let client = daemon.publisher()
    client.send(#"{"id":6,"method":"subscribe","params":{"headers":"*"}}"#)
    daemon.service.drain()
    let lines = client.received()
    #expect(lines == [#"{"jsonrpc":"2.0","method":"bye","params":{"reason":"draining"}}"#])
    #expect(client.isClosed)
    let late = daemon.connect()
    #expect(late.received() == lines)
  }
}

extension Value {
  /// The word for its type.
  fileprivate var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "bool"
    case .number: "number"
    case .text: "text"
    case .list: "list"
    case .record: "record"
    }
  }
}
