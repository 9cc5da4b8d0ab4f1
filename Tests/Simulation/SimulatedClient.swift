// SPDX-License-Identifier: MIT
//
// A client that knows what it must be told. It keeps what it asked for and holds every line that it reads against it:
//
//   answers     each request exactly one, those about one header in the order of asking, those to ping, header.list and
//               trace.stop after all before them; nothing for notifications
//   a feed      a snapshot first; then seq + 1 (`every`) or a larger seq (`latest`), or a gap that begins where the feed
//               stood, ends where the header stands, and is closed by a snapshot
//   the end     after `closed` nothing more of that epoch; after the answer to `unsubscribe` no state of it

import DaemonTestKit
import HeaderCore
import HeaderService

final class SimulatedClient {
  enum Mode: String { case every, latest }

  /// What it is sent for one header.
  struct Feed {
    var epoch: Int
    /// The last seq that it was sent.
    var seq: Int
    /// A gap was told up to here, and the snapshot must come next.
    var gapEnd: Int?
    /// The last state.
    var state: JSON
  }

  /// What a line that it sent must be answered with.
  enum Expected: Equatable {
    case answer(Int)
    /// Nobody can tell the id.
    case nameless
  }

  /// What an answer may not overtake.
  enum Scope: Equatable {
    /// Those about the same header.
    case header(String)
    /// All that were asked for before; what was asked for later may overtake it.
    case everything
    /// Subscriptions begin and end at once.
    case subscriptions
    /// Those of its kind.
    case connection
  }

  /// Something that it is asked as a member of a header's chain.
  struct Question {
    var id: String
    var event: String
  }

  let id: ConnectionID
  let socket: SimulatedSocket
  let mode: Mode
  /// The seconds that its clock is ahead; nil: it gives no times.
  let clockShift: Double?
  var reads = true
  var isGone = false
  private var expected: [(what: Expected, scope: Scope)] = []
  /// Questions that it has not answered yet; it may forget some.
  var questions: [Question] = []
  private(set) var subscriptions: [Int: [String]] = [:]
  private var asked: [Int: Asked] = [:]
  private(set) var feeds: [String: Feed] = [:]
  private var closedEpochs: Set<Int> = []
  private(set) var traces: [Int: SimulatedTrace] = [:]
  private var unread: [UInt8] = []
  private(set) var transcript: [UInt8] = []
  private(set) var saidBye = false
  /// What was wrong with what it was told.
  private(set) var complaints: [String] = []
  private var lastID = 0
  private let judge: Judge

  private enum Asked {
    case subscribe([String])
    case unsubscribe(Int)
    case traceStart
    case traceStop(Int)
  }

  init(_ id: ConnectionID, _ socket: SimulatedSocket, mode: Mode, clockShift: Double?, judge: Judge) {
    self.id = id
    self.socket = socket
    self.mode = mode
    self.clockShift = clockShift
    self.judge = judge
  }

  // MARK: - Asking

  func request(_ method: String, _ params: String) {
    lastID += 1
    switch method {
    case "unsubscribe": if let number = try? JSON(params)["subscription"].int { asked[lastID] = .unsubscribe(number) }
    case "trace.start": asked[lastID] = .traceStart
    case "trace.stop": if let number = try? JSON(params)["trace"].int { asked[lastID] = .traceStop(number) }
    default: break
    }
    expect(.answer(lastID), scope(of: method, params))
    write("{\"id\":\(lastID),\"method\":\"\(method)\",\"params\":\(params)}\n")
  }

  private func scope(of method: String, _ params: String) -> Scope {
    switch method {
    case "ping", "header.list", "trace.stop": .everything
    case "subscribe", "unsubscribe": .subscriptions
    case let method where method.hasPrefix("plugin."): .connection
    default: .header((try? JSON(params)["header"].string) ?? "")
    }
  }

  /// Answers a question.
  func answer(_ question: Question, _ members: String) {
    write("{\"id\":\"\(question.id)\",\(members)}\n")
  }

  func subscribe(_ globs: [String], include: String) {
    asked[lastID + 1] = .subscribe(globs)
    let list = globs.map { "\"\($0)\"" }.joined(separator: ",")
    request("subscribe", "{\"headers\":[\(list)],\"mode\":\"\(mode.rawValue)\",\"include\":[\(include)]}")
  }

  func notify(_ method: String, _ params: String) { write("{\"method\":\"\(method)\",\"params\":\(params)}\n") }

  /// A line that cannot be read.
  func babble(_ line: String) {
    expect(.nameless, .connection)
    write(line + "\n")
  }

  /// The beginning of a line that never ends.
  func breakOff() {
    write("{\"id\":\(lastID + 1),\"method\":\"header.cl")
    socket.isHalfClosed = true
  }

  private func write(_ text: String) {
    if !socket.isHalfClosed { socket.toService += Array(text.utf8) }
  }

  private func expect(_ answer: Expected, _ scope: Scope) {
    if !socket.isHalfClosed { expected.append((answer, scope)) }
  }

  // MARK: - Being told

  func take(_ bytes: [UInt8]) {
    transcript += bytes
    unread += bytes
    while let end = unread.firstIndex(of: 0x0A) {
      let line = String(decoding: unread[..<end], as: UTF8.self)
      unread.removeFirst(end + 1)
      do {
        take(try JSON(line))
      } catch {
        complain("not JSON", line)
      }
    }
  }

  private func complain(_ what: String, _ line: String) {
    complaints.append("connection \(id.number) (\(mode.rawValue)): \(what): \(line.prefix(300))")
  }

  private func take(_ message: JSON) {
    if saidBye { complain("something after bye", message.text) }
    let params = message["params"]
    switch message["method"].string {
    case nil: takeAnswer(message)
    case "state": takeState(params)
    case "gap": takeGap(params)
    case "closed": takeClosed(params)
    case "trace": takeTrace(params)
    case "bye": saidBye = true
    case "delegate.ask":
      questions.append(Question(id: message["id"].string ?? "", event: params["event"]["event"].string ?? ""))
    case "delegate.event":
      if params["event"]["time"].isAbsent { complain("an event without its time", message.text) }
    case "ping", "error": break
    default: complain("an unknown notification", message.text)
    }
  }

  private func takeAnswer(_ message: JSON) {
    let isLineTooLong = message["error"]["data"]["limit"]["name"].string == "lineBytes"
    let got = message["id"].int
    // It answered a question that nobody waits for any more.
    if message["id"].string?.hasPrefix("d") == true { return }
    let place = expected.firstIndex { $0.what == got.map(Expected.answer) ?? .nameless }
    if let place {
      let (what, scope) = expected.remove(at: place)
      let overtaken = expected[..<place].first { earlier in
        scope == .everything || (earlier.scope == scope && scope != .connection && scope != .subscriptions)
      }
      if let overtaken { complain("an answer before that to \(overtaken.what)", message.text) }
      if case .answer(let id) = what { settle(id, message["result"]) }
    } else if !isLineTooLong {
      complain("an answer that nobody waits for", message.text)
    }
    if message["error"]["code"].int == -32603 { complain("an internal error", message.text) }
  }

  private func settle(_ id: Int, _ result: JSON) {
    guard let asked = asked.removeValue(forKey: id), !result.isAbsent else { return }
    switch asked {
    case .subscribe(let globs): if let number = result["subscription"].int { subscriptions[number] = globs }
    case .unsubscribe(let number):
      subscriptions[number] = nil
      // What nothing matches any more begins anew when it is asked for again.
      feeds = feeds.filter { matches($0.key) }
    case .traceStart: if let number = result["trace"].int { traces[number] = SimulatedTrace() }
    case .traceStop(let number):
      if result["steps"].int != traces[number]?.steps.count {
        complain("recording \(number) has \(traces[number]?.steps.count ?? -1) steps", result.description)
      }
      traces[number]?.isOver = true
    }
  }

  func matches(_ header: String) -> Bool {
    subscriptions.values.contains { $0.contains { Names.glob($0, matches: header) } }
  }

  private func takeState(_ state: JSON) {
    guard let header = state["header"].string, let epoch = state["epoch"].int, let seq = state["seq"].int else {
      return complain("a state without its head", state.description)
    }
    if !matches(header) { complain("a state that nobody asked for", state.text) }
    if closedEpochs.contains(epoch) { complain("a state after closed", state.text) }
    let isSnapshot = state["snapshot"].bool == true
    if isSnapshot != state["notices"].isAbsent, isSnapshot { complain("a snapshot with notices", state.text) }
    if let feed = feeds[header], feed.epoch == epoch {
      if let gapEnd = feed.gapEnd {
        if !isSnapshot || seq != gapEnd { complain("expected the snapshot of \(gapEnd) after a gap", state.text) }
      } else if isSnapshot {
        complain("a second snapshot", state.text)
      } else if mode == .every ? seq != feed.seq + 1 : seq <= feed.seq {
        complain("seq \(seq) after \(feed.seq)", state.text)
      }
    } else {
      if !isSnapshot { complain("no snapshot first", state.text) }
      if let feed = feeds[header], feed.epoch > epoch { complain("an older epoch after \(feed.epoch)", state.text) }
    }
    feeds[header] = Feed(epoch: epoch, seq: seq, gapEnd: nil, state: state)
    if !isSnapshot, mode == .every, let difference = judge.compare(state, self) { complain(difference, state.text) }
  }

  private func takeGap(_ gap: JSON) {
    guard mode == .every, let header = gap["header"].string, var feed = feeds[header], feed.gapEnd == nil,
      gap["epoch"].int == feed.epoch, gap["from"].int == feed.seq + 1, let end = gap["to"].int, end > feed.seq
    else { return complain("a gap that does not fit", gap.text) }
    feed.gapEnd = end
    feeds[header] = feed
  }

  private func takeClosed(_ closed: JSON) {
    guard let header = closed["header"].string, let epoch = closed["epoch"].int else {
      return complain("closed without its head", closed.text)
    }
    if !matches(header) { complain("closed of what nobody asked for", closed.text) }
    closedEpochs.insert(epoch)
    if let feed = feeds[header], feed.epoch == epoch, feed.gapEnd == nil, feed.seq != closed["seq"].int {
      complain("the last state was \(feed.seq)", closed.text)
    }
    feeds[header] = nil
  }

  private func takeTrace(_ trace: JSON) {
    guard let number = trace["trace"].int, traces[number] != nil else {
      return complain("a recording that nobody asked for", trace.text)
    }
    if let complaint = traces[number]?.take(trace) { complain(complaint, trace.text) }
  }

  // MARK: - In the end

  /// What is still missing, when everything was delivered and read.
  func unsettled() -> [String] {
    isGone || saidBye || socket.isClosed || socket.isHalfClosed || expected.isEmpty
      ? [] : ["connection \(id.number): no answer to \(expected[0].what)"]
  }
}

/// What all clients together know: a state of a header has one text.
final class Judge {
  private var known: [String: (text: String, by: Int)] = [:]

  /// Whether another client was told something else of a state; nil when nothing is wrong.
  func compare(_ state: JSON, _ client: SimulatedClient) -> String? {
    // What happened is told as it was asked for, with routine notices or without; the positions before it are the same.
    let key = "\(state["epoch"].int ?? 0) \(state["seq"].int ?? 0)"
    let lists = [",\"notices\":", ",\"commands\":", ",\"animations\":", ",\"calls\":"]
    let ends = lists.compactMap { state.text.firstRange(of: $0)?.lowerBound }
    let text = String(state.text[..<(ends.min() ?? state.text.index(state.text.endIndex, offsetBy: -2))])
    if let other = known[key] {
      return other.text == text ? nil : "another state than connection \(other.by) was told"
    }
    known[key] = (text, client.id.number)
    return nil
  }
}
