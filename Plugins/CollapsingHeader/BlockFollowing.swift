// SPDX-License-Identifier: MIT
//
// Drawers that move as one block (`follows = "block"`): Laws/Block.swift decides, this file applies its decisions. Heights, minimum
// heights and the points that are gone (hidden) are the drawers' own, flags and margins are the option `blocks`.

internal import CollapsingLaws
internal import HeaderPluginKit

/// The content of a record of `blocks`.
struct BlockGiven {
  var drawer: String?
  var part = BlockPart()

  /// Reads the option: the record without a name at a place is for the drawer at that place.
  static func list(_ value: Value) throws(Refusal) -> [BlockGiven] {
    var all: [BlockGiven] = []
    for var fields in try Fields.list(value, at: "blocks") {
      var given = BlockGiven()
      if fields.has("drawer") { given.drawer = try fields.text("drawer") }
      given.part.flags = Set(try fields.choices("flags"))
      given.part.marginTop = Int(try fields.number("marginTop", default: 0, in: 0...1e6))
      given.part.marginBottom = Int(try fields.number("marginBottom", default: 0, in: 0...1e6))
      given.part.fitsInset = try fields.bool("fitsInset", default: false)
      given.part.curve = try fields.curve("curve", default: .linear)
      given.part.compresses = try fields.bool("compresses", default: false)
      try fields.finish()
      all.append(given)
    }
    return all
  }
}

extension CollapsingHeader {
  /// The block with the drawers and options as they are.
  var presentBlock: Block {
    var fresh = block ?? Block()
    fresh.rules = blockRules
    fresh.rules.inset = whole(host.environment.safeAreaInset.top)
    fresh.rules.parentHeight = whole(scrollView?.frame.height ?? 0)
    fresh.parts = (0..<host.drawerCount).map { index in
      var part = given(index)?.part ?? BlockPart()
      let drawer = host.drawer(index)
      part.height = whole(drawer.maximumHeight)
      part.minimumHeight = whole(drawer.minimumHeight)
      part.isGone = drawer.isHidden
      if let old = block?.parts, old.indices.contains(index) { part.keepPlace(of: old[index]) }
      return part
    }
    return fresh
  }

  func makeBlock() {
    block = presentBlock
    changesBlock { $0.layOut() }
  }

  private func given(_ index: Int) -> BlockGiven? {
    let name = host.drawerName(index)
    if let named = blocks.first(where: { $0.drawer == name }) { return named }
    return blocks.indices.contains(index) && blocks[index].drawer == nil ? blocks[index] : nil
  }

  private func whole(_ number: Double) -> Int { Int(max(-1e6, min(1e9, number))) }

  func changesBlock(_ change: (inout Block) -> Void) {
    guard var changed = block else { return }
    changed.contentScroll = scrollView.map { $0.contentOffset.y + $0.adjustedContentInset.top } ?? 0
    change(&changed)
    let news = changed.news
    changed.news = []
    block = changed
    for new in news { tell(new) }
    drawBlock()
  }

  private func tell(_ news: BlockNews) {
    switch news {
    case .offset(let offset): Self.outputs.didMove.post([("offset", .number(Double(offset)))], in: host)
    case .rest(let from, let to, let milliseconds):
      Self.outputs.willRest.post(
        [
          ("from", .number(Double(from))), ("to", .number(Double(to))),
          ("duration", .number(Double(milliseconds) / 1000)),
        ], in: host)
    }
  }

  private func drawBlock() {
    guard let block else { return }
    for (index, part) in block.parts.enumerated() where index < host.drawerCount {
      let record = host.drawer(index)
      let height = Double(part.bottom - part.top)
      host.setCenter(
        Point(x: record.center.x, y: Double(part.top + block.offset) + height * 0.5),
        size: Size(width: record.size.width, height: height), of: index)
      guard part.compresses else { continue }
      host.setTranslation(Point(y: Double(part.translation)), of: index)
      host.setAlpha(Double(part.alpha), of: index)
    }
    if tellsProgress {
      Self.outputs.traveled.set(Double(-block.logical), in: host)
      Self.outputs.progress.set(block.total > 0 ? Double(-block.logical) / Double(block.total) : 0, in: host)
    }
    if knowsSurroundings { lookAround(edge: Double(block.offset + block.height)) }
    Self.outputs.isLifted.set(block.isLifted, in: host)
    Self.outputs.isResting.set(block.isResting, in: host)
    if block.wantsFrames { if !host.framesAreActive { host.startFrames() } } else { host.stopFrames() }
  }

  func blockFrame() { changesBlock { $0.advance(to: Double(host.time / 1000)) } }

  func offerToBlock(_ distance: Double, isFling: Bool, isLeftover: Bool) -> Double {
    let kind: BlockScroll = isFling ? .fling : .touch
    var taken = 0
    changesBlock {
      taken = isLeftover ? $0.offerLeft(whole(distance), kind) : $0.offer(whole(distance), kind)
    }
    return NestedScroll.part(Double(taken), of: distance)
  }

  /// A finger on the block itself.
  func touchBlock(_ action: String, at y: Double) {
    changesBlock {
      switch action {
      case "down": $0.touch(at: y)
      case "move": $0.drag(to: y)
      default: $0.drop(isCancelled: action == "cancel")
      }
    }
  }

  var blockFacts: [(name: String, value: Value)] {
    guard let block else { return [] }
    func number(_ number: Int) -> Value { .number(Double(number)) }
    let parts = block.parts.map { part -> Value in
      var fields: [(name: String, value: Value)] = [("top", number(part.top)), ("bottom", number(part.bottom))]
      if part.compresses {
        fields += [
          ("translationY", .number(Double(part.translation))), ("alpha", .number(Double(part.alpha))),
          ("clip", part.clip.map { .list([number($0.top), number($0.bottom)]) } ?? .null),
        ]
      }
      return .record(fields)
    }
    return [
      ("offset", number(block.offset)), ("logicalOffset", number(block.logical)),
      ("bottom", number(block.offset + block.height)), ("contentTop", number(block.contentTop)),
      ("contentHeight", number(block.contentHeight)), ("total", number(block.total)), ("down", number(block.down)),
      ("downPre", number(block.downPre)), ("isLifted", .bool(block.isLifted)), ("accepted", .bool(block.accepted)),
      ("parts", .list(parts)),
    ]
  }
}
