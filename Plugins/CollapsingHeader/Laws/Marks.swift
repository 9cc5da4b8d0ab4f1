// SPDX-License-Identifier: MIT
//
// What is seen of a header, by names such as classes of a style sheet. Each state has one name or several, and two states may have
// a name in common: what one of them takes away, the other has lost as well. So does headroom.js (README.md, Looks).

/// The names of states.
package struct MarkNames: Equatable, Sendable {
  /// What has names.
  package enum State: Int, CaseIterable, Sendable {
    case initial, shown, hidden, top, notTop, bottom, notBottom, frozen

    package var word: String { "\(self)" }
  }

  /// Names that the states may have together.
  package static let most = 64

  fileprivate private(set) var names: [String] = []
  /// The places of each state's names among all.
  fileprivate private(set) var places: [[UInt8]] = []

  /// Each state is named by its own word.
  package init() { self.init { [$0.word] } }

  /// Names as given.
  /// - Parameter names: those of a state; at most `most` of all states together.
  package init(_ names: (State) -> [String]) {
    for state in State.allCases {
      var own: [UInt8] = []
      for name in names(state) {
        let place = self.names.firstIndex(of: name) ?? self.names.count
        if place == self.names.count { self.names.append(name) }
        own.append(UInt8(place))
      }
      places.append(own)
    }
  }
}

/// The names that hold.
package struct Marks: Equatable, Sendable {
  private(set) var names: MarkNames
  /// In the order in which they came.
  private var held: [UInt8] = []

  /// None holds.
  package init(_ names: MarkNames) { self.names = names }

  /// Every name of a state holds.
  package func has(_ state: MarkNames.State) -> Bool { names.places[state.rawValue].allSatisfy(held.contains) }

  package mutating func add(_ state: MarkNames.State) {
    for place in names.places[state.rawValue] where !held.contains(place) { held.append(place) }
  }

  package mutating func remove(_ state: MarkNames.State) {
    let gone = names.places[state.rawValue]
    held.removeAll { gone.contains($0) }
  }

  /// One state takes the place of another, if it does not hold yet.
  /// - Returns: whether it did not.
  mutating func change(to state: MarkNames.State, from other: MarkNames.State) -> Bool {
    guard !has(state) else { return false }
    add(state)
    remove(other)
    return true
  }

  package mutating func clear() { held = [] }

  /// The states that hold are known by other names.
  package mutating func rename(_ names: MarkNames) {
    let states = MarkNames.State.allCases.filter { has($0) }
    self = Marks(names)
    for state in states { add(state) }
  }

  /// The names that hold, in the order in which they came.
  package var list: [String] { held.map { names.names[Int($0)] } }

  package mutating func remember(in memory: inout Memory) {
    var places = held.map { Double($0) }
    memory.rest(&places, new: 0) { $0.part(&$1) }
    held = places.filter { (0..<Double(names.names.count)).contains($0) }.map { UInt8($0) }
  }
}
