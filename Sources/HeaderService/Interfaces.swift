// SPDX-License-Identifier: MIT
//
// What the service asks of the daemon around it: somewhere to put bytes, somebody who keeps plugins, somebody who writes
// log lines, and a wall clock for epochs. All effects are behind these; the service itself only decides. A test
// implements them in memory and turns the clock by hand.
//
// None of these may call back into the service from inside a call.

public import HeaderCore

/// One connection's number, never used twice; `hello` tells it.
public struct ConnectionID: Hashable, Comparable, Sendable {
  /// 1, 2, 3… in the order of connecting.
  public let number: Int

  /// A connection's number where several services share the headers, and somebody else counts.
  public init(number: Int) { self.number = number }

  /// The left one connected earlier.
  public static func < (left: ConnectionID, right: ConnectionID) -> Bool { left.number < right.number }
}

/// What a connection may do.
public struct Roles: OptionSet, Hashable, Sendable {
  /// One bit a role.
  public var rawValue: UInt8
  /// A set of the roles whose bits are set.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Open headers and send events.
  public static let publish = Roles(rawValue: 1)
  /// Receive states.
  public static let subscribe = Roles(rawValue: 2)
  /// Plugins and recordings.
  public static let admin = Roles(rawValue: 4)
  /// All three.
  public static let all: Roles = [.publish, .subscribe, .admin]

  /// The words for them, in the order of the protocol.
  public var words: [String] {
    [(Roles.publish, "publish"), (.subscribe, "subscribe"), (.admin, "admin")].filter { contains($0.0) }.map(\.1)
  }
}

/// Who is at the other end.
public struct Peer: Equatable, Sendable {
  /// For log lines: `uid=1000 pid=4711`.
  public var name: String
  /// What it may do; the daemon decides it from the peer's user and group.
  public var roles: Roles

  /// Whoever it is, with every role unless told otherwise.
  public init(name: String, roles: Roles = .all) {
    self.name = name
    self.roles = roles
  }
}

/// Where bytes go.
public protocol ServiceOutput: AnyObject {
  /// Takes bytes behind those sent before; they are copied or written before this returns. Never blocks, never refuses.
  func send(_ bytes: RawSpan, to connection: ConnectionID)
  /// Bytes taken and not yet given to the kernel.
  func queuedBytes(of connection: ConnectionID) -> Int
  /// Where a connection's bytes go; asked for once, when it is connected.
  func output(of connection: ConnectionID) -> any ConnectionOutput
  /// Ends a connection once everything that was sent is written; `Service.disconnected` follows when it is gone.
  func close(_ connection: ConnectionID)
}

/// Where one connection's bytes go: looked up once, since states go out by the thousand.
public protocol ConnectionOutput: AnyObject {
  /// As `ServiceOutput.send`.
  func send(_ bytes: RawSpan)
  /// Sends a message if what is queued stays within `bound` bytes with it, or if nothing is queued.
  /// - Parameter owner: keeps the bytes where they are as long as it is held, since they go to others as well; nil: they are
  ///   good for this call.
  /// - Returns: whether there was room for it.
  func offer(_ bytes: RawSpan, lentBy owner: AnyObject?, within bound: Int) -> Bool
  /// As `ServiceOutput.queuedBytes`.
  var queuedBytes: Int { get }
  /// `drained` shall be told once: without this it may be left out while the connection is read from.
  func tellWhenDrained()
}

extension ConnectionOutput {
  /// For those who tell it always.
  public func tellWhenDrained() {}
  /// Takes them as it takes any other bytes.
  public func offer(_ bytes: RawSpan, lentBy owner: AnyObject?, within bound: Int) -> Bool {
    guard hasRoom(for: bytes.byteCount, within: bound) else { return false }
    send(bytes)
    return true
  }
  /// Whether what is queued stays within a bound with so many bytes more, or nothing is queued.
  public func hasRoom(for size: Int, within bound: Int) -> Bool {
    let queued = queuedBytes
    return queued == 0 || queued + size <= bound
  }
}

/// One connection's way into the service: looked up once as well. It is good until the connection is told gone, or the service
/// is let go: it keeps neither.
public protocol ConnectionInput: AnyObject {
  /// As `Service.received`.
  func received(_ bytes: RawSpan, at time: Int64)
  /// As `Service.drained`.
  func drained(at time: Int64)
  /// As `Service.wantsInput`.
  var wantsInput: Bool { get }
}

extension ServiceOutput {
  /// An output that goes the way by number.
  public func output(of connection: ConnectionID) -> any ConnectionOutput { NumberedOutput(self, connection) }
}

/// A connection's output where there is none of its own.
private final class NumberedOutput: ConnectionOutput {
  private unowned let output: any ServiceOutput
  private let connection: ConnectionID

  init(_ output: any ServiceOutput, _ connection: ConnectionID) {
    self.output = output
    self.connection = connection
  }

  func send(_ bytes: RawSpan) { output.send(bytes, to: connection) }
  var queuedBytes: Int { output.queuedBytes(of: connection) }
}

/// A loaded plugin, as `plugin.list` shows it.
public struct PluginEntry: Equatable, Sendable {
  /// Its name, UpperCamelCase: its file's name without `lib` and `.so`.
  public var plugin: String
  /// The plugin's own version.
  public var version: String
  /// The version of the plugin boundary that it was made for: `1.0`.
  public var abi: String
  /// The file that it was loaded from.
  public var path: String
  /// `loaded`.
  public var state: String
  /// What it offers.
  public var behaviors: [BehaviorDescription]

  /// A plugin as its keeper shows it.
  public init(
    plugin: String, version: String, abi: String, path: String, state: String = "loaded",
    behaviors: [BehaviorDescription]
  ) {
    self.plugin = plugin
    self.version = version
    self.abi = abi
    self.path = path
    self.state = state
    self.behaviors = behaviors
  }
}

/// Who keeps the plugins and makes delegates of their behaviors.
public protocol PluginControl: BehaviorProvider {
  /// The loaded plugins, in the order of loading.
  var loadedPlugins: [PluginEntry] { get }
  /// Loads a plugin by name, or gives the one that is loaded.
  /// - Throws: `pluginNotFound`, `pluginRefused`.
  func loadPlugin(_ name: String) throws(HeaderError) -> PluginEntry
  /// Forgets a plugin's behaviors; instances that live go on until their headers let them go.
  /// - Throws: `pluginNotFound`.
  func unloadPlugin(_ name: String) throws(HeaderError)
  /// Whether the file of a loaded plugin holds what is loaded, so that there is nothing to reload.
  func isUnchanged(_ plugin: String) -> Bool
  /// Loads a plugin's file anew; from now on its behaviors are the fresh copy's.
  /// - Throws: `pluginNotFound`, `pluginRefused`; the old one then stays as it is.
  func reloadPlugin(_ name: String) throws(HeaderError)
  /// Takes the latest `reloadPlugin` of a plugin back, because a header could not take the new one.
  func restorePlugin(_ name: String)
}

extension PluginControl {
  /// Who cannot tell has to look.
  public func isUnchanged(_ plugin: String) -> Bool { false }
}

/// How much a log line matters.
public enum LogLevel: String, Comparable, Sendable, CaseIterable {
  case debug, info, warning, error

  /// The left one matters less.
  public static func < (left: LogLevel, right: LogLevel) -> Bool {
    (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
  }
}

/// Who writes log lines.
public protocol ServiceLog: AnyObject {
  /// One line: what happened, in lowerCamelCase, and the facts in order.
  func log(_ level: LogLevel, _ what: String, _ facts: [(key: String, value: String)])
}

/// What a service is made with.
public struct ServiceSettings {
  /// The bounds that clients meet; `hello` tells them.
  public var limits = Limits()
  /// Microseconds since 1970: epochs begin with it, and the second within the minute that a header is told.
  public var wallClockMicroseconds: () -> Int64
  /// Further counters for `stats`: `memory`, `plugins`. Asked with true when the counters shall go back to zero.
  public var statistics: (_ reset: Bool) -> Value.Record = { _ in Value.Record() }

  /// Settings with every default; the clock is asked at opening a header and never for header time.
  public init(wallClockMicroseconds: @escaping () -> Int64) {
    self.wallClockMicroseconds = wallClockMicroseconds
  }
}
