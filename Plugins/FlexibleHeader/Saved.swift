// SPDX-License-Identifier: MIT
//
// All state of the header, as plain data and back: one table of fields for both ways, so that none can be saved and forgotten. State in
// the host's records (the frame, timers, frames, wishes) is not in it. Scroll views and elements are saved by name, because an index
// means something only within one structure.

internal import HeaderPluginKit

extension FlexibleHeader {
  private typealias Field<Kind> = (String, ReferenceWritableKeyPath<FlexibleHeader, Kind>)

  private static var numbers: [Field<Double>] {
    [
      ("maximumHeight", \.maximumHeight), ("minimumHeight", \.minimumHeight),
      ("visibleShadowOpacity", \.visibleShadowOpacity), ("minimumHeaderViewHeight", \.minimumHeaderViewHeight),
      ("red", \.background.red), ("green", \.background.green), ("blue", \.background.blue),
      ("alpha", \.background.alpha), ("elevation", \.elevation), ("accumulator", \.accumulator),
      ("lastX", \.lastOffset.x), ("lastY", \.lastOffset.y), ("directionDelta", \.directionDelta),
      ("phaseValue", \.phaseValue), ("phasePercentage", \.phasePercentage), ("intensity", \.shadow.intensity),
      ("originalHeight", \.shifter.originalHeight), ("snapshotWidth", \.shifter.snapshotWidth),
      ("snapshotLifetime", \.shifter.snapshotLifetime), ("extracted", \.safeArea.extracted),
      ("lastNonZero", \.safeArea.lastNonZero), ("guideHeight", \.safeArea.guideHeight),
      ("legacyLength", \.guide.legacyLength), ("additionalInset", \.guide.additionalInset),
      ("sourceTop", \.safeArea.announcedToSource.top), ("sourceLeft", \.safeArea.announcedToSource.left),
      ("sourceBottom", \.safeArea.announcedToSource.bottom), ("sourceRight", \.safeArea.announcedToSource.right),
      ("headerTop", \.safeArea.announcedToHeader.top), ("headerLeft", \.safeArea.announcedToHeader.left),
      ("headerBottom", \.safeArea.announcedToHeader.bottom), ("headerRight", \.safeArea.announcedToHeader.right),
    ]
  }

  /// Fields that states of version 1 have only since the options behind them are there.
  private static var laterNumbers: [Field<Double>] {
    [
      ("baseElevation", \.baseElevation),
      ("shadowRed", \.shadowColor.red), ("shadowGreen", \.shadowColor.green), ("shadowBlue", \.shadowColor.blue),
      ("shadowAlpha", \.shadowColor.alpha),
      ("hairlineRed", \.hairlineColor.red), ("hairlineGreen", \.hairlineColor.green),
      ("hairlineBlue", \.hairlineColor.blue), ("hairlineAlpha", \.hairlineColor.alpha),
    ]
  }

  private static var singles: [Field<Float>] {
    [("viewOpacity", \.shadow.viewOpacity), ("defaultOpacity", \.shadow.defaultOpacity)]
  }

  private static var truths: [Field<Bool>] {
    [
      ("includesSafeArea", \.includesSafeArea), ("maximumIsExplicit", \.maximumIsExplicit),
      ("minimumIsExplicit", \.minimumIsExplicit), ("canOverExtend", \.canOverExtend),
      ("inFrontOfInfiniteContent", \.inFrontOfInfiniteContent), ("isShared", \.isShared),
      ("resetsShadow", \.resetsShadow), ("skipsNeverAdjusting", \.skipsNeverAdjusting),
      ("laysOutTwice", \.laysOutTwice), ("hintCanOverlap", \.hintCanOverlap),
      ("contentIsTranslucent", \.contentIsTranslucent), ("observes", \.observes), ("isScrubbed", \.isScrubbed),
      ("tellsElevation", \.tellsElevation), ("infersStyle", \.infersStyle),
      ("permitsGuideController", \.permitsGuideController), ("infersSafeArea", \.infersSafeArea),
      ("adjustsLayoutGuide", \.adjustsLayoutGuide), ("hasGuideController", \.hasGuideController),
      ("usesAdditionalInsetsForWeb", \.usesAdditionalInsetsForWeb), ("showsHairline", \.showsHairline),
      ("contentIsRoot", \.contentIsRoot), ("hasParent", \.hasParent), ("wantsToBeHidden", \.wantsToBeHidden),
      ("lastOffsetIsValid", \.lastOffsetIsValid), ("didDecelerate", \.didDecelerate),
      ("orientationIsChanging", \.orientationIsChanging), ("tellsIntensity", \.shadow.tellsIntensity),
      ("hairlineExists", \.hairlineExists), ("shifterIsEnabled", \.shifter.isEnabled),
      ("takesSnapshots", \.shifter.takesSnapshots), ("hidesWhileInvalid", \.shifter.hidesWhileInvalid),
      ("prefersHidden", \.shifter.prefersHidden), ("shifterOrientation", \.shifter.orientationIsChanging),
      ("subtracts", \.safeArea.subtracts), ("safeAreaIsDirty", \.safeArea.isDirty), ("needsLayout", \.needsLayout),
      ("guideIsFound", \.guide.isFound),
    ]
  }

  private static var records: [(String, WritableKeyPath<ScrollRecord, Double>)] {
    [
      ("injected", \.injected), ("injectedIndicator", \.injectedIndicator), ("stashedHeight", \.stashedHeight),
    ]
  }

  private static var recordTruths: [(String, WritableKeyPath<ScrollRecord, Bool>)] {
    [
      ("exists", \.exists), ("hasInjected", \.hasInjected), ("stashIsValid", \.stashIsValid),
      ("ignoresNextSafeAreaJump", \.ignoresNextSafeAreaJump),
    ]
  }

  // MARK: Save

  func savedState() -> Value {
    var fields: [(name: String, value: Value)] = []
    for (name, path) in Self.numbers + Self.laterNumbers { fields.append((name, .number(self[keyPath: path]))) }
    for (name, path) in Self.singles { fields.append((name, .number(Double(self[keyPath: path])))) }
    for (name, path) in Self.truths { fields.append((name, .bool(self[keyPath: path]))) }
    let words = [
      ("contentImportance", contentImportance.rawValue), ("shiftBehavior", shiftBehavior.rawValue),
      ("holding", holding.rawValue), ("phase", phase.rawValue), ("shadowSource", shadow.source.rawValue),
      ("statusBarState", shifter.state.rawValue), ("insetSource", safeArea.source.rawValue),
      ("snapshotTime", String(shifter.snapshotTime)),
    ]
    for (name, word) in words { fields.append((name, .text(word))) }
    fields.append(("givenStyle", .number(Double(givenStyle.rawValue))))
    func name(_ index: Int?) -> Value { index.map { .text(records[$0].name) } ?? .null }
    func truth(_ bool: Bool?) -> Value { bool.map { .bool($0) } ?? .null }
    func names(_ views: [NamedView]) -> Value { .list(views.map { .text($0.name) }) }
    fields += [
      ("tracking", name(tracking)), ("holder", name(holder)), ("statusBarWasHidden", truth(statusBarWasHidden)),
      ("deviceHasHardwareInsets", truth(deviceHasHardwareInsets)),
      ("givenSource", safeArea.given.map { .text($0.rawValue) } ?? .null),
      ("guideLength", guide.length.map { .number($0) } ?? .null), ("viewsToHide", names(viewsToHide)),
      ("forwardedViews", names(forwardedViews)), ("scrollViews", .list(records.map(Self.save))),
    ]
    fields.append(("frameRateIndependent", .bool(frameRateIndependent)))
    let waiting = waitingOptions
    if !waiting.isEmpty { fields.append(("waitingOptions", .list(waiting.map { .text($0) }))) }
    if let nested = nested.saved { fields.append(("nested", nested)) }
    if displacement.distance != 0 { fields.append(("displacement", .number(displacement.distance))) }
    if displacement.distance > 0, displacement.pull > 0 { fields.append(("pull", .number(displacement.pull))) }
    return .record(fields)
  }

  private static func save(_ record: ScrollRecord) -> Value {
    .record(
      [("name", .text(record.name))] + records.map { ($0.0, .number(record[keyPath: $0.1])) }
        + recordTruths.map { ($0.0, .bool(record[keyPath: $0.1])) })
  }

  // MARK: Restore

  func takeOver(_ state: Value, version: Int) throws(Refusal) {
    guard version == 1 else { throw Refusal("a saved state of version \(version) is none of ours") }
    func field<Kind>(_ name: String, _ value: Kind?) throws(Refusal) -> Kind {
      guard let value else { throw Refusal("the saved state lacks \"\(name)\"") }
      return value
    }
    // Without a drawer the behavior is dormant. It takes over the state all the same, for the time when it gets one.
    guard try takesDrawer() || hasBegun else { return }
    for (name, path) in Self.numbers { self[keyPath: path] = try field(name, state[name]?.number) }
    for (name, path) in Self.laterNumbers { self[keyPath: path] = state[name]?.number ?? self[keyPath: path] }
    for (name, path) in Self.singles { self[keyPath: path] = Float(try field(name, state[name]?.number)) }
    for (name, path) in Self.truths { self[keyPath: path] = try field(name, state[name]?.bool) }
    func word(_ name: String) throws(Refusal) -> String { try field(name, state[name]?.text) }
    contentImportance = try field("contentImportance", ContentImportance(rawValue: word("contentImportance")))
    shiftBehavior = try field("shiftBehavior", ShiftBehavior(rawValue: word("shiftBehavior")))
    holding = try field("holding", Holding(rawValue: word("holding")))
    phase = try field("phase", ScrollPhase(rawValue: word("phase")))
    shadow.source = try field("shadowSource", ShadowSource(rawValue: word("shadowSource")))
    shifter.state = try field("statusBarState", StatusBarState(rawValue: word("statusBarState")))
    safeArea.source = try field("insetSource", InsetSource(rawValue: word("insetSource")))
    shifter.snapshotTime = try field("snapshotTime", Int64(word("snapshotTime")))
    let style = UInt8(exactly: try field("givenStyle", state["givenStyle"]?.number))
    givenStyle = try field("givenStyle", style.flatMap(StatusBarStyle.init))
    statusBarWasHidden = state["statusBarWasHidden"]?.bool
    deviceHasHardwareInsets = state["deviceHasHardwareInsets"]?.bool
    guide.length = state["guideLength"]?.number
    safeArea.given = state["givenSource"]?.text.flatMap(SafeAreaController.init)
    nested = NestedScroll(state["nested"])
    displacement = Displacement(
      distance: state["displacement"]?.number ?? 0, pull: state["pull"]?.number ?? 0)
    // Later than version 1's beginning.
    frameRateIndependent = state["frameRateIndependent"]?.bool ?? false
    restoreScrollViews(state)
    viewsToHide = views(state["viewsToHide"])
    forwardedViews = views(state["forwardedViews"])
    if !rests { knownFrame = header.frame }
    isAttached = true
    keepGiven(rests ? (state["waitingOptions"]?.list ?? []).compactMap(\.text) : [])
  }

  private func restoreScrollViews(_ state: Value) {
    let saved = state["scrollViews"]?.list ?? []
    records = (0..<host.scrollViewCount).map { index in
      let name = host.scrollViewName(index)
      var record = ScrollRecord(name)
      guard let value = saved.first(where: { $0["name"]?.text == name }) else { return record }
      for (field, path) in Self.records { record[keyPath: path] = value[field]?.number ?? 0 }
      for (field, path) in Self.recordTruths { record[keyPath: path] = value[field]?.bool ?? false }
      return record
    }
    tracking = state["tracking"]?.text.flatMap(host.scrollView(named:))
    holder = state["holder"]?.text.flatMap(host.scrollView(named:))
  }

  private func views(_ names: Value?) -> [NamedView] {
    (names?.list ?? []).compactMap { name in
      guard let name = name.text, let index = host.element(named: name) else { return nil }
      return NamedView(name: name, element: index)
    }
  }
}
