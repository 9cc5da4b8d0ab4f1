// SPDX-License-Identifier: MIT
//
// New code for a delegate while the header lives (plugin reload), in two steps, so that the delegates of many headers are exchanged all
// or none:
//
//     prepareReload ─▶ the new instance has its options and what the old one saved; the header is as before
//         │ commit: apply(.reloadDelegate, prepared:) ─▶ the new instance is in the chain, the old one detached; settle
//         │ drop  : the new instance is detached and destroyed
//
// The new instance's changes to the header are kept in a checkpoint, undone, and done again by the commit. The header's look does not
// jump by a reload.

import HeaderModel

/// A delegate with new code that has taken over the old one's saved state, and is not in the chain yet.
///
/// Dropped without being committed, its instance is detached and destroyed, and the header stays as it is.
public final class PreparedDelegate {
  fileprivate let header: Header
  fileprivate let index: Int
  fileprivate let fresh: ScrollDelegate
  /// The header before and after the new instance has taken over; nil once committed.
  fileprivate var takeover: (before: HeaderCheckpoint, after: HeaderCheckpoint)?

  fileprivate init(
    _ header: Header, _ index: Int, _ fresh: ScrollDelegate, before: HeaderCheckpoint, after: HeaderCheckpoint
  ) {
    self.header = header
    self.index = index
    self.fresh = fresh
    takeover = (before, after)
  }

  /// Whether it can be put in place of a delegate of a header: nothing has changed since it was prepared.
  func isCurrent(for name: String, in header: Header) -> Bool {
    header === self.header && header.proxy.index(named: name) == index && takeover?.before.isNow(of: header) == true
  }

  deinit { if takeover != nil { fresh.detach(from: header) } }
}

extension ChainEditor {
  /// Lets new code take over a delegate, with the state that the old code saved. A bypassed delegate has no state to hand over: its
  /// successor starts anew.
  ///
  /// - Throws: `pluginRefused` when the new code does not take the options or the saved state; the old one then stays as if nothing had
  ///   been tried.
  func replace(
    at index: Int, with fresh: ScrollDelegate, emit: (borrowing HeaderState) -> Void
  ) throws(HeaderError) {
    header.rare.failure = nil
    commit(try prepare(fresh, at: index), emit)
  }

  /// Lets new code take over a delegate, and then undoes its changes to the header.
  func prepare(_ fresh: ScrollDelegate, at index: Int) throws(HeaderError) -> PreparedDelegate {
    let before = HeaderCheckpoint(of: header)
    defer { before.restore(header) }
    header.rare.failure = nil
    let old = proxy.slots[index].delegate
    // The new delegate repeats the old one's claims and requests, but for drawers.
    header.work.followers.remove(index)
    header.owners.releaseElements(of: index)
    do {
      try takeOver(index, fresh)
    } catch {
      var refusal = error
      refusal.name = .pluginRefused
      refusal.message = "header \"\(header.name)\" keeps the old \(old.behavior.name): \(error.message)"
      throw refusal
    }
    return PreparedDelegate(header, index, fresh, before: before, after: HeaderCheckpoint(of: header))
  }

  /// Puts a prepared delegate into the chain.
  func commit(_ prepared: PreparedDelegate, _ emit: (borrowing HeaderState) -> Void) {
    let old = proxy.slots[prepared.index]
    prepared.takeover?.after.restore(header)
    prepared.takeover = nil
    old.delegate.detach(from: header)
    header.description.delegates[prepared.index].behavior = prepared.fresh.behavior.name
    header.rebuildState(keepingPositions: true)
    // New code alone is no change: a notice repeated after it is routine as it would have been.
    if old.isBypassed || header.work.structureChanged { header.changed() }
    PositionController(header).hasNewCode(prepared.index, startsAnew: old.isBypassed)
    header.finishEvent()
    header.settle(emit)
  }

  private func takeOver(_ index: Int, _ fresh: ScrollDelegate) throws(HeaderError) {
    let old = proxy.slots[index]
    let path = Path("delegates")[index]
    let options = header.description.delegates[index].options
    _ = try fresh.behavior.options.checked(options, at: path + "options")
    var saved: SavedState?
    if !old.isBypassed {
      saved = try proxy.answering(for: old.delegate, at: path) { () throws(DelegateFailure) in
        try old.delegate.save(in: header)
      }
    }
    fresh.index = Int32(index)
    fresh.side = old.delegate.side
    try setAllOptions(options, of: fresh, at: path + "options")
    var slot = DelegateProxy.Slot(fresh)
    slot.isActive = true
    for (number, notice) in fresh.behavior.notices.enumerated() {
      guard let before = old.delegate.behavior.notices.firstIndex(of: notice) else { continue }
      slot.noticePostedAt[number] = old.noticePostedAt[before]
    }
    proxy.slots[index] = slot
    proxy.updateResponds(of: index)
    try replaceValues(of: index, old.delegate.behavior, fresh.behavior, at: path)
    try proxy.answering(for: fresh, at: path) { () throws(DelegateFailure) in
      if let saved { try fresh.restore(saved, in: header) } else { try fresh.attach(to: header) }
    }
    proxy.updateResponds(of: index)
  }

  /// The values of a delegate after its behavior's list may have changed: those that still exist keep their contents.
  private func replaceValues(
    of index: Int, _ old: BehaviorDescription, _ new: BehaviorDescription, at path: Path
  ) throws(HeaderError) {
    let mine = header.values.filter { $0.delegate == Int32(index) }
    let fresh = new.values.map { value in
      let before = old.values.firstIndex { $0.name == value.name && $0.type == value.type }
      return NamedValue(delegate: Int32(index), content: before.map { mine[$0].content } ?? value.initial)
    }
    let place = header.values.firstIndex { $0.delegate >= Int32(index) } ?? header.values.count
    header.values.removeAll { $0.delegate == Int32(index) }
    header.values.insert(contentsOf: fresh, at: place)
    proxy.rebuildValuePlaces()
  }
}
