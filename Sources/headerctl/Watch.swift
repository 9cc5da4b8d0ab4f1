// SPDX-License-Identifier: MIT
//
// `headerctl watch`: a header drawn live. Between states the content moves, so the present offset is requested twenty
// times a second.

internal import CommandLineKit
internal import HeaderClient
internal import HeaderCore
internal import HeaderTrace

func runWatch(_ context: Context) throws -> Int32 {
  let name = context.invocation.required(Words.header)
  let client = try context.connect(Interrupts(), needsReader: true)
  let got = try context.ask(client, "header.get", ["header": .text(name), "include": ["description"]])
  guard let picture = got["state"].flatMap(StatePicture.init) else {
    throw CommandError.refused("\(name): the daemon's answer has no state")
  }
  var limit = StateLimit(context.invocation)
  try client.subscribe(to: [name], mode: context.draws ? "latest" : "every")
  guard context.draws else {
    var isClosed = false
    try listen(client, &limit) { notification in
      switch notification.method {
      case "state":
        context.console.print(line: notification.text)
        return true
      case "closed":
        if context.isJSON { context.console.print(Value.record(["closed": notification.params]).json) }
        isClosed = true
        return false
      default: return false
      }
    } until: {
      isClosed
    }
    return ExitStatus.done
  }
  var watch = Watch(console: context.console, description: got["description"] ?? [:], picture: picture)
  defer { watch.screen.finish() }
  try watch.run(client, name, &limit)
  return ExitStatus.done
}

private struct Watch {
  let console: Console
  let description: Value
  var picture: StatePicture
  var screen: LiveScreen
  var news = News()
  var offset: Double?
  private static let askEvery = 0.05

  init(console: Console, description: Value, picture: StatePicture) {
    self.console = console
    self.description = description
    self.picture = picture
    screen = LiveScreen(console)
  }

  mutating func draw() {
    let size = console.size
    let drawing = PhoneDrawing(description: description, state: picture, terminal: size)
    let lines = drawing.lines(picture, offset: offset, news: news.lines, width: size.columns)
    screen.draw(lines + ["Ctrl-C ends"])
  }

  mutating func run(_ client: Client, _ name: String, _ limit: inout StateLimit) throws {
    draw()
    var nextAsk = steadySeconds() + Self.askEvery
    do {
      while !limit.isReached {
        let left = min(max(0, nextAsk - steadySeconds()), limit.secondsLeft ?? .infinity)
        switch try client.next(within: left) {
        case .message(.notification(let notification)) where notification.method == "state":
          guard let state = StatePicture(notification.params) else { continue }
          picture = state
          offset = nil
          news.add(state)
          limit.count()
          draw()
        case .message(.notification(let notification)) where notification.method == "closed": return
        case .message(.answer(let answer)):
          guard case .success(let result) = answer.result,
            let y = result["state"].flatMap(StatePicture.init)?.scrollViews.first?.offset.y, y != offset
          else { continue }
          offset = y
          draw()
        case .message, .readable: continue
        case .timeout:
          guard client.unansweredCount == 0 else { continue }
          try client.send("header.get", ["header": .text(name)])
          nextAsk = steadySeconds() + Self.askEvery
        }
      }
    } catch {
      guard isInterruption(error) else { throw error }
    }
  }
}

// MARK: - Drawing in place

/// A drawing that is replaced in place: the cursor goes up as many lines as were drawn. Nothing else of the terminal is
/// touched, so what was above stays, and so does the last frame.
struct LiveScreen {
  private let console: Console
  private var drawn = 0

  init(_ console: Console) { self.console = console }

  mutating func draw(_ lines: [String]) {
    var text = drawn == 0 ? "\u{1B}[?25l" : "\r\u{1B}[\(drawn)A"
    for line in lines { text += line + "\u{1B}[K\n" }
    // What was drawn before and is not drawn any more.
    if lines.count < drawn { text += "\u{1B}[J" }
    drawn = lines.count
    console.print(text, terminator: "")
  }

  mutating func finish() {
    if drawn > 0 { console.print("\u{1B}[?25h", terminator: "") }
    drawn = 0
  }
}

/// The last things that a header told, for the panel.
struct News {
  private(set) var lines: [String] = []

  mutating func add(_ state: StatePicture) {
    for notice in state.notices {
      lines.append("\(shown(state.time)) \(notice.name)\(notice.count > 1 ? " ×\(notice.count)" : "")")
    }
    for duration in state.animations { lines.append("\(shown(state.time)) animates \(shown(duration)) s") }
    if lines.count > 50 { lines.removeFirst(lines.count - 50) }
  }
}
