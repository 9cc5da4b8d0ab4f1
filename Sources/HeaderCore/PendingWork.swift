// SPDX-License-Identifier: MIT
//
// Work that is due before an event's state: layout passes, work put off, followers; and notices, commands and animations since the last
// state.

import HeaderModel

/// Work to be done, or to be published, at the end of an event.
struct PendingWork {
  /// Delegates that asked for a layout pass.
  var layoutMarks = DelegateSet()
  /// Delegates that get a pass after all others; `changesToFollow` says whether something has changed for them.
  var followers = DelegateSet()
  /// Work that delegates put off to after the event.
  var afterEvent: ContiguousArray<(delegate: Int32, token: UInt64)> = []
  /// What happened since the last state.
  var happened = HeaderState.Happened()
  /// The delegates that gave the commands among it.
  var commandOwners: ContiguousArray<Int32> = []
  /// Grows with every change worth a state; distinguishes a repeated notice from a new one.
  var changeCount: UInt64 = 0
  var changesToFollow = false
  /// Drawers, scroll views or values were replaced since the last state.
  var structureChanged = false
  /// Positions have changed that need no state, and `Header.takeUnpublished` has not been called since.
  var hasUnpublished = false
  /// Values were written since `settle` compared them last.
  var valuesWritten = true
  /// Wants were written since `settle` compared them last.
  var wantsWritten = true

  /// Notes a notice of the header itself about a delegate; −1: about none.
  mutating func note(
    _ name: HeaderState.Notice.Name, of delegate: Int, _ arguments: Value.Record, isRoutine: Bool = false
  ) {
    happened.notices.append(
      HeaderState.Notice(delegate: Int32(delegate), name: name, arguments: arguments, isRoutine: isRoutine))
  }

  /// Gives everything to the delegates' new places.
  /// - Parameters:
  ///   - order: for each new place the old one.
  ///   - place: the new place of an old one; below 0: it is forgotten.
  mutating func renumber(_ order: [Int], _ place: (Int32) -> Int32) {
    followers = followers.reordered(order)
    layoutMarks = layoutMarks.reordered(order)
    afterEvent.renumber(\.delegate, place)
    commandOwners.renumber(\.self, place)
    happened.renumber(place)
  }

  /// Forgets what happened.
  mutating func clearHappened() {
    happened.clear()
    if !commandOwners.isEmpty { commandOwners.removeAll(keepingCapacity: true) }
  }
}

extension HeaderState.Happened {
  /// Gives everything to the delegates' new places; below 0: it is forgotten.
  mutating func renumber(_ place: (Int32) -> Int32) {
    for index in notices.indices { notices[index].delegate = place(notices[index].delegate) }
    // Notices of the header about a removed delegate are kept.
    notices.removeAll { $0.delegate < 0 && !$0.name.isOfHeader }
    animations.renumber(\.delegate, place)
    calls.renumber(\.delegate, place)
  }
}
