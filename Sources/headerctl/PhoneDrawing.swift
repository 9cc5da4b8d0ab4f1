// SPDX-License-Identifier: MIT
//
// A header as text: the upper part of a screen with its status bar, the drawers with their names and heights, the content gliding under
// them, and beside it the numbers of the state.
//
//     ╭──────────────────────────────╮   main  seq 58
//     │ 12:00                     ▮▮▮│   time 1.25 s
//     │▓▓▓▓▓▓▓▓▓▓ navBar 44 ▓▓▓▓▓▓▓▓▓│
//     │▒▒▒▒▒▒▒▒▒ extension 40 ▒▒▒▒▒▒▒│   navBar     y 7.5
//     │▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀│   extension  y 51.5
//     │ row 3                        │   …
//     ╰╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╯
//
// A row of text has two halves, so that an edge is drawn to half a row. Notices stay on the panel, which has as many lines as the screen,
// and every frame of a run has the same number of lines.

internal import HeaderModel
internal import HeaderTrace

struct PhoneDrawing {
  let shownHeight: Double
  let statusBarHeight: Double
  /// Rows and columns of the screen, without its frame.
  let rows: Int
  let columns: Int

  /// Chooses the scale so that a header fits twice, or the whole viewport if that is less.
  ///
  /// - Parameters:
  ///   - description: as `header.get` includes it.
  ///   - terminal: the room for the drawing.
  init(description: Value, state: StatePicture, terminal: (columns: Int, rows: Int)) {
    self.init(
      description: description, state: state, columns: max(16, min(38, terminal.columns - 34)),
      rows: max(8, min(24, terminal.rows - 4)))
  }

  /// The same with a screen of that many columns and rows.
  init(description: Value, state: StatePicture, columns: Int, rows: Int) {
    statusBarHeight = description["environment"]?["statusBarHeight"]?.asNumber ?? 0
    let viewport = description["scrollViews"]?.fields.first.map { Size(json: $0.value["viewport"]) } ?? Size()
    let described = (description["drawers"]?.elements ?? []).reduce(statusBarHeight) { sum, drawer in
      sum + (drawer["maximumHeight"]?.asNumber ?? drawer["height"]?.asNumber ?? 0)
    }
    let present = state.drawers.map { $0.frame.origin.y + $0.frame.size.height }.max() ?? 0
    let wanted = max(120, max(described, present) * 2)
    shownHeight = viewport.height > 0 ? min(viewport.height, wanted) : wanted
    self.rows = rows
    self.columns = columns
  }

  /// The lines of a frame, none wider than the terminal.
  ///
  /// - Parameters:
  ///   - offset: the content offset now, if it is known better than the state knows it.
  ///   - news: the last notices, newest last.
  func lines(_ state: StatePicture, offset: Double? = nil, news: [String] = [], width: Int = 80) -> [String] {
    let content = state.scrollViews.first
    let offset = offset ?? content?.offset.y ?? 0
    let panel = panel(state, offset: offset, news: news)
    return screen(state, offset: offset).enumerated().map { index, line in
      let text = index < panel.count ? panel[index] : ""
      let whole = text.isEmpty ? line : "\(line)   \(text)"
      return whole.count > width ? String(whole.prefix(max(0, width - 1))) + "…" : whole
    }
  }

  // MARK: - The screen

  /// The screen in its frame, without the panel.
  func screen(_ state: StatePicture, offset: Double) -> [String] {
    var lines = ["╭" + String(repeating: "─", count: columns) + "╮"]
    for row in 0..<rows { lines.append("│" + self.row(row, state, offset) + "│") }
    lines.append("╰" + String(repeating: "╌", count: columns) + "╯")
    return lines
  }

  /// What covers a point: drawers lie over the content, the first one over the others.
  private enum Cover: Equatable {
    case drawer(Int)
    case content
  }

  private var pointsPerRow: Double { shownHeight / Double(rows) }

  private func cover(at y: Double, _ state: StatePicture) -> Cover {
    let index = state.drawers.firstIndex { drawer in
      !drawer.isHidden && y >= drawer.frame.origin.y && y < drawer.frame.origin.y + drawer.frame.size.height
    }
    return index.map { .drawer($0) } ?? .content
  }

  private func row(_ row: Int, _ state: StatePicture, _ offset: Double) -> String {
    let top = Double(row) * pointsPerRow
    // The status bar lies over everything.
    if row == 0, statusBarHeight > 0 { return padded(" 12:00", right: "▮▮▮ ") }
    let upper = cover(at: top + pointsPerRow * 0.25, state)
    let lower = cover(at: top + pointsPerRow * 0.75, state)
    switch (upper, lower) {
    case (.content, .content): return contentRow(top, offset)
    case (.drawer, .content): return String(repeating: "▀", count: columns)
    case (.content, .drawer): return String(repeating: "▄", count: columns)
    case (.drawer(let index), .drawer): return drawerRow(index, row, state)
    }
  }

  private func drawerRow(_ index: Int, _ row: Int, _ state: StatePicture) -> String {
    let drawer = state.drawers[index]
    let fills: [Character] = ["▓", "▒", "░"]
    // An alpha that is not visible gets no colour.
    let fill = drawer.alpha < 0.05 ? "·" : fills[index % fills.count]
    let visibleTop = max(drawer.frame.origin.y, 0, index > 0 ? bottom(before: index, state) : 0)
    let visibleBottom = drawer.frame.origin.y + drawer.frame.size.height
    let middle = Int(cut: ((visibleTop + visibleBottom) / 2 / pointsPerRow).rounded(.down))
    let first = statusBarHeight > 0 ? 1 : 0
    guard row == max(first, middle) else { return String(repeating: fill, count: columns) }
    let height = shown(drawer.frame.size.height, decimals: 1)
    let faded = drawer.alpha < 1 ? " α\(shown(drawer.alpha))" : ""
    return centered(" \(drawer.name) \(height)\(faded) ", in: fill)
  }

  private func bottom(before index: Int, _ state: StatePicture) -> Double {
    state.drawers[..<index].filter { !$0.isHidden }.map { $0.frame.origin.y + $0.frame.size.height }.max() ?? 0
  }

  /// The content is a list of rows of 44 points, so that one sees it move.
  private func contentRow(_ top: Double, _ offset: Double) -> String {
    let y = top + offset
    let number = (y / 44).rounded(.down)
    guard y + pointsPerRow > 0 else { return String(repeating: " ", count: columns) }
    let begins = (y / 44).rounded(.up) * 44 < y + pointsPerRow
    if begins { return padded(" ┄ row \(Int(cut: (y / 44).rounded(.up)) + 1) ", right: "", fill: "┄") }
    return number < 0 ? String(repeating: " ", count: columns) : padded(" ", right: "")
  }

  private func padded(_ left: String, right: String, fill: Character = " ") -> String {
    let room = columns - left.count - right.count
    return room >= 0 ? left + String(repeating: fill, count: room) + right : String(left.prefix(columns))
  }

  private func centered(_ text: String, in fill: Character) -> String {
    guard text.count <= columns else { return String(text.prefix(columns)) }
    let left = (columns - text.count) / 2
    return String(repeating: fill, count: left) + text + String(repeating: fill, count: columns - text.count - left)
  }

  // MARK: - The panel

  private func panel(_ state: StatePicture, offset: Double, news: [String]) -> [String] {
    var table: [[String]] = []
    for drawer in state.drawers {
      let alpha = drawer.alpha < 1 ? "  alpha \(shown(drawer.alpha))" : ""
      table.append([drawer.name, "y \(shown(drawer.frame.origin.y))\(alpha)\(drawer.isHidden ? "  hidden" : "")"])
    }
    table.append(["offset", shown(offset)])
    if let content = state.scrollViews.first { table.append(["inset", shown(content.inset.top)]) }
    for value in state.values.fields {
      table.append([value.name, value.value.asNumber.map { shown($0) } ?? value.value.asText ?? value.value.json])
    }
    var lines = ["\(state.header)  seq \(state.seq)", "time \(shown(state.time)) s", ""]
    lines += aligned(table)
    guard !news.isEmpty, lines.count + 2 <= rows else { return Array(lines.prefix(rows + 2)) }
    lines.append("")
    lines += news.suffix(rows + 2 - lines.count)
    return lines
  }
}
