// SPDX-License-Identifier: MIT
//
// A header's shadow: the same header once more, in which one delegate has other options or another behavior. It gets every input
// that the header gets, and nobody gets its states; what differs is counted. What it was made with are inputs, so promoting it is
// to give them to the header itself.
//
//     input ─┬─▶ header ─▶ states ─▶ subscribers
//            ╰─▶ shadow ─▶ states ─▶ compared with the header's, and forgotten

internal import Fanout
internal import HeaderCore

/// A header that runs beside another one without effect.
final class Shadow {
  /// The delegate that is another one in it.
  let delegate: String
  /// What makes the header into its shadow.
  let change: [HeaderInput]
  private let header: Header
  private var events = 0
  private var differences = 0
  /// Points between the lower edges of the two, at most.
  private var largest = 0.0
  private var latest: Value?
  /// Why it does not go on.
  private var failure: String?

  /// Begins where a header is.
  /// - Throws: a header that cannot be saved, or what is wrong with the change.
  init(
    of real: Header, delegate: String, _ change: [HeaderInput], _ provider: any BehaviorProvider
  ) throws(HeaderError) {
    self.delegate = delegate
    self.change = change
    header = try Header(
      real.description, epoch: real.state.epoch, provider: provider, limits: real.limits, saved: try real.save(),
      like: real)
    for input in change { _ = try header.apply(input, provider: provider) }
    if let failure = header.failure { throw failure }
  }

  /// Takes an input that the header has taken, and compares.
  func follow(_ input: HeaderInput, at time: Instant?, _ real: Header, _ provider: any BehaviorProvider) {
    guard failure == nil else { return }
    events += 1
    do {
      _ = try header.apply(input, at: time, provider: provider)
    } catch {
      // What the header refused its shadow may refuse as well; what it took and the shadow does not, shows in the comparison.
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

  /// As `delegate.shadow` and `stats` tell it.
  var value: Value {
    var record: Value.Record = [
      "delegate": .text(delegate), "events": .number(Double(events)), "differences": .number(Double(differences)),
      "largest": .number(largest),
    ]
    record["latest"] = latest
    record["failure"] = failure.map { .text($0) }
    return .record(record)
  }
}

extension RequestHandler {
  /// Begins a shadow, ends it, or tells of it.
  func shadow(_ given: NewShadow) throws(HeaderError) -> Reply {
    let (entry, index) = try delegate(given.name)
    let name = entry.header.description.delegates[index].name
    if given.ends {
      entry.waiting?.shadow = nil
    } else if let wish = given.wish {
      try host.checkSize(of: wish.options, at: "params.options")
      try entry.account?.requireMemory(for: "delegate.shadow")
      guard entry.seat == nil, !entry.header.hasListeners, !entry.header.hasInterceptors else {
        throw HeaderError(
          .invalidParams,
          "params.header: \"\(entry.name)\" has clients or an isolated plugin in its chain, and no shadow of it can be made",
          field: "params.header")
      }
      do {
        entry.makeWaiting().shadow = try Shadow(
          of: entry.header, delegate: name, wish.inputs(for: name, at: index), host.plugins)
      } catch {
        throw error.under("params").of(header: entry.name)
      }
    }
    entry.chargeMemory()
    return .fields(("shadow", entry.waiting?.shadow?.value ?? .null))
  }

  /// Gives the header what its shadow was made with, and ends the shadow.
  func promote(_ name: HeaderRequest.DelegateName) throws(HeaderError) -> Reply {
    let (entry, _) = try delegate(name)
    guard let shadow = entry.waiting?.shadow, shadow.delegate == name.delegate else {
      throw HeaderError(
        .delegateNotFound, "params.delegate: \"\(name.delegate)\" has no shadow", field: "params.delegate",
        got: .text(name.delegate), hint: "delegate.shadow begins one")
    }
    entry.waiting?.shadow = nil
    for input in shadow.change {
      switch input {
      case .event(let event): _ = try call(event.kind, of: entry, at: Path("params"))
      case .removeDelegate(let name):
        try host.removeDelegate(at: try entry.header.delegateIndex(named: name), of: entry)
      case .addDelegate(let wanted, let place): _ = try host.addDelegate(wanted, at: place, to: entry, client: nil)
      default: preconditionFailure("headerd bug: a shadow is made with options or another behavior")
      }
    }
    entry.chargeMemory()
    return .fields(("seq", .number(Double(entry.header.state.seq))))
  }
}

/// What `delegate.shadow` asks.
public struct NewShadow {
  let name: HeaderRequest.DelegateName
  let ends: Bool
  /// nil: it is only asked how things stand.
  let wish: Wish?

  struct Wish {
    let behavior: String?
    let options: Value.Record

    /// What the delegate is to become, as inputs of its header.
    func inputs(for name: String, at place: Int) -> [HeaderInput] {
      guard let behavior else { return [.event(ScrollEvent(.setOptions(options, delegate: name)))] }
      let wanted = DelegateDescription(behavior: behavior, name: name, options: options)
      return [.removeDelegate(name), .addDelegate(wanted, at: place)]
    }
  }

  init(_ fields: inout FieldReader) throws(HeaderError) {
    name = try HeaderRequest.DelegateName(&fields)
    ends = try fields.bool("end") ?? false
    let behavior = try fields.text("behavior")
    let options = try fields.record("options")
    wish = behavior == nil && options == nil ? nil : Wish(behavior: behavior, options: options ?? Value.Record())
    if ends, wish != nil {
      throw HeaderError(
        .invalidParams, "params.end: it ends the shadow; leave out what another one would have", field: "params.end")
    }
  }
}
