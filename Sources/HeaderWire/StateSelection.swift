// SPDX-License-Identifier: MIT
//
// `fields` of a subscription (headerd-states(7), SUBSCRIPTIONS): which parts of a state a reader wants.
//
//     ["drawers.navBar", "values"]   ─▶   drawers: navBar alone · values: all · everything else: left out
//
// A selection chooses among positions: drawers, elements, scroll views, values, wishes. Everything else is always sent.

public import HeaderModel

/// Which parts of a state a reader wants.
public struct StateSelection: Hashable, Sendable {
  /// Which of one part's entries.
  public enum Choice: Hashable, Sendable {
    case all
    /// The entries with these names, sorted; none if there are no names.
    case named([String])

    /// Whether an entry of this name is wanted.
    public func includes(_ name: @autoclosure () -> String) -> Bool {
      switch self {
      case .all: true
      case .named(let names): names.isEmpty ? false : names.contains(name())
      }
    }

    /// Whether any of these names is wanted; of all, also if there is none.
    public func includesAny(_ names: [String]) -> Bool {
      switch self {
      case .all: true
      case .named(let wanted): !wanted.isEmpty && names.contains { wanted.contains($0) }
      }
    }

    fileprivate mutating func add(_ name: String) {
      guard case .named(var names) = self, !names.contains(name) else { return }
      names.append(name)
      names.sort()
      self = .named(names)
    }
  }

  /// The drawers, by name.
  public var drawers = Choice.all
  /// The elements, by name.
  public var elements = Choice.all
  /// Which scroll views, by name.
  public var scrollViews = Choice.all
  /// The values, by name.
  public var values = Choice.all
  /// Which wishes, by their words in `wishes`.
  public var wants = Choice.all

  /// Selects all parts.
  public init() {}

  static let partPaths: [(name: String, path: any WritableKeyPath<StateSelection, Choice> & Sendable)] = [
    ("drawers", \.drawers), ("scrollViews", \.scrollViews), ("values", \.values), ("elements", \.elements),
    ("wants", \.wants),
  ]
  /// The words for the parts, in the order of the protocol.
  public static let parts = partPaths.map(\.name)
  /// The wishes that can be chosen one by one.
  public static let wishes = Wants.members.map(\.name)

  /// A selection of the parts that are always sent; `add` the wanted ones.
  public static var nothing: StateSelection {
    var selection = StateSelection()
    for part in partPaths { selection[keyPath: part.path] = .named([]) }
    return selection
  }

  /// What `add` takes, for the schema.
  public static var form: FieldForm {
    let named = parts.filter { $0 != "wants" }.joined(separator: "|")
    return .text(
      pattern: "^((\(named))(\\.[A-Za-z][A-Za-z0-9_-]*){0,2}|wants(\\.(\(wishes.joined(separator: "|"))))?)$")
  }

  /// Whether it leaves nothing out.
  public var isEverything: Bool { self == StateSelection() }

  /// Adds a part, `values`, or one entry of it, `values.progress`.
  /// - Returns: false when there is no such part, or when no entry can have that name.
  public mutating func add(_ field: String) -> Bool {
    let words = field.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let part = Self.partPaths.first(where: { $0.name == words[0] })?.path else { return false }
    guard words.count == 2 else {
      self[keyPath: part] = .all
      return true
    }
    // A value whose name is not unique has its delegate's name before its own.
    let parts = words[1].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let isName = parts.count <= (words[0] == "values" ? 2 : 1) && parts.allSatisfy(Names.isName)
    guard words[0] == "wants" ? Self.wishes.contains(words[1]) : isName else { return false }
    self[keyPath: part].add(words[1])
    return true
  }

  /// The wishes that are wanted; the others as if nothing were asked.
  func chosen(_ all: Wants) -> Wants { if case .named(let names) = wants { all.chosen(names) } else { all } }
}
