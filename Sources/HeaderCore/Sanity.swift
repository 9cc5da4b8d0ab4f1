// SPDX-License-Identifier: MIT
//
// Checks of the numbers that delegates give.

import HeaderModel

/// Refuses a number that is not finite or beyond ±1e9.
@inline(__always)
func requireSane(_ number: Double, _ what: @autoclosure () -> String) throws(DelegateFailure) {
  guard !isSane(number) else { return }
  throw .failed("\(what()) is \(Value.brief(number)), expected a finite number within ±1e9")
}

/// No comparison holds for a NaN.
@inline(__always)
func isSane(_ number: Double) -> Bool { abs(number) <= FieldReader.bound }

func requireSane(_ point: Point, _ what: @autoclosure () -> String) throws(DelegateFailure) {
  try requireSane(point.x, "x of \(what())")
  try requireSane(point.y, "y of \(what())")
}

func requireSane(_ size: Size, _ what: @autoclosure () -> String) throws(DelegateFailure) {
  try requireSane(size.width, "width of \(what())")
  try requireSane(size.height, "height of \(what())")
  guard size.width >= 0, size.height >= 0 else { throw .failed("\(what()) has a negative size") }
}

/// Row by row: an array of the numbers would be an allocation for each element in each event.
func requireSane(_ transform: Transform, _ what: @autoclosure () -> String) throws(DelegateFailure) {
  func check(_ row: Transform.Row) throws(DelegateFailure) {
    if isSane(row.m1), isSane(row.m2), isSane(row.m3), isSane(row.m4) { return }
    try requireSane(row.m1, what())
    try requireSane(row.m2, what())
    try requireSane(row.m3, what())
    try requireSane(row.m4, what())
  }
  try check(transform.row1)
  try check(transform.row2)
  try check(transform.row3)
  try check(transform.row4)
}

func requireSane(_ insets: Insets, _ what: @autoclosure () -> String) throws(DelegateFailure) {
  try requireSane(insets.top, "top of \(what())")
  try requireSane(insets.left, "left of \(what())")
  try requireSane(insets.bottom, "bottom of \(what())")
  try requireSane(insets.right, "right of \(what())")
}
