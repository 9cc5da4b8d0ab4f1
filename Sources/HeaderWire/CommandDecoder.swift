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
  /// A message that was read.
  @safe public enum Message {
    case scroll(ScrollMessage)
    /// Apart, since it is many times as large as a scroll, which is copied with the message.
    indirect case command(Command)
    /// The binary opening is whole; frames follow.
    case opening
  }

  private var splitter: MessageSplitter

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
      if let scroll = unsafe ScrollMessage(line: line) { return .scroll(scroll) }
      return unsafe Message(event: line) ?? .command(Command(unusual: line))
    case .frame(let frame):
      if let scroll = ScrollMessage(frame: frame) { return .scroll(scroll) }
      return .command(Command(frame: frame))
    case .opening: return .opening
    }
  }
}
