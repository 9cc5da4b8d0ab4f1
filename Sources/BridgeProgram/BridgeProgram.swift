// SPDX-License-Identifier: MIT
//
// The common part of the bridges' programs: their config file, the daemon's socket, signals, and the service manager.

public import EventLoop
internal import Glibc
public import HeaderConfig
internal import HeaderModel
internal import Installation
internal import Posix

/// Why a program could not start, in sentences for people.
public struct StartupError: Error, CustomStringConvertible {
  /// The message: what was wrong, where, and what would do.
  public var message: String
  /// The message for people.
  public var description: String { message }

  /// An error with its sentences.
  public init(message: String) { self.message = message }
}

/// Reads the config that an option names, else the one at its usual place.
/// - Parameters:
///   - name: the file's name.
///   - defaults: the settings where there is no file.
///   - read: reads its contents.
/// - Returns: the settings, and the file; nil: there is none.
/// - Throws: the mistakes in the file.
public func loadConfig<Settings>(
  _ option: String?, name: String, defaults: Settings,
  _ read: (_ bytes: Span<UInt8>, _ file: String) throws(ConfigErrors) -> Settings
) throws(StartupError) -> (config: Settings, file: String?) {
  let file = Config.path(
    option: option, environment: environmentValues(["XDG_CONFIG_HOME", "HOME"]), name: name, exists: { exists($0) })
  guard let file else { return (defaults, nil) }
  let bytes: [UInt8]
  do throws(FileRefusal) {
    bytes = try contents(ofFile: file, atMost: Config.largestFile)
  } catch {
    throw StartupError(message: "\(file): \(error)")
  }
  do throws(ConfigErrors) {
    return (try read(bytes.span, file), file)
  } catch {
    throw StartupError(message: error.description)
  }
}

/// The path of the daemon's socket, from an option, the config or the environment.
public func daemonSocket(option: String?, configured: String?) -> String {
  SocketPath.resolve(
    option: option, environment: environmentValues(["HEADERD_SOCKET", "XDG_RUNTIME_DIR"]), configured: configured,
    user: geteuid()
  ).path
}

/// Random bytes, a few dozen at least.
/// - Throws: if the system has none.
public func randomBytes() throws(StartupError) -> [UInt8] {
  do throws(SystemError) {
    let descriptor = try openFile("/dev/urandom", for: .reading)
    defer { close(descriptor) }
    return try readSome(from: descriptor)
  } catch {
    throw StartupError(message: "/dev/urandom: \(error.text)")
  }
}

/// SIGTERM and SIGINT, which end a program in order from now on: make it before the program announces that it is ready.
public final class EndSignals {
  private let loop: Loop
  private var terminate: SignalWatcher?
  private var interrupt: SignalWatcher?

  /// Watches for them. A loop that does not run yet stops as soon as it does.
  public init(stopping loop: Loop) throws(StartupError) {
    self.loop = loop
    do throws(UVError) {
      terminate = try SignalWatcher(SIGTERM, on: loop)
      interrupt = try SignalWatcher(SIGINT, on: loop)
    } catch {
      throw StartupError(message: error.description)
    }
    terminate?.received = { [unowned loop] in loop.stop() }
    interrupt?.received = { [unowned loop] in loop.stop() }
  }

  /// Runs the loop until a signal comes or the loop is stopped, and notifies the service manager of both ends. Later signals wait for the
  /// end of the process.
  public func runLoop(_ manager: ServiceNotifier) {
    manager.tell("READY=1")
    loop.run()
    manager.tell("STOPPING=1")
    holdBackSignals([SIGTERM, SIGINT])
    terminate = nil
    interrupt = nil
  }
}

/// Notifies the service manager, if there is one (sd_notify(3)).
public struct ServiceNotifier {
  private let socket: String?

  /// The manager that started this process; a second one finds none.
  public init() {
    socket = environmentValue("NOTIFY_SOCKET")
    removeEnvironmentValue("NOTIFY_SOCKET")
  }

  /// Says a word of sd_notify(3).
  public func tell(_ word: String) {
    if let socket { try? sendDatagram(word, to: socket) }
  }
}
