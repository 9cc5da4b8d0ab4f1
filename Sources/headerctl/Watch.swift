// SPDX-License-Identifier: MIT
//
// `headerctl watch`: a header drawn live. States say when something changed; between them the content moves without a
// state, so the present offset is asked for twenty times a second.

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

/// The live drawing under way.
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
