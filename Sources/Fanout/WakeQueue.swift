// SPDX-License-Identifier: MIT
//
// The sleepers in the order of waking: a binary heap whose members know their own place, so that setting one header's wake costs the
// logarithm of those that wait and touches no other header. Equal times keep the order of handles, so that the same inputs give the same
// outputs.

public import Clocks

/// Something that may ask to be woken; it stands in at most one queue.
open class DeadlineNode {
  /// When, by the daemon's clock; `.max` when it sleeps on.
  public fileprivate(set) final var wake = MonotonicTime.max
  /// Orders sleepers that wake at the same time.
  public final let order: Int
  /// Its place in the heap, −1 when it is not in it. The last field, and narrow: there is room for flags behind it.
  fileprivate final var place: Int32 = -1

  /// Sleeps.
  /// - Parameter order: decides between equal times, the lower first.
  public init(order: Int) { self.order = order }
}

/// Sleepers by the time of their waking.
public struct WakeQueue {
  private var heap: [DeadlineNode] = []

  /// Creates an empty queue.
  public init() {}

  /// The sleeper that wakes first.
  public var first: DeadlineNode? { heap.first }

  /// The earliest wake; `.max` when there is none.
  public var earliest: MonotonicTime { heap.first?.wake ?? .max }

  /// Sets when a sleeper wakes; nil: not at all.
  public mutating func set(_ sleeper: DeadlineNode, _ wake: MonotonicTime?) {
    guard let wake else { return remove(sleeper) }
    guard wake != sleeper.wake || sleeper.place < 0 else { return }
    sleeper.wake = wake
    if sleeper.place < 0 {
      sleeper.place = Int32(heap.count)
      heap.append(sleeper)
    }
    rise(Int(sleeper.place))
    sink(Int(sleeper.place))
  }

  /// Removes a sleeper.
  public mutating func remove(_ sleeper: DeadlineNode) {
    let place = Int(sleeper.place)
    guard place >= 0 else { return }
    sleeper.place = -1
    sleeper.wake = .max
    let last = heap.removeLast()
    guard last !== sleeper else { return }
    heap[place] = last
    last.place = Int32(place)
    rise(place)
    sink(Int(last.place))
  }

  private func comesBefore(_ left: DeadlineNode, _ right: DeadlineNode) -> Bool {
    left.wake != right.wake ? left.wake < right.wake : left.order < right.order
  }

  private mutating func rise(_ start: Int) {
    var place = start
    while place > 0 {
      let parent = (place - 1) / 2
      guard comesBefore(heap[place], heap[parent]) else { return }
      exchange(place, parent)
      place = parent
    }
  }

  private mutating func sink(_ start: Int) {
    var place = start
    while true {
      var best = place
      for child in [2 * place + 1, 2 * place + 2] where child < heap.count && comesBefore(heap[child], heap[best]) {
        best = child
      }
      guard best != place else { return }
      exchange(place, best)
      place = best
    }
  }

  private mutating func exchange(_ left: Int, _ right: Int) {
    heap.swapAt(left, right)
    heap[left].place = Int32(left)
    heap[right].place = Int32(right)
  }
}
