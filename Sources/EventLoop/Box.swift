// SPDX-License-Identifier: MIT

/// A value without copies, where an object or an array has to hold it.
public final class Box<Value: ~Copyable> {
  /// The value, which lives as long as the box.
  public var value: Value

  /// Creates a box that owns the value.
  public init(_ value: consuming Value) { self.value = value }
}
