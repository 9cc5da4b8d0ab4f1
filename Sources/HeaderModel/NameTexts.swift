// SPDX-License-Identifier: MIT
//
// Names as C strings for plugins. They are stored here and not with each delegate, because a thousand headers with the same description
// share them.

/// The names of a header's drawers, elements and scroll views as C reads them: each ends with a zero, and stays where it is
/// as long as this object. Sendable, because nothing of it changes.
@safe public final class NameTexts: Sendable {
  /// Lists of names.
  public enum List: Int, Sendable {
    case drawers, elements, scrollViews
  }

  private nonisolated(unsafe) let bytes: UnsafeMutableBufferPointer<CChar>
  /// For each list, where its names begin.
  private let places: [[Int]]

  init(drawers: [String], elements: [String], scrollViews: [String]) {
    let lists = [drawers, elements, scrollViews]
    let count = lists.joined().reduce(0) { $0 + $1.utf8.count + 1 }
    let bytes = UnsafeMutableBufferPointer<CChar>.allocate(capacity: count)
    var end = 0
    places = lists.map { list in
      list.map { name in
        let start = end
        for byte in name.utf8 {
          unsafe bytes.initializeElement(at: end, to: CChar(bitPattern: byte))
          end += 1
        }
        unsafe bytes.initializeElement(at: end, to: 0)
        end += 1
        return start
      }
    }
    unsafe self.bytes = bytes
  }

  deinit { unsafe bytes.deallocate() }

  /// A name by its place in its list; nil when there is none.
  public func text(of list: List, at index: Int) -> UnsafePointer<CChar>? {
    let places = places[list.rawValue]
    guard places.indices.contains(index) else { return nil }
    return unsafe bytes.baseAddress.map { unsafe UnsafePointer($0 + places[index]) }
  }
}
