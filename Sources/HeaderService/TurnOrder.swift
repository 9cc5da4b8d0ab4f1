// SPDX-License-Identifier: MIT
//
// Whose event comes next on a connection that publishes to many headers. A program that drives many tells them one after
// the other, frame by frame:
//
//     a b c d  a b c d  a b c d …        behind a came b the last time: it is looked at first, and hardly ever another
//
// The order is that of the last turns that were not expected. So a look-up by name or number is needed once for each
// header, and where no order is kept the guess costs a comparison.

/// The order in which a connection's headers have their turns.
@safe final class TurnOrder {
  /// They are the session's, which empties this row when one of them goes.
  private var row = unsafe ContiguousArray<Unmanaged<Publishing>>()
  private var place = 0

  /// Whose turn it is if all goes on as before.
  var expected: Unmanaged<Publishing>? { unsafe row.isEmpty ? nil : row[place(ahead: 1)] }

  /// Asks for what the next turns need. Few publishings stay in the caches by themselves.
  func fetchAhead() {
    guard unsafe row.count >= 32 else { return }
    unsafe row[place(ahead: 3)]._withUnsafeGuaranteedRef { $0.fetchStart() }
    unsafe row[place(ahead: 2)]._withUnsafeGuaranteedRef { $0.fetchTrail() }
    unsafe row[place(ahead: 1)]._withUnsafeGuaranteedRef { $0.fetch() }
  }

  /// The place of the turn that comes so many turns from now, at most as many as the row has.
  private func place(ahead turns: Int) -> Int {
    let index = place + turns
    return unsafe index < row.count ? index : index - row.count
  }

  /// It was that one's turn.
  func goOn() { place = place(ahead: 1) }

  /// It was another one's turn.
  /// - Parameter count: how many there are.
  func turn(to publishing: Publishing, of count: Int) {
    if unsafe row.count >= 2 * count { forget() }
    place = unsafe row.count
    unsafe row.append(Unmanaged.passUnretained(publishing))
  }

  /// One of them is gone.
  func forget() {
    unsafe row.removeAll(keepingCapacity: true)
    place = 0
  }
}
