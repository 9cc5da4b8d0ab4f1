// SPDX-License-Identifier: MIT
//
// The parts of a header that a delegate may change. They are saved while new code tries to take over or a new delegate to attach, and put
// back if it fails; a copy of the header begins with them.

import HeaderModel

/// The parts that a delegate may change, as of one moment.
struct HeaderCheckpoint {
  private let slots: ContiguousArray<DelegateProxy.Slot>
  private let drawers: [Drawer]
  private let elements: [Element]
  private let scrollViews: [ScrollView]
  private let environment: Environment
  private let owners: Ownership
  private let keptInStack: [Int]
  private let chain: ChainPolicy
  private let chainsOfSides: [(edge: Edge, chain: ChainPolicy)]
  private let values: [NamedValue]
  private let wants: Wants
  private let schedule: Schedule
  private let trackingScrollView: Int
  private let insetsBefore: [String: InsetsBefore]
  private let control: PositionControl?
  private let clientEvents: ContiguousArray<ClientEvent>
  private let work: PendingWork
  private let failure: HeaderError?
  private let time: Instant
  private let seq: Int64

  init(of header: Header) {
    slots = header.proxy.slots
    drawers = header.drawers.elements
    elements = header.elements.elements
    scrollViews = header.scrollViews.elements
    environment = header.environment
    owners = header.owners
    keptInStack = header.rare.keptInStack
    chain = header.chain
    chainsOfSides = header.sides.map { ($0.edge, $0.chain) }
    values = header.values
    wants = header.wants
    schedule = header.schedule
    trackingScrollView = header.trackingScrollView
    insetsBefore = header.rare.insetsBefore
    control = header.rare.control
    clientEvents = header.rare.clientEvents
    work = header.work
    failure = header.rare.failure
    time = header.now
    seq = header.state.seq
  }

  /// Whether the header has not changed since: neither its time nor its state nor its chain.
  func isNow(of header: Header) -> Bool {
    header.now == time && header.state.seq == seq && header.work.changeCount == work.changeCount
      && header.proxy.slots.elementsEqual(slots) { $0.delegate === $1.delegate }
  }

  /// Puts everything back.
  func restore(_ header: Header) {
    header.proxy.slots = slots
    restoreParts(of: header)
    if !clientEvents.isEmpty || !header.rare.clientEvents.isEmpty { header.rare.clientEvents = clientEvents }
    header.work = work
    header.rare.failure = failure
  }

  /// Puts back what states and delegates' requests are made of. Records go to where they lay: plugins may hold their addresses.
  func restoreParts(of header: Header) {
    for index in drawers.indices { header.drawers[index] = drawers[index] }
    for index in elements.indices { header.elements[index] = elements[index] }
    for index in scrollViews.indices { header.scrollViews[index] = scrollViews[index] }
    header.environment = environment
    header.rare.keptInStack = keptInStack
    header.owners = owners
    header.chain = chain
    // The sides of a copy may stand in another order.
    for (edge, chain) in chainsOfSides { header.sides.first { $0.edge == edge }?.chain = chain }
    header.trackingScrollView = trackingScrollView
    header.updateLenses()
    header.values = values
    header.wants = wants
    header.schedule = schedule
    if !insetsBefore.isEmpty || !header.rare.insetsBefore.isEmpty { header.rare.insetsBefore = insetsBefore }
    if control != nil || header.rare.control != nil {
      header.rare.control = control
      PositionController(header).updateFlags()
    }
  }
}
