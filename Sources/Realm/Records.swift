// SPDX-License-Identifier: MIT
//
// A realm's records in JetStream, in bytes (headerd-nats(7), RECORDS): one JSON object, and lines of steps behind it.

internal import HeaderModel
internal import HeaderWire

/// The owner of a header: the last message of its subject.
public struct OwnerRecord: Equatable, Sendable {
  /// The states of ownership.
  public enum State: String, Sendable {
    /// The owner has the header, or is about to.
    case owned
    /// The owner has released the header, for `next`.
    case released
    /// A client closed the header.
    case closed
  }

  /// The node that wrote the record.
  public var owner: NodeName
  /// All epochs before this record are smaller; the owner's own is at least this.
  public var epoch: Int64
  /// The epoch in which the header was opened. Records of an earlier epoch belong to another header, which was closed.
  public var life: Int64
  /// What the owner does with the header.
  public var state: State
  /// The node that should take the header over.
  public var next: NodeName?
  /// Distinguishes two records of one owner.
  public var nonce: String

  var bytes: [UInt8] {
    var record: Value.Record = [
      "owner": .text(owner.text), "epoch": .number(Double(epoch)), "life": .number(Double(life)),
      "state": .text(state.rawValue), "nonce": .text(nonce),
    ]
    record["next"] = next.map { .text($0.text) }
    return Value.record(record).jsonBytes
  }

  init(_ owner: NodeName, _ epoch: Int64, life: Int64, _ state: State, next: NodeName? = nil, nonce: String) {
    (self.owner, self.epoch, self.life, self.state, self.next, self.nonce) = (owner, epoch, life, state, next, nonce)
  }

  /// Reads one; nil: it is none.
  public init?(_ bytes: [UInt8]) {
    guard case .record(let record)? = try? JSONReader.document(bytes), case .text(let name)? = record["owner"],
      let owner = NodeName(name), let epoch = record["epoch"]?.wholeNumber, let life = record["life"]?.wholeNumber,
      case .text(let word)? = record["state"], let state = State(rawValue: word),
      case .text(let nonce)? = record["nonce"]
    else { return nil }
    var next: NodeName?
    if case .text(let name)? = record["next"] { next = NodeName(name) }
    self.init(owner, epoch, life: life, state, next: next, nonce: nonce)
  }
}

/// Steps of a header's recording in the order in which its owner's daemon made them; without any, a fence: the owner begins.
public struct LogRecord: Equatable, Sendable {
  /// The epoch of the owner's header.
  public var epoch: Int64
  /// The node that wrote the record.
  public var owner: NodeName
  /// The number of the first step in this epoch.
  public var first: Int
  /// The steps, as JSON objects.
  public var steps: [[UInt8]]
  /// Distinguishes two tries.
  public var nonce: String

  var bytes: [UInt8] {
    let head: Value = [
      "epoch": .number(Double(epoch)), "owner": .text(owner.text), "first": .number(Double(first)),
      "steps": .number(Double(steps.count)), "nonce": .text(nonce),
    ]
    var bytes = head.jsonBytes
    bytes.reserveCapacity(steps.reduce(bytes.count + 1) { $0 + $1.count + 1 })
    for step in steps {
      bytes.append(0x0A)
      bytes += step
    }
    return bytes
  }

  init(epoch: Int64, owner: NodeName, first: Int, steps: [[UInt8]], nonce: String) {
    (self.epoch, self.owner, self.first, self.steps, self.nonce) = (epoch, owner, first, steps, nonce)
  }

  /// Whether it can come behind another one, the last that was read.
  func follows(_ last: LogRecord?) -> Bool {
    guard let last else { return true }
    let isFence = steps.isEmpty && first == 0
    if isFence, epoch > last.epoch { return true }
    guard epoch == last.epoch, owner == last.owner else { return false }
    return isFence || first == last.first + last.steps.count
  }

  /// Reads one; nil: it is none.
  public init?(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    guard let head = lines.first, case .record(let record)? = try? JSONReader.document(Array(head)),
      let epoch = record["epoch"]?.wholeNumber, case .text(let name)? = record["owner"], let owner = NodeName(name),
      let first = record["first"]?.wholeNumber, record["steps"] == .number(Double(lines.count - 1)),
      case .text(let nonce)? = record["nonce"]
    else { return nil }
    self.init(epoch: epoch, owner: owner, first: Int(first), steps: lines.dropFirst().map(Array.init), nonce: nonce)
  }
}

/// A header as it was at one place of its log.
public struct SavedRecord: Equatable, Sendable {
  /// The epoch of the saved header.
  public var epoch: Int64
  /// The steps behind this message of the log are not in it.
  public var base: UInt64
  /// A recording's beginning: an object with `description` and `saved`.
  public var content: [UInt8]
  /// Distinguishes two tries.
  public var nonce: String

  var bytes: [UInt8] {
    let head: Value = [
      "epoch": .number(Double(epoch)), "base": .number(Double(base)), "nonce": .text(nonce),
    ]
    return head.jsonBytes + [0x0A] + content
  }

  init(epoch: Int64, base: UInt64, content: [UInt8], nonce: String) {
    (self.epoch, self.base, self.content, self.nonce) = (epoch, base, content, nonce)
  }

  /// Reads one; nil: it is none.
  public init?(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false).map(Array.init)
    guard lines.count == 2, case .record(let record)? = try? JSONReader.document(lines[0]),
      let epoch = record["epoch"]?.wholeNumber, let base = record["base"]?.wholeNumber,
      case .text(let nonce)? = record["nonce"], case .record(let content)? = try? JSONReader.document(lines[1]),
      case .record? = content["description"], case .record? = content["saved"]
    else { return nil }
    self.init(epoch: epoch, base: UInt64(base), content: lines[1], nonce: nonce)
  }
}

/// A node's sign of life.
public struct LeaseRecord: Equatable, Sendable {
  /// The node that is alive.
  public var node: NodeName
  /// Distinguishes two processes with one name.
  public var process: String
  /// The number of the lease that this process's first one replaced: of two processes with one name, the greater one began later.
  public var since: UInt64
  /// Whether the node's daemon is running.
  public var isServing: Bool

  /// Creates a lease record for one process of a node.
  public init(node: NodeName, process: String, since: UInt64 = 0, isServing: Bool) {
    (self.node, self.process, self.since, self.isServing) = (node, process, since, isServing)
  }

  /// Whether the other one's process has the name in place of this one's, which began earlier.
  public func isReplaced(by other: LeaseRecord) -> Bool { (since, process) < (other.since, other.process) }

  /// The record as JSON.
  public var bytes: [UInt8] {
    let value: Value = [
      "node": .text(node.text), "process": .text(process), "since": .number(Double(since)), "serves": .bool(isServing),
    ]
    return value.jsonBytes
  }

  /// Reads one; nil: it is none.
  public init?(_ bytes: [UInt8]) {
    guard case .record(let record)? = try? JSONReader.document(bytes), case .text(let name)? = record["node"],
      let node = NodeName(name), case .text(let process)? = record["process"],
      let since = (record["since"] ?? 0).wholeNumber, case .bool(let serves)? = record["serves"]
    else { return nil }
    self.init(node: node, process: process, since: UInt64(since), isServing: serves)
  }
}

extension Value {
  /// A whole number of an epoch, a sequence number or a count.
  package var wholeNumber: Int64? {
    guard case .number(let number) = self, number >= 0, number <= 9_007_199_254_740_991 else { return nil }
    return Int64(exactly: number)
  }
}
