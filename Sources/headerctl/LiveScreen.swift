// SPDX-License-Identifier: MIT
//
// A drawing that is replaced in place: the cursor goes up as many lines as were drawn and writes over them. Nothing else of
// the terminal is touched, so that what stood above it stays, and the last frame stays too.

internal import HeaderTrace

/// A place in the terminal.
struct LiveScreen {
  private let console: Console
  private var drawn = 0

  init(_ console: Console) { self.console = console }

  /// Draws lines over those drawn last.
  mutating func draw(_ lines: [String]) {
    var text = drawn == 0 ? "\u{1B}[?25l" : "\r\u{1B}[\(drawn)A"
    for line in lines { text += line + "\u{1B}[K\n" }
    // What was drawn before and is not drawn any more.
    if lines.count < drawn { text += "\u{1B}[J" }
    drawn = lines.count
    console.print(text, terminator: "")
  }

  /// Gives the cursor back.
  mutating func finish() {
    if drawn > 0 { console.print("\u{1B}[?25h", terminator: "") }
    drawn = 0
  }
}

/// The last things that a header told, for the panel.
struct News {
  private(set) var lines: [String] = []

  /// Takes a state's notices and animations.
  mutating func add(_ state: StatePicture) {
    for notice in state.notices {
      lines.append("\(shown(state.time)) \(notice.name)\(notice.count > 1 ? " ×\(notice.count)" : "")")
    }
    for duration in state.animations { lines.append("\(shown(state.time)) animates \(shown(duration)) s") }
    if lines.count > 50 { lines.removeFirst(lines.count - 50) }
  }
}
