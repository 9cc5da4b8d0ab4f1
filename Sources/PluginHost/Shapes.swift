// SPDX-License-Identifier: MIT
//
// The core's shapes, wishes and curves from and to C. Initializers from C return nil for what the core does not know.

internal import CHeaderPlugin
internal import HeaderCore
internal import HeaderModel

extension Point {
  init(_ point: header_point) { self.init(x: point.x, y: point.y) }
}

extension Size {
  init(_ size: header_size) { self.init(width: size.width, height: size.height) }
}

extension Rect {
  init(_ rect: header_rect) { self.init(origin: Point(rect.origin), size: Size(rect.size)) }
}

extension Insets {
  init(_ insets: header_insets) {
    self.init(top: insets.top, left: insets.left, bottom: insets.bottom, right: insets.right)
  }
}

extension header_point {
  init(_ point: Point) { self.init(x: point.x, y: point.y) }
}

extension header_insets {
  init(_ insets: Insets) {
    self.init(top: insets.top, left: insets.left, bottom: insets.bottom, right: insets.right)
  }
}

extension ChainPolicy {
  init?(_ chain: header_chain) {
    guard let contracts = ChainEnd(rawValue: Int32(chain.contracts_first)),
      let expands = ChainEnd(rawValue: Int32(chain.expands_first))
    else { return nil }
    self.init()
    origin = chain.origin
    tail = chain.tail
    contractsFirst = contracts
    expandsFirst = expands
    writesTailInsets = chain.writes_tail_insets
    hidesPassedDrawers = chain.hides_passed_drawers
  }
}

extension header_chain {
  init(_ policy: ChainPolicy) {
    self.init(
      origin: policy.origin, tail: policy.tail, contracts_first: UInt8(policy.contractsFirst.rawValue),
      expands_first: UInt8(policy.expandsFirst.rawValue), writes_tail_insets: policy.writesTailInsets,
      hides_passed_drawers: policy.hidesPassedDrawers)
  }
}

extension Wants {
  init?(_ wants: header_wants) {
    self.init()
    prefersStatusBarHidden = wants.prefers_status_bar_hidden
    switch Int(wants.preferred_status_bar_style) {
    case HEADER_STYLE_NONE: preferredStatusBarStyle = nil
    case HEADER_STYLE_DEFAULT: preferredStatusBarStyle = .default
    case HEADER_STYLE_LIGHT_CONTENT: preferredStatusBarStyle = .lightContent
    case HEADER_STYLE_DARK_CONTENT: preferredStatusBarStyle = .darkContent
    default: return nil
    }
    if wants.has_additional_safe_area_inset { additionalSafeAreaInset = Insets(wants.additional_safe_area_inset) }
    if wants.has_top_layout_guide_length { topLayoutGuideLength = wants.top_layout_guide_length }
  }
}

extension header_wants {
  init(_ wants: Wants) {
    self.init()
    struct_size = UInt32(MemoryLayout<header_wants>.size)
    prefers_status_bar_hidden = wants.prefersStatusBarHidden
    switch wants.preferredStatusBarStyle {
    case nil: preferred_status_bar_style = UInt8(HEADER_STYLE_NONE)
    case .default: preferred_status_bar_style = UInt8(HEADER_STYLE_DEFAULT)
    case .lightContent: preferred_status_bar_style = UInt8(HEADER_STYLE_LIGHT_CONTENT)
    case .darkContent: preferred_status_bar_style = UInt8(HEADER_STYLE_DARK_CONTENT)
    }
    if let inset = wants.additionalSafeAreaInset {
      has_additional_safe_area_inset = true
      additional_safe_area_inset = header_insets(inset)
    }
    if let length = wants.topLayoutGuideLength {
      has_top_layout_guide_length = true
      top_layout_guide_length = length
    }
  }
}

extension AnimationCurve {
  init?(_ animation: header_animation) {
    switch Int(animation.curve) {
    case HEADER_CURVE_LINEAR: self = .linear
    case HEADER_CURVE_EASE_IN: self = .easeIn
    case HEADER_CURVE_EASE_OUT: self = .easeOut
    case HEADER_CURVE_EASE_IN_OUT: self = .easeInOut
    case HEADER_CURVE_SPRING:
      self = .spring(
        mass: animation.mass, stiffness: animation.stiffness, damping: animation.damping,
        initialVelocity: animation.initial_velocity)
    default: return nil
    }
  }
}
