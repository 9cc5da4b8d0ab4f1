// SPDX-License-Identifier: MIT
//
// The daemon's side: orders for headers whose engine is in a worker, and their mirrors, brought up to date with what the worker
// says. Pure: bytes out, bytes in.

public import HeaderCore
internal import HeaderWire

/// Gets what comes of orders.
public protocol RemoteHeaderOwner: AnyObject {
  /// A state of a header, which the mirror has now, too.
  func emitted(_ state: borrowing HeaderState, of header: UInt32)
  /// An order was carried out; the mirror is up to date.
  func ended(_ result: Result<RemoteOutcome, HeaderError>, of header: UInt32)
}

/// The headers of one worker.
public final class RemoteHeaders {
  /// Gets what comes of orders.
  public weak var owner: (any RemoteHeaderOwner)?
  private let provider: MirrorProvider
  private var mirrors: [UInt32: Mirror] = [:]
  private var writer = ByteWriter()

  private struct Mirror {
    let header: Header
    var shape: StateShape
    /// The worker has opened it.
    var isOpen = false
  }

  /// No headers.
  public init(provider: MirrorProvider) { self.provider = provider }

  /// A header's mirror.
  public subscript(header: UInt32) -> Header? { mirrors[header]?.header }

  // MARK: - Orders

  /// Takes out the orders that were given.
  public func takeOutput() -> [UInt8] {
    defer { writer.bytes.removeAll(keepingCapacity: true) }
    return writer.bytes
  }

  /// Has a header opened: `mirror` was made with the same description and a `MirrorProvider`.
  public func open(_ header: UInt32, _ mirror: Header, from saved: Value?) {
    mirrors[header] = Mirror(header: mirror, shape: StateShape(of: mirror))
    order(.open, header) { writer in
      writer.put(mirror.state.epoch)
      writer.put(mirror.recordsCalls)
      writer.put(mirror.description.recorded)
      writer.put(saved != nil)
      if let saved { writer.put(saved) }
    }
  }

  /// Has an input applied.
  public func apply(_ input: HeaderInput, at time: Instant?, to header: UInt32) {
    if case .scroll(let offset, let correction) = input {
      order(.scroll, header) { writer in
        writer.put(optional: time?.nanoseconds)
        writer.put(optional: offset.x)
        writer.put(optional: offset.y)
        writer.put(correction != nil)
        if let correction {
          writer.put(optional: correction.x)
          writer.put(optional: correction.y)
        }
      }
      return
    }
    var isAnswer = false
    if case .answer = input { isAnswer = true }
    let record = input.recorded(at: time ?? Instant(nanoseconds: 0))
    order(.input, header) { writer in
      writer.put(optional: time?.nanoseconds)
      writer.put(isAnswer)
      writer.put(.record(record))
    }
  }

  /// Asks for a header's saved state.
  public func save(_ header: UInt32) { order(.save, header) { _ in } }

  /// Lets go of a header.
  public func close(_ header: UInt32) {
    mirrors[header] = nil
    order(.close, header) { _ in }
  }

  private func order(_ order: Order, _ header: UInt32, _ body: (inout ByteWriter) -> Void) {
    writer.frame { writer in
      writer.put(order.rawValue)
      writer.put(header)
      body(&writer)
    }
  }

  // MARK: - What comes back

  /// Takes all whole messages at the beginning of some bytes.
  /// - Returns: how many bytes those were.
  /// - Throws: what is wrong with a message: then nothing that the worker says is to be believed.
  public func receive(_ bytes: RawSpan) throws(Malformed) -> Int {
    try readMessages(bytes) { (reader) throws(Malformed) in try take(&reader) }
  }

  private func take(_ reader: inout ByteReader) throws(Malformed) {
    guard let news = News(rawValue: try reader.number()) else { throw Malformed("there is no such message") }
    let number: UInt32 = try reader.number()
    guard let mirror = mirrors[number] else {
      // It was closed while this was on its way.
      reader.skipRest()
      return
    }
    switch news {
    case .structure: try takeStructure(of: mirror.header, number, &reader)
    case .clientEvent:
      let delegate = Int(try reader.delegate(mirror.shape))
      mirror.header.mirror(ClientEvent(delegate: delegate, event: try reader.record()))
    case .state, .quiet: try takeState(of: mirror, number, isEmitted: news == .state, &reader)
    case .ended:
      let ending = try reader.ending(mirror.shape)
      mirrors[number]?.isOpen = true
      mirror.header.mirror(ending.rest)
      owner?.ended(ending.result, of: number)
    }
  }

  private func takeStructure(of mirror: Header, _ number: UInt32, _ reader: inout ByteReader) throws(Malformed) {
    let value = try reader.value()
    do throws(HeaderError) {
      var unknown: [UnknownField] = []
      let description = try HeaderDescription(value, at: Path(""), unknown: &unknown, isRecorded: true)
      guard description.header == mirror.name else { throw HeaderError(.invalidParams, "it is another header") }
      try mirror.mirror(description, provider: provider)
    } catch {
      throw Malformed("a description is refused: \(error.message)")
    }
    mirrors[number]?.shape = StateShape(of: mirror)
  }

  private func takeState(
    of mirror: Mirror, _ number: UInt32, isEmitted: Bool, _ reader: inout ByteReader
  ) throws(Malformed) {
    let before = mirror.header.state.seq
    // Read into a copy: what is malformed changes nothing.
    var next = mirror.header.state
    try reader.read(into: &next, mirror.shape)
    guard !mirror.isOpen || next.seq == before + (isEmitted ? 1 : 0) else {
      throw Malformed("seq \(next.seq) follows \(before)")
    }
    mirror.header.mirror(next)
    if isEmitted { owner?.emitted(mirror.header.state, of: number) }
  }
}
