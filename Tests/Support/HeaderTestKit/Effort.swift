// SPDX-License-Identifier: MIT
//
// How long tests run that draw random numbers: shortly in each `make test`, longer by command.

internal import Foundation

/// How many times as much as in `make test` they draw: HEADERD_EFFORT, a whole number from 1 on, 1 where it is not set.
public let effort = max(1, ProcessInfo.processInfo.environment["HEADERD_EFFORT"].flatMap { Int($0) } ?? 1)
