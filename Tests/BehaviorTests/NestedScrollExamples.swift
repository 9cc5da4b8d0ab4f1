import ConformanceKit
import HeaderCore
import Testing

@Suite struct NestedScrollExamples {
  @Test func debugFH() throws {
    var finger = Finger(on: try NestedHeaders.flexible[0].open())
    print("places", finger.places, finger.offset, finger.header.drawers[0].size.height)
    for _ in 0..<6 {
      let t = try finger.offer(20)
      print(t, finger.offset, finger.header.drawers[0].size.height, finger.header.drawers[0].frame.maxY)
    }
  }
}
