// SPDX-License-Identifier: MIT
//
// A daemon of several threads has one host on each, and each header belongs to one of them: its shard. There is no directory. A name
// gives its shard by a hash, which depends on nothing but the name and the number of shards; a number that a host gives out (a header's
// handle, a question's, a recording's) gives it by its remainder.
//
//     shard 0 of 2:  1 3 5 7 …        shard 1 of 2:  2 4 6 8 …        alone:  1 2 3 4 …

internal import HeaderModel

/// Which part of all headers is a host's.
public struct Shard: Equatable, Sendable {
  /// 0 up to `count`.
  public let index: Int
  /// How many shards share the headers.
  public let count: Int

  /// The most shards that may share the headers.
  public static let most = 64

  /// The one shard that has all headers.
  public static let whole = Shard(index: 0, of: 1)

  /// Creates shard `index` of `count`, which is 1 to 64.
  public init(index: Int, of count: Int) {
    precondition((1...Self.most).contains(count) && (0..<count).contains(index), "a shard is one of 1 to 64")
    self.index = index
    self.count = count
  }

  /// The shard of a header's name. FNV-1a over its bytes, then mixed, since the remainder only looks at the low bits
  /// (http://www.isthe.com/chongo/tech/comp/fnv, the mixing is that of MurmurHash3).
  public func holder(of name: String) -> Int {
    if count == 1 { return 0 }
    var hash = fnv1a(name.utf8)
    hash = (hash ^ (hash >> 33)) &* 0xff51_afd7_ed55_8ccd
    return Int((hash ^ (hash >> 33)) % UInt64(count))
  }

  /// The `ordinal`th number that this shard gives out, from 1.
  public func number(_ ordinal: Int) -> Int { (ordinal - 1) * count + index + 1 }

  /// The shard that gave a number out; nil for one that no shard gives.
  public func holder(of number: Int) -> Int? { number > 0 ? (number - 1) % count : nil }
}
