// SPDX-License-Identifier: MIT
//
// One connection of a page, and the one callback of libwebsockets.
//
// Writing: a message goes to the kernel at once. If the kernel does not take all of it, lws keeps the rest, and `send` says so: the owner
// sends nothing more until `writable`. So a page that does not read holds at most one message here.
//
// The object is held by lws's connection (its opaque user data), from `adopt` until LWS_CALLBACK_WSI_DESTROY.

internal import CWebSockets

/// The owner of a WebSocket.
public protocol WebSocketOwner: AnyObject {
  /// The WebSocket is open.
  func opened(_ socket: WebSocket)
  /// A piece of a message, the last one of it or not; valid during the call.
  func received(_ bytes: RawSpan, isLast: Bool)
  /// The kernel has taken the rest of the output.
  func writable()
  /// The page has closed the connection. Not called after our own `end`.
  func closed()
}

/// A page's connection.
@safe public final class WebSocket {
  /// The address of the page.
  public let address: String
  private unowned let server: WebServer
  fileprivate var wsi: OpaquePointer?
  fileprivate var owner: (any WebSocketOwner)?
  fileprivate var encoding = WebEncoding.lines
  private var isReading = true
  /// The bytes to send at the end, empty once they are sent.
  private var farewell: [UInt8]?

  init(address: String, server: WebServer) {
    self.address = address
    self.server = server
  }

  /// Sends one message.
  /// - Returns: false if the kernel did not take all of it: send nothing more before `writable`.
  public func send(_ bytes: RawSpan) -> Bool {
    guard let wsi = unsafe wsi, farewell == nil else { return true }
    switch unsafe server.send(bytes, to: wsi, encoding) {
    case true?: return true
    case false?:
      _ = unsafe lws_callback_on_writable(wsi)
      return false
    case nil:
      unsafe web_kill(wsi)
      return true
    }
  }

  /// Sends an array as one message.
  public func send(_ bytes: [UInt8]) -> Bool { send(unsafe bytes.span.bytes) }

  /// Stops or resumes reading; what has been read may still arrive.
  public func setReading(_ reads: Bool) {
    guard let wsi = unsafe wsi, reads != isReading else { return }
    isReading = reads
    _ = unsafe lws_rx_flow_control(wsi, reads ? 1 : 0)
  }

  /// Ends the connection behind what was sent; a page that does not read is given three seconds.
  /// - Parameters:
  ///   - code: a status code of RFC 6455, such as 1001.
  ///   - reason: at most 123 bytes are sent.
  public func end(code: UInt32, reason: String) {
    guard let wsi = unsafe wsi, farewell == nil else { return }
    farewell = [UInt8(truncatingIfNeeded: code >> 8), UInt8(truncatingIfNeeded: code)] + reason.utf8.prefix(123)
    owner = nil
    // The page's answer comes behind its earlier messages, which are read and dropped.
    setReading(true)
    if unsafe lws_partial_buffered(wsi) == 0 { unsafe sayFarewell(wsi) }
    unsafe web_kill_after(wsi, 3)
  }

  /// Sends the frame that closes; the page's own one then ends the connection. (This version's `lws_close_reason` is not sent
  /// where the callback that follows it ends the connection.)
  private func sayFarewell(_ wsi: OpaquePointer) {
    guard let bytes = farewell, !bytes.isEmpty else { return }
    farewell = []
    unsafe server.write(bytes, to: wsi, web_write_close)
    // The library waits in its own way for the answer.
    unsafe web_kill_after(wsi, 3)
  }

  // MARK: - What lws reports

  fileprivate func established(_ wsi: OpaquePointer) {
    unsafe self.wsi = wsi
    owner?.opened(self)
  }

  fileprivate func becameWritable(_ wsi: OpaquePointer) {
    if unsafe lws_partial_buffered(wsi) != 0 {
      _ = unsafe lws_callback_on_writable(wsi)
    } else if farewell != nil {
      unsafe sayFarewell(wsi)
    } else {
      owner?.writable()
    }
  }

  /// The page closes, or answers our closing.
  /// - Returns: whether nothing more is to be said: lws would answer an answer.
  fileprivate func isClosing() -> Bool { farewell != nil }

  fileprivate func isOver() {
    unsafe wsi = nil
    let last = owner
    owner = nil
    last?.closed()
  }

  fileprivate func isDestroyed() {
    isOver()
    server.owner.connectionEnded(from: address)
  }

  /// Decides about a page that asks for a WebSocket.
  /// - Returns: the callback's result: 0 admits it, -1 ends the connection.
  fileprivate func upgrade(_ wsi: OpaquePointer) -> Int32 {
    let (status, reason) = unsafe verdict(wsi)
    if status == 0 { return 0 }
    // lws has no answer of its own here: its lws_return_http_status would send the body after the connection's end.
    let answer =
      "HTTP/1.1 \(status) Refused\r\ncontent-type: text/plain\r\ncontent-length: \(reason.utf8.count)\r\n"
      + "connection: close\r\n\r\n\(reason)"
    unsafe server.write(Array(answer.utf8), to: wsi, LWS_WRITE_HTTP)
    return -1
  }

  private func verdict(_ wsi: OpaquePointer) -> (status: UInt32, reason: String) {
    guard unsafe header(WSI_TOKEN_GET_URI, of: wsi) == WebServer.path else {
      return (404, "WebSockets are at \(WebServer.path)")
    }
    let offered = unsafe (header(WSI_TOKEN_PROTOCOL, of: wsi) ?? "").split(separator: ",").map {
      $0.drop { $0 == " " }
    }
    // lws takes the first of ours that the page knows.
    guard let (_, encoding) = WebServer.encodings.first(where: { offered.contains(Substring($0.name)) }) else {
      return (400, "the subprotocol is headerd.json or headerd.binary")
    }
    self.encoding = encoding
    guard let origin = unsafe origin(of: wsi) else { return (400, "an origin has less than 1,024 bytes") }
    let request = unsafe WebRequest(
      origin: origin.isEmpty ? nil : origin, token: token(of: wsi), address: address, encoding: encoding)
    switch server.owner.admit(request) {
    case .refused(let status, let reason): return (status, reason)
    case .admitted(let owner):
      self.owner = owner
      return (0, "")
    }
  }

  /// Empty: it is no browser; nil: it cannot be read, so that it is not one of those that may connect.
  private func origin(of wsi: OpaquePointer) -> String? {
    unsafe lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN) > 0 ? header(WSI_TOKEN_ORIGIN, of: wsi) : ""
  }

  private func header(_ name: lws_token_indexes, of wsi: OpaquePointer) -> String? {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1024) { buffer in
      let count = unsafe lws_hdr_copy(wsi, buffer.baseAddress, Int32(buffer.count), name)
      guard count > 0 else { return nil }
      // The whole buffer is decoded, since text may follow a NUL.
      return unsafe String(decoding: UnsafeRawBufferPointer(buffer).prefix(Int(count)), as: UTF8.self)
    }
  }

  private func token(of wsi: OpaquePointer) -> String? {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer in
      guard let start = unsafe lws_get_urlarg_by_name(wsi, "token=", buffer.baseAddress, Int32(buffer.count)) else {
        return nil
      }
      return unsafe String(cString: start)
    }
  }
}

// MARK: - The callback

/// Calls `body` with the connection's object, if it is one that was adopted.
private func withSocket<Result>(_ wsi: OpaquePointer?, _ body: (WebSocket) -> Result) -> Result? {
  guard let data = unsafe lws_get_opaque_user_data(wsi) else { return nil }
  return unsafe Unmanaged<WebSocket>.fromOpaque(data)._withUnsafeGuaranteedRef { body($0) }
}

let webCallback:
  @convention(c) (OpaquePointer?, lws_callback_reasons, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, Int) ->
    Int32 = { wsi, reason, user, input, length in
      guard let wsi = unsafe wsi else { return 0 }
      switch reason {
      case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return unsafe withSocket(wsi) { unsafe $0.upgrade(wsi) } ?? -1
      case LWS_CALLBACK_ESTABLISHED:
        unsafe withSocket(wsi) { unsafe $0.established(wsi) }
      case LWS_CALLBACK_RECEIVE:
        let bytes = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(start: input, count: length))
        let isLast = unsafe lws_is_final_fragment(wsi) != 0 && lws_remaining_packet_payload(wsi) == 0
        unsafe withSocket(wsi) { $0.owner?.received(bytes, isLast: isLast) }
      case LWS_CALLBACK_SERVER_WRITEABLE:
        unsafe withSocket(wsi) { unsafe $0.becameWritable(wsi) }
      case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        return unsafe withSocket(wsi) { $0.isClosing() } == true ? -1 : 0
      case LWS_CALLBACK_CLOSED:
        unsafe withSocket(wsi) { $0.isOver() }
      case LWS_CALLBACK_WSI_DESTROY:
        unsafe withSocket(wsi) { $0.isDestroyed() }
        if let data = unsafe lws_get_opaque_user_data(wsi) {
          unsafe lws_set_opaque_user_data(wsi, nil)
          unsafe Unmanaged<WebSocket>.fromOpaque(data).release()
        }
      default:
        return unsafe lws_callback_http_dummy(wsi, reason, user, input, length)
      }
      return 0
    }
