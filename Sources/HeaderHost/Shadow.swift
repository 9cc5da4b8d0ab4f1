// SPDX-License-Identifier: MIT
//
// `delegate.shadow` and `delegate.promote`: a header's shadow (HeaderInsight's Shadow.swift) is beside its engine, in this process or in
// a worker. A shadow is made by inputs, so promoting it gives the same inputs to the header itself.

internal import Fanout
internal import HeaderCore
internal import HeaderInsight
internal import HeaderModel
internal import HeaderWorker

struct HeaderShadow {
  /// The delegate that is another one in it.
  let delegate: String
  /// What makes the header into its shadow.
  let change: [HeaderInput]
  /// The shadow; nil: it is in the header's process, which reports it with each input.
  let here: Shadow?

  /// The shadow as `delegate.shadow` and `stats` show it.
  func value(of header: Header) -> Value {
    if let value = here?.value ?? header.mirroredShadow { return value }
    return [
      "delegate": .text(delegate), "events": 0, "differences": 0, "largest": 0,
      "failure": "the process that it was in has ended, or the header has gone on in another one",
    ]
  }
}

extension RequestHandler {
  /// Begins a shadow, ends it, or reports it.
  func shadow(_ given: NewShadow, of entry: HeaderEntry) throws(HeaderError) -> Reply? {
    let index = try place(ofDelegate: given.delegate, of: entry)
    if given.ends { endShadow(of: entry) }
    let reply = { () -> Reply in
      entry.chargeMemory()
      return .record(["shadow": entry.log?.shadow?.value(of: entry.header) ?? .null])
    }
    guard !given.ends, let wish = given.wish else { return reply() }
    try host.checkSize(of: wish.options, at: "params.options")
    try entry.account?.requireMemory(for: "delegate.shadow")
    guard !entry.header.hasListeners, !entry.header.hasInterceptors else {
      throw HeaderError(
        .invalidParams, "params.header: \"\(entry.name)\" has clients in its chain, and no shadow of it can be made",
        field: "params.header")
    }
    return try later { then in
      begin(wish, for: given.delegate, at: index, of: entry) { result in
        then(result.mapError { $0.under("params").of(header: entry.name) }.map { reply() })
      }
    }
  }

  /// Begins one, in place of another.
  private func begin(
    _ wish: NewShadow.Wish, for name: String, at index: Int, of entry: HeaderEntry,
    then: @escaping (Result<Void, HeaderError>) -> Void
  ) {
    let change = wish.inputs(for: name, at: index)
    let begun = { (shadow: Shadow?) in
      entry.makeLog().shadow = HeaderShadow(delegate: name, change: change, here: shadow)
    }
    let begin = { [host] in
      if let remote = entry.remote {
        host.order(.shadow(of: name, change), of: entry, in: remote) { then($0.map { _ in begun(nil) }) }
      } else {
        then(
          Result { () throws(HeaderError) in
            begun(try Shadow(of: entry.header, delegate: name, change, host.plugins))
          })
      }
    }
    // The process is the one that a header with that behavior needs.
    guard let behavior = wish.behavior else { return begin() }
    host.move(entry, for: behavior) { if case .failure(let error) = $0 { then(.failure(error)) } else { begin() } }
  }

  private func endShadow(of entry: HeaderEntry) {
    guard let shadow = entry.log?.shadow else { return }
    if shadow.here == nil { entry.remote?.send(.shadow(of: "", [])) }
    entry.log?.shadow = nil
  }

  /// Gives the header the inputs that made its shadow, and ends the shadow.
  func promote(_ name: String, of entry: HeaderEntry) throws(HeaderError) -> Reply? {
    _ = try place(ofDelegate: name, of: entry)
    guard let shadow = entry.log?.shadow, shadow.delegate == name else {
      throw HeaderError(
        .delegateNotFound, "params.delegate: \"\(name)\" has no shadow", field: "params.delegate",
        got: .text(name), hint: "delegate.shadow begins one")
    }
    endShadow(of: entry)
    return try later { [self] then in
      inTurn(shadow.change) { [self] input, next in
        let end = { (refusal: HeaderError?) in if let refusal { then(.failure(refusal)) } else { next() } }
        switch input {
        case .event(let event): call(event, of: entry) { end($0.refusal) }
        case .removeDelegate(let name): host.removeDelegate(name, of: entry) { end($0.refusal) }
        case .addDelegate(let wanted, let place):
          host.addDelegate(wanted, at: place, to: entry, client: nil) { end($0.refusal) }
        default: preconditionFailure("headerd bug: a shadow is made with options or another behavior")
        }
      } then: {
        entry.chargeMemory()
        then(.success(.seq(of: entry)))
      }
    }
  }
}

/// What `delegate.shadow` asks.
public struct NewShadow {
  let delegate: String
  let ends: Bool
  /// nil: it is only asked how things stand.
  let wish: Wish?

  struct Wish {
    let behavior: String?
    let options: Value.Record

    /// The inputs that turn the delegate into the shadow's.
    func inputs(for name: String, at place: Int) -> [HeaderInput] {
      guard let behavior else { return [.event(ScrollEvent(.setOptions(options, delegate: name)))] }
      let wanted = DelegateDescription(behavior: behavior, name: name, options: options)
      return [.removeDelegate(name), .addDelegate(wanted, at: place)]
    }
  }

  init(_ fields: inout FieldReader) throws(HeaderError) {
    delegate = try fields.required(text: "delegate")
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
