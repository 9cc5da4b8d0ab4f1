// SPDX-License-Identifier: MIT
//
// Headers of several behaviors, loaded from the plugins as built: how they are opened, what they show, and random scrolls
// to send them through. Whatever is random comes from a seed that the test's name shows.

import ConformanceKit
import HeaderCore
import HeaderInsight
import HeaderModel
import HeaderTestKit
import PluginHost
import Testing

/// The plugins that lie where the test program does.
enum BuiltPlugins {
  /// Loaded here, once; from then on the registry is only read, so tests may share it across threads. A plugin that cannot
  /// be loaded is missed, and told, by each test that needs it.
  private nonisolated(unsafe) static let loaded: PluginRegistry = {
    let plugins = PluginRegistry(folders: [Files.ofThisProgram], log: ErrorLog())
    for name in plugins.available { _ = try? plugins.load(name) }
    return plugins
  }()

  static func registry() -> PluginSet { unsafe loaded.set(forThread: 0) }

  /// The names of the plugins.
  static var names: [String] { unsafe loaded.available }
}

/// An error that a behavior logs fails the test: with the invariants of CollapsingHeader, which are checked unless a test switches
/// them off, that is a law that does not hold.
private final class ErrorLog: PluginLog {
  func isWritten(_ level: LogLevel) -> Bool { level == .error }
  func write(_ line: PluginLogLine) { Issue.record("\(line.behavior): \(line.message)") }
}

/// A header's description in a test, with its parts named.
struct ComposedHeader: CustomTestStringConvertible {
  /// One delegate; without a name it has its behavior's.
  struct Member {
    var behavior: String
    var name: String?
    var options: Value = [:]

    var value: Value {
      let always: Value.Record = record(["behavior": .text(behavior), "options": options])
      return .record(name.map { record(["name": .text($0)], after: always) } ?? always)
    }
  }

  var title: String
  var drawers: Value
  /// In the order of the chain.
  var delegates: [Member]
  var contentInset: Value = 64

  var testDescription: String { title }

  func description() throws -> HeaderDescription {
    var unknown: [UnknownField] = []
    let description = try HeaderDescription(
      [
        "header": "main", "frames": "events", "drawers": drawers, "environment": ["statusBarHeight": 20],
        "scrollViews": [
          "content": [
            "viewport": ["width": 375, "height": 667], "contentSize": ["height": 3000],
            "contentInset": ["top": contentInset],
          ]
        ],
        "delegates": .list(delegates.map(\.value)),
      ], at: Path(""), unknown: &unknown)
    #expect(unknown.isEmpty)
    return description
  }

  func open() throws -> Header { try Header(description(), epoch: 1, provider: BuiltPlugins.registry()) }

  /// What it tells of random events, state by state.
  func story(seed: UInt64) throws -> [String] {
    let header = try open()
    var story = [header.state.text]
    for (time, event) in RandomScroll(seed: seed, gestures: 20).events {
      _ = try header.receive(event, at: time) { story.append($0.text) }
    }
    return story
  }

  /// One header lives on, the other is saved and born again after each event: they show the same.
  /// - Returns: both.
  @discardableResult
  func expectNoDifferenceByRebirth(seed: UInt64) throws -> [Header] {
    let header = try open()
    var reborn = try open().reborn()
    for (time, event) in RandomScroll(seed: seed).events {
      _ = try header.receive(event, at: time)
      _ = try reborn.receive(event, at: time)
      #expect(reborn.state.text == header.state.text)
      reborn = try reborn.reborn()
    }
    return [header, reborn]
  }

  /// The same with the delegates in another order.
  func reordered(_ order: [Int]) -> ComposedHeader {
    var copy = self
    copy.delegates = order.map { delegates[$0] }
    return copy
  }
}

extension Header {
  /// What is to be seen of it, whatever the order of its delegates.
  var sight: Sight {
    let names = state.names.values
    return Sight(
      drawers: state.drawers, elements: state.elements, scrollViews: state.scrollViews,
      values: Dictionary(uniqueKeysWithValues: zip(names, state.values.map(\.content))), wants: state.wants)
  }

  /// An element's record by name.
  func element(_ name: String) throws -> Element {
    elements[try #require(description.drawers.flatMap(\.elements).firstIndex { $0.name == name })]
  }

  /// A drawer's record by name.
  func drawer(_ name: String) throws -> Drawer {
    drawers[try #require(description.drawers.firstIndex { $0.name == name })]
  }

  /// Scrolls to an offset without a finger.
  func scroll(to y: Double) throws { _ = try receive(ScrollEvent(.didScroll, offset: PartialPoint(y: y))) }

  /// Puts a delegate's successor of the same code in its place.
  func reloadDelegate(at index: Int) throws {
    let old = delegates[index]
    let fresh = try BuiltPlugins.registry().makeDelegate(behavior: old.behavior.name, name: old.name)
    try replaceDelegate(at: index, with: fresh)
  }

  /// The same header in another process: opened from its description and its saved state.
  func reborn() throws -> Header {
    try Header(description, epoch: 1, provider: BuiltPlugins.registry(), saved: try save())
  }
}

/// All that is to be seen of a header.
struct Sight: Equatable {
  var drawers: [Drawer]
  var elements: [Element]
  var scrollViews: [ScrollView]
  var values: [String: NamedValue.Content]
  var wants: Wants
}

/// A record in the order of its fields.
func record(_ fields: KeyValuePairs<String, Value>, after first: Value.Record = Value.Record()) -> Value.Record {
  Value.Record(fields: first.fields + fields.map { Value.Record.Field(name: $0.key, value: $0.value) })
}

/// Events of a user who drags, flings, overscrolls and turns the phone.
struct RandomScroll {
  private(set) var events: [(time: Instant, event: ScrollEvent)] = []
  private var dice: SplitMix64
  private var y = -64.0
  private var time = 1.0

  init(seed: UInt64, gestures: Int = 12) {
    dice = SplitMix64(seed: seed)
    for _ in 0..<gestures {
      switch Int.random(in: 0..<10, using: &dice) {
      case 0: turn()
      case 1: jump()
      case 2: wait()
      default: drag()
      }
    }
  }

  private mutating func add(_ kind: ScrollEvent.Kind, scrolls: Bool = false) {
    time += 1.0 / 60
    let moment = Instant(nanoseconds: Int64(time * 1e9))
    events.append((moment, ScrollEvent(kind, offset: scrolls ? PartialPoint(y: y) : nil)))
  }

  private mutating func drag() {
    add(.willBeginDragging)
    move(Int.random(in: 1...8, using: &dice))
    if Bool.random(using: &dice) { y = (y * 2).rounded() / 2 }
    let velocity = Double.random(in: -2...2, using: &dice)
    add(.willEndDragging(velocity: Point(x: 0, y: velocity), targetOffset: PartialPoint(y: y + 100 * velocity)))
    let decelerates = Bool.random(using: &dice)
    add(.didEndDragging(willDecelerate: decelerates))
    guard decelerates else { return }
    add(.willBeginDecelerating)
    move(Int.random(in: 1...8, using: &dice))
    add(.didEndDecelerating)
  }

  private mutating func move(_ steps: Int) {
    let speed = Double.random(in: -90...90, using: &dice)
    for _ in 0..<steps {
      y = max(-400, min(2600, y + speed * Double.random(in: 0.5...1, using: &dice)))
      if Int.random(in: 0..<6, using: &dice) == 0 { y = y.rounded() }
      add(.didScroll, scrolls: true)
    }
  }

  private mutating func turn() {
    let wide = Bool.random(using: &dice)
    var change = LayoutChange()
    change.given =
      wide
      ? ["viewport": ["width": 667, "height": 375], "statusBarHeight": 0]
      : ["viewport": ["width": 375, "height": 667], "statusBarHeight": 20]
    add(.layout(change))
  }

  private mutating func jump() {
    y = Double.random(in: -64...2000, using: &dice).rounded()
    add(.setContentOffset(animated: false), scrolls: true)
  }

  private mutating func wait() {
    time += 0.5
    add(.advance(frameDuration: nil))
  }
}
