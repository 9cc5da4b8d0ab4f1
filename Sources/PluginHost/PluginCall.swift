// SPDX-License-Identifier: MIT
//
// The call into a plugin that each thread is in, for a watchdog on a thread of its own. The thread that calls marks the outermost call
// with a number and the running one with its delegate and function: a load and two stores a call, three more when no other call is around
// it. The watchdog sees by the number that a call has not ended, and only then asks for names:
//
//     thread     enter ─▶ plugin … ─▶ leave              delegate's end: takes the lock once
//     watchdog   turn 7 … turn 7 … still turn 7 ─▶ names, under the lock
//
// So that a delegate stays as long as its names are read, its end waits for the lock; calls never do.

internal import HeaderModel
internal import Locks
internal import Posix
internal import Synchronization

/// A function of a plugin's that the host calls.
enum PluginFunction: UInt {
  case load = 1
  case create, destroy, responds, setOption, attach, detach, receive, call, layout, frame, timer, completion
  case afterEvent, save, restore, position, move, permit, stops, drawer, reach, getExtension

  /// As `header_plugin.h` has it.
  var word: String {
    switch self {
    case .setOption: "set_option"
    case .afterEvent: "after_event"
    case .getExtension: "get_extension"
    default: "\(self)"
    }
  }
}

extension PluginFunction {
  /// The host calls it also between two events: what it changed would have no input that a replay could repeat.
  var onlyReads: Bool {
    switch self {
    case .responds, .getExtension, .detach, .save, .position, .stops, .drawer, .reach: true
    default: false
    }
  }
}

/// A call into a plugin that is under way.
public struct PluginCall: Equatable, Sendable {
  /// The plugin's name; of one that is being loaded, its file.
  public var plugin: String
  /// The delegate's name in its header's chain; nil while the plugin is loaded.
  public var delegate: String?
  /// The header; nil where the plugin is loaded, or an instance made or destroyed.
  public var header: String?
  /// The function of `header_plugin.h`.
  public var function: String
  /// The event that `receive` passes: `didScroll`…
  public var event: String?
}

/// Where one thread marks its calls. Marks are in memory of their own, so that making them counts no reference.
@safe public final class PluginCalls: Sendable {
  /// The marks. Each word is written by one thread with plain stores.
  struct Marks: ~Copyable {
    /// The running call: the delegate's address, which has 48 bits, and above it what is called; 0: none.
    let running = Atomic<UInt>(0)
    /// The number of the outermost call.
    let turn = Atomic<UInt>(0)
  }

  // Each word is atomic, and the memory stays as long as this object.
  nonisolated(unsafe) let marks: UnsafeMutablePointer<Marks>
  /// Held by a delegate that ends, and while names are read. The file that is being loaded.
  private let lock = Locked<String?>(nil)

  /// Where the marks are, if others see them; nil: in memory of their own.
  private let page: SharedPage?

  /// Marks in memory of their own.
  init() {
    unsafe marks = .allocate(capacity: 1)
    unsafe marks.initialize(to: Marks())
    page = nil
  }

  /// Marks as the first two numbers of a page, for another process to see which delegate was running when this one died.
  init(on page: SharedPage) {
    self.page = page
    unsafe marks = page.address.assumingMemoryBound(to: Marks.self)
  }

  deinit {
    guard page == nil else { return }
    unsafe marks.deinitialize(count: 1)
    unsafe marks.deallocate()
  }

  /// The delegate of a mark, as a number for its object.
  static func delegate(ofMark mark: UInt) -> UInt { mark & (1 << Marks.addressBits - 1) }

  // MARK: - The thread that calls

  /// Marks that a plugin's file is being loaded: its constructors and its entry run.
  func load<Result, Failure: Error>(_ path: String, _ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    lock.withLock { $0 = path }
    let outer = unsafe marks.pointee.enter(nil, .load)
    defer {
      unsafe marks.pointee.leave(outer)
      lock.withLock { $0 = nil }
    }
    return try body()
  }

  /// Waits until no other thread reads the names of a delegate that is about to go.
  func forget() { lock.withLock { _ in } }

  // MARK: - The watching thread, or any other

  /// The number of the outermost call under way; nil: there is none. The same number at two moments is the same call.
  public var turn: UInt? {
    unsafe marks.pointee.running.load(ordering: .acquiring) == 0 ? nil : marks.pointee.turn.load(ordering: .relaxed)
  }

  /// What is called just now, if it is within an outermost call; nil when that has ended.
  public func names(ofTurn turn: UInt) -> PluginCall? {
    lock.withLock { path in
      let mark = unsafe marks.pointee.running.load(ordering: .acquiring)
      guard mark != 0, unsafe marks.pointee.turn.load(ordering: .relaxed) == turn else { return nil }
      let what = mark >> Marks.addressBits
      let function = PluginFunction(rawValue: what & 0x1f) ?? .call
      guard let address = unsafe UnsafeRawPointer(bitPattern: Self.delegate(ofMark: mark)) else {
        return path.map { PluginCall(plugin: $0, delegate: nil, header: nil, function: function.word, event: nil) }
      }
      // The thread is in this call or leaves it just now; the delegate cannot end before the lock is free.
      let delegate = unsafe Unmanaged<PluginDelegate>.fromOpaque(address)
      let kind = function == .receive ? DelegateEventKind(rawValue: Int32(what >> 5)) : nil
      return unsafe delegate._withUnsafeGuaranteedRef { $0.marked(function.word, kind?.word) }
    }
  }
}

extension PluginCalls.Marks {
  static var addressBits: UInt { 48 }

  /// A call begins.
  /// - Returns: what `leave` is to be given: the call around it.
  @inline(__always)
  func enter(_ delegate: UnsafeRawPointer?, _ function: PluginFunction, kind: Int32 = 0) -> UInt {
    let outer = running.load(ordering: .relaxed)
    if outer == 0 { turn.store(turn.load(ordering: .relaxed) &+ 1, ordering: .relaxed) }
    let what = function.rawValue | UInt(truncatingIfNeeded: kind) << 5
    running.store(UInt(bitPattern: delegate) | what << Self.addressBits, ordering: .releasing)
    return outer
  }

  @inline(__always)
  func leave(_ outer: UInt) { running.store(outer, ordering: .releasing) }
}
