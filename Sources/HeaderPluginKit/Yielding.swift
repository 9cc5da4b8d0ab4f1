// SPDX-License-Identifier: MIT
//
// Decides which behavior gets a drawer that two want. A drawer has one owner, fixed at open. A second behavior that wants it is a
// conflict that names both, unless one has the option `yields`:
//
//     delegates: [ShyNavBar, StretchyHeader {yields: true}]      drawers: [bar, title]
//     attaching:  1 ShyNavBar claims bar, title     2 StretchyHeader finds nothing free: dormant
//
//     delegates: [FlexibleHeightBar, StretchyHeader {yields: true}]      drawers: [bar, title]
//     attaching:  1 FlexibleHeightBar claims bar    2 StretchyHeader claims what is left, title
//
// Delegates attach from the last to the first, those that yield after all others. So the drawers of a yielding behavior do not depend on
// its place in the chain, and of two that yield the later one chooses first. The kit adds the option `yields` to every behavior that
// moves drawers. Drawers that are added later (`header.configure`) are claimed in the order of the chain, again with those that yield
// last.
//
// A behavior that gets no drawer, or lacks one that it requires, is *dormant*: it stays in the chain and keeps its options, receives no
// events, frames or timers, and refuses calls with the reason. When drawers are replaced and it gets what it requires, it wakes: if it was
// dormant from the beginning, it begins; otherwise it resumes.

internal import CHeaderPlugin

extension Parameter {
  /// The option that the kit adds to every behavior that moves drawers.
  static let yields = Parameter.bool(
    "yields", default: false, "Claims only the drawers that no other delegate claims, instead of a conflict")

  /// The same option of a behavior that moves nothing but sets how elements look.
  static let yieldsElements = Parameter.bool(
    "yields", default: false, "Sets only the elements that no other delegate claims, instead of a conflict")
}

extension Behavior {
  /// Attaches the behavior, which may become dormant.
  func begin() throws(Refusal) {
    try attach()
    hasBegun = !rests
  }

  /// The saved state. For a dormant behavior it has to show whether the behavior has begun: `{"rests": STATE}`.
  func savedState() -> Value { rests && hasBegun ? .record([("rests", save())]) : save() }

  /// Takes over what `savedState` gave.
  func resume(with saved: Value, version: Int) throws(Refusal) {
    var state = saved
    hasBegun = false
    if case .record(let fields) = saved, fields.count == 1, fields[0].name == "rests" {
      (state, hasBegun) = (fields[0].value, true)
    }
    try restore(state, version: version)
    if !rests { hasBegun = true }
  }

  /// Wakes a dormant behavior when a change of structure frees its drawers. It receives no other event.
  @inline(never)
  func wake(_ event: Event) {
    guard unsafe EventKind(rawValue: event.record.pointee.kind) == .layout, event.given.contains(.structure) else {
      return
    }
    guard !hasBegun else { return layout(event) }
    do {
      rests = false
      try begin()
    } catch {
      rests = true
    }
  }

  /// Claims drawers, in `attach`, `restore` and a change of structure: all of them, or with `yields` those that are free.
  ///
  /// - Parameters:
  ///   - drawers: which ones it would have.
  ///   - needed: drawers without which the behavior cannot work: it then claims none and becomes dormant.
  /// - Returns: the claimed ones.
  /// - Throws: when one belongs to another delegate; the host names both.
  public func claim(_ drawers: Range<Int>, needing needed: Range<Int>) throws(Refusal) -> [Int] {
    guard yields else {
      for drawer in drawers { try host.claim(drawer) }
      return Array(drawers)
    }
    let free = drawers.filter { host.isFree($0) }
    rests = free.isEmpty || !needed.allSatisfy { free.contains($0) }
    guard !rests else { return [] }
    for drawer in free { try host.claim(drawer) }
    return free
  }

  /// Claims elements: all of them, or with `yields` those that are free.
  ///
  /// - Returns: the claimed ones.
  /// - Throws: when one belongs to another delegate; then none was claimed, and the host names both.
  public func claimElements(_ elements: [Int]) throws(Refusal) -> [Int] {
    let free = elements.filter { host.isElementFree($0) }
    if !yields, let taken = elements.first(where: { !host.isElementFree($0) }) { try host.claimElement(taken) }
    for element in free { try host.claimElement(element) }
    return free
  }
}

extension Host {
  /// Whether no other delegate owns a drawer.
  public func isFree(_ drawer: Int) -> Bool { unsafe table.pointee.drawer_is_free(context, Self.number(drawer)) }
}
