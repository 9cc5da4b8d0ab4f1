// SPDX-License-Identifier: MIT
//
// JetStream's interface is messages: a request with a reply subject, answered in JSON. All of it is asynchronous here; a request that is
// not answered in time has an unknown outcome.
//
//     publish with Nats-Expected-Last-Subject-Sequence     {"stream":…,"seq":17}, or an error
//     $JS.API.DIRECT.GET.STREAM                            the message, its number in a header
//     $JS.API.CONSUMER.CREATE.STREAM                       messages, each with how many are pending behind it

internal import Clocks
internal import HeaderModel
internal import HeaderWire
internal import Realm

final class JetStream {
  /// A message of a stream.
  struct Stored {
    var number: UInt64
    var subject: String
    var bytes: [UInt8]
  }

  private struct Request {
    var deadline: MonotonicTime
    /// Gets the answer; nil: none came.
    var body: (BusMessage?) -> Void
  }

  /// Messages of a stream as they come.
  private final class Reading {
    var messages: [Stored] = []
    var isOver = false
    var isKnown = false
    var deadline: MonotonicTime
    let stream: String
    var consumer: String?
    let done: ([Stored]?) -> Void

    init(_ stream: String, deadline: MonotonicTime, done: @escaping ([Stored]?) -> Void) {
      (self.stream, self.deadline, self.done) = (stream, deadline, done)
    }
  }

  private unowned let bus: any Bus
  private let inbox: String
  private var requests: [Int: Request] = [:]
  private var readings: [Int: Reading] = [:]
  private var lastRequest = 0
  /// The bridge's clock.
  var now: MonotonicTime = 0

  /// The header that makes a message one that is kept behind another alone.
  static let expectation = "Nats-Expected-Last-Subject-Sequence"
  /// Nanoseconds until a request counts as unanswered.
  static let timeout: Int64 = 500_000_000

  init(_ bus: any Bus, inbox: String) {
    self.bus = bus
    self.inbox = inbox
  }

  /// What answers are sent to.
  var subject: String { "\(inbox).*" }
  /// Whether requests are open.
  var isWaiting: Bool { !requests.isEmpty }

  // MARK: - Requests

  func request(
    _ subject: String, _ bytes: [UInt8], headers: [(name: String, value: String)] = [],
    timeout: Int64 = JetStream.timeout, _ body: @escaping (BusMessage?) -> Void
  ) {
    lastRequest += 1
    requests[lastRequest] = Request(deadline: now + timeout, body: body)
    bus.publish(bytes, to: subject, reply: "\(inbox).\(lastRequest)", headers: headers)
  }

  /// A message to `subject`.
  func received(_ message: BusMessage) {
    guard let number = Int(message.subject.dropFirst(inbox.utf8.count + 1)) else { return }
    guard let request = requests.removeValue(forKey: number) else { return }
    request.body(message.headers["Status"] == "503" ? nil : message)
  }

  /// Takes a message of a stream, which has the stream's subject; false: it belongs to another subscription.
  func received(_ message: BusMessage, subscription: Int) -> Bool {
    guard let reading = readings[subscription] else { return false }
    take(message, reading, subscription)
    return true
  }

  /// Ends requests that were not answered in time.
  func tick() {
    for (number, request) in requests where request.deadline <= now {
      requests[number] = nil
      request.body(nil)
    }
    for (number, reading) in readings where reading.deadline <= now {
      forget(number)
      reading.done(nil)
    }
  }

  // MARK: - Streams

  /// Keeps a message if the one before it on its subject is that of a number.
  func put(_ subject: String, _ bytes: [UInt8], expecting: UInt64, _ body: @escaping (Answer) -> Void) {
    let headers = [(name: Self.expectation, value: String(expecting))]
    request(subject, bytes, headers: headers) { message in
      guard let message, case .record(let record)? = json(message.bytes) else { return body(.unknown) }
      if let number = record["seq"]?.wholeNumber, record["error"] == nil { return body(.stored(UInt64(number))) }
      guard case .text(let reason)? = record["error"]?["description"] else { return body(.unknown) }
      // 10071: wrong last sequence.
      body(record["error"]?["err_code"] == .number(10_071) ? .conflict : .refused(reason))
    }
  }

  /// Gets the last message of a subject; number 0: there is none; nil: no answer came.
  func last(_ subject: String, in stream: String, _ body: @escaping (LastMessage?) -> Void) {
    let query: Value = ["last_by_subj": .text(subject)]
    request("$JS.API.DIRECT.GET.\(stream)", query.jsonBytes) { message in
      guard let message else { return body(nil) }
      if message.headers["Status"] == "404" { return body(LastMessage()) }
      guard let number = message.headers["Nats-Sequence"].flatMap({ UInt64($0) }) else { return body(nil) }
      body(LastMessage(number: number, bytes: message.bytes))
    }
  }

  /// Reads a stream's messages on some subjects; nil: it could not be read.
  /// - Parameter first: the number to begin with; nil: the last message of each subject.
  func read(_ subjects: String, in stream: String, from first: UInt64?, _ body: @escaping ([Stored]?) -> Void) {
    lastRequest += 1
    let inbox = "\(inbox).read.\(lastRequest)"
    guard let number = bus.subscribe(inbox, wantsHeaders: false) else { return body(nil) }
    let reading = Reading(stream, deadline: now + 2 * Self.timeout, done: body)
    readings[number] = reading
    var config: Value.Record = [
      "ack_policy": "none", "replay_policy": "instant", "deliver_subject": .text(inbox),
      "filter_subject": .text(subjects), "inactive_threshold": .number(5_000_000_000), "mem_storage": true,
      "num_replicas": 1,
    ]
    config["deliver_policy"] = .text(first == nil ? "last_per_subject" : "by_start_sequence")
    config["opt_start_seq"] = first.map { .number(Double($0)) }
    let query: Value = ["stream_name": .text(stream), "config": .record(config)]
    request("$JS.API.CONSUMER.CREATE.\(stream)", query.jsonBytes) { [self] message in
      guard let message, let answer = json(message.bytes), case .text(let name)? = answer["name"],
        let pending = answer["num_pending"]?.wholeNumber
      else {
        if readings[number] != nil {
          forget(number)
          body(nil)
        }
        return
      }
      reading.isKnown = true
      reading.consumer = name
      if pending == 0, reading.messages.isEmpty { reading.isOver = true }
      finish(reading, number)
    }
  }

  private func take(_ message: BusMessage, _ reading: Reading, _ number: Int) {
    // $JS.ACK.STREAM.CONSUMER.DELIVERED.NUMBER.NUMBER.TIME.PENDING; with a domain there are two tokens more, and one behind.
    let tokens = message.reply?.split(separator: ".") ?? []
    let place = tokens.count >= 11 ? 7 : 5
    guard tokens.count >= 9, let stored = UInt64(tokens[place]), let pending = UInt64(tokens[place + 3]) else { return }
    reading.deadline = now + 2 * Self.timeout
    reading.messages.append(Stored(number: stored, subject: message.subject, bytes: message.bytes))
    if pending == 0 { reading.isOver = true }
    finish(reading, number)
  }

  private func finish(_ reading: Reading, _ number: Int) {
    guard reading.isOver, reading.isKnown, readings[number] != nil else { return }
    forget(number)
    if let consumer = reading.consumer { request("$JS.API.CONSUMER.DELETE.\(reading.stream).\(consumer)", []) { _ in } }
    reading.done(reading.messages)
  }

  private func forget(_ number: Int) {
    readings[number] = nil
    bus.unsubscribe(number)
  }

  /// Makes a stream, or changes it to be so.
  func make(_ config: Value.Record, name: String, _ body: @escaping (String?) -> Void) {
    let bytes = Value.record(config).jsonBytes
    // Making files takes a while.
    request("$JS.API.STREAM.CREATE.\(name)", bytes, timeout: 10 * Self.timeout) { [self] reply in
      guard let problem = Self.problem(reply) else { return body(nil) }
      guard problem.code == 10_058 else { return body(problem.text) }
      // There is one of that name that differs.
      request("$JS.API.STREAM.UPDATE.\(name)", bytes, timeout: 10 * Self.timeout) { body(Self.problem($0)?.text) }
    }
  }

  private static func problem(_ message: BusMessage?) -> (code: Int, text: String)? {
    guard let message, let answer = json(message.bytes) else { return (0, "JetStream does not answer") }
    guard let error = answer["error"] else { return nil }
    guard case .text(let text)? = error["description"] else { return (0, "JetStream refuses") }
    return (error["err_code"]?.wholeNumber.map { Int(clamping: $0) } ?? 0, text)
  }
}

// MARK: - JSON

func json(_ bytes: [UInt8]) -> Value? { try? JSONReader.document(bytes) }

/// A message with changes to a record in it. One without that record stays as it is.
func changing(_ name: String, of line: [UInt8], _ body: (inout Value.Record) -> Void) -> [UInt8] {
  guard case .record(var message)? = json(line), case .record(var record)? = message[name] else { return line }
  body(&record)
  message[name] = .record(record)
  return Value.record(message).jsonBytes
}

extension Value {
  subscript(name: String) -> Value? {
    if case .record(let record) = self { record[name] } else { nil }
  }

  /// The texts of a list; nil: it is none.
  var texts: [String]? {
    guard case .list(let list) = self else { return nil }
    return list.compactMap { if case .text(let text) = $0 { text } else { nil } }
  }
}
