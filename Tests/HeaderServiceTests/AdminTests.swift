// SPDX-License-Identifier: MIT
//
// Reloading plugins under live headers, and recording them.

import HeaderModel
import HeaderService
import ServiceTestKit
import Testing

@Suite struct ReloadTests {
  private let every = #"{"id":9,"method":"subscribe","params":{"headers":"**","mode":"every"}}"#

  @Test func freshCodeTakesOverAndNothingJumps() {
    let daemon = TestDaemon()
    let client = daemon.publisher("a")
    client.send(TestDaemon.open("b"))
    client.send(TestDaemon.scroll("a", 1, 30))
    let before = client.send(#"{"id":1,"method":"header.get","params":{"header":"a"}}"#).results[0].at("state.drawers")
    var made = 0
    daemon.plugins.fresh = shifters { name, behavior in
      made += 1
      return Shifter(name: name, behavior: behavior)
    }
    let answer = client.send(#"{"id":1,"method":"plugin.reload","params":{"plugin":"ShyNavBar"}}"#)
    #expect(made == 2)
    #expect(answer.results[0].at("headers").list.map { $0.at("header") } == ["a", "b"])
    let after = client.send(#"{"id":1,"method":"header.get","params":{"header":"a"}}"#).results[0].at("state.drawers")
    #expect(after == before)
    client.send(every)
    #expect(client.send(TestDaemon.scroll("a", 2, 31)).states.last?.at("drawers.0.frame.y") == -11)
  }

  @Test func oneThatRefusesLeavesAllAsTheyWere() {
    let daemon = TestDaemon()
    let client = daemon.publisher("a")
    client.send(TestDaemon.open("b"))
    var made = 0
    daemon.plugins.fresh = shifters { name, behavior in
      made += 1
      return made == 2 ? StubbornShifter(name: name, behavior: behavior) : Shifter(name: name, behavior: behavior)
    }
    let answer = client.send(#"{"id":1,"method":"plugin.reload","params":{"plugin":"ShyNavBar"}}"#)
    let error = answer.errors[0]
    #expect(error.at("code") == -32015)
    #expect(error.at("data.name") == "pluginRefused")
    #expect(error.at("data.header") == "b")
    #expect(error.at("message").text.contains("version 1 of the saved state is unknown"))
    // Both headers go on, with the old code, which the registry offers again.
    for name in ["a", "b"] {
      client.send("{\"id\":1,\"method\":\"subscribe\",\"params\":{\"headers\":\"\(name)\"}}")
      #expect(client.send(TestDaemon.scroll(name, 2, 31)).states.last?.at("drawers.0.frame.y") == -11)
    }
    #expect(made == 2)
    #expect(daemon.plugins.kinds.count == TestPlugins().kinds.count)
  }

  /// The second delegate of a header is made again when the first is in place, and refuses only then.
  @Test func oneThatRefusesAtTheEndIsReported() {
    let daemon = TestDaemon()
    daemon.plugins.kinds = bystanders(Bystander.init)
    let client = daemon.publisher("a")
    let added = #"{"id":1,"method":"delegate.add","params":{"header":"a","behavior":"ShyNavBar","name":"second"}}"#
    #expect(client.send(added).errors.isEmpty)
    var made = 0
    daemon.plugins.fresh = bystanders { name, behavior in
      made += 1
      return made == 3 ? StubbornShifter(name: name, behavior: behavior) : Bystander(name: name, behavior: behavior)
    }
    let answer = client.send(#"{"id":1,"method":"plugin.reload","params":{"plugin":"ShyNavBar"}}"#)
    #expect(made == 3)
    #expect(answer.errors.first?.at("data.name") == "pluginRefused")
    #expect(answer.errors.first?.at("data.header") == "a")
    let hint = #"delegate "second" goes on with the old code, all others with the new"#
    #expect(answer.errors.first?.at("data.hint").text == hint)
    #expect(client.send(#"{"id":1,"method":"ping"}"#).results.count == 1)
  }

  @Test func aFileThatHasNotChangedChangesNothing() {
    let daemon = TestDaemon()
    let client = daemon.publisher()
    daemon.plugins.isUntouched = true
    daemon.plugins.refusal = HeaderError(.internalError, "it was asked to load")
    let answer = client.send(#"{"id":1,"method":"plugin.reload","params":{"plugin":"ShyNavBar"}}"#)
    #expect(answer.results == [["headers": [], "changed": false]])
  }

  @Test func aFileThatDoesNotLoadChangesNothing() {
    let daemon = TestDaemon()
    let client = daemon.publisher()
    daemon.plugins.refusal = HeaderError(
      .pluginRefused, "libShyNavBar.so: built for plugin ABI 2.0, this headerd speaks 1.x")
    let answer = client.send(#"{"id":1,"method":"plugin.reload","params":{"plugin":"ShyNavBar"}}"#)
    #expect(answer.errors.first?.at("data.name") == "pluginRefused")
    client.send(every)
    #expect(client.send(TestDaemon.scroll("main", 2, 31)).states.count == 1)
  }

  @Test func configureKeepsWhatStays() {
    let daemon = TestDaemon()
    let client = daemon.publisher()
    client.send(TestDaemon.scroll("main", 1, 10))
    client.send(every)
    let lines = client.send(
      #"{"id":1,"method":"header.configure","params":{"header":"main","drawers":[{"name":"navBar","height":44,"y":20},{"name":"search","height":30,"y":64}],"environment":{"statusBarHeight":30}}}"#
    )
    #expect(lines.results.first?.at("seq") == 3)
    #expect(lines.states.last?.at("drawers.0.frame.y") == 10)
    #expect(lines.states.last?.at("drawers.1.name") == "search")
    let get = client.send(
      #"{"id":1,"method":"header.get","params":{"header":"main","include":["environment","description"]}}"#)
    #expect(get.results[0].at("environment.statusBarHeight") == 30)
    // The description of today opens the same header again.
    let description = get.results[0].at("description")
    #expect(description.at("drawers.1.name") == "search")
  }
}

@Suite struct TraceTests {
  @Test func aRecordingHasEveryInput() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    client.send(
      #"{"id":0,"method":"header.open","params":{"header":"t","drawers":[{"name":"d","height":10}],"delegates":[{"behavior":"Ticker"}],"frameRate":50}}"#
    )
    let admin = daemon.connect()
    let beginning = admin.send(#"{"id":1,"method":"trace.start","params":{"header":"t"}}"#)
    #expect(beginning.results.first?.at("trace") == 1)
    let first = beginning.notifications("trace")[0].at("params")
    #expect(first.at("description.delegates.0.behavior") == "Ticker")
    #expect(first.at("saved.seq") == 1)
    client.send(
      #"{"method":"event","params":{"header":"t","event":"didEndDragging","time":10,"willDecelerate":false}}"#)
    daemon.pass(0.05)
    client.send(
      #"{"method":"event","params":{"header":"t","event":"didScroll","scrollView":"none","time":10.05,"offset":{"y":1}}}"#
    )
    client.send(#"{"method":"event","params":{"header":"t","event":"willEndDragging","time":10.07}}"#)
    client.send(#"{"method":"header.configure","params":{"header":"t","frameRate":60}}"#)
    client.send(#"{"id":3,"method":"plugin.reload","params":{"plugin":"Ticker"}}"#)
    client.send(#"{"id":3,"method":"header.call","params":{"header":"t","name":"nothing"}}"#)
    let steps = admin.received().notifications("trace").map { $0.at("params.step") }
    #expect(
      steps.map { $0.at("event") }
        == [
          "didEndDragging", "advance", "advance", "didScroll", "willEndDragging", "configure", "reload", "call",
        ])
    #expect(steps[1].at("time") == 10.02)
    #expect(steps[1].at("state.values.frames") == 1)
    #expect(steps[3].at("error.data.name") == "scrollViewNotFound")
    #expect(steps[4].at("result.targetOffset.y") == 0)
    #expect(steps[4].at("frames").list.isEmpty)
    #expect(steps[4].at("state.values.frames") == 3)
    #expect(steps[5].at("frameRate") == 60)
    #expect(steps[6].at("plugin") == "Ticker")
    let stop = admin.send(#"{"id":2,"method":"trace.stop","params":{"trace":1}}"#)
    #expect(stop.results.first?.at("steps") == 8)
    client.send(#"{"method":"event","params":{"header":"t","event":"didAppear","time":20}}"#)
    #expect(admin.received().isEmpty)
  }

  /// A number of seconds since 1970 is a quarter of a microsecond coarse: there the nanoseconds stand beside it.
  @Test func timesFarFromTheirOriginAreRecordedExactly() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    client.send(
      #"{"id":0,"method":"header.open","params":{"header":"t","drawers":[{"name":"d","height":10}],"delegates":[{"behavior":"Ticker"}],"frameRate":50}}"#
    )
    client.send(#"{"id":1,"method":"trace.start","params":{"header":"t"}}"#)
    client.send(
      #"{"method":"event","params":{"header":"t","event":"didEndDragging","time":1763690400.1234,"willDecelerate":false}}"#
    )
    daemon.pass(0.05)
    let steps = client.allLines.notifications("trace").dropFirst().map { $0.at("params.step") }
    // The first is what its publisher said; the others are frames, at so many nanoseconds after it.
    #expect(steps.map { $0.at("time") } == [1_763_690_400.1234, 1_763_690_400.1434, 1_763_690_400.1634])
    #expect(steps.map { $0.at("nanoseconds") } == [.null, "1763690400143399973", "1763690400163399973"])
    #expect(steps.map { $0.at("state.time") } == steps.map { $0.at("time") })
  }

  @Test func framesThatWereDueBeforeStandBesideTheState() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    client.send(
      #"{"id":0,"method":"header.open","params":{"header":"t","drawers":[{"name":"d","height":10}],"delegates":[{"behavior":"Ticker"}],"frames":"events","frameRate":50}}"#
    )
    client.send(#"{"id":1,"method":"trace.start","params":{"header":"t"}}"#)
    client.send(
      #"{"method":"event","params":{"header":"t","event":"didEndDragging","time":10,"willDecelerate":false}}"#)
    let lines = client.send(#"{"method":"event","params":{"header":"t","event":"advance","time":10.06}}"#)
    let step = lines.notifications("trace")[0].at("params.step")
    #expect(step.at("frames").list.map { $0.at("seq") } == [3, 4])
    #expect(step.at("state.seq") == 5)
  }

  @Test func itEndsWithItsHeader() {
    let daemon = TestDaemon()
    let client = daemon.publisher()
    let admin = daemon.connect()
    admin.send(#"{"id":1,"method":"trace.start","params":{"header":"main"}}"#)
    client.send(#"{"id":1,"method":"header.close","params":{"header":"main"}}"#)
    #expect(
      admin.received() == [#"{"jsonrpc":"2.0","method":"trace","params":{"trace":1,"ended":"closed","steps":0}}"#])
    #expect(admin.send(#"{"id":1,"method":"trace.stop","params":{"trace":1}}"#).errors.count == 1)
  }

  @Test func itEndsWithItsConnection() {
    let daemon = TestDaemon { $0.limits.traces = 1 }
    let client = daemon.publisher()
    let admin = daemon.connect()
    admin.send(#"{"id":1,"method":"trace.start","params":{"header":"main"}}"#)
    #expect(client.send(#"{"id":1,"method":"trace.start","params":{"header":"main"}}"#).errors.count == 1)
    admin.hangUp()
    #expect(client.send(#"{"id":1,"method":"trace.start","params":{"header":"main"}}"#).results.count == 1)
  }
}
