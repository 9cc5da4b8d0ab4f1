// SPDX-License-Identifier: MIT
//
// Decodes a connection's bytes, the only way in which messages are read.
//
//     bytes ─▶ MessageSplitter ─line──▶ ScrollMessage (PlainScroll.swift)
//                    │                      ╰─ another ─▶ PlainEvent ─not plain─▶ Envelope ─▶ Command
//                    ╰─────────frame─▶ ScrollMessage (ScrollFrame.swift)
//                                           ╰─ not plain ─▶ Frame, EventFrame ─▶ Command

/// Reads the messages of one connection.
@safe public struct CommandDecoder: ~Copyable {
  /// What was read. The message itself lies in the decoder, since it is larger than what a function can return in registers.
  public enum Message {
    case scroll
    /// `takeCommand` gives it.
    case command
    /// The binary opening is whole; frames follow.
    case opening
  }

  private var splitter: MessageSplitter
  /// The scroll that was read last. Good for as long as its message's bytes are.
  public private(set) var scroll = ScrollMessage()
  private var command: Command?

  /// A decoder at the beginning of a stream.
  /// - Parameters:
  ///   - limit: bytes that a message may have, line ends and frame heads not counted.
  ///   - encoding: how messages are written, if that is known; nil: the first byte decides.
  public init(limit: Int, encoding: Encoding? = nil) {
    splitter = MessageSplitter(limit: limit, encoding: encoding)
  }

  /// nil until the first byte came; of the binary one until its opening is whole.
  public var encoding: Encoding? { splitter.encoding }

  /// Bytes of a message that has begun and not ended.
  public var unfinishedCount: Int { splitter.unfinishedCount }

  /// Whether memory of the message before is still held: the next call gives it back.
  @inline(__always)
  public var holdsSpentBytes: Bool { splitter.holdsSpentBytes }

  /// The next message; nil when the piece is used up and the rest of it kept. Called as `MessageSplitter.next` is.
  @inline(__always)
  public mutating func next(
    in piece: UnsafeRawBufferPointer, from cursor: inout Int
  ) throws(StreamError) -> Message? {
    guard let message = try unsafe splitter.next(in: piece, from: &cursor) else { return nil }
    switch message {
    case .line(let line):
      return unsafe scroll.read(line) ? .scroll : readOther(line)
    case .frame(let frame):
      guard let scroll = ScrollMessage(frame: frame) else {
        command = Command(frame: frame)
        return .command
      }
      self.scroll = scroll
      return .scroll
    case .opening: return .opening
    }
  }

  @inline(never)
  private mutating func readOther(_ line: UnsafeRawBufferPointer) -> Message {
    var event = PlainEvent()
    let isPlain = unsafe event.read(line)
    if isPlain, event.isScroll {
      scroll = event.scroll
      return .scroll
    }
    if !isPlain || !event.put(into: &command) { unsafe command = Command(unusual: line) }
    return .command
  }

  /// The command that was read last; nil if it was taken.
  @inline(__always)
  public mutating func takeCommand() -> Command? { command.take() }
}
