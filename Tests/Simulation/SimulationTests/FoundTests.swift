// SPDX-License-Identifier: MIT
//
// What random lives have shown, shrunk by the shrinker and kept.

import Simulation
import Testing

@Suite struct FoundTests {
  /// The answer to `header.open` waited for the disk, and announced the header to its subscribers when it was gone.
  @Test func aHeaderMayCloseBeforeItsOpeningIsAnswered() throws {
    let script = try Script(
      #"""
      begin 1 acknowledged
      connect 1 every 20000 0
      request 1 subscribe {"headers":["**"],"mode":"every"}
      request 1 header.open {"header":"a","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000}}},"drawers":[{"name":"navBar","height":44}],"delegates":[{"behavior":"ShyNavBar"}]}
      request 1 header.close {"header":"a"}
      deliver 1 100000
      pass 1000
      disk 0
      pass 1000
      request 1 header.open {"header":"a","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000}}},"drawers":[{"name":"navBar","height":44}],"delegates":[{"behavior":"ShyNavBar"}]}
      deliver 1 100000
      disk 0
      disk 0
      """#)
    #expect(try Simulation.complaints(of: script).isEmpty)
  }

  /// The same of a recording whose answer waited.
  @Test func aRecordingMayBeginBehindItsHeader() throws {
    let script = try Script(
      #"""
      begin 1 acknowledged
      connect 1 every 20000 0
      request 1 header.open {"header":"a","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000}}},"drawers":[{"name":"navBar","height":44}],"delegates":[{"behavior":"ShyNavBar"}]}
      request 1 trace.start {"header":"a"}
      request 1 header.close {"header":"a"}
      deliver 1 100000
      pass 1000
      disk 0
      pass 1000
      """#)
    #expect(try Simulation.complaints(of: script).isEmpty)
  }

  /// Who sent its first command after the disk had failed was answered as if it had not.
  @Test func aClientThatComesLateHearsOfTheFailure() throws {
    let script = try Script(
      #"""
      begin 1 acknowledged
      connect 1 latest 10000 0
      request 1 header.open {"header":"app.d.e","frames":"events","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},"contentInset":{"top":64}}},"environment":{"statusBarHeight":20},"drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],"delegates":[{"behavior":"FlexibleHeader","options":{"shiftBehavior":"enabledWithStatusBar","maximumHeight":120}}]}
      deliver 1 100000
      diskFails 0 148
      request 1 header.open {"header":"app.kept","frames":"live","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},"contentInset":{"top":64}}},"environment":{"statusBarHeight":20},"drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],"delegates":[{"behavior":"FlexibleHeader","options":{"shiftBehavior":"enabledWithStatusBar","maximumHeight":120}}]}
      deliver 1 100000
      disk 0
      connect 19 latest 3000 2
      request 19 event {"header":"app.kept","event":"didScroll","offset":{"y":263.5}}
      deliver 19 100000
      powerCut 1 879273
      """#)
    #expect(try Simulation.complaints(of: script).isEmpty)
  }

  /// A change of the chain that was refused had moved the header's time, of which its recordings had nothing.
  @Test func aRefusedChangeLetsTimeGoOn() throws {
    let script = try Script(
      #"""
      begin 4 off
      connect 5 latest 4000 0
      request 5 header.open {"header":"kept","frames":"live","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},"contentInset":{"top":64}}},"environment":{"statusBarHeight":20},"drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],"delegates":[{"behavior":"ShyNavBar"}]}
      connect 6 latest 11000 1
      request 5 event {"header":"kept","event":"didScroll","offset":{"y":-1.5},"time":271.733504129}
      deliver 5 100000
      request 5 trace.start {"header":"kept"}
      pass 72679646
      request 6 delegate.add {"header":"kept","behavior":"Wayward"}
      deliver 5 100000
      deliver 6 100000
      request 5 plugin.unload {"plugin":"ShyNavBar","force":true}
      """#)
    #expect(try Simulation.complaints(of: script).isEmpty)
  }

  /// With the wall clock set back, a header began a second life after a crash in the epoch of the first, which the journal did not have.
  @Test func anEpochIsNotUsedAgain() throws {
    let script = try Script(
      #"""
      begin 4 acknowledged
      connect 6 latest 15000 0
      request 6 subscribe {"headers":["kept","**"],"mode":"latest","include":[],"resumeFrom":{}}
      request 6 header.open {"header":"app.c","frames":"live","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},"contentInset":{"top":64}}},"environment":{"statusBarHeight":20},"drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],"delegates":[{"behavior":"FlexibleHeader","options":{"shiftBehavior":"enabledWithStatusBar","maximumHeight":120}}]}
      deliver 6 100000
      mail 8
      mail 6
      notify 6 {"header":"app.c","events":[{"event":"didScroll","offset":{"y":27.0}},{"event":"didScroll","offset":{"y":-92.0}},{"event":"didScroll","offset":{"y":"far"}},{"event":"didScroll","offset":{"y":193.5}},{"event":"willAppear"},{"event":"didOverscroll","delta":{"y":87.5},"source":"fling"},{"event":"willFling","velocity":{"y":2}},{"event":"didScroll","offset":{"y":26.0}}]}
      deliver 6 100000
      disk 3
      setWallClock 2274000000
      pass 74690660
      connect 12 latest 1000 0
      request 12 header.open {"header":"app.c","frames":"events","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},"contentInset":{"top":64}}},"environment":{"statusBarHeight":20},"drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],"delegates":[{"behavior":"StretchyHeader"}],"ifExists":"replace"}
      deliver 12 100000
      mail 6
      mail 1
      powerCut 2 1487410
      """#)
    #expect(try Simulation.complaints(of: script).isEmpty)
  }

  /// The record of a closing was lost when the disk failed, and the header stood in a segment that another thread needed.
  @Test func whatWasClosedDoesNotComeBack() throws {
    let script = try Script(
      #"""
      begin 1 acknowledged
      connect 6 latest 1000 1
      request 6 header.open {"header":"a","frames":"events","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},"contentInset":{"top":64}}},"environment":{"statusBarHeight":20},"drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],"delegates":[{"behavior":"FlexibleHeightBar","options":{"definer":"squareCash","snapping":[{"progress":0,"start":0,"end":0.4},{"progress":1,"start":0.41,"end":1}]}}],"ifExists":"replace"}
      deliver 6 100000
      restart 2
      connect 11 latest 11000 1
      connect 14 every 11000 0
      request 14 subscribe {"headers":["*","**"],"mode":"every","include":[]}
      notify 11 {"header":"a","event":"didScroll","offset":{"y":17.5},"time":894.1328074109999}
      deliver 11 100000
      request 14 header.open {"header":"a","frames":"events","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},"contentInset":{"top":64}}},"environment":{"statusBarHeight":20},"drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],"delegates":[{"behavior":"Wayward","options":{"whim":2}}],"ifExists":"replace"}
      deliver 14 100000
      pass 48213523
      read 14 100000
      diskFails 1 68
      restart 1
      connect 19 latest 12000 0
      request 19 subscribe {"headers":["**","app.*"],"mode":"latest","include":["routine"]}
      request 19 event {"header":"a","event":"didScroll","offset":{"y":-109.5},"time":-582.437351585}
      """#)
    #expect(try Simulation.complaints(of: script).isEmpty)
  }

  /// A recording whose answer waited for the disk began in the middle of an event that waited for a client.
  @Test func aRecordingBeginsBetweenTwoInputs() throws {
    let script = try Script(
      #"""
      begin 2 acknowledged
      connect 10 latest 14000 0
      connect 12 latest 16000 0
      request 12 header.open {"header":"app.kept","frames":"live","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},"contentInset":{"top":64}}},"environment":{"statusBarHeight":20},"drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],"delegates":[{"behavior":"FlexibleHeader","options":{"shiftBehavior":"enabledWithStatusBar","maximumHeight":120}}]}
      connect 13 latest 8000 2
      request 12 delegate.add {"header":"app.kept","client":"intercept","name":"two","deadline":0.1,"options":{"yields":true}}
      request 12 event {"header":"app.kept","event":"didScroll","offset":{"y":204.5}}
      deliver 12 100000
      request 10 event {"header":"app.kept","events":[{"event":"didScroll","offset":{"y":60.5},"time":893.183655603},{"event":"didScroll","offset":{"y":-27.5},"time":893.183655603},{"event":"didScroll","offset":{"y":-7.5},"time":893.183655603}]}
      deliver 10 100000
      request 10 trace.start {"header":"app.kept"}
      pass 57100454
      pass 29484096
      tick 34094533
      request 13 event {"header":"app.kept","event":"didScroll","offset":{"y":-59.0}}
      """#)
    #expect(try Simulation.complaints(of: script).isEmpty)
  }

  /// A `ping` behind a `trace.stop` whose answer waited for the disk in another thread overtook it.
  @Test func traceStopKeepsItsPlace() throws {
    let script = try Script(
      #"""
      begin 3 acknowledged
      connect 4 latest 16000 0
      request 4 subscribe {"headers":["app.**"],"mode":"latest","include":[],"resumeFrom":{}}
      request 4 header.open {"header":"a","frames":"manual","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},"contentInset":{"top":64}}},"environment":{"statusBarHeight":20},"drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],"delegates":[{"behavior":"Wayward","options":{"whim":3}}],"ifExists":"replace"}
      request 4 trace.stop {"trace":99}
      request 4 ping {}
      request 4 delegate.add {"header":"a","client":"intercept","name":"two","deadline":0.1,"at":0}
      """#)
    #expect(try Simulation.complaints(of: script).isEmpty)
  }

  /// A state that resuming had left waiting was lost when the header closed.
  @Test func whoResumesGetsTheLastStateBeforeClosed() throws {
    let script = try Script(
      #"""
      begin 2 acknowledged
      connect 1 latest 5000 0
      request 1 header.open {"header":"app.d.e","frames":"manual","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},"contentInset":{"top":64}}},"environment":{"statusBarHeight":20},"drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],"delegates":[{"behavior":"Wayward","options":{"whim":1}}]}
      request 1 header.open {"header":"a","frames":"events","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},"contentInset":{"top":64}}},"environment":{"statusBarHeight":20},"drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],"delegates":[{"behavior":"Wayward","options":{"whim":3}}]}
      request 1 header.open {"header":"kept","frames":"live","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},"contentInset":{"top":64}}},"environment":{"statusBarHeight":20},"drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],"delegates":[{"behavior":"ShyNavBar"}]}
      connect 2 every 1000 0
      connect 3 every 20000 0
      request 3 subscribe {"headers":["app.*","*"],"mode":"every","include":["routine"],"resumeFrom":{}}
      connect 4 latest 10000 0
      request 2 header.call {"header":"kept","name":"expand"}
      deliver 1 100000
      deliver 2 100000
      mail 7
      mail 4
      tick 33925166
      pass 3684660
      request 4 event {"header":"kept","events":[{"event":"willEndDragging","velocity":{"y":1},"targetOffset":{"y":300},"time":1763689595.0376098},{"event":"didScroll","offset":{"y":294.5},"time":1763689595.0376098},{"event":"didScroll","offset":{"y":51.5},"time":1763689595.0376098},{"event":"didScroll","offset":{"y":143.5},"time":1763689595.0376098},{"event":"didEndDecelerating","time":1763689595.0376098},{"event":"didScroll","offset":{"y":"far"},"time":1763689595.0376098}]}
      deliver 4 100000
      notify 1 {"header":"kept","event":"didScroll","offset":{"y":-45.5},"time":1763690615.0376098}
      connect 5 every 17000 1
      request 5 header.open {"header":"app.c","frames":"live","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},"contentInset":{"top":64}}},"environment":{"statusBarHeight":20},"drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],"delegates":[{"behavior":"OriginalDelegate","options":{"methods":["willEndDragging"]}},{"behavior":"ShyNavBar"}]}
      request 1 header.open {"header":"a","frames":"manual","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},"contentInset":{"top":64}}},"environment":{"statusBarHeight":20},"drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],"delegates":[{"behavior":"FlexibleHeader","options":{"shiftBehavior":"enabledWithStatusBar","maximumHeight":120}}],"ifExists":"replace"}
      deliver 1 100000
      pass 58534686
      deliver 5 100000
      mail 11
      tick 57679193
      notify 5 {"header":"a","event":"didScroll","offset":{"y":-115.5},"time":1763690663.2332432}
      notify 3 {"header":"app.c","events":[{"event":"didScroll","offset":{"y":-2.0}},{"event":"willEndDragging","velocity":{"y":1},"targetOffset":{"y":300}},{"event":"didScroll","offset":{"y":-26.0}},{"event":"didScroll","offset":{"y":232.0}}]}
      tick 55308996
      request 3 event {"header":"kept","events":[{"event":"didScroll","offset":{"y":293.0}},{"event":"willFling","velocity":{"y":2}},{"event":"didScroll","offset":{"y":40.0}},{"event":"didScroll","offset":{"y":248.0}},{"event":"didScroll","offset":{"y":264.0}},{"event":"didScroll","offset":{"y":168.0}},{"event":"didEndDecelerating"}]}
      deliver 3 100000
      pass 32948698
      request 5 event {"header":"a","event":"didScroll","offset":{"y":-35.5},"time":1763690663.35123}
      deliver 5 100000
      connect 6 latest 8000 0
      request 6 subscribe {"headers":["**","**"],"mode":"latest","include":[],"resumeFrom":{"a":{"epoch":1700000001037609,"seq":1},"app.c":{"epoch":1700000001096145,"seq":2},"app.kept":{"epoch":1700000001000004,"seq":3},"kept":{"epoch":1700000001000003,"seq":7}}}
      connect 7 latest 13000 0
      request 7 header.open {"header":"app.c","frames":"events","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},"contentInset":{"top":64}}},"environment":{"statusBarHeight":20},"drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],"delegates":[{"behavior":"Wayward","options":{"whim":3}}],"ifExists":"replace"}
      deliver 6 100000
      deliver 7 100000
      """#)
    #expect(try Simulation.complaints(of: script).isEmpty)
  }

  /// A change that a header without time refuses was recorded as time going on, so that its replay began at 0.
  @Test func whatIsRefusedBeforeTheFirstEventHasNoTime() throws {
    let script = try Script(
      #"""
      begin 3 off
      connect 1 latest 6000 0
      connect 3 latest 7000 0
      request 3 header.open {"header":"a","frames":"live","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},"contentInset":{"top":64}}},"environment":{"statusBarHeight":20},"drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],"delegates":[{"behavior":"StretchyHeader"}],"ifExists":"replace","lifetime":"connection"}
      request 1 delegate.add {"header":"a","client":"intercept","name":"stretchyHeader","deadline":0.1,"events":["didScroll","willEndDragging","layout"],"at":1}
      request 3 trace.start {"header":"a"}
      deliver 3 100000
      request 1 event {"header":"a","event":"didScroll","offset":{"y":60.5},"time":-551.55829847}
      """#)
    #expect(try Simulation.complaints(of: script).isEmpty)
  }

  /// A refusal of the connection's own waited behind the answer to a subscription, and what was sent later for the same header was answered first.
  @Test func aRefusalKeepsItsPlace() throws {
    let script = try Script(
      #"""
      begin 3 acknowledged
      connect 4 latest 5000 1
      request 4 header.open {"header":"a","frames":"live","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},"contentInset":{"top":64}}},"environment":{"statusBarHeight":20},"drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],"delegates":[{"behavior":"FlexibleHeightBar","options":{"definer":"squareCash","snapping":[{"progress":0,"start":0,"end":0.4},{"progress":1,"start":0.41,"end":1}]}}],"ifExists":"replace"}
      deliver 4 100000
      request 4 subscribe {"headers":["a","b"],"mode":"latest","include":["calls"]}
      request 4 trace.start {"header":"app.d.e"}
      request 4 delegate.add {"header":"app.d.e","behavior":"ShyNavBar","at":0}
      """#)
    #expect(try Simulation.complaints(of: script).isEmpty)
  }

  /// The reload of a header in a process was prepared by opening it with the new code, which then refused to begin anew in place of a delegate
  /// that was bypassed.
  @Test func aReloadInAProcessIsRefusedBeforeItBegins() throws {
    let script = try Script(
      #"""
      begin 3 acknowledged Wayward FlexibleHeader FlexibleHeightBar OriginalDelegate ShyNavBar StretchyHeader
      connect 1 latest 3000 0
      connect 3 every 19000 1
      request 1 header.open {"header":"kept","frames":"live","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},"contentInset":{"top":64}}},"environment":{"statusBarHeight":20},"drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],"delegates":[{"behavior":"ShyNavBar"}]}
      deliver 1 100000
      request 3 delegate.add {"header":"kept","behavior":"StretchyHeader","options":{"yields":true},"at":0}
      connect 12 every 18000 0
      request 12 header.configure {"header":"kept","drawers":[]}
      deliver 12 53
      deliver 12 44
      request 1 header.configure {"header":"kept","drawers":[{"name":"navBar","height":60}]}
      request 12 plugin.reload {"plugin":"ShyNavBar"}
      """#)
    #expect(try Simulation.complaints(of: script).isEmpty)
  }

  /// A header was given up when two processes in a row died before they had come to where the first one was.
  @Test func twoDeathsInARowLoseNothing() throws {
    let script = try Script(
      #"""
      begin 4 interval FlexibleHeader StretchyHeader
      connect 1 latest 12000 0
      request 1 header.open {"header":"app.kept","frames":"live","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},"contentInset":{"top":64}}},"environment":{"statusBarHeight":20},"drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],"delegates":[{"behavior":"FlexibleHeader","options":{"shiftBehavior":"enabledWithStatusBar","maximumHeight":120}}]}
      deliver 1 100000
      restart 1
      connect 5 latest 16000 0
      notify 5 {"header":"app.kept","event":"willBeginDragging","time":640.242743786}
      notify 5 {"header":"app.kept","event":"didScroll","offset":{"y":216.0},"time":641.181730121}
      request 5 event {"header":"app.kept","event":"didEndDecelerating","time":641.188307664}
      notify 5 {"header":"app.kept","event":"didScroll","offset":{"y":-13.0},"time":641.231436905}
      deliver 5 100000
      pass 4636251
      request 5 header.configure {"header":"app.kept","drawers":[]}
      deliver 5 100000
      doom 2 0 121 crashes
      request 5 event {"header":"app.kept","events":[{"event":"didEndDecelerating","time":641.365766946},{"event":"setOptions","options":{"disable":true},"time":641.365766946},{"event":"layout","contentSize":{"height":938},"pass":false,"time":641.365766946}]}
      deliver 5 100000
      speak 5 97
      doom 3 6 249 crashes
      """#)
    #expect(try Simulation.complaints(of: script).isEmpty)
  }

  /// A delegate changed a drawer that another one had claimed while it was attached, and that had no name among the states' yet: a trap.
  @Test func whoIsBeingAttachedHasAName() throws {
    let script = try Script(
      #"""
      begin 2 none Wayward FlexibleHeader FlexibleHeightBar OriginalDelegate ShyNavBar StretchyHeader
      connect 2 latest 5000 0
      request 2 header.open {"header":"b","frames":"live","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},"contentInset":{"top":64}}},"environment":{"statusBarHeight":20},"drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],"delegates":[{"behavior":"ShyNavBar","options":{"expansionResistance":40}}]}
      connect 4 latest 3000 0
      deliver 2 100000
      request 4 event {"header":"b","events":[{"event":"layout","contentSize":{"height":430},"pass":false,"time":668.097512542},{"event":"didScroll","offset":{"y":120.0},"time":668.097512542},{"event":"setOptions","options":{"disable":true},"time":668.097512542}]}
      request 4 delegate.add {"header":"b","behavior":"StretchyHeader","options":{"yields":true},"at":0}
      request 4 delegate.remove {"header":"b","delegate":"shyNavBar"}
      deliver 4 100000
      request 2 delegate.add {"header":"b","behavior":"ShyNavBar"}
      """#)
    #expect(try Simulation.complaints(of: script).isEmpty)
  }

  /// A header in a process was written down with an event under way that had come to a client meanwhile: the event was lost.
  @Test func aSnapshotHasNoEventThatWaits() throws {
    let script = try Script(
      #"""
      begin 1 acknowledged Wayward FlexibleHeader FlexibleHeightBar OriginalDelegate ShyNavBar StretchyHeader
      connect 1 every 12000 0
      request 1 header.open {"header":"app.kept","frames":"live","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},"contentInset":{"top":64}}},"environment":{"statusBarHeight":20},"drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],"delegates":[{"behavior":"FlexibleHeader","options":{"shiftBehavior":"enabledWithStatusBar","maximumHeight":120}}]}
      connect 8 latest 5000 0
      deliver 1 100000
      diskFails 0 22
      tick 76160121
      tick 68047698
      tick 60121577
      pass 12636619
      pass 13609795
      pass 65215885
      connect 18 every 3000 0
      tick 49354115
      pass 66716899
      pass 55466256
      pass 13807643
      pass 40664181
      request 18 delegate.add {"header":"app.kept","client":"intercept","name":"shyNavBar","deadline":0.1,"events":["didScroll","willEndDragging","layout"],"at":0}
      tick 26682939
      pass 46864176
      pass 53500251
      tick 9614290
      tick 32479848
      pass 5716572
      tick 17926109
      tick 18864432
      tick 75207168
      pass 45001440
      pass 59177062
      deliver 18 100000
      pass 33720650
      request 8 event {"header":"app.kept","event":"didScroll","offset":{"y":296.0},"time":1763690337.5159085}
      deliver 8 100000
      tick 79595673
      disk 0
      pass 77090812
      disk 0
      powerCut 3 3748157
      """#)
    #expect(try Simulation.complaints(of: script).isEmpty)
  }

  /// A header that was opened while a plugin was reloaded closed behind an event that a process had, when the reload was carried out.
  @Test func whatClosesMeanwhileIsNotReloaded() throws {
    let script = try Script(
      #"""
      begin 4 acknowledged Wayward FlexibleHeader FlexibleHeightBar OriginalDelegate ShyNavBar StretchyHeader
      connect 2 latest 19000 0
      connect 6 latest 17000 2
      request 6 event {"header":"app.d.e","event":"didScroll","offset":{"y":184.5},"time":1763690853.1379445}
      request 2 plugin.reload {"plugin":"ShyNavBar"}
      request 6 delegate.remove {"header":"app.c","delegate":"stretchyHeader"}
      notify 2 {"header":"app.c","event":"didScroll","offset":{"y":-55.0},"time":1763691792.1379445}
      request 6 header.open {"header":"app.c","frames":"manual","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},"contentInset":{"top":64}}},"environment":{"statusBarHeight":20},"drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],"delegates":[{"behavior":"ShyNavBar"}]}
      request 2 header.close {"header":"app.c"}
      deliver 6 100000
      mail 5
      mail 3
      deliver 2 100000
      """#)
    #expect(try Simulation.complaints(of: script).isEmpty)
  }

  /// A delegate was bypassed while an event waited for a client; the recording had the bypass before the event, where it made a state.
  @Test func aBypassInTheMiddleOfAnEventIsRecordedThere() throws {
    let script = try Script(
      #"""
      begin 1 acknowledged FlexibleHeader StretchyHeader
      connect 1 latest 9000 2
      request 1 header.open {"header":"app.kept","frames":"live","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},"contentInset":{"top":64}}},"environment":{"statusBarHeight":20},"drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],"delegates":[{"behavior":"FlexibleHeader","options":{"shiftBehavior":"enabledWithStatusBar","maximumHeight":120}}]}
      connect 14 every 3000 0
      request 14 header.configure {"header":"app.kept","drawers":[]}
      connect 25 every 13000 0
      request 25 trace.start {"header":"app.kept"}
      connect 27 latest 10000 0
      request 27 delegate.add {"header":"app.kept","client":"intercept","name":"one","deadline":0.1,"options":{"yields":true}}
      request 27 delegate.add {"header":"app.kept","behavior":"Wayward"}
      request 27 event {"header":"app.kept","event":"didScroll","offset":{"y":39.0}}
      """#)
    #expect(try Simulation.complaints(of: script).isEmpty)
  }

  /// A behavior that was made anew beneath a status bar that was gone did not know where the one before had hung the chain; saved and restored, it did.
  @Test func whoBeginsAnewIsWhereItWouldBeRestored() throws {
    let script = try Script(
      #"""
      begin 4 acknowledged ShyNavBar
      powerCut 3 12385005
      connect 6 every 13000 0
      request 6 subscribe {"headers":["kept","app.kept"],"mode":"every","include":[]}
      request 6 header.open {"header":"kept","frames":"live","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},"contentInset":{"top":64}}},"environment":{"statusBarHeight":20},"drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],"delegates":[{"behavior":"ShyNavBar"}]}
      request 6 plugin.unload {"plugin":"ShyNavBar","force":true}
      deliver 6 100000
      connect 8 every 20000 0
      request 8 plugin.load {"plugin":"ShyNavBar"}
      connect 10 latest 11000 0
      request 10 header.configure {"header":"kept","environment":{"statusBarHeight":0}}
      connect 12 latest 17000 0
      request 10 event {"header":"kept","event":"didScroll","offset":{"y":275.5},"time":1763689420.4411283}
      deliver 8 100000
      deliver 10 100000
      request 12 plugin.reload {"plugin":"ShyNavBar"}
      pass 42111917
      connect 17 every 15000 0
      deliver 12 100000
      mail 2
      notify 10 {"header":"kept","events":[{"event":"didEndDragging","willDecelerate":true,"time":1763689421.1258638},{"event":"willBeginDragging","time":1763689421.1258638},{"event":"willScroll","delta":{"y":-80.5},"source":"drag","time":1763689421.1258638},{"event":"didScroll","offset":{"y":"far"},"time":1763689421.1258638},{"event":"willScroll","delta":{"y":-18.0},"source":"drag","time":1763689421.1258638},{"event":"willScroll","delta":{"y":-27.5},"source":"fling","time":1763689421.1258638},{"event":"layout","contentSize":{"height":4960},"pass":false,"time":1763689421.1258638},{"event":"didScroll","offset":{"y":-46.0},"time":1763689421.1258638},{"event":"didScroll","offset":{"y":247.0},"time":1763689421.1258638},{"event":"didScroll","offset":{"y":152.0},"time":1763689421.1258638}]}
      deliver 10 100000
      pass 66425114
      disk 1
      request 12 delegate.add {"header":"kept","behavior":"OriginalDelegate"}
      deliver 12 100000
      disk 1
      mail 2
      disk 1
      request 17 event {"header":"kept","event":"didScroll","offset":{"y":78.5},"time":271.02972380799997}
      deliver 17 100000
      pass 57881812
      disk 1
      powerCut 3 2112781
      """#)
    #expect(try Simulation.complaints(of: script).isEmpty)
  }

  /// A change of where frames come from that made several states had two members of one name in recordings, and could not be read.
  @Test func aChangeOfWhereFramesComeFromCanBeRead() throws {
    let script = try Script(
      #"""
      begin 1 interval FlexibleHeader StretchyHeader
      connect 1 every 6000 0
      connect 2 every 12000 0
      request 2 header.open {"header":"app.kept","frames":"live","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},"contentInset":{"top":64}}},"environment":{"statusBarHeight":20},"drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],"delegates":[{"behavior":"FlexibleHeader","options":{"shiftBehavior":"enabledWithStatusBar","maximumHeight":120}}]}
      connect 6 latest 13000 1
      request 2 event {"header":"app.kept","events":[{"event":"didScroll","offset":{"y":220.5}},{"event":"didScroll","offset":{"y":-29.0}},{"event":"didScroll","offset":{"y":"far"}},{"event":"didScroll","offset":{"y":92.5}},{"event":"didScroll","offset":{"y":"far"}},{"event":"willEndDragging","velocity":{"y":1},"targetOffset":{"y":300}},{"event":"didScroll","offset":{"y":"far"}},{"event":"willFling","velocity":{"y":-2}},{"event":"didScroll","offset":{"y":125.0}}]}
      deliver 2 100000
      connect 7 latest 6000 0
      request 6 delegate.add {"header":"app.kept","client":"intercept","name":"stretchyHeader","deadline":0.1,"events":["didScroll","willEndDragging","layout"],"at":0}
      connect 11 latest 15000 0
      request 2 trace.start {"header":"app.kept"}
      connect 13 latest 5000 0
      notify 1 {"header":"app.kept","events":[{"event":"didScroll","offset":{"y":-31.5},"time":1763691154.5086124},{"event":"didScroll","offset":{"y":-31.5},"time":1763691154.5086124},{"event":"willScroll","delta":{"y":86.5},"source":"fling","time":1763691154.5086124},{"event":"willFling","velocity":{"y":2},"time":1763691154.5086124},{"event":"didScroll","offset":{"y":170.0},"time":1763691154.5086124},{"event":"willScroll","delta":{"y":-1.5},"source":"drag","time":1763691154.5086124},{"event":"didOverscroll","delta":{"y":-79.5},"source":"drag","time":1763691154.5086124},{"event":"didEndDecelerating","time":1763691154.5086124}]}
      request 7 event {"header":"app.kept","event":"didScroll","offset":{"y":107.5}}
      deliver 1 100000
      deliver 7 100000
      request 11 event {"header":"app.kept","event":"didEndDragging","willDecelerate":false,"time":1490.230733909}
      deliver 11 100000
      pass 73342924
      pass 35982735
      notify 11 {"header":"app.kept","event":"didScroll","offset":{"y":187.5},"time":1490.586372129}
      request 13 header.configure {"header":"app.kept","frames":"events"}
      """#)
    #expect(try Simulation.complaints(of: script).isEmpty)
  }

  /// The disk failed while a behavior did not save: the header was struck from the journal, with what had been answered of it.
  @Test func aHeaderThatCannotBeSavedStaysInTheJournal() throws {
    let script = try Script(
      #"""
      begin 3 acknowledged Wayward
      connect 3 latest 8000 0
      connect 5 every 7000 1
      request 3 header.open {"header":"kept","frames":"live","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},"contentInset":{"top":64}}},"environment":{"statusBarHeight":20},"drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],"delegates":[{"behavior":"ShyNavBar"}]}
      request 3 event {"header":"kept","event":"didScroll","offset":{"y":266.0}}
      connect 7 every 11000 0
      deliver 3 100000
      pass 41201049
      request 7 delegate.add {"header":"kept","behavior":"Wayward"}
      deliver 7 100000
      disk 1
      read 3 100000
      request 3 delegate.remove {"header":"kept","delegate":"shyNavBar"}
      deliver 3 100000
      request 5 event {"header":"kept","event":"setOptions","options":{"whim":2},"time":1763689478.3469064}
      deliver 5 100000
      diskFails 1 59
      restart 2
      """#)
    #expect(try Simulation.complaints(of: script).isEmpty)
  }

  /// A header of a connection got the epoch of one before the last start, since the wall clock was set back after that.
  @Test func aClockThatIsSetBackAfterAStartGivesNoEpochAgain() throws {
    let script = try Script(
      #"""
      begin 2 acknowledged
      pass 9195363
      pass 27708860
      connect 14 every 6000 0
      request 14 header.open {"header":"b","frames":"events","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},"contentInset":{"top":64}}},"environment":{"statusBarHeight":20},"drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],"delegates":[]}
      request 14 header.open {"header":"a","frames":"manual","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},"contentInset":{"top":64}}},"environment":{"statusBarHeight":20},"drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],"delegates":[{"behavior":"OriginalDelegate","options":{"methods":["willEndDragging"]}},{"behavior":"ShyNavBar"}],"ifExists":"replace","lifetime":"connection"}
      request 14 header.open {"header":"app.c","frames":"manual","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},"contentInset":{"top":64}}},"environment":{"statusBarHeight":20},"drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],"delegates":[{"behavior":"Wayward","options":{"whim":2}}],"ifExists":"replace","lifetime":"connection"}
      request 14 subscribe {"headers":["app.*"],"mode":"every","include":["routine"]}
      notify 14 {"header":"app.c","event":"didScroll","offset":{"y":193.5},"time":1763691082.4955459}
      deliver 14 100000
      pass 5183031
      read 14 100000
      restart 3
      setWallClock -122000000
      connect 16 every 15000 0
      request 16 header.open {"header":"app.c","frames":"manual","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000},"contentInset":{"top":64}}},"environment":{"statusBarHeight":20},"drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],"delegates":[{"behavior":"FlexibleHeightBar","options":{"definer":"squareCash","snapping":[{"progress":0,"start":0,"end":0.4},{"progress":1,"start":0.41,"end":1}]}}]}
      request 16 subscribe {"headers":["app.*","**"],"mode":"every","include":["calls"]}
      request 16 event {"header":"app.c","event":"didScroll","offset":{"y":266.5},"time":861.824816913}
      """#)
    #expect(try Simulation.complaints(of: script).isEmpty)
  }
}
