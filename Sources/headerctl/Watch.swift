// SPDX-License-Identifier: MIT
//
// `headerctl watch`: a header drawn live. Between states the content moves, so the present offset is requested twenty
// times a second.

internal import CommandLineKit
internal import HeaderClient
internal import HeaderModel
internal import HeaderTrace

func runWatch(_ context: Context) throws -> Int32 {
  let name = context.invocation.required(Words.header)
  let client = try context.connect(Interrupts(), needsReader: true)
  let got = try context.ask(client, "header.get", ["header": .text(name), "include": ["description"]])
  guard let picture = got["state"].flatMap(StatePicture.init) else {
    throw CommandError.refused("\(name): the daemon's answer has no state")
  }
  var limit = StateLimit(context.invocation)
  let description = got["description"] ?? [:]
  var predictions = context.invocation.has(Words.predict) ? Predictions(description: description) : nil
  try client.subscribe(
    to: [name], mode: context.draws ? "latest" : "every", grid: context.invocation[Words.grid],
    predict: predictions != nil)
  guard context.draws else {
    var isClosed = false
    try listen(client, &limit) { notification in
      switch notification.method {
      case "state":
        predictions?.take(notification.params)
        context.console.print(line: predictions.map { Array($0.record.json.utf8) } ?? notification.text)
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
  var drawing = LiveDrawing(context.console, description: description)
  drawing.picture = picture
  defer { drawing.finish() }
  try watch(client, name, &limit, &drawing, &predictions)
  return ExitStatus.done
}

/// Draws the states until the limit, and asks for the present offset meanwhile.
private func watch(
  _ client: Client, _ name: String, _ limit: inout StateLimit, _ drawing: inout LiveDrawing,
  _ predictions: inout Predictions?
) throws {
  let askEvery = 0.05
  let footer = ["Ctrl-C ends"]
  drawing.draw(footer)
  var nextAsk = steadySeconds() + askEvery
  do {
    while !limit.isReached {
      let left = min(max(0, nextAsk - steadySeconds()), limit.secondsLeft ?? .infinity)
      switch try client.next(within: left) {
      case .message(.notification(let notification)) where notification.method == "state":
        guard let state = StatePicture(notification.params) else { continue }
        drawing.take(state)
        predictions?.take(notification.params)
        if let predictions { drawing.news = predictions.lines }
        limit.count()
        drawing.draw(footer)
      case .message(.notification(let notification)) where notification.method == "closed": return
      case .message(.answer(let answer)):
        guard case .success(let result) = answer.result,
          let y = result["state"].flatMap(StatePicture.init)?.scrollViews.first?.offset.y, y != drawing.offset
        else { continue }
        drawing.offset = y
        drawing.draw(footer)
      case .message, .readable: continue
      case .timeout:
        guard client.unansweredCount == 0 else { continue }
        try client.send("header.get", ["header": .text(name)])
        nextAsk = steadySeconds() + askEvery
      }
    }
  } catch {
    guard isInterruption(error) else { throw error }
  }
}

// MARK: - Drawing in place

/// A drawing of a header that is replaced in place: the cursor goes up as many lines as were drawn. The rest of the terminal is not
/// touched, so earlier output stays, and so does the last frame.
struct LiveDrawing {
  var picture: StatePicture?
  /// The content offset now, if it is known better than the state knows it.
  var offset: Double?
  private let console: Console
  private let description: Value
  /// The scale of the first frame, if all others are to have it too.
  private let keepsScale: Bool
  private var scale: PhoneDrawing?
  /// The header's latest notices.
  var news: [String] = []
  private var drawn = 0

  init(_ console: Console, description: Value, keepsScale: Bool = false) {
    self.console = console
    self.description = description
    self.keepsScale = keepsScale
  }

  mutating func take(_ state: StatePicture) {
    picture = state
    offset = nil
    for notice in state.notices {
      news.append("\(shown(state.time)) \(notice.name)\(notice.count > 1 ? " ×\(notice.count)" : "")")
    }
    for duration in state.animations { news.append("\(shown(state.time)) animates \(shown(duration)) s") }
    if news.count > 50 { news.removeFirst(news.count - 50) }
  }

  mutating func draw(_ footer: [String] = []) {
    guard let picture else { return }
    let size = console.size
    if scale == nil || !keepsScale {
      scale = PhoneDrawing(description: description, state: picture, terminal: size)
    }
    let lines = (scale?.lines(picture, offset: offset, news: news, width: size.columns) ?? []) + footer
    var text = drawn == 0 ? "\u{1B}[?25l" : "\r\u{1B}[\(drawn)A"
    for line in lines { text += line + "\u{1B}[K\n" }
    // Clears lines of the previous drawing that the new one does not have.
    if lines.count < drawn { text += "\u{1B}[J" }
    drawn = lines.count
    console.print(text, terminator: "")
  }

  mutating func finish() {
    if drawn > 0 { console.print("\u{1B}[?25h", terminator: "") }
    drawn = 0
  }
}
