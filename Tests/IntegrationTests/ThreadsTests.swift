// SPDX-License-Identifier: MIT
//
// Several threads: headers spread over them, connections at any of them. What a client sees is what one thread gives, but
// for the order between headers. The other tests of this folder run with several threads as well (`make test`).

import DaemonTestKit
import Foundation
import Testing

@Suite struct ThreadsTests {
  static let quiet = "[limits]\nidlePing = 86400\n"

  static func opening(_ header: String, _ more: String = "") -> String {
    """
    {"header":"\(header)","scrollViews":{"content":{"viewport":{"width":375,"height":667},"contentSize":{"height":4000}}},\
    "environment":{"clockSecondOfMinute":0},"drawers":[{"name":"navBar","height":44},{"name":"extension","height":40}],\
    "delegates":[{"behavior":"ShyNavBar"}],"frames":"events"\(more)}
    """
  }

  static func event(_ header: String, _ step: Int) -> String {
    let y = step % 2 * 60 + step
    return
      #"{"method":"event","params":{"header":"\#(header)","event":"didScroll","time":\#(step),"offset":{"y":\#(y)}}}"#
      + "\n"
  }

  /// The names of headers that are open, by the thread that has them.
  static func shards(_ client: WireClient, of count: Int) throws -> [[String]] {
    var shards = [[String]](repeating: [], count: count)
    for row in try client.result("header.list")["headers"].list {
      shards[((row["handle"].int ?? 1) - 1) % count].append(row["header"].string ?? "")
    }
    return shards
  }

  // MARK: - Accounts

  /// What a user takes is counted by all threads and given back on all of them, also of readers that stopped and left.
  @Test func accountsAreEvenInTheEnd() throws {
    let daemon = try RunningDaemon(config: Self.quiet, threads: 4)
    let publisher = try daemon.client()
    let names = (0..<40).map { "h\($0)" }
    for name in names { _ = try publisher.result("header.open", Self.opening(name)) }
    do {
      let readers = try (0..<24).map { _ in try daemon.client() }
      for reader in readers {
        reader.shrinkReceiveBuffer()
        try reader.write(#"{"method":"subscribe","params":{"headers":"**","mode":"every"}}"# + "\n")
        try reader.write(#"{"method":"subscribe","params":{"headers":"h1"}}"# + "\n")
      }
      func use() throws -> JSON { try publisher.result("stats")["users"][0]["used"] }
      try eventually("all have subscribed") { try use()["subscriptions"].int == 48 }
      for step in 1...120 { try publisher.write(names.map { Self.event($0, step) }.joined()) }
      // The other threads may still be at it when the publisher's answers.
      try eventually("states wait for the readers") {
        let counted = try use()
        return counted["events"].int == 120 * 40 && counted["queueBytes"].int ?? 0 > 1 << 20
      }
      let counted = try use()
      #expect(counted["connections"].int == 25 && counted["headers"].int == 40 && counted["subscriptions"].int == 48)
    }
    for name in names { _ = try publisher.result("header.close", #"{"header":"\#(name)"}"#) }
    let none = #"{"connections":1,"events":4800,"headers":0,"memoryBytes":1024,"queueBytes":0,"subscriptions":0}"#
    try eventually("nothing is counted any more") {
      try publisher.result("stats")["users"][0]["used"].description == none
    }
  }

  // MARK: - States

  /// The same story told by several clients at once gives the same states as with one thread, each header's in order and
  /// without a hole, to everybody who asked for them.
  @Test(arguments: [2, 4]) func statesAreThoseOfOneThread(_ threads: Int) throws {
    let alone = try Story.told(by: 1)
    let spread = try Story.told(by: threads)
    #expect(alone.count == Story.headers.count)
    for name in Story.headers {
      let seqs = try spread[name, default: []].map { try JSON($0)["params"]["seq"].int ?? 0 }
      #expect(seqs == Array(1...(seqs.last ?? 1)), "\(name)")
      #expect(spread[name] == alone[name], "\(name)")
    }
  }

  /// Publishers with several headers each, subscribers of all headers and of one.
  struct Story {
    static let headers = (0..<24).map { "app\($0 % 3).h\($0)" }

    /// - Returns: the lines that everybody got of each header, without epochs.
    static func told(by threads: Int) throws -> [String: [String]] {
      let daemon = try RunningDaemon(config: quiet, threads: threads)
      let publishers = try (0..<6).map { _ in try daemon.client() }
      let everything = try (0..<4).map { _ in try daemon.client() }
      let single = try headers.map { _ in try daemon.client() }
      for client in everything { _ = try client.result("subscribe", #"{"headers":"**","mode":"every"}"#) }
      for (client, name) in zip(single, headers) {
        #expect(try client.result("subscribe", "{\"headers\":[\"\(name)\"],\"mode\":\"every\"}")["matched"].int == 0)
      }
      for (index, name) in headers.enumerated() { _ = try publishers[index % 6].result("header.open", opening(name)) }
      for step in 1...60 {
        for (index, publisher) in publishers.enumerated() {
          let mine = headers.indices.filter { $0 % 6 == index }
          try publisher.write(mine.map { event(headers[$0], step) }.joined())
        }
      }
      for publisher in publishers { #expect(try publisher.settle().lines == []) }
      var told: [String: [String]] = [:]
      for (index, client) in everything.enumerated() {
        var mine: [String: [String]] = [:]
        for line in try client.notifications.map(\.text) + client.settle().lines {
          let name = try JSON(line)["params"]["header"].string ?? ""
          mine[name, default: []].append(line.replacing(/"epoch":\d+/, with: "\"epoch\":0"))
        }
        if index == 0 { told = mine }
        #expect(mine == told)
      }
      for (client, name) in zip(single, headers) {
        let lines = try client.settle().lines.map { $0.replacing(/"epoch":\d+/, with: "\"epoch\":0") }
        #expect(lines == told[name], "\(name)")
      }
      return told
    }
  }

  /// A `ping` answer comes after everything before it, wherever that was done.
  @Test(arguments: [1, 2, 4]) func pingComesAfterEverything(_ threads: Int) throws {
    let daemon = try RunningDaemon(config: Self.quiet, threads: threads)
    let client = try daemon.client()
    let names = (0..<12).map { "h\($0)" }
    for name in names { _ = try client.result("header.open", Self.opening(name)) }
    #expect(try Self.shards(client, of: threads).allSatisfy { !$0.isEmpty })
    _ = try client.result("subscribe", #"{"headers":"*","mode":"every"}"#)
    _ = try client.settle()
    for round in 0..<10 {
      var text = ""
      for (index, name) in names.enumerated() {
        for step in 1...5 { text += Self.event(name, round * 5 + step) }
        text += "{\"id\":\"q\(index)\",\"method\":\"header.get\",\"params\":{\"header\":\"\(name)\"}}\n"
      }
      try client.write(text)
      let lines = try client.settle().lines
      var last: [String: Int] = [:]
      for line in lines {
        let message = try JSON(line)
        guard message["method"].string == "state" else { continue }
        last[message["params"]["header"].string ?? "", default: 0] += 1
      }
      #expect(names.allSatisfy { last[$0] == 5 }, "\(last)")
      #expect(lines.filter { $0.contains("\"id\":\"q") }.count == names.count)
    }
  }

  /// Frames find their headers by handle, one connection's frames those of all threads; and a frame that is wrong is told so
  /// from there.
  @Test(arguments: [1, 2, 4]) func framesGoByHandle(_ threads: Int) throws {
    let daemon = try RunningDaemon(config: Self.quiet, threads: threads)
    let (lines, frames) = (try daemon.client(), try daemon.client())
    let names = (0..<12).map { "h\($0)" }
    let handles = try names.map { try lines.result("header.open", Self.opening($0))["handle"].int ?? 0 }
    #expect(try Self.shards(lines, of: threads).allSatisfy { !$0.isEmpty })
    _ = try lines.result("subscribe", #"{"headers":"*","mode":"every"}"#)
    var bytes: [UInt8] = [0x89, 0x48, 0x44, 0x01]
    for step in 1...20 {
      // EVENT with one didScroll that has time and offset, nobody to be answered.
      for handle in handles {
        let (time, y) = (step * 1_000_000_000, Double(step % 2 * 60 + step))
        bytes += Self.frame(2, [0, UInt64(handle), 1, 32 | Self.scroll << 32, UInt64(time), 0, y.bitPattern])
      }
    }
    try frames.write(bytes)
    var last: [String: Int] = [:]
    while names.contains(where: { last[$0, default: 0] < 21 }) { try Self.follow(try lines.message(), &last) }
    #expect(try lines.result("stats")["errors"].int == 0)
    // CLOSE, of each by its handle.
    for handle in handles { try frames.write(Self.frame(9, [1, UInt64(handle)])) }
    for _ in handles { #expect(try lines.notification("closed")["reason"].string == "closed") }
  }

  /// What stands behind an event's size: time and both coordinates are given; didScroll; no flags.
  private static let scroll: UInt64 = 7 | 1 << 16

  /// A frame of a kind with what follows its head, in pieces of eight bytes.
  private static func frame(_ kind: UInt64, _ words: [UInt64]) -> [UInt8] {
    let size = UInt64(8 + 8 * words.count)
    return ([size | kind << 32] + words).flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
  }

  // MARK: - Subscriptions

  /// The answer comes first and counts all headers, then come the snapshots; nothing follows the answer to `unsubscribe`,
  /// while publishers at all threads go on.
  @Test(arguments: [1, 2, 4]) func subscriptionsBeginAndEndAtOnce(_ threads: Int) throws {
    let daemon = try RunningDaemon(config: Self.quiet, threads: threads)
    let publishers = try (0..<4).map { _ in try daemon.client() }
    let names = (0..<16).map { "a.h\($0)" }
    for (index, name) in names.enumerated() { _ = try publishers[index % 4].result("header.open", Self.opening(name)) }
    let subscriber = try daemon.client()
    var step = 0
    for round in 0..<20 {
      for _ in 0..<10 {
        step += 1
        for (index, publisher) in publishers.enumerated() {
          try publisher.write(names.indices.filter { $0 % 4 == index }.map { Self.event(names[$0], step) }.joined())
        }
      }
      let pattern = round % 2 == 0 ? "\"a.*\"" : "[\"a.h0\",\"a.h1\",\"a.h2\",\"a.h3\",\"none\"]"
      let count = round % 2 == 0 ? 16 : 4
      try subscriber.write(#"{"id":1,"method":"subscribe","params":{"headers":\#(pattern),"mode":"every"}}"# + "\n")
      let answer = try subscriber.message()
      #expect(answer["result"]["matched"].int == count, "\(answer.text)")
      var last: [String: Int] = [:]
      while last.count < count { try Self.follow(try subscriber.message(), &last) }
      let number = answer["result"]["subscription"].int ?? 0
      #expect(number == round + 1)
      try subscriber.write("{\"id\":2,\"method\":\"unsubscribe\",\"params\":{\"subscription\":\(number)}}\n")
      while true {
        let message = try subscriber.message()
        if message["id"].int == 2 { break }
        try Self.follow(message, &last)
      }
      #expect(try subscriber.settle().lines == [])
    }
    for publisher in publishers { #expect(try publisher.settle().lines == []) }
  }

  /// A header's first message is a snapshot, the others follow each other.
  static func follow(_ message: JSON, _ last: inout [String: Int]) throws {
    let (name, seq) = (message["params"]["header"].string ?? "", message["params"]["seq"].int ?? 0)
    #expect(message["method"].string == "state")
    if let before = last[name] {
      #expect(seq == before + 1)
    } else {
      #expect(message["params"]["snapshot"].bool == true)
    }
    last[name] = seq
  }

  /// A subscriber of headers at all threads that does not read is told of a gap or of the newest state; nobody else
  /// notices.
  @Test(arguments: ["every", "latest"]) func whoDoesNotReadIsToldLater(_ mode: String) throws {
    let daemon = try RunningDaemon(config: "[limits]\nidlePing = 86400\nqueueBytes = 65536\n", threads: 2)
    let (publisher, slow, reader) = (try daemon.client(), try daemon.client(), try daemon.client())
    let names = (0..<4).map { "h\($0)" }
    for name in names { _ = try publisher.result("header.open", Self.opening(name)) }
    #expect(try Self.shards(publisher, of: 2).allSatisfy { !$0.isEmpty })
    slow.shrinkReceiveBuffer()
    _ = try slow.result("subscribe", "{\"headers\":\"*\",\"mode\":\"\(mode)\"}")
    _ = try reader.result("subscribe", #"{"headers":"*","mode":"every"}"#)
    var newest: [String: Int] = [:]
    var step = 0
    func goOn() throws {
      for _ in 0..<20 {
        step += 1
        try publisher.write(names.map { Self.event($0, step) }.joined())
      }
      #expect(try publisher.settle().lines == [])
      for message in try reader.notifications + reader.settle().lines.map({ try JSON($0) }) {
        try Self.follow(message, &newest)
      }
      reader.notifications = []
    }
    for _ in 0..<200 { try goOn() }
    // Everything that it gets, until it knows the newest of each.
    var seen: [String: Int] = [:]
    var gaps = 0
    while names.contains(where: { seen[$0] != newest[$0] }) {
      let message = try slow.message()["params"]
      let name = message["header"].string ?? ""
      if let to = message["to"].int {
        gaps += 1
        #expect(message["from"].int == (seen[name] ?? 0) + 1)
        #expect(to >= seen[name] ?? 0)
      } else {
        let seq = message["seq"].int ?? 0
        #expect(message["snapshot"].bool == true || mode == "latest" || seq == (seen[name] ?? 0) + 1)
        #expect(seq >= seen[name] ?? 0)
        seen[name] = seq
      }
    }
    #expect((gaps > 0) == (mode == "every"))
    // And it is up to date from there on.
    try goOn()
    while names.contains(where: { seen[$0] != newest[$0] }) {
      let message = try slow.message()["params"]
      seen[message["header"].string ?? ""] = message["seq"].int
    }
  }

  // MARK: - Connections

  /// Headers that end with their connection do so at all threads, and whoever listens is told.
  @Test(arguments: [1, 2, 4]) func headersEndWithTheirConnection(_ threads: Int) throws {
    let daemon = try RunningDaemon(config: Self.quiet, threads: threads)
    let observer = try daemon.client()
    _ = try observer.result("subscribe", #"{"headers":"**"}"#)
    var publisher: WireClient? = try daemon.client()
    let names = (0..<12).map { "h\($0)" }
    for name in names { _ = try publisher?.result("header.open", Self.opening(name, #","lifetime":"connection""#)) }
    #expect(try Self.shards(observer, of: threads).allSatisfy { !$0.isEmpty })
    publisher = nil
    var closed: Set<String> = []
    while closed.count < names.count {
      let params = try observer.notification("closed")
      #expect(params["reason"].string == "connection")
      closed.insert(params["header"].string ?? "")
    }
    #expect(try observer.result("header.list")["headers"].list.isEmpty)
    #expect(try observer.result("stats")["connections"].int == 1)
  }

  /// A client that closes its writing half still gets all answers, and is let go after them.
  @Test func theEndOfTheInputComesAfterAllAnswers() throws {
    let daemon = try RunningDaemon(config: Self.quiet, threads: 4)
    let client = try daemon.client()
    var text = ""
    for index in 0..<12 {
      text += "{\"id\":\(index),\"method\":\"header.open\",\"params\":\(Self.opening("h\(index)"))}\n"
    }
    text += "{\"id\":100,\"method\":\"header.list\"}\n"
    try client.write(text)
    client.closeWriting()
    let answers = try client.linesToTheEnd().map { try JSON($0) }
    #expect(Set(answers.compactMap { $0["id"].int }) == Set(Array(0..<12) + [100]))
    #expect(answers.allSatisfy { !$0["result"].isAbsent })
    #expect(answers.last?["result"]["headers"].list.count == 12)
  }

  /// An event without a header is for the only one that the connection opened, wherever that is.
  @Test(arguments: [1, 2, 4]) func theOnlyHeaderIsFound(_ threads: Int) throws {
    let daemon = try RunningDaemon(config: Self.quiet, threads: threads)
    let other = try daemon.client()
    for index in 0..<8 {
      let client = try daemon.client()
      // It has something here before it opens something there.
      _ = try client.result("subscribe", #"{"headers":"none.*"}"#)
      let nameless = #"{"event":"didScroll","time":1,"offset":{"y":10}}"#
      func opened(_ count: String) throws {
        let refusal = try client.refusal("event", nameless)
        #expect(refusal["message"].string == "params.header: it is missing, and this connection has opened \(count)")
      }
      try opened("none")
      _ = try client.result("header.open", Self.opening("h\(index)"))
      #expect(try client.result("event", nameless)["seq"].int != nil)
      _ = try client.result("header.open", Self.opening("k\(index)"))
      _ = try client.result("header.open", Self.opening("l\(index)"))
      try opened("3")
      _ = try client.result("header.close", "{\"header\":\"k\(index)\"}")
      try opened("2")
      _ = try other.result("header.close", "{\"header\":\"h\(index)\"}")
      #expect(try client.result("event", nameless)["seq"].int != nil)
      _ = try other.result("header.close", "{\"header\":\"l\(index)\"}")
      try opened("none")
    }
  }

  /// Clients in the chains of headers at all threads are told, asked and heard; their answers find the way.
  @Test(arguments: [1, 2, 4]) func clientsStandInChainsAnywhere(_ threads: Int) throws {
    let daemon = try RunningDaemon(config: Self.quiet + "deadline = 60\n", threads: threads)
    let (publisher, guardian) = (try daemon.client(), try daemon.client())
    let names = (0..<8).map { "h\($0)" }
    _ = try publisher.result("header.open", Self.opening("free"))
    for name in names {
      _ = try publisher.result("header.open", Self.opening(name))
      _ = try guardian.result(
        "delegate.add", "{\"header\":\"\(name)\",\"client\":\"intercept\",\"name\":\"guard\",\"deadline\":60,\"at\":0}")
    }
    #expect(try Self.shards(publisher, of: threads).allSatisfy { !$0.isEmpty })
    for (index, name) in names.enumerated() {
      let drag = #"{"header":"\#(name)","event":"willEndDragging","time":1,"targetOffset":{"y":210}}"#
      try publisher.write("{\"id\":\(index),\"method\":\"event\",\"params\":\(drag)}\n")
    }
    // Behind the events that wait; but what is for other headers overtakes it.
    try publisher.write("{\"id\":\"last\",\"method\":\"ping\"}\n")
    #expect(try publisher.result("header.get", #"{"header":"free"}"#)["state"]["seq"].int == 1)
    #expect(publisher.notifications.isEmpty)
    var questions: [JSON] = []
    while questions.count < names.count {
      let message = try guardian.message()
      if message["method"].string == "delegate.ask" { questions.append(message) }
    }
    #expect(Set(questions.compactMap { $0["params"]["header"].string }) == Set(names))
    for question in questions.reversed() {
      try guardian.write(
        "{\"id\":\"\(question["id"].string ?? "")\",\"result\":{\"verdict\":\"rewrite\",\"targetOffset\":{\"y\":176}}}\n"
      )
    }
    for _ in names {
      let answer = try publisher.message()
      #expect(answer["result"]["targetOffset"]["y"].int == 176 && answer["result"]["rewrittenBy"].string == "guard")
    }
    #expect(try publisher.message()["id"].string == "last")
  }
}
