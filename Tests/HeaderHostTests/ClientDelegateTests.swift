// SPDX-License-Identifier: MIT
//
// Clients in a header's chain (headerd-delegates(7)): told after the chain, asked in their place, passed over
// when they are late, dead or wrong. The clock is turned by hand, so a deadline passes when the test says so.

import Gateway
import HeaderModel
import HeaderService
import ServiceTestKit
import Testing

/// What these tests share.
extension String {
  /// The same request for another header than main.
  fileprivate func replacingHeader(with name: String) -> String {
    split(separator: "\"main\"", omittingEmptySubsequences: false).joined(separator: "\"\(name)\"")
  }
}

@Suite struct ObservingTests {
  @Test func anObserverIsToldAfterTheChainAndBeforeTheState() {
    let daemon = TestDaemon()
    let publisher = daemon.publisher()
    let logger = daemon.connect()
    logger.send(Chains.listen)
    let added = logger.send(Chains.add("observe", "logger", ",\"at\":0"))
    #expect(added.results == [["delegate": "logger", "index": 0]])
    publisher.send(TestDaemon.scroll("main", 1.25, 12.5))
    let lines = logger.received()
    #expect(lines.map { tree($0).at("method") } == ["delegate.event", "state"])
    #expect(
      tree(lines[0]).at("params") == [
        "header": "main", "delegate": "logger",
        "event": ["event": "didScroll", "time": 1.25, "scrollView": "content", "offset": ["x": 0, "y": 12.5]],
      ])
    // As those after the chain see it: with the target that the chain has decided.
    publisher.send(Chains.drag(1, 2))
    #expect(logger.received().told.map { $0.at("targetOffset.y") } == [176])
  }

  @Test func onlyTheEventsThatItNames() {
    let daemon = TestDaemon()
    let publisher = daemon.publisher()
    let logger = daemon.connect()
    logger.send(Chains.add("observe", "logger", ",\"events\":[\"willEndDragging\",\"willAppear\"]"))
    publisher.send(TestDaemon.scroll("main", 1, 12.5))
    publisher.send(Chains.drag(1, 2))
    publisher.send(#"{"method":"event","params":{"header":"main","event":"willAppear","time":3}}"#)
    #expect(logger.received().told.map { $0.at("event") } == ["willEndDragging", "willAppear"])
  }

  @Test func nestedEventsComeInTheOrderOfTheirEnds() {
    let daemon = TestDaemon()
    let publisher = daemon.publisher()
    let (logger, mover) = (daemon.connect(), daemon.connect())
    logger.send(Chains.add("observe", "logger"))
    mover.send(Chains.add("intercept", "mover", ",\"events\":[\"didScroll\"]"))
    publisher.send(TestDaemon.scroll("main", 1, 12.5))
    let id = mover.received().asked[0]
    let lines = mover.answer(id, #"{"verdict":"pass","actions":[{"action":"setContentOffset","offset":{"y":20}}]}"#)
    // It observes what its own write brought about, and is not asked again.
    #expect(lines.asked.isEmpty)
    #expect(lines.told.map { $0.at("depth") } == [1])
    let told = logger.received().told.filter { $0.at("event") == "didScroll" }
    #expect(told.map { $0.at("depth") } == [1, .null])
    #expect(told.map { $0.at("offset.y") } == [20, 20])
  }

  @Test func whoDoesNotReadIsToldWhatIsLost() {
    let daemon = TestDaemon { $0.limits.queueBytes = 2000 }
    let publisher = daemon.publisher()
    let logger = daemon.connect()
    logger.send(Chains.add("observe", "logger"))
    logger.stopReading()
    for step in 1...100 { publisher.send(TestDaemon.scroll("main", Double(step), Double(step))) }
    #expect(logger.pipe.maxQueued < 3000)
    logger.resumeReading()
    publisher.send(TestDaemon.scroll("main", 101, 1))
    let all = logger.received()
    let last = tree(all[all.count - 1])
    let before = all.told.count - 1
    #expect(last.at("params.event.time") == 101)
    #expect(last.at("params.lost") == .number(Double(100 - before)))
    publisher.send(TestDaemon.scroll("main", 102, 2))
    #expect(tree(logger.received()[0]).at("params.lost") == .null)
  }

  @Test func itLivesAsLongAsItsConnection() {
    let daemon = TestDaemon()
    let publisher = daemon.publisher()
    let logger = daemon.connect()
    logger.send(Chains.add("observe", "logger"))
    func chain() -> Value {
      publisher.send(#"{"id":"l","method":"header.list"}"#).results[0].at("headers.0.delegates")
    }
    #expect(chain() == ["shyNavBar", "logger"])
    daemon.service.endOfInput(logger.id)
    #expect(chain() == ["shyNavBar", "logger"], "it can still listen")
    logger.hangUp()
    #expect(chain() == ["shyNavBar"])
    publisher.send(TestDaemon.scroll("main", 1, 1))
    #expect(logger.received().isEmpty || logger.received().told.isEmpty)
  }
}

@Suite struct InterceptingTests {
  let daemon = TestDaemon()
  let publisher: TestClient
  let guardian: TestClient

  init() {
    publisher = daemon.publisher()
    guardian = daemon.connect()
  }

  private func join(_ more: String = "") { guardian.send(Chains.add("intercept", "guard", more)) }

  @Test func aClientRewritesWhatThoseAfterItSee() {
    join(",\"at\":0")
    #expect(publisher.send(Chains.drag(7, 1.3)).isEmpty, "the answer waits")
    let asked = guardian.received()
    #expect(
      tree(asked[0]) == [
        "jsonrpc": "2.0", "id": "d1", "method": "delegate.ask",
        "params": [
          "header": "main", "delegate": "guard", "deadline": 0.008,
          "event": [
            "event": "willEndDragging", "time": 1.3, "scrollView": "content", "offset": ["x": 0, "y": -64],
            "targetOffset": ["x": 0, "y": 210],
          ],
        ],
      ])
    guardian.answer("d1", #"{"verdict":"rewrite","targetOffset":{"y":99}}"#)
    // The behavior behind it has the last word.
    #expect(
      publisher.received().results == [
        ["seq": 1, "targetOffset": ["x": 0, "y": 176], "returned": true, "rewrittenBy": "shyNavBar"]
      ])
    guardian.send(#"{"id":1,"method":"delegate.move","params":{"header":"main","delegate":"guard","at":1}}"#)
    publisher.send(Chains.drag(8, 1.4))
    #expect(guardian.received().notifications("delegate.ask")[0].at("params.event.targetOffset.y") == 176)
    guardian.answer("d2", #"{"verdict":"rewrite","targetOffset":{"y":99},"returned":false}"#)
    #expect(
      publisher.received().results == [
        ["seq": 1, "targetOffset": ["x": 0, "y": 99], "returned": false, "rewrittenBy": "guard"]
      ])
  }

  @Test func whoEndsAnEventKeepsItFromThoseAfterIt() {
    join(",\"at\":0")
    publisher.send(Chains.listen)
    publisher.send(Chains.scroll(1, 1, 11))
    guardian.answer("d1", #"{"verdict":"end"}"#)
    #expect(publisher.received().states.isEmpty, "the shifter was not asked")
    publisher.send(#"{"id":2,"method":"event","params":{"header":"main","event":"shouldScrollToTop","time":2}}"#)
    guardian.answer("d2", #"{"verdict":"end","returned":false}"#)
    #expect(publisher.received().results.map { $0.at("returned") } == [false])
    publisher.send(Chains.scroll(3, 3, 22))
    guardian.answer("d3", Chains.pass)
    #expect(publisher.received().states.map { $0.at("values.progress") } == [0.5])
  }

  @Test func actionsAreDoneInOrderThroughTheHost() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    client.send(
      """
      {"id":0,"method":"header.open","params":{"header":"main","scrollViews":{"content":{"viewport":{"width":375,"height":667},\
      "contentSize":{"height":4000},"contentInset":{"top":64}}},"drawers":[{"name":"bar","height":44,"elements":\
      [{"name":"title","frame":{"x":0,"y":0,"width":100,"height":20}}]},{"name":"tabs","height":40}]}}
      """)
    client.send(Chains.listen)
    client.send(Chains.add("intercept", "guard"))
    client.send(Chains.scroll(1, 1, 10))
    let actions = [
      #"{"action":"move","drawer":"bar","by":-10}"#, #"{"action":"setHeight","drawer":"tabs","height":50}"#,
      #"{"action":"setDrawer","name":"tabs","alpha":0.5,"sticky":true,"translation":{"y":1}}"#,
      #"{"action":"setElement","name":"title","alpha":0.25,"zIndex":2}"#,
      #"{"action":"setValue","name":"mood","value":"calm"}"#, #"{"action":"setValue","name":"level","value":3}"#,
      #"{"action":"notice","name":"heldBack","arguments":{"by":1}}"#,
      #"{"action":"setContentOffset","offset":{"y":12},"silent":true}"#,
      #"{"action":"setContentInset","inset":{"bottom":8}}"#,
      #"{"action":"want","preferredStatusBarStyle":"lightContent","topLayoutGuideLength":20}"#,
      #"{"action":"command","name":"flashScrollIndicators"}"#,
      #"{"action":"animate","duration":0.2,"curve":"easeOut","actions":[{"action":"notice","name":"settled"}]}"#,
    ]
    let lines = client.answer("d1", "{\"verdict\":\"pass\",\"actions\":[\(actions.joined(separator: ","))]}")
    let state = lines.states[0]
    // The far end contracts first, as for every delegate.
    #expect(state.at("drawers.0.frame.y") == 0)
    #expect(state.at("drawers.1.frame") == ["x": 0, "y": 35, "width": 375, "height": 50])
    #expect(state.at("drawers.1.alpha") == 0.5)
    #expect(state.at("elements.0.alpha") == 0.25)
    #expect(state.at("elements.0.zIndex") == 2)
    #expect(state.at("values") == ["mood": "calm", "level": 3])
    #expect(state.at("notices").list.map { $0.at("name") } == ["heldBack", "settled"])
    #expect(state.at("notices.0.arguments.by") == 1)
    #expect(state.at("scrollViews.content.contentOffset.y") == 12)
    #expect(state.at("scrollViews.content.correction.y") == 2)
    #expect(state.at("scrollViews.content.contentInset.bottom") == 8)
    #expect(state.at("wants") == ["preferredStatusBarStyle": "lightContent", "topLayoutGuideLength": 20])
    #expect(state.at("commands") == [["scrollView": "content", "name": "flashScrollIndicators", "arguments": [:]]])
    #expect(state.at("animations") == [["duration": 0.2, "curve": "easeOut", "delegate": "guard"]])
    let got = client.send(#"{"id":3,"method":"header.get","params":{"header":"main","include":["saved"]}}"#).results[0]
    #expect(got.at("saved.drawers").list.map { $0.at("isSticky") } == [false, true])
    // Later it sets the same values again; when it leaves they are gone.
    client.send(Chains.scroll(2, 2, 20))
    let taken = [
      #"{"action":"contract"}"#, #"{"action":"setValue","name":"mood","value":null}"#,
      #"{"action":"want","preferredStatusBarStyle":null}"#,
    ]
    let after = client.answer("d2", "{\"verdict\":\"pass\",\"actions\":[\(taken.joined(separator: ","))]}").states[0]
    #expect(after.at("values") == ["mood": .null, "level": 3])
    #expect(after.at("wants") == ["topLayoutGuideLength": 20])
    client.send(Chains.scroll(3, 3, 20))
    #expect(
      client.answer("d3", #"{"verdict":"pass","actions":[{"action":"expand","drawer":"bar"}]}"#)
        .states[0].at("drawers.0.frame.y") == 0)
    let gone = client.send(#"{"id":4,"method":"delegate.remove","params":{"header":"main","delegate":"guard"}}"#)
    #expect(gone.states[0].at("values") == .null)
  }

  @Test func aLateClientIsPassedOverAtItsDeadline() {
    join(",\"deadline\":0.05")
    publisher.send(Chains.listen)
    publisher.send(Chains.scroll(1, 1, 11))
    daemon.pass(0.049)
    #expect(publisher.received().results.isEmpty)
    daemon.pass(0.001)
    let lines = publisher.received()
    #expect(lines.results.map { $0.at("seq") } == [2])
    #expect(lines.states[0].at("values.progress") == 0.25, "the chain went on")
    #expect(lines.states[0].at("notices").list.map { $0.at("name") }.contains("delegatePassedOver"))
    let notice = lines.states[0].at("notices").list.first { $0.at("name") == "delegatePassedOver" }
    #expect(notice?.at("delegate") == "guard")
    #expect(notice?.at("arguments.reason") == "it did not answer within 0.05 s")
    // Its answer comes all the same; it is told so, nothing happens.
    _ = guardian.received()
    let late = guardian.answer("d1", #"{"verdict":"end"}"#)
    #expect(late.notifications("error").map { $0.at("params.data.name") } == ["deadlineExceeded"])
    #expect(publisher.received().isEmpty)
    // It is asked again about the next event.
    publisher.send(Chains.scroll(2, 2, 22))
    guardian.answer("d2", Chains.pass)
    #expect(publisher.received().results.count == 1)
  }

  @Test func whoNamesNoDeadlineHasTheDaemons() {
    let daemon = TestDaemon { $0.limits.deadline = 0.001 }
    let publisher = daemon.publisher()
    daemon.connect().send(Chains.add("intercept", "guard"))
    publisher.send(Chains.scroll(1, 1, 11))
    daemon.pass(0.0009)
    #expect(publisher.received().results.isEmpty)
    daemon.pass(0.0001)
    #expect(publisher.received().results.count == 1)
  }

  /// The event has waited for the client; what comes of it behind the client is the event's answer all the same.
  @Test func aBehaviorThatFailsBehindTheClientIsTheAnswer() {
    for batch in [false, true] {
      let daemon = TestDaemon()
      let (publisher, guardian) = (daemon.connect(), daemon.connect())
      publisher.send(TestDaemon.open("main", behavior: "Faulty"))
      guardian.send(Chains.add("intercept", "guard", ",\"at\":0"))
      let scroll = #""event":"didScroll","offset":{"y":150}"#
      publisher.send(
        batch
          ? #"{"id":1,"method":"event","params":{"header":"main","events":[{"event":"didScroll","time":1,"offset":{"y":1}},{\#(scroll),"time":2}]}}"#
          : #"{"id":1,"method":"event","params":{"header":"main","time":2,\#(scroll)}}"#)
      guardian.answer("d1", Chains.pass)
      if batch { guardian.answer("d2", Chains.pass) }
      let error = publisher.received().errors.first ?? .null
      #expect(error.at("data.name") == "behaviorFailed")
      #expect(error.at("data.index") == (batch ? 1 : .null))
    }
  }

  @Test func aClientThatHangsCostsThreeDeadlines() {
    join(",\"deadline\":0.05")
    publisher.send(Chains.listen)
    for number in 1...3 {
      publisher.send(Chains.scroll(number, Double(number), Double(number * 11)))
      #expect(publisher.received().results.isEmpty)
      daemon.pass(0.05)
      let notices = publisher.received().states.last?.at("notices").list.map { $0.at("name") } ?? []
      #expect(notices.contains("delegateOnlyObserves") == (number == 3))
      guardian.answer("d\(number)", Chains.pass)
    }
    #expect(publisher.send(Chains.scroll(4, 4, 44)).results.count == 1, "nobody is waited for")
    #expect(guardian.received().told.count == 1)
    // Added anew it is asked again.
    guardian.send(#"{"id":"r","method":"delegate.remove","params":{"header":"main","delegate":"guard"}}"#)
    guardian.send(Chains.add("intercept", "guard"))
    publisher.send(Chains.scroll(5, 5, 20))
    #expect(guardian.received().asked == ["d4"])
  }

  @Test func aDeadClientIsPassedOverAtOnceAndGone() {
    join()
    publisher.send(Chains.listen)
    publisher.send(Chains.scroll(1, 1, 11))
    guardian.hangUp()
    let lines = publisher.received()
    #expect(lines.results.count == 1)
    let notice = lines.states[0].at("notices").list.first { $0.at("name") == "delegatePassedOver" }
    #expect(notice?.at("arguments.reason") == "its connection has ended")
    #expect(publisher.send(Chains.scroll(2, 2, 22)).results.count == 1, "nobody is asked")
    #expect(publisher.send(#"{"id":"l","method":"header.list"}"#).results[0].at("headers.0.delegates") == ["shyNavBar"])
  }

  @Test func aWrongAnswerChangesNothingAndIsSaid() {
    join()
    publisher.send(Chains.listen)
    publisher.send(Chains.scroll(1, 1, 11))
    let told = guardian.answer(
      "d1",
      #"{"verdict":"pass","actions":[{"action":"notice","name":"never"},{"action":"move","drawer":"navBar","by":-1}]}"#)
    let error = told.notifications("error")[0].at("params")
    #expect(error.at("data.name") == "conflict")
    #expect(error.at("data.field") == "result.actions[1].drawer")
    #expect(error.at("data.delegates") == ["shyNavBar", "guard"])
    let names = publisher.received().states[0].at("notices").list.map { $0.at("name") }
    #expect(names.contains("delegatePassedOver"))
    #expect(!names.contains("never"))
  }

  @Test func whoYieldsLeavesAloneWhatBelongsToAnother() {
    join(",\"options\":{\"yields\":true}")
    publisher.send(Chains.listen)
    publisher.send(Chains.scroll(1, 1, 11))
    guardian.answer(
      "d1",
      #"{"verdict":"pass","actions":[{"action":"move","drawer":"navBar","by":-30},{"action":"notice","name":"tried"}]}"#
    )
    let state = publisher.received().states[0]
    #expect(state.at("drawers.0.frame.y") == 9)
    #expect(state.at("notices").list.map { $0.at("name") }.contains("tried"))
  }

  @Test func laterMessagesQueueAndKeepTheirOrder() {
    join()
    publisher.send(TestDaemon.open("other"))
    publisher.send(Chains.listen)
    _ = publisher.received()
    // 1 waits; 2, 3 and the ping come after it; the other header goes on.
    #expect(publisher.send(Chains.scroll(1, 1, 11)).isEmpty)
    #expect(publisher.send(Chains.scroll(2, 2, 22)).isEmpty)
    #expect(publisher.send(#"{"id":3,"method":"header.call","params":{"header":"main","name":"expand"}}"#).isEmpty)
    #expect(publisher.send(#"{"id":4,"method":"ping"}"#).isEmpty)
    #expect(publisher.send(Chains.scroll(5, 1, 11, "other")).ids == [.null, 5].filter { $0 != .null })
    guardian.answer("d1", Chains.pass)
    #expect(publisher.received().ids == [1])
    let seen = guardian.allLines.notifications("delegate.ask").map { $0.at("params.event.time") }
    #expect(seen == [1, 2])
    guardian.answer("d2", Chains.pass)
    #expect(publisher.received().ids == [2, 3, 4])
  }

  @Test func batchesWaitEventByEvent() {
    join()
    publisher.send(Chains.listen)
    publisher.send(
      #"{"id":1,"method":"event","params":{"header":"main","events":[{"event":"didScroll","time":1,"offset":{"y":11}},{"event":"didScroll","time":2,"offset":{"y":22}},{"event":"didScroll","time":1,"offset":{"y":33}}]}}"#
    )
    guardian.answer("d1", Chains.pass)
    guardian.answer("d2", Chains.pass)
    let lines = publisher.received()
    #expect(lines.states.map { $0.at("values.progress") } == [0.25, 0.5])
    #expect(lines.errors[0].at("data.name") == "timeBackwards")
    #expect(lines.errors[0].at("data.index") == 2)
  }

  @Test func aClientThatHangsCostsOneDeadlineNotOneForEachEvent() {
    join(",\"deadline\":0.1")
    for step in 1...50 { publisher.send(Chains.scroll(step, Double(step), Double(step))) }
    #expect(publisher.received().isEmpty)
    daemon.pass(0.1)
    #expect(publisher.received().ids.count == 50)
    #expect(guardian.received().asked == ["d1"])
    // What comes when nothing queues is asked again.
    publisher.send(Chains.scroll(51, 51, 1))
    #expect(guardian.received().asked == ["d2"])
  }

  @Test func whoFillsTheQueueIsNotReadFrom() {
    let daemon = TestDaemon { $0.limits.queueBytes = 4000 }
    let publisher = daemon.publisher()
    let (guardian, other) = (daemon.connect(), daemon.connect())
    guardian.send(Chains.add("intercept", "guard", ",\"deadline\":0.1"))
    var sent = 0
    while daemon.service.wantsInput(publisher.id), sent < 1000 {
      sent += 1
      publisher.send(Chains.scroll(sent, Double(sent), 1))
    }
    #expect(sent > 10 && sent < 100)
    #expect(other.send(#"{"id":1,"method":"ping"}"#).results.count == 1, "others are read from")
    #expect(daemon.service.gateway.takeUnblocked().isEmpty)
    publisher.send(Chains.scroll(sent + 1, Double(sent + 1), 1))
    daemon.pass(0.1)
    #expect(daemon.service.gateway.takeUnblocked() == [publisher.id])
    #expect(daemon.service.wantsInput(publisher.id))
    #expect(publisher.received().ids.last == .number(Double(sent)))
    // What was not read from was not in the queue either: it is asked about.
    #expect(guardian.received().asked == ["d1", "d2"])
  }

  /// Also when nothing of what it sent is held back here: then it is the shell alone that has stopped reading.
  @Test func whoFilledTheQueueIsReadFromAgain() {
    let daemon = TestDaemon { $0.limits.queueBytes = 4000 }
    let publisher = daemon.publisher()
    daemon.connect().send(Chains.add("intercept", "guard", ",\"deadline\":0.1"))
    var sent = 0
    while daemon.service.wantsInput(publisher.id), sent < 1000 {
      sent += 1
      publisher.send(Chains.scroll(sent, Double(sent), 1))
    }
    daemon.pass(0.1)
    #expect(daemon.service.gateway.takeUnblocked() == [publisher.id])
    #expect(daemon.service.wantsInput(publisher.id))
    #expect(publisher.received().ids.count == sent)
  }

  /// What waited for a header that has closed meanwhile is refused then, whatever else is open; `ping` comes after all.
  @Test func aCommandWhoseHeaderClosesIsRefusedThen() {
    join()
    let (rival, second) = (daemon.connect(), daemon.connect())
    rival.send(TestDaemon.open("other"))
    second.send(Chains.add("intercept", "second").replacingHeader(with: "other"))
    // The other header waits, and will be closed before the publisher's second event comes to it.
    rival.send(Chains.scroll(1, 1, 11, "other"))
    rival.send(#"{"id":2,"method":"header.close","params":{"header":"other"}}"#)
    #expect(publisher.send(Chains.scroll(1, 1, 11)).isEmpty)
    #expect(publisher.send(Chains.scroll(2, 1, 11, "other")).isEmpty)
    #expect(publisher.send(#"{"id":3,"method":"ping"}"#).isEmpty)
    second.answer(second.allLines.asked[0], Chains.pass)
    #expect(rival.received().ids.suffix(2) == [1, 2])
    guardian.answer(guardian.allLines.asked[0], Chains.pass)
    let lines = publisher.received()
    #expect(lines.ids == [2, 1, 3])
    #expect(lines.errors.map { $0.at("data.name") } == ["headerNotFound"])
  }

  @Test func aPublisherThatGoesHasItsEventsDoneAllTheSame() {
    join()
    let watcher = daemon.connect()
    watcher.send(Chains.listen)
    publisher.send(Chains.scroll(1, 1, 11))
    publisher.send(Chains.scroll(2, 1.5, 22))
    publisher.hangUp()
    guardian.answer("d1", Chains.pass)
    guardian.answer("d2", Chains.pass)
    let states = watcher.received().states.filter { $0.at("snapshot") == .null }
    #expect(states.map { $0.at("time") } == [1, 1.5])
    #expect(watcher.send(#"{"id":"l","method":"header.list"}"#).results[0].at("headers.0.publishers") == 0)
  }

  @Test func oneThatClosesItsWritingHalfStillGetsItsAnswers() {
    join()
    publisher.send(Chains.scroll(1, 1, 11))
    publisher.send(Chains.scroll(2, 1.5, 22))
    daemon.service.endOfInput(publisher.id)
    #expect(!publisher.isClosed)
    guardian.answer("d1", Chains.pass)
    guardian.answer("d2", Chains.pass)
    #expect(publisher.received().ids == [1, 2])
    #expect(publisher.isClosed)
  }

  @Test func framesAndTimersWaitWithTheirHeader() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    client.send(TestDaemon.open("main", behavior: "Ticker"))
    client.send(Chains.listen)
    client.send(Chains.add("intercept", "guard", ",\"deadline\":0.1,\"events\":[\"didScroll\"]"))
    client.send(
      #"{"id":1,"method":"event","params":{"header":"main","event":"didEndDragging","time":1,"willDecelerate":false}}"#)
    client.send(Chains.scroll(2, 1, 11))
    _ = client.received()
    daemon.pass(0.09)
    #expect(client.received().states.isEmpty)
    client.answer("d1", Chains.pass)
    daemon.pass(0.01)
    #expect(client.allLines.states.compactMap { $0.at("values.frames").number }.max() == 5)
  }

  @Test func closingAndDrainingDoNotWait() {
    join()
    publisher.send(Chains.scroll(1, 1, 11))
    publisher.send(#"{"id":2,"method":"header.close","params":{"header":"main"}}"#)
    publisher.send(Chains.scroll(3, 2, 22))
    #expect(publisher.received().isEmpty)
    guardian.answer("d1", Chains.pass)
    let lines = publisher.received()
    #expect(lines.ids == [1, 2, 3])
    #expect(lines.errors[0].at("data.name") == "headerNotFound")
    publisher.send(TestDaemon.open("main"))
    join()
    publisher.send(Chains.scroll(4, 1, 11))
    publisher.send(Chains.scroll(5, 2, 22))
    daemon.service.drain()
    let last = publisher.received()
    #expect(last.ids.filter { $0 != .null } == [4, 5])
    #expect(last.last.map { tree($0).at("method") } == "bye")
  }

  @Test func aPluginIsReloadedWithoutWaiting() {
    join()
    publisher.send(Chains.scroll(1, 1, 11))
    let lines = publisher.send(#"{"id":2,"method":"plugin.reload","params":{"plugin":"ShyNavBar"}}"#)
    #expect(lines.ids == [1, 2])
    #expect(lines.errors.isEmpty)
  }
}
