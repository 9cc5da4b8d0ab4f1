// SPDX-License-Identifier: MIT
//
// What a header is made after, and how a thousand headers that are made alike keep it once.

/// A description without what is a header's alone: its name and the second of the minute at which it was opened.
final class HeaderPlan: Sendable {
  let description: HeaderDescription
  let limits: EngineLimits

  private init(_ description: HeaderDescription, _ limits: EngineLimits) {
    self.description = description
    self.limits = limits
  }

  /// The plan of a description: that of another header, if it is the same.
  static func of(_ description: HeaderDescription, _ limits: EngineLimits, like other: HeaderPlan?) -> HeaderPlan {
    var shared = description
    shared.header = ""
    shared.environment.clockSecondOfMinute = 0
    if let other, other.description == shared, other.limits == limits { return other }
    return HeaderPlan(shared, limits)
  }

  /// The whole description.
  func description(header: String, _ clockSecondOfMinute: Double) -> HeaderDescription {
    var whole = description
    whole.header = header
    whole.environment.clockSecondOfMinute = clockSecondOfMinute
    return whole
  }
}

extension HeaderNames {
  /// The same names, in the lists of another header where they are equal.
  func sharingLists(with other: HeaderNames) -> HeaderNames {
    func shared<Element: Equatable>(_ list: KeyPath<HeaderNames, [Element]>) -> [Element] {
      self[keyPath: list] == other[keyPath: list] ? other[keyPath: list] : self[keyPath: list]
    }
    return HeaderNames(
      header: header, drawers: shared(\.drawers), scrollViews: shared(\.scrollViews), elements: shared(\.elements),
      delegates: shared(\.delegates), values: shared(\.values), notices: shared(\.notices))
  }
}

/// Something that is nearly always missing: kept apart, so that whoever has none pays for one word.
@propertyWrapper
struct Rare<Wrapped> {
  private final class Box {
    let value: Wrapped
    init(_ value: Wrapped) { self.value = value }
  }

  private var box: Box?

  init(wrappedValue: Wrapped?) { self.wrappedValue = wrappedValue }

  var wrappedValue: Wrapped? {
    get { box?.value }
    set { box = newValue.map(Box.init) }
  }
}
