// SPDX-License-Identifier: MIT
//
// The status bar shifter: when the header slides over the status bar, a picture of the bar slides along with it and the real one is asked
// to be hidden. A picture is only good as long as the minute lasts and the header keeps its width; then it is invalid and the real bar is
// asked for directly, until all of the header is back.
//
//     real ──shift > 0──▶ snapshot ──minute over, width changed──▶ invalid
//       ▲                    │                                        │
//       └────── shift = 0 ───┴────────────────── shift = 0 ───────────┘

internal import HeaderPluginKit

/// The picture in the place of the status bar.
enum StatusBarState: String, CaseIterable {
  case real, snapshot, invalidSnapshot
}

struct StatusBarShifter {
  var isEnabled = false
  var takesSnapshots = true
  /// The bar's height before anything was done to it. Points.
  var originalHeight = 0.0
  var state = StatusBarState.real
  var hidesWhileInvalid = false
  var prefersHidden = false
  var orientationIsChanging = false
  /// The header's width when the snapshot was taken. Points.
  var snapshotWidth = 0.0
  /// Header time, nanoseconds.
  var snapshotTime: Int64 = 0
  /// The snapshot's lifetime in seconds.
  var snapshotLifetime = 0.0
}

extension FlexibleHeader {
  /// The token of the only timer.
  static let snapshotTimer: UInt64 = 1
  private static let barDuration = 0.2

  /// The height of the status bar as it is now: 0 while it is hidden.
  var statusBarHeight: Double {
    let environment = host.environment
    return environment.statusBarHidden ? 0 : environment.statusBarHeight
  }

  /// The bar is as wide as the screen, which the scroll view fills.
  private var statusBarWidth: Double {
    guard !host.environment.statusBarHidden, host.scrollViewCount > 0 else { return 0 }
    return host.scrollView(tracking ?? 0).frame.width
  }

  /// The header enters or leaves a window.
  func changeWindow() {
    statusBarWasHidden = nil
    shifter.originalHeight = statusBarHeight
  }

  func statusBarDidChangeFrame() {
    if statusBarHeight != 0 { shifter.originalHeight = statusBarHeight }
  }

  /// The header has shifted by that many points.
  func moveStatusBar(to offset: Double) {
    let height = min(statusBarWidth, statusBarHeight)
    guard height == shifter.originalHeight || shifter.state != .real else { return }
    let y = min(shifter.originalHeight, offset)
    guard y > 0 else { return attempt(.real) }
    shifter.hidesWhileInvalid = y >= shifter.originalHeight
    if shifter.state == .invalidSnapshot {
      host.animate(duration: Self.barDuration, .easeInOut)
      setPrefersHidden(shifter.hidesWhileInvalid)
    } else {
      attempt(.snapshot)
    }
  }

  func setShifterEnabled() {
    let isEnabled = hidesStatusBar && hintCanOverlap
    guard isEnabled != shifter.isEnabled else { return }
    shifter.isEnabled = isEnabled
    guard !isEnabled else { return }
    host.animate(duration: Self.barDuration, .easeInOut)
    attempt(.real)
  }

  /// The picture is no good any more.
  func invalidateSnapshot() {
    host.animate(duration: Self.barDuration, .easeInOut)
    attempt(.invalidSnapshot)
  }

  /// Goes to another state where that is allowed.
  private func attempt(_ wanted: StatusBarState) {
    let present = shifter.state
    var next = wanted
    if next == present {
      if present == .snapshot, snapshotIsStale { invalidateSnapshot() }
      return
    }
    if present == .invalidSnapshot, next == .snapshot { return }
    if present == .real, next == .invalidSnapshot { return }
    if present == .real, !shifter.isEnabled { return }
    if present == .real, next == .snapshot, !shifter.takesSnapshots { next = .invalidSnapshot }
    if shifter.orientationIsChanging, next == .snapshot { next = .invalidSnapshot }
    host.cancelTimer(Self.snapshotTimer)
    shifter.state = next
    switch next {
    case .real: setPrefersHidden(false)
    case .invalidSnapshot: setPrefersHidden(shifter.hidesWhileInvalid)
    case .snapshot:
      takeSnapshot()
      setPrefersHidden(true)
    }
  }

  private var snapshotIsStale: Bool {
    if header.size.width != shifter.snapshotWidth { return true }
    let age = host.time.subtractingReportingOverflow(shifter.snapshotTime)
    return age.overflow || Double(age.partialValue) / 1e9 > shifter.snapshotLifetime
  }

  private func takeSnapshot() {
    shifter.snapshotWidth = header.size.width
    shifter.snapshotTime = host.time
    let start = max(0, host.environment.clockSecondOfMinute)
    let second = (start + Double(host.time) / 1e9).truncatingRemainder(dividingBy: 60)
    shifter.snapshotLifetime = max(3, 60 - second.rounded(.down))
    host.startTimer(Self.snapshotTimer, after: shifter.snapshotLifetime)
  }

  /// Asks for the status bar. The host may obey before it returns; whatever that does to the offset is undone.
  private func setPrefersHidden(_ hidden: Bool) {
    guard hidden != shifter.prefersHidden else { return }
    shifter.prefersHidden = hidden
    statusBarIsChanging = true
    let offset = view?.contentOffset ?? Point()
    Self.outputs.needsStatusBarAppearanceUpdate.post(in: host)
    isWishing = true
    wish { $0.prefersStatusBarHidden = hidden }
    isWishing = false
    enforce(tracking)
    setOffset(offset)
    statusBarIsChanging = false
  }
}
