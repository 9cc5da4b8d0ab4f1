// SPDX-License-Identifier: MIT
//
// `headerctl record`: writes the steps that `trace.start` sends line by line, and a last line that says that it is complete
// (HeaderTrace/Recording.swift).

internal import CommandLineKit
private import Glibc
internal import HeaderClient
internal import HeaderModel
internal import HeaderTrace
internal import Installation
internal import Posix

func runRecord(_ context: Context) throws -> Int32 {
  let invocation = context.invocation
  let name = invocation.required(Words.header)
  let client = try context.connect(Interrupts(), needsReader: (invocation[Words.output] ?? "-") == "-")
  let server = try client.call("hello", ["protocol": 1, "client": .text("headerctl \(headerdVersion)")])["server"]?
    .asText
  var recorder = Recorder(server: server, limit: invocation[Words.count])
  // The question comes before the file is touched: the name of no open header leaves no empty file.
  let trace = try context.ask(client, "trace.start", ["header": .text(name)])["trace"] ?? .null
  let file = try RecordingFile(invocation[Words.output], context.console)
  func take(_ notification: Notification) throws -> Bool {
    switch notification.method {
    case "trace": try recorder.take(notification.params) { try file.append($0) }
    case "error": context.console.complain(RemoteError(notification.params).description)
    default: break
    }
    if file.isFile {
      context.console.progress("\(counted(recorder.steps, "step")), \(counted(recorder.states, "state"))")
    }
    return false
  }
  do {
    // A recording has its first line, however soon it ends.
    var start = StateLimit(seconds: client.patience)
    try listen(client, &start, take, until: { recorder.hasBegun || recorder.isDone })
    var limit = StateLimit(seconds: invocation[Words.seconds])
    try listen(client, &limit, take, until: { recorder.isDone })
  } catch let error as ClientError {
    // The file has all steps that came, and says that more may have happened.
    try recorder.end(error == .ended(goodbye: "draining") ? .draining : .lost) { try file.append($0) }
    throw error
  }
  try recorder.end(.stopped) { try file.append($0) }
  if !recorder.hasEnded {
    client.interruptDescriptor = -1
    client.outputDescriptor = -1
    _ = try? client.call("trace.stop", ["trace": trace])
  }
  context.console.progress("")
  let sentence = "\(counted(recorder.steps, "step")), \(counted(recorder.states, "state"))"
  if context.isJSON, file.isFile {
    let result: Value = [
      "steps": .integer(recorder.steps), "states": .integer(recorder.states), "complete": .bool(!recorder.isCut),
    ]
    context.console.print(result.json)
  } else {
    context.console.error(file.isFile ? "\(file.name): \(sentence)\n" : "\(sentence)\n")
  }
  if recorder.isCut { context.console.complain("the recording is incomplete: it was read too slowly") }
  return recorder.isCut ? ExitStatus.refused : ExitStatus.done
}

struct Recorder {
  private let server: String
  private let limit: Int?
  private(set) var steps = 0
  private(set) var states = 0
  private(set) var hasBegun = false
  /// The daemon has ended it: nothing more comes.
  var hasEnded: Bool { ended != nil }
  /// The daemon's word for it.
  private var ended: String?
  private var checksum = RecordingChecksum()

  /// - Parameters:
  ///   - server: as `hello` names it: `headerd 0.2.0`.
  ///   - limit: states after which it is done.
  init(server: String?, limit: Int?) {
    // The first line says which version it was, not which program.
    self.server = server?.split(separator: " ").last.map(String.init) ?? "?"
    self.limit = limit
  }

  /// Whether the recording has ended or has reached its limit.
  var isDone: Bool { hasEnded || limit.map { states >= $0 } ?? false }

  /// The daemon ended it before its time.
  var isCut: Bool { ended == RecordingEnd.overflow.rawValue }

  /// Writes the last line.
  /// - Parameter reason: why it ends, unless the daemon has ended it.
  func end(_ reason: RecordingEnd, write: ([UInt8]) throws -> Void) throws {
    guard hasBegun else { return }
    try write(RecordingLine.end(ended ?? reason.rawValue, steps: steps, checksum))
  }

  /// Takes the parameters of a notification and writes the line that they make.
  mutating func take(_ params: Value, write: ([UInt8]) throws -> Void) throws {
    if let description = params["description"] {
      let line = RecordingLine.head(description: description, saved: params["saved"], server: server, ends: true)
      checksum.add(line)
      try write(line)
      hasBegun = true
    } else if let step = params["step"] {
      guard !isDone else { return }
      let line = RecordingLine.step(step)
      checksum.add(line)
      try write(line)
      steps += 1
      if step["state"] != nil { states += 1 + (step["frames"]?.elements.count ?? 0) }
    } else if let reason = params["ended"] {
      ended = reason.asText ?? "?"
    }
  }
}

private final class RecordingFile {
  let name: String
  private let descriptor: Int32
  private let console: Console

  init(_ path: String?, _ console: Console) throws {
    name = path ?? "-"
    self.console = console
    guard let path, path != "-" else {
      descriptor = STDOUT_FILENO
      return
    }
    do throws(SystemError) {
      descriptor = try openFile(path, for: .replacing)
    } catch {
      throw CommandError.refused("\(path): \(error.text)", name: "noFile")
    }
  }

  deinit { if isFile { close(descriptor) } }

  var isFile: Bool { descriptor != STDOUT_FILENO }

  func append(_ line: [UInt8]) throws {
    guard isFile else { return console.print(bytes: line) }
    do throws(SystemError) {
      try writeAll(line, to: descriptor)
    } catch {
      throw CommandError.refused("\(name): \(error.text)", name: "noFile")
    }
  }
}
