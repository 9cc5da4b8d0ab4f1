// SPDX-License-Identifier: MIT
//
// Which shard a command belongs to, and how questions get to several shards and their answers back. With one shard everything
// is a direct call.

public import HeaderHost
internal import HeaderModel
public import HeaderWire

/// The way from one shard to the others.
public final class Router: FollowLink {
  /// The shard whose router this is.
  public let shard: Shard
  private let transport: (any ShardTransport)?
  /// Answers questions put to this shard.
  public unowned var server: ShardServer!
  private var gathers: [Int: PendingFanIn] = [:]
  private var lastGather = 0

  /// Answers that are being gathered.
  private struct PendingFanIn {
    var missing: Int
    var parts: [(shard: Int, part: ShardReply)] = []
    let arrived: (_ shard: Int) -> Void
    let complete: ([ShardReply]) -> Void
  }

  /// A router without other shards, unless there is a transport to them.
  public init(_ shard: Shard, transport: (any ShardTransport)?) {
    self.shard = shard
    self.transport = transport
  }

  /// The set of all shards.
  public var everyone: ShardSet { .all(of: shard.count) }
  /// Whether there are several shards.
  public var hasOthers: Bool { shard.count > 1 }

  // MARK: - Targets

  /// The shard of a command's header, question or recording; nil: any shard can say what is wrong with it.
  public func shard(of command: Command) -> Int? {
    if shard.count == 1 { return shard.index }
    switch command.header {
    case .name(let name): return shard.holder(of: name)
    case .handle(let handle): return Int(exactly: handle).flatMap(shard.holder(of:))
    case .only, .none: break
    }
    switch command.body {
    case .answer(let question, _, _): return shard.holder(of: question)
    case .params(.record(let fields)) where command.method == .traceStop:
      guard case .number(let number)? = fields["trace"] else { return nil }
      return Int(exactly: number).flatMap(shard.holder(of:))
    case .params, .event, .events, .refused: return nil
    }
  }

  /// The shards of all headers that a subscription may match.
  public func shards(of names: [String], hasGlobs: Bool) -> ShardSet {
    if hasGlobs { return everyone }
    return names.reduce(into: ShardSet()) { $0.insert(ShardSet(shard.holder(of: $1))) }
  }

  // MARK: - Messages

  /// Sends a message to another shard.
  public func send(_ message: ShardMessage, to index: Int) {
    guard let transport else { preconditionFailure("headerd bug: there is no other shard") }
    transport.post(message, to: index)
  }

  /// Sends a message about followers to another shard.
  public func send(_ message: FollowMessage, to index: Int) { send(.follow(message), to: index) }

  /// Puts a question to several shards.
  /// - Parameters:
  ///   - question: made for each shard, since some questions hand something over.
  ///   - client: the client that asks; nil: the daemon itself.
  ///   - local: the same client, as this shard's host knows it.
  ///   - arrived: called when a shard has answered; its later messages come behind its answer.
  ///   - complete: called when all have answered, with the parts in the order of the shards.
  public func ask(
    _ shards: ShardSet, client: ClientReference? = nil, local: Client? = nil,
    arrived: @escaping (_ shard: Int) -> Void = { _ in }, _ question: (_ shard: Int) -> Question,
    complete: @escaping ([ShardReply]) -> Void
  ) {
    lastGather += 1
    let id = lastGather
    gathers[id] = PendingFanIn(missing: shards.count, arrived: arrived, complete: complete)
    for index in shards.shards where index != shard.index {
      send(.question(question(index), of: client, gather: id, from: shard.index), to: index)
    }
    guard shards.contains(ShardSet(shard.index)) else { return }
    server.answer(question(shard.index), client: local, home: shard.index) {
      self.take($0, of: id, from: self.shard.index)
    }
  }

  /// Drops all open questions, because the service ends.
  public func removeAll() { gathers = [:] }

  /// Takes a shard's answer to a question.
  public func take(_ part: ShardReply, of id: Int, from index: Int) {
    guard var gather = gathers[id] else { return }
    gather.missing -= 1
    gather.parts.append((index, part))
    gathers[id] = gather.missing == 0 ? nil : gather
    gather.arrived(index)
    if gather.missing == 0 { gather.complete(gather.parts.sorted { $0.shard < $1.shard }.map(\.part)) }
  }
}
