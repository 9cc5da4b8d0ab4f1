// SPDX-License-Identifier: MIT
//
// A plain header to test on.

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
