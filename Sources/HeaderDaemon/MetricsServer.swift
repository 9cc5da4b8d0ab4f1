// SPDX-License-Identifier: MIT
//
// Serves the counters over HTTP/1.1 on sockets of their own: `GET /metrics`, one answer a connection, to every client that may connect.
// Input, connections and their time are bounded.

internal import Clocks
internal import EventLoop
internal import HeaderConfig
private import Posix

final class MetricsServer {
  private let loop: Loop
  /// Asked for the text, which comes later.
  private let gather: (@escaping (String) -> Void) -> Void
  private var local: UnixListener?
  private var loopback: UnixListener?
  private var connections: [ObjectIdentifier: MetricsConnection] = [:]
  private let timer: EventLoop.Timer

  private static let most = 16
  /// How long a connection may take, nanoseconds.
  static let patience: Int64 = 5_000_000_000

  /// Listens at the places that the config gives.
  init(
    _ settings: Config.Metrics, mode: UInt32, on loop: Loop, _ gather: @escaping (@escaping (String) -> Void) -> Void
  ) throws(StartupError) {
    self.loop = loop
    self.gather = gather
    timer = EventLoop.Timer(on: loop)
    timer.fired = { [unowned self] in self.clear() }
    if let path = settings.path { local = try Self.listen(on: path, mode: mode, loop) }
    if settings.port > 0 { loopback = try Self.listen(on: settings.port, loop) }
    local?.accepted = { [unowned self] in self.accept($0) }
    loopback?.accepted = { [unowned self] in self.accept($0) }
  }

  private static func listen(on path: String, mode: UInt32, _ loop: Loop) throws(StartupError) -> UnixListener {
    do {
      switch try UnixListener.inspect(path: path) {
      case .free: break
      case .stale: try removeFile(path)
      case .answering, .occupied:
        throw StartupError(message: "metrics.path: \(path) is there already, and in use or no socket")
      }
      return try UnixListener(path: path, mode: mode, on: loop)
    } catch let error as StartupError {
      throw error
    } catch {
      throw StartupError(message: "metrics.path: \(error)")
    }
  }

  private static func listen(on port: Int, _ loop: Loop) throws(StartupError) -> UnixListener {
    guard let address = InternetAddress("127.0.0.1") else { preconditionFailure("127.0.0.1 is an address") }
    do {
      return try UnixListener(adopting: try Posix.listen(on: address, port: UInt16(clamping: port)), on: loop)
    } catch let error as SocketRefusal {
      throw StartupError(message: "metrics.port: 127.0.0.1:\(port): \(error.call): \(error.error.text)")
    } catch {
      throw StartupError(message: "metrics.port: 127.0.0.1:\(port): \(error)")
    }
  }

  /// Ends it; its file is removed.
  func close() {
    timer.disarm()
    local?.removeFile()
    local = nil
    loopback = nil
    connections = [:]
  }

  private func accept(_ stream: consuming UnixStream) {
    clear()
    guard connections.count < Self.most else { return }
    let connection = MetricsConnection(stream, since: loop.now)
    connection.answer = { [gather] asking in gather { [weak asking] text in asking?.send(text) } }
    connections[ObjectIdentifier(connection)] = connection
    connection.start()
    timer.arm(at: loop.now + Self.patience)
  }

  /// Lets go of those that are over, and of those that take too long.
  private func clear() {
    connections = connections.filter { !$0.value.isOver && loop.now - $0.value.since < Self.patience }
    if !connections.isEmpty { timer.arm(at: loop.now + Self.patience / 5) }
  }
}

/// A connection that asks for metrics once.
private final class MetricsConnection: StreamOwner {
  let since: MonotonicTime
  var answer: (MetricsConnection) -> Void = { _ in }
  private(set) var isOver = false
  private let stream: UnixStream
  private var input: [UInt8] = []
  private var hasAsked = false
  private var wantsBody = true

  private static let longest = 8_192

  init(_ stream: consuming UnixStream, since: MonotonicTime) {
    self.stream = stream
    self.since = since
    self.stream.owner = self
  }

  func start() { stream.resumeReading() }

  func received(_ bytes: RawSpan) {
    guard !hasAsked else { return }
    unsafe bytes.withUnsafeBytes { unsafe input += $0.prefix(Self.longest - input.count) }
    let lines = input.filter { $0 != 0x0D }.split(separator: 0x0A, omittingEmptySubsequences: false)
    // An empty line ends the request. Bytes behind the last line end are no line yet.
    guard let first = lines.first, lines.dropLast().contains(where: \.isEmpty) else {
      if input.count >= Self.longest { refuse("431 Request Header Fields Too Large") }
      return
    }
    hasAsked = true
    let words = String(decoding: first, as: UTF8.self).split(separator: " ")
    guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { return refuse("400 Bad Request") }
    guard words[0] == "GET" || words[0] == "HEAD" else { return refuse("405 Method Not Allowed") }
    wantsBody = words[0] == "GET"
    guard ["/metrics", "/"].contains(words[1].prefix { $0 != "?" }) else { return refuse("404 Not Found") }
    answer(self)
  }

  func send(_ text: String) {
    reply("200 OK", "application/openmetrics-text; version=1.0.0; charset=utf-8", text)
  }

  private func refuse(_ status: String) {
    hasAsked = true
    reply(status, "text/plain; charset=utf-8", status + "\n")
  }

  private func reply(_ status: String, _ type: String, _ body: String) {
    let head =
      "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n"
    stream.write(Array((wantsBody ? head + body : head).utf8))
    stream.closeWhenWritten()
  }

  func ended() { if !hasAsked { isOver = true } }
  func hungUp() { isOver = true }
  func drained() {}
  func closed(_ reason: UVError?) { isOver = true }
}
