// SPDX-License-Identifier: MIT
//
// Work that runs when other work is done, in the call or later.

internal import HeaderModel

/// Runs an action for one item after the other, each when the one before is done: in the call, or later.
/// - Parameters:
///   - next: gives the next item; nil: there is none.
///   - act: calls `done` when it is done; if it never does, the sequence ends there.
func inTurn<Item>(
  _ next: @escaping () -> Item?, _ act: @escaping (Item, _ done: @escaping () -> Void) -> Void,
  then: @escaping () -> Void
) {
  // Work that completes within the call continues in a loop, not on the stack.
  var (isDone, isLooping) = (false, false)
  func resume() {
    isDone = true
    guard !isLooping else { return }
    isLooping = true
    defer { isLooping = false }
    while isDone {
      isDone = false
      guard let item = next() else { return then() }
      act(item, resume)
    }
  }
  resume()
}

func inTurn<Item>(
  _ items: [Item], _ act: @escaping (Item, _ done: @escaping () -> Void) -> Void, then: @escaping () -> Void
) {
  var left = items[...]
  inTurn({ left.popFirst() }, act, then: then)
}

extension Result where Failure == HeaderError {
  /// Why there is no success; nil: there is one.
  var refusal: HeaderError? { if case .failure(let error) = self { error } else { nil } }

  /// Continues after a success, and may refuse.
  func then<Other>(_ body: (Success) throws(HeaderError) -> Other) -> Result<Other, HeaderError> {
    Result<Other, HeaderError> { () throws(HeaderError) in try body(try get()) }
  }
}
