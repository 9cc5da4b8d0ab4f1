// SPDX-License-Identifier: MIT
//
// The display link, which drives the header on or off the screen. The library goes a share of the way that is left in each frame, so its
// path depends on the frame rate:
//
//     accumulator += attachment · duration · (destination − accumulator)
//
// With `frameRateIndependent` the share is that of the exponential which this approaches as frames get shorter, 1 − e^(−attachment ·
// duration): at a given time the header is at the same place, at any frame rate.

private import Glibc
internal import HeaderPluginKit

extension FlexibleHeader {
  /// Drives the header on or off the screen, frame by frame.
  func startApproach() {
    guard host.environment.limitsMotion else { return host.startFrames() }
    accumulator = permitted(wantsToBeHidden ? shiftMaximum : 0)
    commit()
  }

  /// One frame of the display link, which drives the header on or off the screen.
  func approach(_ duration: Double) {
    accumulator = min(shiftMaximum, accumulator)
    let destination = wantsToBeHidden ? shiftMaximum : 0
    let present = accumulator
    let rest = destination - accumulator
    accumulator +=
      frameRateIndependent ? (1 - exp(-Self.attachment * duration)) * rest : Self.attachment * rest * duration
    accumulator = permitted(clamp(accumulator, 0, shiftMaximum))
    moveStatusBar(to: accumulator)
    if abs(destination - accumulator) <= Double(Float(0.1)) {
      accumulator = permitted(destination)
      host.stopFrames()
      if displacement.distance != 0 { displace(to: headerPosition.traveled) }
    } else if accumulator == present {
      host.stopFrames()
    }
    commit()
  }
}
