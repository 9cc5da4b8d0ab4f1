// SPDX-License-Identifier: MIT
//
// The shells of messages, the numbers of errors, ids that are echoed, and states field by field.

import HeaderCore
import HeaderModel
import HeaderTestKit
import HeaderWire
import Testing

/// What an envelope's line comes to, in words.
private func told(_ line: String) -> String {
  let bytes = Array(line.utf8)
  var result = ""
  do throws(EnvelopeRefusal) {
    try unsafe bytes.span.bytes.withUnsafeBytes { (bytes) throws(EnvelopeRefusal) in
      try unsafe Envelope.read(bytes) { envelope in
        result = "\(envelope.method.rawValue) \(envelope.address)"
        if envelope.params != nil { result += " " + written { $0.value(envelope.paramsTree()) } }
      }
    }
  } catch {
    result = "\(error.error.name.rawValue) \(error.address)"
  }
  return result
}

@Suite struct EnvelopeTests {
  struct Row: Sendable {
    var line: String
    var expected: String
  }

  static let rows = [
    Row(line: #"{"id":1,"method":"ping"}"#, expected: "ping request(HeaderWire.RequestID.integer(1))"),
    Row(line: #"{"params":{"a":[1,2]},"method":"event"}"#, expected: #"event notification {"a":[1,2]}"#),
    Row(line: #"{"method":"event","params":{"y":1e999}}"#, expected: #"event notification {"y":"1e999"}"#),
    Row(
      line: #"{"method":"event","params":{"text":"1e999","y":-1E+400}}"#,
      expected: #"event notification {"text":"1e999","y":"-1E+400"}"#),
    Row(line: #"{"method":"he\u006Clo"}"#, expected: "hello notification"),
    Row(line: "[]", expected: "invalidRequest unreadable"),
    Row(line: "{", expected: "parseError unreadable"),
    Row(line: "", expected: "parseError unreadable"),
    Row(line: "{}", expected: "invalidRequest unreadable"),
    Row(line: #"{"id":{},"method":"ping"}"#, expected: "invalidRequest unreadable"),
    Row(line: #"{"method":"pong"}"#, expected: "methodNotFound notification"),
  ]

  @Test(arguments: rows) func reading(_ row: Row) { #expect(told(row.line) == row.expected) }

  @Test func aLineFullOfNumbersTooLargeIsNoWork() {
    let many = "{\"method\":\"event\",\"params\":[" + String(repeating: "1e999,", count: 20_000) + "1]}"
    #expect(told(many) == "parseError unreadable")
  }

  @Test(arguments: ["0", "7", "999999999999999", "-1", "1.50", "1e3", "12345678901234567890", #""""#, #""a\"é\u0000""#])
  func idsAreEchoed(_ id: String) {
    let bytes = Array("{\"id\":\(id),\"method\":\"ping\"}".utf8)
    var answer = ""
    do throws(EnvelopeRefusal) {
      try unsafe bytes.span.bytes.withUnsafeBytes { (bytes) throws(EnvelopeRefusal) in
        try unsafe Envelope.read(bytes) { envelope in
          guard case .request(let id) = envelope.address else { return }
          answer = written { $0.answer(id) { $0.null() } }
        }
      }
    } catch {
      Issue.record("\(error)")
    }
    #expect(answer == "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"result\":null}\n")
  }
}

@Suite struct SchemaTests {
  @Test func whatNobodyAskedForMayBeAnything() {
    var definitions = Value.Record()
    #expect(FieldNotes().schema(&definitions) == [:])
    #expect(definitions.fields.isEmpty)
  }
}

@Suite struct ErrorMessageTests {
  @Test func everyNameHasItsOwnCode() {
    let codes = ErrorName.allCases.map(\.code)
    #expect(Set(codes).count == codes.count)
    #expect(ErrorName.unknownField.code == -32027)
    #expect(ErrorName.scrollViewNotFound.code == -32002)
  }

  @Test func factsStandBehindTheNamedMembers() {
    let error = HeaderError(
      .inUse, "a \"message\"", field: "params.plugin", got: .text("x"), expected: "y", hint: "z",
      facts: Value.Record(fields: [.init(name: "headers", value: ["main"])]))
    #expect(
      written { $0.refusal(nil, error) }
        == #"{"jsonrpc":"2.0","id":null,"error":{"code":-32016,"message":"a \"message\"","data":{"name":"inUse","field":"params.plugin","got":"x","expected":"y","hint":"z","headers":["main"]}}}"#
        + "\n")
    #expect(
      written { $0.errorNotification(error) }.hasPrefix(#"{"jsonrpc":"2.0","method":"error","params":{"code":-32016,"#))
  }

  @Test func notifications() {
    #expect(written { $0.ping() } == "{\"jsonrpc\":\"2.0\",\"method\":\"ping\"}\n")
    #expect(
      written { $0.gap(header: "a", epoch: 5, range: 2...9, reason: "overflow") }
        == #"{"jsonrpc":"2.0","method":"gap","params":{"header":"a","epoch":5,"from":2,"to":9,"reason":"overflow"}}"#
        + "\n")
    #expect(
      written { $0.gap(header: "a", epoch: 5, range: nil, reason: "newEpoch") }
        == #"{"jsonrpc":"2.0","method":"gap","params":{"header":"a","epoch":5,"reason":"newEpoch"}}"# + "\n")
  }

  /// A frame has room for the numbers all the same, and 0 stands in both.
  @Test func aGapBeforeANewLifeHasNoNumbers() {
    var writer = FrameWriter()
    writer.gap(handle: 3, epoch: 5, range: 2...9, reason: "overflow")
    writer.gap(handle: 3, epoch: 5, range: nil, reason: "newEpoch")
    let frames = writer.copy()
    #expect(frames.count == 2 * 48)
    #expect([frames[24], frames[32]] == [2, 9])
    #expect(frames[48 + 24..<48 + 40].allSatisfy { $0 == 0 })
  }
}

/// Sets everything that a state can show, once, when it is called.
private final class Painter: ScrollDelegate {
  var paint: (Painter, Header) throws(DelegateFailure) -> Void = { _, _ throws(DelegateFailure) in }

  override func attach(to header: Header) throws(DelegateFailure) {
    for drawer in header.drawers.indices { try header.claimDrawer(drawer, by: self) }
  }

  override func call(_ index: Int, _ arguments: Value.Record, in header: Header) throws(DelegateFailure) -> Value {
    try paint(self, header)
    return .null
  }
}

private final class Painters: BehaviorProvider {
  let description = BehaviorDescription(
    name: "Painter", plugin: "Painter", summary: "", moves: true, events: .all,
    values: [ValueDescription(name: "v", type: .text, initial: .null, meaning: "")],
    calls: [CallDescription(name: "paint", meaning: "")], notices: ["n"])
  private(set) var made: Painter?

  func behavior(named name: String) -> BehaviorDescription? { name == "Painter" ? description : nil }
  var behaviorNames: [String] { ["Painter"] }

  func makeDelegate(behavior: String, name: String) throws(HeaderError) -> ScrollDelegate {
    let painter = Painter(name: name, behavior: description)
    made = painter
    return painter
  }
}

@Suite struct StateEncoderTests {
  /// The state after a header's delegate did something, as its `params`.
  private func state(
    _ parts: StateEncoder.Parts = [], views: [String] = ["content"],
    _ paint: @escaping (Painter, Header) throws(DelegateFailure) -> Void
  ) throws -> String {
    var description = HeaderDescription(header: "h")
    description.scrollViews = views.map { ScrollViewDescription(name: $0) }
    var drawer = DrawerDescription(name: "d", height: 10, y: 0, width: 20)
    drawer.elements = [ElementDescription(name: "title", frame: Rect(x: 1, y: 2, width: 4, height: 6))]
    description.drawers = [drawer]
    description.delegates = [DelegateDescription(behavior: "Painter")]
    let painters = Painters()
    let header = try Header(description, epoch: 7, provider: painters)
    header.recordsCalls = true
    painters.made?.paint = paint
    var line = ""
    _ = try header.receive(
      ScrollEvent(.call(name: "paint", arguments: Value.Record(), delegate: nil)), at: Instant(seconds: 1.5)
    ) { state in
      line = written { _ = plainNotification(state, parts, into: &$0) }
      let template = StateTemplate()
      #expect(written { _ = StateEncoder.notification(state, parts, template, into: &$0) } == line)
    }
    let prefix = #"{"jsonrpc":"2.0","method":"state","params":{"header":"h","epoch":7,"seq":2,"time":1.5,"#
    #expect(line.hasPrefix(prefix))
    #expect(line.hasSuffix("}}\n"))
    return String(line.dropFirst(prefix.count).dropLast(3))
  }

  private let drawers = #""drawers":[{"name":"d","frame":{"x":0,"y":0,"width":20,"height":10}}]"#
  private let views =
    #""scrollViews":{"content":{"contentOffset":{"x":0,"y":0},"contentInset":{"top":0,"left":0,"bottom":0,"right":0}}}"#

  @Test func whatHasItsDefaultIsLeftOut() throws {
    let text = try state { painter, header throws(DelegateFailure) in
      try header.setValue(0, .text("é"), by: painter)
    }
    #expect(text == drawers + "," + views + #","values":{"v":"é"}"#)
  }

  @Test func whereItIsWhenSomethingHoldsIt() throws {
    var description = HeaderDescription(header: "h")
    description.scrollViews = [ScrollViewDescription(name: "content")]
    var state = try Header(description, epoch: 1, provider: Painters()).state
    state.position = PositionReport(
      position: Position(traveled: 10, travel: 40), permitted: 0...1, motion: 3, constraints: [],
      obstruction: Insets(top: 30))
    let position =
      #""position":{"progress":0.25,"traveled":10,"travel":40,"motion":3,"#
      + #""obstruction":{"top":30,"left":0,"bottom":0,"right":0}}"#
    #expect(written { _ = StateEncoder.notification(state, [], StateTemplate(), into: &$0) }.contains(position))
  }

  @Test func aDrawerWithEverything() throws {
    let text = try state { painter, header throws(DelegateFailure) in
      try header.setAlpha(0.1, ofDrawer: 0, by: painter)
      try header.setHidden(true, ofDrawer: 0, by: painter)
      try header.setTranslation(Point(x: 0.25, y: -3), ofDrawer: 0, by: painter)
    }
    #expect(
      text.hasPrefix(
        #""drawers":[{"name":"d","frame":{"x":0.25,"y":-3,"width":20,"height":10},"alpha":0.1,"hidden":true,"translation":{"x":0.25,"y":-3}}]"#
      ))
  }

  @Test func anElementThatWasChanged() throws {
    let text = try state { painter, header throws(DelegateFailure) in
      var element = header.elements[0]
      element.alpha = 0.3
      element.zIndex = 2
      try header.setElement(0, element, by: painter)
    }
    #expect(
      text.contains(
        #""elements":[{"name":"title","drawer":"d","center":{"x":3,"y":5},"bounds":{"x":0,"y":0,"width":4,"height":6},"frame":{"x":1,"y":2,"width":4,"height":6},"alpha":0.3,"zIndex":2}]"#
      ))
  }

  @Test func aTransformedElementHasNoFrame() throws {
    let text = try state { painter, header throws(DelegateFailure) in
      var element = header.elements[0]
      element.transform.row1.m1 = 2
      try header.setElement(0, element, by: painter)
    }
    #expect(text.contains(#""frame":null,"transform":[2,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}"#))
  }

  @Test func scrollViewsTellWhatDiffers() throws {
    let text = try state(views: ["content", "other"]) { painter, header throws(DelegateFailure) in
      try header.setContentInset(Insets(top: 5), of: 0, by: painter)
      try header.setFrame(Rect(x: 0, y: 1, width: 2, height: 3), ofScrollView: 1, by: painter)
      try header.setContentSize(Size(width: 8, height: 9), of: 1, by: painter)
    }
    #expect(text.hasPrefix(#""trackingScrollView":"content","drawers""#))
    #expect(
      text.contains(
        #""content":{"contentOffset":{"x":0,"y":0},"contentInset":{"top":5,"left":0,"bottom":0,"right":0},"scrollIndicatorInsets":{"top":0,"left":0,"bottom":0,"right":0}}"#
      ))
    #expect(
      text.contains(
        #""contentInset":{"top":0,"left":0,"bottom":0,"right":0},"frame":{"x":0,"y":1,"width":2,"height":3},"contentSize":{"width":8,"height":9}}"#
      ))
  }

  @Test func movesOfTheHeadersOwn() throws {
    let text = try state { painter, header throws(DelegateFailure) in
      try header.moveSilently(to: Point(x: 0, y: 4), 0, by: painter)
    }
    #expect(text.contains(#""correction":{"x":0,"y":4}"#))
  }

  @Test func wishes() throws {
    let text = try state { painter, header throws(DelegateFailure) in
      var wants = Wants()
      wants.prefersStatusBarHidden = true
      wants.preferredStatusBarStyle = .lightContent
      wants.additionalSafeAreaInset = Insets(top: 1)
      wants.topLayoutGuideLength = 2
      try header.setWants(wants, by: painter)
    }
    #expect(
      text.hasSuffix(
        #""wants":{"prefersStatusBarHidden":true,"preferredStatusBarStyle":"lightContent","additionalSafeAreaInset":{"top":1,"left":0,"bottom":0,"right":0},"topLayoutGuideLength":2}"#
      ))
  }

  private let happenings: (Painter, Header) throws(DelegateFailure) -> Void = {
    painter, header throws(DelegateFailure) in
    try header.post(0, (["a": 1] as Value).record, isRoutine: false, by: painter)
    try header.post(0, nil, isRoutine: true, by: painter)
    try header.command("flash", Value.Record(), for: 0, by: painter)
    try header.animate(
      duration: 0.2, delay: 0.1, curve: .spring(mass: 1, stiffness: 100, damping: 10, initialVelocity: 0), token: nil,
      by: painter)
    _ = painter
  }

  @Test func whatHappened() throws {
    let lists =
      #","commands":[{"scrollView":"content","name":"flash","arguments":{}}],"animations":[{"duration":0.2,"delay":0.1,"curve":"spring","mass":1,"stiffness":100,"damping":10,"initialVelocity":0,"delegate":"painter"}]"#
    let notice = #","notices":[{"name":"n","delegate":"painter","arguments":{"a":1}}"#
    let values = #","values":{"v":null}"#
    #expect(try state([], happenings) == drawers + "," + views + values + notice + "]" + lists)
    #expect(
      try state([.routine], happenings) == drawers + "," + views + values + notice
        + #",{"name":"n","delegate":"painter","routine":true}]"# + lists)
    #expect(try state([.snapshot], happenings) == #""snapshot":true,"# + drawers + "," + views + values)
    #expect(try state([.positionsOnly], happenings) == drawers + "," + views + values)
  }

  @Test func alphasAreTheShortestDecimalsOfFloats() throws {
    var random = SplitMix64(seed: 11)
    var alphas: [Float] = [0, 0.1, 0.2, 0.3, 0.6875, 1 / 3, .leastNonzeroMagnitude, 1e-5, 0.99999994, 0.71590906]
    for _ in 0..<2000 { alphas.append(Float.random(in: 0...1, using: &random)) }
    for _ in 0..<2000 { alphas.append(Float(Double(Int.random(in: 0...10_000, using: &random)) / 10_000)) }
    for alpha in alphas where alpha != 1 {
      let text = try state { painter, header throws(DelegateFailure) in
        try header.setValue(0, .number(1), by: painter)
        try header.setAlpha(Double(alpha), ofDrawer: 0, by: painter)
      }
      let printed = text.split(separator: "\"alpha\":")[1].prefix { $0 != "}" }
      #expect(Float(String(printed)) == alpha)
      #expect(Double(String(printed)) == Double(alpha.description))
    }
  }
}

extension Value {
  fileprivate var record: Value.Record {
    if case .record(let record) = self { return record }
    return Value.Record()
  }
}
