// SPDX-License-Identifier: MIT
//
// A behavior that uses everything a state can hold: looks of elements, wishes, springs, commands, corrections. What it does
// follows from the offset alone, so two daemons that are told the same show the same.

package import HeaderCore
package import HeaderModel

package final class Painter: ScrollDelegate {
  package static let description = BehaviorDescription(
    name: "Painter", plugin: "Painter", summary: "Uses everything", moves: true, events: .all,
    values: [
      ValueDescription(name: "none", type: .text, initial: .null, meaning: "Null, later a text"),
      ValueDescription(name: "on", type: .bool, initial: .bool(false), meaning: "A bool"),
      ValueDescription(name: "share", type: .number, initial: .number(0.5), meaning: "A number"),
    ],
    notices: ["painted"])

  package override func attach(to header: Header) throws(DelegateFailure) {
    for drawer in header.drawers.indices { try header.claimDrawer(drawer, by: self) }
  }

  package override func receive(
    _ event: PassingEvent, _ answer: inout DelegateAnswer, in header: Header
  ) throws(DelegateFailure) {
    guard event.kind == .didScroll, event.depth == 0 else { return }
    let y = header.scrollViews[Int(event.scrollView)].contentOffset.y
    try paint(y, in: header)
    try wish(y, in: header)
    try tell(y, on: Int(event.scrollView), in: header)
  }

  private func paint(_ y: Double, in header: Header) throws(DelegateFailure) {
    for index in header.elements.indices {
      var element = header.elements[index]
      element.center.x += y / 100
      element.transform = y > 100 ? Transform(numbers: (0..<16).map { Double($0) * y }) ?? .identity : .identity
      element.alpha = Float(max(0, min(1, y / 333)))
      element.isHidden = y < 0
      element.zIndex = (y / 10).rounded()
      element.cornerRadius = max(0, y / 7)
      try header.setElement(index, element, by: self)
    }
    try header.setTranslation(Point(x: y > 50 ? 3.5 : 0, y: 0), ofDrawer: 0, by: self)
    try header.setHidden(y > 150, ofDrawer: 0, by: self)
    try header.setAlpha(max(0, min(1, 1 - y / 300)), ofDrawer: 0, by: self)
  }

  private func wish(_ y: Double, in header: Header) throws(DelegateFailure) {
    var wants = Wants()
    wants.prefersStatusBarHidden = y > 40
    wants.preferredStatusBarStyle = y > 120 ? .darkContent : y > 80 ? .lightContent : y > 60 ? .default : nil
    if y > 90 { wants.additionalSafeAreaInset = Insets(top: y, left: 1, bottom: 2, right: 3) }
    if y > 110 { wants.topLayoutGuideLength = y / 2 }
    try header.setWants(wants, by: self)
    try header.setValue(0, y > 70 ? .text("é \"\(Int(y))\"") : .null, by: self)
    try header.setValue(1, .bool(y > 30), by: self)
    try header.setValue(2, .number(y / 3), by: self)
  }

  private func tell(_ y: Double, on view: Int, in header: Header) throws(DelegateFailure) {
    if y > 160 {
      try header.animate(
        duration: 0.3, delay: 0.1, curve: .spring(mass: 1, stiffness: 170, damping: 26, initialVelocity: y), token: nil,
        by: self)
    }
    if y > 180 {
      try header.command(
        "scrollRectToVisible", Value.Record(fields: [.init(name: "y", value: .number(y))]), for: view, by: self)
    }
    if y > 20 {
      try header.post(0, Value.Record(fields: [.init(name: "y", value: .number(y))]), isRoutine: y > 25, by: self)
    }
    if y > 130 { try header.setFrame(Rect(x: 0, y: y / 2, width: 375, height: 667), ofScrollView: view, by: self) }
    if y > 140 { try header.setContentSize(Size(width: 375, height: 4000 + y), of: view, by: self) }
    if y > 170 { try header.setScrollIndicatorInsets(Insets(top: y), of: view, by: self) }
    if y > 190 { try header.moveSilently(to: Point(x: 0, y: y - 5), view, by: self) }
  }
}
