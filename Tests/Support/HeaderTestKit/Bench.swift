// SPDX-License-Identifier: MIT
//
// A plain header to test on, and a state as one line, so that two runs can be compared byte for byte.

public import HeaderModel

extension HeaderDescription {
  /// 320 × 480, 2000 points of content, two drawers of 44 and 40, frames run by events.
  public static var bench: HeaderDescription {
    var description = HeaderDescription(header: "main")
    description.scrollViews[0].viewport = Size(width: 320, height: 480)
    description.scrollViews[0].frame.size = Size(width: 320, height: 480)
    description.scrollViews[0].contentSize = Size(width: 320, height: 2000)
    description.drawers = [
      DrawerDescription(name: "navBar", height: 44, y: 0, width: 320),
      DrawerDescription(name: "extension", height: 40, y: 44, width: 320),
    ]
    description.frames = .events
    return description
  }
}

extension HeaderState {
  /// Everything but the epoch, on one line; equal lines mean equal states to the last bit.
  public var line: String { "\(shown) \(happened.notices) \(happened.commands) \(happened.animations)" }

  /// The same without what happened with the latest event.
  public var shown: String {
    """
    \(seq) \(time.nanoseconds) \(names.drawers) \(names.values) \(drawers) \(scrollViews) \(elements) \(values) \(wants) \
    \(trackingScrollView) \(framesActive) \(position.map { "\($0)" } ?? "")
    """
  }
}
