// SPDX-License-Identifier: MIT
//
// What a header's last message on a grid said is where, so that a state that says the same again need not be sent.

public import HeaderModel

/// The last state of a header as those know it who read on one grid.
public final class ToldPlaces {
  /// Of the last state; no header has the epoch 0.
  private var (epoch, seq) = (0 as Int64, 0 as Int64)
  /// What a frame has before its places.
  private var (framesActive, hasPosition) = (false, false)
  private var places = Bytes()

  /// Nothing was told yet.
  public init() {}

  /// Whether it is of the same state, or of the one before it, and those who know it learn nothing new; it is now of this state.
  /// - Parameter places: what the state's message says is where.
  public func replace(with state: borrowing HeaderState, _ places: UnsafeRawBufferPointer) -> Bool {
    let isEqual = unsafe self.places.isEqual(to: places)
    let isNext = epoch == state.epoch && (seq == state.seq || seq == state.seq - 1)
    let isSame = isNext && isEqual && framesActive == state.framesActive && hasPosition == state.hasPosition
    (epoch, seq) = (state.epoch, state.seq)
    guard !isSame else { return true }
    (framesActive, hasPosition) = (state.framesActive, state.hasPosition)
    self.places.removeAll(keepingUpTo: .max)
    unsafe self.places.push(places)
    return false
  }

  /// The next state is new to those who read it.
  public func forget() { epoch = 0 }
}
