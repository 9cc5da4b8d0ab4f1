// SPDX-License-Identifier: MIT
//
// A recording as a picture: the content offset and the drawers' lower edges over time, below them the behaviors' numeric values, and
// marks at notices and animations. Each panel has an axis of its own: an offset of thousands of points would make the drawers' movements
// invisible. Time begins at 0. The same recording makes the same bytes.
//
//     offset  ┌───────────────────────────┐
//             └───────────────────────────┘
//     drawers ┌───────────────────────────┐   navBar, extension
//             └───────────────────────────┘
//     values  ┌───────────────────────────┐   progress, …: one panel for those between 0 and 1, one for all others
//             └───────────────────────────┘
//             0 s         1 s         2 s
//               ╎didExpand     ╎animates 0.2 s

public import HeaderCore
internal import HeaderModel

/// Gathers what happened and draws it as SVG.
public struct Plot: Sendable {
  /// One line: a name and its points.
  private struct Series: Sendable {
    var name: String
    var points: [(time: Double, value: Double)] = []
  }

  private var offsets: [Series] = []
  private var drawers: [Series] = []
  private var shares: [Series] = []
  private var numbers: [Series] = []
  private var marks: [(time: Double, text: String)] = []
  private let title: String

  /// Creates an empty plot.
  public init(title: String) { self.title = title }

  /// Draws a whole recording.
  /// - Throws: what `Replay` throws.
  public init(_ recording: Recording, provider: any BehaviorProvider) throws(RecordingError) {
    var replay = try Replay(recording, provider: provider)
    self.init(title: recording.title ?? "\(replay.description.header)")
    while let outcome = try replay.step() {
      if let y = outcome.step.event["offset"]?["y"]?.asNumber, let time = outcome.step.time {
        add(offset: y, at: time)
      }
      for state in outcome.states.compactMap(StatePicture.init) { add(state) }
    }
  }

  /// Adds where the content was when an event came.
  public mutating func add(offset: Double, at time: Double) { Self.add("offset", time, offset, to: &offsets) }

  /// Adds the places of a state's drawers at its time.
  public mutating func add(_ state: StatePicture) {
    for drawer in state.drawers {
      let edge = drawer.isHidden ? 0 : max(0, drawer.frame.origin.y + drawer.frame.size.height)
      Self.add(drawer.name, state.time, edge, to: &drawers)
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
  private static let row = 16.0
  private static let maxLanes = 6
  private static let colors = [
    "#1a73e8", "#d93025", "#188038", "#b06000", "#8430ce", "#00838f", "#c2185b", "#5f6368",
  ]

  /// The picture, a whole SVG document; nil when nothing was added.
  public var svg: String? {
    let panels = [("offset (pt)", offsets), ("drawers (pt)", drawers), ("share", shares), ("value", numbers)]
      .filter { !$0.1.isEmpty }
    let times = panels.flatMap { $0.1 }.flatMap(\.points).map(\.time)
    guard let first = times.min(), let last = times.max() else { return nil }
    let span = (first, max(last, first + 0.1))
    var body = ""
    var top = 40.0
    for (axis, series) in panels {
      // A legend that is longer makes room for itself.
      let height = max(axis.hasSuffix("(pt)") ? 200 : 130, Double(series.count) * Self.row + 16)
      body += panel(series, axis, top: top, height: height, span)
      top += height + 28
    }
    body += timeAxis(top: 40, bottom: top - 28, span)
    let (marks, bottom) = markLines(top: 40, bottom: top - 28, lanes: top + 4, span)
    body += marks
    let size = "width=\"\(decimal(Self.width))\" height=\"\(decimal(bottom))\""
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" \(size) "
      + "viewBox=\"0 0 \(decimal(Self.width)) \(decimal(bottom))\" font-family=\"sans-serif\" font-size=\"11\">\n"
      + "<title>\(escaped(title))</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
      + text(escaped(cut(title, to: 90)), x: Self.left, y: 22, "font-size=\"14\" fill=\"#202124\"") + body + "</svg>\n"
  }

  private func place(_ time: Double, _ span: (Double, Double)) -> Double {
    Self.left + (time - span.0) / (span.1 - span.0) * (Self.width - Self.left - Self.right)
  }

  private func panel(
    _ series: [Series], _ axis: String, top: Double, height: Double, _ span: (Double, Double)
  ) -> String {
    let values = series.flatMap(\.points).map(\.value)
    var (low, high) = axis == "share" ? (0, 1) : (values.min() ?? 0, values.max() ?? 1)
    (low, high) = (min(low, values.min() ?? low), max(high, values.max() ?? high))
    if high - low < 1e-9 { (low, high) = (low - 1, high + 1) }
    func y(_ value: Double) -> Double { top + height - (value - low) / (high - low) * height }
    var drawn =
      "<rect x=\"\(decimal(Self.left))\" y=\"\(decimal(top))\" "
      + "width=\"\(decimal(Self.width - Self.left - Self.right))\" height=\"\(decimal(height))\" fill=\"none\" "
      + "stroke=\"#dadce0\"/>\n"
      + "<text transform=\"translate(14 \(decimal(top + height / 2))) rotate(-90)\" text-anchor=\"middle\" "
      + "fill=\"#5f6368\">\(axis)</text>\n"
    for tick in ticks(low, high) {
      drawn +=
        line(Self.left, y(tick), Self.width - Self.right, y(tick), "stroke=\"#e8eaed\"")
        + text(decimal(tick), x: Self.left - 6, y: y(tick) + 4, "text-anchor=\"end\" fill=\"#5f6368\"")
    }
    for (index, one) in series.enumerated() {
      let color = Self.colors[index % Self.colors.count]
      drawn += "<polyline fill=\"none\" stroke=\"\(color)\" stroke-width=\"1.5\" points=\"\(path(one, y, span))\"/>\n"
      let row = top + 12 + Double(index) * Self.row
      drawn +=
        line(
          Self.width - Self.right + 10, row - 4, Self.width - Self.right + 26, row - 4,
          "stroke=\"\(color)\" stroke-width=\"3\"")
        + text(escaped(cut(one.name, to: 18)), x: Self.width - Self.right + 32, y: row, "fill=\"#202124\"")
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

  /// Seconds since the first event.
  private func timeAxis(top: Double, bottom: Double, _ span: (Double, Double)) -> String {
    ticks(0, span.1 - span.0).map { tick in
      let x = place(span.0 + tick, span)
      return line(x, top, x, bottom, "stroke=\"#e8eaed\"")
        + text("\(decimal(tick)) s", x: x, y: bottom + 16, "text-anchor=\"middle\" fill=\"#5f6368\"")
    }.joined()
  }

  /// Lines where notices came. Their words stand below the time axis, in the first lane with room; a notice without a lane has its line
  /// alone.
  /// - Returns: also where the last lane ends.
  private func markLines(top: Double, bottom: Double, lanes first: Double, _ span: (Double, Double)) -> (String, Double)
  {
    var drawn = ""
    var free: [Double] = []
    for mark in marks.prefix(400) {
      let x = place(mark.time, span)
      drawn += line(x, top, x, bottom, "stroke=\"#9aa0a6\" stroke-dasharray=\"2 3\"")
      let words = cut(mark.text, to: 24)
      let lane = free.firstIndex { $0 <= x } ?? free.count
      guard lane < Self.maxLanes else { continue }
      if lane == free.count { free.append(0) }
      free[lane] = x + Double(words.count + 1) * 6.5
      drawn += text(escaped(words), x: x, y: first + Double(lane + 1) * 12, "font-size=\"9\" fill=\"#5f6368\"")
    }
    return (drawn, first + Double(free.count) * 12 + 12)
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

/// A name that is not longer than its place.
private func cut(_ text: String, to length: Int) -> String {
  text.count > length ? "\(text.prefix(length - 1))…" : text
}

private func decimal(_ number: Double) -> String { explainedNumber(number) }

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
