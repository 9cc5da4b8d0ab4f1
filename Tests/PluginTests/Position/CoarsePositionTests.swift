// SPDX-License-Identifier: MIT
//
// Movers whose laws have less precision than a header's position: CollapsingHeader as a pair (a ratio of single precision, as in
// Chromium) and as a block (whole points, as in AppBarLayout).

import ConformanceKit
import HeaderCore
import HeaderModel
import HeaderTestKit
import Testing

@Suite struct CoarsePositionTests {
  private func offer(_ header: Header, _ delta: Double, at seconds: Double) throws -> EventAnswer {
    try header.receive(
      ScrollEvent(.willScroll(delta: Point(x: 0, y: delta), source: .drag)), at: Instant(seconds: seconds))
  }

  private func begin(_ header: Header) throws {
    try header.move(to: .stop("expanded"), at: 1)
    _ = try header.receive(ScrollEvent(.willBeginDragging), at: Instant(seconds: 1))
  }

  @Test(arguments: Movers.coarse) func `it goes where it is told to`(_ mover: ComposedHeader) throws {
    let header = try mover.open()
    for progress in [1, 0, 0.25, 0.9, 0.5] {
      try header.move(to: .progress(progress), at: 1)
      #expect(abs(header.place.progress - progress) < 0.01, "\(mover.title): \(progress)")
    }
    try header.move(to: .stop("collapsed"), MotionStyle(curve: .linear, duration: 1), at: 2)
    var notices: [String] = []
    try header.advance(to: 2.5) { notices += words($0) }
    #expect(abs(header.place.progress - 0.75) < 0.03 && !notices.contains("didArrive"))
    try header.advance(to: 3.1) { notices += words($0) }
    #expect(header.place.progress == 1 && notices.contains("didArrive"))
    #expect(header.drawers[0].frame.maxY <= 20.01 || header.drawers[0].frame.maxY < 1)
    #expect(!header.isBypassed(0))
  }

  @Test(arguments: Movers.coarse) func `bounds hold`(_ mover: ComposedHeader) throws {
    for (low, high) in [(0.0, 0.0), (1, 1), (0.25, 0.5), (0, 0.5)] {
      let header = try mover.open()
      try begin(header)
      try header.constrain("tour", low...high, at: 1)
      var dice = SplitMix64(seed: 3)
      for step in 0..<400 {
        let time = 1 + Double(step) * 0.02
        switch step % 40 {
        case 38: _ = try header.receive(ScrollEvent(.didEndDragging(willDecelerate: false)), at: Instant(seconds: time))
        case 39: _ = try header.receive(ScrollEvent(.willBeginDragging), at: Instant(seconds: time))
        default: _ = try offer(header, Double.random(in: -90...90, using: &dice), at: time)
        }
        let progress = header.place.progress
        #expect(progress >= low - 1e-9 && progress <= high + 1e-9, "\(low)...\(high): \(progress)")
      }
      #expect(!header.isBypassed(0))
    }
  }

  @Test(arguments: Movers.coarse) func `a drag against a constraint is the content's`(_ mover: ComposedHeader) throws {
    let header = try mover.open()
    try begin(header)
    try header.constrain("dialog", 0...0, at: 1)
    for (index, delta) in [12.3, 40.7, 900.1, -3.3, 0.1].enumerated() {
      let answer = try offer(header, delta, at: 2 + Double(index))
      #expect(header.place.progress == 0)
      #expect(answer.consumed == Point() && answer.residual == Point(x: 0, y: delta), "\(delta): \(answer)")
    }
    try header.release("dialog", at: 10)
    let answer = try offer(header, 20, at: 11)
    #expect(answer.consumed == Point(x: 0, y: 20) && abs(header.place.traveled - 20) < 1e-4)
  }
}
