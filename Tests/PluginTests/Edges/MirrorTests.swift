// SPDX-License-Identifier: MIT
//
// Every behavior at every edge is its own mirror image: the same scroll, turned, gives the same header, turned.

import ConformanceKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct MirrorTests {
  private static let pairs = Reflection.all.flatMap { reflection in mirrored.map { (reflection, $0) } }

  /// All behaviors, and elements that follow one.
  private static let mirrored =
    Movers.all + [
      Movers.header(
        "ShyNavBar and Keyframes",
        [
          [
            "name": "navBar", "height": 44,
            "elements": [
              ["name": "background"], ["name": "title", "frame": ["x": 10, "y": 4, "width": 100, "height": 30]],
            ],
          ],
          ["name": "extension", "height": 40],
        ], ["expansionResistance": 0], inset: 104
      ).adding(
        ComposedHeader.Member(
          behavior: "Keyframes",
          options: [
            "tracks": [
              [
                "element": "title", "drawer": "navBar", "by": "contraction",
                "keys": [
                  ["progress": 0, "size": ["width": 100, "height": 30]],
                  [
                    "progress": 1, "translation": ["x": 5, "y": -12], "scale": ["x": 0.5, "y": 0.25], "alpha": 0.25,
                    "size": ["width": 60, "height": 20],
                  ],
                ],
              ]
            ]
          ]))
    ]

  @Test(arguments: pairs) func `the same scroll, turned, gives the same header, turned`(
    _ reflection: Reflection, _ composed: ComposedHeader
  ) throws {
    let plain = Reflection(edge: .top)
    for seed in 1...6 as ClosedRange<UInt64> {
      let (here, there) = (try plain.open(composed), try reflection.open(composed))
      #expect(reflection.differences(there, from: here).isEmpty)
      for (time, event) in RandomScroll(seed: seed).exact {
        let (one, other) = (
          try here.receive(event, at: time), try there.receive(reflection.event(event, in: there), at: time)
        )
        let differences = reflection.differences(there, from: here)
        #expect(differences.isEmpty, "seed \(seed), \(event.kind.name): \(differences)")
        #expect(words(here.state) == words(there.state), "seed \(seed), \(event.kind.name)")
        if let target = one.targetOffset, let mine = other.targetOffset {
          let turned = reflection.plainOffset(mine, of: there.scrollViews[0])
          #expect(abs(turned.y - target.y) <= 1e-9, "seed \(seed): comes to rest at \(turned), expected \(target)")
        }
        guard differences.isEmpty, !there.isBypassed(0) else { break }
      }
      #expect(!there.isBypassed(0) && !here.isBypassed(0))
    }
  }

  /// What is taken of an offer before and after the content is the same, and to the last bit the whole.
  @Test(arguments: pairs) func `offers are taken alike`(_ reflection: Reflection, _ composed: ComposedHeader) throws {
    let (here, there) = (try Reflection(edge: .top).open(composed), try reflection.open(composed))
    var dice = SplitMix64(seed: 9)
    var time = 1.0
    for _ in 0..<60 {
      time += 1 / 60.0
      let delta = Point(x: 0, y: (Double.random(in: -50...50, using: &dice) * 16).rounded() / 16)
      let kind: ScrollEvent.Kind =
        switch Int.random(in: 0..<5, using: &dice) {
        case 0: .didOverscroll(delta: delta, source: .drag)
        case 1: .willFling(velocity: Point(x: 0, y: delta.y / 16))
        default: .willScroll(delta: delta, source: .drag)
        }
      let event = ScrollEvent(kind)
      let one = try here.receive(event, at: Instant(seconds: time))
      let other = try there.receive(reflection.event(event, in: there), at: Instant(seconds: time))
      if let consumed = one.consumed, let mine = other.consumed {
        #expect(abs(reflection.plainScroll(mine).y - consumed.y) <= 1e-9)
        if case .willScroll(let offer, _) = reflection.event(event, in: there).kind {
          #expect(mine + (other.residual ?? Point()) == offer)
        }
      }
      #expect(reflection.differences(there, from: here).isEmpty, "\(event.kind.name)")
    }
  }

  /// Motions and constraints by call, and what they leave.
  @Test(arguments: pairs) func `moves and constraints are alike`(
    _ reflection: Reflection, _ composed: ComposedHeader
  ) throws {
    let (here, there) = (try Reflection(edge: .top).open(composed), try reflection.open(composed))
    func both(_ body: (Header) throws -> Void) throws {
      try body(here)
      try body(there)
      #expect(reflection.differences(there, from: here).isEmpty)
    }
    try both { try $0.move(to: .stop("collapsed"), MotionStyle(curve: .linear, duration: 1), at: 1) }
    try both { try $0.advance(to: 1.4) }
    try both { try $0.move(to: .progress(0.5), at: 3) }
    try both { try $0.constrain("tour", 0...0.25, MotionStyle(curve: .easeInOut, duration: 0.5), at: 4) }
    for time in [4.2, 4.4, 5] { try both { try $0.advance(to: time) } }
    try both { try $0.release("tour", nil, at: 6) }
    #expect(here.state.position == nil && there.state.position == nil)
  }

  @Test(arguments: pairs) func `saved and born again, nothing is another`(
    _ reflection: Reflection, _ composed: ComposedHeader
  ) throws {
    let header = try reflection.open(composed)
    var reborn = try reflection.open(composed).reborn()
    for (time, event) in RandomScroll(seed: 5).exact {
      let turned = reflection.event(event, in: header)
      _ = try header.receive(turned, at: time)
      _ = try reborn.receive(turned, at: time)
      #expect(reborn.state.text == header.state.text)
      reborn = try reborn.reborn()
    }
  }

  @Test(arguments: pairs) func `new code takes over where the old one was`(
    _ reflection: Reflection, _ composed: ComposedHeader
  ) throws {
    let (header, other) = (try reflection.open(composed), try reflection.open(composed))
    for (index, (time, event)) in RandomScroll(seed: 7).exact.enumerated() {
      let turned = reflection.event(event, in: header)
      _ = try header.receive(turned, at: time)
      _ = try other.receive(turned, at: time)
      if index.isMultiple(of: 9) { try other.reloadDelegate(at: 0) }
      #expect(header.sight == other.sight)
    }
  }
}

extension ComposedHeader {
  /// The same with another delegate at the end of the chain.
  func adding(_ member: Member) -> ComposedHeader {
    var copy = self
    copy.delegates.append(member)
    return copy
  }
}
