// SPDX-License-Identifier: MIT
//
// `headerctl header open`: a description from a file, from stdin, or from options.
//
//     main --drawer navBar:44   a name: the options describe the header
//     shop.toml                 TOML: [[header]] tables as in headerd.toml(5), or the keys of one description
//     shop.json, demo.jsonl     JSON: a description, or a recording that has one
//     -                         stdin: JSON if it begins with {, else TOML; so is a file of another name
//
// Mistakes in TOML are reported at their line and column, whether headerctl or the daemon finds them.

internal import CommandLineKit
internal import HeaderClient
internal import HeaderConfig
internal import HeaderModel
internal import HeaderTrace
internal import Posix

func runHeaderOpen(_ context: Context) throws -> Int32 {
  let invocation = context.invocation
  let word = invocation.required(Words.description)
  let quick = QuickDescription(invocation: invocation)
  var source: ConfiguredHeader?
  var params: Value.Record
  let hasFile = isFile(word, mayBeName: !quick.isEmpty)
  if hasFile {
    guard quick.isEmpty else {
      throw CommandError.usage("header open: a description from \(word) stands for itself; leave the other options out")
    }
    (params, source) = try description(in: try readWhole(word), word, chosen: invocation[Words.chosenHeader])
  } else {
    guard !invocation.has(Words.chosenHeader) else {
      throw CommandError.usage("option \"--header\": it chooses among the headers of a file, and \"\(word)\" is none")
    }
    params = try quick.description(of: word)
  }
  if invocation.has(Words.replace) { params["ifExists"] = "replace" }
  do {
    return try context.request("header.open", params) { result in
      let verb = result["created"]?.asBool == false ? "was open" : "opened"
      return "\(result["header"]?.asText ?? word) \(verb), seq \(result.number("seq"))"
    }
  } catch let error as ClientError {
    guard hasFile, case .refused(let remote) = error else { throw error }
    for name in ["ifExists", "saved", "steps", "after"] { params[name] = nil }
    throw RefusedDescription(value: .record(params), source: source, remote: remote)
  }
}

/// A description that the daemon refused.
struct RefusedDescription: Error {
  var value: Value
  /// The header's place in a TOML file, which was checked before it is sent.
  var source: ConfiguredHeader?
  var remote: RemoteError

  /// The daemon's sentence about the first mistake, and the other mistakes, a line each.
  /// - Parameter hint: the advice at the end.
  func message(hint: String?) -> String {
    let message = withoutRequest(remote.message)
    let field = remote.object["data"]?["field"]?.asText.map(withoutRequest)
    if let source {
      return source.diagnostic(for: HeaderError(.invalidParams, message, field: field, hint: hint)).description
    }
    let trial = DescriptionTrial(value)
    let others = trial.errors.filter { $0.field != field }.map { sentence($0.message, hint: $0.hint) }
    let unknown = trial.unknown.filter { $0.field != field }.map { key in
      "\(key.field): unknown key" + (key.hint.map { ". Did you mean \"\($0)\"?" } ?? "")
    }
    return ([sentence(message, hint: hint)] + others + unknown).joined(separator: "\n")
  }
}

/// Whether the argument is a file: it has a character that no header's name has, or the file exists.
/// - Parameter mayBeName: options describe a header, so the argument is its name even if a file has that name.
private func isFile(_ word: String, mayBeName: Bool) -> Bool {
  if word == "-" || word.contains("/") || [".toml", ".json", ".jsonl"].contains(where: word.hasSuffix) { return true }
  guard !mayBeName, let status = try? FileStatus(of: word) else { return false }
  return !status.isFolder
}

/// The description in a file's bytes; of a TOML file also where it stands.
private func description(
  in bytes: [UInt8], _ file: String, chosen: String?
) throws -> (Value.Record, ConfiguredHeader?) {
  let isObject = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "{")
  if file.hasSuffix(".toml") || !(isObject || file.hasSuffix(".json") || file.hasSuffix(".jsonl")) {
    let header = try configuredHeader(in: bytes, sourceName(file), chosen: chosen)
    guard case .record(let record) = header.value else { preconditionFailure("headerctl bug: a table is a record") }
    return (record, header)
  }
  guard chosen == nil else {
    throw CommandError.usage("option \"--header\": it chooses among [[header]] tables, and \(file) is no TOML")
  }
  return (try jsonDescription(in: bytes, file: file), nil)
}

/// A description in TOML, decoded once so that its mistakes are known with their places.
private func configuredHeader(in bytes: [UInt8], _ file: String, chosen: String?) throws -> ConfiguredHeader {
  let headers = try DescriptionFile(bytes: bytes.span, file: file).headers
  let known = headers.map { $0.name ?? "one without a name" }.joined(separator: ", ")
  let header: ConfiguredHeader
  if let chosen {
    guard let found = headers.first(where: { $0.name == chosen }) else {
      let guess = nearest(to: chosen, in: headers.compactMap(\.name)).map { " (did you mean \"\($0)\"?)" } ?? ""
      throw CommandError.refused("\(file): it has no header \"\(chosen)\"; there are \(known)\(guess)")
    }
    header = found
  } else {
    guard let first = headers.first else { throw CommandError.refused("\(file): it describes no header") }
    guard headers.count == 1 else {
      throw CommandError.usage(
        "header open: \(file) describes \(counted(headers.count, "header")): \(known); choose one by --header NAME")
    }
    header = first
  }
  let mistakes = header.mistakes
  guard mistakes.isEmpty else { throw ConfigErrors(mistakes) }
  return header
}

/// A description in JSON, or that of a recording.
private func jsonDescription(in bytes: [UInt8], file: String) throws -> Value.Record {
  if let recording = try? Recording(bytes), case .record(let record)? = recording.description { return record }
  do {
    let tree = try Value(json: bytes)
    try Recording.checkFormat(of: tree)
    if case .record(let record) = tree { return record }
  } catch let error as RecordingError {
    throw FileError(file: file, error: error)
  } catch {
    throw CommandError.refused("\(file): \(error)", name: "parseError")
  }
  throw CommandError.refused("\(file): expected a description, an object", name: "invalidParams")
}
