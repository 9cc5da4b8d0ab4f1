// SPDX-License-Identifier: MIT
//
// `delegate.shadow` and `delegate.promote`: a header's shadow (HeaderCore's Shadow.swift) is beside its engine, here or in the
// process that has it. What it was made with are inputs, so promoting it is to give them to the header itself.

internal import Fanout
internal import HeaderCore
internal import HeaderWorker

/// A header's shadow.
struct HeaderShadow {
  /// The delegate that is another one in it.
  let delegate: String
  /// What makes the header into its shadow.
  let change: [HeaderInput]
  /// nil: it is in the header's process, which tells of it with each input.
  let here: Shadow?

  /// As `delegate.shadow` and `stats` tell it.
  func value(of header: Header) -> Value {
    if let value = here?.value ?? header.mirroredShadow { return value }
    return [
      "delegate": .text(delegate), "events": 0, "differences": 0, "largest": 0,
      "failure": "the process that it was in has ended, or the header has gone on in another one",
    ]
  }
}

extension RequestHandler {
  /// Begins a shadow, ends it, or tells of it.
  func shadow(_ given: NewShadow) throws(HeaderError) -> Reply {
    let (entry, index) = try delegate(given.name)
    let name = entry.header.description.delegates[index].name
    if given.ends {
      endShadow(of: entry)
    } else if let wish = given.wish {
      try host.checkSize(of: wish.options, at: "params.options")
      try entry.account?.requireMemory(for: "delegate.shadow")
      guard !entry.header.hasListeners, !entry.header.hasInterceptors else {
        throw HeaderError(
          .invalidParams, "params.header: \"\(entry.name)\" has clients in its chain, and no shadow of it can be made",
          field: "params.header")
      }
      do {
        try begin(wish, for: name, at: index, of: entry)
      } catch {
        throw error.under("params").of(header: entry.name)
      }
    }
    entry.chargeMemory()
    return .fields(("shadow", entry.log?.shadow?.value(of: entry.header) ?? .null))
  }

  /// Begins one, in place of another.
  private func begin(
    _ wish: NewShadow.Wish, for name: String, at index: Int, of entry: HeaderEntry
  ) throws(HeaderError) {
    let change = wish.inputs(for: name, at: index)
    // It is where a header with that behavior has to be.
    if let behavior = wish.behavior { try host.move(entry, for: behavior) }
    if let seat = entry.seat {
      _ = try seat.perform(.shadow(of: name, change))
      entry.makeLog().shadow = HeaderShadow(delegate: name, change: change, here: nil)
    } else {
      let shadow = try Shadow(of: entry.header, delegate: name, change, host.plugins)
      entry.makeLog().shadow = HeaderShadow(delegate: name, change: change, here: shadow)
    }
  }

  private func endShadow(of entry: HeaderEntry) {
    guard let shadow = entry.log?.shadow else { return }
    if shadow.here == nil { _ = try? entry.seat?.perform(.shadow(of: "", [])) }
    entry.log?.shadow = nil
  }

  /// Gives the header what its shadow was made with, and ends the shadow.
  func promote(_ name: HeaderRequest.DelegateName) throws(HeaderError) -> Reply {
    let (entry, _) = try delegate(name)
    guard let shadow = entry.log?.shadow, shadow.delegate == name.delegate else {
      throw HeaderError(
        .delegateNotFound, "params.delegate: \"\(name.delegate)\" has no shadow", field: "params.delegate",
        got: .text(name.delegate), hint: "delegate.shadow begins one")
    }
    endShadow(of: entry)
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
