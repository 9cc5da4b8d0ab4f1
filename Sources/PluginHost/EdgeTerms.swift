// SPDX-License-Identifier: MIT
//
// Translates between a plugin and its header in the terms of its edge (HeaderSide). A delegate of a header that has the top alone has no
// side, and needs no translation.

internal import HeaderCore
internal import HeaderModel

extension PluginDelegate {
  // MARK: Drawers and elements

  /// The header's place of a drawer that the instance names.
  func drawer(_ index: UInt32) -> Int { side.map { $0.drawer(Int(index)) } ?? Int(index) }

  /// The header's place of an element that the instance names.
  func element(_ index: UInt32) -> Int { side.map { $0.element(Int(index)) } ?? Int(index) }

  /// Where what the instance reads in place lies.
  func recordsAddress(in header: Header) -> UnsafePointer<HeaderRecords> {
    guard let side else { return unsafe header.recordsAddress }
    return unsafe side.recordsAddress
  }

  // MARK: Scroll views

  func real(offset: Point, _ view: Int, in header: Header) -> Point {
    guard let side, header.scrollViews.indices.contains(view) else { return offset }
    return side.lens.realOffset(ofSeen: offset, header.scrollViews[view])
  }

  func real(insets: Insets) -> Insets { side?.lens.realInsets(insets) ?? insets }

  // MARK: What it asks for

  /// The wishes as the instance reads them.
  func wants(of header: Header) -> Wants {
    guard let side, side.edge != .top else { return header.wants }
    var own = Wants()
    own.additionalSafeAreaInset = header.wants.additionalSafeAreaInset.map(side.lens.insets)
    return own
  }

  /// The header's wishes after the instance has said its own. The status bar and the top layout guide are the top's.
  func real(_ wishes: Wants, in header: Header) -> Wants {
    guard let side, side.edge != .top else { return wishes }
    var all = header.wants
    all.additionalSafeAreaInset = wishes.additionalSafeAreaInset.map(side.lens.realInsets)
    return all
  }

  /// A command's arguments: a `rect` is one of the content.
  func real(_ arguments: Value.Record, _ view: Int, in header: Header) -> Value.Record {
    guard let side, header.scrollViews.indices.contains(view), case .record(let parts)? = arguments["rect"] else {
      return arguments
    }
    func number(_ name: String) -> Double { if case .number(let number)? = parts[name] { number } else { 0 } }
    let rect = Rect(x: number("x"), y: number("y"), width: number("width"), height: number("height"))
    var real = arguments
    real["rect"] = side.lens.contentRect(rect, of: header.scrollViews[view], isReal: false).value
    return real
  }

  // MARK: Events

  /// Translates an event into the terms of the instance's edge.
  func translate(_ event: inout DelegateEvent, _ side: HeaderSide, in header: Header) {
    header.refresh(for: self)
    let view = view(of: event, in: header)
    event.velocity = side.lens.scroll(event.velocity, of: view)
    event.delta = side.lens.scroll(event.delta, of: view)
    event.targetOffset = side.lens.offset(event.targetOffset, of: view)
    event.size = side.lens.size(event.size)
    event.given = side.lens.keys(event.given)
    event.changed = side.lens.keys(event.changed)
  }

  /// Translates the instance's answer into real terms.
  func translate(
    _ answer: inout DelegateAnswer, to event: borrowing DelegateEvent, _ side: HeaderSide, in header: Header
  ) {
    guard answer.hasTargetOffset || answer.hasConsumed else { return }
    let view = view(of: event, in: header)
    answer.targetOffset = side.lens.realOffset(answer.targetOffset, of: view)
    answer.consumed = side.lens.realScroll(answer.consumed, of: view)
  }

  private func view(of event: borrowing DelegateEvent, in header: Header) -> ScrollView {
    let view = Int(event.scrollView)
    return header.scrollViews.indices.contains(view) ? header.scrollViews[view] : ScrollView()
  }
}
