// SPDX-License-Identifier: MIT
//
// `headerctl move`, `constrain` and `release`: move a header, and bound where it may be (headerd-position(7)).

internal import CommandLineKit
internal import HeaderClient
internal import HeaderModel
internal import HeaderTrace

func runMove(_ context: Context) throws -> Int32 {
  let invocation = context.invocation
  let name = invocation.required(Words.header)
  var params: Value.Record = ["header": .text(name), "to": try target(invocation.required(Words.target))]
  params["animated"] = try style(invocation)
  return try context.request("header.move", params) { result in
    "\(name) goes to progress \(number(result["progress"])), motion \(result.number("id")), seq \(result.number("seq"))"
  }
}

func runConstrain(_ context: Context) throws -> Int32 {
  let invocation = context.invocation
  let (header, name) = (invocation.required(Words.header), invocation.required(Words.constraint))
  var params: Value.Record = [
    "header": .text(header), "name": .text(name),
    "permitted": try permitted(invocation.required(Words.permitted)),
    "priority": .number(Double(invocation[Words.priority] ?? 0)), "holder": "headerctl",
  ]
  params["animated"] = try style(invocation)
  params["wish"] = invocation[Words.wish].map { Double($0).map { .number($0) } ?? .text($0) }
  func sentence(_ result: Value) -> String {
    let range = result.list("permitted").map { number($0) }.joined(separator: " to ")
    return "\(header) is permitted progress \(range), seq \(result.number("seq"))"
  }
  if let seconds = invocation[Words.lease] {
    params["lease"] = seconds == 0 ? .null : .number(seconds)
    return try context.request("header.constrain", params, sentence)
  }
  params["lease"] = "connection"
  let client = try context.connect(Interrupts(), needsReader: true)
  let result = try context.ask(client, "header.constrain", .record(params))
  context.show(result, sentence(result) + "; Ctrl-C releases it")
  var limit = StateLimit(invocation)
  try listen(client, &limit) { _ in false }
  return ExitStatus.done
}

func runRelease(_ context: Context) throws -> Int32 {
  let invocation = context.invocation
  let (header, name) = (invocation.required(Words.header), invocation.required(Words.constraint))
  var params: Value.Record = ["header": .text(header), "name": .text(name)]
  params["animated"] = try style(invocation)
  return try context.request("header.release", params) { result in
    "\(name) of \(header) is released, seq \(result.number("seq"))"
  }
}

func runReveal(_ context: Context) throws -> Int32 {
  let invocation = context.invocation
  let name = invocation.required(Words.header)
  let rect: Value = [
    "x": 0, "y": .number(invocation.required(Words.top)), "width": 0,
    "height": .number(invocation.required(Words.length)),
  ]
  var params: Value.Record = ["header": .text(name), "rect": rect]
  params["scrollView"] = invocation[Words.scrollView].map { .text($0) }
  params["reason"] = invocation[Words.reason].map { .text($0.rawValue) }
  return try context.request("header.reveal", params) { result in
    "\(name) gave way by \(number(result["gaveWay"])) points, \(number(result["scroll"])) are to be scrolled, seq "
      + result.number("seq")
  }
}

/// `animated` as the options say it; nil: at once.
private func style(_ invocation: Invocation) throws -> Value? {
  switch (invocation[Words.animated], invocation[Words.spring]) {
  case (nil, nil): return nil
  case (let seconds?, nil): return ["duration": .number(seconds)]
  case (nil, let damping?): return ["spring": ["damping": .number(damping)]]
  case (_?, _?): throw CommandError.usage("give --animated or --spring: a spring's duration follows from its damping")
  }
}

/// A target's words as the protocol has them.
private func target(_ words: String) throws -> Value {
  if let progress = Double(words) {
    guard (0...1).contains(progress) else {
      throw CommandError.usage(
        "TO: expected a progress from 0 to 1, got \(words); DRAWER=POINTS gives a drawer a height")
    }
    return ["progress": .number(progress)]
  }
  for (sign, key) in [("=", "height"), ("+", "shift")] {
    guard let place = words.firstIndex(of: Character(sign)), let points = Double(words[words.index(after: place)...])
    else { continue }
    return .record(["drawer": .text(String(words[..<place])), key: .number(points)])
  }
  return .text(words)
}

private func permitted(_ words: String) throws -> Value {
  let known = ["shown", "hidden", "both"]
  guard let dots = words.firstRange(of: "..") else {
    guard !known.contains(words) else { return .text(words) }
    let guess = nearest(to: words, in: known).map { "; did you mean \"\($0)\"?" } ?? ""
    throw CommandError.usage("PERMITTED: expected shown, hidden, both or FROM..TO, got \"\(words)\"\(guess)")
  }
  guard let low = Double(words[..<dots.lowerBound]), let high = Double(words[dots.upperBound...]), low >= 0,
    low <= high,
    high <= 1
  else {
    throw CommandError.usage(
      "PERMITTED: expected FROM..TO, two numbers from 0 to 1, the smaller one first, got \"\(words)\"")
  }
  return [.number(low), .number(high)]
}

private func number(_ value: Value?) -> String { (value ?? .null).brief }
