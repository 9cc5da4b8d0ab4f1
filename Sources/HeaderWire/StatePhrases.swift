// SPDX-License-Identifier: MIT
//
// What stands in every state of a header, ready as JSON: its beginning, and around each position the names and the words
// between which only numbers change.
//
//     {"jsonrpc":"2.0","method":"state","params":{"header":"main","epoch":1763690400000001,"seq":    58,"time":1.25 …
//     ╰────────────────────────────────────── 1st phrase ────────────────────────────────────────╯
//     {"name":"navBar","frame":{"x":     0,"y":7.5     ,"width":375,"height":44}     …
//     ╰───── one a drawer ─────────╯                   ╰─── the words of its size ─╯
//     "content":{"contentOffset":     {"x":0,"y":12.5}, …
//     ╰──── one a scroll view ─────╯
//     "isContracting":     true
//     ╰─ one a value ─╯
//
// They are written once for a structure: as long as a header keeps its `HeaderNames`. Only the words of a drawer's size
// have numbers in them, those of the state before: a drawer moves with every event, and hardly ever gets another size. A
// header of which nobody reads states as lines has none of all this.

public import HeaderCore

/// The phrases of one header's states. They take about 650 bytes for two drawers.
public final class StatePhrases {
  private let names: HeaderNames
  private let epoch: Int64
  /// Each phrase behind its size; at the end as much room as a pen may read beyond one.
  private var text = Bytes()

  /// The phrases of the header that a state is of.
  public init(_ state: borrowing HeaderState) {
    let names = state.names
    self.names = names
    epoch = state.epoch
    add { writer in
      writer.beginObject()
      writer.raw("\"jsonrpc\":\"2.0\",\"method\":\"state\"")
      writer.key("params")
      writer.beginObject()
      writer.key("header")
      writer.string(state.header)
      writer.key("epoch")
      writer.integer(Int(state.epoch))
      writer.key("seq")
    }
    for name in names.drawers {
      add { writer in
        writer.beginObject()
        writer.key("name")
        writer.string(name)
        writer.key("frame")
        writer.beginObject()
        writer.key("x")
      }
      text.write(atMost: SizeWords.room) { SizeWords.begin(with: &$0) }
    }
    for name in names.scrollViews {
      add { writer in
        writer.key(named: name)
        writer.beginObject()
        writer.key("contentOffset")
      }
    }
    for (index, name) in names.values.enumerated() {
      add { writer in
        if index == 0 {
          writer.key("values")
          writer.beginObject()
        }
        writer.key(named: name)
      }
    }
    text.write(atMost: Pen.slack) { $0.put("                ") }
  }

  /// Whether they are those of the state's header, as it is built now.
  public func fit(_ state: borrowing HeaderState) -> Bool { names === state.names && epoch == state.epoch }

  /// Bytes of all of them, at least.
  var count: Int { text.count }

  /// Where they lie, for whoever has memory fetched ahead of its use. Valid as long as they are.
  public var memory: UnsafeRawBufferPointer { unsafe text.contents }

  /// Goes through them from the first one.
  var reader: Reader { unsafe Reader(next: text.contents) }

  private func add(_ phrase: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    phrase(&writer)
    text.reserve(writer.count + MemoryLayout<UInt32>.size)
    text.store(UInt32(writer.count))
    unsafe writer.withUnsafeBytes { unsafe text.push($0) }
  }

  /// A walk through the phrases. Good as long as they are.
  @safe struct Reader {
    fileprivate var next: UnsafeRawBufferPointer

    /// The next one; the bytes that fill its last 16 are readable.
    @inline(__always)
    mutating func take() -> UnsafeRawBufferPointer {
      let size = unsafe Int(next.loadUnaligned(as: UInt32.self))
      let phrase = unsafe UnsafeRawBufferPointer(rebasing: next[4..<4 + size])
      unsafe next = UnsafeRawBufferPointer(rebasing: next[(4 + size)...])
      return unsafe phrase
    }

    /// The words of a drawer's size, behind its phrase.
    @inline(__always)
    mutating func takeSizeWords() -> SizeWords {
      let words = unsafe SizeWords(place: UnsafeMutableRawPointer(mutating: next.baseAddress.unsafelyUnwrapped))
      unsafe next = UnsafeRawBufferPointer(rebasing: next[SizeWords.room...])
      return words
    }
  }
}

/// What the last state said of a drawer's size, up to the brace that ends its frame: the size, how many bytes, the bytes.
/// Good as long as the phrases are.
@safe struct SizeWords {
  /// A size by its bits: 0 and −0 have different words.
  private typealias Bits = SIMD2<UInt64>

  private static let textPlace = MemoryLayout<Bits>.size + MemoryLayout<UInt32>.size
  /// Two numbers, their names, a brace, and what is read beyond the last of them.
  static let room = textPlace + 2 * Pen.numberMax + 24 + Pen.slack

  private let place: UnsafeMutableRawPointer

  fileprivate init(place: UnsafeMutableRawPointer) { unsafe self.place = place }

  /// Words of no size yet.
  fileprivate static func begin(with pen: inout Pen) {
    pen.store(bits(of: Size(width: .nan, height: .nan)))
    for _ in MemoryLayout<Bits>.size..<room { pen.put(byte: 0) }
  }

  /// The words, if they are of this size.
  @inline(__always)
  func text(of size: Size) -> UnsafeRawBufferPointer? {
    guard unsafe place.loadUnaligned(as: Bits.self) == Self.bits(of: size) else { return nil }
    let count = unsafe place.loadUnaligned(fromByteOffset: MemoryLayout<Bits>.size, as: UInt32.self)
    return unsafe UnsafeRawBufferPointer(start: place + Self.textPlace, count: Int(count))
  }

  /// Keeps the words of a size, which a pen has just written.
  func keep(_ words: UnsafeRawBufferPointer, of size: Size) {
    unsafe place.storeBytes(of: Self.bits(of: size), as: Bits.self)
    unsafe place.storeBytes(of: UInt32(words.count), toByteOffset: MemoryLayout<Bits>.size, as: UInt32.self)
    var pen = unsafe Pen(place + Self.textPlace)
    unsafe pen.put(words)
  }

  @inline(__always)
  private static func bits(of size: Size) -> Bits { Bits(size.width.bitPattern, size.height.bitPattern) }
}
