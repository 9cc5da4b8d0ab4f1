// SPDX-License-Identifier: MIT
//
// One WebSocket and its connection to the daemon. Bytes go from one to the other; an end that does not read stops the other one:
//
//     the page does not read      `send` says so ─▶ the daemon's stream is not read ─▶ its queue for us fills, and the daemon
//                                 does as with any slow subscriber (newest state, or a gap) ─▶ until `writable`
//     the daemon does not read    its stream has more than `maxQueued` ─▶ the page is not read, until `drained`
//     the page sends too much     it is not read for a while

internal import Clocks
internal import EventLoop
internal import Fanout
internal import HeaderConfig
internal import HeaderWire
internal import WebBridge
internal import WebSockets

/// Carries one page's bytes.
final class Page {
  private let encoding: WebEncoding
  private let path: String
  private let loop: Loop
  private let hasEnded: (Page, String?) -> Void
  private var socket: WebSocket?
  private var stream: Box<UnixStream>?
  /// Drops messages that the page's roles do not permit; nil: the page has all roles.
  private var filter: Box<RoleFilter>?
  private var lines = WholeLines()
  private var allowance: MessageAllowance
  private var pause: Box<Timer>?
  private var isChoked = false
  private var isPaused = false
  private var isDaemonBehind = false
  private var daemonEnded = false

  /// Bytes that may wait for the daemon before the page has to.
  private static let maxQueued = 65_536
  /// Bytes of a message that is read here; the daemon's own `limits.lineBytes` is in force where it is lower, as it is by default.
  private static let maxMessage = 1 << 20
  private static let newline: [UInt8] = [0x0A]

  /// - Parameter hasEnded: called once, with the reason if it was not the page that ended it.
  init(
    _ roles: Roles, name: String, _ encoding: WebEncoding, socket path: String, limits: WebConfig.Limits, on loop: Loop,
    hasEnded: @escaping (Page, String?) -> Void
  ) {
    self.encoding = encoding
    self.path = path
    self.loop = loop
    self.hasEnded = hasEnded
    allowance = MessageAllowance(perSecond: limits.messagesPerSecond, now: loop.now)
    if roles != .all {
      filter = Box(
        RoleFilter(
          roles, name: name, encoding: encoding == .lines ? .lines : .frames, limit: Self.maxMessage))
    }
  }

  func endForShutdown() { finish(code: 1001, "headerd-web stops", isOurs: false) }

  // MARK: - The end

  /// - Parameter isOurs: whether the log has it.
  private func finish(code: UInt32, _ reason: String, isOurs: Bool = true) {
    guard let socket else { return }
    socket.end(code: code, reason: reason)
    letGo(isOurs ? reason : nil)
  }

  private func letGo(_ reason: String?) {
    socket = nil
    stream?.value.close()
    stream = nil
    pause = nil
    hasEnded(self, reason)
  }

  // MARK: - Reading the page

  private func updateReading() {
    // Forbidden messages are answered here, and the answers wait, too.
    let refusalsWait = isChoked && filter != nil
    socket?.setReading(!isPaused && !isDaemonBehind && !refusalsWait)
  }

  private func countMessage() {
    let now = loop.now
    let wait = allowance.take(at: now)
    guard wait > 0, !isPaused else { return }
    isPaused = true
    let timer = Timer(on: loop)
    timer.fired = { [unowned self] in
      isPaused = false
      updateReading()
    }
    timer.arm(at: now + wait)
    pause = Box(timer)
    updateReading()
  }

  private func forward(_ bytes: [UInt8]) {
    stream?.value.write(bytes)
    noteQueued()
  }

  private func noteQueued() {
    guard let stream, stream.value.queuedBytes > Self.maxQueued, !isDaemonBehind else { return }
    isDaemonBehind = true
    updateReading()
  }

  private func forwardFiltered(_ bytes: RawSpan, _ filter: Box<RoleFilter>) {
    do throws(RoleFilter.Ending) {
      let result = try filter.value.read(bytes)
      if !result.permitted.isEmpty { forward(result.permitted) }
      if !result.refusals.isEmpty { noteChoked(socket?.send(result.refusals)) }
    } catch {
      finish(code: 1008, error.message)
    }
  }

  // MARK: - Writing to the page

  private func noteChoked(_ wasTaken: Bool?) {
    guard wasTaken == false, !isChoked else { return }
    isChoked = true
    stream?.value.pauseReading()
    updateReading()
  }
}

// MARK: - The page

extension Page: WebSocketOwner {
  func opened(_ socket: WebSocket) {
    self.socket = socket
    do throws(UVError) {
      let stream = try UnixStream(connectingTo: path, on: loop)
      stream.owner = self
      stream.resumeReading()
      self.stream = Box(stream)
    } catch {
      finish(code: 1011, "no daemon: \(error.text)")
    }
  }

  func received(_ bytes: RawSpan, isLast: Bool) {
    // The end of a message is the end of its line, whether the page wrote one or not; an empty line is nothing.
    let endsLine = isLast && encoding == .lines
    if let filter {
      forwardFiltered(bytes, filter)
      if endsLine { forwardFiltered(unsafe Self.newline.span.bytes, filter) }
    } else {
      stream?.value.write(bytes)
      if endsLine { stream?.value.write(Self.newline) }
      noteQueued()
    }
    if isLast { countMessage() }
  }

  func writable() {
    guard isChoked else { return }
    isChoked = false
    updateReading()
    if daemonEnded { return finish(code: 1013, "the daemon ended the connection") }
    stream?.value.resumeReading()
  }

  func closed() { letGo(nil) }
}

// MARK: - The daemon

extension Page: StreamOwner {
  func received(_ bytes: RawSpan) {
    switch encoding {
    case .frames: noteChoked(socket?.send(bytes))
    case .lines: lines.forEachPiece(in: bytes) { noteChoked(socket?.send($0)) }
    }
  }

  func ended() {
    daemonEnded = true
    if !isChoked { finish(code: 1013, "the daemon ended the connection", isOurs: false) }
  }

  /// The daemon has closed; its last messages are on their way to the page.
  func hungUp() {}

  func drained() {
    guard isDaemonBehind else { return }
    isDaemonBehind = false
    updateReading()
  }

  func closed(_ reason: UVError?) {
    finish(code: 1013, "no daemon: \(reason?.text ?? "it ended the connection")")
  }
}
