// SPDX-License-Identifier: MIT
//
// The points to resume from after a lost connection: of each header the last state that was received.

public import HeaderModel
internal import HeaderTrace

/// The last state received of each header, as `resumeFrom` names it.
public struct ResumePoints: Equatable, Sendable {
  private var points: [String: Value] = [:]

  /// The last `epoch` and `seq` of each header, by name.
  public var record: Value.Record {
    Value.Record(fields: points.sorted { $0.key < $1.key }.map { Value.Record.Field(name: $0.key, value: $0.value) })
  }

  /// Points for no header.
  public init() {}

  /// Takes notice of a notification: a state moves its header's point, an end removes it.
  public mutating func note(_ notification: Notification) {
    guard let header = notification.params["header"]?.asText else { return }
    switch notification.method {
    case "state":
      guard let epoch = notification.params["epoch"], let seq = notification.params["seq"] else { return }
      points[header] = ["epoch": epoch, "seq": seq]
    case "closed": points[header] = nil
    default: break
    }
  }
}
