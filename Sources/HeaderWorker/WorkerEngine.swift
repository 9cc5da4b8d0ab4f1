// SPDX-License-Identifier: MIT
//
// The worker's side: headers with their plugins, driven by the daemon's orders. Pure: bytes in, bytes out; the program reads and writes
// them.

public import HeaderCore
internal import HeaderInsight
public import HeaderModel
internal import HeaderWire

/// The headers of a worker.
public final class WorkerEngine {
  private let provider: any BehaviorProvider
  private let limits: Limits
  private var headers: [UInt32: HostedHeader] = [:]
  /// The one that the last order was for: the next one often is for it, too.
  private var latest: HostedHeader?
  private var writer = ByteWriter()
  /// Of headers that are opened again, orders that the daemon knows the end of: nothing is said of them.
  private var silent: [UInt32: UInt32] = [:]
  /// The present order is one of them.
  private var isSilent = false
  /// Called before an order is carried out: for which header, how many orders came for it before, and the header itself, which
  /// is nil at its opening.
  public var willApply: ((_ number: UInt32, _ order: Int, _ header: Header?) -> Void)?

  /// Creates an engine without headers.
  public init(provider: any BehaviorProvider, limits: Limits) {
    self.provider = provider
    self.limits = limits
  }

  /// Carries out all whole orders at the beginning of some bytes.
  /// - Returns: how many bytes those were.
  /// - Throws: what is wrong with an order: then the daemon is of another build.
  public func receive(_ bytes: RawSpan) throws(Malformed) -> Int {
    try readMessages(bytes) { (reader) throws(Malformed) in try carryOut(&reader) }
  }

  /// Takes out the messages for the daemon.
  public func takeOutput() -> [UInt8] { writer.take() }

  /// Sends a line for the log.
  public func log(_ line: PluginLogLine) {
    writer.message(.log, of: 0) { writer in
      writer.put(line.level.number)
      writer.put(line.plugin)
      writer.put(line.behavior)
      writer.put(line.header != nil)
      if let header = line.header { writer.put(header) }
      writer.put(line.message)
    }
  }

  private func carryOut(_ reader: inout ByteReader) throws(Malformed) {
    guard let order = Order(rawValue: try reader.number()) else { throw Malformed("there is no such order") }
    let number: UInt32 = try reader.number()
    let hosted = order == .open ? nil : hosted(number)
    hosted?.orders += 1
    isSilent = order != .open && !silent.isEmpty && takeSilent(number)
    willApply?(number, hosted?.orders ?? 0, hosted?.header)
    switch (order, hosted) {
    case (.open, _): try open(number, &reader)
    case (.close, _): (headers[number], silent[number], latest) = (nil, nil, nil)
    case (_, nil):
      // The order was on its way when the opening was refused.
      reader.skipRest()
      refuse(number, HeaderError(.headerNotFound, "the header could not be opened"))
    case (.scroll, let hosted?): try scroll(hosted, &reader)
    case (.input, let hosted?): try apply(hosted, &reader)
    case (.save, let hosted?): save(hosted, clients: try reader.flag())
    case (.observe, let hosted?):
      var observation = Header.Observation()
      try reader.code(&observation)
      hosted.header.observe { [observation] in $0 = observation }
      end(hosted, .success(.applied(.handled)))
    case (.explanations, let hosted?):
      let last = Int(try reader.number(UInt32.self))
      end(hosted, .success(.saved(RemoteSave(.list(hosted.header.explanations.suffix(last).map(\.value))))))
    case (.shadow, let hosted?): try shadow(hosted, &reader)
    case (.forgetCorrections, let hosted?):
      hosted.header.forgetCorrections()
      end(hosted, .success(.applied(.handled)))
    }
  }

  private func hosted(_ number: UInt32) -> HostedHeader? {
    if let latest, latest.number == number { return latest }
    latest = headers[number]
    return latest
  }

  /// Counts down the orders that are carried out without a report.
  private func takeSilent(_ number: UInt32) -> Bool {
    guard let left = silent[number] else { return false }
    silent[number] = left > 1 ? left - 1 : nil
    return true
  }

  private func refuse(_ number: UInt32, _ error: HeaderError) {
    guard !isSilent else { return }
    var ending = Completion(result: .failure(error), rest: MirrorMetadata())
    writer.message(.ended, of: number) { $0.put { writer throws(Malformed) in try writer.code(&ending) } }
  }

  private func open(_ number: UInt32, _ reader: inout ByteReader) throws(Malformed) {
    let silentOrders: UInt32 = try reader.number()
    if silentOrders > 0 { silent[number] = silentOrders }
    let epoch: Int64 = try reader.number()
    var observation = Header.Observation()
    try reader.code(&observation)
    let description = try reader.value()
    // Not `nil`, which would be read as the value null.
    let saved = try reader.flag() ? Value?.some(try reader.value()) : Value?.none
    do throws(HeaderError) {
      var unknown: [UnknownField] = []
      let given = try HeaderDescription(description, at: Path(""), unknown: &unknown, isRecorded: true)
      let header = try Header(
        given, epoch: epoch, provider: provider, limits: limits, saved: saved, recordsCalls: observation.recordsCalls)
      header.observe { $0 = observation }
      let hosted = HostedHeader(number, header, openedAs: given)
      (headers[number], latest) = (hosted, nil)
      end(hosted, .success(.opened))
    } catch {
      refuse(number, error)
    }
  }

  private func scroll(_ hosted: HostedHeader, _ reader: inout ByteReader) throws(Malformed) {
    let time = try reader.optionalInstant()
    let offset = PartialPoint(x: try reader.optionalDouble(), y: try reader.optionalDouble())
    let correction =
      try reader.flag() ? PartialPoint(x: try reader.optionalDouble(), y: try reader.optionalDouble()) : nil
    let isAnswered = try reader.flag()
    apply(
      isAnswered
        ? .event(ScrollEvent(.didScroll, offset: offset, correction: correction))
        : .scroll(to: offset, correction: correction), at: time, to: hosted)
  }

  private func apply(_ hosted: HostedHeader, _ reader: inout ByteReader) throws(Malformed) {
    let time = try reader.optionalInstant()
    let isAnswer = try reader.flag()
    let record = try reader.record()
    let input: HeaderInput
    if isAnswer {
      input = .answer(DelegateReply(recorded: record))
    } else {
      do throws(HeaderError) {
        input = try Self.input(record)
      } catch {
        return end(hosted, .failure(error))
      }
    }
    apply(input, at: time, to: hosted)
  }

  private func shadow(_ hosted: HostedHeader, _ reader: inout ByteReader) throws(Malformed) {
    let delegate = try reader.text()
    guard case .list(let records) = try reader.value() else { throw Malformed("a shadow's inputs are none") }
    hosted.shadow = nil
    do throws(HeaderError) {
      var change: [HeaderInput] = []
      for case .record(let record) in records { change.append(try Self.input(record)) }
      if !change.isEmpty { hosted.shadow = try Shadow(of: hosted.header, delegate: delegate, change, provider) }
      end(hosted, .success(.applied(.handled)))
    } catch {
      end(hosted, .failure(error))
    }
  }

  private static func input(_ record: Value.Record) throws(HeaderError) -> HeaderInput {
    var (time, unknown) = (Instant?.none, [UnknownField]())
    return try HeaderInput(recorded: record, time: &time, unknown: &unknown)
  }

  private func apply(_ input: HeaderInput, at time: Instant?, to hosted: HostedHeader) {
    do throws(HeaderError) {
      let outcome = try hosted.header.apply(input, at: time, provider: provider) {
        if !isSilent { hosted.send($0, &writer) }
      }
      hosted.shadow?.follow(input, at: time, hosted.header, provider)
      if case .handled = outcome, !isSilent, hosted.shadow == nil, hosted.header.isRestPlain {
        let isScroll = if case .scroll = input { true } else { false }
        hosted.sendChanges(&writer, afterScroll: isScroll)
        writer.message(.ended, of: hosted.number) { $0.putPlainEnding(of: hosted.header) }
      } else {
        end(hosted, .success(.applied(outcome)))
      }
    } catch {
      hosted.shadow?.follow(input, at: time, hosted.header, provider)
      end(hosted, .failure(error))
    }
  }

  private func save(_ hosted: HostedHeader, clients: Bool) {
    do throws(HeaderError) {
      end(hosted, .success(.saved(RemoteSave(try hosted.header.save(clients: clients)))))
    } catch {
      end(hosted, .failure(error))
    }
  }

  private func end(_ hosted: HostedHeader, _ result: Result<RemoteOutcome, HeaderError>) {
    let remarks = hosted.header.takeRemarks()
    guard !isSilent else { return hosted.passSilently() }
    var rest = hosted.takeRest()
    hosted.sendChanges(&writer)
    rest.remarks = remarks
    rest.shadow = hosted.shadow?.value
    var ending = Completion(result: result, rest: rest)
    writer.message(.ended, of: hosted.number) { $0.put { writer throws(Malformed) in try writer.code(&ending) } }
  }
}

/// A header in a worker, and what was sent of it to the daemon.
private final class HostedHeader {
  let number: UInt32
  let header: Header
  /// The same header with something else in its chain, without effect.
  var shadow: Shadow?
  /// Orders since the header was opened.
  var orders = 0
  private var states = StateSender()
  /// The revision of the description that was sent last.
  private var revision: UInt32?
  /// The drawers' places that were sent last.
  private var places: [LeaderPlace]?
  /// An order was carried out without a report.
  private var wasSilent = false

  init(_ number: UInt32, _ header: Header, openedAs given: HeaderDescription) {
    self.number = number
    self.header = header
    // The daemon has sent this description itself.
    if header.description == given { revision = header.descriptionRevision }
  }

  /// Sends a state, after what clients are to be sent before it.
  func send(_ state: borrowing HeaderState, _ writer: inout ByteWriter) {
    sendStructure(&writer)
    sendClientEvents(&writer)
    writer.message(.state, of: number) { _ = states.write(state, isEmitted: true, to: &$0) }
  }

  /// Sends changes that made no state.
  /// - Parameter afterScroll: a plain scroll was handled, which itself shows whether anything has changed.
  func sendChanges(_ writer: inout ByteWriter, afterScroll: Bool = false) {
    sendStructure(&writer)
    sendClientEvents(&writer)
    let isUnpublished = header.takeUnpublished()
    guard isUnpublished || wasSilent || !afterScroll else { return }
    wasSilent = false
    let start = writer.count
    var isWritten = false
    writer.message(.quiet, of: number) { writer in
      header.lendState { isWritten = states.write($0, isEmitted: false, to: &writer) }
    }
    if !isWritten { writer.cut(to: start) }
  }

  private func sendStructure(_ writer: inout ByteWriter) {
    guard revision != header.descriptionRevision else { return }
    revision = header.descriptionRevision
    states.forget()
    writer.message(.structure, of: number) { $0.put(header.description.recorded) }
  }

  /// The header's metadata; places only if they have changed since they were sent.
  func takeRest() -> MirrorMetadata {
    var rest = header.rest
    if rest.places == places { rest.places = nil } else { places = rest.places }
    return rest
  }

  /// Notes an order that is carried out without a report.
  func passSilently() {
    wasSilent = true
    if header.hasListeners { _ = header.takeClientEvents() }
  }

  private func sendClientEvents(_ writer: inout ByteWriter) {
    guard header.hasListeners else { return }
    for event in header.takeClientEvents() {
      writer.message(.clientEvent, of: number) { writer in
        writer.put(Int32(event.delegate))
        writer.put(.record(event.event))
      }
    }
  }
}

extension ByteWriter {
  /// Writes a message about a header.
  @inline(__always)
  fileprivate mutating func message(_ news: WorkerMessage, of header: UInt32, _ body: (inout ByteWriter) -> Void) {
    frame { writer in
      writer.put(news.rawValue)
      writer.put(header)
      body(&writer)
    }
  }
}
