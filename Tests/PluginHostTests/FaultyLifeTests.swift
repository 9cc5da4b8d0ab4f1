// SPDX-License-Identifier: MIT
//
// Plugins that break a rule while they live, each in a header with two others: ShyNavBar, and a bystander that counts
// scrolls. Whatever the faulty one does, it is said which delegate and why, the two others go on, and what the header
// shows stays what a second header shows, whose faulty delegate does nothing wrong.

import HeaderCore
import HeaderModel
import PluginHost
import Testing

@Suite struct FaultyLifeTests {
  let folder: Folder
  let registry: PluginRegistry

  init() throws {
    folder = try Folder()
    try folder.compile()
    try folder.compile(
      "Bystander", #"PLUGIN_NAME="Bystander""#, #"BEHAVIOR_NAME="Bystander""#, #"VALUE_NAME="seen""#)
    registry = try folder.registry("Faulty", "Bystander", "ShyNavBar")
  }

  @Test func `is bypassed or refused, and the others go on`() throws {
    var golden = try GoldenText("life.txt")
    #expect(golden.cases.count >= 120)
    try golden.check { row in
      let told = try tell(row)
      #expect(told.count == 1, "\(row.title)")
      return told
    }
  }

  /// The course of a header's life: drag, fling, come to rest, scroll by program, and requests of all kinds.
  static let course: [(event: ScrollEvent, seconds: Double)] = {
    let scroll = { (y: Double) in ScrollEvent(.didScroll, offset: PartialPoint(y: y)) }
    var pass = LayoutChange()
    pass.pass = true
    return [
      (ScrollEvent(.willBeginDragging), 0), (scroll(5), 0.1), (scroll(30), 0.2),
      (ScrollEvent(.willEndDragging(velocity: Point(x: 0, y: 1), targetOffset: PartialPoint(y: 200))), 0.3),
      (ScrollEvent(.didEndDragging(willDecelerate: true)), 0.3), (scroll(60), 0.4),
      (ScrollEvent(.didEndDecelerating), 0.5), (scroll(40), 0.6), (ScrollEvent(.advance(frameDuration: nil)), 2),
      (
        ScrollEvent(
          .call(name: "echo", arguments: Value.Record(fields: [.init(name: "what", value: "x")]), delegate: "faulty")),
        2
      ),
      (ScrollEvent(.setOptions(Value.Record(fields: [.init(name: "speed", value: 2)]), delegate: "faulty")), 2),
      (ScrollEvent(.willScroll(delta: Point(x: 0, y: 10), source: .drag)), 2), (ScrollEvent(.layout(pass)), 2.1),
    ]
  }()

  /// Opens a header with the faulty delegate and the others.
  private func open(_ options: [(String, Value)], claims: Bool) throws -> Stage {
    try Stage(registry) {
      $0.delegates = [.faulty(options + [("claims", .bool(claims))]), DelegateDescription(behavior: "Bystander")]
      if !claims { $0.delegates.append(.shyNavBar) }
    }
  }

  /// What is said of a fault; at most one thing, since nobody calls whoever was bypassed.
  private func tell(_ row: GoldenCase) throws -> [String] {
    let claims = row.words.contains("claims")
    let sound = try open([], claims: claims)
    let stage: Stage
    do {
      stage = try open([("act", .text(row.words[0])), ("when", .text(row.words[1]))], claims: claims)
    } catch let error as HeaderError {
      #expect(throws: Never.self) { try open([], claims: claims) }
      return ["opening: \(error.name.rawValue): \(error.message)"]
    }
    var told: [String] = []
    for step in Self.course {
      let wasBypassed = stage.header.isBypassed(0)
      let name = step.event.kind.name
      var failure: HeaderError?
      do throws(HeaderError) {
        failure = try stage.send(step.event, at: step.seconds).failure
      } catch {
        failure = error
      }
      try sound.send(step.event, at: step.seconds)
      if wasBypassed {
        // Only a request to itself is answered by that.
        #expect((failure == nil) == (name != .call && name != .setOptions), "\(row.title), \(name)")
      } else if let failure {
        told.append("\(name): \(failure.name.rawValue): \(failure.message)")
        expectTold(failure, by: stage, row)
      }
      #expect(stage.value("seen") == sound.value("seen"), "\(row.title), \(name)")
      if !row.words.contains("moves") {
        #expect(stage.state.positions == sound.state.positions, "\(row.title), \(name)")
      }
    }
    #expect(sound.value("seen") == .number(4))
    for index in 1..<stage.header.delegates.count { #expect(!stage.header.isBypassed(index), "\(row.title)") }
    do throws(HeaderError) {
      _ = try stage.header.save()
    } catch {
      told.append("saving: \(error.name.rawValue): \(error.message)")
    }
    return told
  }

  /// The state says the same as the answer, in a notice of the delegate.
  private func expectTold(_ failure: HeaderError, by stage: Stage, _ row: GoldenCase) {
    guard failure.name == .behaviorFailed else {
      #expect(!stage.header.isBypassed(0), "\(row.title)")
      return
    }
    #expect(stage.header.isBypassed(0), "\(row.title)")
    #expect(failure.facts["culprit"] == "faulty")
    let reasons = stage.states.flatMap(\.happened.notices).filter { $0.name == .delegatePassedOver }
    #expect(reasons.count == 1 && reasons.allSatisfy { $0.delegate == 0 }, "\(row.title)")
    guard case .text(let reason)? = reasons.first?.arguments?["reason"] else {
      Issue.record("\(row.title): no reason")
      return
    }
    #expect(failure.message.hasSuffix(reason), "\(row.title)")
  }
}
