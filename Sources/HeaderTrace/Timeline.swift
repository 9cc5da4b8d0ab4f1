// SPDX-License-Identifier: MIT
//
// A header's life as text, one character a frame: inputs above, outputs below.
//
//     time       0.0       0.2       0.4         a tick every ten frames, in seconds
//     events     [>>>>>>>>>)}D>>>>>>d            what happened in the frame; the last thing, if several
//     states     #.########.#######              # a state, * one with an animation, ! one with a notice, . none
//     navBar     00123456789999999999            0 at its lowest place of this run, 9 at its highest
//     extension  00000000000012345678            - hidden
//
// For failures of tests, for `headerctl replay` on a terminal and for people who ask what a header did. A frame has 1/60 s unless another
// duration is given; a run that does not fit the width is drawn with longer frames.

public import HeaderModel

/// Gathers inputs and outputs and draws them.
public struct Timeline: Sendable {
  private var moments: [Moment] = []

  private struct Moment: Sendable {
    var time: Double
    var event: Character?
    var state: StatePicture?
  }

  /// Creates an empty timeline.
  public init() {}

  /// The letters of events, for a legend.
  public static let legend =
    "[ begin dragging  > up  < down  = still  ) will end  ] end dragging  D d decelerating  L layout  "
    + "A appear  X disappear  O options  C call  T time  s set offset  f fling  x refused  ? other"

  /// Adds an input. Events without a time happen when the one before did.
  /// - Parameter offsetBefore: the content offset before it, for the direction of a scroll.
  public mutating func add(event: Value.Record, offsetBefore: Double?, refused: Bool = false) {
    // A step that was refused may have any time; one that is earlier than the header's is taken as that.
    let given = event["time"]?.asNumber.map { Instant(seconds: $0).seconds }
    let time = max(given ?? moments.last?.time ?? 0, moments.last?.time ?? -.infinity)
    let letter = refused ? "x" : Self.letter(for: event, before: offsetBefore)
    moments.append(Moment(time: time, event: letter))
  }

  /// Adds a state to the output.
  public mutating func add(state: StatePicture) {
    let time = Instant(seconds: state.time).seconds
    moments.append(Moment(time: max(time, moments.last?.time ?? time), state: state))
  }

  private static func letter(for event: Value.Record, before: Double?) -> Character {
    switch event["event"]?.asText.flatMap(EventName.init(rawValue:)) {
    case .willScroll, .didOverscroll:
      let y = event["delta"]?["y"]?.asNumber ?? 0
      return y > 0 ? ">" : y < 0 ? "<" : "="
    case .willFling: return "f"
    case .didScroll:
      guard let y = event["offset"]?["y"]?.asNumber, let before else { return ">" }
      return y > before ? ">" : y < before ? "<" : "="
    case .willBeginDragging: return "["
    case .willEndDragging: return ")"
    case .didEndDragging: return "]"
    case .willBeginDecelerating: return "D"
    case .didEndDecelerating: return "d"
    case .layout: return "L"
    case .willAppear, .didAppear, .didBecomeActive: return "A"
    case .willDisappear, .didDisappear: return "X"
    case .setOptions: return "O"
    case .call: return "C"
    case .advance: return "T"
    case .setContentOffset: return "s"
    default: return "?"
    }
  }

  // MARK: - Drawing

  /// The lines, without line ends; none when nothing was added.
  /// - Parameters:
  ///   - width: columns that a line may have.
  ///   - frame: seconds that a character stands for at least.
  public func lines(width: Int = 100, frame: Double = 1.0 / 60) -> [String] {
    guard let first = moments.first, let last = moments.last else { return [] }
    let names = moments.compactMap(\.state).first?.drawers.map(\.name) ?? []
    let margin = (names + ["events", "states", "time"]).map(\.count).max().map { $0 + 2 } ?? 8
    let columns = max(10, width - margin)
    let span = last.time - first.time
    let step = max(frame, span / Double(columns - 1))
    let cells = cells(from: first.time, step: step, count: min(columns, Int(cut: (span / step).rounded()) + 1))
    func row(_ name: String, _ letters: String) -> String {
      name + String(repeating: " ", count: margin - name.count) + letters
    }
    var lines = [row("time", Self.ruler(from: first.time, step: step, count: cells.count))]
    lines.append(row("events", String(cells.map { $0.event ?? " " })))
    lines.append(row("states", String(cells.map(\.state))))
    for (index, name) in names.enumerated() { lines.append(row(name, drawerRow(index, cells))) }
    return lines
  }

  private struct Cell {
    var event: Character?
    var state: Character = " "
    var picture: StatePicture?
  }

  private func cells(from start: Double, step: Double, count: Int) -> [Cell] {
    var cells = Array(repeating: Cell(), count: count)
    for moment in moments {
      let index = min(count - 1, Int(cut: ((moment.time - start) / step).rounded()))
      if let event = moment.event {
        cells[index].event = event
        if cells[index].state == " " { cells[index].state = "." }
      }
      guard let picture = moment.state else { continue }
      cells[index].picture = picture
      let mark: Character = !picture.notices.isEmpty ? "!" : !picture.animations.isEmpty ? "*" : "#"
      if !"!*".contains(cells[index].state) || mark == "!" { cells[index].state = mark }
    }
    return cells
  }

  private func drawerRow(_ index: Int, _ cells: [Cell]) -> String {
    let pieces = moments.compactMap { $0.state.flatMap { index < $0.drawers.count ? $0.drawers[index] : nil } }
    let tops = pieces.map(\.frame.origin.y)
    let lowest = tops.max() ?? 0
    let travel = lowest - (tops.min() ?? 0)
    var latest: Character = " "
    return String(
      cells.map { cell in
        if let piece = cell.picture.flatMap({ index < $0.drawers.count ? $0.drawers[index] : nil }) {
          // A travel that is no finite number leaves none here either.
          let fraction = travel > 0 ? (lowest - piece.frame.origin.y) / travel : 0
          latest = piece.isHidden ? "-" : Character("\(max(0, min(9, Int(cut: (fraction * 9).rounded()))))")
        }
        return latest
      })
  }

  private static func ruler(from start: Double, step: Double, count: Int) -> String {
    var line = ""
    // Times of publishers have any origin; one that reaches to the next tick takes its place.
    for column in stride(from: 0, to: count, by: 10) where column == 0 || line.count < column {
      let hundredths = Int(cut: ((start + Double(column) * step) * 100).rounded())
      let (seconds, rest) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
      line += String(repeating: " ", count: column - line.count)
      line += "\(hundredths < 0 ? "-" : "")\(seconds).\(rest / 10)\(rest % 10)"
    }
    return String((line + String(repeating: " ", count: count)).prefix(count))
  }
}
