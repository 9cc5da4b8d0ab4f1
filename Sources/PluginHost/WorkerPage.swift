// SPDX-License-Identifier: MIT
//
// A worker's activity, in numbers on a page that the daemon reads while the worker runs and after it has died:
//
//     0  the running call into a plugin (PluginHost marks it), 0 for none
//     1  the number of the outermost call
//     2  how many orders were begun
//     3  the header of the order under way, and 4 which of its orders it is
//     5  how many delegates the header has, and from 6 on which objects they are
//   224  how much each plugin was called, in the order of their files (PluginUsage)

public import HeaderModel
public import Posix

extension SharedPage {
  private static let firstDelegate = 6
  private static let firstUsage = 224
  /// Plugins whose calls are shown; a chain has hardly more.
  private static let maxUsages = (count - firstUsage) / PluginUsage.numberCount

  // MARK: - The worker

  /// Marks the beginning of an order.
  public func begin(_ header: UInt32, _ order: Int) {
    self[3] = UInt(header)
    self[4] = UInt(truncatingIfNeeded: order)
    self[2] = self[2] &+ 1
  }

  /// The delegates of its header, by their objects.
  public func show(_ delegates: [UInt]) {
    let count = min(delegates.count, Self.firstUsage - Self.firstDelegate)
    for place in 0..<count { self[Self.firstDelegate + place] = delegates[place] }
    self[5] = UInt(count)
  }

  /// How much plugins were called, in the order of their files.
  public func showCalls(_ usages: [PluginUsage]) {
    for (index, usage) in usages.prefix(Self.maxUsages).enumerated() {
      let place = Self.firstUsage + index * PluginUsage.numberCount
      guard self[place] != UInt(usage.calls) else { continue }
      for number in 0..<PluginUsage.numberCount { self[place + number] = UInt(usage.number(number)) }
    }
  }

  // MARK: - The daemon

  /// How much one of the plugins was called, by its place in their order.
  public func usage(_ index: Int) -> (calls: Int, samples: Histogram)? {
    guard index < Self.maxUsages else { return nil }
    let place = Self.firstUsage + index * PluginUsage.numberCount
    // The worker may have written anything; what is added up does not overflow.
    let numbers = (0..<PluginUsage.numberCount).map { Int(min(self[place + $0], Self.maxCounted)) }
    let samples = Histogram(first: PluginUsage.firstBucket, counts: Array(numbers[2...]), sum: Int64(numbers[1]))
    return (numbers[0], samples)
  }

  private static var maxCounted: UInt { 1 << 50 }

  /// How many orders were begun.
  public var ordersBegun: UInt { self[2] }

  /// What the worker is doing: for which header, which of its orders, and the place of the delegate that is running, if it is
  /// known; nil: no plugin is running. The worker may have written anything here.
  public var running: (header: UInt32, order: Int, delegate: Int?)? {
    let mark = self[0]
    guard mark != 0 else { return nil }
    let object = PluginCalls.delegate(ofMark: mark)
    let count = Int(min(self[5], UInt(Self.firstUsage - Self.firstDelegate)))
    let place = (0..<count).first { self[Self.firstDelegate + $0] == object }
    return (UInt32(truncatingIfNeeded: self[3]), Int(self[4] & 0x7fff_ffff), place)
  }
}
