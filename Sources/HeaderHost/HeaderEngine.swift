// SPDX-License-Identifier: MIT

internal import HeaderCore
internal import HeaderWorker

/// What carries out a header's inputs.
enum HeaderEngine {
  /// The header itself.
  case here(Header)
  /// A process, whose header has a mirror here.
  case process(WorkerSeat)

  /// The header, or its mirror.
  var header: Header {
    switch self {
    case .here(let header): header
    case .process(let seat): seat.mirror
    }
  }

  /// The place in a process; nil: it is here.
  var seat: WorkerSeat? { if case .process(let seat) = self { seat } else { nil } }

  /// Has an input applied. What a process says of its states goes to whoever sees the header there.
  func apply(
    _ input: HeaderInput, at time: Instant?, prepared: PreparedDelegate? = nil, provider: any BehaviorProvider,
    emit: (borrowing HeaderState) -> Void = { _ in }
  ) throws(HeaderError) -> HeaderOutcome {
    switch self {
    case .here(let header): try header.apply(input, prepared: prepared, at: time, provider: provider, emit: emit)
    case .process(let seat): try seat.perform(.input(input, at: time)).outcome
    }
  }

  /// All that the header remembers (`Header.save`).
  func save(clients: Bool) throws(HeaderError) -> Value {
    switch self {
    case .here(let header): try header.save(clients: clients)
    case .process(let seat): try seat.perform(.save(clients: clients)).value()
    }
  }

  /// `Header.forgetCorrections`.
  func forgetCorrections() {
    seat?.forgetCorrections()
    header.forgetCorrections()
  }
}
