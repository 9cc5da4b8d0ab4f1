// SPDX-License-Identifier: MIT

/// When an input counts as safe.
public enum Durability: String, Sendable, CaseIterable {
  /// When the system writes it: it survives the daemon, not the machine.
  case none
  /// Within the journal's interval it is on the disk.
  case interval
  /// A change is on the disk before it is answered.
  case acknowledged
}
