// SPDX-License-Identifier: MIT
//
// All chains of up to three drawers with every law, moved over a coarse grid: what always holds, holds of each.

import CollapsingLaws
import HeaderMotion
import Testing

@Suite struct SmallChainTests {
  // MARK: Laws

  /// One of each kind: what a drawer does, where it returns, what it looks at before it moves, how it shares and rests.
  static let laws: [Law] = [
    law { _ in },
    law { $0.shifts = true },
    law { ($0.collapses, $0.returns) = (true, .atTop) },
    law { ($0.collapses, $0.shifts, $0.returns) = (true, true, .collapsedAnywhere) },
    law {
      $0.shifts = true
      $0.keeps = .minimum
      $0.slack = .points(9)
      $0.resistance = Pair(hide: 3, show: 7)
    },
    law {
      $0.shifts = true
      $0.slop = Pair(hide: 5, show: 5)
      $0.rest = Rest()
    },
    law {
      $0.shifts = true
      $0.threshold = 11
      $0.hideOrder = 1
      $0.showOrder = 1
      $0.rest = rest(.direction)
    },
    law {
      $0.collapses = true
      $0.hideOrder = 1
      $0.showOrder = 1
      $0.weight = 3
    },
    law {
      $0.shifts = true
      $0.speed = 1.7
      $0.curve = .square
      $0.resistance = Pair(hide: 4, show: 4)
      $0.resistanceReturns = .ends
      $0.rest = rest(.threshold)
    },
  ]

  private static func law(_ fill: (inout Law) -> Void) -> Law {
    var law = Law()
    fill(&law)
    return law
  }

  private static func rest(_ choice: Rest.Choice) -> Rest {
    var rest = Rest()
    rest.choice = choice
    rest.stops.insert(Rest.Stop(name: "half", progress: 0.5), at: 1)
    return rest
  }

  private static let heights = [(44.0, 20.0), (30.3, 0.1), (17.0, 17.0)]

  private static func chain(_ laws: [Law], isBlock: Bool) -> LawChain {
    var chain = LawChain(zip(laws, heights).map { ($0, $1.0, $1.1) }, isBlock: isBlock)
    chain.isChecked = true
    return chain
  }

  /// Every chain of so many drawers.
  private static func each(_ count: Int, _ body: (LawChain) -> Void) {
    var places = Array(repeating: 0, count: count)
    while true {
      let chosen = places.map { laws[$0] }
      for isBlock in [false, true] { body(chain(chosen, isBlock: isBlock)) }
      guard let place = places.lastIndex(where: { $0 + 1 < laws.count }) else { return }
      places[place] += 1
      for after in places.indices.dropFirst(place + 1) { places[after] = 0 }
    }
  }

  /// Movements that reach every end, from both sides, also by parts that no binary fraction has.
  private static let movements = [0.1, 6.7, 25, -0.1, -6.7, -25, 200, -200].map(Grid.nearest)

  // MARK: What holds

  @Test(arguments: 1...3) func `what is taken and left is the movement, and no drawer leaves its way`(_ count: Int) {
    var broken: [String] = []
    var checked = 0
    Self.each(count) { fresh in
      var chain = fresh
      for first in Self.movements {
        for second in Self.movements {
          for phase in [Phase.before, .atTop] {
            for movement in [first, second] {
              let before = chain.total
              let taken = chain.take(movement, phase)
              checked += 1
              if let violation = chain.violation(from: before, offered: movement, taken: taken) {
                broken.append(violation)
              }
              if let violation = chain.violation { broken.append(violation) }
              // The looks are where the way is: no further than the drawer can go.
              if !chain.links.indices.allSatisfy({ (0...chain.links[$0].reach.travel).contains(chain.links[$0].seen) })
              {
                broken.append("looks")
              }
            }
          }
        }
      }
    }
    #expect(broken.isEmpty, "\(broken.count) of \(checked), the first: \(broken.first ?? "")")
    #expect(checked > 0)
  }

  /// Below, at and above the damping from which on it does not swing.
  @Test(arguments: [5.0, 20, 40]) func `a spring obeys its equation`(_ damping: Double) {
    let spring = Easing.spring(Spring(1, 100, damping), seconds: 1)
    let step = 1e-4
    #expect(abs(spring.share(at: 0)) < 1e-12 && abs(spring.share(at: step)) < 1e-6)
    for time in stride(from: 0.05, to: 1, by: 0.05) {
      let (before, now, after) = (spring.share(at: time - step), spring.share(at: time), spring.share(at: time + step))
      let acceleration = (after - 2 * now + before) / (step * step)
      #expect(abs(acceleration + damping * (after - before) / (2 * step) + 100 * (now - 1)) < 0.01)
    }
  }

  /// Only what comes by a gate turns it.
  @Test func `a movement that others take up turns no gate behind them`() {
    let law = Self.law { ($0.shifts, $0.hideOrder, $0.showOrder) = (true, 1, 1) }
    let gated = Self.law {
      ($0.shifts, $0.hideOrder, $0.showOrder) = (true, 2, 2)
      $0.resistance = Pair(hide: 4, show: 4)
    }
    var chain = Self.chain([gated, law, law], isBlock: false)
    _ = chain.take(60, .before)
    let gone = chain.links[0].gone
    #expect(gone > 0)
    // The two others come back and leave again; the gate has been open since.
    #expect(chain.take(-5, .before) == -5 && chain.links[0].gone == gone)
    #expect(chain.take(10, .before) == 10 && chain.links[0].gone == gone + 5)
  }

  @Test func `who is at its end is held there, whatever its gate does`() {
    let law = Self.law {
      ($0.shifts, $0.resistanceReturns) = (true, .ends)
      $0.resistance = Pair(hide: 4, show: 4)
    }
    // The one behind the gate goes first, and the other one has room.
    var chain = Self.chain([Self.law { $0.shifts = true }, law], isBlock: false)
    _ = chain.take(50, .before)
    let told = chain.explained(5, .before) { $0.take(5, .before) }
    #expect(told.taken == 5 && told.parts.map(\.link) == [1, 0] && told.parts.map(\.rule) == [.end, nil])
  }

  /// Beyond the grid's bound a double has no step of the grid.
  @Test func `a place is found on the longest way, too`() {
    let law = Self.law { $0.shifts = true }
    let chain = LawChain([(law, Grid.bound, 0), (law, Grid.bound, 0), (law, Grid.bound, 0)])
    for (link, total) in [(2, 0.7e8 + 0.1), (1, 1.7e8 + 0.1), (0, 2.7e8 + 0.1)] {
      #expect(abs(chain.total(where: link, isGone: 0.7e8 + 0.1) - total) < 1e-6)
    }
  }

  @Test(arguments: 1...3) func `what explanations tell of a movement is the movement, and changes nothing`(_ count: Int)
  {
    var broken: [String] = []
    var rules: Set<LawChain.Rule> = []
    Self.each(count) { fresh in
      var chain = fresh
      chain.permit(0.05...0.95)
      for movement in Self.movements {
        for phase in [Phase.atTop, .before] {
          var silent = chain
          let taken = silent.take(movement, phase)
          let told = chain.explained(movement, phase) { $0.take(movement, phase) }
          if told.taken != taken || chain != silent { broken.append("another way") }
          if told.parts.reduce(0, { $0 + $1.taken }) != taken { broken.append("\(told.parts) of \(taken)") }
          for part in told.parts {
            if (part.rule == nil) != (part.taken == part.offered) { broken.append("\(part)") }
            if abs(part.taken) > abs(part.offered) { broken.append("\(part)") }
            if let rule = part.rule { rules.insert(rule) }
          }
        }
      }
    }
    #expect(broken.isEmpty, "\(broken.count), the first: \(broken.first ?? "")")
    // The bound is met before the end of the only drawer.
    let all: Set<LawChain.Rule> = [.end, .pinned, .bounds, .gate, .top]
    #expect(rules.isSuperset(of: count == 1 ? all.subtracting([.end]) : all), "\(rules)")
  }

  /// More movement never leads to less: of two fingers from one place, who goes further hides more.
  @Test(arguments: 1...3) func `further is further`(_ count: Int) {
    var broken = 0
    Self.each(count) { fresh in
      for start in [0, 30, 200] as [Double] {
        for phase in [Phase.before, .atTop] {
          var totals: [Double] = []
          for way in stride(from: -120.0, through: 120, by: 7.5) {
            var chain = fresh
            _ = chain.take(start, .before)
            _ = chain.take(way, phase)
            totals.append(chain.total)
          }
          if !zip(totals, totals.dropFirst()).allSatisfy({ $0 <= $1 }) { broken += 1 }
        }
      }
    }
    #expect(broken == 0)
  }

  /// In one piece or in many a movement of one direction leads to the same place. (Not where drawers that look at a movement
  /// first share it: each looks at its share of the piece.)
  @Test(arguments: 1...2) func `a movement in pieces leads to where the whole leads`(_ count: Int) {
    var broken = 0
    Self.each(count) { fresh in
      guard !fresh.laws.contains(where: { $0.threshold > 0 }) || fresh.links.count == 1 else { return }
      for way in [60.0, -60] {
        var (whole, pieces) = (fresh, fresh)
        if way < 0 {
          whole.place(1e9)
          pieces.place(1e9)
        }
        _ = whole.take(way, .before)
        for _ in 0..<8 { _ = pieces.take(way / 8, .before) }
        if whole.total != pieces.total { broken += 1 }
      }
    }
    #expect(broken == 0)
  }

  /// Without a finger nothing goes round: rest leads to stops at which nothing rests elsewhere, whatever was before.
  @Test(arguments: 1...3) func `rest is at rest`(_ count: Int) {
    var broken = 0
    Self.each(count) { fresh in
      for start in stride(from: 0.0, through: 96, by: 8) {
        for back in [0, 5.5, -5.5] {
          for speed in [0, 0.3, -0.3] {
            var chain = fresh
            _ = chain.take(Grid.nearest(start), .before)
            _ = chain.take(Grid.nearest(back), .before)
            for goal in chain.goals(speed: speed) { chain.put(goal.link, at: goal.gone) }
            if !chain.goals(speed: speed).isEmpty { broken += 1 }
          }
        }
      }
    }
    #expect(broken == 0)
  }

  /// However far the content is from its top, no gap stays, and closing it twice does no more than once.
  @Test(arguments: 1...3) func `no gap stays open`(_ count: Int) {
    var broken = 0
    Self.each(count) { fresh in
      for distance in stride(from: 0.0, through: 100, by: 10) {
        var chain = fresh
        chain.place(1e9)
        _ = chain.close(to: distance)
        if chain.total > distance { broken += 1 }
        if chain.close(to: distance) != 0 { broken += 1 }
      }
    }
    #expect(broken == 0)
  }

  /// Within bounds a chain is where it is permitted to be, and goes nowhere else.
  @Test(arguments: 1...3) func `bounds hold`(_ count: Int) {
    var broken = 0
    Self.each(count) { fresh in
      for range in [0.0...0, 0.25...0.5, 1...1] {
        var chain = fresh
        chain.permit(range)
        for movement in Self.movements {
          _ = chain.take(movement, .before)
          _ = chain.close(to: 1)
          if !chain.bounds.contains(chain.total) { broken += 1 }
        }
      }
    }
    #expect(broken == 0)
  }

  /// What is saved goes on as if nothing had happened.
  @Test func `a chain is born again as it was`() {
    var broken = 0
    Self.each(2) { fresh in
      var (chain, reborn) = (fresh, fresh)
      for movement in Self.movements {
        _ = chain.take(movement, .before)
        reborn = fresh
        reborn.memory = chain.memory
        reborn.lastHides = chain.lastHides
        if reborn != chain { broken += 1 }
      }
    }
    #expect(broken == 0)
  }

  // MARK: The invariants themselves

  @Test func `a broken movement is told`() {
    var chain = Self.chain([Self.laws[1], Self.laws[2]], isBlock: false)
    _ = chain.take(10, .before)
    #expect(chain.violation(from: 0, offered: 10, taken: 10) == nil)
    #expect(chain.violation(from: 0, offered: 10, taken: 9) != nil)
    #expect(chain.violation(from: 5, offered: 10, taken: 10) != nil)
    #expect(chain.violation(from: 0, offered: -10, taken: 10) != nil)
    #expect(chain.violation(from: 0, offered: 9, taken: 10) != nil)
  }

  /// Beyond the bound of the grid the total has no room for a single step.
  @Test func `a total that is not what the drawers have gone is told`() {
    let far = Self.law { ($0.shifts, $0.beyond) = (true, Grid.bound) }
    var chain = LawChain([(far, Grid.bound, 0), (Self.laws[1], 44, 20)])
    chain.put(0, at: 0x1p27)
    for steps in 1...2 { chain.put(1, at: Double(steps) * Grid.step) }
    #expect(chain.links[1].gone == 2 * Grid.step && chain.total == 0x1p27)
    let violation = chain.violation(from: chain.total, offered: 0, taken: 0)
    #expect(violation?.contains("counted are") == true)
  }
}
