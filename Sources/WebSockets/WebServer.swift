// SPDX-License-Identifier: MIT
//
// libwebsockets on our loop: files over HTTP, and WebSockets. No other room uses an `lws_` name.
//
//     accepted socket ──adopt──▶ lws ──a file──▶ answered from the folder of pages
//                                 ╰──a WebSocket──▶ WebServerOwner.admit ──▶ WebSocketOwner
//
// lws has no listeners here: the owner accepts connections and hands them over (`adopt`), so that addresses, activation by a service
// manager and bounds are ours. (With a listener of its own this version listens on all interfaces where it is asked for 127.0.0.1.)
//
// A server's memory is freed only with its loop, so a process makes one server.

internal import CWebSockets
public import EventLoop

/// How messages are written in a WebSocket; each is a subprotocol.
public enum WebEncoding: Sendable {
  /// JSON lines, whole ones, in text messages: `headerd.json`.
  case lines
  /// The binary encoding, cut anywhere, in binary messages: `headerd.binary`.
  case frames
}

/// A page's request to connect.
public struct WebRequest: Sendable {
  /// The page's origin; nil: not a browser.
  public var origin: String?
  /// The `token` of the address.
  public var token: String?
  /// The address that the page connects from.
  public var address: String
  /// The encoding that the page has chosen.
  public var encoding: WebEncoding
}

/// The decision about a page that connects.
public enum WebVerdict {
  /// The page is served by this owner.
  case admitted(any WebSocketOwner)
  /// The page is refused with an HTTP status, and why.
  case refused(status: UInt32, reason: String)
}

/// Decides which pages may connect.
public protocol WebServerOwner: AnyObject {
  /// Decides about a page that connects.
  func admit(_ request: WebRequest) -> WebVerdict
  /// A connection that was adopted has ended.
  func connectionEnded(from address: String)
}

/// Serves files and WebSockets.
@safe public final class WebServer {
  /// The settings of a server.
  public struct Settings: Sendable {
    /// A folder of files; nil: none are served.
    public var pages: String?
    /// Headers of all answers, name and value.
    public var headers: [(name: String, value: String)] = []
    /// Files of a certificate and its key, in PEM; nil: no TLS.
    public var tls: (certificate: String, key: String)?
    /// Connections that there may be at once: each may be in the middle of a request.
    public var connections = 4096
    /// Seconds without a word until a page is pinged; it ends after as many again.
    public var idlePing: UInt16 = 30

    /// Nothing is served but WebSockets.
    public init() {}
  }

  /// The error when libwebsockets did not start, with its log.
  public struct StartError: Error {
    /// The error in words.
    public let message: String
  }

  /// The path of WebSockets.
  public static let path = "/socket"

  unowned let owner: any WebServerOwner
  private let memory = Strings()
  private var context: OpaquePointer?
  private var vhost: OpaquePointer?
  /// lws wants room before the bytes to send.
  private let output: UnsafeMutableRawBufferPointer
  private static let maxOutput = 65_536
  /// Seconds that a request may take to come.
  private static let requestSeconds: UInt32 = 3

  /// Makes a server on a loop.
  public init(_ settings: Settings, on loop: Loop, owner: any WebServerOwner) throws(StartError) {
    self.owner = owner
    unsafe output = .allocate(byteCount: Int(web_head_size) + Self.maxOutput, alignment: 16)
    WebLog.begin()
    try open(settings, loop)
  }

  private func open(_ settings: Settings, _ loop: Loop) throws(StartError) {
    var info = unsafe lws_context_creation_info()
    unsafe info.port = web_no_listener
    unsafe info.options = web_uv | web_explicit_vhosts | (settings.tls == nil ? 0 : web_tls)
    unsafe info.foreign_loops = memory.keep(Optional(loop.foreign), count: 1)
    unsafe info.uid = -1
    unsafe info.gid = -1
    unsafe info.user = Unmanaged.passUnretained(self).toOpaque()
    // Memory of a request is made when one begins.
    unsafe info.max_http_header_pool2 = UInt32(clamping: settings.connections)
    unsafe info.timeout_secs = Self.requestSeconds
    unsafe info.timeout_secs_ah_idle = Self.requestSeconds
    unsafe info.protocols = UnsafePointer(protocols())
    unsafe context = lws_create_context(&info)
    guard unsafe context != nil else { throw StartError(message: WebLog.take()) }
    unsafe info.retry_and_idle_policy = memory.policy(settings.idlePing)
    unsafe info.headers = headers(settings.headers)
    unsafe info.mounts = mounts(settings.pages)
    unsafe info.server_string = memory.text("headerd-web")
    // A WebSocket within HTTP/2 would be a connection inside another one, which has neither address nor bound of its own.
    unsafe info.alpn = memory.text("http/1.1")
    if let tls = settings.tls {
      unsafe info.ssl_cert_filepath = memory.text(tls.certificate)
      unsafe info.ssl_private_key_filepath = memory.text(tls.key)
    }
    unsafe vhost = lws_create_vhost(context, &info)
    guard unsafe vhost != nil else {
      unsafe lws_context_destroy(context)
      throw StartError(message: WebLog.take())
    }
  }

  deinit { unsafe output.deallocate() }

  /// Serves a connection that was accepted; the descriptor is the server's from the call on.
  /// - Returns: false if it could not be taken; then `connectionEnded` is not called.
  public func adopt(_ descriptor: Int32, from address: String) -> Bool {
    guard let wsi = unsafe lws_adopt_socket_vhost(vhost, descriptor) else { return false }
    let socket = WebSocket(address: address, server: self)
    unsafe lws_set_opaque_user_data(wsi, Unmanaged.passRetained(socket).toOpaque())
    return true
  }

  /// Ends all connections. The loop then runs until nothing is left, and closes.
  public func close() {
    guard let context = unsafe context else { return }
    unsafe self.context = nil
    unsafe lws_context_destroy(context)
  }

  // MARK: - Sending

  /// Hands one message to a connection.
  /// - Returns: nil if the connection has ended, else whether the kernel took all of it.
  func send(_ bytes: RawSpan, to wsi: OpaquePointer, _ encoding: WebEncoding) -> Bool? {
    let kind = encoding == .lines ? LWS_WRITE_TEXT : LWS_WRITE_BINARY
    return unsafe bytes.withUnsafeBytes { bytes in
      var rest = unsafe bytes[...]
      while unsafe !rest.isEmpty {
        let piece = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(Self.maxOutput))
        let place = unsafe UnsafeMutableRawBufferPointer(rebasing: output[Int(web_head_size)...])
        unsafe place.copyMemory(from: piece)
        let isWhole = piece.count == bytes.count
        let isFirst = unsafe rest.startIndex == bytes.startIndex
        unsafe rest = rest.dropFirst(piece.count)
        let isLast = unsafe rest.isEmpty
        let mode = isWhole ? kind : Self.fragment(kind, isFirst: isFirst, isLast: isLast)
        let start = unsafe place.baseAddress?.assumingMemoryBound(to: UInt8.self)
        if unsafe lws_write(wsi, start, piece.count, mode) < 0 { return nil }
      }
      return unsafe lws_partial_buffered(wsi) == 0
    }
  }

  /// Hands a whole answer of HTTP to a connection, or the frame that closes it.
  func write(_ bytes: [UInt8], to wsi: OpaquePointer, _ kind: lws_write_protocol) {
    let place = unsafe UnsafeMutableRawBufferPointer(rebasing: output[Int(web_head_size)...])
    let count = min(bytes.count, Self.maxOutput)
    unsafe place.copyBytes(from: bytes.prefix(count))
    _ = unsafe lws_write(wsi, place.baseAddress?.assumingMemoryBound(to: UInt8.self), count, kind)
  }

  private static func fragment(_ kind: lws_write_protocol, isFirst: Bool, isLast: Bool) -> lws_write_protocol {
    let bits = lws_write_ws_flags(Int32(kind.rawValue), isFirst ? 1 : 0, isLast ? 1 : 0)
    return lws_write_protocol(UInt32(bitPattern: bits))
  }
}

// MARK: - Settings of lws

extension WebServer {
  static let encodings: [(name: String, encoding: WebEncoding)] = [
    ("headerd.json", .lines), ("headerd.binary", .frames),
  ]

  private func protocols() -> UnsafeMutablePointer<lws_protocols> {
    // The first one is that of HTTP; the last one is empty.
    let names = ["http"] + Self.encodings.map(\.name)
    let list = unsafe memory.keep(lws_protocols(), count: names.count + 1)
    for (index, name) in names.enumerated() {
      unsafe list[index].name = memory.text(name)
      unsafe list[index].callback = webCallback
      unsafe list[index].rx_buffer_size = 16_384
    }
    return unsafe list
  }

  private func headers(_ headers: [(name: String, value: String)]) -> UnsafePointer<lws_protocol_vhost_options>? {
    var next: UnsafePointer<lws_protocol_vhost_options>?
    for (name, value) in headers.reversed() {
      let entry = unsafe memory.keep(lws_protocol_vhost_options(), count: 1)
      unsafe entry.pointee.next = next
      unsafe entry.pointee.name = memory.text(name + ":")
      unsafe entry.pointee.value = memory.text(value)
      unsafe next = UnsafePointer(entry)
    }
    return unsafe next
  }

  private func mounts(_ pages: String?) -> UnsafePointer<lws_http_mount>? {
    guard let pages else { return nil }
    let mount = unsafe memory.keep(lws_http_mount(), count: 1)
    unsafe mount.pointee.mountpoint = memory.text("/")
    unsafe mount.pointee.mountpoint_len = 1
    unsafe mount.pointee.origin = memory.text(pages)
    unsafe mount.pointee.def = memory.text("index.html")
    unsafe mount.pointee.origin_protocol = UInt8(LWSMPRO_FILE.rawValue)
    let type = unsafe memory.keep(lws_protocol_vhost_options(), count: 1)
    unsafe type.pointee.name = memory.text(".toml")
    unsafe type.pointee.value = memory.text("text/plain")
    unsafe mount.pointee.extra_mimetypes = UnsafePointer(type)
    return unsafe UnsafePointer(mount)
  }
}

/// Memory that lws keeps pointers to.
@safe private final class Strings {
  private var kept = unsafe [UnsafeMutableRawPointer]()

  func text(_ text: String) -> UnsafePointer<CChar>? {
    let bytes = text.utf8CString
    let memory = unsafe keep(CChar(0), count: bytes.count)
    for (index, byte) in bytes.enumerated() { unsafe memory[index] = byte }
    return unsafe UnsafePointer(memory)
  }

  func policy(_ seconds: UInt16) -> UnsafePointer<lws_retry_bo_t> {
    let policy = unsafe keep(lws_retry_bo_t(), count: 1)
    unsafe policy.pointee.secs_since_valid_ping = seconds
    unsafe policy.pointee.secs_since_valid_hangup = seconds * 2
    return unsafe UnsafePointer(policy)
  }

  func keep<Value>(_ value: Value, count: Int) -> UnsafeMutablePointer<Value> {
    let memory = UnsafeMutablePointer<Value>.allocate(capacity: count)
    unsafe memory.initialize(repeating: value, count: count)
    unsafe kept.append(UnsafeMutableRawPointer(memory))
    return unsafe memory
  }

  deinit { while let memory = unsafe kept.popLast() { unsafe memory.deallocate() } }
}
