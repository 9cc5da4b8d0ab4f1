// SPDX-License-Identifier: MIT
//
// The actions of a client's answer (ClientAnswer.swift), read and checked one by one before any of them is done.

import HeaderModel

/// Reads actions: names become places, owners are checked.
struct ClientActionReader {
  let header: Header
  let delegate: Int
  var news = ClientAnswer.NewNames()

  mutating func actions(
    _ fields: inout FieldReader, _ room: inout Int
  ) throws(HeaderError) -> [ClientAnswer.Action] {
    let list = (fields.path + "actions").text
    let actions = try fields.records("actions", definition: "Action", count: 0...ClientAnswer.maxActions) {
      action throws(HeaderError) in
      room -= 1
      guard room >= 0 else {
        throw HeaderError(
          .limitExceeded, "\(list): an answer has at most \(ClientAnswer.maxActions) actions", field: list)
      }
      return try self.action(&action, &room)
    }
    return (actions ?? []).compactMap { $0 }
  }

  static let words = [
    "move", "expand", "contract", "setHeight", "setDrawer", "setElement", "setValue", "notice", "setContentOffset",
    "setContentInset", "want", "command", "animate",
  ]

  /// Reads one action; nil when a client that yields may not do it.
  mutating func action(
    _ fields: inout FieldReader, _ room: inout Int
  ) throws(HeaderError) -> ClientAnswer.Action? {
    guard let word = try fields.choice("action", Self.words.map { ($0, $0) }) else {
      throw fields.unexpected("action", needed: "the word for an action", expected: "case")
    }
    switch word {
    case "move":
      let by = try fields.required(number: "by")
      return try drawer(&fields, "drawer").map { .move(drawer: $0, by: by) }
    case "expand", "contract":
      let isNamed = try fields.text("drawer") != nil
      let drawer = try isNamed ? drawer(&fields, "drawer") : firstDrawer(fields)
      return drawer.map { word == "expand" ? .expand(drawer: $0) : .contract(drawer: $0) }
    case "setHeight":
      let height = try fields.required(number: "height", in: 0...FieldReader.bound)
      return try drawer(&fields, "drawer").map { .setHeight(drawer: $0, height) }
    case "setDrawer":
      let look = try look(&fields)
      return try drawer(&fields, "name").map { .setDrawer($0, look) }
    case "setElement": return try element(&fields)
    case "setValue": return try value(&fields)
    case "notice":
      let name = try self.name(&fields, "name")
      let known = header.proxy.slots[delegate].delegate.behavior.notices
      if !news.notices.contains(name), !known.contains(name) { news.notices.append(name) }
      return .notice(name, try fields.record("arguments"))
    case "setContentOffset":
      let view = try view(&fields)
      guard let offset = try fields.point("offset"), offset.x != nil || offset.y != nil else {
        throw fields.unexpected("offset", needed: "a point with \"x\", \"y\" or both", expected: "point")
      }
      return .setContentOffset(view: view, offset, silent: try fields.bool("silent") ?? false)
    case "setContentInset":
      let view = try view(&fields)
      guard let inset = try Form<Insets>.shape.check(&fields, "inset") else {
        throw fields.unexpected("inset", needed: "insets {top, left, bottom, right}", expected: "insets")
      }
      return .setContentInset(view: view, inset)
    case "want":
      var wants = header.wants
      try Wants.members.read(&fields, into: &wants)
      return .want(wants)
    case "command":
      return .command(
        view: try view(&fields), try name(&fields, "name"), try fields.record("arguments") ?? Value.Record())
    default:
      return .animate(
        duration: try fields.required(number: "duration", in: 0...86_400, of: "seconds"),
        delay: try fields.number("delay", in: 0...86_400, of: "seconds") ?? 0, try curve(&fields),
        try actions(&fields, &room))
    }
  }

  private var yields: Bool { ChainEditor(header: header).yields(delegate) }

  /// A drawer that the client may change: its own, or one without an owner that follows no other.
  private func drawer(_ fields: inout FieldReader, _ field: String) throws(HeaderError) -> Int? {
    let name = try fields.required(text: field)
    guard let index = header.description.drawers.firstIndex(where: { $0.name == name }) else {
      throw .notFound(
        .drawerNotFound, "drawer", name, in: header.name, known: header.description.drawers.map(\.name),
        at: fields.path + field)
    }
    if isFree(index) { return index }
    if yields { return nil }
    throw conflict(with: header.owners.drawers[index], over: "the drawer \"\(name)\"", at: fields.path + field)
  }

  private func isFree(_ drawer: Int) -> Bool {
    let owner = header.owners.drawers[drawer]
    return !header.follows(drawer) && (owner < 0 || owner == Int32(delegate))
  }

  /// The first drawer that the client may change.
  private func firstDrawer(_ fields: FieldReader) throws(HeaderError) -> Int? {
    guard let first = header.owners.drawers.first else {
      throw HeaderError(
        .drawerNotFound, "\(fields.path.text): header \"\(header.name)\" has no drawer", field: fields.path.text)
    }
    if let free = header.owners.drawers.indices.first(where: isFree) { return free }
    if yields { return nil }
    throw conflict(with: first, over: "the drawer \"\(header.description.drawers[0].name)\"", at: fields.path)
  }

  /// - Parameter owner: below 0: the drawer follows another one.
  private func conflict(with owner: Int32, over what: String, at path: Path) -> HeaderError {
    // The others' behaviors may have no such option.
    let own = header.proxy.slots[delegate].delegate.name
    let other = owner < 0 ? "the drawer that it follows" : header.proxy.slots[Int(owner)].delegate.name
    return .conflict(other, own, over: what, yielder: "\"\(own)\"", at: path)
  }

  private func look(_ fields: inout FieldReader) throws(HeaderError) -> ClientAnswer.DrawerLook {
    var frame = try fields.parts(of: Rect.self, "frame")
    let given = try DrawerDescription.members.check(&fields)
    for side in ["y", "width", "height"] {
      guard let value = given[side] else { continue }
      frame = frame ?? Value.Record()
      frame?[side] = value
    }
    return ClientAnswer.DrawerLook(
      frame: frame.map { .record($0) }, given: given, translation: try fields.point("translation"))
  }

  private func element(_ fields: inout FieldReader) throws(HeaderError) -> ClientAnswer.Action? {
    let name = try fields.required(text: "name")
    let names = header.description.drawers.flatMap { $0.elements.map(\.name) }
    guard let index = names.firstIndex(of: name) else {
      throw .notFound(.drawerNotFound, "element", name, in: header.name, known: names, at: fields.path + "name")
    }
    var element = header.elements[index]
    element.take(given: try ElementDescription.members.check(&fields))
    if let center = try fields.shape("center", from: element.center) { element.center = center }
    if let bounds = try fields.shape("bounds", from: element.bounds) { element.bounds = bounds }
    if let radius = try fields.number("cornerRadius", in: 0...FieldReader.bound) { element.cornerRadius = radius }
    let owner = header.owners.elements[index]
    guard owner >= 0, owner != Int32(delegate) else { return .setElement(index, element) }
    if yields { return nil }
    throw conflict(with: owner, over: "the element \"\(name)\"", at: fields.path + "name")
  }

  private mutating func value(_ fields: inout FieldReader) throws(HeaderError) -> ClientAnswer.Action? {
    let name = try self.name(&fields, "name")
    guard let given = fields.value("value", as: [.number(-1e9...1e9, unit: ""), .text(), .bool, .null]),
      let content = NamedValue.Content(given)
    else {
      throw fields.unexpected("value", needed: "a number, a text, true, false or null", expected: "scalar")
    }
    for (index, slot) in header.proxy.slots.enumerated()
    where index != delegate && slot.delegate.behavior.values.contains(where: { $0.name == name }) {
      if yields { return nil }
      throw conflict(with: Int32(index), over: "the value \"\(name)\"", at: fields.path + "name")
    }
    let mine = header.proxy.slots[delegate].delegate.behavior.values
    if !news.values.contains(name), !mine.contains(where: { $0.name == name }) { news.values.append(name) }
    return .setValue(name, content)
  }

  private func name(_ fields: inout FieldReader, _ field: String) throws(HeaderError) -> String {
    let name = try fields.required(text: field)
    guard Names.isName(name) else {
      throw fields.unexpected(
        field, needed: "a name: a letter, then letters, digits, _ and -, at most 64 bytes", expected: "name")
    }
    return name
  }

  /// The scroll view that is named, else the tracking one, else the only one.
  private func view(_ fields: inout FieldReader) throws(HeaderError) -> Int {
    guard let name = try fields.text("scrollView") else {
      if header.trackingScrollView >= 0 { return header.trackingScrollView }
      if header.scrollViews.count == 1 { return 0 }
      throw fields.unexpected("scrollView", needed: "a scroll view's name", expected: "text")
    }
    return try header.scrollViewIndex(name, at: fields.path + "scrollView")
  }

  private func curve(_ fields: inout FieldReader) throws(HeaderError) -> AnimationCurve {
    let word = try fields.choice("curve", AnimationCurve.words.map { ($0, $0) })
    guard word == "spring" else { return word.flatMap(AnimationCurve.init(named:)) ?? .easeInOut }
    return .spring(
      mass: try fields.number("mass", of: "") ?? 1, stiffness: try fields.number("stiffness", of: "") ?? 100,
      damping: try fields.number("damping", of: "") ?? 10,
      initialVelocity: try fields.number("initialVelocity", of: "") ?? 0)
  }
}
