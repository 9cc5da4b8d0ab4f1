// SPDX-License-Identifier: MIT
//
// The bridge's own connection to its daemon: all states of all headers, recordings of those that are owned here, and requests.

internal import Clocks
internal import HeaderModel
internal import HeaderWire
internal import Realm

final class OwnerLink {
  private unowned let bridge: RealmBridge
  private var stream: (any LineStream)?
  private var requests: [Int: (Value?) -> Void] = [:]
  private var lastRequest = 0
  private(set) var isUp = false
  private var retryAt: MonotonicTime = 0
  /// Header names by recording number, and the current recording of each header.
  private var headers: [Int: String] = [:]
  private var recordings: [String: Int] = [:]
  /// A ping is under way. `barriers` wait for it, and later ones for the next.
  private var isPinging = false
  private var barriers: [() -> Void] = []

  var recordedCount: Int { recordings.count }

  private static let pause: Int64 = 200_000_000

  init(_ bridge: RealmBridge) { self.bridge = bridge }

  func tick(at now: MonotonicTime) {
    guard stream == nil, now >= retryAt else { return }
    retryAt = now + Self.pause
    stream = bridge.host.connectDaemon(self)
    ask("hello", ["client": "headerd-nats"]) { [unowned self] hello in
      guard let hello else { return }
      for role in ["publish", "subscribe", "tune", "admin"] {
        if case .list(let roles)? = hello["roles"], roles.contains(.text(role)) { continue }
        bridge.host.log("roleMissing", [("role", role)])
      }
      if let traces = hello["limits"]?["traces"]?.wholeNumber { bridge.maxRecordings(Int(clamping: traces)) }
    }
    ask("subscribe", ["headers": "**", "mode": "every"]) { [unowned self] answer in
      guard answer != nil else { return }
      isUp = true
      bridge.linkChanged(isUp: true)
    }
  }

  func close() { stream?.close() }

  // MARK: - Requests

  /// Calls back with nil if the request was refused, or the connection ended.
  func ask(_ method: String, _ params: Value.Record, _ body: @escaping (Value?) -> Void) {
    lastRequest += 1
    guard let stream else { return body(nil) }
    requests[lastRequest] = body
    let request: Value = [
      "id": .number(Double(lastRequest)), "method": .text(method), "params": .record(params),
    ]
    stream.write(request.jsonBytes + [0x0A])
  }

  /// Calls back once everything that the daemon has sent so far, on any connection, was received here.
  func barrier(_ body: @escaping () -> Void) {
    barriers.append(body)
    if !isPinging { ping() }
  }

  private func ping() {
    let waiting = barriers
    barriers = []
    isPinging = true
    ask("ping", [:]) { [unowned self] _ in
      isPinging = false
      for body in waiting { body() }
      if !barriers.isEmpty, !isPinging { ping() }
    }
  }

  /// Begins a recording, or starts it anew.
  func record(_ header: String) {
    ask("trace.start", ["header": .text(header)]) { [unowned self] answer in
      guard let number = answer?["trace"]?.wholeNumber else {
        return bridge.recordingFailed(header, "trace.start is refused; limits.traces is to be twice the headers")
      }
      headers[Int(clamping: number)] = header
    }
  }

  private func end(_ number: Int) {
    headers[number] = nil
    ask("trace.stop", ["trace": .number(Double(number))]) { _ in }
  }
}

extension OwnerLink: DaemonOwner {
  func received(_ line: [UInt8]) {
    switch DaemonLine(line) {
    case .state(let header, let epoch, let seq): bridge.state(header, epoch: epoch, seq: seq, line: line)
    case .closed(let header):
      if let number = recordings.removeValue(forKey: header) { headers[number] = nil }
      bridge.closed(header)
    case .trace(let number, let kind, let content): trace(number, kind, line, content)
    case .answer(let id):
      guard let number = Int(String(decoding: id, as: UTF8.self)), let body = requests.removeValue(forKey: number)
      else {
        return
      }
      let answer = json(line)
      if let error = answer?["error"], case .text(let text)? = error["message"] {
        bridge.host.log("daemonRefuses", [("reason", text)])
      }
      body(answer?["result"])
    case .other: break
    }
  }

  private func trace(_ number: Int, _ kind: DaemonLine.TraceKind, _ line: [UInt8], _ content: Range<Int>) {
    guard let header = headers[number] else { return }
    switch kind {
    case .beginning:
      let old = recordings.updateValue(number, forKey: header)
      bridge.snapshot(header, [0x7B] + line[content] + [0x7D])
      if let old { end(old) }
    case .step: if recordings[header] == number { bridge.step(header, Array(line[content])) }
    case .end:
      headers[number] = nil
      guard recordings[header] == number else { return }
      recordings[header] = nil
      switch json(line)?["params"]?["ended"] {
      case "overflow": bridge.recordingFailed(header, "the recording overflowed")
      case "restarted": bridge.recordingFailed(header, "the header has begun a new epoch")
      // A header that was closed has nothing more to record.
      default: break
      }
    }
  }

  func daemonIsGone() {
    stream?.close()
    stream = nil
    let waiting = Array(requests.values)
    (requests, headers, recordings, isPinging) = ([:], [:], [:], false)
    if isUp {
      isUp = false
      bridge.linkChanged(isUp: false)
    }
    for body in waiting { body(nil) }
  }
}
