// SPDX-License-Identifier: MIT
//
// A header's shadow: a copy of the header in which one delegate has other options or another behavior. It gets every input that the
// header gets. Its states are not sent; differences are counted. A shadow is made by inputs, so promoting it gives the same inputs to the
// header itself.
//
//     input ─┬─▶ header ─▶ states ─▶ subscribers
//            ╰─▶ shadow ─▶ states ─▶ compared with the header's, and forgotten

public import HeaderCore
public import HeaderModel

/// A header that runs beside another one without effect.
public final class Shadow {
  /// The delegate that is another one in it.
  public let delegate: String
  private let header: Header
  private var events = 0
  private var differences = 0
  /// Points between the lower edges of the two, at most.
  private var largest = 0.0
  private var latest: Value?
  /// The reason why the shadow ended.
  private var failure: String?

  /// Begins at a header's present state.
  /// - Parameter change: the inputs that make the header into its shadow.
  /// - Throws: a header that cannot be saved, or a mistake in the change.
  public init(
    of real: Header, delegate: String, _ change: [HeaderInput], _ provider: any BehaviorProvider
  ) throws(HeaderError) {
    self.delegate = delegate
    header = try Header(
      real.description, epoch: real.state.epoch, provider: provider, limits: real.limits, saved: try real.save(),
      like: real)
    for input in change { _ = try header.apply(input, provider: provider) }
    if let failure = header.failure { throw failure }
  }

  /// Takes an input that the header has taken, and compares.
  public func follow(_ input: HeaderInput, at time: Instant?, _ real: Header, _ provider: any BehaviorProvider) {
    guard failure == nil else { return }
    events += 1
    do {
      _ = try header.apply(input, at: time, provider: provider)
    } catch {
      // The shadow may refuse an input that the header refuses. If only the shadow refuses one, the comparison shows it.
    }
    _ = header.takeRemarks()
    if header.hasListeners || header.isWaiting {
      failure = "a client has joined the chain: clients are asked once"
    } else if header.hasFailure, let error = header.failure {
      failure = error.message
    } else {
      compare(with: real)
    }
  }

  private func compare(with real: Header) {
    guard let what = difference(from: real) else { return }
    differences += 1
    func edge(_ header: Header) -> Double {
      header.state.drawers.reduce(0) { $1.isHidden ? $0 : max($0, $1.drawnFrame.origin.y + $1.drawnFrame.size.height) }
    }
    let (mine, other) = (edge(header), edge(real))
    largest = max(largest, abs(mine - other))
    latest = [
      "time": .number(real.now.seconds), "what": .text(what), "edge": .number(other), "shadowEdge": .number(mine),
    ]
  }

  /// The first part of a state that differs.
  private func difference(from real: Header) -> String? {
    if header.state.drawers != real.state.drawers { return "drawers" }
    if header.state.elements != real.state.elements { return "elements" }
    for (mine, other) in zip(header.state.scrollViews, real.state.scrollViews) {
      if mine.contentInset != other.contentInset || mine.correction != other.correction { return "scrollViews" }
    }
    // Another behavior has other values.
    if header.state.names.values == real.state.names.values, header.state.values != real.state.values {
      return "values"
    }
    return header.state.wants != real.state.wants ? "wants" : nil
  }

  /// The shadow as `delegate.shadow` and `stats` show it.
  public var value: Value {
    var record: Value.Record = [
      "delegate": .text(delegate), "events": .number(Double(events)), "differences": .number(Double(differences)),
      "largest": .number(largest),
    ]
    record["latest"] = latest
    record["failure"] = failure.map { .text($0) }
    return .record(record)
  }
}
