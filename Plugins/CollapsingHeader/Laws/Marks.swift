// SPDX-License-Identifier: MIT
//
// A header's states by names, such as classes of a style sheet. Each state has one name or several, and two states may share a name: if
// one of them removes it, the other has lost it as well. So does headroom.js (LAWS.md, Looks).

/// The names of a header's states, as styles see them.
package struct MarkNames: Equatable, Sendable {
  /// States that have names.
  package enum State: Int, CaseIterable, Sendable {
    case initial, shown, hidden, top, notTop, bottom, notBottom, frozen

    package var word: String { "\(self)" }
  }

  /// Names that the states may have together.
  package static let most = 64

  fileprivate let own: [[String]]

  /// Each state is named by its own word.
  package init() { self.init { [$0.word] } }

  /// Names as given.
  /// - Parameter names: those of a state; at most `most` of all states together.
  package init(_ names: (State) -> [String]) { own = State.allCases.map(names) }

  fileprivate subscript(state: State) -> [String] { own[state.rawValue] }
}

/// The names that hold at present.
package struct Marks: Equatable, Sendable, Remembering {
  private var names: MarkNames
  /// The names that hold, in the order in which they came.
  package private(set) var list: [String] = []

  package init(_ names: MarkNames) { self.names = names }

  /// Every name of a state holds.
  package func has(_ state: MarkNames.State) -> Bool { names[state].allSatisfy(list.contains) }

  package mutating func add(_ state: MarkNames.State) {
    for name in names[state] where !list.contains(name) { list.append(name) }
  }

  package mutating func remove(_ state: MarkNames.State) { list.removeAll(where: names[state].contains) }

  /// One state takes the place of another, if it does not hold yet.
  /// - Returns: whether it did not.
  mutating func change(to state: MarkNames.State, from other: MarkNames.State) -> Bool {
    guard !has(state) else { return false }
    add(state)
    remove(other)
    return true
  }

  package mutating func clear() { list = [] }

  /// The states that hold are known by other names.
  package mutating func rename(_ names: MarkNames) {
    let states = MarkNames.State.allCases.filter { has($0) }
    self = Marks(names)
    for state in states { add(state) }
  }

  package mutating func remember(in memory: inout Memory) {
    let all = names.own.flatMap { $0 }
    var places = list.map { all.firstIndex(of: $0) ?? 0 }
    memory.rest(&places, new: 0)
    list = places.filter(all.indices.contains).map { all[$0] }
  }
}
