// SPDX-License-Identifier: MIT
//
// Parts that depend on the header's place but do not move it: the shadow, whether it is hidden, the scroll indicators, the hairline, the
// style of the status bar, and the targets of touches.

private import Glibc
internal import HeaderPluginKit

/// Which layer has the shadow.
enum ShadowSource: String, CaseIterable {
  case viewLayer, custom, defaultLayer
}

/// The header's shadow. Opacities are single precision.
struct Shadow {
  /// Which layer has it; once a custom one was set, the view's layer has none any more.
  var source = ShadowSource.viewLayer
  var viewOpacity: Float = 0
  var defaultOpacity: Float = 0
  /// 0…1.
  var intensity = 0.0
  /// Publishes shadow intensities.
  var tellsIntensity = false

  /// The opacity of the layer in use.
  var opacity: Float { source == .viewLayer ? viewOpacity : defaultOpacity }
}

/// A color, 0…1.
struct Color: Equatable {
  var red: Double
  var green: Double
  var blue: Double
  var alpha: Double

  /// Whether white text on it can be read: 4.5 to 1, as WCAG has it. The constants pass through single precision.
  var takesWhiteText: Bool {
    func linear(_ component: Double) -> Double {
      component <= Double(Float(0.03928))
        ? component / Double(Float(12.92))
        : pow((component + Double(Float(0.055))) / Double(Float(1.055)), Double(Float(2.4)))
    }
    let luminance =
      Double(Float(0.2126)) * linear(red) + Double(Float(0.7152)) * linear(green)
      + Double(Float(0.0722)) * linear(blue)
    return Double(Float(1.05)) / (luminance + Double(Float(0.05))) >= 4.5
  }
}

extension Color {
  /// As CSS writes it: #rrggbbaa.
  var text: String {
    let digits = Array("0123456789abcdef")
    var text = "#"
    for component in [red, green, blue, alpha] {
      let byte = Int((max(0, min(1, component)) * 255).rounded())
      text.append(digits[byte / 16])
      text.append(digits[byte % 16])
    }
    return text
  }
}

extension FlexibleHeader {
  // MARK: Elevation

  /// The header's elevation above everything: its own above its parent's.
  var absoluteElevation: Double { max(0, baseElevation) + elevation }

  // MARK: Shadow, hidden, indicators

  /// The shadow grows over eight points of overlap; a header that is wholly out is hidden; the indicators begin below.
  func updateShadow() {
    guard let index = tracking else {
      shadow.viewOpacity = resetsShadow && !inFrontOfInfiniteContent ? 0 : Float(visibleShadowOpacity)
      return
    }
    let height = header.size.height
    let shift = min(shiftMaximum, accumulator)
    shadow.intensity = shadowIntensity(effectiveMinimum - shift)
    let opacity = Float(visibleShadowOpacity * shadow.intensity)
    if shadow.source == .viewLayer { shadow.viewOpacity = opacity } else { shadow.defaultOpacity = opacity }
    if shadow.tellsIntensity {
      Self.outputs.shadowIntensityDidChange.post([("intensity", .number(shadow.intensity))], in: host)
    }
    moveStatusBar(to: shift)
    // Asked for again: the status bar may have changed the top inset.
    let low = effectiveMinimum
    host.setHidden(shift >= low && height <= low + Double.ulpOfOne, Self.drawer)
    guard records[index].exists else { return }
    let view = host.scrollView(index)
    var insets = view.scrollIndicatorInsets
    insets.top -= records[index].injectedIndicator
    records[index].injectedIndicator = height - shift - existingAdjustment(view)
    insets.top += records[index].injectedIndicator
    host.setScrollIndicatorInsets(insets, of: index)
  }

  private func shadowIntensity(_ shown: Double) -> Double {
    let edge = clamp(overlap, 0, Self.shadowLength)
    if hidesStatusBar {
      let shown = clamp(shown, 0, Self.shadowLength)
      let length = inFrontOfInfiniteContent ? shown : min(shown, edge)
      return clamp(length / Self.shadowLength, 0, 1)
    }
    return inFrontOfInfiniteContent ? 1 : edge / Self.shadowLength
  }

  /// A layer of the application's takes the shadow over, or gives it back to a layer that is not the view's own.
  func setShadowLayer(_ layer: ShadowLayer?) {
    shadow.tellsIntensity = layer == .customWithBlock
    if layer != nil {
      shadow.viewOpacity = 0
      shadow.source = .custom
    } else if shadow.source != .viewLayer {
      shadow.viewOpacity = 0
      shadow.source = .defaultLayer
    }
  }

  // MARK: Status bar style

  /// The style that the status bar should have over the header.
  func updateStyle() {
    guard holding != .viewOnly else { return }
    let style: StatusBarStyle
    if !infersStyle {
      style = givenStyle
    } else if background.alpha < 1 {
      style = .default
    } else {
      style = background.takesWhiteText ? .lightContent : .darkContent
    }
    wish { $0.preferredStatusBarStyle = style }
  }

  // MARK: Hairline

  /// The hairline in the header's coordinates; nil: it was never shown.
  var hairline: Rect? {
    guard hairlineExists else { return nil }
    let environment = host.environment
    let thickness = environment.visible ? 1 / environment.screenScale : 1
    let size = header.size
    return Rect(y: size.height - thickness, width: size.width, height: thickness)
  }

  // MARK: Touches

  /// The target of a touch at a point in header coordinates: a view's or the tracking scroll view's name, or null.
  func hitTest(_ point: Point) -> Value {
    let drawer = header
    let isInside = point.x >= 0 && point.x < drawer.size.width && point.y >= 0 && point.y < drawer.size.height
    guard isInside, !drawer.isHidden else { return .null }
    let trackingName: Value = tracking.map { .text(host.scrollViewName($0)) } ?? .null
    for index in (drawer.firstElement..<drawer.firstElement + drawer.elementCount).reversed() {
      let look = host.look(index)
      let frame = look.frame
      guard !look.isHidden, look.alpha >= 0.01, point.x >= frame.x, point.x < frame.x + frame.width,
        point.y >= frame.y, point.y < frame.maxY
      else { continue }
      return forwardedViews.contains { $0.element == index } ? trackingName : .text(host.elementName(index))
    }
    return trackingName
  }
}
