// SPDX-License-Identifier: MIT
//
// Blocks where heights are zero, and where a saved state holds any number.

import CollapsingLaws
import Testing

@Suite struct BlockTests {
  private static func part(_ height: Int, marginTop: Int = 0) -> BlockPart {
    var part = BlockPart()
    part.flags = [.scroll, .snap]
    (part.height, part.marginTop) = (height, marginTop)
    return part
  }

  private static func block(_ parts: [BlockPart], inset: Int = 0) -> Block {
    var block = Block()
    (block.rules.fitsInset, block.rules.inset, block.rules.parentHeight) = (inset > 0, inset, 600)
    block.parts = parts
    block.begin(expanded: nil)
    return block
  }

  @Test func `a drawer of no height is at the edge as another layout comes`() {
    var block = Self.block([Self.part(50), Self.part(0, marginTop: 5), Self.part(50)], inset: 20)
    block.move(to: 75)
    #expect(block.parts[1].top == 75 && block.parts[1].bottom == 75)
    block.layOut()
    #expect(block.offset == -75)
  }

  @Test func `a saved state may hold any number`() {
    var block = Self.block([Self.part(60), Self.part(40)])
    block.move(to: 70)
    block.start(.touch)
    block.stop(.touch)
    block.advance(to: 1e6)
    #expect(block.isResting)
    let memory = block.memory
    for index in memory.indices {
      for number in [-1e300, -1e9, -1, 0, 1, 1e9, 1e300] {
        var (spoiled, numbers) = (block, memory)
        numbers[index] = number
        spoiled.take(memory: numbers)
        spoiled.advance(to: 2e6)
        spoiled.start(.touch)
        _ = spoiled.offer(7, .touch)
        spoiled.stop(.touch)
        spoiled.advance(to: 3e6)
        spoiled.advance(to: 4e6)
        spoiled.layOut()
        #expect((-spoiled.total...0).contains(spoiled.offset), "\(index): \(number)")
      }
    }
  }
}
