// SPDX-License-Identifier: MIT
//
// A state's line written name by name, which that of a template has to equal.

import HeaderModel
import HeaderWire

/// Writes the notification; returns how many of the writer's bytes precede the lists.
func plainNotification(
  _ state: borrowing HeaderState, _ parts: StateEncoder.Parts = [], _ selection: StateSelection? = nil,
  into writer: inout JSONWriter
) -> Int {
  let (chosen, names) = (selection ?? StateSelection(), state.names)
  writer.beginObject()
  writer.member("jsonrpc", "2.0")
  writer.member("method", "state")
  writer.key("params")
  writer.beginObject()
  writer.member("header", state.header)
  writer.member("epoch", Int(state.epoch))
  writer.member("seq", Int(state.seq))
  writer.key("time")
  writer.number(state.time.seconds)
  if parts.contains(.snapshot) { writer.member("snapshot", Value.bool(true)) }
  StateEncoder.flags(state, &writer)
  // Of a part whose entries are named one by one nothing is written when none of them is there.
  if chosen.drawers.includesAny(names.drawers) {
    writer.key("drawers")
    writer.beginArray()
    for index in state.drawers.indices where chosen.drawers.includes(names.drawers[index]) {
      writer.plain(state.drawers[index], names.drawers[index])
    }
    writer.endArray()
  }
  StateEncoder.elements(state, chosen.elements, names, &writer)
  if chosen.scrollViews.includesAny(names.scrollViews) {
    writer.key("scrollViews")
    writer.beginObject()
    for index in state.scrollViews.indices where chosen.scrollViews.includes(names.scrollViews[index]) {
      writer.plain(state.scrollViews[index], names.scrollViews[index])
    }
    writer.endObject()
  }
  if !state.values.isEmpty, chosen.values.includesAny(names.values) {
    writer.key("values")
    writer.beginObject()
    for index in state.values.indices where chosen.values.includes(names.values[index]) {
      writer.key(named: names.values[index])
      writer.value(state.values[index].content.value)
    }
    writer.endObject()
  }
  StateEncoder.wants(state, chosen, &writer)
  let lists = writer.count
  if parts.isDisjoint(with: [.snapshot, .positionsOnly]) { StateEncoder.happened(state, parts, names, &writer) }
  writer.endObject()
  writer.endObject()
  writer.endLine()
  return lists
}

extension JSONWriter {
  fileprivate mutating func plain(_ drawer: Drawer, _ name: String) {
    beginObject()
    member("name", name)
    member("frame", drawer.drawnFrame.value)
    if drawer.alpha != 1 { member("alpha", .number(Double(drawer.alpha.description) ?? .nan)) }
    if drawer.isHidden { member("hidden", Value.bool(true)) }
    if drawer.translation != Point() { member("translation", drawer.translation.value) }
    endObject()
  }

  fileprivate mutating func plain(_ view: ScrollView, _ name: String) {
    key(named: name)
    beginObject()
    member("contentOffset", view.contentOffset.value)
    member("contentInset", view.contentInset.value)
    if view.scrollIndicatorInsets != view.contentInset {
      member("scrollIndicatorInsets", view.scrollIndicatorInsets.value)
    }
    if view.adjustedContentInset != view.contentInset {
      member("adjustedContentInset", view.adjustedContentInset.value)
    }
    if view.decidesFrame { member("frame", view.frame.value) }
    if view.decidesContentSize { member("contentSize", view.contentSize.value) }
    if view.correction != Point() { member("correction", view.correction.value) }
    endObject()
  }
}
