// SPDX-License-Identifier: MIT
//
// Headers whose drawers follow drawers of other headers (HeaderCore's HeaderSide.swift). A leader's shard knows its followers, also
// before it is opened; at the end of a turn it sends them the places of the drawers that they follow.
//
//     follower opened ──begin──▶ leader's shard ──lead──▶ follower's shard ─▶ HeaderInput.lead ─▶ its state
//     leader's state ──────────────╯   ▲                 one shard: in the same turn; two: in the order of messages
//     follower closed ──end────────────╯   leader closed: `lead` with its reason, and the followers stay where they are
//
// A drawer that follows another header cannot lead a third one, so that no circle can close, even over several shards.

internal import Fanout
internal import HeaderCore
public import HeaderModel

/// A header that follows drawers of another one.
public struct Follower: Equatable, Sendable {
  let name: String
  let shard: Int
  /// The drawers of the leader.
  let drawers: [String]
}

/// Messages between shards about followers.
public enum FollowMessage: Sendable {
  /// To the leader's shard: a header follows.
  case begin(Follower, leader: String)
  /// To the leader's shard: a header follows no more.
  case end(follower: String, leader: String)
  /// To the follower's shard: where its leader is.
  case lead(LeaderNews, follower: String)
}

/// The way to other shards.
public protocol FollowLink: AnyObject {
  /// Sends a message to another shard, behind those before it.
  func send(_ message: FollowMessage, to shard: Int)
}

/// The followers of one shard's headers, and the leaders whose followers need an update.
struct Followers {
  /// Followers by their leader's name.
  private(set) var byLeader: [String: [Follower]] = [:]
  /// Where each is among them, by leader and follower.
  private var places: [String: [String: Int]] = [:]
  /// The news that each follower was sent last, by leader and follower.
  var sent: [String: [String: LeaderNews]] = [:]
  /// Leaders that have changed since the last update, or the one follower that has begun since.
  var due: [(leader: HeaderEntry, only: Follower?)] = []

  /// Whether no follower needs an update.
  var isIdle: Bool { due.isEmpty }

  mutating func add(_ follower: Follower, of leader: String) {
    remove(follower.name, of: leader)
    places[leader, default: [:]][follower.name] = byLeader[leader]?.count ?? 0
    byLeader[leader, default: []].append(follower)
  }

  /// Removes a follower; the last one takes its place.
  mutating func remove(_ follower: String, of leader: String) {
    guard let place = places[leader]?.removeValue(forKey: follower), let last = byLeader[leader]?.popLast() else {
      return
    }
    if last.name != follower {
      byLeader[leader]?[place] = last
      places[leader]?[last.name] = place
    }
    if places[leader]?.isEmpty ?? false { (byLeader[leader], places[leader]) = (nil, nil) }
    sent[leader]?[follower] = nil
    if sent[leader]?.isEmpty ?? false { sent[leader] = nil }
  }

  /// Whether a header still follows as it did.
  func contains(_ follower: Follower, of leader: String) -> Bool {
    places[leader]?[follower.name].map { byLeader[leader]?[$0] == follower } ?? false
  }
}

extension HeaderHost {
  // MARK: - Headers come and go

  /// Refuses a header that follows a follower, or that would lead and follow with one drawer.
  func checkFollowing(_ description: HeaderDescription) throws(HeaderError) {
    for follower in followers.byLeader[description.header] ?? [] {
      for drawer in follower.drawers {
        guard let outer = description.outerLeader(of: drawer) else { continue }
        throw .followsItself(
          [follower.name, "\(description.header).\(drawer)", outer], field: "drawers")
      }
    }
    for (leader, drawers) in description.leaders.sorted(by: { $0.key < $1.key }) {
      guard let present = table[leader]?.header.description else { continue }
      for drawer in drawers {
        if let outer = present.outerLeader(of: drawer) {
          throw .followsItself([description.header, "\(leader).\(drawer)", outer], field: "drawers")
        }
      }
    }
  }

  /// Begins to follow the leaders of a header that is open now, and sends its own places to the headers that have waited for it.
  func beginFollowing(_ entry: HeaderEntry) {
    for (leader, drawers) in entry.header.description.leaders.sorted(by: { $0.key < $1.key }) {
      let follower = Follower(name: entry.name, shard: shard.index, drawers: drawers.sorted())
      deliver(.begin(follower, leader: leader), to: shard.holder(of: leader))
    }
    updateHasFollowers(entry)
  }

  /// Notes whether a header leads. If it does, its engine reports its drawers' places, also from a worker.
  private func updateHasFollowers(_ entry: HeaderEntry) {
    let hasFollowers = followers.byLeader[entry.name] != nil
    entry.hasFollowers = hasFollowers
    entry.header.observe { $0.hasFollowers = hasFollowers }
    entry.remote?.observe()
    markLeaderChanged(entry)
  }

  /// Other drawers of it follow than before.
  func updateFollowing(_ entry: HeaderEntry, before: [String: [String]]) {
    let leaders = entry.header.description.leaders
    guard leaders != before || entry.hasFollowers else { return }
    for leader in before.keys.sorted() where leaders[leader] == nil {
      deliver(.end(follower: entry.name, leader: leader), to: shard.holder(of: leader))
    }
    beginFollowing(entry)
  }

  /// A header is closed: it follows no more, and leads no more.
  func endFollowing(_ entry: HeaderEntry, reason: String) {
    for leader in entry.header.description.leaders.keys.sorted() {
      deliver(.end(follower: entry.name, leader: leader), to: shard.holder(of: leader))
    }
    guard entry.hasFollowers else { return }
    for follower in followers.byLeader[entry.name] ?? [] {
      send(to: follower, LeaderNews(header: entry.name, places: nil, reason: reason))
    }
  }

  // MARK: - Updates

  /// Marks a leader that has a new state.
  @inline(__always)
  func markLeaderChanged(_ entry: HeaderEntry) {
    if entry.hasFollowers, !entry.isFollowUpdateDue {
      entry.isFollowUpdateDue = true
      followers.due.append((entry, nil))
    }
  }

  /// Sends followers their leaders' places; at the end of a turn. A follower that leads others sends its own in turn.
  func updateFollowers() {
    while !followers.due.isEmpty {
      let due = followers.due
      followers.due = []
      for (entry, only) in due {
        if only == nil { entry.isFollowUpdateDue = false }
        guard entry.isOpen, only.map({ followers.contains($0, of: entry.name) }) ?? true else { continue }
        for follower in only.map({ [$0] }) ?? followers.byLeader[entry.name] ?? [] {
          if let news = news(of: entry, for: follower) { send(to: follower, news) }
        }
      }
    }
  }

  /// The news for a follower; nil: none until the leader's worker has reported its places.
  private func news(of entry: HeaderEntry, for follower: Follower) -> LeaderNews? {
    let description = entry.header.description
    for drawer in follower.drawers {
      if let outer = description.outerLeader(of: drawer) {
        return LeaderNews(
          header: entry.name, places: nil, reason: "its drawer \(drawer) follows \(outer), and leads nobody")
      }
      if !description.drawers.contains(where: { $0.name == drawer }) {
        return LeaderNews(header: entry.name, places: nil, reason: "it has no drawer \(drawer)")
      }
    }
    return entry.header.leaderPlaces(of: follower.drawers).map { LeaderNews(header: entry.name, places: $0) }
  }

  private func send(to follower: Follower, _ news: LeaderNews) {
    guard followers.sent[news.header]?[follower.name] != news else { return }
    followers.sent[news.header, default: [:]][follower.name] = news
    deliver(.lead(news, follower: follower.name), to: follower.shard)
  }

  private func deliver(_ message: FollowMessage, to index: Int) {
    if index == shard.index { receive(message) } else { link?.send(message, to: index) }
  }

  /// Takes a message of another shard, or of this one.
  public func receive(_ message: FollowMessage) {
    switch message {
    case .begin(let follower, let leader):
      followers.add(follower, of: leader)
      guard let entry = table[leader] else { return }
      // The other followers know its place already. If many begin one after the other, each is sent it once.
      if entry.hasFollowers { followers.due.append((entry, follower)) } else { updateHasFollowers(entry) }
    case .end(let follower, let leader):
      followers.remove(follower, of: leader)
      if followers.byLeader[leader] == nil, let entry = table[leader] { updateHasFollowers(entry) }
    case .lead(let news, let follower): take(news, for: follower)
    }
  }

  /// Hands news of a leader to a header here; one that is busy gets the latest when it is not.
  private func take(_ news: LeaderNews, for name: String) {
    guard let entry = table[name], entry.header.description.leaders[news.header] != nil else { return }
    entry.log?.own.removeAll { if case .lead(let earlier) = $0 { earlier.header == news.header } else { false } }
    submit(.lead(news), to: entry)
    if news.places == nil {
      context.log.log(
        .warning, "leaderLost",
        [("header", name), ("leader", news.header), ("reason", news.reason ?? "closed")])
    }
  }
}
