// SPDX-License-Identifier: MIT

import HeaderModel

/// Where a header keeps its state. It cannot be copied, so that lending the state out of a class costs no copy either:
/// one would retain and release everything in it.
@usableFromInline struct StateRecord: ~Copyable {
  @usableFromInline var state: HeaderState

  init(state: HeaderState) { self.state = state }

  /// Lends the state for the length of a call.
  func lend(to body: (borrowing HeaderState) -> Void) { body(state) }
}
