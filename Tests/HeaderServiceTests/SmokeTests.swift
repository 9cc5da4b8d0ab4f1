// SPDX-License-Identifier: MIT
//
// The whole way in one test: open, subscribe, scroll, state.

import HeaderCore
import HeaderService
import Testing

@Suite struct WholeWay {
  @Test func openSubscribeScrollState() {
    let daemon = TestDaemon()
    let publisher = daemon.connect()
    print(publisher.send(TestDaemon.open("main")))
    let subscriber = daemon.connect()
    print(subscriber.send("{\"id\":1,\"method\":\"subscribe\",\"params\":{\"headers\":\"*\",\"mode\":\"every\"}}"))
    print(publisher.send(TestDaemon.scroll("main", 1.25, 12.5)))
    print(subscriber.received())
    print(publisher.send("{\"id\":4,\"method\":\"event\",\"params\":{\"event\":\"willEndDragging\",\"time\":1.3,\"velocity\":{\"y\":0.8},\"targetOffset\":{\"y\":210}}}"))
  }
}
