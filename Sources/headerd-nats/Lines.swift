// SPDX-License-Identifier: MIT
//
// Unix sockets as the bridge knows them: the daemon's, in lines, and clients', in pieces.

internal import EventLoop
internal import NatsBridge

/// A connection to the daemon, cut into lines.
final class DaemonConnection: LineStream, StreamOwner {
  private var stream: Box<UnixStream>?
  private weak var owner: (any DaemonOwner)?
  private var rest: [UInt8] = []
  private let ended_: () -> Void

  /// - Parameter ended: called once, when the connection has ended for any reason.
  init(to path: String, on loop: Loop, owner: any DaemonOwner, ended: @escaping () -> Void) {
    self.owner = owner
    ended_ = ended
    do throws(UVError) {
      let stream = try UnixStream(connectingTo: path, on: loop)
      stream.owner = self
      stream.resumeReading()
      self.stream = Box(stream)
    } catch {
      // Reported later, like a missing listener, since the owner does not have this stream yet.
      stream = nil
    }
  }

  func write(_ bytes: [UInt8]) { stream?.value.write(bytes) }
  var queuedBytes: Int { stream?.value.queuedBytes ?? 0 }

  func setReading(_ isOn: Bool) {
    if isOn { stream?.value.resumeReading() } else { stream?.value.pauseReading() }
  }

  func close() {
    owner = nil
    stream?.value.close()
    stream = nil
    ended_()
  }

  func received(_ bytes: RawSpan) {
    var lines: [[UInt8]] = []
    unsafe bytes.withUnsafeBytes { bytes in
      var left = unsafe bytes[...]
      while let end = unsafe left.firstIndex(of: 0x0A) {
        var line = rest
        unsafe line.append(contentsOf: left[..<end])
        rest = []
        unsafe left = left[(end + 1)...]
        if !line.isEmpty { lines.append(line) }
      }
      unsafe rest.append(contentsOf: left)
    }
    for line in lines { owner?.received(line) }
  }

  func ended() { closed(nil) }
  func hungUp() {}
  func drained() {}

  func closed(_ reason: UVError?) {
    let owner = owner
    close()
    owner?.daemonIsGone()
  }
}

final class ClientConnection: LineStream, StreamOwner {
  private var stream: Box<UnixStream>?
  private let loop: Loop
  var session: ClientSession?
  private let gone: (ClientConnection) -> Void

  init(_ stream: consuming UnixStream, on loop: Loop, gone: @escaping (ClientConnection) -> Void) {
    self.loop = loop
    self.gone = gone
    self.stream = Box(stream)
  }

  func begin(_ session: ClientSession) {
    self.session = session
    stream?.value.owner = self
    stream?.value.resumeReading()
  }

  func write(_ bytes: [UInt8]) { stream?.value.write(bytes) }
  var queuedBytes: Int { stream?.value.queuedBytes ?? 0 }

  func setReading(_ isOn: Bool) {
    if isOn { stream?.value.resumeReading() } else { stream?.value.pauseReading() }
  }

  /// Closes behind the written output.
  func close() {
    guard stream != nil else { return }
    session = nil
    stream?.value.closeWhenWritten()
  }

  func received(_ bytes: RawSpan) { session?.received(bytes, at: loop.now) }
  func ended() { session?.end() }
  func hungUp() {}
  func drained() { session?.drained() }

  func closed(_ reason: UVError?) {
    session?.end()
    stream = nil
    gone(self)
  }
}
