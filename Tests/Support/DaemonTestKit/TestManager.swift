// SPDX-License-Identifier: MIT
//
// A service manager for one daemon: it listens, hands the socket over, and receives what it is told (sd_listen_fds(3),
// sd_notify(3)). It shares no code with the daemon.

internal import Foundation

/// What systemd is to a daemon with a .socket unit and Type=notify.
public final class TestManager {
  /// Where everything lies.
  public let folder: TemporaryFolder
  /// The path of the socket that is handed over.
  public let socket: String
  private let listener: Int32
  private let receiver: Int32
  private let name: String

  /// Listens; nothing is started yet.
  /// - Parameter isAbstract: the daemon is told a name of no file.
  public init(plugins: [String] = ["ShyNavBar"], isAbstract: Bool = false) throws {
    folder = try TemporaryFolder()
    try RunningDaemon.providePlugins(plugins, in: folder)
    socket = folder("handed.sock")
    name = isAbstract ? "@headerd-test-\(folder.path)" : folder("notify")
    listener = try Self.bound(SOCK_STREAM, to: socket)
    guard listen(listener, 4096) == 0 else { throw TestFailure("listen: \(errnoText())") }
    receiver = try Self.bound(SOCK_DGRAM, to: name)
  }

  deinit {
    close(listener)
    close(receiver)
  }

  private static func bound(_ kind: __socket_type, to name: String) throws -> Int32 {
    let descriptor = Glibc.socket(AF_UNIX, Int32(kind.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(name.utf8)
    if name.hasPrefix("@") { bytes[0] = 0 }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let status = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sa_family_t>.size + bytes.count))
      }
    }
    guard status == 0 else { throw TestFailure("bind \(name): \(errnoText())") }
    return descriptor
  }

  /// Starts headerd with the socket.
  /// - Parameters:
  ///   - process: the LISTEN_PID that it finds; nil: its own.
  ///   - environment: further variables; they win.
  public func start(
    _ arguments: [String] = [], process: String? = nil, environment: [String: String] = [:]
  ) throws -> ChildProcess {
    let variables = [
      "HEADERD_PLUGIN_PATH": folder("plugins"), "XDG_CONFIG_HOME": folder("none"), "XDG_RUNTIME_DIR": folder.path,
      "NOTIFY_SOCKET": name, "LISTEN_FDS": "1", "LISTEN_FDNAMES": "headerd.socket",
    ]
    // The shell's number stays the daemon's.
    return try ChildProcess(
      "/bin/sh",
      ["-c", "export LISTEN_PID=\(process ?? "$$"); exec \"$0\" \"$@\"", "\(TestFiles.prefix)/bin/headerd"] + arguments,
      environment: inherited.merging(variables) { $1 }.merging(environment) { $1 }, handed: [listener])
  }

  /// The next thing that it is told, as its lines; nil when nothing comes in time.
  public func told(within seconds: Double = watchdogSeconds) -> [String]? {
    var entry = pollfd(fd: receiver, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&entry, 1, Int32(seconds * 1000)) == 1 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe recv(receiver, &bytes, bytes.count, 0)
    return String(decoding: bytes[..<max(0, count)], as: UTF8.self).components(separatedBy: "\n")
  }
}
