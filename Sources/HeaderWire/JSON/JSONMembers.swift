// SPDX-License-Identifier: MIT
//
// A walk through an object or an array, and the names that the object has had: RFC 8259 leaves duplicate names open,
// here they are an error. To notice them without allocating, the first sixteen names are stored as places in the text,
// and a 64-bit filter, with a bit selected by length and outer bytes, excludes most new names from being compared.
//
//     {"x":0,"y":12.5}      places  1, 7        filter  bit("x") | bit("y")
//
// A seventeenth name, one with escapes or one that is not ASCII turns the memory into a set of strings. Names are
// compared as strings (canonical equivalence), because `Value.Record` finds its fields that way.

import Glibc

/// A walk through the members of one object.
public struct JSONMembers {
  /// Where the value of the present member begins; -1 before the first.
  var value = -1
  private var count = 0
  private var filter: UInt64 = 0
  private var places: InlineArray<16, UInt32> = .init(repeating: 0)
  private var names: Set<String>?

  init() {}

  /// Remembers a name, whose opening quote is at the place.
  @inline(__always)
  mutating func admit(_ name: JSONString, at place: Int, in reader: JSONReader) throws(JSONError) {
    guard names == nil, name.isPlain, count < places.count else { return try admitSlowly(name, at: place, in: reader) }
    let bit = UInt64(1) << name.slot
    if filter & bit != 0 {
      for index in 0..<count where name.stands(at: Int(places[index]), in: reader) {
        throw duplicate(name, at: place)
      }
    }
    filter |= bit
    places[count] = UInt32(truncatingIfNeeded: place)
    count += 1
  }

  @inline(never)
  private mutating func admitSlowly(
    _ name: JSONString, at place: Int, in reader: JSONReader
  ) throws(JSONError) {
    var known = names ?? []
    names = nil  // leaves `known` the only owner
    if known.isEmpty {
      for index in 0..<count {
        var earlier = reader
        earlier.cursor = Int(places[index])
        known.insert(try earlier.scanString().string)
      }
    }
    guard known.insert(name.string).inserted else { throw duplicate(name, at: place) }
    names = known
  }

  private func duplicate(_ name: JSONString, at place: Int) -> JSONError {
    JSONError("the object already has a member \"\(name.string)\"", offset: place)
  }
}

/// A walk through the elements of one array.
public struct JSONElements {
  /// Where the present element begins; -1 before the first.
  var value = -1

  init() {}
}

extension JSONString {
  /// One of 64 bits for a name, from its length and its outer bytes.
  @inline(__always)
  fileprivate var slot: UInt64 {
    guard count > 0 else { return 0 }
    let first = unsafe UInt64(start.load(as: UInt8.self))
    let last = unsafe UInt64(start.load(fromByteOffset: count - 1, as: UInt8.self))
    return (first &+ last &* 5 &+ UInt64(truncatingIfNeeded: count) &* 23) & 63
  }

  /// Whether the same plain name was written with its opening quote at an earlier place.
  fileprivate func stands(at place: Int, in reader: JSONReader) -> Bool {
    guard reader.byte(at: place + 1 + count) == UInt8(ascii: "\"") else { return false }
    return unsafe memcmp(reader.base + place + 1, start, count) == 0
  }
}
