// SPDX-License-Identifier: MIT
//
// What a gateway makes of a binary client's frames, and of the lines that answer them. What must hold: the line of a frame is one
// line, of the frame's method; what is made of any line are whole frames.

internal import HeaderCore
internal import HeaderWire
package import PluginHost

/// Frames as lines where the first byte is even, else lines as frames.
package final class TranslationsTarget: FuzzTarget {
  package static let name = "translations"

  private static let limit = 4096

  package init(_ plugins: PluginRegistry) {}

  package func run(_ bytes: [UInt8]) throws(FuzzFinding) -> Int {
    guard let first = bytes.first else { return 0 }
    return first & 1 == 0 ? try lines(of: Array(bytes.dropFirst())) : try frames(of: bytes.dropFirst())
  }

  private func lines(of bytes: [UInt8]) throws(FuzzFinding) -> Int {
    let stream = FrameTranslator.opening + bytes
    let handles = FuzzHandles()
    var splitter = MessageSplitter(limit: Self.limit)
    var (cursor, count) = (0, 0)
    try unsafe stream.span.bytes.withUnsafeBytes { (stream) throws(FuzzFinding) in
      while let message = unsafe try? splitter.next(in: stream, from: &cursor) {
        guard case .frame(let frame) = message else { continue }
        count += 1
        try check(frame, handles)
      }
    }
    return count
  }

  private func check(_ frame: Frame, _ handles: FuzzHandles) throws(FuzzFinding) {
    guard let line = try? frame.line(handles, limit: Self.limit) else { return }
    guard !line.contains(10) else { throw FuzzFinding("more than a line: \(line)") }
    guard let method = Command(frame: frame).method else { return }
    var decoder = CommandDecoder(limit: 2 * Self.limit)
    var read: RequestMethod?
    unsafe (line + [10]).span.bytes.withUnsafeBytes { line in
      var cursor = 0
      switch unsafe try? decoder.next(in: line, from: &cursor) {
      case .command(let command): read = command.method
      case .scroll(let scroll): read = scroll.command.method
      case .opening, nil: break
      }
    }
    guard read == method else { throw FuzzFinding("\(method) became \(String(describing: read)): \(line)") }
  }

  private func frames(of bytes: ArraySlice<UInt8>) throws(FuzzFinding) -> Int {
    var translator = FrameTranslator(FuzzHandles())
    var count = 0
    for line in bytes.split(separator: 10) {
      let frames = translator.frames(of: Array(line))
      count += 1
      var place = 0
      while place < frames.count {
        let size = frames[place...].prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard size >= 8, place + size <= frames.count else {
          throw FuzzFinding("a frame of \(size) bytes in \(frames.count) at \(place)")
        }
        place += size
      }
    }
    return count
  }

  package func seeds() throws -> [[UInt8]] {
    let answers = try Corpus.goldenAnswers()
    // Those that have frames of their own, and one of the others.
    let methods: [RequestMethod] = [.hello, .ping, .headerOpen, .subscribe, .event, .headerClose]
    let framed = answers.flatMap { line in methods.map { Self.answered(line, "frame \($0.rawValue) 7 0") } }
    let told = (answers + framed + [answers.joined(separator: "\n")]).map { [1] + Array($0.utf8) }
    return try Corpus.goldenFrames().map { [0] + $0 } + told
  }

  /// An answer to a frame.
  private static func answered(_ line: String, _ id: String) -> String {
    line.split(separator: #""id":1,"#, omittingEmptySubsequences: false).joined(separator: "\"id\":\"\(id)\",")
  }

  package var words: [String] {
    Corpus.wireWords + RequestMethod.allCases.map { #""id":"frame \#($0.rawValue) 7 0""# }
  }
}

/// Numbers of headers in the order of their coming.
private final class FuzzHandles: HeaderHandles {
  private var names = ["main"]

  func handle(of header: String) -> Int {
    if let place = names.firstIndex(of: header) { return place + 1 }
    names.append(header)
    return names.count
  }

  func header(with handle: Int) -> String? { names.indices.contains(handle - 1) ? names[handle - 1] : nil }
}
