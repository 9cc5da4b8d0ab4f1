// SPDX-License-Identifier: MIT
//
// The keys of one element: at which progress it has which bundle of attributes, as an index of the owner's list, since
// a bundle may belong to several keys and change later.
//
//     progress   0 ─────── 0.3 ════════ 0.7 ──────────── 1
//                nothing    a   mixed    b    b as it is         keys: 0.3 → a, 0.7 → b
//
// After BLKFlexibleHeightBar 6110292 (addLayoutAttributes:forProgress:, removeLayoutAttributesForProgress:,
// layoutSubviews).

/// Keys in the order of their progress; equal ones are allowed.
public struct LayoutTrack: Equatable, Sendable {
  /// The look at one progress.
  public struct Key: Equatable, Sendable {
    /// 0…1.
    public var progress: Double
    /// The bundle's place in the owner's list.
    public var bundle: Int

    /// A key at a progress of 0…1.
    public init(progress: Double, bundle: Int) {
      self.progress = progress
      self.bundle = bundle
    }
  }

  /// The two bundles to mix, and how far from the first to the second.
  public struct Stretch: Equatable, Sendable {
    /// The bundle of the key at or below the progress.
    public var floor: Int
    /// The bundle of the key above it.
    public var ceiling: Int
    /// 0 is the floor's, 1 the ceiling's.
    public var share: Double

    /// A stretch between two bundles.
    public init(floor: Int, ceiling: Int, share: Double) {
      (self.floor, self.ceiling, self.share) = (floor, ceiling, share)
    }
  }

  /// The keys, in ascending order of progress.
  public private(set) var keys: [Key] = []

  /// Creates a track without keys.
  public init() {}

  /// Adds a key; the progress is cut to 0…1. Keys of the same progress each get the new bundle, and one more is inserted all the same
  /// (the original's quirk, which does not change the drawing).
  public mutating func add(_ bundle: Int, at progress: Double) {
    let progress = max(0, min(1, progress))
    for index in keys.indices where keys[index].progress == progress { keys[index].bundle = bundle }
    let place = keys.firstIndex { $0.progress >= progress } ?? keys.endIndex
    keys.insert(Key(progress: progress, bundle: bundle), at: place)
  }

  /// Removes the first key of exactly this progress, which is not cut; nothing when there is none.
  public mutating func remove(at progress: Double) {
    guard let place = keys.firstIndex(where: { $0.progress == progress }) else { return }
    keys.remove(at: place)
  }

  /// The bundles to mix at a progress; nil below the first key, where an element keeps its look. From the last key on it is that key's
  /// bundle alone.
  public func stretch(at progress: Double) -> Stretch? {
    guard let last = keys.last else { return nil }
    if progress >= last.progress {
      return Stretch(
        floor: last.bundle, ceiling: last.bundle, share: Self.share(of: progress, from: last.progress, to: 1))
    }
    for index in keys.indices.dropLast() {
      let (floor, ceiling) = (keys[index], keys[index + 1])
      guard floor.progress <= progress, progress < ceiling.progress else { continue }
      return Stretch(
        floor: floor.bundle, ceiling: ceiling.bundle,
        share: Self.share(of: progress, from: floor.progress, to: ceiling.progress))
    }
    return nil
  }

  private static func share(of progress: Double, from floor: Double, to ceiling: Double) -> Double {
    (progress - floor) / (ceiling == floor ? ceiling : ceiling - floor)
  }
}
