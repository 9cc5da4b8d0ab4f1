// SPDX-License-Identifier: MIT
//
// Numbers that nobody should give, from delegates and from saved headers, at the places where they once went further than
// they should: each is refused by name, and the header goes on.

import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct WildNumbersTests {
  @Test(arguments: [Double.nan, .infinity, -.infinity, 1.0000001e9, -1.7e308])
  func `a spring has numbers that can be told`(_ wild: Double) throws {
    let sound = (mass: 1.0, stiffness: 100.0, damping: 10.0, initialVelocity: 0.0)
    let curves: [(String, AnimationCurve)] = [
      (
        "mass",
        .spring(mass: wild, stiffness: sound.stiffness, damping: sound.damping, initialVelocity: sound.initialVelocity)
      ),
      (
        "stiffness",
        .spring(mass: sound.mass, stiffness: wild, damping: sound.damping, initialVelocity: sound.initialVelocity)
      ),
      (
        "damping",
        .spring(mass: sound.mass, stiffness: sound.stiffness, damping: wild, initialVelocity: sound.initialVelocity)
      ),
      (
        "initial velocity",
        .spring(mass: sound.mass, stiffness: sound.stiffness, damping: sound.damping, initialVelocity: wild)
      ),
    ]
    for (name, curve) in curves {
      let bench = try Bench(["A", "B"])
      let error = #expect(throws: HeaderError.self) {
        try bench.act { probe, header in
          try header.animate(duration: 1, delay: 0, curve: curve, token: nil, by: probe)
        }
      }
      #expect(error?.message.contains("the spring's \(name) is ") == true, "\(error?.message ?? "")")
      #expect(bench.header.isBypassed(0) && !bench.header.isBypassed(1))
      #expect(bench.state.happened.animations.isEmpty)
    }
  }

  @Test func `an element that was nobody's is claimed by nobody when its header is restored`() throws {
    func describe(_ description: inout HeaderDescription) {
      description.drawers[0].elements = [ElementDescription(name: "title")]
    }
    let bench = try Bench(describe: describe)
    let saved = try bench.header.save()
    let error = #expect(throws: HeaderError.self) {
      _ = try Bench(saved: saved, describe: describe) {
        $0.restoring = { probe, _, header in try header.claimElement(0, by: probe) }
      }
    }
    #expect(error?.name == .conflict)
    #expect(error?.message.contains("nobody") == true, "\(error?.message ?? "")")
  }

  /// It may still read what is its own, in a header that has its successor's values already.
  @Test func `old code that says goodbye reads a value that is gone`() throws {
    let bench = try Bench()
    var read: NamedValue.Content??
    bench[0].detaching = { read = .some(bench.header.value(0, of: $0)) }
    var modest = BehaviorDescription.probe("A")
    modest.values = []
    let provider = ProbeProvider([modest])
    try bench.header.replaceDelegate(at: 0, with: provider.makeDelegate(behavior: "A", name: "a"))
    #expect(read == .some(nil))
    #expect(bench.header.state.values.isEmpty)
  }

  /// Behaviors subtract times: those of one header lie within what 64 bits hold.
  @Test(arguments: [
    ("-9223372036854775808", true), ("9223372036854775807", true), ("9000000000000000001", true),
    ("-9000000000000000000", false), ("9000000000000000000", false),
  ])
  func `a saved header has a time that a header can have`(_ time: String, _ isRefused: Bool) throws {
    let bench = try Bench()
    try bench.send(.didScroll, y: 1, at: 1)
    guard case .record(var saved) = try bench.header.save() else { return }
    saved["time"] = .text(time)
    let header: Header
    do throws(HeaderError) {
      header = try Header(bench.header.description, epoch: 1, provider: bench.provider, saved: .record(saved))
      #expect(!isRefused)
    } catch {
      #expect(isRefused)
      #expect(error.message == "saved.time: expected whole nanoseconds within ±9e18 in text, got \"\(time)\"")
      return
    }
    let first = header.now
    _ = try header.receive(ScrollEvent(.didScroll, offset: PartialPoint(y: 2)), at: Instant(seconds: 9e9))
    #expect(!header.now.nanoseconds.subtractingReportingOverflow(first.nanoseconds).overflow)
  }
}
