// SPDX-License-Identifier: MIT
//
// Every bound in the daemon, in one place: whatever a client or a plugin can make grow has a bound.
//
// The names are those of the protocol (`hello` lists them, `limits.NAME` in the config file sets them, an error names the one that was
// met). The table at the end is the one list of them: code that prints, reads or compares limits walks it, so a limit is added by one
// property and one row.
//
// The defaults bound the worst case of one misbehaving client to a few megabytes: its queue (1 MiB), its unfinished line (256 KiB), its
// subscriptions (1,024 at about 100 bytes). Times are seconds.

/// The bounds of a daemon. Integers count things or bytes; times are seconds.
public struct Limits: Sendable, Equatable {
  /// The longest line a client may send, in bytes. Holds a batch of 4,096 terse events or the largest description.
  public var lineBytes = 262_144
  /// Connections at once. One costs about 1 KiB while idle, so 4,096 are 4 MiB.
  public var connections = 4_096
  /// Open headers.
  public var headers = 131_072
  /// Scroll views of one header.
  public var scrollViews = 16
  /// Delegates of one header; never more than the engine's sets of them hold.
  public var delegates = 16 { didSet { delegates = min(delegates, Self.maxDelegates) } }
  /// Drawers of one header.
  public var drawers = 64
  /// Elements of one header, over all its drawers.
  public var elements = 256
  /// Named values of one header, over all its delegates.
  public var values = 64
  /// Subscriptions of one connection.
  public var subscriptions = 1_024
  /// Globs in the subscriptions of one connection. Of those that begin with an asterisk each is looked at when a header opens.
  public var globs = 1_024
  /// How deep offsets set by delegates may nest `didScroll` in each other. Each level is a call into every plugin.
  public var nestedDepth = 8
  /// Layout passes after one event, before a delegate that always asks for another is bypassed.
  public var layoutPasses = 8
  /// Bytes of one delegate's options.
  public var optionBytes = 65_536
  /// Bytes of one delegate's saved state.
  public var savedBytes = 65_536
  /// Bytes that may wait for one subscriber in the mode `every`, before it gets a gap.
  public var queueBytes = 1_048_576
  /// States kept of one header for `resumeFrom`.
  public var resumeStates = 256
  /// Bytes of the states kept for `resumeFrom`, of all headers together; beyond it a header's oldest states are dropped.
  public var resumeBytes = 67_108_864
  /// Notices that one waiting state gathers from those it replaced; the rest is only counted.
  public var notices = 64
  /// Events that a connection may send in a second; 0 = none, no such limit.
  public var eventsPerSecond = 0
  /// Events in one batch.
  public var batchEvents = 4_096
  /// Frames that one event may make up for when time leaps: 1,000 are 16 seconds at 60 a second.
  public var framesPerEvent = 1_000
  /// Seconds after which a connection that has sent nothing is closed.
  public var handshakeTimeout = 10.0
  /// Seconds without traffic after which a connection is pinged.
  public var idlePing = 30.0
  /// The longest deadline, in seconds, that a client delegate may ask for.
  public var deadline = 0.1
  /// Recordings at once.
  public var traces = 16

  /// The defaults of the protocol.
  public init() {}
}

extension Limits {
  /// All of them in one text, for another process of the same build: `name=value,…`.
  public var text: String {
    Self.entries.map { entry in
      switch entry.kind {
      case .count(let path, _): "\(entry.name)=\(self[keyPath: path])"
      case .seconds(let path, _): "\(entry.name)=\(self[keyPath: path])"
      }
    }.joined(separator: ",")
  }

  /// Reads such a text; nil: it is none.
  public init?(given text: String) {
    self.init()
    for part in text.split(separator: ",") {
      let pair = part.split(separator: "=")
      guard pair.count == 2, let entry = Self.entries.first(where: { $0.name == pair[0] }) else { return nil }
      switch entry.kind {
      case .count(let path, _):
        guard let value = Int(pair[1]) else { return nil }
        self[keyPath: path] = value
      case .seconds(let path, _):
        guard let value = Double(pair[1]) else { return nil }
        self[keyPath: path] = value
      }
    }
  }

  /// A limit with its name, and how it is read and set.
  public struct Entry: Sendable {
    /// The name on the wire and in the config file.
    public let name: String
    /// The property behind it, and its valid range.
    public let kind: Kind
  }

  /// The two kinds of limits, each with its property and the values it may take.
  public enum Kind: Sendable {
    /// A count of things or bytes.
    case count(any WritableKeyPath<Limits, Int> & Sendable, ClosedRange<Int>)
    /// A time in seconds, greater than 0 and at most the given one.
    case seconds(any WritableKeyPath<Limits, Double> & Sendable, atMost: Double)
  }

  /// All limits, in the order of the protocol's table.
  public static let entries: [Entry] = [
    count("lineBytes", \.lineBytes),
    count("connections", \.connections),
    count("headers", \.headers),
    count("scrollViews", \.scrollViews, 1...maxParts),
    count("delegates", \.delegates, 1...maxDelegates),
    count("drawers", \.drawers, 1...maxParts),
    count("elements", \.elements, 1...maxParts),
    count("values", \.values, 1...maxParts),
    count("subscriptions", \.subscriptions),
    count("globs", \.globs),
    // Nested calls use the daemon's own stack: 64 levels of a few KiB each are far from its 8 MiB.
    count("nestedDepth", \.nestedDepth, 1...64),
    count("layoutPasses", \.layoutPasses, 1...64),
    count("optionBytes", \.optionBytes),
    count("savedBytes", \.savedBytes, 1...maxPluginText),
    count("queueBytes", \.queueBytes),
    count("resumeStates", \.resumeStates),
    count("resumeBytes", \.resumeBytes),
    count("notices", \.notices),
    // Paced in whole nanoseconds: none would be no limit.
    count("eventsPerSecond", \.eventsPerSecond, 0...1_000_000_000),
    count("batchEvents", \.batchEvents),
    // One event may bring about all of them in one turn, each with a state of its own.
    count("framesPerEvent", \.framesPerEvent, 1...100_000),
    seconds("handshakeTimeout", \.handshakeTimeout),
    seconds("idlePing", \.idlePing),
    seconds("deadline", \.deadline),
    count("traces", \.traces),
  ]

  /// What parts of a header may be at most: indexes of them stand in 16 bits on the wire, signed where −1 is none.
  private static let maxParts = 32_767

  /// What delegates of a header may be at most: the engine keeps sets of them in a machine word.
  public static let maxDelegates = UInt64.bitWidth

  /// Bytes of text that are read of one value of a plugin's, such as a saved state.
  public static let maxPluginText = 1_048_576

  /// What any other count may be at most: fits 32 bits, so that sums of a few of them never overflow.
  private static let maxCount = 2_147_483_647

  private static func count(
    _ name: String, _ property: any WritableKeyPath<Limits, Int> & Sendable, _ range: ClosedRange<Int> = 1...maxCount
  ) -> Entry {
    Entry(name: name, kind: .count(property, range))
  }

  private static func seconds(_ name: String, _ property: any WritableKeyPath<Limits, Double> & Sendable) -> Entry {
    Entry(name: name, kind: .seconds(property, atMost: 86_400))
  }
}
