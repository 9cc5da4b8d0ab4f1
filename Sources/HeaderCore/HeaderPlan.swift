// SPDX-License-Identifier: MIT
//
// The immutable parts of a description, which a thousand headers with the same description share.

import HeaderModel

/// A description without the parts that differ from header to header: its name and the second of the minute at which it was opened.
final class HeaderPlan: Sendable {
  let description: HeaderDescription
  let limits: Limits

  private init(_ description: HeaderDescription, _ limits: Limits) {
    self.description = description
    self.limits = limits
  }

  /// The plan of a description: that of another header, if it is the same.
  static func of(_ description: HeaderDescription, _ limits: Limits, like other: HeaderPlan?) -> HeaderPlan {
    var shared = description
    shared.header = ""
    shared.environment.clockSecondOfMinute = 0
    if let other, other.description == shared, other.limits == limits { return other }
    return HeaderPlan(shared, limits)
  }

  func description(header: String, _ clockSecondOfMinute: Double) -> HeaderDescription {
    var whole = description
    whole.header = header
    whole.environment.clockSecondOfMinute = clockSecondOfMinute
    return whole
  }
}

/// The plans of one header, and the part of its description that the clock decides, so that it cannot be shared.
struct HeaderPlans {
  private(set) var plan: HeaderPlan
  private(set) var opening: HeaderPlan
  private(set) var clockSecondOfMinute: Double
  /// How often the description has changed.
  private(set) var revision: UInt32 = 0

  init(_ description: HeaderDescription, _ limits: Limits, like model: HeaderPlans?) {
    plan = HeaderPlan.of(description, limits, like: model?.opening)
    opening = plan
    clockSecondOfMinute = description.environment.clockSecondOfMinute
  }

  func description(header: String) -> HeaderDescription { plan.description(header: header, clockSecondOfMinute) }

  mutating func open(_ description: HeaderDescription) {
    opening = HeaderPlan.of(description, plan.limits, like: plan)
  }

  mutating func change(to description: HeaderDescription) {
    revision &+= 1
    plan = HeaderPlan.of(description, plan.limits, like: plan)
    clockSecondOfMinute = description.environment.clockSecondOfMinute
  }
}

extension HeaderNames {
  func areEqual(to other: HeaderNames) -> Bool {
    drawers == other.drawers && scrollViews == other.scrollViews && elements == other.elements
      && delegates == other.delegates && values == other.values && notices == other.notices
  }
}
