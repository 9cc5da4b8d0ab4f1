// SPDX-License-Identifier: MIT
//
// This process: its environment, its clock, its terminal, its signals.

public import Clocks
private import Glibc

/// A variable of the environment; nil if it is not set.
public func environmentValue(_ name: String) -> String? {
  unsafe getenv(name).map { unsafe String(cString: $0) }
}

/// Those of some variables of the environment that are set.
public func environmentValues(_ names: [String]) -> [String: String] {
  names.reduce(into: [:]) { $0[$1] = environmentValue($1) }
}

/// The descriptor of stderr.
public let standardError = STDERR_FILENO

/// The monotonic clock (`CLOCK_MONOTONIC`).
public func monotonicTime() -> MonotonicTime {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return MonotonicTime(nanoseconds: Int64(time.tv_sec * 1_000_000_000 + time.tv_nsec))
}

/// The wall clock: seconds since 1970, and nanoseconds of the present one (`CLOCK_REALTIME`).
public func wallClock() -> (seconds: Int, nanoseconds: Int) {
  var time = timespec()
  unsafe clock_gettime(CLOCK_REALTIME, &time)
  return (time.tv_sec, time.tv_nsec)
}

/// Memory of this process that is resident, in bytes; 0 when the system does not say.
public func residentBytes() -> Int {
  guard let file = try? openFile("/proc/self/statm", for: .reading) else { return 0 }
  defer { close(file) }
  let fields = String(decoding: (try? readSome(from: file)) ?? [], as: UTF8.self).split(separator: " ")
  return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(getpagesize()) : 0
}

/// What this machine is called; nil: nothing.
public func hostName() -> String? {
  var name = [CChar](repeating: 0, count: 256)
  guard unsafe gethostname(&name, name.count - 1) == 0 else { return nil }
  return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// The number of a user; nil if there is none of that name. Not for several threads at once.
public func userNumber(named name: String) -> UInt32? { unsafe getpwnam(name)?.pointee.pw_uid }

/// The name of a user; nil if there is none of that number. Not for several threads at once.
public func userName(of number: UInt32) -> String? {
  unsafe getpwuid(number).map { unsafe String(cString: $0.pointee.pw_name) }
}

/// The number of a group; nil if there is none of that name. Not for several threads at once.
public func groupNumber(named name: String) -> UInt32? { unsafe getgrnam(name)?.pointee.gr_gid }

/// Columns and rows of a terminal; nil if unknown.
public func terminalSize(of descriptor: Int32) -> (columns: Int, rows: Int)? {
  var size = winsize()
  guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
  return (Int(size.ws_col), Int(size.ws_row))
}

/// Blocks signals for the calling thread and those that it starts later, and makes a thread take them instead: a first one writes a byte
/// to a descriptor, a second one calls `end`. Lasts as long as the process.
public func takeSignals(_ signals: [Int32], telling descriptor: Int32, end: @escaping @Sendable (Int32) -> Void) {
  let taker = SignalTaker(signals: signals, descriptor: descriptor, end: end)
  var set = taker.set
  unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
  var thread = pthread_t()
  unsafe pthread_create(
    &thread, nil,
    { context in
      if let context = unsafe context { unsafe Unmanaged<SignalTaker>.fromOpaque(context).takeRetainedValue().run() }
      return nil
    }, Unmanaged.passRetained(taker).toOpaque())
  pthread_detach(thread)
}

private final class SignalTaker: Sendable {
  let signals: [Int32]
  let descriptor: Int32
  let end: @Sendable (Int32) -> Void

  init(signals: [Int32], descriptor: Int32, end: @escaping @Sendable (Int32) -> Void) {
    (self.signals, self.descriptor, self.end) = (signals, descriptor, end)
  }

  var set: sigset_t {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for signal in signals { unsafe sigaddset(&set, signal) }
    return set
  }

  func run() {
    var (set, signal) = (set, Int32(0))
    unsafe sigwait(&set, &signal)
    // A second signal that is pending already is handled first, so that no thread runs between the two.
    var rest = timespec()
    let second = unsafe sigtimedwait(&set, nil, &rest)
    if second > 0 { return end(second) }
    try? writeAll([1], to: descriptor)
    unsafe sigwait(&set, &signal)
    end(signal)
  }
}

/// Ends the process at once: nothing is cleaned up, no other thread is waited for.
public func endProcess(_ status: Int32) -> Never { _exit(status) }
