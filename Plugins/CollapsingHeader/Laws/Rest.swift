// SPDX-License-Identifier: MIT
//
// The place where a drawer comes to rest when nothing moves it any more: one of the two stops around it.
//
//     stop a ├────────────●───────────────────┤ stop b        by: nearest, direction, velocity, threshold

/// A drawer's stops, and how one of them is chosen.
public struct Rest: Equatable, Sendable {
  /// What decides between two stops.
  public enum Choice: String, CaseIterable, Sendable {
    /// The nearer one; half-way between them the one further shown.
    case nearest
    /// The one in the direction of the last movement.
    case direction
    /// The one further shown after a movement down, the one further hidden after any other, or none; from a stop the next.
    case showing
    /// The one in the direction of the release, if that was fast enough; else the nearer one.
    case velocity
    /// The one further hidden from this share of the way between them on.
    case threshold
  }

  /// The process that draws the way to a stop.
  public enum DrawnBy: String, CaseIterable, Sendable {
    /// The header, frame by frame.
    case daemon
    /// Renderers: the drawer is at its stop at once, with an animation that leads there.
    case renderer
  }

  /// Where the content goes along, so that neither a gap opens nor the header covers rows that it did not.
  public enum TakesContent: Sendable {
    /// Nowhere: the drawer goes no further.
    case never
    /// As the drawer hides.
    case hiding
    /// Also as it is shown, where the header touches the content.
    case both
  }

  /// The timing of a motion to a stop.
  public struct Motion: Equatable, Sendable {
    /// Progress over the duration.
    public let curve: Easing
    /// The duration in seconds.
    public let duration: Double

    /// A motion that follows a curve. `duration` is in seconds.
    public init(_ curve: Easing, duration: Double) { (self.curve, self.duration) = (curve, duration) }

    /// The share of the way that is covered after `time` seconds.
    public func share(at time: Double) -> Double { duration > 0 ? curve.share(at: time / duration) : 1 }
  }

  /// A place to rest at, in progress.
  public struct Stop: Equatable, Sendable {
    /// The name by which a call finds it.
    public var name: String
    /// 0 … 1 of the drawer's way.
    public var progress: Double

    /// Creates a stop; `progress` is 0 expanded, 1 collapsed.
    public init(name: String, progress: Double) {
      self.name = name
      self.progress = progress
    }
  }

  /// The places of rest, in ascending order of progress.
  public var stops = [Stop(name: "expanded", progress: 0), Stop(name: "collapsed", progress: 1)]
  /// What decides between two stops.
  public var choice = Choice.nearest
  /// From this share of the way between two stops on it goes to the one further hidden.
  public var threshold = 0.5
  /// The velocity that decides for the stop in its direction, points per millisecond.
  public var velocity = 0.1
  /// This near to a stop, in progress, it stays: above it and below it.
  public var margins = Pair()
  /// The target of a fling is moved so that the content comes to rest where the drawer does.
  public var movesTarget = true
  /// The motion's duration is that of the whole way: a part of it takes its part.
  public var scalesDuration = false
  /// Whether the content goes along where the way there leads.
  public var takesContent = TakesContent.hiding
  /// The first frame begins the motion and does not advance it.
  public var beginsWithFrame = false
  /// The process that draws the way to a stop.
  public var drawnBy = DrawnBy.daemon
  /// Renderers get an animation even if it leads nowhere.
  public var isAlwaysTold = false
  /// The motion to a stop.
  public var motion = Motion(.bezier(x1: 0.42, y1: 0, x2: 0.58, y2: 1), duration: 0.2)

  /// Both ends, the nearer one.
  public init() {}

  /// Where a drawer goes.
  /// - Parameters:
  ///   - gone: where it is on its way, points.
  ///   - way: its way.
  ///   - hides: the last movement's direction.
  ///   - speed: the release's, points per millisecond in the offset's sign.
  /// - Returns: a stop, in points of its way; nil: it stays.
  public func goal(from gone: Double, way: Double, hides: Bool?, speed: Double) -> Double? {
    let places = stops.map { Grid.nearest($0.progress * way) }
    if choice == .showing {
      return hides == false ? places.last { $0 < gone } : places.first { $0 > gone }
    }
    guard let low = places.last(where: { $0 <= gone }), let high = places.first(where: { $0 >= gone }), low < high,
      gone - low >= margins.show * way, high - gone >= margins.hide * way
    else { return nil }
    let nearer = gone - low <= high - gone ? low : high
    switch choice {
    case .nearest: return nearer
    case .direction, .showing: return hides.map { $0 ? high : low }
    case .velocity: return abs(speed) >= velocity && speed != 0 ? (speed > 0 ? high : low) : nearer
    case .threshold: return gone - low >= threshold * (high - low) ? high : low
    }
  }
}

extension LawChain {
  /// The stops that the drawers go to when the header is released: indices and points of their way.
  /// - Parameter limit: the largest total that may be gone then; a drawer that would exceed it goes to the stop further shown.
  public func goals(speed: Double, within limit: Double = .infinity) -> [(link: Int, gone: Double)] {
    var total = total
    return links.indices.compactMap { index in
      let link = links[index]
      guard let rest = laws[index].rest, link.reach.way > 0, rest.choice != .direction || lastHides != nil else {
        return nil
      }
      let goal = rest.goal(from: link.gone, way: link.reach.way, hides: lastHides, speed: speed)
      let stays = rest.isAlwaysTold && rest.drawnBy == .renderer ? link.gone : nil
      guard let goal = goal ?? stays else { return nil }
      let isTooFar = goal > link.gone && total + goal - link.gone > limit && rest.takesContent != .never
      let place = isTooFar ? stop(of: index) : goal
      total += place - link.gone
      return (index, place)
    }
  }

  /// The next stop of a drawer that is not further hidden than it is, points of its way.
  private func stop(of index: Int) -> Double { stops(of: index).last { $0 <= links[index].gone } ?? links[index].gone }

  /// Whether a drawer is at a place of rest, or has none.
  public func isAtStop(_ index: Int) -> Bool { laws[index].rest == nil || stops(of: index).contains(links[index].gone) }

  private func stops(of index: Int) -> [Double] {
    laws[index].rest?.stops.map { Grid.nearest($0.progress * links[index].reach.way) } ?? []
  }
}
