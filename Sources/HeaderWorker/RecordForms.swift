// SPDX-License-Identifier: MIT
//
// The records of a state in bytes. What a record is made of stands here twice, once for writing and once for reading, field by
// field in the order of its declaration.

internal import HeaderCore

extension ByteWriter {
  mutating func put(_ point: Point) {
    put(point.x)
    put(point.y)
  }

  mutating func put(_ size: Size) {
    put(size.width)
    put(size.height)
  }

  mutating func put(_ rect: Rect) {
    put(rect.origin)
    put(rect.size)
  }

  mutating func put(_ insets: Insets) {
    put(insets.top)
    put(insets.left)
    put(insets.bottom)
    put(insets.right)
  }

  mutating func put(_ drawer: Drawer) {
    put(drawer.center)
    put(drawer.size)
    put(drawer.translation)
    put(drawer.minimumHeight)
    put(drawer.maximumHeight)
    put(drawer.alpha)
    put(choice: drawer.fade)
    put(drawer.firstElement)
    put(drawer.elementCount)
    put(drawer.isHidden)
    put(drawer.isSticky)
  }

  mutating func put(_ element: Element) {
    put(element.center)
    put(element.bounds)
    for row in [element.transform.row1, element.transform.row2, element.transform.row3, element.transform.row4] {
      for number in [row.m1, row.m2, row.m3, row.m4] { put(number) }
    }
    put(element.zIndex)
    put(element.cornerRadius)
    put(element.alpha)
    put(element.drawer)
    put(element.isHidden)
    put(element.isChanged)
  }

  mutating func put(_ view: ScrollView) {
    put(view.contentOffset)
    put(view.contentSize)
    put(view.contentInset)
    put(view.scrollIndicatorInsets)
    put(view.frame)
    put(view.viewport)
    put(view.adjustedContentInset)
    put(view.correction)
    put(view.refreshControlHeight)
    put(view.boundsAnimationDuration)
    put(choice: view.kind)
    put(choice: view.contentInsetAdjustment)
    put(choice: view.clamping)
    put(view.flags)
  }

  mutating func put(_ value: NamedValue) {
    put(value.delegate)
    switch value.content {
    case .null: put(UInt8(0))
    case .bool(let flag): put(flag ? UInt8(2) : UInt8(1))
    case .number(let number):
      put(UInt8(3))
      put(number)
    case .text(let text):
      put(UInt8(4))
      put(text)
    }
  }

  mutating func put(_ wants: Wants) {
    put(wants.prefersStatusBarHidden)
    put(wants.preferredStatusBarStyle != nil)
    if let style = wants.preferredStatusBarStyle { put(choice: style) }
    put(wants.additionalSafeAreaInset != nil)
    if let insets = wants.additionalSafeAreaInset { put(insets) }
    put(optional: wants.topLayoutGuideLength)
  }
}

extension ScrollView {
  /// Its flags, each a bit.
  fileprivate var flags: UInt16 {
    get {
      func bit(_ flag: Bool, _ number: UInt16) -> UInt16 { flag ? 1 << number : 0 }
      let motion = bit(isTracking, 0) | bit(isDragging, 1) | bit(isDecelerating, 2) | bit(isAnimating, 3)
      let control = bit(hasRefreshControl, 5) | bit(refreshControlHidden, 6) | bit(isRefreshing, 7)
      let decided = bit(decidesIndicatorInsets, 9) | bit(decidesFrame, 10) | bit(decidesContentSize, 11)
      return motion | bit(pagingEnabled, 4) | control | bit(forwardsEvents, 8) | decided
    }
    set {
      func bit(_ number: UInt16) -> Bool { newValue & 1 << number != 0 }
      (isTracking, isDragging, isDecelerating, isAnimating) = (bit(0), bit(1), bit(2), bit(3))
      (pagingEnabled, forwardsEvents) = (bit(4), bit(8))
      (hasRefreshControl, refreshControlHidden, isRefreshing) = (bit(5), bit(6), bit(7))
      (decidesIndicatorInsets, decidesFrame, decidesContentSize) = (bit(9), bit(10), bit(11))
    }
  }
}

extension ByteReader {
  mutating func point() throws(Malformed) -> Point { Point(x: try double(), y: try double()) }

  mutating func size() throws(Malformed) -> Size { Size(width: try double(), height: try double()) }

  mutating func rect() throws(Malformed) -> Rect { Rect(origin: try point(), size: try size()) }

  mutating func insets() throws(Malformed) -> Insets {
    let (top, left, bottom, right) = (try double(), try double(), try double(), try double())
    return Insets(top: top, left: left, bottom: bottom, right: right)
  }

  private mutating func alpha() throws(Malformed) -> Float {
    let alpha = try float()
    guard (0...1).contains(alpha) else { throw Malformed("an alpha is \(alpha)") }
    return alpha
  }

  private mutating func row() throws(Malformed) -> Transform.Row {
    Transform.Row(try double(), try double(), try double(), try double())
  }

  mutating func read(_ drawer: inout Drawer, _ elements: Range<Int32>) throws(Malformed) {
    drawer.center = try point()
    drawer.size = try size()
    drawer.translation = try point()
    drawer.minimumHeight = try double()
    drawer.maximumHeight = try double()
    drawer.alpha = try alpha()
    drawer.fade = try choice()
    drawer.firstElement = try number()
    drawer.elementCount = try number()
    guard drawer.firstElement == elements.lowerBound, drawer.elementCount == elements.count else {
      throw Malformed("a drawer has other elements than its description")
    }
    drawer.isHidden = try flag()
    drawer.isSticky = try flag()
  }

  mutating func read(_ element: inout Element, _ shape: StateShape) throws(Malformed) {
    element.center = try point()
    element.bounds = try rect()
    element.transform.row1 = try row()
    element.transform.row2 = try row()
    element.transform.row3 = try row()
    element.transform.row4 = try row()
    element.zIndex = try double()
    element.cornerRadius = try double()
    element.alpha = try alpha()
    element.drawer = try number()
    guard element.drawer >= 0, element.drawer < Int32(shape.drawers.count) else {
      throw Malformed("there is no drawer \(element.drawer)")
    }
    element.isHidden = try flag()
    element.isChanged = try flag()
  }

  mutating func read(_ view: inout ScrollView) throws(Malformed) {
    view.contentOffset = try point()
    view.contentSize = try size()
    view.contentInset = try insets()
    view.scrollIndicatorInsets = try insets()
    view.frame = try rect()
    view.viewport = try size()
    view.adjustedContentInset = try insets()
    view.correction = try point()
    view.refreshControlHeight = try double()
    view.boundsAnimationDuration = try double()
    view.kind = try choice()
    view.contentInsetAdjustment = try choice()
    view.clamping = try choice()
    view.flags = try number()
  }

  /// One of the delegates.
  mutating func delegate(_ shape: StateShape) throws(Malformed) -> Int32 {
    let delegate: Int32 = try number()
    guard delegate >= 0, Int(delegate) < shape.notices.count else {
      throw Malformed("there is no delegate \(delegate)")
    }
    return delegate
  }

  mutating func read(_ value: inout NamedValue, of delegate: Int32) throws(Malformed) {
    value.delegate = try number()
    guard value.delegate == delegate else { throw Malformed("a value is not delegate \(value.delegate)'s") }
    switch try number(UInt8.self) {
    case 0: value.content = .null
    case 1: value.content = .bool(false)
    case 2: value.content = .bool(true)
    case 3: value.content = .number(try double())
    case 4: value.content = .text(try text())
    case let other: throw Malformed("there is no value of type \(other)")
    }
  }

  mutating func wants() throws(Malformed) -> Wants {
    var wants = Wants()
    wants.prefersStatusBarHidden = try flag()
    if try flag() { wants.preferredStatusBarStyle = try choice() }
    if try flag() { wants.additionalSafeAreaInset = try insets() }
    wants.topLayoutGuideLength = try optionalDouble()
    return wants
  }
}

// MARK: - Position

extension ByteWriter {
  mutating func put(_ report: PositionReport?) {
    put(report != nil)
    guard let report else { return }
    put(report.position.traveled)
    put(report.position.travel)
    put(report.permitted.lowerBound)
    put(report.permitted.upperBound)
    put(Int64(report.motion ?? -1))
    put(report.obstruction != nil)
    if let insets = report.obstruction {
      for edge in [insets.top, insets.left, insets.bottom, insets.right] { put(edge) }
    }
    put(UInt32(report.constraints.count))
    for constraint in report.constraints {
      put(constraint.name)
      put(constraint.permitted.lowerBound)
      put(constraint.permitted.upperBound)
      put(Int64(constraint.priority))
      put(constraint.holder != nil)
      if let holder = constraint.holder { put(holder) }
      switch constraint.lease {
      case .none: put(Double(-1))
      case .connection: put(Double(-2))
      case .seconds(let seconds): put(seconds)
      }
    }
  }
}

extension ByteReader {
  mutating func position() throws(Malformed) -> PositionReport? {
    guard try flag() else { return nil }
    let position = Position(traveled: try double(), travel: try double())
    let permitted = try progressRange()
    let motion: Int64 = try number()
    let obstruction = try flag() ? try insets() : nil
    var constraints: [Constraint] = []
    for _ in 0..<(try count(ofAtLeast: 37)) {
      var constraint = Constraint(
        name: try text(), permitted: try progressRange(), priority: Int(try number(Int64.self)))
      if try flag() { constraint.holder = try text() }
      let lease = try double()
      constraint.lease = lease == -2 ? .connection : lease < 0 ? .none : .seconds(lease)
      constraints.append(constraint)
    }
    return PositionReport(
      position: position, permitted: permitted, motion: motion < 0 ? nil : Int(motion), constraints: constraints,
      obstruction: obstruction)
  }

  private mutating func progressRange() throws(Malformed) -> ClosedRange<Double> {
    let (low, high) = (try double(), try double())
    guard 0 <= low, low <= high, high <= 1 else { throw Malformed("\(low) to \(high) is no range of progress") }
    return low...high
  }
}

// MARK: - What happened

extension ByteWriter {
  mutating func put(_ happened: HeaderState.Happened) {
    put(UInt32(happened.notices.count))
    for notice in happened.notices {
      put(notice.delegate)
      switch notice.name {
      case .behavior(let number): put(number)
      case .delegatePassedOver: put(Int32(-1))
      case .delegateOnlyObserves: put(Int32(-2))
      case .didArrive: put(Int32(-3))
      case .wasInterrupted: put(Int32(-4))
      case .didTriggerStretch: put(Int32(-5))
      case .didOscillate: put(Int32(-6))
      case .didLoseLeader: put(Int32(-7))
      }
      put(notice.isRoutine)
      put(notice.arguments != nil)
      if let arguments = notice.arguments { put(.record(arguments)) }
    }
    put(UInt32(happened.commands.count))
    for command in happened.commands {
      put(command.scrollView)
      put(command.name)
      put(.record(command.arguments))
    }
    put(UInt32(happened.animations.count))
    for animation in happened.animations {
      put(animation.delegate)
      put(animation.duration)
      put(animation.delay)
      put(animation.curve)
    }
    put(UInt32(happened.calls.count))
    for call in happened.calls {
      put(call.delegate)
      put(call.kind.rawValue)
      put(call.depth)
    }
    put(happened.explanation != nil)
    if let explanation = happened.explanation { put(.record(explanation.record)) }
  }

  mutating func put(_ observation: Header.Observation) {
    put(observation.recordsCalls)
    put(observation.explainsStates)
    put(UInt32(clamping: observation.explanations))
    put(observation.isLed)
  }

  private mutating func put(_ curve: AnimationCurve) {
    switch curve {
    case .linear: put(UInt8(0))
    case .easeIn: put(UInt8(1))
    case .easeOut: put(UInt8(2))
    case .easeInOut: put(UInt8(3))
    case .spring(let mass, let stiffness, let damping, let velocity):
      put(UInt8(4))
      for number in [mass, stiffness, damping, velocity] { put(number) }
    }
  }
}

extension ByteReader {
  mutating func happened(_ shape: StateShape) throws(Malformed) -> HeaderState.Happened {
    var happened = HeaderState.Happened()
    for _ in 0..<(try count(ofAtLeast: 10)) { happened.notices.append(try notice(shape)) }
    for _ in 0..<(try count(ofAtLeast: 10)) {
      let view: Int32 = try number()
      guard view >= -1, view < Int32(shape.scrollViews) else { throw Malformed("there is no scroll view \(view)") }
      happened.commands.append(
        HeaderState.Command(scrollView: view, name: try text(), arguments: try record()))
    }
    for _ in 0..<(try count(ofAtLeast: 21)) {
      let delegate = try delegate(shape)
      happened.animations.append(
        HeaderState.Animation(
          delegate: delegate, duration: try double(), delay: try double(), curve: try curve()))
    }
    for _ in 0..<(try count(ofAtLeast: 12)) {
      let delegate = try delegate(shape)
      guard let kind = DelegateEventKind(rawValue: try number()) else { throw Malformed("there is no such event") }
      happened.calls.append(HeaderState.Call(delegate: delegate, kind: kind, depth: try number()))
    }
    if try flag() { happened.explanation = HeaderState.Explained(try record()) }
    return happened
  }

  mutating func observation() throws(Malformed) -> Header.Observation {
    Header.Observation(
      recordsCalls: try flag(), explainsStates: try flag(), explanations: Int(try number(UInt32.self)),
      isLed: try flag())
  }

  private mutating func notice(_ shape: StateShape) throws(Malformed) -> HeaderState.Notice {
    let delegate: Int32 = try number()
    let isThere = delegate >= 0 && Int(delegate) < shape.notices.count
    let name: HeaderState.Notice.Name
    switch try number(Int32.self) {
    case -1: name = .delegatePassedOver
    case -2: name = .delegateOnlyObserves
    case -3: name = .didArrive
    case -4: name = .wasInterrupted
    case -5: name = .didTriggerStretch
    case -6: name = .didOscillate
    case -7: name = .didLoseLeader
    case let number where isThere && number >= 0 && Int(number) < shape.notices[Int(delegate)]: name = .behavior(number)
    case let number: throw Malformed("there is no notice \(number)")
    }
    guard isThere || (delegate == -1 && name.isOfHeader) else { throw Malformed("there is no delegate \(delegate)") }
    let isRoutine = try flag()
    let arguments = try flag() ? try record() : nil
    return HeaderState.Notice(delegate: delegate, name: name, arguments: arguments, isRoutine: isRoutine)
  }

  private mutating func curve() throws(Malformed) -> AnimationCurve {
    switch try number(UInt8.self) {
    case 0: return .linear
    case 1: return .easeIn
    case 2: return .easeOut
    case 3: return .easeInOut
    case 4:
      let (mass, stiffness, damping, velocity) = (try double(), try double(), try double(), try double())
      return .spring(mass: mass, stiffness: stiffness, damping: damping, initialVelocity: velocity)
    case let other: throw Malformed("there is no curve \(other)")
    }
  }
}
