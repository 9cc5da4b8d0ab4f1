// SPDX-License-Identifier: MIT
//
// The places in the last message of a header on a grid, so that a state with the same places need not be sent again.

public import HeaderModel

/// The last state of a header that was sent to the readers of one grid.
public final class SentPlaces {
  /// Of the last state; no header has the epoch 0.
  private var (epoch, seq) = (0 as Int64, 0 as Int64)
  /// What a frame has before its places.
  private var (framesActive, hasPosition) = (false, false)
  private var places = Bytes()

  /// Nothing was sent yet.
  public init() {}

  /// Takes the places of a state in place of those before.
  /// - Parameter places: the bytes of the state's message that say where everything is.
  /// - Returns: whether the state is the one sent last or the next one, and its message says nothing new.
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

  /// Makes the next state new to its readers.
  public func forget() { epoch = 0 }
}
