// SPDX-License-Identifier: MIT
//
// The number of each error (headerd-connection(7), ERRORS). Neither number nor name ever changes its meaning.

public import HeaderModel

extension ErrorName {
  /// The code that stands beside the name on the wire.
  public var code: Int {
    switch self {
    case .parseError: -32700
    case .invalidRequest: -32600
    case .methodNotFound: -32601
    case .invalidParams: -32602
    case .internalError: -32603
    case .headerNotFound: -32001
    case .scrollViewNotFound: -32002
    case .drawerNotFound: -32003
    case .headerExists: -32004
    case .behaviorNotFound: -32005
    case .delegateNotFound: -32006
    case .subscriptionNotFound: -32007
    case .traceNotFound: -32008
    case .pluginNotFound: -32009
    case .invalidOption: -32010
    case .conflict: -32011
    case .timeBackwards: -32012
    case .callFailed: -32013
    case .behaviorFailed: -32014
    case .pluginRefused: -32015
    case .inUse: -32016
    case .notPermitted: -32020
    case .limitExceeded: -32021
    case .rateExceeded: -32022
    case .deadlineExceeded: -32023
    case .unsupported: -32024
    case .unsupportedVersion: -32025
    case .draining: -32026
    case .unknownField: -32027
    }
  }
}

extension ErrorName {
  /// Whether the same request may be sent again.
  public enum Retry: String, Sendable {
    /// A retry is refused again.
    case no
    /// A retry succeeds once the named thing has changed: a header was opened, a plugin loaded, something closed.
    case changed
    /// A retry succeeds unchanged, after a while.
    case later
  }

  /// Whether a request that was refused so may be sent again.
  public var retry: Retry {
    switch self {
    case .parseError, .invalidRequest, .methodNotFound, .invalidParams, .internalError, .subscriptionNotFound,
      .traceNotFound, .invalidOption, .timeBackwards, .notPermitted, .unsupported, .unsupportedVersion, .unknownField:
      .no
    case .headerNotFound, .scrollViewNotFound, .drawerNotFound, .headerExists, .behaviorNotFound, .delegateNotFound,
      .pluginNotFound, .conflict, .callFailed, .behaviorFailed, .pluginRefused, .inUse, .limitExceeded:
      .changed
    case .rateExceeded, .deadlineExceeded, .draining: .later
    }
  }
}
