// SPDX-License-Identifier: MIT
//
// Makes a script that fails as short as it gets while it still fails in the same way: without its end, without whole clients, then
// without pieces of it, ever smaller ones.

/// Shrinks a script.
public struct Shrinker {
  /// How many scripts it tries at most.
  public var attempts = 3000
  private let fails: (Script) -> Bool

  /// - Parameter fails: whether a script still fails as the first one did.
  public init(_ fails: @escaping (Script) -> Bool) { self.fails = fails }

  /// The shortest script that it finds: leaving out any one action of it, it does not fail any more, unless the attempts did not
  /// suffice.
  public mutating func shrink(_ script: Script) -> Script {
    var best = withoutEnd(script)
    best = withoutClients(best)
    var size = max(1, best.actions.count / 2)
    while attempts > 0 {
      let (shorter, found) = withoutPieces(best, of: size)
      best = shorter
      // One action less may let others go that were tried before.
      if size == 1, !found { break }
      size = found && size == 1 ? max(1, best.actions.count / 8) : max(1, size / 2)
    }
    return best
  }

  private mutating func tries(_ script: Script) -> Bool {
    guard attempts > 0 else { return false }
    attempts -= 1
    return fails(script)
  }

  /// The shortest beginning that fails, if longer ones do.
  private mutating func withoutEnd(_ script: Script) -> Script {
    var (best, low) = (script, 0)
    while low < best.actions.count {
      var shorter = best
      let middle = (low + best.actions.count) / 2
      shorter.actions = Array(best.actions.prefix(middle))
      if tries(shorter) { best = shorter } else { low = middle + 1 }
    }
    return best
  }

  private mutating func withoutClients(_ script: Script) -> Script {
    var best = script
    for client in Set(script.actions.compactMap(\.client)).sorted(by: >) {
      var without = best
      without.actions.removeAll { $0.client == client }
      if without != best, tries(without) { best = without }
    }
    return best
  }

  private mutating func withoutPieces(_ script: Script, of size: Int) -> (Script, found: Bool) {
    var (best, found) = (script, false)
    // From the end: what comes later depends on what came before.
    var end = best.actions.count
    while end > 0 {
      var without = best
      without.actions.removeSubrange(max(0, end - size)..<end)
      if tries(without) {
        best = without
        found = true
      }
      end -= size
    }
    return (best, found)
  }
}
