// SPDX-License-Identifier: MIT
//
// A delegate's requests to its header beside drawers (DrawerChain.swift) and scroll views (Header+ScrollViews.swift): values, wishes,
// notices, commands to the publisher, animations, timers, frames, layout passes, work after the event. These are the functions behind
// `header_host` of header_plugin.h. Each checks its numbers and its owner first; a delegate that breaks a rule gets `failed` and is
// bypassed by its caller. Writes are synchronous: when a function returns, all their effects have happened, nested events included. All
// of it is bounded, so that no delegate can ask without end.
//
// A *follower* (Keyframes) moves nothing; it makes elements follow drawers and values. It has to run when all other delegates are done.
// So it gets a layout pass of its own, after the last pass of the others, whenever something has changed:
//
//     event ─▶ chain ─▶ layout passes ─▶ work put off ─▶ one more pass ─▶ followers ─▶ state

import HeaderModel

extension Header {
  /// How the description has an element, whatever it looks like now.
  public func describedElement(_ index: Int) throws(DelegateFailure) -> Element {
    guard elements.indices.contains(index) else { throw .failed("it named element \(index), there is none") }
    return plans.plan.description.makeRecords().elements[index]
  }

  // MARK: What happened

  /// Posts a notice, by its number in the behavior's list. A repeat with nothing changed since the last one is routine.
  public func post(_ number: Int, _ arguments: Value.Record?, isRoutine: Bool, by delegate: ScrollDelegate)
    throws(DelegateFailure)
  {
    let slot = Int(delegate.index)
    guard delegate.behavior.notices.indices.contains(number) else {
      throw .failed("it posted notice \(number), its behavior has \(delegate.behavior.notices.count)")
    }
    try requireRoom(in: work.happened.notices.lazy.map(\.delegate), for: delegate, "notices")
    let isRepeat = arguments == nil && proxy.slots[slot].noticePostedAt[number] == work.changeCount
    proxy.slots[slot].noticePostedAt[number] = work.changeCount
    work.happened.notices.append(
      HeaderState.Notice(
        delegate: delegate.index, name: .behavior(Int32(number)), arguments: arguments,
        isRoutine: isRoutine || isRepeat))
  }

  /// Asks something of the publisher. An animated `scrollRectToVisible` that has somewhere to go sets the scroll view
  /// animating until its didEndScrollingAnimation.
  public func command(_ name: String, _ arguments: Value.Record, for view: Int, by delegate: ScrollDelegate)
    throws(DelegateFailure)
  {
    try requireView(view)
    guard Names.isName(name) else { throw .failed("it gave a command without a proper name") }
    guard work.happened.commands.count < Self.maxHappenings else {
      throw .failed("it gave more than \(Self.maxHappenings) commands with one event")
    }
    work.happened.commands.append(HeaderState.Command(scrollView: Int32(view), name: name, arguments: arguments))
    if name == "scrollRectToVisible", arguments["animated"] == .bool(true), scrolls(arguments["rect"], view) {
      scrollViews[view].isAnimating = true
    }
  }

  /// Notices, animations or commands that one delegate may give with one event.
  static var maxHappenings: Int { 1024 }

  private func requireRoom(in owners: some Collection<Int32>, for delegate: ScrollDelegate, _ what: String)
    throws(DelegateFailure)
  {
    guard owners.count >= Self.maxHappenings else { return }
    guard owners.count(where: { $0 == delegate.index }) < Self.maxHappenings else {
      throw .failed("it gave more than \(Self.maxHappenings) \(what) with one event")
    }
  }

  /// Whether a rect in content coordinates is not wholly in sight.
  private func scrolls(_ rect: Value?, _ view: Int) -> Bool {
    guard case .record(let fields)? = rect, case .number(let y)? = fields["y"],
      case .number(let height)? = fields["height"]
    else { return false }
    let record = scrollViews[view]
    let top = record.contentOffset.y + record.contentInset.top
    let bottom = record.contentOffset.y + record.frame.size.height - record.contentInset.bottom
    return y < top || y + height > bottom
  }

  /// Announces an animation: the values are final at once, the renderer draws towards them. With a token the delegate's
  /// `completion` is called when the clock has passed start + delay + duration. Seconds.
  public func animate(
    duration: Double, delay: Double, curve: AnimationCurve, token: UInt64?, by delegate: ScrollDelegate
  ) throws(DelegateFailure) {
    try requireDuration(duration, "the animation's duration")
    try requireDuration(delay, "the animation's delay")
    if case .spring(let mass, let stiffness, let damping, let initialVelocity) = curve {
      try requireSane(mass, "the spring's mass")
      try requireSane(stiffness, "the spring's stiffness")
      try requireSane(damping, "the spring's damping")
      try requireSane(initialVelocity, "the spring's initial velocity")
    }
    guard !environment.limitsMotion else {
      // The target is reached already.
      if let token { try start(.completion, after: 0, token, delegate) }
      return
    }
    try requireRoom(in: work.happened.animations.lazy.map(\.delegate), for: delegate, "animations")
    work.happened.animations.append(
      HeaderState.Animation(delegate: delegate.index, duration: duration, delay: delay, curve: curve))
    guard let token else { return }
    try start(.completion, after: delay + duration, token, delegate)
  }

  /// Starts a one-shot timer. Seconds.
  public func startTimer(_ token: UInt64, after delay: Double, by delegate: ScrollDelegate) throws(DelegateFailure) {
    try requireDuration(delay, "the timer's delay")
    try start(.timer, after: delay, token, delegate)
  }

  private func start(_ kind: Schedule.Kind, after delay: Double, _ token: UInt64, _ delegate: ScrollDelegate)
    throws(DelegateFailure)
  {
    guard mayStart(delegate) else { return }
    guard schedule.entryCount(of: delegate.index) < Schedule.maxEntries else {
      throw .failed("it has more than \(Schedule.maxEntries) timers and animations under way")
    }
    schedule.add(kind, due: now.advanced(bySeconds: delay), delegate: delegate.index, token: token)
  }

  /// A delegate that failed in a nested call may still be on the stack: a timer or frame that it starts now would never be delivered.
  private func mayStart(_ delegate: ScrollDelegate) -> Bool { !proxy.slots[Int(delegate.index)].isBypassed }

  private func requireDuration(_ seconds: Double, _ what: String) throws(DelegateFailure) {
    guard seconds.isFinite, (0...86_400).contains(seconds) else {
      throw .failed("\(what) is \(Value.brief(seconds)), expected 0 to 86400 seconds")
    }
  }

  /// Cancels the timers of a token.
  public func cancelTimer(_ token: UInt64, by delegate: ScrollDelegate) {
    schedule.cancelTimer(delegate: delegate.index, token: token)
  }

  /// Asks for frames from now on; asked again, it starts over.
  public func startFrames(by delegate: ScrollDelegate) {
    guard mayStart(delegate) else { return }
    schedule.startFrames(delegate: delegate.index, at: now)
  }

  /// Stops the delegate's frames, if it has any.
  public func stopFrames(by delegate: ScrollDelegate) { schedule.stopFrames(delegate: delegate.index) }

  /// Whether a delegate has frames running.
  public func framesAreActive(of delegate: ScrollDelegate) -> Bool {
    schedule.frameIsActive(delegate: delegate.index)
  }

  /// Asks for a layout pass at the end of the event.
  public func markLayout(by delegate: ScrollDelegate) { work.layoutMarks.insert(Int(delegate.index)) }

  /// Puts work off to after the event. Work that such work causes counts too, so that it ends.
  public func afterEvent(_ token: UInt64, by delegate: ScrollDelegate) throws(DelegateFailure) {
    guard work.afterEvent.lazy.filter({ $0.delegate == delegate.index }).count < 64 else {
      throw .failed("it put off more than 64 pieces of work to after one event")
    }
    work.afterEvent.append((delegate.index, token))
  }

  /// From now on `layout` is also called after everything else is done, in each event in which something changed.
  public func followChanges(by delegate: ScrollDelegate) {
    work.followers.insert(Int(delegate.index))
    work.changesToFollow = true
  }

  /// A named value of whichever delegate has it; nil when there is none of that name.
  public func value(named name: String) -> NamedValue.Content? { value { $0 == name } }

  /// Finds a value by a name that is no `String`, since making one might cost an allocation.
  public func value(whoseName isWanted: (String) -> Bool) -> NamedValue.Content? {
    guard let place = state.names.values.firstIndex(where: isWanted), values.indices.contains(place) else { return nil }
    return values[place].content
  }

  // MARK: Values and wants

  /// Sets one of the delegate's own values, by its place in the behavior's list.
  public func setValue(_ number: Int, _ content: NamedValue.Content, by delegate: ScrollDelegate)
    throws(DelegateFailure)
  {
    guard delegate.behavior.values.indices.contains(number) else {
      throw .failed("it set value \(number), its behavior has \(delegate.behavior.values.count)")
    }
    if case .number(let double) = content, !double.isFinite {
      throw .failed(
        "its value \"\(delegate.behavior.values[number].name)\" is \(Value.brief(double)), expected a finite number")
    }
    let index = Int(proxy.slots[Int(delegate.index)].firstValue) + number
    guard values[index].content != content else { return }
    values[index].content = content
    changed()
  }

  /// A value of the delegate's own, by its place in the behavior's list.
  public func value(_ number: Int, of delegate: ScrollDelegate) -> NamedValue.Content? {
    guard delegate.behavior.values.indices.contains(number) else { return nil }
    let index = Int(proxy.slots[Int(delegate.index)].firstValue) + number
    // While new code takes over, the old code detaches from a header that has the new one's values already.
    guard values.indices.contains(index), values[index].delegate == delegate.index else { return nil }
    return values[index].content
  }

  /// Sets the header's wishes to its surroundings. With `statusBarFollowsHeader` a wish about the status bar is fulfilled before this
  /// returns, and forwarded as a nested `layout`.
  public func setWants(_ wishes: Wants, by delegate: ScrollDelegate) throws(DelegateFailure) {
    if let inset = wishes.additionalSafeAreaInset { try requireSane(inset, "the additional safe area inset") }
    if let length = wishes.topLayoutGuideLength { try requireSane(length, "the top layout guide's length") }
    guard wishes != wants else { return }
    let before = wants
    wants = wishes
    changed()
    if before.additionalSafeAreaInset != wishes.additionalSafeAreaInset { updateAdjustedInsets() }
    guard environment.statusBarFollowsHeader, before.prefersStatusBarHidden != wishes.prefersStatusBarHidden else {
      return
    }
    try requireDepth()
    environment.statusBarHidden = wishes.prefersStatusBarHidden
    updateAdjustedInsets()
    var event = DelegateEvent(.layout, scrollView: Int32(trackingScrollView))
    event.given = .statusBarHidden
    event.changed = .statusBarHidden
    _ = forward(event)
  }
}
