// SPDX-License-Identifier: MIT
//
// A whole header as plain data, and back: the beginning of a recording that was started in mid-life. Together with the
// description (whose options are today's) it holds everything that the next event can depend on, so that a replay gives
// the same states byte for byte. Times are written as whole nanoseconds in text, since a number holds 104 days of them.

import HeaderModel

struct SavedHeader {
  let header: Header
  var proxy: DelegateProxy { header.proxy }
  /// The largest saved count: a saved state may be written by hand and begin there, and counts on.
  static let maxCount = 9e15
  static func count(_ count: some BinaryInteger) -> Double { min(maxCount, Double(count)) }

  /// The header's whole state, as of the latest event.
  /// - Parameter clients: whether clients in the chain are part of it. Recordings begin with them; a description that is opened again
  ///   (`HeaderDescription.value`) has none.
  /// - Throws: `behaviorFailed` when a delegate cannot save.
  func save(clients: Bool = true) throws(HeaderError) -> Value {
    var members: [Value] = []
    var places = Array(repeating: Int32(-1), count: proxy.slots.count)
    func place(_ delegate: Int32) -> Int32 { delegate < 0 ? -1 : places[Int(delegate)] }
    for index in proxy.slots.indices where clients || header.description.delegates[index].client == nil {
      places[index] = Int32(members.count)
      let slot = proxy.slots[index]
      let posted = slot.noticePostedAt.map { $0 == .max ? Value.null : .number(Double($0)) }
      let saved = try state(of: index)
      var member: Value.Record = [
        "name": .text(slot.delegate.name), "version": .number(Double(saved.version)), "state": saved.state,
        "isBypassed": .bool(slot.isBypassed), "noticePostedAt": .list(posted),
      ]
      member["bypassed"] = slot.bypassed.map { .text($0) }
      if slot.missedDeadlines > 0 { member["missedDeadlines"] = .number(Double(slot.missedDeadlines)) }
      members.append(.record(member))
    }
    var schedule = header.schedule
    schedule.renumber(place)
    var saved: Value.Record = [
      "time": .text(String(header.now.nanoseconds)), "hasTime": .bool(header.hasTime),
      "seq": .number(Self.count(header.state.seq)),
      "stateTime": .text(String(header.state.time.nanoseconds)),
      "changeCount": .number(Self.count(header.work.changeCount)),
      "trackingScrollView": .number(Double(header.trackingScrollView)), "environment": header.environment.value,
      "scrollViews": rows(header.scrollViews, ScrollView.saved),
      "drawers": rows(header.drawers, Drawer.saved),
      "elements": rows(header.elements, Element.saved),
      "drawerOwners": .list(header.owners.drawers.map { .number(Double(place($0))) }),
      "elementOwners": .list(header.owners.elements.map { .number(Double(place($0))) }),
      "chain": .record(ChainPolicy.saved.write(header.chain)),
      "values": .list(header.values.lazy.filter { place($0.delegate) >= 0 }.map(\.content.value)),
      "wants": header.wants.saved,
      "schedule": schedule.saved, "delegates": .list(members),
    ]
    if !header.rare.keptInStack.isEmpty {
      saved["keptInStack"] = .list(header.rare.keptInStack.map { .number(Double($0)) })
    }
    if header.isEdged { saved["edges"] = savedSides }
    if header.isEdged, !header.rare.leaders.places.isEmpty { saved["leaders"] = header.rare.leaders.saved }
    if let control = header.rare.control, control != PositionControl() {
      var kept = control
      kept.renumber(place)
      saved["position"] = kept.saved
    }
    if header.wasExpanding || !header.rare.turns.isEmpty {
      saved["turns"] = [
        "isExpanding": .bool(header.wasExpanding),
        // Times within a second, which a number holds to the nanosecond.
        "ago": .list(
          header.rare.turns.lazy.map { header.now.nanoseconds(since: $0) }.filter { $0 <= Header.turnsWithin }
            .map { .number(Double($0)) }),
      ]
    }
    if !header.rare.insetsBefore.isEmpty {
      saved["insetsBefore"] = .record(
        Value.Record(
          fields: header.rare.insetsBefore.sorted { $0.key < $1.key }.map { name, insets in
            Value.Record.Field(name: name, value: insets.saved)
          }))
    }
    // Nearly always it is where it was at the opening.
    if header.rare.timeEnd.nanoseconds != Instant.maxNanoseconds {
      saved["timeEnd"] = .text(String(header.rare.timeEnd.nanoseconds))
    }
    return .record(saved)
  }

  /// What a delegate saves; nothing, if it is bypassed.
  private func state(of index: Int) throws(HeaderError) -> SavedState {
    let (slot, delegate) = (proxy.slots[index], proxy.slots[index].delegate)
    guard !slot.isBypassed else { return SavedState(version: delegate.behavior.savedVersion, state: .null) }
    return try proxy.answering(for: delegate, at: Path("delegates")[index]) { () throws(DelegateFailure) in
      try delegate.save(in: header)
    }
  }

  /// Header space, and the chains of its edges.
  private var savedSides: Value {
    [
      "space": header.rare.space.value,
      "chains": .list(
        header.sides.map { side in
          var row: Value.Record = ["edge": .text(side.edge.rawValue)]
          row.fields += ChainPolicy.saved.write(side.chain).fields
          return .record(row)
        }),
    ]
  }

  private func restoreSides(_ fields: inout FieldReader) throws(HeaderError) {
    guard header.isEdged, fields.has("edges") else { return }
    try fields.nested("edges") { edges throws(HeaderError) in
      header.rare.space = try edges.shape("space", from: Point()) ?? Point()
      for row in try edges.rows("chains", count: nil) {
        var fields = row
        guard let edge = try fields.choice("edge", Edge.self),
          let side = header.sides.first(where: { $0.edge == edge })
        else { continue }
        side.chain = try ChainPolicy(&fields, scrollViews: header.scrollViews.count)
      }
    }
    header.updateLenses()
  }

  /// Takes over what `save` gave, in place of attaching the delegates.
  func restore(_ saved: Value) throws(HeaderError) {
    var fields = try FieldReader(saved, at: Path("saved"))
    header.now = try fields.headerTime("time")
    header.hasTime = try fields.bool("hasTime") ?? false
    if fields.has("timeEnd") { header.rare.timeEnd = try fields.headerTime("timeEnd") }
    // Whatever stands there, behaviors subtract times from each other.
    header.rare.timeEnd = min(header.rare.timeEnd, header.now.advanced(by: .max))
    header.work.changeCount = UInt64(try fields.required(number: "changeCount", in: 0...Self.maxCount, of: ""))
    header.trackingScrollView = try fields.integer("trackingScrollView", in: -1...(header.scrollViews.count - 1)) ?? -1
    try restoreRecords(&fields)
    header.wants = try Wants(saved: fields.value("wants"), at: fields.path + "wants")
    header.schedule = try Schedule(
      saved: fields.value("schedule"), at: fields.path + "schedule", delegates: proxy.slots.count)
    header.updateAdjustedInsets()
    if fields.has("position") {
      header.rare.control = try PositionControl(
        saved: fields.value("position"), at: fields.path + "position", delegates: proxy.slots.count,
        drawers: header.drawers.count)
    }
    try restoreInsets(&fields)
    try restoreTurns(&fields)
    try restoreDelegates(&fields)
    PositionController(header).takeUp()
    header.rebuildState()
    header.state.seq = Int64(try fields.required(number: "seq", in: 0...Self.maxCount, of: ""))
    header.state.time = try fields.instant("stateTime")
    header.state.wants = header.wants
    header.state.trackingScrollView = Int32(header.trackingScrollView)
    header.state.framesActive = !header.schedule.frames.isEmpty
    header.state.position = PositionController(header).report
    PositionController(header).updateFlags()
    header.work.clearHappened()
  }

  private func owners(_ name: String, count: Int, _ fields: inout FieldReader) throws(HeaderError) -> [Int32] {
    let most = Double(proxy.slots.count - 1)
    return try fields.numbers(name, count: count).map { Int32(max(-1, min(most, $0))) }
  }

  private func rows<Record>(_ records: borrowing FixedBuffer<Record>, _ members: [Member<Record>]) -> Value {
    .list(records.elements.map { .record(members.write($0)) })
  }

  private func restore<Record>(
    _ records: inout FixedBuffer<Record>, _ name: String, _ members: [Member<Record>], _ fields: inout FieldReader
  ) throws(HeaderError) {
    for (index, row) in try fields.rows(name, count: records.count).enumerated() {
      var row = row
      var record = records[index]
      try members.read(&row, into: &record)
      records[index] = record
    }
  }

  private func restoreRecords(_ fields: inout FieldReader) throws(HeaderError) {
    let environment = try fields.nested("environment") { fields throws(HeaderError) in try Environment(&fields) }
    if let environment { header.environment = environment }
    try restore(&header.scrollViews, "scrollViews", ScrollView.saved, &fields)
    try restore(&header.drawers, "drawers", Drawer.saved, &fields)
    try restore(&header.elements, "elements", Element.saved, &fields)
    for (index, kept) in (try fields.list("keptInStack") ?? []).enumerated() where header.drawers.count > 1 {
      let path = (fields.path + "keptInStack")[index]
      let number = try FieldReader.number(kept, at: path, in: 1...Double(header.drawers.count - 1), of: "")
      header.rare.keptInStack.append(Int(number))
    }
    header.owners.drawers = try owners("drawerOwners", count: header.drawers.count, &fields)
    if fields.has("elementOwners") {
      header.owners.elements = try owners("elementOwners", count: header.elements.count, &fields)
    }
    header.chain = try ChainPolicy(
      saved: fields.value("chain"), at: fields.path + "chain", scrollViews: header.scrollViews.count)
    try restoreSides(&fields)
    if header.isEdged, fields.has("leaders") {
      try header.rare.leaders.restore(try fields.rows("leaders", count: nil))
    }
    try restoreValues(&fields)
  }

  private func restoreTurns(_ fields: inout FieldReader) throws(HeaderError) {
    header.noteEdge()
    try fields.nested("turns") { turns throws(HeaderError) in
      header.wasExpanding = try turns.bool("isExpanding") ?? false
      let ago = try turns.list("ago") ?? []
      for (index, value) in ago.prefix(Header.maxTurns + 1).enumerated() {
        let nanoseconds = try FieldReader.number(value, at: (turns.path + "ago")[index], in: 0...1e9, of: "nanoseconds")
        header.rare.turns.append(header.now.advanced(by: -Int64(nanoseconds)))
      }
    }
  }

  private func restoreInsets(_ fields: inout FieldReader) throws(HeaderError) {
    guard fields.has("insetsBefore") else { return }
    var known: [String: InsetsBefore] = [:]
    try fields.nested("insetsBefore") { rows throws(HeaderError) in
      for view in header.description.scrollViews {
        known[view.name] = try rows.nested(view.name) { row throws(HeaderError) in
          try InsetsBefore(saved: &row)
        }
      }
    }
    header.rare.insetsBefore = known
  }

  /// A saved value stands by its place; a behavior that has grown has more of them than were saved.
  private func restoreValues(_ fields: inout FieldReader) throws(HeaderError) {
    for (index, value) in (try fields.list("values") ?? []).enumerated() where header.values.indices.contains(index) {
      guard let content = NamedValue.Content(value) else {
        throw .unexpected(
          value, at: (fields.path + "values")[index], needed: "null, true, false, a number or a text",
          expected: "null, bool, number or text")
      }
      header.values[index].content = content
    }
  }

  private func restoreDelegates(_ fields: inout FieldReader) throws(HeaderError) {
    let rows = try fields.rows("delegates", count: proxy.slots.count)
    proxy.isRestoring = fields.has("elementOwners")
    defer { proxy.isRestoring = false }
    // Delegates that yield take their elements last here, too.
    for index in ChainEditor(header: header).attachingOrder {
      var row = rows[index]
      let name = try row.required(text: "name")
      guard name == proxy.slots[index].delegate.name else {
        throw HeaderError(
          .invalidParams,
          "\((row.path + "name").text): expected \"\(proxy.slots[index].delegate.name)\" as the description has it, got "
            + Value.text(name).brief, field: (row.path + "name").text, got: .text(name))
      }
      let version = try row.integer("version", in: 0...Int(Int32.max)) ?? 0
      let state = row.value("state") ?? .null
      proxy.slots[index].isActive = true
      let reason = try row.text("bypassed") ?? "it failed before it was saved"
      proxy.slots[index].bypassed = try row.bool("isBypassed") ?? false ? reason : nil
      let missed = try row.integer("missedDeadlines", in: 0...Int(ClientTurn.maxMissedDeadlines)) ?? 0
      proxy.slots[index].missedDeadlines = UInt8(missed)
      for (number, value) in (try row.list("noticePostedAt") ?? []).enumerated() {
        guard proxy.slots[index].noticePostedAt.indices.contains(number), case .number(let count) = value else {
          continue
        }
        proxy.slots[index].noticePostedAt[number] = UInt64(max(0, min(Self.maxCount, count)))
      }
      try restore(SavedState(version: version, state: state), of: index, at: row.path + "state")
    }
  }

  private func restore(_ saved: SavedState, of index: Int, at path: Path) throws(HeaderError) {
    let delegate = proxy.slots[index].delegate
    proxy.updateResponds(of: index)
    guard !proxy.slots[index].isBypassed else { return }
    do {
      try proxy.answering(for: delegate, at: path) { () throws(DelegateFailure) in
        try delegate.restore(saved, in: header)
      }
    } catch {
      // The restored state is no option, so the error has another name.
      var refusal = error
      if refusal.name == .invalidOption { refusal.name = .invalidParams }
      throw refusal
    }
    proxy.updateResponds(of: index)
  }
}

// MARK: - Copies

extension SavedHeader {
  /// What the delegates save.
  func delegates() throws(HeaderError) -> [SavedState] {
    var states: [SavedState] = []
    for index in proxy.slots.indices { states.append(try state(of: index)) }
    return states
  }

  /// Takes over what a header of the same description has, in place of attaching the delegates.
  func copy(_ other: Header, _ delegates: [SavedState]) throws(HeaderError) {
    // With its names, which delegates may ask for.
    header.state = other.state
    header.state.happened = HeaderState.Happened()
    header.now = other.now
    header.hasTime = other.hasTime
    header.rare.timeEnd = other.rare.timeEnd
    header.work.changeCount = other.work.changeCount
    if header.isEdged {
      header.rare.space = other.rare.space
      header.rare.leaders = other.rare.leaders
    }
    HeaderCheckpoint(of: other).restoreParts(of: header)
    header.updateAdjustedInsets()
    header.noteEdge()
    header.wasExpanding = other.wasExpanding
    if !other.rare.turns.isEmpty { header.rare.turns = other.rare.turns }
    proxy.isRestoring = true
    defer { proxy.isRestoring = false }
    for index in ChainEditor(header: header).attachingOrder {
      let slot = other.proxy.slots[index]
      proxy.slots[index].isActive = true
      proxy.slots[index].bypassed = slot.bypassed
      proxy.slots[index].missedDeadlines = slot.missedDeadlines
      proxy.slots[index].noticePostedAt = slot.noticePostedAt
      try restore(delegates[index], of: index, at: Path("delegates")[index] + "state")
    }
    PositionController(header).takeUp()
    PositionController(header).updateFlags()
    header.work.clearHappened()
  }
}
