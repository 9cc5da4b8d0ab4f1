// SPDX-License-Identifier: MIT
//
// The daemon's sentences name a mistake by its path in the request, which people never see. Here the path is replaced by the name of the
// argument or option on the command line:
//
//     params.to.shift: expected a number from 0 to 40    ▶  TO: expected a number from 0 to 40
//     params.options.disable: expected true or false     ▶  option "--option": disable: expected true or false
//     params.drawers[0].height: expected a number        ▶  drawers[0].height: …, where the request was a file

private let optionPath = ("options.", "option \"--option\": ")

/// The names of paths for each command; a path that ends in a dot keeps its rest. Indices of lists are left out.
private let names: [[String]: [(path: String, word: String)]] = [
  ["move"]: [("to", "TO")],
  ["constrain"]: [("name", "NAME"), ("permitted", "PERMITTED"), ("wish", "option \"--wish\"")],
  ["release"]: [("name", "NAME")],
  ["reveal"]: [("scrollView", "option \"--scroll-view\"")],
  ["header", "call"]: [("name", "NAME"), ("arguments", "JSON"), ("delegate", "option \"--delegate\"")],
  ["header", "open"]: [
    ("delegates.options.", "option \"--option\": "), ("delegates.behavior", "option \"--behavior\""),
    ("delegates.preset", "option \"--preset\""), ("drawers", "option \"--drawer\""),
    ("scrollViews.content.viewport", "option \"--viewport\""),
    ("scrollViews.content.contentSize", "option \"--content\""),
    ("scrollViews.content.contentInset", "option \"--inset\""),
    ("environment.statusBarHeight", "option \"--status-bar\""),
  ],
  ["header", "list"]: [("match", "GLOB")],
  ["delegate", "add"]: [
    ("behavior", "BEHAVIOR"), ("at", "option \"--at\""), ("name", "option \"--name\""),
    ("preset", "option \"--preset\""), optionPath,
  ],
  ["delegate", "configure"]: [optionPath],
  ["delegate", "move"]: [("at", "PLACE")],
  ["delegate", "shadow"]: [("behavior", "option \"--behavior\""), optionPath],
  ["subscribe"]: [("fields", "option \"--fields\""), ("resumeFrom", "option \"--resume-from\"")],
]

/// The names that all commands share.
private let commonNames = [("header", "HEADER"), ("headers", "GLOB"), ("delegate", "DELEGATE"), ("plugin", "PLUGIN")]

/// A sentence of the daemon's in the words of a command line.
/// - Parameter command: empty: the request was given as it is, in a file or as JSON.
func inWords(_ message: String, _ command: [String]) -> String {
  let own = withoutRequest(message)
  guard own.count < message.count, !command.isEmpty, let end = own.firstRange(of: ": ")?.lowerBound else { return own }
  // Of `delegates[0].options` the place is left out.
  let path = own[..<end].split(separator: "[").enumerated().map { index, part in
    index == 0 ? part : part.drop { $0 != "]" }.dropFirst()
  }.joined()
  for (name, word) in (names[command] ?? []) + commonNames {
    if name.hasSuffix("."), path.hasPrefix(name) { return word + path.dropFirst(name.count) + own[end...] }
    if path == name || path.hasPrefix("\(name).") { return word + own[end...] }
  }
  return own
}

/// A sentence, or a path, without the name of the request's parameters.
func withoutRequest(_ message: String) -> String {
  let own = message.replacing(" params.", with: " ")
  return own.hasPrefix("params.") ? String(own.dropFirst("params.".count)) : own
}
