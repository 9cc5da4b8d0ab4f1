// SPDX-License-Identifier: MIT
//
// The man pages stay true: every command, option, key, method, event and error that the programs know is in its page, and
// no page names one that is gone.

import DaemonTestKit
import Foundation
import HeaderModel
import HeaderWire
import Testing

@Suite struct ManualTests {
  static let pages =
    (try? FileManager.default.contentsOfDirectory(atPath: "\(Repository.root)/config/man"))?.sorted() ?? []

  /// A page's source without what makes no difference to a reader.
  private func page(_ name: String) throws -> String {
    try Repository.text("config/man/\(name)").replacingOccurrences(of: "Fl Fl ", with: "--")
  }

  /// Matches of the first group of a pattern, each once.
  private func matches(_ pattern: String, in text: String) throws -> Set<String> {
    let expression = try NSRegularExpression(pattern: pattern, options: .anchorsMatchLines)
    let whole = NSRange(text.startIndex..., in: text)
    return Set(
      expression.matches(in: text, range: whole).compactMap {
        Range($0.range(at: 1), in: text).map { String(text[$0]) }
      })
  }

  /// The events of log lines are those that headerd(8) lists.
  @Test func everyLogEvent() throws {
    let sources = URL(fileURLWithPath: Toolchain.sources).appendingPathComponent("Sources")
    var logged: Set<String> = []
    for case let file as URL in try #require(
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for pattern in [
        #"\.(?:log|write)\(\s*\.[a-z]+,\s*"([A-Za-z]+)""#, #"logWarning\(\s*"([A-Za-z]+)""#, #"event=([A-Za-z]+)"#,
      ] {
        logged.formUnion(try matches(pattern, in: text))
      }
    }
    #expect(logged.count > 30)
    let page = try page("headerd.8")
    let log = try #require(page.components(separatedBy: ".Sh LOG").last?.components(separatedBy: "\n.Sh ").first)
    let lines = log.split(separator: "\n").filter { $0.hasPrefix(".Cm ") }
    let listed = Set(lines.flatMap { $0.split { " ,.".contains($0) } }.map(String.init))
    for event in logged.sorted() { #expect(listed.contains(event), "\(event) is logged and not in headerd(8)") }
  }

  /// The pages of the protocol: headerd-protocol(7), and those that it names for messages.
  private func protocolPages() throws -> String {
    let first = try page("headerd-protocol.7")
    let others = try matches(#"^\.Xr (headerd-[a-z]+) 7 :$"#, in: first).sorted()
    #expect(others.count == 8)
    return try others.reduce(first) { try $0 + page("\($1).7") }
  }

  /// Reasons and roles stand where they belong.
  @Test func everyMessage() throws {
    let text = try protocolPages()
    let document = try JSONSerialization.jsonObject(with: Data(Repository.text("config/schema/openrpc.json").utf8))
    let schema = try #require(document as? [String: Any])
    let messages = try #require(schema["x-messages"] as? [[String: Any]])
    // What a message may give as its reason is explained.
    let parts = try #require((schema["components"] as? [String: Any])?["schemas"] as? [String: Any])
    var explained = 0
    for message in messages {
      let target = (message["params"] as? [String: Any])?["$ref"] as? String ?? ""
      let params = parts[target.components(separatedBy: "/").last ?? ""] as? [String: Any]
      let reason = (params?["properties"] as? [String: Any])?["reason"] as? [String: Any]
      let name = message["name"] as? String ?? ""
      for word in reason?["enum"] as? [String] ?? [] {
        #expect(text.contains("\n.It Cm \(word)\n"), "\(name): \(word)")
        explained += 1
      }
    }
    #expect(explained == 9)
    // Roles stand in the table alone, which is made from the schema.
    #expect(try matches(#"^([Rr]ole [a-z]+)"#, in: text).isEmpty)
  }

  /// The notices that a header or the daemon itself posts, which have no table in the code.
  @Test func everyNoticeOfTheDaemon() throws {
    let core = try Repository.text("Sources/HeaderModel/HeaderState.swift")
    let words = try #require(core.components(separatedBy: "extension HeaderState.Notice {").last)
    let names = try matches(#"case \.[a-zA-Z]+: "([a-zA-Z]+)"$"#, in: words)
    #expect(names.count >= 7)
    let text = try page("headerd-states.7")
    let section = try #require(
      text.components(separatedBy: ".Sh NOTICES OF THE DAEMON\n").last?.components(separatedBy: ".Sh ").first)
    #expect(try matches(#"^\.It Cm ([a-zA-Z]+)"#, in: section) == names.union(["assertionFailed", "didChange"]))
  }

  /// Every member of every message stands in the page of the protocol, and every key of a header in that of the config.
  @Test func everyMemberOfTheSchema() throws {
    let document = try JSONSerialization.jsonObject(with: Data(Repository.text("config/schema/openrpc.json").utf8))
    var names: Set<String> = []
    func collect(_ value: Any) {
      if let list = value as? [Any] { return list.forEach(collect) }
      guard let record = value as? [String: Any] else { return }
      if let properties = record["properties"] as? [String: Any] { names.formUnion(properties.keys) }
      record.values.forEach(collect)
    }
    collect(document)
    #expect(names.count > 250)
    func words(_ text: String) -> Set<String> {
      Set(text.split { !$0.isLetter && !$0.isNumber }.map(String.init))
    }
    let protocolWords = try words(protocolPages())
    for name in names.sorted() {
      #expect(protocolWords.contains(name), "the pages of the protocol do not have \(name)")
    }
    let schema = try #require(document as? [String: Any])
    let parts = try #require((schema["components"] as? [String: Any])?["schemas"] as? [String: Any])
    let open = try #require((parts["HeaderOpenParams"] as? [String: Any])?["properties"] as? [String: Any])
    let configWords = try words(page("headerd.toml.5"))
    // What a request says of the opening itself is no key of a table.
    for name in Set(open.keys).subtracting(["ifExists", "saved", "steps", "after"]) {
      #expect(configWords.contains(name), "headerd.toml(5) does not have \(name)")
    }
  }

  /// The clients' pages say for their toolkits where each reason of a scroll comes from.
  @Test func everyReasonOfAScroll() throws {
    let document = try JSONSerialization.jsonObject(with: Data(Repository.text("config/schema/openrpc.json").utf8))
    let parts = ((document as? [String: Any])?["components"] as? [String: Any])?["schemas"] as? [String: Any]
    let scroll = String(describing: try #require(parts?["DidScrollEvent"]))
    for reason in ["user", "program", "keyboard", "content", "layout"] {
      #expect(scroll.contains(reason))
      for page in ["HeaderClient", "Clients/C", "Clients/JavaScript", "Clients/Python", "Clients/Rust"] {
        let text = try Repository.text("Sources/\(page)/README.md")
        #expect(text.contains("\n| `\(reason)` | "), "\(page): \(reason)")
      }
    }
  }

  /// The table of unsafe code in Sources/README.md has the rooms that have any, and about how much.
  @Test func unsafeCode() throws {
    let page = try Repository.text("Sources/README.md")
    let sources = URL(fileURLWithPath: Toolchain.sources).appendingPathComponent("Sources")
    let word = try NSRegularExpression(pattern: #"\bunsafe\b"#)
    for room in try FileManager.default.contentsOfDirectory(atPath: sources.path) {
      guard let files = FileManager.default.enumerator(atPath: sources.appendingPathComponent(room).path) else {
        continue
      }
      var count = 0
      for case let file as String in files where file.hasSuffix(".swift") {
        let text = try String(
          contentsOf: sources.appendingPathComponent(room).appendingPathComponent(file), encoding: .utf8)
        count += text.components(separatedBy: "\n").count { line in
          word.firstMatch(in: line, range: NSRange(line.startIndex..., in: line)) != nil
        }
      }
      let told = try matches("^\\| (\\d+) \\| \(room) \\|", in: page).first.flatMap(Int.init) ?? 0
      #expect(
        abs(told - count) <= max(1, count / 5) && (told > 0) == (count > 0), "\(room): \(told) told, \(count) there")
    }
  }

  @Test func everyOptionOfEveryCommand() throws {
    let text = try Self.pages.filter { $0.hasPrefix("headerctl") }.map(page).joined()
    // The pages' sections, each from one command's .It to the next one's.
    let help = Golden("help.txt").text
    var commands = 0
    for section in help.components(separatedBy: "$ headerctl ").dropFirst() {
      let command = section.prefix { $0 != "\n" }.replacingOccurrences(of: "--help", with: "").trimmingCharacters(
        in: .whitespaces)
      let options = try matches(#"^  (--[a-z-]+)"#, in: section)
      #expect(options.contains("--help"), "headerctl \(command)")
      let general: Set = ["--socket", "--json", "--version", "--help", "--completions"]
      if ["", "header", "delegate", "plugin", "journal"].contains(command) {
        #expect(options.allSatisfy { text.contains(".It \($0)") }, "headerctl \(command)")
        continue
      }
      commands += 1
      let entry = try #require(
        text.range(of: #"\n\.It Cm \#(command)[ \n]"#, options: .regularExpression), "no entry for \(command)")
      let rest = text[entry.upperBound...]
      let end =
        rest.range(of: #"\n\.(It Cm [a-z]+ ?[a-z]* (Op|Oo|Ar)|Sh )"#, options: .regularExpression)?.lowerBound
        ?? rest.endIndex
      // An option that two commands in a row share is told behind the second.
      let near = rest[..<(rest.range(of: "\n.Sh ")?.lowerBound ?? rest.endIndex)]
      for option in options.subtracting(general) {
        let line = text[entry].contains(option) || rest[..<end].contains(option) || near.contains(".It \(option)")
        #expect(line, "\(option) of headerctl \(command)")
      }
    }
    #expect(commands >= 20)
    // And back: what the page names exists.
    for option in try matches(#"^\.It (--[a-z-]+)"#, in: text) { #expect(help.contains("  \(option)"), "\(option)") }
    let summary = try matches(#"^  ([a-z]+(?: [a-z]+)?)  "#, in: help)
    for command in try matches(#"^\.It Cm ([a-z]+(?: [a-z]+)?)(?: O[op]| Ar|$)"#, in: text) {
      #expect(summary.contains(command), "\(command)")
    }
  }

  /// Commands that pages and examples print exist, and their options are options of these commands.
  @Test func everyPrintedCommand() throws {
    var options: [String: Set<String>] = [:]
    for section in Golden("help.txt").text.components(separatedBy: "$ headerctl ").dropFirst() {
      let command = section.prefix { $0 != "\n" }.replacingOccurrences(of: "--help", with: "")
      options[command.trimmingCharacters(in: .whitespaces)] = try matches(#"^  (--?[a-z-]+)"#, in: section)
        .union(matches(#"also (-[a-z])\b"#, in: section))
    }
    let general = try #require(options[""])
    let examples = try FileManager.default.contentsOfDirectory(atPath: "\(Repository.root)/config/examples")
    let files = Self.pages.map { "config/man/\($0)" } + examples.map { "config/examples/\($0)" }
    var printed = 0
    for file in files where !file.hasSuffix(".svg") {
      for line in try matches(#"headerctl ((?:-|[a-z])[^\\()|&>\n]*)"#, in: Repository.text(file)) {
        var words = line.split { $0.isWhitespace }.map(String.init)
        if words.first == "--socket" { words.removeFirst(2) }
        let command = [2, 1, 0].map { words.prefix($0).joined(separator: " ") }.first { options[$0] != nil }
        guard let command, !command.isEmpty || words.first?.hasPrefix("-") == true || words == ["help"] else {
          Issue.record("\(file): headerctl \(line)")
          continue
        }
        printed += 1
        for word in words where word.hasPrefix("-") && word != "-" {
          let known = general.union(options[command] ?? []).contains(String(word.prefix { $0 != "=" }))
          #expect(known, "\(file): headerctl \(line)")
        }
      }
    }
    #expect(printed > 30)
  }

  @Test func everyOptionOfTheDaemon() throws {
    let text = try page("headerd.8")
    let help = try runProgram("headerd", ["--help"]).output
    let options = try matches(#"^  (--[a-z-]+)"#, in: help)
    #expect(options.count >= 5)
    #expect(try matches(#"^\.It (--[a-z-]+)"#, in: text) == options)
  }

  @Test func exitStatusesAndVariables() throws {
    for (name, statuses) in [("headerctl.1", 0...3), ("headerd.8", 0...2)] {
      let text = try page(name)
      for status in statuses { #expect(text.contains("\n.It \(status)\n"), "\(name) \(status)") }
      for variable in ["HEADERD_SOCKET", "HEADERD_PLUGIN_PATH", "XDG_RUNTIME_DIR"] {
        #expect(text.contains(".It Ev \(variable)"), "\(name) \(variable)")
      }
    }
  }

  @Test func everyKeyOfTheConfigWithItsDefault() throws {
    let text = try page("headerd.toml.5")
    let shipped = try Repository.text("config/headerd.toml")
    let keys = try matches(#"^([a-zA-Z]+) ="#, in: shipped)
    #expect(keys.isSuperset(of: Limits.entries.map(\.name)) && keys.count > 30)
    #expect(try keys == matches(#"^\.It Cm ([a-zA-Z]+)$"#, in: text))
    for table in try matches(#"^\[([a-z]+)\]"#, in: shipped) { #expect(text.contains(".Ic [\(table)]"), "[\(table)]") }
    for entry in Limits.entries {
      let value =
        switch entry.kind {
        case .count(let path, _): "\(Limits()[keyPath: path])"
        case .seconds(let path, _): "\(Limits()[keyPath: path])".replacingOccurrences(of: ".0", with: "")
        }
      let limits = text.components(separatedBy: "\n.Sh LIMITS")[1].components(separatedBy: "\n.Sh ")[0]
      let section = try #require(
        limits.components(separatedBy: ".It Cm \(entry.name)\n").last?.components(separatedBy: "\n.It ").first)
      #expect(
        section.contains("efault \(value).") || section.contains("\(value), the default"), "\(entry.name) \(value)")
    }
    // What needs a restart in the one does so in the other.
    for line in lines(shipped) where line.contains("[restart]") && !line.hasPrefix("#") {
      let key = try #require(line.split(separator: " ").first)
      #expect(text.contains(".It Cm \(key)\n"), "\(key)")
      let sections = text.components(separatedBy: ".It Cm \(key)\n").dropFirst().map {
        $0.components(separatedBy: "\n.It ")[0]
      }
      #expect(sections.contains { $0.contains(".Bq restart") }, "\(key)")
    }
  }

  @Test func everyMethodEventLimitAndError() throws {
    let text = try protocolPages()
    let words = try matches(#"\bCm ([A-Za-z.]+)"#, in: text)
      .union(text.split(whereSeparator: { " \n".contains($0) }).map(String.init))
    for method in RequestMethod.allCases { #expect(words.contains(method.rawValue), "method \(method.rawValue)") }
    for event in EventName.allCases { #expect(words.contains(event.rawValue), "event \(event.rawValue)") }
    for limit in Limits.entries { #expect(words.contains(limit.name), "limit \(limit.name)") }
    for name in ErrorName.allCases {
      let row = ".It Cm \(name.rawValue) Pq \\-\(-name.code) , Em \(name.retry.rawValue)\n"
      #expect(text.contains(row), "headerd-connection(7) has no row \(row)")
    }
    #expect(try matches(#"^\.It Cm ([A-Za-z]+) Pq \\-"#, in: text).count == ErrorName.allCases.count)
    for notification in ["state", "gap", "closed", "bye", "ping", "trace", "error"] {
      #expect(words.contains(notification))
    }
  }

  @Test func everyFieldOfAStateAndOfADescription() throws {
    let text = try protocolPages()
    let marked = text.components(separatedBy: "\n").filter { $0.hasPrefix(".") && $0.contains("Cm ") }
    let words = Set(marked.flatMap { $0.split { " ,|".contains($0) }.map(String.init) })
    // Names of headers, drawers and behaviors are the user's; all others are the protocol's.
    let own: Set = ["main", "navBar", "extension", "shyNavBar", "content", "isContracting"]
    let prompt = try Prompt()
    try prompt.done(mainHeader)
    let got = try prompt.done("header get main --json")
    let row = try prompt.done("header list --json")
    let status = try prompt.done("status --json")
    let info = try prompt.done("plugin list --json")
    let subscriber = try prompt.start(["subscribe", "main", "--calls", "--routine"])
    #expect(try subscriber.waitForOutput("a snapshot") { $0.contains("\n") })
    let events = drag(30) + #"{"event":"didEndDragging","time":2,"willDecelerate":false}"# + "\n"
    let answers = try prompt.done("stream main --json", input: events)
    #expect(try subscriber.waitForOutput("states") { $0.contains("animations") || $0.contains("\"seq\":31,") })
    subscriber.signal(SIGINT)
    #expect(try subscriber.waitForExit() == 0)
    let ours: Set = [
      "hello", "stats", "summary", "states", "refused", "ShyNavBar", "StretchyHeader", "x", "y", "width", "top", "left",
      "bottom", "right",
    ]
    for source in [got, row, status, info, subscriber.output, answers] {
      let names = try matches(#""([A-Za-z]+)":"#, in: source)
      for name in names.subtracting(own).subtracting(ours).subtracting(try optionNames(info)) {
        let isTold = words.contains(name)
        #expect(isTold, "field \(name)")
      }
    }
  }

  /// Names that behaviors chose.
  private func optionNames(_ info: String) throws -> [String] {
    try lines(info).flatMap { line in
      try JSON(line)["behaviors"].list.flatMap { $0["options"].list.compactMap { $0["name"].string } }
    }
  }

  /// The pages that config/manual/pages.py makes are current; `make manual` writes them.
  @Test func thePagesThatAreMadeAreCurrent() throws {
    let plugins = [
      "CollapsingHeader", "ShyNavBar", "FlexibleHeader", "FlexibleHeightBar", "StretchyHeader", "Keyframes",
    ]
    let prompt = try Prompt(daemon: false, plugins: plugins)
    let rows = try prompt.folder.write(prompt.done("plugin list --offline --json"), to: "rows")
    let child = try ChildProcess(
      "/usr/bin/env", ["python3", "\(Repository.root)/config/manual/pages.py", prompt.folder("pages")],
      environment: inherited, input: .file(rows))
    #expect(try child.waitForExit() == 0, "\(child.errors)")
    let made = try FileManager.default.contentsOfDirectory(atPath: prompt.folder("pages"))
    #expect(Set(made) == Set(Self.pages))
    for name in made {
      let text = try String(contentsOfFile: prompt.folder("pages/\(name)"), encoding: .utf8)
      #expect(try text == Repository.text("config/man/\(name)"), "run make manual")
    }
  }

  /// The numbers of the examples beside options and laws are what the daemon computes; `make manual` writes them.
  @Test func theExamplesAreCurrent() throws {
    let prompt = try Prompt(daemon: false, plugins: [])
    let child = try ChildProcess(
      "/usr/bin/env", ["python3", "\(Repository.root)/config/manual/examples.py", TestFiles.build],
      environment: inherited)
    #expect(try child.waitForExit() == 0, "\(child.errors)")
    #expect(try child.output == Repository.text("config/manual/examples.json"), "run make manual")
    withExtendedLifetime(prompt) {}
  }

  /// The films of the gallery are what the daemon makes of their headers; `make manual` draws them.
  @Test func theGalleryIsCurrent() throws {
    let prompt = try Prompt(daemon: false, plugins: [])
    let child = try ChildProcess(
      "/usr/bin/env",
      ["python3", "\(Repository.root)/config/manual/gallery.py", TestFiles.build, prompt.folder("gallery")],
      environment: inherited)
    #expect(try child.waitForExit() == 0, "\(child.errors)")
    let made = try FileManager.default.contentsOfDirectory(atPath: prompt.folder("gallery"))
    let kept = try FileManager.default.contentsOfDirectory(atPath: "\(Repository.root)/config/manual/gallery")
    #expect(made.sorted() == kept.sorted())
    for name in made {
      let text = try String(contentsOfFile: prompt.folder("gallery/\(name)"), encoding: .utf8)
      #expect(try text == Repository.text("config/manual/gallery/\(name)"), "\(name): run make manual")
    }
  }

  @Test(arguments: pages) func theyAreWellFormed(_ name: String) throws {
    let text = try Repository.text("config/man/\(name)")
    let macros = text.components(separatedBy: "\n").filter { $0.hasPrefix(".") }
      .flatMap { $0.dropFirst().split(separator: " ").map(String.init) }
    for (open, close) in [("Bl", "El"), ("Bd", "Ed"), ("Oo", "Oc"), ("Po", "Pc"), ("Bo", "Bc")] {
      #expect(macros.count { $0 == open } == macros.count { $0 == close }, "\(open) and \(close)")
    }
    let title = try #require(lines(text).first { $0.hasPrefix(".Dt ") })
    #expect(
      title == ".Dt \(name.split(separator: ".").dropLast().joined(separator: ".").uppercased()) \(name.suffix(1))")
    for reference in try matches(#"^\.(?:Pq see )?Xr ([a-z.-]+ [0-9])"#, in: text) {
      #expect(Self.pages.contains(reference.replacingOccurrences(of: " ", with: ".")), "\(reference)")
    }
    for section in ["NAME", "DESCRIPTION", "EXAMPLES", "SEE ALSO"] {
      #expect(text.contains("\n.Sh \(section)\n"), "\(section)")
    }
    #expect(lines(text).allSatisfy { !$0.hasSuffix(" ") })
    // A parenthesis reaches to the end of its line, around another one as well.
    for line in lines(text) where line.hasPrefix(".") {
      #expect(line.split { " .".contains($0) }.count { $0 == "Pq" } <= 1, "\(line)")
    }
    // Where there is a formatter, it has nothing to say.
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/groff") else { return }
    let child = try ChildProcess(
      "/usr/bin/groff", ["-mdoc", "-ww", "-z", "-Tutf8", "\(Repository.root)/config/man/\(name)"],
      environment: ["PATH": "/usr/bin:/bin"])
    #expect(try child.waitForExit() == 0 && child.errors.isEmpty, "\(child.errors)")
  }
}
