// SPDX-License-Identifier: MIT
//
// Whether a request or a departure costs more than linear in what it concerns. Each operation is done once in services of
// 100, 1,000 and 10,000 headers with 1 and 10 subscribers to all of them, and of 100 and 1,000 headers with 100, under callgrind,
// which counts its instructions; then neighboring sizes are compared:
//
//     what the operation concerns grows by 10   its instructions may grow by 13
//     what it does not concern grows by 10      its instructions may grow by 1.6: hash tables grow, caches are filled
//
// Counts do not depend on the machine's speed, so that a quadratic removal (100 for 10) is found on any.

import Clocks
import CountedAllocations
import Fanout
import Glibc
import HeaderHost
import HeaderModel
import HeaderService
import HeaderWire
import PluginHost

enum Growth {
  /// What is done, and whether its work is to grow with the headers and with the subscribers.
  struct Operation: Sendable {
    var name: String
    var concernsHeaders: Bool
    var concernsSubscribers: Bool
  }

  static let operations = [
    Operation(name: "open", concernsHeaders: false, concernsSubscribers: true),
    Operation(name: "event", concernsHeaders: false, concernsSubscribers: true),
    Operation(name: "close", concernsHeaders: false, concernsSubscribers: true),
    Operation(name: "list", concernsHeaders: true, concernsSubscribers: false),
    Operation(name: "stats", concernsHeaders: false, concernsSubscribers: true),
    Operation(name: "subscribe", concernsHeaders: true, concernsSubscribers: false),
    Operation(name: "unsubscribe", concernsHeaders: true, concernsSubscribers: false),
    Operation(name: "leave", concernsHeaders: true, concernsSubscribers: false),
    Operation(name: "reload", concernsHeaders: true, concernsSubscribers: true),
    Operation(name: "publisherLeaves", concernsHeaders: true, concernsSubscribers: true),
    Operation(name: "allLeave", concernsHeaders: true, concernsSubscribers: true),
  ]

  static let headerCounts = [100, 1_000, 10_000]
  static let subscriberCounts = [1, 10, 100]
  /// All but the largest of both, which would take as long as all others together and compares nothing that they do not.
  static let sizes = headerCounts.flatMap { headers in
    subscriberCounts.filter { headers * $0 < 1_000_000 }.map { Size(headers: headers, subscribers: $0) }
  }

  // MARK: - One size, in a process of its own

  /// Does each operation at one size.
  /// - Parameter size: `HEADERSxSUBSCRIBERS`.
  static func runCell(_ size: String, _ registry: PluginRegistry) throws -> Int32 {
    let numbers = size.split(separator: "x").compactMap { Int($0) }
    guard numbers.count == 2 else {
      Bench.complain("--growth-cell wants HEADERSxSUBSCRIBERS, got \(size)")
      return 2
    }
    let cell = try Cell(headers: numbers[0], subscribers: numbers[1], registry)
    for operation in operations { cell.count(operation) }
    return 0
  }

  private final class Cell {
    private let surroundings: Surroundings
    private let service: Service
    private let publisher: ConnectionID
    private let guest: ConnectionID
    private var subscribers: [ConnectionID] = []
    private var time: MonotonicTime = 1
    private let description: Value.Record
    private let headers: Int

    init(headers: Int, subscribers count: Int, _ registry: PluginRegistry) throws {
      self.headers = headers
      surroundings = Surroundings(registry)
      var settings = ServiceSettings { 1_763_690_400_000_000 }
      settings.limits.connections = 1_000
      settings.limits.headers = 20_000
      service = Service(settings: settings, plugins: surroundings, output: surroundings, log: surroundings)
      guard case .record(let record) = try Workload.description(Workload.shyNavBar) else {
        preconditionFailure("a description is a record")
      }
      description = record
      publisher = service.connected(Peer(name: "publisher"), at: 1)
      guest = service.connected(Peer(name: "guest"), at: 1)
      for index in 0..<headers { open("h\(index)") }
      for _ in 0..<count {
        let subscriber = service.connected(Peer(name: "subscriber"), at: 1)
        send(#"{"method":"subscribe","params":{"headers":"**","mode":"every"}}"#, subscriber)
        subscribers.append(subscriber)
      }
      for index in 0..<headers { scroll("h\(index)", 12) }
      finish()
      precondition(surroundings.complaints == 0, "the service took everything")
    }

    /// Does an operation with its instructions counted.
    func count(_ operation: Operation) {
      prepare(operation)
      finish()
      callgrind_begin()
      perform(operation)
      finish()
      unsafe operation.name.withCString { unsafe callgrind_end($0) }
    }

    private func prepare(_ operation: Operation) {
      switch operation.name {
      case "leave": send(#"{"method":"subscribe","params":{"headers":"**","mode":"every"}}"#, guest)
      case "stats":
        // The first one pays for what the operations before it have freed.
        perform(operation)
      default: break
      }
    }

    private func perform(_ operation: Operation) {
      switch operation.name {
      case "open": for index in 0..<16 { open("more\(index)") }
      case "event": for step in 1...16 { scroll("h\(step)", 12 + Double(step)) }
      case "close":
        for index in 0..<16 { send(#"{"method":"header.close","params":{"header":"more\#(index)"}}"#, publisher) }
      case "list": send(#"{"id":1,"method":"header.list"}"#, guest)
      case "stats": send(#"{"id":1,"method":"stats"}"#, guest)
      case "subscribe": send(#"{"id":1,"method":"subscribe","params":{"headers":"**","mode":"every"}}"#, guest)
      case "unsubscribe": send(#"{"id":1,"method":"unsubscribe","params":{"subscription":1}}"#, guest)
      case "leave": service.disconnected(guest)
      case "reload": send(#"{"id":1,"method":"plugin.reload","params":{"plugin":"ShyNavBar"}}"#, publisher)
      case "publisherLeaves": service.disconnected(publisher)
      case "allLeave": for subscriber in subscribers { service.disconnected(subscriber) }
      default: preconditionFailure("there is no operation \(operation.name)")
      }
    }

    /// Lets the service do what it put off: a subscription to many headers begins over several turns.
    private func finish() { while service.nextWake == time { service.tick(at: time) } }

    private func open(_ name: String) {
      var params = description
      params["header"] = .text(name)
      var writer = JSONWriter()
      writer.value(["method": "header.open", "params": .record(params)])
      send(writer.copy(), publisher)
    }

    private func scroll(_ name: String, _ y: Double) {
      send(
        #"{"method":"event","params":{"header":"\#(name)","event":"didScroll","time":\#(y),"offset":{"y":\#(y)}}}"#,
        publisher)
    }

    private func send(_ text: String, _ connection: ConnectionID) { send(Array(text.utf8), connection) }

    private func send(_ bytes: [UInt8], _ connection: ConnectionID) {
      service.received(unsafe (bytes + [10]).span.bytes, from: connection, at: time)
    }
  }

  // MARK: - All sizes

  /// Instructions by operation, then by size.
  typealias Counts = [String: [Size: Int]]

  struct Size: Hashable, CustomStringConvertible {
    var headers: Int
    var subscribers: Int
    var description: String { "\(headers)x\(subscribers)" }
  }

  /// Counts all sizes, prints them and what grows too fast.
  /// - Returns: 0; 1 when something grows too fast or cannot be counted.
  static func run(program: String, plugins: String) -> Int32 {
    var counts: Counts = [:]
    for size in sizes {
      guard let cell = callgrind(size, program, plugins), cell.count == operations.count else {
        Bench.complain("\(size): callgrind did not count it; is valgrind installed?")
        return 1
      }
      for (name, count) in cell { counts[name, default: [:]][size] = count }
    }
    print(table(counts))
    let complaints = operations.flatMap { tooFast($0, counts[$0.name] ?? [:]) }
    for complaint in complaints { Bench.complain(complaint) }
    return complaints.isEmpty ? 0 : 1
  }

  /// Where an operation's instructions grow faster than what it concerns.
  private static func tooFast(_ operation: Operation, _ counts: [Size: Int]) -> [String] {
    var complaints: [String] = []
    func compare(_ small: Size, _ large: Size, _ isConcerned: Bool, _ what: String) {
      guard let before = counts[small], let after = counts[large] else { return }
      let (growth, bound) = (Double(after) / Double(before), isConcerned ? 13.0 : 1.6)
      guard growth > bound else { return }
      complaints.append(
        "\(operation.name): from \(small) to \(large) its instructions grow by \((growth * 10).rounded() / 10), "
          + "ten times the \(what) allow \(bound)")
    }
    for (small, large) in zip(headerCounts, headerCounts.dropFirst()) {
      for subscribers in subscriberCounts {
        compare(
          Size(headers: small, subscribers: subscribers), Size(headers: large, subscribers: subscribers),
          operation.concernsHeaders, "headers")
      }
    }
    for (small, large) in zip(subscriberCounts, subscriberCounts.dropFirst()) {
      for headers in headerCounts {
        compare(
          Size(headers: headers, subscribers: small), Size(headers: headers, subscribers: large),
          operation.concernsSubscribers, "subscribers")
      }
    }
    return complaints
  }

  private static func table(_ counts: Counts) -> String {
    var lines = ["| thousand instructions | \(sizes.map(\.description).joined(separator: " | ")) |"]
    lines.append("|---|" + String(repeating: "---:|", count: sizes.count))
    for operation in operations {
      let row = sizes.map { size in counts[operation.name]?[size].map { String($0 / 1000) } ?? "–" }
      lines.append("| \(operation.name) | \(row.joined(separator: " | ")) |")
    }
    return lines.joined(separator: "\n")
  }

  /// Runs one size under callgrind and reads its dumps: one file for each operation.
  private static func callgrind(_ size: Size, _ program: String, _ plugins: String) -> [String: Int]? {
    var template = Array("/tmp/headerd-growth-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { return nil }
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let names = (1...operations.count).map { "\(folder)/counts.\($0)" } + ["\(folder)/counts"]
    defer {
      for name in names { unsafe unlink(name) }
      unsafe rmdir(folder)
    }
    let output = Measuring.valgrind([
      "--tool=callgrind", "--instr-atstart=no", "--callgrind-out-file=\(folder)/counts", program, "--plugins", plugins,
      "--growth-cell", size.description,
    ])
    guard output != nil else { return nil }
    var counts: [String: Int] = [:]
    for name in names.dropLast() {
      guard let (operation, count) = dump(name) else { return nil }
      counts[operation] = count
    }
    return counts
  }

  /// `desc: Trigger: Client Request: NAME` and `totals: COUNT` of a dump.
  private static func dump(_ path: String) -> (String, Int)? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe read(file, &chunk, chunk.count)
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    var found: (name: String?, count: Int?)
    for line in bytes.split(separator: 10) {
      let text = String(decoding: line, as: UTF8.self)
      if text.hasPrefix("desc: Trigger: Client Request: ") { found.name = String(text.dropFirst(31)) }
      if text.hasPrefix("totals: ") { found.count = Int(text.dropFirst(8)) }
    }
    guard let name = found.name, let count = found.count else { return nil }
    return (name, count)
  }
}
