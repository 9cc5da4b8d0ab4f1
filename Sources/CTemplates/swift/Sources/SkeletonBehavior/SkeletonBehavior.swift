// Skeleton: the header moves with the content, `speed` times as far.

internal import HeaderPluginKit

/// One instance, in one header.
final class SkeletonBehavior: Behavior {
  /// An option: points that the header moves for each point of the content.
  var speed = 1.0
  /// The offset of the content that the header has followed so far.
  private var lastOffset = 0.0

  /// The header is made: the drawers become ours, and start expanded.
  override func attach() throws(Refusal) {
    try takeDrawers()
    if let view = host.trackingScrollView { lastOffset = host.scrollView(view).contentOffset.y }
    host.expand()
  }

  private func takeDrawers() throws(Refusal) {
    guard host.drawerCount > 0 else { throw Refusal("it needs a drawer") }
    let all = 0..<host.drawerCount
    _ = try claim(all, needing: all)
  }

  /// The content moved: minus contracts the header. A drawer never goes further than its own height.
  override func didScroll(_ event: Event) {
    guard let view = event.scrollView else { return }
    let offset = host.scrollView(view).contentOffset.y
    host.move(by: (lastOffset - offset) * speed)
    lastOffset = offset
  }

  override func layout(_ event: Event) {
    if event.given.contains(.structure) { try? takeDrawers() }
  }

  // A reload hands over what the options and the header itself do not tell.

  override func save() -> Value { .number(lastOffset) }

  override func restore(_ state: Value, version: Int) throws(Refusal) {
    // Raise savedVersion when what is saved changes.
    guard version == 1 else { throw Refusal("it takes over saved states of version 1 only") }
    lastOffset = state.number ?? 0
    try takeDrawers()
  }

  /// What the behavior says about itself; the host checks options against it, `headerctl plugin info` prints it.
  static let definition = Definition(
    SkeletonBehavior.self, name: "Skeleton", summary: "Moves with the content", moves: true,
    events: [.didScroll, .layout],
    options: [
      Option(
        number: .number(
          "speed", unit: nil, default: 1, minimum: 0, maximum: 10,
          "Points that the header moves for each point of the content."), \.speed)
    ])
}

/// The one symbol that headerd looks up.
@c(header_plugin_entry) public func entry(_ major: UInt16, _ minor: UInt16) -> UnsafeRawPointer? {
  pluginTable(SkeletonBehavior.definition, version: "0.1.0", major)
}
