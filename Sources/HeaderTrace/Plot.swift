// SPDX-License-Identifier: MIT
//
// A recording as a picture: the content offset and the drawers' lower edges over time, below them what behaviors tell as numbers,
// and marks where something was told or animated. The same recording makes the same bytes.
//
//     points  ┌───────────────────────────┐   offset, navBar, extension
//             └───────────────────────────┘
//     values  ┌───────────────────────────┐   progress, …: one panel for those between 0 and 1, one for all others
//             └───────────────────────────┘
//             0 s         1 s         2 s

public import HeaderCore

/// Gathers what happened and draws it as SVG.
public struct Plot: Sendable {
  /// One line: a name and its points.
  private struct Series: Sendable {
    var name: String
    var points: [(time: Double, value: Double)] = []
  }

  private var points: [Series] = []
  private var shares: [Series] = []
  private var numbers: [Series] = []
  private var marks: [(time: Double, text: String)] = []
  private let title: String

  /// Nothing has happened yet.
  public init(title: String) { self.title = title }

  /// Draws a whole recording.
  /// - Throws: what `Replay` throws.
  public init(_ recording: Recording, provider: any BehaviorProvider) throws(RecordingError) {
    var replay = try Replay(recording, provider: provider)
    self.init(title: recording.title ?? "\(replay.description.header)")
    while let outcome = try replay.step() {
      if let y = outcome.step.event["offset"]?["y"]?.asNumber, let time = outcome.step.time {
        Self.add("offset", time, y, to: &points)
      }
      for state in outcome.states.compactMap(StatePicture.init) { add(state) }
    }
  }

  /// Adds a state.
  public mutating func add(_ state: StatePicture) {
    for drawer in state.drawers {
      let edge = drawer.isHidden ? 0 : max(0, drawer.frame.origin.y + drawer.frame.size.height)
      Self.add(drawer.name, state.time, edge, to: &points)
    }
    for field in state.values.fields {
      guard let number = field.value.asNumber else { continue }
      let isShare = field.name.lowercased().hasSuffix("progress") || field.name.lowercased().hasSuffix("percentage")
      if isShare {
        Self.add(field.name, state.time, number, to: &shares)
      } else {
        Self.add(field.name, state.time, number, to: &numbers)
      }
    }
    for notice in state.notices { marks.append((state.time, notice.name)) }
    for duration in state.animations { marks.append((state.time, "animates \(decimal(duration)) s")) }
  }

  private static func add(_ name: String, _ time: Double, _ value: Double, to series: inout [Series]) {
    guard time.isFinite, value.isFinite else { return }
    if let index = series.firstIndex(where: { $0.name == name }) {
      series[index].points.append((time, value))
    } else {
      series.append(Series(name: name, points: [(time, value)]))
    }
  }

  // MARK: - Drawing

  private static let width = 960.0
  private static let left = 64.0
  private static let right = 160.0
  private static let colors = [
    "#1a73e8", "#d93025", "#188038", "#b06000", "#8430ce", "#00838f", "#c2185b", "#5f6368",
  ]

  /// The picture, a whole SVG document; nil when nothing was added.
  public var svg: String? {
    let panels = [("points", points), ("share", shares), ("value", numbers)].filter { !$0.1.isEmpty }
    let times = panels.flatMap { $0.1 }.flatMap(\.points).map(\.time)
    guard let first = times.min(), let last = times.max() else { return nil }
    let span = (first, max(last, first + 0.1))
    var body = ""
    var top = 40.0
    for (unit, series) in panels {
      let height = unit == "points" ? 280.0 : 130.0
      body += panel(series, unit, top: top, height: height, span)
      top += height + 28
    }
    body += timeAxis(top: 40, bottom: top - 28, span) + markLines(top: 40, bottom: top - 28, span)
    let size = "width=\"\(decimal(Self.width))\" height=\"\(decimal(top + 16))\""
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" \(size) "
      + "viewBox=\"0 0 \(decimal(Self.width)) \(decimal(top + 16))\" font-family=\"sans-serif\" font-size=\"11\">\n"
      + "<title>\(escaped(title))</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
      + text(escaped(title), x: Self.left, y: 22, "font-size=\"14\" fill=\"#202124\"") + body + "</svg>\n"
  }

  private func place(_ time: Double, _ span: (Double, Double)) -> Double {
    Self.left + (time - span.0) / (span.1 - span.0) * (Self.width - Self.left - Self.right)
  }

  private func panel(
    _ series: [Series], _ unit: String, top: Double, height: Double, _ span: (Double, Double)
  ) -> String {
    let values = series.flatMap(\.points).map(\.value)
    var (low, high) = unit == "share" ? (0, 1) : (values.min() ?? 0, values.max() ?? 1)
    (low, high) = (min(low, values.min() ?? low), max(high, values.max() ?? high))
    if high - low < 1e-9 { (low, high) = (low - 1, high + 1) }
    func y(_ value: Double) -> Double { top + height - (value - low) / (high - low) * height }
    var drawn =
      "<rect x=\"\(decimal(Self.left))\" y=\"\(decimal(top))\" "
      + "width=\"\(decimal(Self.width - Self.left - Self.right))\" height=\"\(decimal(height))\" fill=\"none\" "
      + "stroke=\"#dadce0\"/>\n"
    for tick in ticks(low, high) {
      drawn +=
        line(Self.left, y(tick), Self.width - Self.right, y(tick), "stroke=\"#e8eaed\"")
        + text(decimal(tick), x: Self.left - 6, y: y(tick) + 4, "text-anchor=\"end\" fill=\"#5f6368\"")
    }
    for (index, one) in series.enumerated() {
      let color = Self.colors[index % Self.colors.count]
      let name = unit == "points" ? "\(one.name) (pt)" : one.name
      drawn += "<polyline fill=\"none\" stroke=\"\(color)\" stroke-width=\"1.5\" points=\"\(path(one, y, span))\"/>\n"
      let row = top + 12 + Double(index) * 16
      drawn +=
        line(
          Self.width - Self.right + 10, row - 4, Self.width - Self.right + 26, row - 4,
          "stroke=\"\(color)\" stroke-width=\"3\"")
        + text(escaped(name), x: Self.width - Self.right + 32, y: row, "fill=\"#202124\"")
    }
    return drawn
  }

  /// A line's points. Of many in one column of the picture the first, the least, the greatest and the last are enough.
  private func path(_ series: Series, _ y: (Double) -> Double, _ span: (Double, Double)) -> String {
    var kept: [(time: Double, value: Double)] = []
    var column: [(time: Double, value: Double)] = []
    var present = Int.min
    func flush() {
      guard let first = column.first, let last = column.last else { return }
      let extremes = [column.min { $0.value < $1.value }, column.max { $0.value < $1.value }].compactMap { $0 }
      kept.append(first)
      if column.count > 3 {
        kept += extremes.sorted { $0.time < $1.time }
      } else {
        kept += column.dropFirst().dropLast()
      }
      if column.count > 1 { kept.append(last) }
    }
    for point in series.points {
      let next = Int(cut: place(point.time, span) * 2)
      if next != present {
        flush()
        (column, present) = ([], next)
      }
      column.append(point)
    }
    flush()
    return kept.map { "\(decimal(place($0.time, span))),\(decimal(y($0.value)))" }.joined(separator: " ")
  }

  private func timeAxis(top: Double, bottom: Double, _ span: (Double, Double)) -> String {
    ticks(span.0, span.1).map { tick in
      let x = place(tick, span)
      return line(x, top, x, bottom, "stroke=\"#e8eaed\"")
        + text("\(decimal(tick)) s", x: x, y: bottom + 16, "text-anchor=\"middle\" fill=\"#5f6368\"")
    }.joined()
  }

  /// Where something was told; of many at nearly one place the first has its words.
  private func markLines(top: Double, bottom: Double, _ span: (Double, Double)) -> String {
    var drawn = ""
    var free = -Double.infinity
    for mark in marks.prefix(400) {
      let x = place(mark.time, span)
      drawn += line(x, top, x, bottom, "stroke=\"#9aa0a6\" stroke-dasharray=\"2 3\"")
      guard x >= free else { continue }
      free = x + 12
      drawn +=
        "<text transform=\"translate(\(decimal(x + 3)) \(decimal(bottom - 6))) rotate(-90)\" fill=\"#5f6368\" "
        + "font-size=\"9\">\(escaped(mark.text))</text>\n"
    }
    return drawn
  }
}

// MARK: - Pieces

/// Round numbers within a range, about five.
private func ticks(_ low: Double, _ high: Double) -> [Double] {
  let raw = (high - low) / 5
  guard raw.isFinite, raw > 0 else { return [] }
  var power = 1.0
  while power * 10 <= raw, power < 1e15 { power *= 10 }
  while power > raw, power > 1e-9 { power /= 10 }
  let step = [1, 2, 5, 10].map { $0 * power }.first { $0 >= raw } ?? raw
  let first = (low / step).rounded(.up)
  return (0...20).map { (first + Double($0)) * step }.filter { $0 <= high + step * 1e-9 }
}

private func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ style: String) -> String {
  "<line x1=\"\(decimal(x1))\" y1=\"\(decimal(y1))\" x2=\"\(decimal(x2))\" y2=\"\(decimal(y2))\" \(style)/>\n"
}

private func text(_ text: String, x: Double, y: Double, _ style: String) -> String {
  "<text x=\"\(decimal(x))\" y=\"\(decimal(y))\" \(style)>\(text)</text>\n"
}

/// A number with at most two decimals.
private func decimal(_ number: Double) -> String {
  guard abs(number) < 1e12 else { return "\(number)" }
  let rounded = (number * 100).rounded() / 100
  return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
}

private func escaped(_ text: String) -> String {
  text.map { character in
    switch character {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    case "\"": "&quot;"
    // What XML has no place for.
    case _ where character.unicodeScalars.contains { $0.value < 0x20 }: "?"
    default: String(character)
    }
  }.joined()
}
