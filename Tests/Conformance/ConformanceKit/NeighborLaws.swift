// SPDX-License-Identifier: MIT
//
// The neighbors' laws, one for each rule of the sources that LAWS.md of CollapsingHeader and Tests/Conformance/Laws name, and where each is in
// CollapsingHeader. The page NEIGHBORS.md has them as tables.

/// A law of a neighbor's.
struct NeighborLaw: Sendable {
  /// Where it is.
  enum Place: Sendable {
    /// The preset has it as it is.
    case preset
    /// With options beside the preset.
    case option(String)
    /// It is in what the publisher tells: the adapter does it as the neighbor's host would.
    case publisher(String)
    /// Not at all, and why.
    case leftOut(String)

    var text: String {
      switch self {
      case .preset: "in the preset"
      case .option(let names): "by \(names)"
      case .publisher(let words): "by the publisher: \(words)"
      case .leftOut(let reason): "left out: \(reason)"
      }
    }
  }

  var text: String
  var place: Place

  init(_ text: String, _ place: Place = .preset) {
    self.text = text
    self.place = place
  }

  /// The laws by system, in the order of the folders.
  static let all: [(system: String, laws: [NeighborLaw])] = [
    (
      "am-scrolling-navbar",
      [
        .init("State by the bar's place; alpha 1 less the share of its way that is gone"),
        .init("The bar goes further than off its edge (additionalOffset)", .option("`beyond` in the drawer's law")),
        .init(
          "A pan's translation, by the speed factor", .option("`movementFactor`; the publisher offers what it grew by")),
        .init(
          "The delay: both directions use it up, what uses it up counts whole; renewed at an end and by a release",
          .option("`delay`")),
        .init(
          "Not beyond the content's ends; followers between bar and content count to its top",
          .option("`bounce`, `between`")),
        .init(
          "Content that fits does not move the bar, unless it may (scrollWhenContentFits)", .option("`shortContent`")),
        .init(
          "The content is held still where it is not under the bar, but not by a snap",
          .option("`content`, `holdsContent`")),
        .init(
          "The content's inset, and its indicators', follow (shouldUpdateContentInset)", .option("`insets` = \"along\"")
        ),
        .init(
          "The snap: nearer end, half-way shown, a part of the way in its part of the time, told also where it leads nowhere"
        ),
        .init(
          "willChangeState when the state differs from that of the last scroll, twice with a snap; didChangeState at its end"
        ),
        .init("hideNavbar, showNavbar: from one end only, by height and edge, with the content moved by the height"),
        .init("scrollToTop, asked for at the end of a show's animation", .option("`topMargin`, `between`")),
        .init("Active again: shown if it is collapsed (expandOnActive)", .option("`onActive`")),
        .init(
          "Active again without expandOnActive: hidden if it was collapsed",
          .leftOut("it is collapsed then, nothing happens")),
        .init("A show begins the pan's translation anew", .publisher("offers are differences")),
        .init("Followers move and fade with the bar", .leftOut("drawers of other headers, which follow by `follow`")),
        .init("The top view's frame", .leftOut("the application's; it hangs on the header's edge")),
        .init("Interaction and gesture are switched", .leftOut("views and recognizers are the application's")),
      ]
    ),
    (
      "app-bar-layout",
      [
        .init("Scroll range, down ranges, and their flags", .option("`blocks`")),
        .init("preScroll and nestedScroll in whole pixels; a movement outside the range takes nothing"),
        .init("Snaps to the nearer end of a child, with margins", .option("`blocks`")),
        .init("setExpanded, animated or not; layouts keep what was seen", .option("the call `expand`")),
        .init("Insets, padding, lift on scroll, overlap", .option("`block`")),
        .init("Interpolators and the compress effect", .option("`blocks`")),
        .init("A finger on the bar itself", .option("the call `touch`")),
        .init("A child's minimum height above its height", .leftOut("a drawer's description refuses it")),
      ]
    ),
    (
      "browser-controls",
      [
        .init("Both bars share one normalized ratio; the top bar leads where there is one; single precision"),
        .init("Baseline: beyond whole is forgotten, beyond hidden has to be undone"),
        .init(
          "A release completes the move by thresholds, else by the direction",
          .option("`showThreshold`, `hideThreshold`")),
        .init("At the page's top nothing is left for the page before the bars are whole, sideways neither"),
        .init(
          "What is left for the page, also more than it was scrolled by where bars catch up, or of the other sign where they turn"
        ),
        .init("The page is scrolled back by what an animation moves the edge"),
        .init(
          "smoothScroll: a frame's part of the way at most, the rest in later frames",
          .option("`smoothsScroll`, `frameInterval`")),
        .init("snapAnimation: a whole show or hide by distance and velocity of samples", .option("`playsWhole`")),
        .init("onlyExpandTopControlsAtPageTop", .option("`showsAtTopOnly`")),
        .init(
          "updateState: constraints and goals, animated or not; shown after the scroll", .option("the call `hold`")),
        .init(
          "setParams: heights that change, in time or at once; minimum heights on their way",
          .option("`animatesHeights`, `heightChangeCancels`")),
        .init("Pinches", .option("the call `pinch`")),
        .init("Ratios told by the host, cut to their range or not", .option("the call `setRatios`, `cutsToRange`")),
        .init("predictViewportBoundsDelta", .option("the call `predict`")),
        .init("An animation begins with its first frame, however late that is"),
        .init(
          "A frame with an earlier time than the one before",
          .leftOut("a header's time does not go back: it is a frame of the present time")),
        .init("Commits and redraws", .leftOut("the compositor's own bookkeeping")),
      ]
    ),
    (
      "compose-top-app-bar",
      [
        .init("Pinned, enterAlways, exitUntilCollapsed: pre-scroll, post-scroll, what is consumed"),
        .init("A fling is carried on, then the bar settles", .option("`carriesFling`, `rest`")),
        .init("A finger on the bar, other limits, canScroll", .option("the call `drag`, layouts, `enabled`")),
        .init("The limit before the bar is measured", .leftOut("a drawer's height is a length")),
        .init("The speed that a settle hands back", .leftOut("the fling and its curve are the publisher's")),
      ]
    ),
    (
      "flutter-sliver-header",
      [
        .init("Scrolling, pinned, floating, floating and pinned: child and geometry, also with a minimum of 0"),
        .init("Other content before the header, with which nothing stretches", .option("`start`")),
        .init("Overscroll, stretch and its trigger, on which it lies with each layout", .option("`stretch`")),
        .init("A floating header comes back with a finger, or after a scroll that started forward"),
        .init("The effective offset: at most the scroll offset, beyond the header's extent for one layout"),
        .init(
          "Snap: shown after a movement forward, hidden after any other and none, also from an end; the first frame is its beginning"
        ),
        .init("A scroll that starts stops a snap, a scroll does not"),
        .init(
          "A second scrollEnd while a snap runs begins another", .leftOut("there is no end without a start between")),
      ]
    ),
    (
      "gt-scroll-bar",
      [
        .init("By the distance since the last place, but for one point that stays"),
        .init("Content that is not longer by two bars moves nothing, and is not noted"),
        .init("A bounce: ignored while the bar is whole, counted again and again while it is not"),
        .init("A release goes on in the last direction, animated; failed, or without any movement, it is a movement"),
        .init("Subviews fade but the first, the hidden and the clear; by a place only"),
        .init("A status bar of 40 counts as 20; one that is taller than the bar leaves it on the screen"),
        .init("An alpha beyond 1 below such a bar", .leftOut("1 is all that is seen of it")),
        .init(
          "Reset: another scroll view, rotation, active again, by call", .option("the call `reset`; in the preset")),
        .init(
          "The scroll view's parent moves with the bar", .leftOut("the application's; it hangs on the header's edge")),
      ]
    ),
    (
      "headroom-js",
      [
        .init("Looks in whole pixels, halves up; no movement is up; out of bounds is ignored but remembered"),
        .init(
          "Tolerance and offset for each direction; a side of a pair that is missing is never exceeded, never reached",
          .option("`lookTolerance`, `topZone`")),
        .init("Top, bottom, pin and unpin, in this order, each once"),
        .init(
          "Names of classes, several for one state, some shared by two: what has lost a name is not in that state",
          .option("`marks`")),
        .init(
          "pin and unpin by call, also frozen; freeze and unfreeze",
          .option("the calls `show`, `hide`, `freeze`, `unfreeze`")),
        .init(
          "destroy takes all classes away and leaves it frozen; init after that",
          .option("the call `forget`, `willAppear`")),
        .init(
          "The first look 100 ms after init, the others in the frame after a scroll", .publisher("didAppear, didScroll")
        ),
        .init("A window or an element as scroller", .publisher("any scroll view")),
      ]
    ),
    (
      "react-headroom",
      [
        .init("The decision, in its nine steps", .option("`lookTolerance`, `topZone`, `holds`, `enabled`")),
        .init("The first look counts from the page's top, wherever the page is"),
        .init("unfix is seen at once, and stands a moment later, also where it was unpinned meanwhile"),
        .init(
          "disable puts it back at once, tells it if it was away, and stops looks; what was looked at is remembered"),
        .init("pin by option counts with the next frame", .publisher("a didScroll after setOptions")),
        .init("Height by measuring, on a resize in a frame, in the order asked", .publisher("a layout of the drawer")),
        .init("A header that is away stays away whole when its height changes"),
        .init("Looks in frames, listening, unmount", .publisher("didScroll")),
        .init("A window or an element as parent", .publisher("any scroll view")),
      ]
    ),
  ]
}
