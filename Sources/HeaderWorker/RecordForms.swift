// SPDX-License-Identifier: MIT
//
// The byte form of a state's records with references: values, wants, the position, and what happened.

internal import HeaderCore
internal import HeaderModel

extension FieldCoder where Self: ~Copyable {
  mutating func code(_ content: inout NamedValue.Content) throws(Malformed) {
    var type: UInt8 =
      switch content {
      case .null: 0
      case .bool(let flag): flag ? 2 : 1
      case .number: 3
      case .text: 4
      }
    try code(&type)
    switch type {
    case 0: content = .null
    case 1, 2: content = .bool(type == 2)
    case 3:
      var number = if case .number(let number) = content { number } else { 0.0 }
      try code(&number)
      content = .number(number)
    case 4:
      var text = if case .text(let text) = content { text } else { "" }
      try code(&text)
      content = .text(text)
    default: try require(false, "there is no value of type \(type)")
    }
  }

  mutating func code(_ wants: inout Wants) throws(Malformed) {
    try code(&wants.prefersStatusBarHidden)
    try code(&wants.preferredStatusBarStyle, .default) { coder, style throws(Malformed) in
      try coder.code(choice: &style)
    }
    try code(&wants.additionalSafeAreaInset, Insets()) { coder, inset throws(Malformed) in try coder.code(&inset) }
    try code(&wants.topLayoutGuideLength, 0) { coder, length throws(Malformed) in try coder.code(&length) }
  }

  mutating func code(_ position: inout PositionReport?) throws(Malformed) {
    let nowhere = Position(traveled: 0, travel: 0)
    try code(&position, PositionReport(position: nowhere, permitted: 0...1, motion: nil, constraints: [])) {
      coder, report throws(Malformed) in
      var (traveled, travel) = (report.position.traveled, report.position.travel)
      try coder.code(&traveled)
      try coder.code(&travel)
      report.position = Position(traveled: traveled, travel: travel)
      try coder.code(&report.permitted)
      try coder.code(&report.motion, 0) { coder, motion throws(Malformed) in
        try coder.code(&motion)
        try coder.require(motion >= 0, "there is no motion \(motion)")
      }
      try coder.code(&report.obstruction, Insets()) { coder, insets throws(Malformed) in try coder.code(&insets) }
      try coder.code(&report.constraints, ofAtLeast: 33, Constraint(name: "", permitted: 0...1)) {
        coder, constraint throws(Malformed) in
        try coder.code(&constraint.name)
        try coder.code(&constraint.permitted)
        try coder.code(&constraint.priority)
        try coder.code(&constraint.holder, "") { coder, holder throws(Malformed) in try coder.code(&holder) }
        try coder.code(&constraint.lease)
      }
    }
  }

  private mutating func code(_ lease: inout Constraint.Lease) throws(Malformed) {
    var seconds: Double =
      switch lease {
      case .none: -1
      case .connection: -2
      case .seconds(let seconds): seconds
      }
    try code(&seconds)
    lease = seconds == -2 ? .connection : seconds < 0 ? .none : .seconds(seconds)
  }

  // MARK: - What happened

  mutating func code(_ happened: inout HeaderState.Happened) throws(Malformed) {
    let notice = HeaderState.Notice(delegate: 0, name: .behavior(0), arguments: nil, isRoutine: false)
    try code(&happened.notices, ofAtLeast: 10, notice) { coder, notice throws(Malformed) in try coder.code(&notice) }
    let command = HeaderState.Command(scrollView: 0, name: "", arguments: [:])
    try code(&happened.commands, ofAtLeast: 12, command) { coder, command throws(Malformed) in
      try coder.code(&command.scrollView)
      try coder.require(
        coder.shape?.hasScrollView(command.scrollView) ?? true, "there is no scroll view \(command.scrollView)")
      try coder.code(&command.name)
      try coder.code(&command.arguments)
    }
    let animation = HeaderState.Animation(delegate: 0, duration: 0, delay: 0, curve: .linear)
    try code(&happened.animations, ofAtLeast: 21, animation) { coder, animation throws(Malformed) in
      try coder.code(delegate: &animation.delegate)
      try coder.code(&animation.duration)
      try coder.code(&animation.delay)
      try coder.code(&animation.curve)
    }
    let call = HeaderState.Call(delegate: 0, kind: .layout, depth: 0)
    try code(&happened.calls, ofAtLeast: 12, call) { coder, call throws(Malformed) in
      try coder.code(delegate: &call.delegate)
      var kind = call.kind.rawValue
      try coder.code(&kind)
      guard let given = DelegateEventKind(rawValue: kind) else {
        return try coder.require(false, "there is no event \(kind)")
      }
      call.kind = given
      try coder.code(&call.depth)
    }
    try code(&happened.explanation, HeaderState.Explained([:])) { coder, explanation throws(Malformed) in
      var record = explanation.record
      try coder.code(&record)
      explanation = HeaderState.Explained(record)
    }
  }

  private mutating func code(_ notice: inout HeaderState.Notice) throws(Malformed) {
    try code(&notice.delegate)
    var number = notice.name.number
    try code(&number)
    guard let name = HeaderState.Notice.Name(number: number), shape?.has(name, of: notice.delegate) ?? true else {
      return try require(false, "delegate \(notice.delegate) has no notice \(number)")
    }
    notice.name = name
    try code(&notice.isRoutine)
    try code(&notice.arguments, [:]) { coder, arguments throws(Malformed) in try coder.code(&arguments) }
  }

  private mutating func code(_ curve: inout AnimationCurve) throws(Malformed) {
    let plain: [AnimationCurve] = [.linear, .easeIn, .easeOut, .easeInOut]
    var place = UInt8(plain.firstIndex(of: curve) ?? plain.count)
    try code(&place)
    try require(place <= plain.count, "there is no curve \(place)")
    if place < plain.count { return curve = plain[Int(place)] }
    var (mass, stiffness, damping, velocity) = (0.0, 0.0, 0.0, 0.0)
    if case .spring(let m, let s, let d, let v) = curve { (mass, stiffness, damping, velocity) = (m, s, d, v) }
    try code(&mass)
    try code(&stiffness)
    try code(&damping)
    try code(&velocity)
    curve = .spring(mass: mass, stiffness: stiffness, damping: damping, initialVelocity: velocity)
  }

  mutating func code(_ observation: inout Header.Observation) throws(Malformed) {
    try code(&observation.recordsCalls)
    try code(&observation.explainsStates)
    var kept = UInt32(clamping: observation.explanations)
    try code(&kept)
    observation.explanations = Int(kept)
    try code(&observation.hasFollowers)
  }
}

extension HeaderState.Notice.Name {
  /// Notices of the header itself, not of a behavior.
  private static let ofHeader: [Self] = [
    .delegatePassedOver, .delegateOnlyObserves, .didArrive, .wasInterrupted, .didTriggerStretch, .didOscillate,
    .didLoseLeader,
  ]

  /// A behavior's notice by its place; the others from -1 downwards.
  fileprivate var number: Int32 {
    if case .behavior(let place) = self { return place }
    return -1 - Int32(Self.ofHeader.firstIndex(of: self) ?? 0)
  }

  fileprivate init?(number: Int32) {
    if number >= 0 {
      self = .behavior(number)
    } else {
      let place = Int(-1 - number)
      guard place < Self.ofHeader.count else { return nil }
      self = Self.ofHeader[place]
    }
  }
}
