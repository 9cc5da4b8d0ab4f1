// SPDX-License-Identifier: MIT
//
// A client that knows what it must be told. It keeps what it asked for and holds every line that it reads against it:
//
//   answers     each request exactly one, those about one header in the order of asking, those to ping, header.list and
//               trace.stop after all before them; nothing for notifications
//   a feed      a snapshot first; then seq + 1 (`every`) or a larger seq (`latest`), or a gap that begins where the feed
//               stood, ends where the header stands, and is closed by a snapshot
//   resuming    what came after the state that it names, or a gap with the reason
//   the end     after `closed` nothing more of that epoch; after the answer to `unsubscribe` no state of it

import DaemonTestKit
import Fanout
import HeaderModel
import HeaderService
import Shards

final class SimulatedClient {
  enum Mode: String { case every, latest }

  /// A state that it has seen, in an earlier connection.
  struct Point {
    var epoch: Int
    var seq: Int
  }

  /// What it is sent for one header.
  struct Feed {
    var epoch: Int
    /// The last seq that it was sent.
    var seq: Int
    /// A gap was told up to here, and the snapshot must come next.
    var gapEnd: Int?
    /// The last state; nil: it has the one that it named when it came back.
    var state: JSON?
    /// It came back for what it missed, and has got nothing yet.
    var resumes = false
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
  private let access: Access
  var isGone = false
  /// Threads whose disk has failed, as it was told, and does not work again.
  private var undurable = 0
  /// By header, the last seq that it was answered with `acknowledged`.
  var answered: [String: Int] = [:]
  private var expected: [(what: Expected, scope: Scope)] = []
  /// Questions that it has not answered yet; it may forget some.
  var questions: [Question] = []
  private(set) var subscriptions: [Int: [String]] = [:]
  private var asked: [Int: Asked] = [:]
  private var askedHeaders: [Int: String] = [:]
  private(set) var feeds: [String: Feed] = [:]
  private var closedEpochs: Set<Int> = []
  private(set) var traces: [Int: SimulatedTrace] = [:]
  private var unread: [UInt8] = []
  private(set) var transcript: [UInt8] = []
  private(set) var saidBye = false
  /// What was wrong with what it was told.
  private(set) var complaints: [Complaint] = []
  private var lastID = 0
  private let judge: Judge

  private enum Asked {
    case subscribe([String], [String: Point])
    case unsubscribe(Int)
    case traceStart
    case traceStop(Int)
  }

  init(_ id: ConnectionID, _ socket: SimulatedSocket, mode: Mode, access: Access, judge: Judge) {
    self.id = id
    self.socket = socket
    self.mode = mode
    self.access = access
    self.judge = judge
  }

  // MARK: - Asking

  func request(_ method: String, _ text: String) {
    lastID += 1
    let header = Self.header(in: text)
    switch method {
    case "subscribe":
      guard let params = try? JSON(text) else { return }
      asked[lastID] = .subscribe(params["headers"].strings, Self.points(params["resumeFrom"]))
    case "unsubscribe": if let number = (try? JSON(text))?["subscription"].int { asked[lastID] = .unsubscribe(number) }
    case "trace.start": asked[lastID] = .traceStart
    case "trace.stop": if let number = (try? JSON(text))?["trace"].int { asked[lastID] = .traceStop(number) }
    // The answer to `header.open` shows where the header is when it leaves, also what others did to it meanwhile.
    case "header.open": break
    default: askedHeaders[lastID] = header
    }
    expect(.answer(lastID), scope(of: method, header ?? ""))
    write("{\"id\":\(lastID),\"method\":\"\(method)\",\"params\":\(text)}\n")
  }

  /// Which header a request is about: it comes first in its params, if it is about one.
  private static func header(in params: String) -> String? {
    let first = "{\"header\":\""
    guard params.hasPrefix(first) else { return nil }
    return String(params.dropFirst(first.count).prefix { $0 != "\"" })
  }

  private static func points(_ list: JSON) -> [String: Point] {
    var points: [String: Point] = [:]
    for name in list.keys {
      if let epoch = list[name]["epoch"].int, let seq = list[name]["seq"].int {
        points[name] = Point(epoch: epoch, seq: seq)
      }
    }
    return points
  }

  private func scope(of method: String, _ header: String) -> Scope {
    switch method {
    case "ping", "header.list", "trace.stop": .everything
    case "subscribe", "unsubscribe": .subscriptions
    case let method where method.hasPrefix("plugin."): .connection
    default: .header(header)
    }
  }

  /// Answers what it was asked first.
  /// - Parameter members: nil: never.
  func answer(_ members: String?) {
    guard !questions.isEmpty else { return }
    let question = questions.removeFirst()
    if let members { write("{\"id\":\"\(question.id)\",\(members)}\n") }
  }

  func notify(_ params: String) { write("{\"method\":\"event\",\"params\":\(params)}\n") }

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
      if !line.utf8.elementsEqual(unread[..<end]) { complain("not UTF-8", line) }
      unread.removeFirst(end + 1)
      do {
        take(try judge.read(line))
      } catch {
        complain("not JSON", line)
      }
    }
  }

  private func complain(_ what: String, _ line: String) {
    complaints.append(Complaint(what, "connection \(id.number) (\(mode.rawValue)): \(line.prefix(6000))"))
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
    // What is told of one header, the log tells the simulation.
    case "durability" where !params["header"].isAbsent: break
    case "durability": undurable += params["durable"].bool == true ? -1 : 1
    case "ping", "error": break
    default: complain("an unknown notification", message.text)
    }
  }

  private func takeAnswer(_ message: JSON) {
    // Such an answer is to the connection, which ends with it.
    let endsConnection = ["lineBytes", "memoryBytes"].contains(message["error"]["data"]["limit"]["name"].string ?? "")
    let got = message["id"].int
    // It answered a question that nobody waits for any more.
    if message["id"].string?.hasPrefix("d") == true { return }
    let place = expected.firstIndex { $0.what == got.map(Expected.answer) ?? .nameless }
    if let place {
      let (what, scope) = expected.remove(at: place)
      let overtaken = expected[..<place].first { earlier in
        scope == .everything || (earlier.scope == scope && scope != .connection && scope != .subscriptions)
      }
      if overtaken != nil { complain("an answer before an earlier one", message.text) }
      if case .answer(let id) = what { settle(id, message["result"]) }
    } else if !endsConnection {
      complain("an answer that nobody waits for", message.text)
    }
    if message["error"]["code"].int == -32603 { complain("an internal error", message.text) }
  }

  private func settle(_ id: Int, _ result: JSON) {
    if let header = askedHeaders.removeValue(forKey: id), undurable == 0, let seq = result["seq"].int {
      answered[header] = max(answered[header] ?? 0, seq)
    }
    guard let asked = asked.removeValue(forKey: id), !result.isAbsent else { return }
    switch asked {
    case .subscribe(let globs, let points):
      if let number = result["subscription"].int { subscriptions[number] = globs }
      for (name, point) in points where matches(name) && feeds[name] == nil {
        feeds[name] = Feed(epoch: point.epoch, seq: point.seq, gapEnd: nil, state: nil, resumes: true)
      }
    case .unsubscribe(let number):
      subscriptions[number] = nil
      // What nothing matches any more begins anew when it is asked for again.
      feeds = feeds.filter { matches($0.key) }
    case .traceStart: if let number = result["trace"].int { traces[number] = SimulatedTrace() }
    case .traceStop(let number):
      if result["steps"].int != traces[number]?.steps.count {
        complain("a recording has other steps", "\(traces[number]?.steps.count ?? -1) \(result.text)")
      }
      traces[number]?.isOver = true
    }
  }

  func matches(_ header: String) -> Bool {
    access.allows(.subscribe, header: header)
      && subscriptions.values.contains { $0.contains { Names.glob($0, matches: header) } }
  }

  private func takeState(_ state: JSON) {
    guard let header = state["header"].string, let epoch = state["epoch"].int, let seq = state["seq"].int else {
      return complain("a state without its head", state.text)
    }
    if !matches(header) { complain("a state that nobody asked for", state.text) }
    if closedEpochs.contains(epoch) { complain("a state after closed", state.text) }
    let isSnapshot = state["snapshot"].bool == true
    if isSnapshot != state["notices"].isAbsent, isSnapshot { complain("a snapshot with notices", state.text) }
    if let feed = feeds[header], feed.epoch == epoch {
      if let gapEnd = feed.gapEnd {
        if !isSnapshot || seq != gapEnd { complain("another state than the snapshot after a gap", state.text) }
      } else if isSnapshot {
        complain("a second snapshot", state.text)
      } else if mode == .every ? seq != feed.seq + 1 : seq <= feed.seq {
        complain("a wrong seq", "\(seq) after \(feed.seq): \(state.text)")
      }
    } else {
      if !isSnapshot { complain("no snapshot first", state.text) }
      if let feed = feeds[header], feed.epoch > epoch, judge.knows(header, feed.epoch), !judge.clockWentBack {
        complain("an older epoch", "\(feed.epoch) came before: \(state.text)")
      }
    }
    feeds[header] = Feed(epoch: epoch, seq: seq, gapEnd: nil, state: state)
    if let other = judge.compare(state, header) {
      complain("another state than somebody else was told", "\(state.text) and \(other)")
    }
  }

  private func takeGap(_ gap: JSON) {
    guard let header = gap["header"].string, var feed = feeds[header], feed.gapEnd == nil else {
      return complain("a gap that does not fit", gap.text)
    }
    if gap["reason"].string == "newEpoch", let epoch = gap["epoch"].int, epoch != feed.epoch { return }
    guard mode == .every || feed.resumes, gap["epoch"].int == feed.epoch, gap["from"].int == feed.seq + 1,
      let end = gap["to"].int, end > feed.seq
    else {
      return complain("a gap that does not fit", gap.text)
    }
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
      complain("closed behind another state", "\(feed.seq): \(closed.text)")
    }
    feeds[header] = nil
  }

  private func takeTrace(_ trace: JSON) {
    guard let number = trace["trace"].int, traces[number] != nil else {
      return complain("a recording that nobody asked for", trace.text)
    }
    if let complaint = traces[number]?.take(trace) { complain(complaint, trace.text) }
  }

  /// The daemon is gone, without a word.
  func isLeftBehind() {
    isGone = true
    for number in traces.keys { traces[number]?.isOver = true }
  }

  // MARK: - In the end

  var isPresent: Bool { !isGone && !socket.isClosed }

  /// What was wrong so far is told.
  func clearComplaints() { complaints = [] }

  /// What is still missing, when everything was delivered and read.
  var unanswered: Complaint? {
    if isGone || saidBye || socket.isClosed || socket.isHalfClosed || expected.isEmpty { return nil }
    return Complaint("no answer", "connection \(id.number): to \(expected[0].what)")
  }
}

/// Something that must not be.
public struct Complaint: Equatable, Sendable, CustomStringConvertible {
  /// Which promise is broken, in words that are always the same.
  public let what: String
  /// Where, and by what.
  public let detail: String

  init(_ what: String, _ detail: String) { (self.what, self.detail) = (what, detail) }

  /// All of it.
  public var description: String { "\(what): \(detail)" }
}

/// What all clients together know: a state of a header has one text. Its snapshot may show a later reported offset, which
/// makes no state.
final class Judge {
  private var states: [String: String] = [:]
  private var looks: [String: String] = [:]
  /// By header, the largest epoch and the largest seq in it that anybody was told.
  private(set) var latest: [String: (epoch: Int, seq: Int)] = [:]
  private var epochs: Set<String> = []
  /// Lines that somebody was sent: most of them, several clients are.
  private var lines: [String: JSON] = [:]
  /// The wall clock was set back, so that epochs may do so after a crash; none is used twice.
  var clockWentBack = false

  /// Reads a line.
  func read(_ line: String) throws -> JSON {
    if let known = lines[line] { return known }
    let message = try JSON(line)
    lines[line] = message
    return message
  }

  /// Notes a state.
  /// - Returns: the state that was told of the same epoch and seq before, if it was another one.
  func compare(_ state: JSON, _ header: String) -> String? {
    guard let epoch = state["epoch"].int, let seq = state["seq"].int else { return nil }
    if (epoch, seq) > latest[header] ?? (0, 0) { latest[header] = (epoch, seq) }
    epochs.insert("\(header) \(epoch)")
    let key = "\(header) \(epoch) \(seq)"
    let bytes = Array(state.text.utf8)
    let difference = Self.note(Self.look(bytes), key, in: &looks)
    return state["snapshot"].bool == true
      ? difference : Self.note(Self.positions(bytes), key, in: &states) ?? difference
  }

  func knows(_ header: String, _ epoch: Int) -> Bool { epochs.contains("\(header) \(epoch)") }

  private static func note(_ text: String, _ key: String, in known: inout [String: String]) -> String? {
    guard let other = known[key] else {
      known[key] = text
      return nil
    }
    return other == text ? nil : other
  }

  /// What happened is told as it was asked for, with routine notices or without; the positions before it are the same.
  private static func positions(_ bytes: [UInt8]) -> String {
    let start = place(of: time, in: bytes) ?? 0
    var end = lists.compactMap { place(of: $0, in: bytes) }.min() ?? bytes.count
    while end > start, bytes[end - 1] == 0x7D { end -= 1 }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// What of it is to be seen.
  private static func look(_ bytes: [UInt8]) -> String {
    let start = place(of: drawers, in: bytes) ?? 0
    let end = place(of: scrollViews, in: bytes) ?? bytes.count
    return String(decoding: bytes[start..<max(start, end)], as: UTF8.self)
  }

  private static let time = Array("\"time\":".utf8)
  private static let drawers = Array("\"drawers\":".utf8)
  private static let scrollViews = Array(",\"scrollViews\":".utf8)
  private static let lists = [",\"notices\":", ",\"commands\":", ",\"animations\":", ",\"calls\":"].map {
    Array($0.utf8)
  }

  private static func place(of word: [UInt8], in bytes: [UInt8]) -> Int? {
    var place = 0
    while place + word.count <= bytes.count {
      if bytes[place + 1] == word[1], bytes[place..<place + word.count].elementsEqual(word) { return place }
      place += 1
    }
    return nil
  }
}
