// SPDX-License-Identifier: MIT
//
// Tries a plugin's file in a process of its own before the daemon loads it: the program headerd-worker gives up its rights, loads the
// file and reports what it is. A plugin is refused if its constructors, entry or descriptions crash, end the process, start others or
// never return; the daemon is not affected.
//
//     PREFIX/libexec/headerd/headerd-worker describe FILE …  ─▶ PluginReport, or how the process ended

internal import HeaderConfig
internal import HeaderModel
internal import HeaderWorker
internal import PluginHost
internal import Posix

/// Tries plugins as the config says.
final class PluginTrialProcess: PluginTrial {
  var settings: Config.Plugins
  /// The worker program; nil: this program's own folder is unknown.
  let program: String?

  private let log: DaemonLog?

  /// - Parameter log: gets what the process prints; nil: stderr, in lines that are escaped like those of a log.
  init(_ settings: Config.Plugins, executable: String?, log: DaemonLog?) {
    self.settings = settings
    self.log = log
    program = executable.map(Self.worker)
  }

  /// As installed, or as built: beside this program.
  private static func worker(beside executable: String) -> String {
    let folder = executable.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let installed = (folder.dropLast() + ["libexec", "headerd", "headerd-worker"]).joined(separator: "/")
    return exists(installed) ? installed : (folder + ["headerd-worker"]).joined(separator: "/")
  }

  func isolation(of path: String) -> PluginIsolation {
    switch settings.isolation.way(of: Plugin.name(ofFile: path)) {
    case .none: .none
    case .trial: .trial
    case .process: .process
    }
  }

  func tryPlugin(at path: String) throws(HeaderError) -> DescribedPlugin {
    guard let program else { throw refusal(path, "it cannot be tried: nobody knows where headerd-worker lies") }
    let name = Plugin.name(ofFile: path)
    let seconds = settings.deadline > 0 ? settings.deadline + Self.startTime : 60
    let end: ProgramEnd
    do throws(SystemError) {
      end = try runProgram(
        program, ["describe", path, String(settings.processMemory)] + (settings.readable[name] ?? []),
        environment: Self.environment, seconds: seconds, atMost: 16 << 20)
    } catch {
      throw refusal(path, "it cannot be tried: \(program): \(error.text)")
    }
    tellPrinted(end.errors, by: name)
    guard end.reason == .exited(0), let report = PluginReport.decode(end.output) else {
      throw refusal(path, "tried in a process of its own, \(Self.words(for: end.reason, within: seconds))")
    }
    let tried = try report.get()
    guard tried.name == name else { throw refusal(path, "its process says that it is \"\(tried.name)\"") }
    return tried
  }

  private func tellPrinted(_ bytes: [UInt8], by plugin: String) {
    for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(Self.maxLines) {
      let text = String(decoding: line, as: UTF8.self)
      if let log {
        log.printed(text, by: [plugin])
      } else {
        try? writeAll(Array("plugin \(plugin) printed \(quotedForLog(text))\n".utf8), to: standardError)
      }
    }
  }

  /// Most lines of a trial's output that are logged.
  private static let maxLines = 20

  /// Seconds that a process may take until it comes to the plugin: a busy machine is no fault of its.
  private static let startTime = 4.0

  static var environment: [String] {
    ["LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"].compactMap { name in
      environmentValue(name).map { "\(name)=\($0)" }
    } + ["SWIFT_BACKTRACE=enable=no"]
  }

  private static func words(for reason: ProgramEnd.Reason, within seconds: Double) -> String {
    switch reason {
    case .exited(let status): "it ended that process with status \(status) before it had described itself"
    case .killed(let signal): "it crashed that process: \(signalText(signal))"
    case .tookTooLong: "it did not come to an end within \(seconds) s"
    case .wroteTooMuch: "it described itself with more than 16 MiB"
    case .notStarted(let error): "its process cannot be started: \(error)"
    }
  }

  private func refusal(_ path: String, _ why: String) -> HeaderError {
    HeaderError(.pluginRefused, "\(path): \(why)", facts: ["check": "trial", "path": .text(path)])
  }
}
