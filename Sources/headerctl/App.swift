// SPDX-License-Identifier: MIT
//
// From a command line to an exit status: parse, find the command, run it, report errors. A command's `Context` has all that it
// needs from outside: stdout, the socket's path, the plugin folders, signals.

internal import CommandLineKit
private import Glibc
internal import HeaderClient
internal import HeaderConfig
internal import HeaderModel
internal import HeaderTrace
internal import Installation
internal import PluginHost
internal import Posix

struct Context {
  let invocation: Invocation
  let console: Console
  /// Programs read what we print.
  var isJSON: Bool { invocation.has(Words.json) }
  /// A person looks at a terminal.
  var draws: Bool { !isJSON && console.isTerminal }

  var socketPath: String { socket.path }

  /// The socket's path, and the rule that gave it.
  var socket: SocketPath {
    SocketPath.resolve(option: invocation[Words.socket], environment: Self.environment, user: geteuid())
  }

  /// Connects; Ctrl-C then ends every wait.
  /// - Parameters:
  ///   - interrupts: waits that signals end; nil: signals end the program.
  ///   - needsReader: waits also end once the reader of stdout has closed it.
  func connect(_ interrupts: Interrupts? = nil, needsReader: Bool = false) throws(ClientError) -> Client {
    let client = try Client(path: socketPath)
    if let interrupts { client.interruptDescriptor = interrupts.descriptor }
    if needsReader { client.outputDescriptor = STDOUT_FILENO }
    return client
  }

  /// Connects to the bridge of a realm, at realm.sock beside the daemon's socket unless --socket names it.
  func connectToRealm() throws(ClientError) -> Client {
    guard socket.origin != .option, let slash = socketPath.lastIndex(of: "/") else { return try connect() }
    return try Client(path: "\(socketPath[...slash])realm.sock")
  }

  /// Reads a recording, and warns when it is incomplete.
  func recording(_ file: String) throws -> Recording {
    let bytes = try readWhole(file)
    return complete(try about(file) { try Recording(bytes) }, file)
  }

  /// A recording of that file, with a warning when it is incomplete.
  func complete(_ recording: Recording, _ file: String) -> Recording {
    if recording.isTruncated {
      console.complain("\(file): the last line is unfinished and left out: the recorder was killed")
    }
    if case .incomplete(let reason) = recording.completeness { console.complain("\(file): incomplete: \(reason)") }
    return recording
  }

  /// All plugins in the folders, loaded. One that is refused is reported on stderr and left out.
  func loadPlugins() -> PluginRegistry {
    let registry = plugins
    for folder in invocation.all(Words.plugins) where !exists(folder) {
      console.complain("option \"--plugins\": there is no folder \(folder)")
    }
    for name in registry.available {
      do {
        try registry.load(name)
      } catch {
        console.complain(error.message)
      }
    }
    return registry
  }

  /// The names of all plugins in the folders.
  var pluginFiles: [String] { plugins.available }

  private var plugins: PluginRegistry {
    PluginRegistry(
      folders: invocation.all(Words.plugins)
        + pluginFolders(environment: Self.environment, executable: Self.executable, exists: exists))
  }

  /// Where presets are looked for.
  var presetFolders: [String] {
    invocation.all(Words.presets)
      + Installation.presetFolders(environment: Self.environment, executable: Self.executable)
  }

  static var executable: String? { target(ofLink: "/proc/self/exe") }

  private static var environment: [String: String] {
    environmentValues(["HEADERD_SOCKET", "XDG_RUNTIME_DIR", "HEADERD_PLUGIN_PATH", "HEADERD_PRESET_PATH"])
  }

  // MARK: Printing

  /// Prints values: as JSON, one a line, for programs; as a table for people.
  /// - Parameter nothing: the message on stderr for people if there are no values.
  func show(_ values: [Value], nothing: String, _ heading: [String], _ row: (Value) -> [String]) -> Int32 {
    if isJSON {
      for value in values { console.print(value.json) }
    } else if values.isEmpty {
      // stdout has rows alone.
      console.complain(nothing)
    } else {
      console.print(table: [heading] + values.map(row))
    }
    return ExitStatus.done
  }

  /// Prints a result: JSON for programs, text for people.
  func show(_ result: Value, _ text: @autoclosure () -> String) {
    console.print(isJSON ? result.json : text())
  }

  /// Complains about a line of the input; programs get the error, too.
  func complain(_ source: String, line: Int, _ message: String, _ error: Value) {
    console.complain("\(source):\(line): \(message)")
    if isJSON { console.print(Value.record(["line": .integer(line), "error": error]).json) }
  }
}

extension Value {
  static func integer(_ number: Int) -> Value { .number(Double(number)) }

  /// A field's text, "?" without one.
  func text(_ field: String) -> String { self[field]?.asText ?? "?" }

  /// A field's number as people write it, "?" without one.
  func number(_ field: String) -> String { self[field]?.asNumber.map { shown($0) } ?? "?" }

  /// A field's elements; none without a list.
  func list(_ field: String) -> [Value] { self[field]?.elements ?? [] }

  func texts(_ field: String) -> [String] { list(field).compactMap(\.asText) }
}

/// Why a command could not do its work, where it is not the client's, the engine's or a recording's error.
struct CommandError: Error {
  var message: String
  /// The error's name in JSON.
  var name: String
  var status: Int32

  static func refused(_ message: String, name: String = "refused") -> CommandError {
    CommandError(message: message, name: name, status: ExitStatus.refused)
  }

  /// The command line is wrong in a way that the table cannot know.
  static func usage(_ message: String) -> CommandError {
    CommandError(message: message, name: "usage", status: ExitStatus.usage)
  }
}

/// A recording's error with the file's name before it.
struct FileError: Error {
  var file: String
  var error: RecordingError
}

/// Runs the program.
/// - Returns: the exit status.
func runHeaderctl(_ arguments: [String]) -> Int32 {
  let console = Console()
  let context: Context
  do {
    switch try headerctlProgram().parse(spellingOut(arguments)) {
    case .print(let text):
      console.print(text, terminator: "")
      return ExitStatus.done
    case .run(let invocation): context = Context(invocation: invocation, console: console)
    }
  } catch {
    console.error("\(error)\n\(error.hint)\n")
    if arguments.contains("--json") {
      // On stderr the sentence begins with the program's name; here everything is ours.
      let message = "\(error)".dropFirst("headerctl: ".count)
      console.print(errorObject(code: -32000, name: "usage", message: String(message), data: [:]).json)
    }
    return ExitStatus.usage
  }
  do {
    return try run(context)
  } catch {
    return report(error, context)
  }
}

/// `-o FILE` is `--output FILE`, as with every other program that writes a file.
private func spellingOut(_ arguments: [String]) -> [String] {
  let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
  return arguments.enumerated().map { $0.offset < end && $0.element == "-o" ? "--output" : $0.element }
}

private func run(_ context: Context) throws -> Int32 {
  switch context.invocation.command {
  case ["status"]: try runStatus(context)
  case ["users"]: try runUsers(context)
  case ["ping"]: try runPing(context)
  case ["socket"]: runSocket(context)
  case ["header", "list"]: try runHeaderList(context)
  case ["header", "open"]: try runHeaderOpen(context)
  case ["header", "close"]: try runHeaderClose(context)
  case ["header", "get"]: try runHeaderGet(context)
  case ["header", "configure"]: try runHeaderConfigure(context)
  case ["header", "call"]: try runHeaderCall(context)
  case ["move"]: try runMove(context)
  case ["reveal"]: try runReveal(context)
  case ["constrain"]: try runConstrain(context)
  case ["release"]: try runRelease(context)
  case ["delegate", "list"]: try runDelegateList(context)
  case ["delegate", "add"]: try runDelegateAdd(context)
  case ["delegate", "remove"]: try runDelegateRemove(context)
  case ["delegate", "move"]: try runDelegateMove(context)
  case ["delegate", "configure"]: try runDelegateConfigure(context)
  case ["delegate", "shadow"]: try runDelegateShadow(context)
  case ["delegate", "promote"]: try runDelegatePromote(context)
  case ["journal", "list"]: try runJournalList(context)
  case ["journal", "verify"]: try runJournalVerify(context)
  case ["journal", "repair"]: try runJournalRepair(context)
  case ["journal", "export"]: try runJournalExport(context)
  case ["stream"]: try runStream(context)
  case ["subscribe"]: try runSubscribe(context)
  case ["watch"]: try runWatch(context)
  case ["plugin", "list"]: try runPluginList(context)
  case ["plugin", "info"]: try runPluginInfo(context)
  case ["plugin", "load"]: try runPluginChange(context, "plugin.load")
  case ["plugin", "unload"]: try runPluginChange(context, "plugin.unload")
  case ["plugin", "reload"]: try runPluginChange(context, "plugin.reload")
  case ["plugin", "new"]: try runPluginNew(context)
  case ["preset", "list"]: runPresetList(context)
  case ["record"]: try runRecord(context)
  case ["replay"]: try runReplay(context)
  case ["verify"]: try runVerify(context)
  case ["doctor"]: try runDoctor(context)
  case ["demo"]: try runDemo(context)
  case ["bench-frames"]: try runBenchFrames(context)
  case ["explain"]: try runExplain(context)
  case ["top"]: try runTop(context)
  case ["tap"]: try runTap(context)
  case ["dump"]: try runDump(context)
  case ["plot"]: try runPlot(context)
  default: preconditionFailure("headerctl bug: the table has a command that nobody runs: \(context.invocation.command)")
  }
}

// MARK: - Errors

/// Says what went wrong, on stderr and, for programs, on stdout.
private func report(_ error: any Error, _ context: Context) -> Int32 {
  let object: Value
  let message: String
  var status = ExitStatus.refused
  switch error {
  case ClientError.refused(let remote):
    let command = context.invocation.command
    message = sentence(inWords(remote.message, command), hint: advice(about: remote, command) ?? remote.hint)
    object = remote.object
  case let error as RefusedDescription:
    let remote = error.remote
    message = error.message(hint: advice(about: remote, context.invocation.command) ?? remote.hint)
    object = remote.object
  case let error as ConfigErrors:
    message = error.description
    object = errorObject(code: -32000, name: "invalidParams", message: message, data: [:])
  case let error as ClientError:
    message = error.description
    object = errorObject(code: -32000, name: error.name, message: message, data: [:])
    status = ExitStatus.noDaemon
  case let error as HeaderError:
    message = sentence(error.message, hint: error.hint)
    object = errorObject(error)
  case let error as FileError:
    message = "\(error.file):\(error.error.line > 0 ? "" : " ")\(error.error)"
    object = errorObject(
      code: -32000, name: error.error.cause?.name.rawValue ?? "badRecording", message: message,
      data: ["line": .integer(error.error.line)])
  case let error as CommandError:
    message = error.message
    object = errorObject(code: -32000, name: error.name, message: message, data: [:])
    status = error.status
  default:
    message = "\(error)"
    object = errorObject(code: -32603, name: "internalError", message: message, data: [:])
  }
  for line in message.split(separator: "\n") { context.console.complain(String(line)) }
  if status == ExitStatus.usage {
    context.console.error("see '\((["headerctl"] + context.invocation.command).joined(separator: " ")) --help'\n")
  }
  if context.isJSON { context.console.print(object.json) }
  return status
}

extension ClientError {
  /// The name of an error that is not the daemon's.
  fileprivate var name: String {
    switch self {
    case .noDaemon: "noDaemon"
    case .notPermitted: "notPermitted"
    case .pathTooLong: "pathTooLong"
    case .system: "systemError"
    case .ended: "connectionLost"
    case .badLine: "badLine"
    case .timeout: "timeout"
    case .interrupted: "interrupted"
    case .refused(let remote): remote.name
    }
  }
}

/// Advice about a refusal, in this program's words where the daemon's hint is in the protocol's.
private func advice(about error: RemoteError, _ command: [String]) -> String? {
  switch (error.name, command) {
  case ("headerExists", ["header", "open"]): "close it first, or open it with --replace"
  case (_, ["move"]) where error.hint == "give shift": "give DRAWER+SHIFT"
  case ("inUse", ["plugin", "unload"]): "close them, or unload it with --force: its delegates are then bypassed"
  case ("headerNotFound", _) where error.hint == "header.open makes one":
    "'headerctl header list' shows those that are open, 'headerctl header open' makes one"
  default: nil
  }
}
