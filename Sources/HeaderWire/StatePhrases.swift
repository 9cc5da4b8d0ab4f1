// SPDX-License-Identifier: MIT
//
// What stands in every state of a header, ready as JSON: its beginning, and around each position the names and the words
// between which only numbers change.
//
//     {"jsonrpc":"2.0","method":"state","params":{"header":"main","epoch":1763690400000001,"seq":    58,"time":1.25 …
//     ╰────────────────────────────────────── 1st phrase ────────────────────────────────────────╯
//     {"name":"navBar","frame":{"x":     0,"y":7.5 …          "content":{"contentOffset":     {"x":0,"y":12.5}, …
//     ╰───── one a drawer ─────────╯                          ╰──── one a scroll view ─────╯
//     "isContracting":     true
//     ╰─ one a value ─╯
//
// They are written once for a structure: as long as a header keeps its `HeaderNames`. A header of which nobody reads
// states as lines has none.

public import HeaderCore

/// The phrases of one header's states. They take about 400 bytes for two drawers.
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
  }
}
