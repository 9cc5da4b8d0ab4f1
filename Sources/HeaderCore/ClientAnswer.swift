// SPDX-License-Identifier: MIT
//
// A client's answer to a question (headerd-delegates(7)): a verdict and actions. All of it is read and checked before anything is done,
// names and owners included, so that a wrong answer changes nothing. The actions are the functions that a plugin has, and no others.
//
//     {"verdict":"rewrite","targetOffset":{"y":176},"actions":[{"action":"notice","name":"heldBack"}]}

import HeaderModel

/// A client's answer, read and checked.
struct ClientAnswer {
  /// What happens to the event.
  enum Verdict: String, CaseIterable {
    /// The event continues unchanged.
    case pass
    /// The event continues with the values of the answer.
    case rewrite
    /// The chain ends here: later delegates do not get the event.
    case end
  }

  /// Something that the client wants done.
  indirect enum Action {
    case move(drawer: Int, by: Double)
    case expand(drawer: Int)
    case contract(drawer: Int)
    case setHeight(drawer: Int, Double)
    case setDrawer(Int, DrawerLook)
    case setElement(Int, Element)
    case setValue(String, NamedValue.Content)
    case notice(String, Value.Record?)
    case setContentOffset(view: Int, PartialPoint, silent: Bool)
    /// The edges that are given.
    case setContentInset(view: Int, Value)
    case want(Wants)
    case command(view: Int, String, Value.Record)
    case animate(duration: Double, delay: Double, AnimationCurve, [Action])
  }

  /// What of a drawer is set, checked; the rest stays.
  struct DrawerLook {
    /// Parts of its frame; nil: it stays as a whole.
    var frame: Value?
    /// The changed fields, by the keys of a description.
    var given: Value.Record
    var translation: PartialPoint?
  }

  /// Names that the client has not used before.
  struct NewNames {
    var values: [String] = []
    var notices: [String] = []
  }

  var verdict: Verdict
  var targetOffset: Point?
  var velocity: Point?
  var delta: Point?
  var returned: Bool?
  var actions: [Action] = []
  var news = NewNames()

  /// Actions of one answer, those inside animations included.
  static let maxActions = 256

  /// Reads an answer to an event.
  /// - Throws: `invalidParams` naming the field below `result`, `drawerNotFound`, `scrollViewNotFound`, `conflict`.
  init(
    _ fields: inout FieldReader, to event: borrowing DelegateEvent, from delegate: Int, in header: Header
  ) throws(HeaderError) {
    guard let verdict = try fields.choice("verdict", Verdict.self) else {
      throw fields.unexpected("verdict", needed: "\"pass\", \"rewrite\" or \"end\"", expected: "case")
    }
    self.verdict = verdict
    let kind = event.kind
    let (target, speed, offer) = (event.targetOffset, event.velocity, event.delta)
    if kind == .willEndDragging { targetOffset = try fields.point("targetOffset")?.filled(from: target) }
    if kind == .willEndDragging || kind == .willFling {
      velocity = try fields.point("velocity", of: "points per millisecond")?
        .filled(from: kind == .willFling ? offer : speed)
    }
    if kind == .willScroll || kind == .didOverscroll {
      delta = try fields.point("delta")?.filled(from: offer)
    }
    if kind == .willFling { delta = velocity }
    try Self.requirePart(delta, of: offer, kind == .willFling ? "velocity" : "delta", fields)
    if kind == .willEndDragging || kind == .shouldScrollToTop { returned = try fields.bool("returned") }
    let rewrites = targetOffset != nil || velocity != nil || delta != nil
    if verdict == .rewrite, !rewrites {
      throw HeaderError(
        .invalidParams, "result: a rewrite gives what is to be rewritten, \(Self.rewritable(kind))",
        field: "result", hint: "\"pass\" lets the event go on as it is")
    }
    if verdict == .pass, rewrites {
      throw HeaderError(
        .invalidParams, "result.verdict: \"pass\" rewrites nothing, and the answer does", field: "result.verdict",
        got: "pass", hint: "say \"rewrite\"")
    }
    var reader = ClientActionReader(header: header, delegate: delegate)
    var room = Self.maxActions
    actions = try reader.actions(&fields, &room)
    news = reader.news
  }

  /// The fields that an event has to be rewritten, in words.
  private static func rewritable(_ kind: DelegateEventKind) -> String {
    switch kind {
    case .willEndDragging: "targetOffset or velocity"
    case .willScroll, .didOverscroll: "delta"
    case .willFling: "velocity"
    default: "and \(kind.word) has nothing that can be"
    }
  }

  /// Requires a part of an offer. Later delegates may be offered less, never more and never the other way: consumed and residual must add
  /// up to the offer.
  private static func requirePart(
    _ part: Point?, of whole: Point, _ name: String, _ fields: FieldReader
  ) throws(HeaderError) {
    guard let part else { return }
    func isPart(_ part: Double, _ whole: Double) -> Bool {
      whole >= 0 ? part >= 0 && part <= whole : part <= 0 && part >= whole
    }
    guard isPart(part.x, whole.x), isPart(part.y, whole.y) else {
      throw fields.unexpected(
        name, needed: "at most what is offered, x \(Value.brief(whole.x)) and y \(Value.brief(whole.y))",
        expected: "point")
    }
  }
}

// MARK: - Doing it

extension ClientAnswer.Action {
  /// Performs an action through the functions that delegates have, as a plugin does.
  func perform(by client: ScrollDelegate, in header: Header) throws(DelegateFailure) {
    switch self {
    case .move(let drawer, let distance):
      try claimChain(from: drawer, by: client, in: header)
      _ = try header.moveChain(from: drawer, by: distance, by: client)
    case .expand(let drawer):
      try claimChain(from: drawer, by: client, in: header)
      try header.expand(from: drawer, by: client)
    case .contract(let drawer):
      try claimChain(from: drawer, by: client, in: header)
      try header.contract(from: drawer, by: client)
    case .setHeight(let drawer, let height):
      try header.claimDrawer(drawer, by: client)
      var frame = header.drawers[drawer].frame
      let growth = height - frame.size.height
      frame.size.height = height
      try header.setFrame(frame, ofDrawer: drawer, by: client)
      // The drawers after it in its chain hang on its edge.
      guard drawer + 1 < header.drawers.count, header.chainStart(of: drawer + 1) <= drawer, growth != 0 else { return }
      let center = header.drawers[drawer + 1].center
      header.move(drawer + 1, to: Point(x: center.x, y: center.y + growth))
    case .setDrawer(let drawer, let look):
      try header.claimDrawer(drawer, by: client)
      try look.apply(toDrawer: drawer, by: client, in: header)
    case .setElement(let index, let element): try header.setElement(index, element, by: client)
    case .setValue(let name, let content):
      guard let number = client.behavior.values.firstIndex(where: { $0.name == name }) else { return }
      try header.setValue(number, content, by: client)
    case .notice(let name, let arguments):
      guard let number = client.behavior.notices.firstIndex(of: name) else { return }
      try header.post(number, arguments, isRoutine: false, by: client)
    case .setContentOffset(let view, let offset, let silent):
      let target = offset.filled(from: header.scrollViews[view].contentOffset)
      if silent {
        try header.moveSilently(to: target, view, by: client)
      } else {
        try header.setContentOffset(target, of: view, by: client)
      }
    case .setContentInset(let view, let inset):
      try header.setContentInset(header.scrollViews[view].contentInset.filled(from: inset), of: view, by: client)
    case .want(let wants): try header.setWants(wants, by: client)
    case .command(let view, let name, let arguments): try header.command(name, arguments, for: view, by: client)
    case .animate(let duration, let delay, let curve, let actions):
      try header.animate(duration: duration, delay: delay, curve: curve, token: nil, by: client)
      for action in actions { try action.perform(by: client, in: header) }
    }
  }
}

extension ClientAnswer.Action {
  /// Claims what a client's action touches: the drawer, and all drawers behind it in its chain that have no owner.
  private func claimChain(
    from drawer: Int, by client: ScrollDelegate, in header: Header
  ) throws(DelegateFailure) {
    try header.claimDrawer(drawer, by: client)
    var next = drawer + 1
    while header.isFree(next, for: client), header.chainStart(of: next) <= drawer {
      try header.claimDrawer(next, by: client)
      next += 1
    }
  }
}

extension ClientAnswer.DrawerLook {
  fileprivate func apply(
    toDrawer drawer: Int, by client: ScrollDelegate, in header: Header
  ) throws(DelegateFailure) {
    var wanted = DrawerDescription(header.drawers[drawer])
    DrawerDescription.members.fill(&wanted, from: given)
    if let frame {
      try header.setFrame(header.drawers[drawer].frame.filled(from: frame), ofDrawer: drawer, by: client)
    }
    if given["minimumHeight"] != nil || given["maximumHeight"] != nil {
      try header.setHeights(
        minimum: wanted.minimumHeight, maximum: wanted.maximumHeight, ofDrawer: drawer, by: client)
    }
    if given["alpha"] != nil { try header.setAlpha(wanted.alpha, ofDrawer: drawer, by: client) }
    if given["hidden"] != nil { try header.setHidden(wanted.hidden, ofDrawer: drawer, by: client) }
    if given["sticky"] != nil { try header.setSticky(wanted.sticky, ofDrawer: drawer, by: client) }
    if given["zIndex"] != nil { try header.setZIndex(wanted.zIndex, ofDrawer: drawer, by: client) }
    if let translation {
      try header.setTranslation(
        translation.filled(from: header.drawers[drawer].translation), ofDrawer: drawer, by: client)
    }
  }
}
