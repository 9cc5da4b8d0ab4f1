// SPDX-License-Identifier: MIT
//
// Everything that may happen to a simulated daemon, as values: what clients do, how far bytes, mail and writes get, what clocks do.
// A life is a list of them. Each stands in one line of text, so that a life can be kept, cut short and pasted into a test; none
// draws anything by chance, so that the others mean the same when one is left out.

/// One thing that happens.
public enum Action: Equatable, Sendable {
  /// A client connects, with a number of its own.
  case connect(Int, Manner)
  /// It sends a request, an event that is no request, or an answer to what it was asked first.
  case request(Int, method: String, params: String)
  case notify(Int, params: String)
  case answer(Int, members: String)
  /// It never answers what it was asked first.
  case forget(Int)
  /// It sends one of `Babble.lines`.
  case babble(Int, Int)
  /// It stops in the middle of a line; it sends no more; it is gone.
  case breakOff(Int)
  case halfClose(Int)
  case vanish(Int)
  /// So many bytes of it reach the service; it reads so many.
  case deliver(Int, bytes: Int)
  case read(Int, bytes: Int)
  /// One of the messages between threads arrives; the ways between threads are counted.
  case mail(Int)
  /// Nanoseconds go by, and all mail arrives; without mail; or all at once, as if the machine had slept.
  case pass(Int64)
  case tick(Int64)
  case jump(Int64)
  /// The wall clock is set, by microseconds.
  case setWallClock(Int64)
  /// The config is read again.
  case configure(connections: Int, queueBytes: Int)
  /// The file of a plugin has changed.
  case pluginFile(String)
  /// A thread's disk carries out its step, or fails after some bytes.
  case disk(Int)
  case diskFails(Int, after: Int)
  /// One of the processes of headers that have something to say goes on, and up to so many bytes of it arrive.
  case speak(Int, bytes: Int)
  /// One of the processes comes to its end in one of its next orders.
  case doom(Int, Doom)
  /// So many processes cannot be started.
  case startsFail(Int)
  /// The daemon ends in order, or its power is cut; it begins again with so many threads.
  case restart(shards: Int)
  case powerCut(shards: Int, chance: UInt64)

  /// How a client connects: how its subscriptions read, the room of its socket, and as which user.
  public struct Manner: Equatable, Sendable {
    var isGapFree = false
    var room = 20_000
    var user = 0
  }

  /// The client that does it.
  var client: Int? {
    switch self {
    case .connect(let client, _), .request(let client, _, _), .notify(let client, _), .answer(let client, _),
      .forget(let client), .babble(let client, _), .breakOff(let client), .halfClose(let client), .vanish(let client),
      .deliver(let client, _), .read(let client, _):
      client
    default: nil
    }
  }
}

/// Lines that cannot be read.
enum Babble {
  static let lines = [
    "{\"id\":", "[1,2]", "nonsense", "{\"id\":1,\"method\":\"p\u{1}\"}",
    "{\"id\":1,\"method\":\"ping\",\"params\":{\"x\":\"\(String(repeating: "x", count: 6100))\"}}",
  ]
}

// MARK: - As text

extension Action: CustomStringConvertible {
  /// One line.
  public var description: String {
    switch self {
    case .connect(let client, let manner):
      "connect \(client) \(manner.isGapFree ? "every" : "latest") \(manner.room) \(manner.user)"
    case .request(let client, let method, let params): "request \(client) \(method) \(params)"
    case .notify(let client, let params): "notify \(client) \(params)"
    case .answer(let client, let members): "answer \(client) \(members)"
    case .forget(let client): "forget \(client)"
    case .babble(let client, let line): "babble \(client) \(line)"
    case .breakOff(let client): "breakOff \(client)"
    case .halfClose(let client): "halfClose \(client)"
    case .vanish(let client): "vanish \(client)"
    case .deliver(let client, let bytes): "deliver \(client) \(bytes)"
    case .read(let client, let bytes): "read \(client) \(bytes)"
    case .mail(let way): "mail \(way)"
    case .pass(let time): "pass \(time)"
    case .tick(let time): "tick \(time)"
    case .jump(let time): "jump \(time)"
    case .setWallClock(let time): "setWallClock \(time)"
    case .configure(let connections, let bytes): "configure \(connections) \(bytes)"
    case .pluginFile(let name): "pluginFile \(name)"
    case .disk(let shard): "disk \(shard)"
    case .diskFails(let shard, let bytes): "diskFails \(shard) \(bytes)"
    case .speak(let process, let bytes): "speak \(process) \(bytes)"
    case .doom(let process, let doom): "doom \(process) \(doom.orders) \(doom.bytes) \(doom.fate)"
    case .startsFail(let count): "startsFail \(count)"
    case .restart(let shards): "restart \(shards)"
    case .powerCut(let shards, let chance): "powerCut \(shards) \(chance)"
    }
  }

  /// Reads a line.
  init(_ line: Substring) throws(UnreadableScript) {
    var words = Words(line)
    let verb = words.text()
    switch verb {
    case "connect":
      let client = try words.number()
      let isGapFree = words.text() == "every"
      self = .connect(client, Manner(isGapFree: isGapFree, room: try words.number(), user: try words.number()))
    case "request": self = .request(try words.number(), method: words.text(), params: words.rest)
    case "notify": self = .notify(try words.number(), params: words.rest)
    case "answer": self = .answer(try words.number(), members: words.rest)
    case "forget": self = .forget(try words.number())
    case "babble": self = .babble(try words.number(), try words.number())
    case "breakOff": self = .breakOff(try words.number())
    case "halfClose": self = .halfClose(try words.number())
    case "vanish": self = .vanish(try words.number())
    case "deliver": self = .deliver(try words.number(), bytes: try words.number())
    case "read": self = .read(try words.number(), bytes: try words.number())
    default: self = try Self.around(verb, &words)
    }
  }

  /// What no client does.
  private static func around(_ verb: String, _ words: inout Words) throws(UnreadableScript) -> Action {
    switch verb {
    case "mail": .mail(try words.number())
    case "pass": .pass(Int64(try words.number()))
    case "tick": .tick(Int64(try words.number()))
    case "jump": .jump(Int64(try words.number()))
    case "setWallClock": .setWallClock(Int64(try words.number()))
    case "configure": .configure(connections: try words.number(), queueBytes: try words.number())
    case "pluginFile": .pluginFile(words.text())
    case "disk": .disk(try words.number())
    case "diskFails": .diskFails(try words.number(), after: try words.number())
    case "speak": .speak(try words.number(), bytes: try words.number())
    case "doom": .doom(try words.number(), try doom(&words))
    case "startsFail": .startsFail(try words.number())
    case "restart": .restart(shards: try words.number())
    case "powerCut": .powerCut(shards: try words.number(), chance: UInt64(try words.number()))
    default: throw words.error
    }
  }

  private static func doom(_ words: inout Words) throws(UnreadableScript) -> Doom {
    let (orders, bytes) = (try words.number(), try words.number())
    guard let fate = Doom.Fate(rawValue: words.text()) else { throw words.error }
    return Doom(orders: orders, bytes: bytes, fate: fate)
  }
}

/// The words of a line, one after the other.
private struct Words {
  private let line: Substring
  private var left: Substring

  init(_ line: Substring) { (self.line, left) = (line, line) }

  var error: UnreadableScript { UnreadableScript(line: String(line)) }

  mutating func text() -> String {
    let word = left.prefix { $0 != " " }
    left = left[word.endIndex...].drop { $0 == " " }
    return String(word)
  }

  mutating func number() throws(UnreadableScript) -> Int {
    guard let number = Int(text()) else { throw error }
    return number
  }

  var rest: String { String(left) }
}

/// A line of a script that is none.
public struct UnreadableScript: Error {
  let line: String
}

/// A whole life: how it begins, and what happens.
public struct Script: Equatable, Sendable, CustomStringConvertible {
  /// How many threads the daemon begins with.
  public var shards: Int
  /// When inputs count as safe.
  public var durability: String
  /// The plugins whose headers are in processes.
  public var isolated: [String]
  /// What happens.
  public var actions: [Action]

  init(shards: Int, durability: String, isolated: [String] = []) {
    (self.shards, self.durability, self.isolated, actions) = (shards, durability, isolated, [])
  }

  /// Reads the lines that `description` writes; empty ones say nothing.
  public init(_ text: String) throws(UnreadableScript) {
    let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
    let head = (lines.first ?? "").split(separator: " ").map(String.init)
    guard head.count >= 3, head[0] == "begin", let shards = Int(head[1]) else {
      throw UnreadableScript(line: String(lines.first ?? ""))
    }
    (self.shards, durability, isolated, actions) = (shards, head[2], Array(head.dropFirst(3)), [])
    for line in lines.dropFirst() { actions.append(try Action(line)) }
  }

  /// One line for the beginning, and one for each action.
  public var description: String {
    let head = ["begin", String(shards), durability] + isolated
    return ([head.joined(separator: " ")] + actions.map(\.description)).joined(separator: "\n")
  }

  /// As a test in Swift, to be pasted into Tests/Simulation/SimulationTests.
  public func test(named name: String) -> String {
    let lines = description.split(separator: "\n").map { "      \($0)" }.joined(separator: "\n")
    return """
        @Test func \(name)() throws {
          let script = try Script(
            #\"""
      \(lines)
            \"""#)
          #expect(try Simulation.complaints(of: script).isEmpty)
        }
      """
  }
}
