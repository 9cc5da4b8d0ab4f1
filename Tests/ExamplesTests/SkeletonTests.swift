// SPDX-License-Identifier: MIT
//
// `headerctl plugin new`: what it writes builds outside the repository, is loaded, and moves a header.

import DaemonTestKit
import Foundation
import HeaderModel
import Testing

@Suite struct SkeletonTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func headerctl(_ arguments: String...) throws -> Finished {
    try runProgram("headerctl", ["plugin", "new"] + arguments)
  }

  private static let languages = Toolchain.rust == nil ? ["swift", "c"] : ["swift", "c", "rust"]

  @Test(arguments: languages) func whatItWritesBuildsAndMovesAHeader(_ language: String) throws {
    let place = folder("deep/er/SlideAway")
    let written = try headerctl("SlideAway", "--language", language, "--into", place)
    #expect(written.status == 0, "\(written.errors)")
    guard let make = Toolchain.find("make") else { throw TestFailure("there is no make on the PATH") }
    try runTool(make, ["-C", place], seconds: 300)

    let library = "\(place)/build/libSlideAway.so"
    #expect(try exportedSymbols(library).contains("header_plugin_entry"))
    let bench = try Bench("SlideAway", in: "\(place)/build", options: ["speed": 0.5], contentInset: 0)
    #expect(bench.top == 0)
    #expect(try bench.scroll(20) == -10)
    #expect(try bench.scroll(400) == -50)
    #expect(try bench.scroll(390) == -45)
    try bench.reload()
    #expect(bench.top == -45)
    #expect(try bench.scroll(380) == -40)

    let error = #expect(throws: HeaderError.self) {
      try Bench("SlideAway", in: "\(place)/build", options: ["speed": 11])
    }
    #expect(error?.message.contains("speed") == true)
    #expect(throws: HeaderError.self) { try Bench("SlideAway", in: "\(place)/build", drawers: []) }
  }

  /// The commands of the README's section about testing, as printed: they record, replay, and notice a change of the behavior.
  @Test func theReadmesTestingWorksAsPrinted() throws {
    let place = folder("SlideAway")
    #expect(try headerctl("SlideAway", "--language", "c", "--into", place).status == 0)
    guard let make = Toolchain.find("make") else { throw TestFailure("there is no make on the PATH") }
    try runTool(make, ["-C", place])
    let daemon = try RunningDaemon(plugins: [], environment: ["HEADERD_PLUGIN_PATH": "\(place)/build"])
    let environment = [
      "HEADERD_SOCKET": daemon.socket, "PATH": "\(TestFiles.prefix)/bin:\(inherited["PATH"] ?? "/usr/bin:/bin")",
    ]
    let readme = try String(contentsOfFile: "\(place)/README.md", encoding: .utf8)
    func commands(_ begin: String, _ end: String) throws -> [Substring] {
      let section = try #require(readme.components(separatedBy: begin).last?.components(separatedBy: end).first)
      let lines = section.split(separator: "\n").filter { $0.hasPrefix("    ") }
      return try #require(lines.isEmpty ? nil : lines)
    }
    func run(_ lines: some Sequence<Substring>) throws -> Finished {
      try runTool(
        "/bin/sh", ["-e", "-c", "cd '\(place)'\n" + lines.joined(separator: "\n")], environment: environment)
    }
    _ = try run(commands("# SlideAway", "## Test it").filter { $0.contains("headerctl header open") })
    let test = try commands("## Test it", "## Change it")
    #expect(test.contains { $0.contains("headerctl record") } && test.contains { $0.contains("headerctl verify") })
    _ = try run(test)
    let recording = try String(contentsOfFile: "\(place)/slide.jsonl", encoding: .utf8)
    #expect(recording.contains("didScroll"))

    // Another law does not pass.
    let source = try String(contentsOfFile: "\(place)/SlideAway.c", encoding: .utf8)
    let changed = source.replacingOccurrences(of: "* self->speed;", with: "* self->speed * 2;")
    #expect(changed != source)
    try folder.write(changed, to: "SlideAway/SlideAway.c")
    try runTool(make, ["-C", place])
    let verify = test.filter { $0.contains("headerctl verify") }
    let error = #expect(throws: TestFailure.self) { try run(verify) }
    #expect("\(error.map { "\($0)" } ?? "")".contains("ended with 1"))
  }

  /// A package that has no copy of the kit but depends on the product of this one.
  @Test func aPackageCanDependOnTheKit() throws {
    let package = """
      // swift-tools-version: 6.2
      import PackageDescription

      let package = Package(
        name: "SlideAway",
        products: [.library(name: "SlideAway", type: .dynamic, targets: ["SlideAway"])],
        dependencies: [.package(path: "headerd")],
        targets: [
          .target(name: "SlideAway", dependencies: [.product(name: "HeaderPluginKit", package: "headerd")])
        ],
        swiftLanguageModes: [.v6])
      """
    let template = "Sources/CTemplates/swift/Sources/SkeletonBehavior/SkeletonBehavior.swift"
    let source = try String(contentsOfFile: "\(Toolchain.sources)/\(template)", encoding: .utf8)
    _ = try folder.folder("Sources/SlideAway")
    try folder.write(package, to: "Package.swift")
    try folder.write(source.replacingOccurrences(of: "Skeleton", with: "SlideAway"), to: "Sources/SlideAway/S.swift")
    try FileManager.default.createSymbolicLink(atPath: folder("headerd"), withDestinationPath: Toolchain.sources)
    guard let swift = Toolchain.find("swift") else { throw TestFailure("there is no swift on the PATH") }
    let build = ["build", "--package-path", folder.path]
    try runTool(swift, build, seconds: 300)
    let place = try runTool(swift, build + ["--show-bin-path"]).output.split(separator: "\n").joined()
    let bench = try Bench("SlideAway", in: place, options: ["speed": 0.5], contentInset: 0)
    #expect(try bench.scroll(20) == -10)
  }

  @Test func aSwiftSkeletonHasTheWholeKit() throws {
    _ = try headerctl("SlideAway", "--into", folder("new"))
    let kit = "\(Toolchain.sources)/Sources/HeaderPluginKit"
    let vendored = folder("new/Vendor/HeaderPluginKit")
    let files = try FileManager.default.contentsOfDirectory(atPath: kit).filter { $0 != "HeaderPluginKit.docc" }
      .sorted()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: vendored).sorted() == files,
      "Sources/CTemplates/templates.c lists the kit's files")
    for file in files {
      // One is a link.
      let (own, copy) = (URL(filePath: "\(kit)/\(file)"), URL(filePath: "\(vendored)/\(file)"))
      #expect(try Data(contentsOf: own) == Data(contentsOf: copy), "\(file)")
    }
  }

  @Test(arguments: ["swift", "c", "rust"]) func theNameStandsEverywhere(_ language: String) throws {
    let written = try headerctl("SlideAway", "--language", language, "--into", folder("new"), "--json")
    let files = try JSON(written.output)["files"].strings
    #expect(files.contains("README.md") && files.contains("Makefile"))
    for file in files {
      let text = try String(contentsOfFile: folder("new/\(file)"), encoding: .utf8)
      #expect(!file.contains("Skeleton") && !text.contains("Skeleton"), "\(file)")
    }
    let readme = try String(contentsOfFile: folder("new/README.md"), encoding: .utf8)
    #expect(readme.contains("headerctl plugin load SlideAway"))
    #expect(
      files.allSatisfy {
        $0.hasPrefix("Vendor/") || $0 == ".gitignore" || $0 == "README.md" || readme.contains("`\($0)`")
      })
  }

  @Test(arguments: [
    ("my-header", "; \"MyHeader\" would do"), ("slideAway", "; \"SlideAway\" would do"), ("", ""), ("7", ""),
    ("../x", "; \"X\" would do"),
    ("Übung", ""), ("Slide_Away", "; \"SlideAway\" would do"),
  ])
  func aNameThatWouldNotDoIsTold(_ name: String, _ hint: String) throws {
    let end = try headerctl(name, "--into", folder("new"))
    #expect(end.status == 2)
    #expect(
      end.errors == "headerctl: \"\(name)\" is no name for a behavior: expected a capital letter, then letters and "
        + "digits, at most 64\(hint)\nsee 'headerctl plugin new --help'\n")
    #expect(!TestFiles.exists(folder("new")))
  }

  @Test func anUnknownLanguageIsTold() throws {
    let end = try headerctl("SlideAway", "--language", "ruts", "--into", folder("new"))
    #expect(end.status == 2)
    #expect(
      end.errors.hasPrefix(
        "headerctl: option \"--language\" for \"plugin new\": expected one of swift, c, rust, got \"ruts\". Did you mean \"rust\"?\n"
      ))
    #expect(!TestFiles.exists(folder("new")))
  }

  @Test func aFolderWithSomethingInItIsLeftAsItIs() throws {
    let place = try folder.folder("mine")
    try folder.write("precious", to: "mine/Makefile")
    let end = try headerctl("SlideAway", "--into", place)
    #expect(end.status == 1)
    #expect(
      end.errors == "headerctl: \(place) is there and not empty; give another folder with --into, or remove it\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: place) == ["Makefile"])
    #expect(try String(contentsOfFile: folder("mine/Makefile"), encoding: .utf8) == "precious")
  }

  @Test func anEmptyFolderIsTaken() throws {
    #expect(try headerctl("SlideAway", "--language", "c", "--into", try folder.folder("mine")).status == 0)
    #expect(TestFiles.exists(folder("mine/SlideAway.c")))
  }

  @Test func aFolderThatCannotBeMadeIsTold() throws {
    let file = try folder.write("", to: "file")
    let end = try headerctl("SlideAway", "--into", "\(file)/new")
    #expect(end.status == 1)
    #expect(end.errors == "headerctl: \(file)/new: Not a directory\n")
  }
}
