// SPDX-License-Identifier: MIT
//
// Both programs, headerd and headerctl, and everything in them have one version.

/// The version of this build.
public let headerdVersion = "0.2.0"
