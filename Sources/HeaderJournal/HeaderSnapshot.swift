// SPDX-License-Identifier: MIT

public import HeaderModel
internal import HeaderWire

/// A header as plain data, from which it can be made again.
public struct HeaderSnapshot: Sendable {
  /// The header's name.
  public var header: String
  /// Which life of the name it is. One that begins again after a crash gets a later one.
  public var epoch: Int64
  /// The user who opened the header; nil: the config file has it.
  public var user: UInt32?
  /// The header's description as recordings have it.
  public var description: Value
  /// The description at opening, if it differs.
  public var opened: Value?
  /// The header's whole state (`Header.save`).
  public var saved: Value

  /// Creates a snapshot; `opened` is nil for a header that was opened without a saved state.
  public init(
    header: String, epoch: Int64, user: UInt32? = nil, description: Value, opened: Value?, saved: Value
  ) {
    self.header = header
    self.epoch = epoch
    self.user = user
    self.description = description
    self.opened = opened
    self.saved = saved
  }

  init(_ value: Value) throws(HeaderError) {
    var fields = try FieldReader(value, at: Path("snapshot"))
    header = try fields.required(text: "header")
    epoch = Int64(try fields.required(number: "epoch", in: 0...9_007_199_254_740_991, of: "microseconds"))
    user = try fields.integer("user", in: 0...Int(UInt32.max)).map { UInt32($0) }
    description = fields.value("description") ?? .null
    opened = fields.value("opened")
    saved = fields.value("saved") ?? .null
  }

  var value: Value {
    var record: Value.Record = [
      "header": .text(header), "epoch": .number(Double(epoch)), "description": description,
    ]
    record["user"] = user.map { .number(Double($0)) }
    record["opened"] = opened
    record["saved"] = saved
    return .record(record)
  }
}

/// The members of a snapshot that a reader of a journal needs first.
struct SnapshotName {
  let header: String
  let epoch: Int64

  /// Reads a snapshot's JSON as far as it has to, which is its beginning; nil: it is none.
  init?(_ text: [UInt8]) {
    var (header, epoch) = (String?.none, Double?.none)
    do {
      try JSONReader.reading(text) { (reader) throws(JSONError) in
        var members = try reader.beginObject()
        while header == nil || epoch == nil, let name = try reader.nextName(in: &members) {
          switch name {
          case "header": header = try reader.string().string
          case "epoch": if case .number(let number) = try reader.value() { epoch = number }
          default: break
          }
        }
      }
    } catch { return nil }
    guard let header, let epoch, let whole = Int64(exactly: epoch), whole >= 0, whole <= 9_007_199_254_740_991 else {
      return nil
    }
    self.header = header
    self.epoch = whole
  }
}
