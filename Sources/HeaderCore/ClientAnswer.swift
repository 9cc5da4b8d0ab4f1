// SPDX-License-Identifier: MIT
//
// What a client answers when it is asked (protocol.md §8): a verdict and actions. All of it is read and checked before
// anything is done, names and owners included, so that a wrong answer changes nothing. The actions are the functions
// that a plugin has, and no others.
//
//     {"verdict":"rewrite","targetOffset":{"y":176},"actions":[{"action":"notice","name":"heldBack"}]}

/// A client's answer, read and checked.
struct ClientAnswer {
  /// What becomes of the event.
  enum Verdict: String, CaseIterable {
    /// It goes on as it is.
    case pass
    /// It goes on with what the answer gives.
    case rewrite
    /// Nobody after the client is asked.
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
    case setContentInset(view: Int, PartialInsets)
    case want(Wants)
    case command(view: Int, String, Value.Record)
    case animate(duration: Double, delay: Double, AnimationCurve, [Action])
  }

  /// What of a drawer is set; the rest stays.
  struct DrawerLook {
    var frame: PartialRect?
    var minimumHeight: Double?
    var maximumHeight: Double?
    var alpha: Double?
    var hidden: Bool?
    var sticky: Bool?
    var translation: PartialPoint?
  }

  /// Names that the client has not used before.
  struct News {
    var values: [String] = []
    var notices: [String] = []
  }

  var verdict: Verdict
  var targetOffset: Point?
  var velocity: Point?
  var delta: Point?
  var returned: Bool?
  var actions: [Action] = []
  var news = News()

  /// Actions of one answer, those inside animations included.
  static let mostActions = 256

  /// Reads an answer to an event.
  /// - Throws: `invalidParams` naming the field below `result`, `drawerNotFound`, `scrollViewNotFound`, `conflict`.
  init(
    _ value: Value, to event: borrowing DelegateEvent, from delegate: Int, in header: Header,
    _ unknown: inout [UnknownField]
  ) throws(HeaderError) {
    var fields = try FieldReader(value, at: Path("result"))
    guard let verdict = try fields.choice("verdict", Verdict.self) else {
      throw fields.unexpected("verdict", needed: "\"pass\", \"rewrite\" or \"end\"", expected: "case")
    }
    self.verdict = verdict
    let kind = event.kind
    let (target, speed, offer) = (event.targetOffset, event.velocity, event.delta)
    if kind == .willEndDragging { targetOffset = try fields.point("targetOffset", &unknown)?.filled(from: target) }
    if kind == .willEndDragging || kind == .willFling {
      velocity = try fields.point("velocity", of: "points per millisecond", &unknown)?
        .filled(from: kind == .willFling ? offer : speed)
    }
    if kind == .willScroll || kind == .didOverscroll {
      delta = try fields.point("delta", &unknown)?.filled(from: offer)
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
    var reader = Reader(header, delegate)
    var room = Self.mostActions
    actions = try reader.actions(&fields, &room, &unknown)
    news = reader.news
    unknown += fields.unknown
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

  /// Of an offer those behind the client may be offered less, never more and never the other way: what is taken and what
  /// is left must add up to it.
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

/// Reads actions: names become places, owners are checked.
private struct Reader {
  let header: Header
  let delegate: Int
  var news = ClientAnswer.News()

  init(_ header: Header, _ delegate: Int) {
    self.header = header
    self.delegate = delegate
  }

  mutating func actions(
    _ fields: inout FieldReader, _ room: inout Int, _ unknown: inout [UnknownField]
  ) throws(HeaderError) -> [ClientAnswer.Action] {
    var actions: [ClientAnswer.Action] = []
    for (index, value) in (try fields.list("actions") ?? []).enumerated() {
      room -= 1
      guard room >= 0 else {
        throw HeaderError(
          .limitExceeded,
          "\((fields.path + "actions").text): an answer has at most \(ClientAnswer.mostActions) actions",
          field: (fields.path + "actions").text)
      }
      var action = try FieldReader(value, at: (fields.path + "actions")[index])
      if let read = try self.action(&action, &room, &unknown) { actions.append(read) }
      unknown += action.unknown
    }
    return actions
  }

  private static let words = [
    "move", "expand", "contract", "setHeight", "setDrawer", "setElement", "setValue", "notice", "setContentOffset",
    "setContentInset", "want", "command", "animate",
  ]

  /// One action; nil when a client that yields may not do it.
  private mutating func action(
    _ fields: inout FieldReader, _ room: inout Int, _ unknown: inout [UnknownField]
  ) throws(HeaderError) -> ClientAnswer.Action? {
    guard let word = try fields.choice("action", Self.words.map { ($0, $0) }) else {
      throw fields.unexpected("action", needed: "the word for an action", expected: "case")
    }
    switch word {
    case "move":
      let by = try fields.required(number: "by")
      return try drawer(&fields, "drawer").map { .move(drawer: $0, by: by) }
    case "expand", "contract":
      let drawer = try fields.has("drawer") ? drawer(&fields, "drawer") : firstDrawer(fields)
      return drawer.map { word == "expand" ? .expand(drawer: $0) : .contract(drawer: $0) }
    case "setHeight":
      let height = try fields.required(number: "height", in: 0...FieldReader.bound)
      return try drawer(&fields, "drawer").map { .setHeight(drawer: $0, height) }
    case "setDrawer":
      let look = try look(&fields, &unknown)
      return try drawer(&fields, "name").map { .setDrawer($0, look) }
    case "setElement": return try element(&fields, &unknown)
    case "setValue": return try value(&fields)
    case "notice":
      let name = try self.name(&fields, "name")
      if !news.notices.contains(name), !isNotice(name) { news.notices.append(name) }
      return .notice(name, try fields.record("arguments"))
    case "setContentOffset":
      let view = try view(&fields)
      guard let offset = try fields.point("offset", &unknown), offset.x != nil || offset.y != nil else {
        throw fields.unexpected("offset", needed: "a point with \"x\", \"y\" or both", expected: "point")
      }
      return .setContentOffset(view: view, offset, silent: try fields.bool("silent") ?? false)
    case "setContentInset":
      let view = try view(&fields)
      guard let inset = try fields.insets("inset", &unknown) else {
        throw fields.unexpected("inset", needed: "insets {top, left, bottom, right}", expected: "insets")
      }
      return .setContentInset(view: view, inset)
    case "want": return .want(try wants(&fields, &unknown))
    case "command":
      return .command(
        view: try view(&fields), try name(&fields, "name"), try fields.record("arguments") ?? Value.Record())
    default:
      return .animate(
        duration: try fields.required(number: "duration", in: 0...86_400, of: "seconds"),
        delay: try fields.number("delay", in: 0...86_400, of: "seconds") ?? 0, try curve(&fields),
        try actions(&fields, &room, &unknown))
    }
  }

  private var yields: Bool { header.yields(delegate) }

  /// A drawer that the client may change: its own, or one that is nobody's.
  private func drawer(_ fields: inout FieldReader, _ field: String) throws(HeaderError) -> Int? {
    let name = try fields.required(text: field)
    guard let index = header.description.drawers.firstIndex(where: { $0.name == name }) else {
      var error = HeaderError.notFound(
        .drawerNotFound, "drawer", name, in: header.name, known: header.description.drawers.map(\.name))
      error.field = (fields.path + field).text
      error.message = "\((fields.path + field).text): \(error.message)"
      throw error
    }
    let owner = header.drawerOwners[index]
    guard owner >= 0, owner != Int32(delegate) else { return index }
    if yields { return nil }
    throw conflict(with: Int(owner), over: "the drawer \"\(name)\"", at: fields.path + field)
  }

  /// The first drawer that the client may change.
  private func firstDrawer(_ fields: FieldReader) throws(HeaderError) -> Int? {
    guard let first = header.drawerOwners.first else {
      throw HeaderError(
        .drawerNotFound, "\(fields.path.text): header \"\(header.name)\" has no drawer", field: fields.path.text)
    }
    if let free = header.drawerOwners.firstIndex(where: { $0 < 0 || $0 == Int32(delegate) }) { return free }
    if yields { return nil }
    throw conflict(
      with: Int(first), over: "the drawer \"\(header.description.drawers[0].name)\"", at: fields.path)
  }

  private func conflict(with owner: Int, over what: String, at path: Path) -> HeaderError {
    .conflict(header.proxy.slots[owner].delegate.name, header.proxy.slots[delegate].delegate.name, over: what, at: path)
  }

  private func look(
    _ fields: inout FieldReader, _ unknown: inout [UnknownField]
  ) throws(HeaderError) -> ClientAnswer.DrawerLook {
    var look = ClientAnswer.DrawerLook()
    look.frame = try fields.rect("frame", &unknown)
    let (y, width, height) = (try fields.number("y"), try fields.length("width"), try fields.length("height"))
    if y != nil || width != nil || height != nil {
      var frame = look.frame ?? PartialRect(origin: PartialPoint(), size: PartialSize())
      if let y { frame.origin.y = y }
      if let width { frame.size.width = width }
      if let height { frame.size.height = height }
      look.frame = frame
    }
    look.minimumHeight = try fields.length("minimumHeight")
    look.maximumHeight = try fields.length("maximumHeight")
    look.alpha = try fields.alpha()
    look.hidden = try fields.bool("hidden")
    look.sticky = try fields.bool("sticky")
    look.translation = try fields.point("translation", &unknown)
    return look
  }

  private func element(
    _ fields: inout FieldReader, _ unknown: inout [UnknownField]
  ) throws(HeaderError) -> ClientAnswer.Action? {
    let name = try fields.required(text: "name")
    let names = header.description.drawers.flatMap { $0.elements.map(\.name) }
    guard let index = names.firstIndex(of: name) else {
      var error = HeaderError.notFound(.drawerNotFound, "element", name, in: header.name, known: names)
      error.field = (fields.path + "name").text
      error.message = "\((fields.path + "name").text): \(error.message)"
      throw error
    }
    var element = header.elements[index]
    if let frame = try fields.rect("frame", &unknown) {
      let present = Rect(
        x: element.center.x - element.bounds.size.width * 0.5, y: element.center.y - element.bounds.size.height * 0.5,
        width: element.bounds.size.width, height: element.bounds.size.height)
      let placed = Element(drawer: element.drawer, frame: frame.filled(from: present))
      (element.center, element.bounds.size) = (placed.center, placed.bounds.size)
    }
    if let center = try fields.point("center", &unknown) { element.center = center.filled(from: element.center) }
    if let bounds = try fields.rect("bounds", &unknown) { element.bounds = bounds.filled(from: element.bounds) }
    if let transform = try fields.transform("transform") { element.transform = transform }
    if let alpha = try fields.alpha() { element.alpha = Float(alpha) }
    if let hidden = try fields.bool("hidden") { element.isHidden = hidden }
    if let zIndex = try fields.number("zIndex", of: "") { element.zIndex = zIndex }
    if let radius = try fields.length("cornerRadius") { element.cornerRadius = radius }
    let owner = header.elementOwners[index]
    guard owner >= 0, owner != Int32(delegate) else { return .setElement(index, element) }
    if yields { return nil }
    throw conflict(with: Int(owner), over: "the element \"\(name)\"", at: fields.path + "name")
  }

  private mutating func value(_ fields: inout FieldReader) throws(HeaderError) -> ClientAnswer.Action? {
    let name = try self.name(&fields, "name")
    guard let given = fields.value("value"), let content = NamedValue.Content(given) else {
      throw fields.unexpected("value", needed: "a number, a text, true, false or null", expected: "scalar")
    }
    for (index, slot) in header.proxy.slots.enumerated()
    where index != delegate && slot.delegate.behavior.values.contains(where: { $0.name == name }) {
      if yields { return nil }
      throw conflict(with: index, over: "the value \"\(name)\"", at: fields.path + "name")
    }
    let mine = header.proxy.slots[delegate].delegate.behavior.values
    if !news.values.contains(name), !mine.contains(where: { $0.name == name }) { news.values.append(name) }
    return .setValue(name, content)
  }

  private func isNotice(_ name: String) -> Bool {
    header.proxy.slots[delegate].delegate.behavior.notices.contains(name)
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
    do {
      return try header.scrollViewIndex(name)
    } catch {
      var refusal = error
      refusal.field = (fields.path + "scrollView").text
      refusal.message = "\((fields.path + "scrollView").text): \(error.message)"
      throw refusal
    }
  }

  private func wants(_ fields: inout FieldReader, _ unknown: inout [UnknownField]) throws(HeaderError) -> Wants {
    var wants = header.wants
    if let hidden = try fields.bool("prefersStatusBarHidden") { wants.prefersStatusBarHidden = hidden }
    if fields.value("preferredStatusBarStyle") == .null {
      wants.preferredStatusBarStyle = nil
    } else if let style = try fields.choice("preferredStatusBarStyle", StatusBarStyle.self) {
      wants.preferredStatusBarStyle = style
    }
    if fields.value("additionalSafeAreaInset") == .null {
      wants.additionalSafeAreaInset = nil
    } else if let inset = try fields.insets("additionalSafeAreaInset", &unknown) {
      wants.additionalSafeAreaInset = inset.filled(from: wants.additionalSafeAreaInset ?? Insets())
    }
    if fields.value("topLayoutGuideLength") == .null {
      wants.topLayoutGuideLength = nil
    } else if let length = try fields.number("topLayoutGuideLength") {
      wants.topLayoutGuideLength = length
    }
    return wants
  }

  private func curve(_ fields: inout FieldReader) throws(HeaderError) -> AnimationCurve {
    let word = try fields.choice("curve", ["linear", "easeIn", "easeOut", "easeInOut", "spring"].map { ($0, $0) })
    switch word {
    case "easeIn": return .easeIn
    case "easeOut": return .easeOut
    case nil, "easeInOut": return .easeInOut
    case "spring":
      return .spring(
        mass: try fields.number("mass", of: "") ?? 1, stiffness: try fields.number("stiffness", of: "") ?? 100,
        damping: try fields.number("damping", of: "") ?? 10,
        initialVelocity: try fields.number("initialVelocity", of: "") ?? 0)
    default: return .linear
    }
  }
}

// MARK: - Doing it

extension Header {
  /// Does what a client wants done, as a plugin does it: through the functions that delegates have.
  func perform(_ action: ClientAnswer.Action, by client: ScrollDelegate) throws(DelegateFailure) {
    switch action {
    case .move(let drawer, let distance):
      try claimDrawer(drawer, by: client)
      _ = try moveChain(from: drawer, by: distance, by: client)
    case .expand(let drawer):
      try claimDrawer(drawer, by: client)
      try expand(from: drawer, by: client)
    case .contract(let drawer):
      try claimDrawer(drawer, by: client)
      try contract(from: drawer, by: client)
    case .setHeight(let drawer, let height):
      try claimDrawer(drawer, by: client)
      var frame = drawers[drawer].frame
      let growth = height - frame.size.height
      frame.size.height = height
      try setFrame(frame, ofDrawer: drawer, by: client)
      // Those after it hang on its edge.
      guard drawer + 1 < drawers.count, growth != 0 else { return }
      let center = drawers[drawer + 1].center
      move(drawer + 1, to: Point(x: center.x, y: center.y + growth))
    case .setDrawer(let drawer, let look):
      try claimDrawer(drawer, by: client)
      try set(look, ofDrawer: drawer, by: client)
    case .setElement(let index, let element): try setElement(index, element, by: client)
    case .setValue(let name, let content):
      guard let number = client.behavior.values.firstIndex(where: { $0.name == name }) else { return }
      try setValue(number, content, by: client)
    case .notice(let name, let arguments):
      guard let number = client.behavior.notices.firstIndex(of: name) else { return }
      try post(number, arguments, isRoutine: false, by: client)
    case .setContentOffset(let view, let offset, let silent):
      let target = offset.filled(from: scrollViews[view].contentOffset)
      if silent {
        try moveSilently(to: target, view, by: client)
      } else {
        try setContentOffset(target, of: view, by: client)
      }
    case .setContentInset(let view, let inset):
      try setContentInset(inset.filled(from: scrollViews[view].contentInset), of: view, by: client)
    case .want(let wants): try setWants(wants, by: client)
    case .command(let view, let name, let arguments): try command(name, arguments, for: view, by: client)
    case .animate(let duration, let delay, let curve, let actions):
      try animate(duration: duration, delay: delay, curve: curve, token: nil, by: client)
      for action in actions { try perform(action, by: client) }
    }
  }

  private func set(
    _ look: ClientAnswer.DrawerLook, ofDrawer drawer: Int, by client: ScrollDelegate
  ) throws(DelegateFailure) {
    if let frame = look.frame {
      try setFrame(frame.filled(from: drawers[drawer].frame), ofDrawer: drawer, by: client)
    }
    if look.minimumHeight != nil || look.maximumHeight != nil {
      try setHeights(
        minimum: look.minimumHeight ?? drawers[drawer].minimumHeight,
        maximum: look.maximumHeight ?? drawers[drawer].maximumHeight, ofDrawer: drawer, by: client)
    }
    if let alpha = look.alpha { try setAlpha(alpha, ofDrawer: drawer, by: client) }
    if let hidden = look.hidden { try setHidden(hidden, ofDrawer: drawer, by: client) }
    if let sticky = look.sticky { try setSticky(sticky, ofDrawer: drawer, by: client) }
    if let translation = look.translation {
      try setTranslation(translation.filled(from: drawers[drawer].translation), ofDrawer: drawer, by: client)
    }
  }
}
