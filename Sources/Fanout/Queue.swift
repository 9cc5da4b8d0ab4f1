// SPDX-License-Identifier: MIT

/// First in, first out: both ends in amortized constant time.
public struct Queue<Element> {
  private var elements: ContiguousArray<Element?> = []
  private var head = 0

  /// Creates an empty queue.
  public init() {}

  /// The number of elements.
  public var count: Int { elements.count - head }
  /// Whether there are no elements.
  public var isEmpty: Bool { head == elements.count }
  /// The one that waits longest.
  public var first: Element? { isEmpty ? nil : elements[head] }

  /// The one that has `index` others before it.
  public subscript(index: Int) -> Element {
    guard let element = elements[head + index] else { preconditionFailure("headerd bug: it was taken out") }
    return element
  }

  /// Puts one behind all others.
  public mutating func append(_ element: Element) { elements.append(element) }

  /// Takes out the one that waits longest.
  public mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let element = elements[head].take()
    head += 1
    if head == elements.count {
      elements.removeAll(keepingCapacity: elements.count <= 64)
      head = 0
    } else if head > 32, head > elements.count / 2 {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }

  /// Removes all elements.
  public mutating func removeAll() { self = Queue() }
}
