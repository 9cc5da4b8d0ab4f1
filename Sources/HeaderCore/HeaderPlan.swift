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

extension Header {
  /// Keeps names that are equal in another header once. To be called before anybody asks for one.
  func shareNames(with other: Header) {
    if state.names.areEqual(to: other.state.names) { state.names = other.state.names }
  }

  /// The same for what may change: an array is shared until one of the two headers writes.
  func share(with other: Header) {
    func share<Element: Equatable>(_ mine: inout [Element], _ others: [Element]) {
      if mine == others { mine = others }
    }
    share(&drawerOwners, other.drawerOwners)
    share(&elementOwners, other.elementOwners)
    share(&values, other.values)
    share(&state.drawers, other.state.drawers)
    share(&state.elements, other.state.elements)
    share(&state.scrollViews, other.state.scrollViews)
    share(&state.values, other.values)
    for (index, slot) in other.proxy.slots.enumerated() where proxy.slots.indices.contains(index) {
      share(&proxy.slots[index].noticePostedAt, slot.noticePostedAt)
    }
  }
}

extension HeaderNames {
  fileprivate func areEqual(to other: HeaderNames) -> Bool {
    drawers == other.drawers && scrollViews == other.scrollViews && elements == other.elements
      && delegates == other.delegates && values == other.values && notices == other.notices
  }
}
