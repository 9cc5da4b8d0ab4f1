// SPDX-License-Identifier: MIT
//
// A client of the daemon that shares no code with it: a blocking Unix socket, lines, and Foundation's JSON. Reading waits
// for bytes with a watchdog; nothing here sleeps.

internal import Foundation

/// One connection.
public final class WireClient {
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var begin = 0
  private var lastID = 0
  /// Notifications that came while an answer was waited for, in order.
  public var notifications: [JSON] = []

  /// Connects.
  /// - Parameter waits: where the daemon accepts nobody for now, waits for room among those who wait to be accepted.
  public init(_ path: String, waits: Bool = true) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard descriptor >= 0, bytes.count < room else { throw TestFailure("no socket for \(path)") }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    if !waits { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
    let answer = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard answer == 0 else { throw TestFailure("connect \(path): \(errnoText())") }
    _ = fcntl(descriptor, F_SETFL, 0)
    var timeout = timeval(tv_sec: Int(watchdogSeconds), tv_usec: 0)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  // MARK: - Writing

  /// Writes text as it is.
  public func write(_ text: String) throws { try write(Array(text.utf8)) }

  /// Writes bytes as they are.
  public func write(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes[sent...].withUnsafeBytes {
        unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw TestFailure("send: \(errnoText())") }
      sent += count
    }
  }

  /// Writes what the socket takes at once and gives how much that was.
  public func writeWhatFits(_ bytes: [UInt8]) -> Int {
    let flags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
    return max(0, unsafe bytes.withUnsafeBytes { unsafe send(descriptor, $0.baseAddress, $0.count, flags) })
  }

  /// Sends no more; answers still come.
  public func closeWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Lets a small socket buffer fill up soon.
  public func shrinkReceiveBuffer() {
    var size: Int32 = 4096
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
  }

  // MARK: - Reading

  /// The next line, waited for.
  /// - Returns: nil when the connection ended; bytes without a line's end are `unfinished` then.
  public func line() throws -> String? { try line(until: monotonic() + watchdogSeconds) }

  /// The same until a time of the monotonic clock: somebody who waits for an end is sent pings meanwhile.
  private func line(until deadline: Double) throws -> String? {
    while true {
      if let line = bufferedLine() { return line }
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = unsafe poll(&entry, 1, millisecondsLeft(until: deadline))
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { throw TestFailure("no line within \(watchdogSeconds) s") }
      guard try fill() else { return nil }
    }
  }

  /// What came before the end without being a whole line.
  public var unfinished: String { String(decoding: buffer[begin...], as: UTF8.self) }

  private func bufferedLine() -> String? {
    guard let end = buffer[begin...].firstIndex(of: 0x0A) else { return nil }
    let line = String(decoding: buffer[begin..<end], as: UTF8.self)
    begin = end + 1
    if begin > 1 << 20 || begin == buffer.count {
      buffer.removeFirst(begin)
      begin = 0
    }
    return line
  }

  /// Reads once; false at the end.
  private func fill() throws -> Bool {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
    if count < 0, errno == ECONNRESET { return false }
    guard count >= 0 else { throw TestFailure("recv: \(errnoText())") }
    buffer += chunk[..<count]
    return count > 0
  }

  /// The next so many bytes, waited for: of a connection that speaks frames.
  public func bytes(_ count: Int) throws -> [UInt8] {
    let deadline = monotonic() + watchdogSeconds
    while buffer.count - begin < count {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = unsafe poll(&entry, 1, millisecondsLeft(until: deadline))
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { throw TestFailure("no \(count) bytes within \(watchdogSeconds) s") }
      guard try fill() else { throw TestFailure("the connection ended") }
    }
    defer { begin += count }
    return Array(buffer[begin..<begin + count])
  }

  /// The next frame, its first eight bytes included.
  public func frame() throws -> [UInt8] {
    let head = try bytes(8)
    let size = (0..<4).reduce(0) { $0 | Int(head[$1]) << (8 * $1) }
    return head + (try bytes(max(0, size - 8)))
  }

  /// All lines until the connection ends.
  public func linesToTheEnd() throws -> [String] {
    let deadline = monotonic() + watchdogSeconds
    var lines: [String] = []
    while let line = try line(until: deadline) { lines.append(line) }
    return lines
  }

  /// The next message.
  public func message() throws -> JSON { try message(until: monotonic() + watchdogSeconds) }

  private func message(until deadline: Double) throws -> JSON {
    guard let line = try line(until: deadline) else { throw TestFailure("the connection ended") }
    return try JSON(line)
  }

  /// Lines up to the answer to a ping that is sent now: everything that was under way before it.
  /// - Returns: the lines without that answer, and whether the connection ended instead.
  public func settle() throws -> (lines: [String], ended: Bool) {
    // A connection that the daemon has ended refuses the ping; what it said before still comes.
    try? write("{\"id\":\"~\",\"method\":\"ping\"}\n")
    let deadline = monotonic() + watchdogSeconds
    var lines: [String] = []
    while let line = try line(until: deadline) {
      if line.contains("\"id\":\"~\"") { return (lines, false) }
      lines.append(line)
    }
    return (lines, true)
  }

  /// The same as bytes, for crowds: what came before the answer to a ping that is sent now, when nothing can come behind it.
  public func settledBytes() throws -> [UInt8] {
    try write("{\"id\":\"~\",\"method\":\"ping\"}\n")
    let deadline = monotonic() + watchdogSeconds
    let mark = Array("{\"jsonrpc\":\"2.0\",\"id\":\"~\"".utf8)
    while true {
      // The answer is short: it is looked for at the end alone.
      let tail = buffer[max(begin, buffer.count - 200)...]
      if tail.last == 0x0A, let start = tail.indices.last(where: { tail[$0...].starts(with: mark) }) {
        let bytes = Array(buffer[begin..<start])
        buffer.removeAll(keepingCapacity: true)
        begin = 0
        return bytes
      }
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = unsafe poll(&entry, 1, millisecondsLeft(until: deadline))
      if ready < 0, errno == EINTR { continue }
      guard ready > 0, try fill() else { throw TestFailure("no answer to a ping within \(watchdogSeconds) s") }
    }
  }

  // MARK: - Requests

  /// Sends a request and waits for its answer; notifications that come before it are kept.
  public func request(_ method: String, _ params: String = "{}") throws -> JSON {
    lastID += 1
    let id = lastID
    try write("{\"id\":\(id),\"method\":\"\(method)\",\"params\":\(params)}\n")
    let deadline = monotonic() + watchdogSeconds
    while true {
      let message = try message(until: deadline)
      if message["id"].int == id { return message }
      notifications.append(message)
    }
  }

  /// The same, which must have a result.
  public func result(_ method: String, _ params: String = "{}") throws -> JSON {
    let answer = try request(method, params)
    guard !answer["result"].isAbsent else { throw TestFailure("\(method) \(params) was refused: \(answer.text)") }
    return answer["result"]
  }

  /// The same, which must be refused.
  public func refusal(_ method: String, _ params: String = "{}") throws -> JSON {
    let answer = try request(method, params)
    guard !answer["error"].isAbsent else { throw TestFailure("\(method) \(params) was not refused: \(answer.text)") }
    return answer["error"]
  }

  /// The next notification of a method, from those that are kept or by waiting; others are dropped.
  public func notification(_ method: String, where test: (JSON) -> Bool = { _ in true }) throws -> JSON {
    let deadline = monotonic() + watchdogSeconds
    while true {
      let next = notifications.isEmpty ? try message(until: deadline) : notifications.removeFirst()
      if next["method"].string == method, test(next["params"]) { return next["params"] }
    }
  }
}

/// A JSON value, looked into by names and indexes; what is not there is absent, and so is everything in it.
public struct JSON: CustomStringConvertible {
  private let value: Any?
  /// The line that it was read from.
  public let text: String

  /// Reads a text.
  public init(_ text: String) throws {
    self.text = text
    value = try JSONSerialization.jsonObject(with: Data(text.utf8), options: [.fragmentsAllowed])
  }

  private init(value: Any?, in text: String) {
    self.value = value
    self.text = text
  }

  /// A member of an object.
  public subscript(_ name: String) -> JSON { JSON(value: (value as? [String: Any])?[name], in: text) }
  /// An element of a list.
  public subscript(_ index: Int) -> JSON {
    let list = value as? [Any] ?? []
    return JSON(value: list.indices.contains(index) ? list[index] : nil, in: text)
  }

  /// Whether there is nothing; null is something.
  public var isAbsent: Bool { value == nil }
  /// A number, as an integer.
  public var int: Int? { (value as? NSNumber)?.intValue }
  /// A number.
  public var double: Double? { (value as? NSNumber)?.doubleValue }
  /// A bool.
  public var bool: Bool? { (value as? NSNumber)?.boolValue }
  /// A text.
  public var string: String? { value as? String }
  /// The names of an object's members, sorted.
  public var keys: [String] { (value as? [String: Any])?.keys.sorted() ?? [] }
  /// The elements of a list; none when it is no list.
  public var list: [JSON] { (value as? [Any] ?? []).map { JSON(value: $0, in: text) } }
  /// The texts in a list.
  public var strings: [String] { list.compactMap(\.string) }
  /// The value as JSON with sorted names.
  public var description: String {
    guard let value,
      let data = try? JSONSerialization.data(
        withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes])
    else { return "absent" }
    return String(decoding: data, as: UTF8.self)
  }
}
