// SPDX-License-Identifier: MIT
//
// The fields that descriptions and events have in common: names and lists of named things, texts. An error says which field, what
// was given and what would do.

extension FieldReader {
  /// The name of a header, which must be there.
  mutating func headerName(_ name: String) throws(HeaderError) -> String {
    guard case .text(let text)? = value(name, as: [Names.headerForm]), Names.isHeaderName(text) else {
      throw unexpected(
        name, needed: "a header's name (1 to 128 letters, digits, \"_\", \"-\", in parts joined by \".\")",
        expected: "name")
    }
    return text
  }

  /// A name of anything but a header, which must be there.
  mutating func plainName(_ name: String, of what: String) throws(HeaderError) -> String {
    guard case .text(let text)? = value(name, as: [Names.form]), Names.isName(text) else {
      let article = what.hasPrefix("e") ? "an" : "a"
      throw unexpected(name, needed: "\(article) \(what)'s name (\(Self.nameGrammar))", expected: "name")
    }
    return text
  }

  private static let nameGrammar = "a letter, then letters, digits, \"_\", \"-\", at most 64 in all"

  /// The field `name`, which none of the names so far may equal; it joins them.
  /// - Parameter fallback: the name when the field is left out; nil: it must be there.
  mutating func uniqueName(_ taken: inout Set<String>, of what: String, orElse fallback: String? = nil)
    throws(HeaderError) -> String
  {
    let name: String
    if let fallback, !has("name") {
      _ = value("name", as: [Names.form])
      name = fallback
    } else {
      name = try plainName("name", of: what)
    }
    guard taken.insert(name).inserted else {
      throw HeaderError(
        .invalidParams, "\((path + "name").text): there are two \(what)s named \"\(name)\", expected each name once",
        field: (path + "name").text, got: .text(name), expected: "unique name",
        hint: has("name") ? nil : "give one of them a \"name\" of its own")
    }
    return name
  }

  /// The scroll views by name; left out, one of every default.
  mutating func scrollViews() throws(HeaderError) -> [ScrollViewDescription] {
    let path = path + "scrollViews"
    let given = try records("scrollViews", named: Names.form, definition: "ScrollView") { field throws(HeaderError) in
      guard Names.isName(field.name) else {
        throw HeaderError(
          .invalidParams,
          "\(path.text): expected names of scroll views (\(Self.nameGrammar)), got \(Value.text(field.name).brief)",
          field: path.text, got: Value.text(field.name).scalar, expected: "name")
      }
    } _: { name, fields throws(HeaderError) in
      try ScrollViewDescription(name: name, &fields)
    }
    guard let given else {
      var nothing = FieldReader(Value.Record(), at: path + "content")
      return [try ScrollViewDescription(name: "content", &nothing)]
    }
    guard !given.isEmpty else {
      throw HeaderError(
        .invalidParams, "\(path.text): expected at least one scroll view by name, got an empty record",
        field: path.text, expected: "record")
    }
    return given
  }

  /// The tracking scroll view's name, null for none; left out, it is the only scroll view, or none of several.
  mutating func trackingScrollView(of scrollViews: [ScrollViewDescription]) throws(HeaderError) -> String? {
    guard let given = try nameOrNull("trackingScrollView") else {
      return scrollViews.count == 1 ? scrollViews[0].name : nil
    }
    let names = scrollViews.map(\.name)
    guard let name = given, !names.contains(name) else { return given }
    let field = (path + "trackingScrollView").text
    let listed = names.map { "\"\($0)\"" }.joined(separator: ", ")
    throw HeaderError(
      .scrollViewNotFound,
      "\(field): there is no scroll view \(Value.text(name).brief), expected one of \(listed) or null",
      field: field, got: Value.text(name).scalar, expected: names.joined(separator: ", "),
      hint: nearest(to: name, in: names).map { "did you mean \"\($0)\"?" })
  }

  /// The drawers of all edges.
  /// - Parameter first: the width of an edge's drawers, and where its first one begins.
  mutating func drawers(
    _ first: (Edge) -> (width: Double, y: Double)
  ) throws(HeaderError) -> [DrawerDescription] {
    var ends: [Edge: Double] = [:]
    var (drawerNames, elementNames) = (Set<String>(), Set<String>())
    let drawers = try records("drawers", definition: "Drawer") { fields throws(HeaderError) in
      let drawer = try DrawerDescription(&fields, drawerNames: &drawerNames, elementNames: &elementNames) { edge in
        let place = first(edge)
        return (place.width, ends[edge] ?? place.y)
      }
      ends[drawer.edge] = drawer.y + drawer.height
      return drawer
    }
    return drawers ?? []
  }

  mutating func stops(of header: String, drawers: [String]) throws(HeaderError) -> [StopDescription] {
    // Few headers have stops.
    lazy var known = Set(drawers)
    var names = StopDescription.reserved
    let stops = try records("stops", definition: "Stop") { fields throws(HeaderError) in
      let stop = try StopDescription(&fields, names: &names)
      switch stop.target {
      case .height(let drawer, _), .shift(let drawer, _):
        guard !known.contains(drawer) else { break }
        throw .notFound(.drawerNotFound, "drawer", drawer, in: header, known: drawers, at: fields.path + "drawer")
      case .stop, .progress: break
      }
      return stop
    }
    return stops ?? []
  }

  mutating func delegates(_ isRecorded: Bool) throws(HeaderError) -> [DelegateDescription] {
    var names: Set<String> = []
    let delegates = try records("delegates", definition: "Delegate") { fields throws(HeaderError) in
      try DelegateDescription(&fields, names: &names, isRecorded)
    }
    return delegates ?? []
  }

  /// A list of texts; nil when it is left out.
  mutating func texts(_ name: String, _ form: @autoclosure () -> FieldForm = .text()) throws(HeaderError) -> [String]? {
    note(itemsOf: name, [form()])
    guard let list = try list(name) else { return nil }
    var texts: [String] = []
    for (index, value) in list.enumerated() {
      guard case .text(let text) = value else {
        throw .unexpected(value, at: (path + name)[index], needed: "a text", expected: "text")
      }
      texts.append(text)
    }
    return texts
  }

  /// Refuses a smallest height above the largest.
  func requireOrder(minimumHeight: Double, maximumHeight: Double) throws(HeaderError) {
    guard minimumHeight > maximumHeight else { return }
    let name = has("minimumHeight") ? "minimumHeight" : "maximumHeight"
    let needed =
      name == "minimumHeight"
      ? "at most the maximumHeight, \(Value.brief(maximumHeight))"
      : "at least the minimumHeight, \(Value.brief(minimumHeight))"
    throw unexpected(name, needed: needed, expected: "number")
  }
}
