// SPDX-License-Identifier: MIT
//
// Where the leaders of a header's drawers are (Following.swift in HeaderModel); HeaderSide.swift moves the drawers that follow them.

import HeaderModel

/// A header's record of its leaders.
struct Leaders: Equatable, Sendable {
  /// Places of leading drawers, by header and drawer.
  var places: [String: [String: LeaderPlace]] = [:]
  /// The names of headers that lead at present.
  var present: Set<String> = []
  /// The followers among the drawers: a leader comes before its followers.
  var followers: [HeaderDescription.Follower] = []
}

// MARK: - As plain data

extension Leaders {
  /// The state that the followers' places depend on.
  var saved: Value {
    .list(
      places.sorted { $0.key < $1.key }.map { header, drawers in
        let places = drawers.sorted { $0.key < $1.key }.map { (drawer: $0.key, place: $0.value) }
        var row = LeaderNews(header: header, places: places).fields
        row["present"] = .bool(present.contains(header))
        return .record(row)
      })
  }

  /// Takes over what `saved` gave.
  mutating func restore(_ rows: [FieldReader]) throws(HeaderError) {
    for row in rows {
      var fields = row
      let news = try LeaderNews(&fields)
      for (drawer, place) in news.places ?? [] { places[news.header, default: [:]][drawer] = place }
      if try fields.bool("present") ?? false { present.insert(news.header) }
    }
  }
}
