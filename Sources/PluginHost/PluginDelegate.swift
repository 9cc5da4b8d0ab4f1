// SPDX-License-Identifier: MIT
//
// One C behavior as a delegate of the core. Events are handed over as they lie in memory. The plugin acts through the
// host table (HostTable.swift), whose functions find this delegate by the context. A rule broken inside such a function
// is recorded and thrown when the plugin's call returns.

internal import CHeaderPlugin
internal import Glibc
public import HeaderCore
public import HeaderModel

/// A behavior of a plugin within one header.
@safe public final class PluginDelegate: ScrollDelegate {
  private var isAttached = false
  /// A call in which it may read and change nothing.
  private var readsIn: PluginFunction?
  var mayClaim = false
  /// An option is being set or a call answered: elements may be claimed now. Which ones are the behavior's may depend on either.
  private(set) var isAsked = false
  /// Keeps the descriptions and the code.
  private let plugin: Plugin
  /// The plugin's at its thread, for counting a call without counting a reference.
  private let usage: Unmanaged<PluginUsage>
  /// Where the thread marks its calls.
  private let marks: UnsafeMutablePointer<PluginCalls.Marks>
  private let table: UnsafePointer<header_behavior>
  private var instance: UnsafeMutableRawPointer?
  /// The header of the present call; set while the instance may use the host's functions.
  var header: Unmanaged<Header>?
  /// What went wrong during the present call; nearly always nothing.
  private var trouble: Trouble? { didSet { hasTrouble = trouble != nil } }
  /// Whether there is trouble, in a flag that counts no reference.
  private var hasTrouble = false
  /// Holds the names that the instance asked for, until it receives another structure.
  private var names: NameTexts?
  /// Other memory that the instance asked for; most ask for none.
  private var lent: Lent?

  /// What stays where it is for an instance.
  @safe private final class Lent {
    /// Names of a structure that the instance has not received yet.
    var laterNames: [NameTexts] = []
    /// Holds the value that get_value gave last.
    var value: ValueArena?
    /// The description's `hosting`, and what holds it.
    var hosting: (value: UnsafePointer<header_value>, arena: ValueArena)?
  }

  /// A rule that was broken, and the reason that the plugin gave of its own refusal.
  private final class Trouble {
    var broken: DelegateFailure?
    var explanation: String?
  }

  /// Writes what the instance logs; nil: it is dropped.
  private let log: (any PluginLog)?
  private var hasWarnedOfTail = false
  /// The header's name for the watching thread; set once, before the first marked call in a header.
  private var headerName: String?

  init(name: String, plugin: Plugin, behavior: Int, thread: Int, log: (any PluginLog)?) throws(HeaderError) {
    self.plugin = plugin
    self.log = log
    unsafe usage = Unmanaged.passUnretained(plugin.usages[thread])
    unsafe marks = plugin.usages[thread].thread.marks
    unsafe table = plugin.tables[behavior]
    super.init(name: name, sharing: plugin.shared[behavior])
    let context = unsafe OpaquePointer(Unmanaged.passUnretained(self).toOpaque())
    unsafe instance = unmeasured(.create) {
      unsafe table.pointee.create(HostTable.address, context, table.pointee.user_data)
    }
    guard unsafe instance != nil, trouble?.broken == nil else {
      throw HeaderError(
        .behaviorFailed, "plugin \"\(plugin.name)\" made no instance of \(self.behavior.name)",
        hint: trouble?.broken?.reason ?? trouble?.explanation,
        facts: ["culprit": .text(name)])
    }
  }

  deinit {
    // An instance that was never attached outlives the header that it was made for.
    unsafe header = nil
    if let instance = unsafe instance { unmeasured(.destroy) { unsafe table.pointee.destroy(instance) } }
    unsafe usage._withUnsafeGuaranteedRef { $0.thread.forget() }
  }

  /// Marks a call that is not counted.
  private func unmeasured<Result>(_ function: PluginFunction, _ body: () -> Result) -> Result {
    let (mark, outer) = (unsafe marks.pointee.enter(address, function), readsIn)
    readsIn = function.onlyReads ? function : nil
    defer {
      readsIn = outer
      unsafe marks.pointee.leave(mark)
    }
    return body()
  }

  /// The present call as the watching thread sees it. Its names do not change.
  func marked(_ function: String, _ event: String?) -> PluginCall {
    PluginCall(plugin: plugin.name, delegate: name, header: headerName, function: function, event: event)
  }

  /// Keeps the header's name for the watching thread.
  private func noteName(of header: Header) { if headerName == nil { headerName = header.name } }

  // MARK: Calls into the instance

  /// The delegate's address, for the thread's marks.
  private var address: UnsafeRawPointer { unsafe UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }

  /// Runs one call and turns its result, and any rule broken on the way, into the core's failure.
  func run(
    _ function: PluginFunction, in header: Header, mayRefuse: Bool = false, _ body: (UnsafeMutableRawPointer) -> Int32
  ) throws(DelegateFailure) {
    guard let instance = unsafe instance else { throw .failed("it has no instance") }
    unsafe self.header = Unmanaged.passUnretained(header)
    header.refresh(for: self)
    let outer = try hasTrouble ? putTroubleAside() : nil
    let start = unsafe usage._withUnsafeGuaranteedRef { $0.begin() }
    let result = unmeasured(function) { unsafe body(instance) }
    if let start { unsafe usage._withUnsafeGuaranteedRef { $0.end(start) } }
    if result != HEADER_OK || hasTrouble || outer != nil {
      try ended(result, outer, function, mayRefuse: mayRefuse)
    }
  }

  /// A call may be nested in another of the same instance, which has its own say. Once that has broken a rule it brings about no call:
  /// a rule that is broken already was broken in a function without a result, such as `responds`.
  @inline(never)
  private func putTroubleAside() throws(DelegateFailure) -> Trouble? {
    defer { trouble = nil }
    if let failure = trouble?.broken { throw failure }
    return trouble
  }

  /// A call into the instance has ended, and something was wrong with it or with the one around it.
  @inline(never)
  private func ended(
    _ result: Int32, _ outer: Trouble?, _ function: PluginFunction, mayRefuse: Bool
  ) throws(DelegateFailure) {
    let own = trouble
    trouble = outer
    if let failure = own?.broken { throw failure }
    try fail(result, function.word, mayRefuse: mayRefuse, own?.explanation)
  }

  @inline(never)
  private func fail(
    _ result: Int32, _ what: String, mayRefuse: Bool, _ reason: String?
  ) throws(DelegateFailure) {
    switch Int(result) {
    case HEADER_OK: return
    case HEADER_REFUSED where mayRefuse: throw .refused(reason ?? "it gives no reason")
    case HEADER_REFUSED: throw .failed(reason ?? "\(what) refused, it gives no reason")
    case HEADER_FAILED: throw .failed(reason ?? "\(what) failed, it gives no reason")
    default: throw .failed("\(what) returned \(result), expected HEADER_OK, HEADER_REFUSED or HEADER_FAILED")
    }
  }

  public override var responds: EventSet {
    guard let responds = unsafe table.pointee.responds, let instance = unsafe instance else { return behavior.events }
    return EventSet(rawValue: unmeasured(.responds) { unsafe responds(instance) }).intersection(behavior.events)
  }

  public override func setOption(_ index: Int, _ value: Value, in header: Header) throws(DelegateFailure) {
    let arena = ValueArena()
    let pointer = unsafe arena.pointer(to: value)
    defer { withExtendedLifetime(arena) {} }
    isAsked = true
    defer { isAsked = false }
    noteName(of: header)
    try unsafe run(.setOption, in: header, mayRefuse: true) {
      unsafe table.pointee.set_option($0, UInt32(index), pointer)
    }
  }

  public override func attach(to header: Header) throws(DelegateFailure) {
    mayClaim = true
    defer { mayClaim = false }
    isAttached = true
    noteName(of: header)
    try unsafe run(.attach, in: header, mayRefuse: true) { unsafe table.pointee.attach($0) }
  }

  public override func detach(from header: Header) {
    if isAttached, let detach = unsafe table.pointee.detach, let instance = unsafe instance {
      header.refresh(for: self)
      unmeasured(.detach) { unsafe detach(instance) }
    }
    isAttached = false
    unsafe self.header = nil
  }

  public override func receive(
    _ event: PassingEvent, _ answer: inout DelegateAnswer, in header: Header
  ) throws(DelegateFailure) {
    // Drawers that are new have no owner yet.
    let structure = unsafe event.address.pointee.given.contains(.structure)
    if structure {
      mayClaim = true
      forgetNames()
    }
    defer { if structure { mayClaim = false } }
    // The instance gets its own copy: what it writes there reaches no other delegate.
    var passed = unsafe event.address.pointee
    if let side { translate(&passed, side, in: header) }
    // What `run` does for the other functions, written out: this one is called for every event.
    unsafe self.header = Unmanaged.passUnretained(header)
    let outer = try hasTrouble ? putTroubleAside() : nil
    let start = unsafe usage._withUnsafeGuaranteedRef { $0.begin() }
    let mark = unsafe marks.pointee.enter(address, .receive, kind: passed.kind.rawValue)
    let result = unsafe withUnsafeMutablePointer(to: &answer) { answer in
      let raw = unsafe UnsafeMutableRawPointer(answer).assumingMemoryBound(to: header_answer.self)
      return unsafe withUnsafeMutablePointer(to: &passed) { passed in
        let event = unsafe UnsafeRawPointer(passed).assumingMemoryBound(to: header_event.self)
        return unsafe table.pointee.receive.unsafelyUnwrapped(instance, event, raw)
      }
    }
    unsafe marks.pointee.leave(mark)
    if let start { unsafe usage._withUnsafeGuaranteedRef { $0.end(start) } }
    if let side { translate(&answer, to: unsafe event.address.pointee, side, in: header) }
    if result != HEADER_OK || hasTrouble || outer != nil { try ended(result, outer, .receive, mayRefuse: false) }
  }

  public override func call(_ index: Int, _ arguments: Value.Record, in header: Header) throws(DelegateFailure) -> Value
  {
    guard let call = unsafe table.pointee.call else { throw .refused("it answers no calls") }
    let arena = ValueArena()
    let pointer = unsafe arena.pointer(to: .record(arguments))
    defer { withExtendedLifetime(arena) {} }
    var result = unsafe header_value()
    isAsked = true
    defer { isAsked = false }
    try unsafe run(.call, in: header, mayRefuse: true) { unsafe call($0, UInt32(index), pointer, &result) }
    return try unsafe read(result, "what call \"\(behavior.calls[index].name)\" returned")
  }

  private func read(_ value: header_value, _ what: String) throws(DelegateFailure) -> Value {
    do {
      return try unsafe Value(value)
    } catch {
      throw .failed("\(what) is malformed: \(error.reason)")
    }
  }

  public override func layout(in header: Header) throws(DelegateFailure) {
    guard let layout = unsafe table.pointee.layout else { return }
    try unsafe run(.layout, in: header) { unsafe layout($0) }
  }

  public override func frame(duration: Double, in header: Header) throws(DelegateFailure) {
    guard let frame = unsafe table.pointee.frame else { throw .failed("it asked for frames and has no frame function") }
    try unsafe run(.frame, in: header) { unsafe frame($0, duration) }
  }

  public override func timer(_ token: UInt64, in header: Header) throws(DelegateFailure) {
    guard let timer = unsafe table.pointee.timer else { throw .failed("it started a timer and has no timer function") }
    try unsafe run(.timer, in: header) { unsafe timer($0, token) }
  }

  public override func completion(_ token: UInt64, in header: Header) throws(DelegateFailure) {
    guard let completion = unsafe table.pointee.completion else {
      throw .failed("it asked for a completion and has no completion function")
    }
    try unsafe run(.completion, in: header) { unsafe completion($0, token) }
  }

  public override func afterEvent(_ token: UInt64, in header: Header) throws(DelegateFailure) {
    guard let work = unsafe table.pointee.after_event else {
      throw .failed("it put off work and has no after_event function")
    }
    try unsafe run(.afterEvent, in: header) { unsafe work($0, token) }
  }

  public override func save(in header: Header) throws(DelegateFailure) -> SavedState {
    guard let save = unsafe table.pointee.save else { return SavedState(version: behavior.savedVersion, state: .null) }
    var saved = unsafe header_saved()
    unsafe saved.struct_size = UInt32(MemoryLayout<header_saved>.size)
    unsafe saved.version = UInt32(behavior.savedVersion)
    try unsafe run(.save, in: header) { unsafe save($0, &saved) }
    guard let state = unsafe saved.state else { return SavedState(version: behavior.savedVersion, state: .null) }
    let value = try unsafe read(state.pointee, "what it saved")
    let bytes = value.jsonLength
    guard bytes <= header.limits.savedBytes else {
      throw .failed("what it saved takes \(bytes) bytes as JSON, at most \(header.limits.savedBytes) are allowed")
    }
    return SavedState(version: unsafe Int(saved.version), state: value)
  }

  public override func restore(_ saved: SavedState, in header: Header) throws(DelegateFailure) {
    guard let restore = unsafe table.pointee.restore else { return try attach(to: header) }
    mayClaim = true
    defer { mayClaim = false }
    isAttached = true
    noteName(of: header)
    let arena = ValueArena()
    var given = unsafe header_saved()
    unsafe given.struct_size = UInt32(MemoryLayout<header_saved>.size)
    unsafe given.version = UInt32(saved.version)
    unsafe given.state = unsafe arena.pointer(to: saved.state)
    defer { withExtendedLifetime(arena) {} }
    try unsafe run(.restore, in: header, mayRefuse: true) { unsafe restore($0, &given) }
  }

  // MARK: Position
  //
  // The extension header.position/1 of an instance: its position, and moves to another one. It is looked up when it is needed, which is
  // seldom.

  /// The instance's table; nil: it has none that can be used.
  private var positionTable: UnsafePointer<header_position>? {
    guard let look = unsafe self.table.pointee.get_extension, let instance = unsafe instance else { return nil }
    let found = unsafe HEADER_POSITION.withCString { id in
      unsafe unmeasured(.getExtension) { unsafe look(instance, id) }
    }
    guard let address = unsafe found else { return nil }
    let table = unsafe address.assumingMemoryBound(to: header_position.self)
    guard unsafe Int(table.pointee.struct_size) >= MemoryLayout<header_position>.size else { return nil }
    let isWhole = unsafe table.pointee.position != nil && table.pointee.move != nil && table.pointee.permit != nil
    return unsafe table.pointee.moves_chain || isWhole ? table : nil
  }

  public override var positioning: Positioning {
    guard let table = unsafe positionTable else { return .none }
    return unsafe table.pointee.moves_chain ? .chain : .own
  }

  public override func position(in header: Header) throws(DelegateFailure) -> Position {
    guard let ask = unsafe positionTable?.pointee.position else { throw .failed("it has no position") }
    var (traveled, travel) = (0.0, 0.0)
    try unsafe run(.position, in: header) { unsafe ask($0, &traveled, &travel) }
    guard traveled.isFinite, travel.isFinite, abs(traveled) <= FieldReader.bound,
      (0...FieldReader.bound).contains(travel)
    else {
      throw .failed(
        "its position is \(Value.number(traveled).brief) of \(Value.number(travel).brief), expected numbers of points")
    }
    return Position(traveled: traveled, travel: travel)
  }

  public override func move(to traveled: Double, in header: Header) throws(DelegateFailure) {
    guard let move = unsafe positionTable?.pointee.move else { throw .failed("it has no position") }
    try unsafe run(.move, in: header) { unsafe move($0, traveled) }
  }

  public override func permit(_ range: ClosedRange<Double>, in header: Header) throws(DelegateFailure) {
    guard let permit = unsafe positionTable?.pointee.permit else { throw .failed("it has no position") }
    try unsafe run(.permit, in: header) { unsafe permit($0, range.lowerBound, range.upperBound) }
  }

  public override func place(of drawer: Int, in header: Header) throws(DelegateFailure) -> DrawerPlace? {
    guard let ask = unsafe positionTable?.pointee.drawer, drawer >= 0 else { return nil }
    var place = header_drawer_place()
    try unsafe run(.drawer, in: header) { unsafe ask($0, UInt32(drawer), &place) }
    for number in [place.gone, place.collapse, place.shift] where !(abs(number) <= FieldReader.bound) {
      throw .failed("its drawer \(drawer) is gone by \(Value.number(number).brief), expected numbers of points")
    }
    return DrawerPlace(gone: place.gone, collapse: place.collapse, shift: place.shift)
  }

  public override func position(
    where drawer: Int, isGone points: Double, in header: Header
  ) throws(DelegateFailure) -> Double? {
    guard let ask = unsafe positionTable?.pointee.reach, drawer >= 0 else { return nil }
    var traveled = 0.0
    try unsafe run(.reach, in: header) { unsafe ask($0, UInt32(drawer), points, &traveled) }
    guard abs(traveled) <= FieldReader.bound else {
      throw .failed("its drawer \(drawer) is there at \(Value.number(traveled).brief), expected a number of points")
    }
    return traveled
  }

  public override func stops(in header: Header) throws(DelegateFailure) -> [NamedStop] {
    guard let ask = unsafe positionTable?.pointee.stops else { return [] }
    var list: UnsafePointer<header_stop>?
    var count: UInt32 = 0
    try unsafe run(.stops, in: header) {
      count = unsafe ask($0, &list)
      return Int32(HEADER_OK)
    }
    guard count > 0 else { return [] }
    guard count <= 256, let list = unsafe list else { throw .failed("its stops are missing or more than 256") }
    var stops: [NamedStop] = []
    for index in 0..<Int(count) {
      let stop = unsafe list[index]
      guard let text = unsafe stop.name, let name = unsafe String(validatingCString: text), Names.isName(name) else {
        throw .failed("the name of stop \(index) is no name")
      }
      let progress = unsafe stop.progress
      guard (0...1).contains(progress) else {
        throw .failed("stop \"\(name)\" is at \(Value.number(progress).brief), expected 0 to 1")
      }
      stops.append(NamedStop(name: name, progress: progress))
    }
    return stops
  }

  // MARK: For the host table

  /// The header that the instance may act on, nil before `attach`.
  var actingHeader: Unmanaged<Header>? { unsafe isAttached ? header : nil }

  /// Whether nothing speaks against a change by the instance; otherwise `objection` says what does.
  @inline(__always)
  func mayAct(in header: Header) -> Bool {
    !hasTrouble && readsIn == nil && !(index >= 0 && header.isBypassed(Int(index)))
  }

  /// Why the instance may change nothing now, nil when it may.
  @inline(never)
  func objection(in header: Header) -> DelegateFailure? {
    if let readsIn { return .failed("it changed something in \(readsIn.word)") }
    // It broke a rule and has not returned yet, or a nested call of it did: what it does on its way out does not count.
    return trouble?.broken ?? (index >= 0 && header.isBypassed(Int(index)) ? .failed("it is bypassed") : nil)
  }

  /// Remembers the first rule broken during the present call.
  func noteViolation(_ failure: DelegateFailure) {
    let trouble = trouble ?? Trouble()
    if trouble.broken == nil { trouble.broken = failure }
    self.trouble = trouble
  }

  /// Writes a line of the instance's to the log.
  func writeLog(_ level: UInt8, _ text: UnsafePointer<CChar>) {
    // An unknown level may be an important one.
    writeLog(LogLevel(number: level) ?? .warning, unsafe logMessage(text))
  }

  /// Logs once that a behavior asks for the tail of a chain that has none.
  func warnOfMissingTail() {
    guard !hasWarnedOfTail else { return }
    hasWarnedOfTail = true
    writeLog(
      .warning,
      "follow_tail does nothing: the chain has no tail (set_chain), so nobody writes the content's insets")
  }

  private func writeLog(_ level: LogLevel, _ text: @autoclosure () -> String) {
    guard let log, log.isWritten(level) else { return }
    let name = unsafe header?._withUnsafeGuaranteedRef { $0.name }
    log.write(
      PluginLogLine(
        level: level, plugin: plugin.name, behavior: behavior.name, header: name,
        message: text()))
  }

  func explain(_ reason: String) {
    let trouble = trouble ?? Trouble()
    trouble.explanation = String(reason.prefix(1024))
    self.trouble = trouble
  }

  /// A name whose memory is valid until the instance receives another structure; nil when there is none.
  func name(of list: NameTexts.List, at index: Int, in header: Header) -> UnsafePointer<CChar>? {
    let texts = header.state.names.texts
    if let names, names !== texts {
      let lent = lentThings()
      if lent.laterNames.last !== texts { lent.laterNames.append(texts) }
    } else {
      names = texts
    }
    return unsafe texts.text(of: list, at: index)
  }

  /// Drops the names of the old structure.
  private func forgetNames() {
    names = nil
    lent?.laterNames = []
  }

  private func lentThings() -> Lent {
    let things = lent ?? Lent()
    lent = things
    return things
  }

  /// A value as a C tree, valid until the next one is lent.
  func lend(_ value: Value) -> UnsafePointer<header_value> {
    let arena = ValueArena()
    lentThings().value = arena
    return unsafe arena.pointer(to: value)
  }

  /// The description's `hosting` as a C tree.
  func hosting(of header: Header) -> UnsafePointer<header_value> {
    let lent = lentThings()
    if let known = unsafe lent.hosting { return unsafe known.value }
    let arena = ValueArena()
    let value = unsafe arena.pointer(to: .record(header.hosting))
    unsafe lent.hosting = unsafe (value, arena)
    return unsafe value
  }
}
