// SPDX-License-Identifier: MIT
//
// The two encodings mean the same: random sequences of messages are sent to two daemons, to one as lines, to the other as
// frames, and all that comes back is compared message by message. Each sequence is two clients with a header or two, from
// greeting to end; some send what is wrong, some listen and do not read. The same with a translator between frames and a daemon who
// is told lines, as a gateway has it.

import HeaderJournal
import HeaderModel
import HeaderService
import HeaderTestKit
import ServiceTestKit
import Testing

@Suite struct BothEncodingsTests {
  static let sequences = 500 * parts
  static let parts = 6 * effort

  @Test(arguments: 0..<parts) func sayTheSame(_ part: Int) { play(part, isTranslated: false) }

  @Test(arguments: 0..<parts / 3) func sayTheSameTranslated(_ part: Int) { play(part, isTranslated: true) }

  private func play(_ part: Int, isTranslated: Bool) {
    var random = SplitMix64(seed: UInt64(part))
    // One byte in the queue is "behind" in every third part, so that what waits is gathered, or lost with a gap.
    let pair = Pair(queueBytes: part % 3 == 0 ? 1 : nil, isTranslated: isTranslated)
    // What messages may hold. Some of it is rare: then more sequences are played until it has come.
    let wanted: Set = [
      "state", "closed", "error", "trace", "warnings", "results", "snapshot", "trackingScrollView", "drawers",
      "elements", "scrollViews", "values", "wants", "notices", "animations", "calls", "explanation",
    ]
    let count = Self.sequences / Self.parts
    for number in 0..<3 * count where number < count || !wanted.isSubset(of: pair.seen) {
      let difference = pair.play(&random, header: "h\(number)")
      #expect(difference == nil, "part \(part), sequence \(number)")
      if difference != nil { return }
    }
    #expect(pair.compared > count * 5)
    #expect(pair.ownFrames > pair.compared / 4)
    #expect(wanted.subtracting(pair.seen) == [])
    #expect(part % 3 != 0 || pair.seen.contains("gap"))
  }
}

/// Two daemons that are told the same in two encodings.
private final class Pair {
  private let lines: TestDaemon
  private let frames: TestDaemon
  private(set) var compared = 0
  private(set) var ownFrames = 0
  /// Methods and fields that came.
  private(set) var seen: Set<String> = []
  /// What is between frames and a daemon who is told lines; nil: it is told frames.
  private let handles: TestHandles?

  init(queueBytes: Int?, isTranslated: Bool) {
    handles = isTranslated ? TestHandles() : nil
    func daemon() -> TestDaemon {
      let daemon = TestDaemon { settings in
        if let queueBytes { settings.limits.queueBytes = queueBytes }
        settings.limits.batchEvents = 5
        settings.limits.subscriptions = 4
        settings.limits.notices = 6
      }
      daemon.plugins.kinds.append(TestPlugins.Kind(description: Painter.description, make: Painter.init))
      return daemon
    }
    lines = daemon()
    frames = daemon()
  }

  /// Plays one sequence; what differs, if anything does.
  func play(_ random: inout SplitMix64, header: String) -> String? {
    let count = Int.random(in: 1...2, using: &random)
    let (plain, binary) = (
      (0..<count).map { _ in lines.connect() }, (0..<count).map { _ in FrameClient(frames, translatedBy: self.handles) }
    )
    var talk = Talk(header: header)
    var handles: [String: Int] = [:]
    var said = plain.map { _ in [String]() }
    for step in 0..<Int.random(in: 3...14, using: &random) {
      let who = Int.random(in: 0..<count, using: &random)
      if talk.pauses(&random) {
        let seconds = Double.random(in: 0...0.2, using: &random)
        lines.pass(seconds)
        frames.pass(seconds)
      } else if count == 2, step > 3, Int.random(in: 0..<6, using: &random) == 0 {
        plain[1].stopReading()
        binary[1].client.stopReading()
      } else if !plain[who].isClosed, plain[who].pipe.reads {
        let message = step == 0 ? talk.open(id: 1, &random) : who == 1 ? talk.listener(&random) : talk.message(&random)
        said[who] += plain[who].send(FrameBuilder.line(message))
        let own = FrameBuilder.frame(of: message, handles: handles)
        if own != nil { ownFrames += 1 }
        if message.at("params.events") != .null {
          binary[who].decoder.batches.insert(Int(message.at("id").number.finite))
        }
        binary[who].say(own ?? FrameBuilder.json(message))
      }
      if let difference = compare(plain, binary, &said, &handles, step) { return difference }
    }
    for client in plain { client.resumeReading() }
    for client in binary { client.client.resumeReading() }
    if let difference = compare(plain, binary, &said, &handles, -1) { return difference }
    for index in 0..<count {
      guard plain[index].isClosed == binary[index].client.isClosed else { return "one is closed, the other is not" }
      plain[index].hangUp()
      binary[index].client.hangUp()
    }
    closeAll()
    return lines.service.headerCount == frames.service.headerCount ? nil : "another number of headers"
  }

  /// Headers outlive connections; the next sequence begins without any.
  private func closeAll() {
    for daemon in [lines, frames] {
      let cleaner = daemon.connect()
      for header in cleaner.send(#"{"id":1,"method":"header.list"}"#).results[0].at("headers").list {
        cleaner.send(#"{"method":"header.close","params":{"header":"\#(header.at("header").text)"}}"#)
      }
      cleaner.hangUp()
    }
  }

  private func compare(
    _ plain: [TestClient], _ binary: [FrameClient], _ lines: inout [[String]], _ handles: inout [String: Int],
    _ step: Int
  ) -> String? {
    for who in plain.indices {
      let said = (lines[who] + plain[who].received()).map { Self.normal(tree($0)) }
      lines[who] = []
      let framed = binary[who].received().map { Self.normal($0) }
      compared += said.count
      for message in said { note(message) }
      for message in said where message.at("result.handle") != .null {
        handles[message.at("result.header").text] = Int(message.at("result.handle").number)
      }
      for index in 0..<max(said.count, framed.count) {
        let (one, other) = (
          index < said.count ? comparable(said[index]) : .null, index < framed.count ? comparable(framed[index]) : .null
        )
        if one != other {
          return "step \(step), message \(index):\n\(FrameBuilder.line(one))\n\(FrameBuilder.line(other))"
        }
      }
    }
    return nil
  }

  private func note(_ message: Value) {
    seen.insert(message.at("method").text)
    for place in [message, message.at("params"), message.at("result"), message.at("result.results.0")] {
      for field in place.record.fields { seen.insert(field.name) }
    }
  }

  private static func normal(_ message: Value) -> Value {
    var record = message.record
    record["jsonrpc"] = nil
    return .record(record)
  }

  /// A frame has no drawers, whether there are none or nobody asked for them; a line says [] or nothing.
  private static func withoutEmptyParts(_ state: Value.Record) -> Value.Record {
    Value.Record(fields: state.fields.filter { $0.value != [] && $0.value != [:] })
  }

  /// Without what OPENED leaves out, because its reader has just said it, and without the words about a header that is
  /// gone: a line asked for its name, a frame for its handle.
  private func comparable(_ message: Value) -> Value {
    for place in ["error", "params"] where message.at("\(place).data.name") == "headerNotFound" {
      return ["id": message.at("id"), "code": message.at("\(place).code"), "index": message.at("\(place).data.index")]
    }
    // Which unknown field comes first is a matter of writing.
    if message.at("params.data.name") == "unknownField" { return ["unknownField": true] }
    var record = message.record
    if record["warnings"] != nil {
      record["warnings"] = .list(message.at("warnings").list.sorted { $0.at("field").text < $1.at("field").text })
    }
    if message.at("method") == "state" {
      var state = Self.withoutEmptyParts(message.at("params").record)
      // Who is told lines alone knows nothing of scroll views that `fields` leaves out.
      if handles != nil, state["scrollViews"] == nil { state["trackingScrollView"] = nil }
      record["params"] = .record(state)
    }
    guard message.at("result.created") != .null else { return .record(record) }
    var result = message.at("result").record
    result["header"] = nil
    record["result"] = .record(result)
    return .record(record)
  }
}

extension Double {
  fileprivate var finite: Double { isFinite ? self : 0 }
}

/// Makes up messages, most of them sensible.
private struct Talk {
  let header: String
  private var lastID = 1
  private var time = 1.0

  init(header: String) { self.header = header }

  func pauses(_ random: inout SplitMix64) -> Bool { Int.random(in: 0..<8, using: &random) == 0 }

  mutating func message(_ random: inout SplitMix64) -> Value {
    switch Int.random(in: 0..<24, using: &random) {
    case 0: request("hello", ["protocol": pick([1, 1, 2], &random), "client": "both"], &random)
    case 1: request("ping", [:], &random)
    case 2: open(id: nextID(), &random)
    case 3: request("header.close", ["header": .text(name(&random))], &random)
    case 4...6: subscribe(&random)
    case 7: request("unsubscribe", ["subscription": .number(Double(Int.random(in: 1...3, using: &random)))], &random)
    case 8: other(&random)
    case 9: call(&random)
    case 10...13: request("event", batch(&random), &random)
    default: request("event", single(&random), &random)
    }
  }

  /// Who is the second listens more than it talks.
  mutating func listener(_ random: inout SplitMix64) -> Value {
    Bool.random(using: &random) ? subscribe(&random) : message(&random)
  }

  private mutating func nextID() -> Int {
    lastID += 1
    return lastID
  }

  private mutating func request(_ method: String, _ params: Value, _ random: inout SplitMix64) -> Value {
    let id: Value = .number(Double(nextID()))
    return Bool.random(using: &random) || method != "event"
      ? ["id": id, "method": .text(method), "params": params] : ["method": .text(method), "params": params]
  }

  private func pick<Thing>(_ things: [Thing], _ random: inout SplitMix64) -> Thing {
    things[Int.random(in: 0..<things.count, using: &random)]
  }

  private func chance(_ one: Int, _ random: inout SplitMix64) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

  /// Mostly the sequence's header.
  private func name(_ random: inout SplitMix64) -> String {
    chance(6, &random) ? header + "b" : chance(20, &random) ? "nowhere" : header
  }

  func open(id: Int, _ random: inout SplitMix64) -> Value {
    let two = chance(3, &random)
    var views: Value = [
      "content": [
        "viewport": ["width": 375, "height": 667], "contentSize": ["height": 4000], "contentInset": ["top": 64],
      ]
    ]
    if two { views = ["content": views.at("content"), "side": ["viewport": ["width": 100, "height": 667]]] }
    var params: Value.Record =
      ([
        "header": .text(name(&random)), "scrollViews": views, "environment": ["statusBarHeight": 20],
        "drawers": [
          [
            "name": "navBar", "height": 44,
            "elements": [["name": "title", "frame": ["x": 1, "y": 2, "width": 30, "height": 4.5]]],
          ],
          ["name": "extension", "height": 40],
        ],
        "delegates": [
          [
            "behavior": .text(
              pick(["ShyNavBar", "Painter", "Painter", "Ticker", "Ticker", "Faulty", "Scripted"], &random))
          ]
        ],
        "frames": .text(pick(["live", "events", "manual"], &random)),
      ] as Value).record
    if two, !chance(5, &random) { params["trackingScrollView"] = pick(["content", "side", .null], &random) }
    if chance(8, &random) { params["ifExists"] = "replace" }
    if chance(12, &random) { params["frameRat"] = 30 }
    if chance(15, &random) {
      params["drawers"] = pick([[["name": "navBar", "height": -1]], [["height": 3]], 7], &random)
    }
    return ["id": .number(Double(id)), "method": "header.open", "params": .record(params)]
  }

  private mutating func subscribe(_ random: inout SplitMix64) -> Value {
    var params: Value.Record =
      (["headers": pick([.text(header), "**", ["h*", "x.*"], .text(header + "b")], &random)] as Value).record
    if Bool.random(using: &random) { params["mode"] = pick(["latest", "every", "every", "some"], &random) }
    if chance(3, &random) {
      params["include"] = pick(
        [["routine"], ["calls"], ["routine", "calls"], ["contentOffset"], ["calls", "contentOffset"], ["rutine"]],
        &random)
    }
    if chance(4, &random) { params["explain"] = pick([true, true, false, "why"], &random) }
    if chance(8, &random) {
      params["fields"] = pick([["drawers.navBar", "values"], ["scrollViews", "wants"], ["colors"]], &random)
    }
    if chance(10, &random) { params["maxRate"] = pick([0, 20, -1], &random) }
    if chance(10, &random) {
      params["resumeFrom"] = .record(
        .init(fields: [.init(name: header, value: ["epoch": 1_763_690_400_000_000, "seq": pick([1, 3, 9], &random)])]))
    }
    if chance(6, &random) { params["onOverflow"] = pick(["gap", "disconnect"], &random) }
    if chance(12, &random) { params["header"] = "x" }
    return request("subscribe", .record(params), &random)
  }

  private mutating func other(_ random: inout SplitMix64) -> Value {
    switch Int.random(in: 0..<9, using: &random) {
    case 0: request("header.list", [:], &random)
    case 1: request("header.get", ["header": .text(header), "include": ["environment", "description"]], &random)
    case 2: request("header.configure", ["header": .text(header), "frameRate": pick([30, 60, 0], &random)], &random)
    case 3:
      request(
        "header.configure",
        [
          "header": .text(header),
          "drawers": pick(
            [[["name": "navBar", "height": 50]], [["name": "navBar", "height": 44], ["name": "x", "height": 9]]],
            &random),
        ],
        &random)
    case 4: request("plugin.list", ["plugin": "Painter"], &random)
    case 5: request("trace.start", ["header": .text(header)], &random)
    case 6: request("trace.stop", ["trace": 1], &random)
    case 7: ["method": "header.clos", "id": "a text"]
    default: ["jsonrpc": "1.0", "id": .number(Double(nextID())), "method": "ping"]
    }
  }

  private mutating func call(_ random: inout SplitMix64) -> Value {
    let words = pick(["a a b", "phase=a on=true", "p=0.5 ~r", "! > c", "phase=b"], &random)
    return request(
      "header.call",
      pick(
        [
          ["header": .text(header), "name": "say", "arguments": ["words": .text(words)]],
          ["header": .text(header), "name": "expand", "arguments": ["animated": true]],
          ["header": .text(header), "name": "refuse"],
        ], &random), &random)
  }

  // MARK: - Events

  private mutating func single(_ random: inout SplitMix64) -> Value {
    var event = event(&random)
    if !chance(8, &random) { event["header"] = .text(name(&random)) }
    return .record(event)
  }

  private mutating func batch(_ random: inout SplitMix64) -> Value {
    let events = (0..<Int.random(in: 0...6, using: &random)).map { _ in Value.record(event(&random)) }
    var params: Value.Record = (["events": .list(events)] as Value).record
    if !chance(8, &random) { params["header"] = .text(name(&random)) }
    return .record(params)
  }

  private mutating func event(_ random: inout SplitMix64) -> Value.Record {
    let kind = chance(2, &random) ? "didScroll" : pick(kinds, &random)
    var event: Value.Record = (["event": .text(kind)] as Value).record
    time += pick([0, 0.008, 0.01666, 0.1], &random)
    if !chance(10, &random) { event["time"] = .number(chance(25, &random) ? pick([0.5, -1, 2e9], &random) : time) }
    if kind == "didScroll" || kind == "setContentOffset" || chance(6, &random) {
      if !chance(20, &random) { event["offset"] = point(&random) }
    }
    if chance(8, &random) { event["correction"] = point(&random) }
    if chance(8, &random) { event["isTracking"] = .bool(Bool.random(using: &random)) }
    if chance(8, &random) { event["isDragging"] = .bool(Bool.random(using: &random)) }
    if chance(8, &random) { event["isDecelerating"] = .bool(Bool.random(using: &random)) }
    if chance(6, &random) { event["scrollView"] = pick(["content", "side", "nothing"], &random) }
    if chance(15, &random) { event[pick(["velocity", "targetOffset", "delta"], &random)] = point(&random) }
    if chance(20, &random) { event["willDecelerate"] = .bool(Bool.random(using: &random)) }
    if chance(25, &random) { event["speed"] = 3 }
    addOwn(kind, to: &event, &random)
    return event
  }

  private let kinds = [
    "willBeginDragging", "willEndDragging", "willEndDragging", "didEndDragging", "didEndDragging",
    "willBeginDecelerating",
    "didEndDecelerating", "didEndScrollingAnimation", "shouldScrollToTop", "didScrollToTop",
    "didChangeAdjustedContentInset",
    "setContentOffset", "willScroll", "didOverscroll", "willFling", "layout", "layout", "willAppear", "didAppear",
    "willDisappear", "didDisappear", "didBecomeActive", "willTransition", "transition", "didTransition",
    "willChangeTrackingScrollView", "setTrackingScrollView", "setOptions", "call", "advance", "advance",
  ]

  private func addOwn(_ kind: String, to event: inout Value.Record, _ random: inout SplitMix64) {
    switch kind {
    case "willEndDragging":
      event["velocity"] = point(&random)
      if Bool.random(using: &random) { event["targetOffset"] = point(&random) }
    case "didEndDragging":
      if !chance(10, &random) { event["willDecelerate"] = .bool(Bool.random(using: &random)) }
    case "setContentOffset":
      if Bool.random(using: &random) { event["animated"] = .bool(Bool.random(using: &random)) }
    case "willScroll", "didOverscroll":
      event["delta"] = point(&random)
      event["source"] = pick(["drag", "fling", "program", "wind"], &random)
    case "willFling": event["velocity"] = point(&random)
    case "layout":
      if Bool.random(using: &random) {
        event["contentInset"] = ["top": .number(Double.random(in: 0...99, using: &random))]
      }
      if chance(3, &random) { event["viewport"] = ["height": pick([500, 667, -3], &random)] }
      if chance(3, &random) { event["pass"] = .bool(Bool.random(using: &random)) }
      if chance(3, &random) {
        event["drawers"] = [
          ["name": pick(["navBar", "x"], &random), "zIndex": -7, "height": 30]
        ]
      }
    case "willTransition":
      event["size"] = pick([["width": 667, "height": 375], ["width": 667], ["height": -1]], &random)
    case "willChangeTrackingScrollView", "setTrackingScrollView":
      event["scrollView"] = pick(["content", "side", .null, "nothing"], &random)
    case "setOptions":
      event["options"] = pick([["expansionResistance": 5], ["poison": 1], ["nothing": true], [:]], &random)
    case "call":
      event["name"] = pick(["expand", "say", "refuse", "dance"], &random)
      if Bool.random(using: &random) { event["arguments"] = pick([["words": "a"], ["animated": true]], &random) }
    case "advance":
      if !chance(3, &random) { event["frameDuration"] = pick([0.0166667, 0.1, -1], &random) }
    default: break
    }
  }

  private func point(_ random: inout SplitMix64) -> Value {
    let y = (Double.random(in: -50...250, using: &random) * 100).rounded() / 100
    switch Int.random(in: 0..<24, using: &random) {
    case 0: return ["x": 3.25]
    case 1: return ["x": .number(-y), "y": .number(y)]
    case 2: return ["y": 2e9]
    case 3: return ["y": "far"]
    case 4: return [:]
    case 5: return ["y": .number(y), "z": 1]
    default: return ["y": .number(y)]
    }
  }
}
