// SPDX-License-Identifier: MIT

import HeaderModel
import Testing

@Suite struct EdgeLensTests {
  /// Behaviors know the surroundings of the top. At another edge what is safe there is like the hardware's, and no status bar is hidden.
  @Test(arguments: [(Edge.bottom, 34.0), (.leading, 10), (.trailing, 20)])
  func `the safe area at an edge is its status bar`(_ edge: Edge, _ inset: Double) {
    var real = Environment()
    real.safeAreaInset = Insets(top: 44, left: 10, bottom: 34, right: 20)
    (real.statusBarHeight, real.statusBarHidden) = (44, true)
    let lens = EdgeLens(edge, in: Point(x: 375, y: 667), .leftToRight, keyboardHeight: 0)
    let seen = lens.environment(real)
    #expect(seen.safeAreaInset.top == inset && seen.statusBarHeight == inset)
    #expect(seen.deviceHasHardwareSafeArea && !seen.statusBarHidden)
  }
}
