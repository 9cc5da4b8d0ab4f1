// SPDX-License-Identifier: MIT
//
// The same parts of an event's way with frames in place of lines.

import Clocks
import Fanout
import Gateway
import HeaderCore
import HeaderModel
import HeaderService
import HeaderWire
import PluginHost

extension Workload {
  /// A frame of didScroll events as header_wire.h lays it out; handle 1 is the benchmark's only header.
  private static func frame(_ steps: Range<Int>, isBatch: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    func add(_ value: UInt64, _ size: Int) {
      for index in 0..<size { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
    }
    add(UInt64(32 + 32 * steps.count), 4)
    add(isBatch ? 3 : 2, 2)
    add(0, 2)
    add(0, 8)
    add(1, 8)
    add(UInt64(steps.count), 4)
    add(0, 4)
    for step in steps {
      add(32, 4)
      add(0b101, 2)
      add(1, 1)
      add(0, 1)
      add(UInt64(bitPattern: time(step)), 8)
      add(0, 8)
      add(offset(step).bitPattern, 8)
    }
    return bytes
  }

  /// 1000000 s and 8.3 ms a step, in nanoseconds.
  private static func time(_ step: Int) -> Int64 { 1_000_000_000_000_000 + Int64(step) * 8_300_000 }

  private static func setTime(_ step: Int, in frame: inout [UInt8]) {
    let bits = UInt64(bitPattern: time(step))
    for index in 0..<8 { frame[40 + index] = UInt8(truncatingIfNeeded: bits >> UInt64(8 * index)) }
  }

  static func decodeBinary() -> (_ count: Int) -> Void {
    let frames = (0..<640).flatMap { frame($0..<$0 + 1, isBatch: false) }
    var decoder = CommandDecoder(limit: 262_144, encoding: .frames)
    return { count in
      unsafe frames.withUnsafeBytes { frames in
        var cursor = 0
        for _ in 0..<count {
          if cursor == frames.count { cursor = 0 }
          unsafe takeScroll(in: frames, from: &cursor, &decoder)
        }
      }
    }
  }

  static func decodeBatch() -> (_ count: Int) -> Void {
    let frame = frame(0..<100, isBatch: true)
    var decoder = CommandDecoder(limit: 262_144, encoding: .frames)
    return { count in
      for _ in 0..<max(1, count / 100) { unsafe frame.withUnsafeBytes { unsafe decodeBatch($0, &decoder) } }
    }
  }

  private static func decodeBatch(_ bytes: UnsafeRawBufferPointer, _ decoder: inout CommandDecoder) {
    var cursor = 0
    do {
      guard case .command? = try unsafe decoder.next(in: bytes, from: &cursor),
        case .events(let events)? = decoder.takeCommand()?.body
      else { preconditionFailure("the benchmark's own frame has events") }
      var timed = TimedEvent(ScrollEvent(.didScroll))
      try events.forEach { (record, _) throws(HeaderError) in
        guard record.read(into: &timed) else { preconditionFailure("the benchmark's own event is not plain") }
      }
    } catch {
      preconditionFailure("the benchmark's own frame is refused")
    }
  }

  static func encodeBinary(_ plugins: PluginRegistry) throws(HeaderError) -> (_ count: Int) -> Void {
    let header = try header(shyNavBar, plugins)
    _ = try header.apply(
      .event(ScrollEvent(.didScroll, offset: PartialPoint(y: 12.25))), at: Instant(seconds: 0.5), provider: plugins)
    var writer = FrameWriter()
    let state = header.state
    return { count in
      for _ in 0..<count {
        writer.removeAll()
        _ = StateEncoder.frame(state, handle: 1, [], into: &writer)
      }
    }
  }

  static func serviceBinary(_ plugins: PluginRegistry) throws(HeaderError) -> (_ count: Int) -> Void {
    let surroundings = Surroundings(plugins)
    let service = Service(
      settings: ServiceSettings { 1_763_690_400_000_000 }, plugins: surroundings, output: surroundings,
      log: surroundings)
    let (publisher, subscriber) = (
      service.connected(Peer(name: "publisher"), at: 1), service.connected(Peer(name: "subscriber"), at: 1)
    )
    // As the daemon does, whose connections know their sessions.
    let inputs = (service.input(of: publisher), service.input(of: subscriber))
    func send(_ bytes: [UInt8], _ connection: ConnectionID, _ time: MonotonicTime) {
      let input = connection == publisher ? inputs.0 : inputs.1
      input?.received(unsafe bytes.span.bytes, at: time)
    }
    var open = JSONWriter()
    open.value(try description(shyNavBar))
    let opening: [UInt8] = [0x89, 0x48, 0x44, 0x01]
    send(opening + request(6, open.copy()), publisher, 2)
    send(opening + request(7, Array(#"{"headers":["bench"],"mode":"every"}"#.utf8)), subscriber, 3)
    var begin = frame(0..<1, isBatch: false)
    begin[38] = 0
    send(begin, publisher, 3)
    precondition(surroundings.bytes > 0 && surroundings.complaints == 0, "the benchmark's header is open")
    var step = 0
    var frames = (0..<640).map { frame($0..<$0 + 1, isBatch: false) }
    return { count in
      let before = surroundings.lines
      for _ in 0..<count {
        step += 1
        setTime(step, in: &frames[step % 640])
        send(frames[step % 640], publisher, 4 + Int64(step) * 8_300_000)
      }
      withExtendedLifetime(service) {}
      // An event at a turning point may leave the bar where it is.
      precondition(surroundings.lines - before >= count * 9 / 10, "events were not told")
    }
  }

  /// A request's frame: its id, then JSON.
  private static func request(_ kind: UInt8, _ json: [UInt8]) -> [UInt8] {
    let size = UInt32(16 + json.count)
    return [
      UInt8(truncatingIfNeeded: size), UInt8(truncatingIfNeeded: size >> 8), UInt8(truncatingIfNeeded: size >> 16), 0,
    ]
      + [kind, 0, 0, 0] + [1, 0, 0, 0, 0, 0, 0, 0] + json
  }
}
