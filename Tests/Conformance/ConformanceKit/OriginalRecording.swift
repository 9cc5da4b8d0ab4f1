// SPDX-License-Identifier: MIT
//
// A recording of an original library (`header-trace/1`), or of a header system of another platform (`neighbor-trace/1`), as
// it lies in its file: a scene, options, and steps of which each says what the original showed after it. What the words mean
// is for the adapter of its system to know.

public import HeaderModel
private import HeaderWire

/// A file as recorded.
public struct OriginalRecording: Sendable {
  /// The formats that this code reads.
  public static let formats = ["header-trace/1", "neighbor-trace/1"]

  /// The original whose code produced what is expected.
  public var system: String
  /// One sentence saying what the run shows.
  public var title: String
  /// The original's own option names and values.
  public var options: Value.Record
  /// The geometry at the start.
  public var scene: Value.Record
  /// The steps, each a record.
  public var steps: [Value]
  /// What a neighbor showed before the first step; nil: nothing, or not told.
  public var initial: Value?
  /// How near numbers must be.
  public var tolerance = Tolerance()

  /// Reads a file.
  /// - Throws: `parseError`, `invalidParams` naming the field.
  public init(path: String) throws(HeaderError) {
    guard let bytes = Files.read(path) else { throw HeaderError(.parseError, "the file cannot be read") }
    try self.init(bytes)
  }

  /// Reads the bytes of a file.
  /// - Throws: `parseError`, `invalidParams` naming the field.
  public init(_ bytes: [UInt8]) throws(HeaderError) { try self.init(try Self.tree(bytes)) }

  /// Reads the document in a file.
  /// - Throws: `invalidParams` naming the field.
  public init(_ document: Value) throws(HeaderError) {
    var fields = try FieldReader(document, at: Path(""))
    guard let format = try fields.text("format"), Self.formats.contains(format) else {
      let known = Self.formats.map { "\"\($0)\"" }.joined(separator: " or ")
      throw fields.unexpected("format", needed: known, expected: "text")
    }
    system = try fields.required(text: "system")
    title = try fields.text("title") ?? ""
    options = try fields.record(of: "options") ?? Value.Record()
    // A neighbor's scene may be in its options alone.
    let isNeighbor = format == Self.formats[1]
    guard let scene = try fields.record(of: "scene") ?? (isNeighbor ? Value.Record() : nil) else {
      throw fields.unexpected("scene", needed: "an object", expected: "record")
    }
    self.scene = scene
    initial = isNeighbor ? fields.value("initial") : nil
    if isNeighbor, var given = try fields.reader("tolerance") {
      tolerance.length = try given.number("length", in: 0...1) ?? tolerance.length
      tolerance.ratio = try given.number("ratio", in: 0...1) ?? tolerance.ratio
    }
    guard let steps = try fields.list("steps") else {
      throw fields.unexpected("steps", needed: "a list", expected: "list")
    }
    self.steps = steps
  }

  private static func tree(_ bytes: [UInt8]) throws(HeaderError) -> Value {
    let result = unsafe bytes.withUnsafeBytes { (bytes) -> Result<Value, JSONError> in
      do throws(JSONError) {
        return .success(try unsafe JSONReader.document(bytes))
      } catch {
        return .failure(error)
      }
    }
    switch result {
    case .success(let tree): return tree
    case .failure(let error): throw HeaderError(.parseError, "byte \(error.offset): \(error.reason)")
    }
  }
}

extension FieldReader {
  /// A reader of a record inside this one.
  mutating func reader(_ name: String) throws(HeaderError) -> FieldReader? {
    guard let value = value(name) else { return nil }
    return try FieldReader(value, at: path + name)
  }

  /// A record inside this one, as it is.
  mutating func record(of name: String) throws(HeaderError) -> Value.Record? {
    switch value(name) {
    case nil: return nil
    case .record(let record): return record
    default: throw unexpected(name, needed: "an object", expected: "record")
    }
  }

  /// Refuses fields that nobody asked for: a recording that is only half understood is not run.
  func finish() throws(HeaderError) { try Self.refuse(unknown) }

  /// Refuses fields that nobody asked for.
  static func refuse(_ unknown: [UnknownField]) throws(HeaderError) {
    guard let first = unknown.first else { return }
    throw HeaderError(
      .unknownField, "\(first.field): the adapter does not know this field", field: first.field, hint: first.hint)
  }
}
