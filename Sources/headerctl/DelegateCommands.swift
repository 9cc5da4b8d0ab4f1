// SPDX-License-Identifier: MIT
//
// `headerctl delegate …`: the chain of a header while it lives. A client in the chain lives as long as its connection, so a
// program that ends when it is done adds behaviors alone.

internal import CommandLineKit
internal import HeaderClient
internal import HeaderCore
internal import HeaderTrace

func runDelegateList(_ context: Context) throws -> Int32 {
  let name = context.invocation.required(Words.header)
  let client = try context.connect()
  // The names of all, in order; of the behaviors among them also what they are.
  let rows = try context.ask(client, "header.list", ["match": .text(name)])["headers"]?.elements ?? []
  let got = try context.ask(client, "header.get", ["header": .text(name), "include": ["description"]])
  let chain = rows.first { $0["header"]?.asText == name }?["delegates"]?.elements ?? []
  let described = got["description"]?["delegates"]?.elements ?? []
  let entries = chain.map { member -> Value in
    described.first { $0["name"] == member } ?? ["name": member, "client": true]
  }
  if context.isJSON {
    for entry in entries { context.console.print(entry.json) }
  } else if entries.isEmpty {
    context.console.print("no delegates")
  } else {
    context.console.print(
      table: [["AT", "DELEGATE", "BEHAVIOR", "OPTIONS"]]
        + entries.enumerated().map { place, entry in
          [
            String(place), entry["name"]?.asText ?? "?", entry["behavior"]?.asText ?? "(a client)",
            entry["options"]?.json ?? "-",
          ]
        })
  }
  return ExitStatus.done
}

func runDelegateAdd(_ context: Context) throws -> Int32 {
  let invocation = context.invocation
  var params: Value.Record = [
    "header": .text(invocation.required(Words.header)), "behavior": .text(invocation.required(Words.newBehavior)),
  ]
  params["name"] = invocation[Words.name].map { .text($0) }
  params["options"] = try options(invocation)
  params["at"] = invocation[Words.at].map { .number(Double($0)) }
  return try context.request("delegate.add", params) { result in
    "\(result["delegate"]?.asText ?? "?") added at \(result["index"]?.asNumber.map { shown($0) } ?? "?")"
  }
}

func runDelegateRemove(_ context: Context) throws -> Int32 {
  try context.request("delegate.remove", delegate(context.invocation), chain)
}

func runDelegateMove(_ context: Context) throws -> Int32 {
  var params = delegate(context.invocation)
  params["at"] = .number(Double(context.invocation.required(Words.place)))
  return try context.request("delegate.move", params, chain)
}

func runDelegateConfigure(_ context: Context) throws -> Int32 {
  var params = delegate(context.invocation)
  guard let options = try options(context.invocation) else {
    throw CommandError.usage("delegate configure: nothing to set; give --option NAME=VALUE")
  }
  params["options"] = options
  return try context.request("delegate.configure", params) { result in
    "\(context.invocation.required(Words.member)) configured, seq \(result["seq"]?.asNumber.map { shown($0) } ?? "?")"
  }
}

private func delegate(_ invocation: Invocation) -> Value.Record {
  ["header": .text(invocation.required(Words.header)), "delegate": .text(invocation.required(Words.member))]
}

private func options(_ invocation: Invocation) throws(CommandError) -> Value? {
  let given = invocation.all(Words.delegateOption)
  return given.isEmpty ? nil : .record(try QuickDescription.record(of: given))
}

/// The chain as it is now.
private func chain(_ result: Value) -> String {
  let names = (result["delegates"]?.elements ?? []).compactMap(\.asText)
  return "the chain: \(names.isEmpty ? "nobody" : names.joined(separator: " "))"
}
