// SPDX-License-Identifier: MIT
//
// The stretchy header's recordings in our words (Plugins/StretchyHeader/README.md). The header is the drawer `header`,
// the title the drawer `title`; both lie in the viewport, as ours do. The image's own height never wins against the
// constraints, so it has no place here.

internal import HeaderCore
internal import HeaderModel

/// Reads recordings of the stretchy header.
enum StretchyHeaderAdapter {
  static let system = "StretchyHeader"

  static func adapt(_ recording: OriginalRecording) throws(HeaderError) -> AdaptedRecording {
    let description = try describe(recording)
    var steps: [AdaptedStep] = []
    for (index, value) in recording.steps.enumerated() {
      steps.append(try step(value, at: Path("steps")[index]))
    }
    return AdaptedRecording(
      title: recording.title, plugins: ["StretchyHeader"], description: description, steps: steps)
  }

  private static func describe(_ recording: OriginalRecording) throws(HeaderError) -> HeaderDescription {
    var scene = FieldReader(recording.scene, at: Path("scene"))
    var header = try scene.reader("header")
    _ = header?.value("imageHeight")
    try header?.finish()
    guard var title = try scene.reader("title") else {
      throw scene.unexpected("title", needed: "{height}", expected: "record")
    }
    let titleHeight = try title.required(number: "height", in: 0...FieldReader.bound)
    try title.finish()
    var options = recording.options
    options["contentBelowTitle"] = scene.value("contentBelowTitle")
    let content = Adapting.record([
      ("viewport", scene.value("viewport")), ("contentSize", scene.value("contentSize")),
      ("contentInset", scene.value("contentInset")), ("offset", scene.value("offset")), ("clamping", "all"),
    ])
    let environment = Adapting.record([
      ("safeAreaInset", scene.value("safeAreaInset")), ("statusBarHeight", scene.value("statusBarHeight")),
    ])
    try scene.finish()
    return try Adapting.description([
      "header": "trace",
      "scrollViews": ["content": .record(content)],
      "drawers": [["name": "header", "height": 0], ["name": "title", "height": .number(titleHeight)]],
      "environment": .record(environment),
      "delegates": [["behavior": "StretchyHeader", "options": .record(options)]],
      "frames": "manual",
    ])
  }

  private static func step(_ value: Value, at path: Path) throws(HeaderError) -> AdaptedStep {
    let head = try Adapting.head(of: value, at: path)
    return AdaptedStep(
      title: head.title, events: try Adapting.events([Adapting.plain(value, head.name)], head, at: path),
      expect: head.expect, isOpening: false, show: show)
  }

  private static func show(_ header: Header, _ outcome: StepOutcome) -> Value {
    let content = header.scrollViews[0]
    var inContent = header.drawers[0].frame
    inContent.origin = inContent.origin + content.contentOffset
    return [
      "header": header.drawers[0].frame.value,
      "headerInContent": inContent.value,
      "title": header.drawers[1].frame.value,
      "contentSize": content.contentSize.value,
      "topConstant": header.value(named: "topConstant")?.value ?? .null,
      "lessThanTopConstant": header.value(named: "lessThanTopConstant")?.value ?? .null,
      "contentOffset": content.contentOffset.value,
      "contentInset": content.contentInset.value,
    ]
  }
}
