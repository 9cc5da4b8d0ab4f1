// SPDX-License-Identifier: MIT
//
// `headerctl plugin new`: a plugin that builds, loads and moves a header. The files are in the program (CTemplates), so
// they fit this headerd; `Skeleton` in them is replaced by the plugin's name.

private import CTemplates
internal import CommandLineKit
private import Glibc
internal import HeaderModel
internal import HeaderTrace
internal import Posix

enum SkeletonLanguage: String, CaseIterable, Sendable {
  case swift, c, rust

  fileprivate var bit: Int32 {
    switch self {
    case .swift: Int32(TEMPLATE_SWIFT)
    case .c: Int32(TEMPLATE_C)
    case .rust: Int32(TEMPLATE_RUST)
    }
  }
}

/// A skeleton's files, as they will lie in its folder.
struct PluginSkeleton {
  /// Paths within the folder, in the order in which they are made, with their content.
  private(set) var files: [(path: String, bytes: [UInt8])] = []

  /// The files of a plugin.
  /// - Parameter name: a behavior's name (`Names.isBehaviorName`).
  init(name: String, language: SkeletonLanguage) {
    var place = 0
    while let file = unsafe template_file_at(place)?.pointee, let start = unsafe file.text {
      place += 1
      guard unsafe file.languages & language.bit != 0 else { continue }
      let text = unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: file.count), as: UTF8.self)
      let path = unsafe String(cString: file.path)
      if unsafe file.is_template {
        add(path: Self.filled(path, name), Array(Self.filled(text, name).utf8))
      } else {
        add(path: path, Array(text.utf8))
      }
    }
  }

  private mutating func add(path: String, _ bytes: [UInt8]) {
    if let index = files.firstIndex(where: { $0.path == path }) {
      files[index].bytes += bytes
    } else {
      files.append((path, bytes))
    }
  }

  /// A template with the plugin's name in place of its own.
  private static func filled(_ text: String, _ name: String) -> String { text.replacing("Skeleton", with: name) }

  /// Writes the files into a folder, which is made with those above it.
  /// - Throws: what cannot be written, and why; a folder that has something in it is left as it is.
  func write(into folder: String) throws(CommandError) {
    let present =
      exists(folder) ? try Self.attempt(folder) { () throws(SystemError) in try names(inFolder: folder) } : []
    guard present.isEmpty else {
      throw .refused(
        "\(folder) is there and not empty; give another folder with --into, or remove it", name: "folderNotEmpty")
    }
    for file in files {
      let path = "\(folder)/\(file.path)"
      let parent = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
      try Self.attempt(parent) { () throws(SystemError) in try makeFolder(parent) }
      try Self.attempt(path) { () throws(SystemError) in
        let descriptor = try openFile(path, for: .creating)
        defer { close(descriptor) }
        try writeAll(file.bytes, to: descriptor)
      }
    }
  }

  private static func attempt<Result>(
    _ path: String, _ body: () throws(SystemError) -> Result
  ) throws(CommandError) -> Result {
    do {
      return try body()
    } catch {
      throw .refused("\(path): \(error.text)", name: "notWritten")
    }
  }
}

func runPluginNew(_ context: Context) throws -> Int32 {
  let name = context.invocation.required(Words.newPlugin)
  guard Names.isBehaviorName(name) else {
    let guess = Names.behaviorName(like: name).map { "; \"\($0)\" would do" } ?? ""
    throw CommandError.usage(
      "\"\(name.prefix(80))\" is no name for a behavior: expected a capital letter, then letters and digits, at most 64\(guess)"
    )
  }
  let language = context.invocation[Words.language] ?? .swift
  let folder = context.invocation[Words.into] ?? name
  let skeleton = PluginSkeleton(name: name, language: language)
  try skeleton.write(into: folder)
  context.show(
    [
      "plugin": .text(name), "language": .text(language.rawValue), "folder": .text(folder),
      "files": .list(skeleton.files.map { .text($0.path) }),
    ],
    """
    \(name), a plugin in \(language == .c ? "C" : language.rawValue.capitalizedFirst), is in \(folder). Next:

      cd \(folder) && make
      HEADERD_PLUGIN_PATH="$PWD/build" headerd &
      headerctl header open demo --behavior \(name) --drawer bar:64

    Its README.md tells the rest.
    """)
  return ExitStatus.done
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
