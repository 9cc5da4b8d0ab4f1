// SPDX-License-Identifier: MIT
//
// A behavior in Swift that takes for granted what a header need not have: it uses an index without asking how many there
// are, in each of the kit's functions that takes one.

internal import HeaderPluginKit

final class Careless: Behavior {
  var act = "nothing"
  var index = 0
  /// Another number than the default that its definition describes, which is the one in force.
  fileprivate var step = 0.0
  private var read = 0.0

  override func attach() throws(Refusal) {
    if act == "hang on" { try host.claim(0) }
  }

  override func didScroll(_ event: Event) {
    perform()
    Self.total.set(read, in: host)
  }

  override func afterEvent(_ token: UInt64) { fail("it gives up at \(index)") }

  private func perform() {
    switch act {
    case "read drawer": read += host.drawer(index).size.height
    case "read scroll view": read += host.scrollView(index).contentSize.height
    case "read option": read += step
    case "read element": read += host.look(index).alpha
    case "write offset": host.setContentOffset(Point(), of: index)
    case "write inset": host.setContentInset(Insets(), of: index)
    case "move silently": host.moveSilently(to: Point(), index)
    case "write frame": host.setFrame(Rect(), of: index)
    case "move": host.move(index, to: Point())
    case "move chain": host.move(from: index, by: 1)
    case "expand": host.expand(from: index)
    case "contract": host.contract(from: index)
    case "make sticky": host.setSticky(true, index)
    case "fade": host.setFade(.drawer, index)
    case "hide": host.setHidden(true, index)
    case "write look": host.set(Look(center: Point(), bounds: Rect()), of: index)
    case "hang on": hang(on: index)
    case "give up": fail("it gives up at \(index)")
    case "give up later": host.afterEvent(1)
    case "ask center": read += host.expandedCenter(of: index).y + host.contractedCenter(of: index).y
    case "ask name": read += Double((host.drawerName(index) + host.scrollViewName(index)).utf8.count)
    default: break
    }
  }

  private func hang(on view: Int) {
    var chain = host.chain
    chain.tail = view
    host.chain = chain
  }
}

extension Careless {
  static let (definition, total) = Definition(
    Careless.self, name: "Careless", summary: "Uses an index that nothing has", moves: false, events: [.didScroll],
    options: [
      Option(.text("act", default: "nothing", "What it does in didScroll")) {
        (careless, value) throws(Refusal) in careless.act = value.text ?? ""
      },
      Option(.integer("index", default: 0, minimum: -9_000_000_000, maximum: 9_000_000_000, "With which index")) {
        (careless, value) throws(Refusal) in careless.index = Int(value.number ?? 0)
      },
      Option(number: .number("step", unit: nil, default: 2, "What \"read option\" reads"), \.step),
    ]
  ).publishing { $0.value("read", initial: 0, "The sum of what it read") }
}

/// The plugin's one symbol.
@c(header_plugin_entry) public func entry(_ major: UInt16, _ minor: UInt16) -> UnsafeRawPointer? {
  pluginTable(Careless.definition, version: "0.1.0", summary: "Asks for what is not there", major)
}
