// SPDX-License-Identifier: MIT
//
// Errors between a client and its daemon, as facts; the sentence is made from them on demand. The cases are what a caller can act on:
// start the daemon, ask for permission, try again, correct the request.

/// Errors that keep a client from working.
public enum ClientError: Error, Equatable, Sendable {
  /// No daemon listens there. `reason` in the system's words.
  case noDaemon(path: String, reason: String)
  /// Another user's socket, which this one may not connect to.
  case notPermitted(path: String)
  /// The path does not fit into a socket's address.
  case pathTooLong(path: String, limit: Int)
  /// The system refused something else.
  case system(call: String, path: String, reason: String)
  /// The connection ended; `goodbye` is the reason that the daemon gave, if it gave one.
  case ended(goodbye: String?)
  /// The received line is not of the protocol.
  case badLine(reason: String, line: String)
  /// The daemon refused a request.
  case refused(RemoteError)
  /// No answer within that many seconds.
  case timeout(method: String, seconds: Double)
  /// A signal asked us to stop.
  case interrupted
}

extension ClientError: CustomStringConvertible {
  /// The sentence, without a full stop.
  public var description: String {
    switch self {
    case .noDaemon(let path, let reason): "no daemon at \(path): \(reason) (start it with 'headerd')"
    case .notPermitted(let path): "\(path): permission denied; the socket belongs to another user"
    case .pathTooLong(let path, let limit):
      "\(path): a socket's path has at most \(limit) bytes, got \(path.utf8.count)"
    case .system(let call, let path, let reason): "\(path): \(call): \(reason)"
    case .ended(let goodbye?): "the daemon ended the connection: \(goodbye)"
    case .ended(nil): "the daemon ended the connection without a word"
    case .badLine(let reason, let line): "what answers is no headerd: \(reason) in \(line.debugDescription)"
    case .refused(let error): error.description
    case .timeout(let method, let seconds): "no answer to \(method) within \(seconds) s"
    case .interrupted: "interrupted"
    }
  }
}
