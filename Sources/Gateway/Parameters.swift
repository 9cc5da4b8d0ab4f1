// SPDX-License-Identifier: MIT
//
// The parameters of requests that concern the connection or several headers, read and checked by themselves. The schema is
// made from what is read here (Discovery.swift).

internal import Fanout
internal import HeaderHost
internal import HeaderModel
internal import HeaderWire
internal import Shards

/// The parameters of `hello`.
struct HelloParameters {
  let version: Int
  let client: String?

  init(_ fields: inout FieldReader) throws(HeaderError) {
    version = try fields.integer("protocol", in: 0...Int(Int32.max)) ?? 1
    client = try fields.text("client")
  }
}

/// The parameters of `header.list`.
struct ListParameters {
  let glob: String

  init(_ fields: inout FieldReader) throws(HeaderError) { glob = try fields.glob("match") ?? "**" }
}

/// The parameters of `stats`.
struct StatisticsParameters {
  let reset: Bool
  let rows: StatisticsRows

  init(_ fields: inout FieldReader) throws(HeaderError) {
    reset = try fields.bool("reset") ?? false
    let include = try fields.words("include", of: StatisticsRows.words.map(\.0))
    rows = StatisticsRows(StatisticsRows.words.filter { include.contains($0.0) }.map(\.1))
  }
}

/// The parameters of `unsubscribe`.
struct UnsubscribeParameters {
  let subscription: Int

  init(_ fields: inout FieldReader) throws(HeaderError) {
    guard let id = try fields.integer("subscription", in: 0...Int(Int32.max)) else {
      throw fields.unexpected("subscription", needed: "a subscription's number", expected: "integer")
    }
    subscription = id
  }
}

extension PluginRequest {
  /// Reads the parameters of `plugin.*`.
  init(_ method: RequestMethod, _ fields: inout FieldReader) throws(HeaderError) {
    if method == .pluginList {
      self = .list(plugin: try fields.text("plugin"))
      return
    }
    let plugin = try fields.required(text: "plugin")
    switch method {
    case .pluginLoad: self = .load(plugin)
    case .pluginUnload: self = .unload(plugin, force: try fields.bool("force") ?? false)
    default: self = .reload(plugin)
    }
  }
}
