// SPDX-License-Identifier: MIT
//
// `headerctl plugin new`: a plugin of one's own that builds, loads and moves a header before the first line is written.
// The files are in the program (CTemplates), so they fit this headerd; `Skeleton` in them is the plugin's name.

private import CTemplates
internal import CommandLineKit
private import Glibc
internal import HeaderCore
internal import HeaderTrace

/// The languages that there are skeletons in.
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
    while let file = unsafe template_file_at(place)?.pointee, let path = unsafe file.path, let text = unsafe file.text {
      place += 1
      guard unsafe file.languages & language.bit != 0 else { continue }
      let bytes = unsafe Array(UnsafeRawBufferPointer(start: text, count: file.count))
      let path = unsafe String(cString: path)
      if unsafe file.is_template {
        let text = Self.filled(String(decoding: bytes, as: UTF8.self), name)
        add(path: Self.filled(path, name), Array(text.utf8))
      } else {
        add(path: path, bytes)
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
  private static func filled(_ text: String, _ name: String) -> String {
    let word = "Skeleton"
    var result = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "S") {
      result += rest[..<start]
      if rest[start...].hasPrefix(word) {
        result += name
        rest = rest[rest.index(start, offsetBy: word.count)...]
      } else {
        result += "S"
        rest = rest[rest.index(after: start)...]
      }
    }
    return result + rest
  }

  /// Writes the files into a folder, which is made with those above it.
  /// - Throws: what cannot be written, and why; a folder that has something in it is left as it is.
  func write(into folder: String) throws(CommandError) {
    guard try Self.isFree(folder) else {
      throw .refused(
        "\(folder) is there and not empty; give another folder with --into, or remove it", name: "folderNotEmpty")
    }
    for file in files {
      let path = "\(folder)/\(file.path)"
      try Self.makeFolder(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
      try Self.write(file.bytes, to: path)
    }
  }

  private static func isFree(_ folder: String) throws(CommandError) -> Bool {
    guard let directory = unsafe opendir(folder) else {
      if errno == ENOENT { return true }
      throw failure(folder)
    }
    defer { unsafe closedir(directory) }
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != "." && name != ".." { return false }
    }
    return true
  }

  private static func makeFolder(_ path: String) throws(CommandError) {
    for end in path.indices.dropFirst() where path[end] == "/" { _ = unsafe mkdir(String(path[..<end]), 0o777) }
    guard unsafe mkdir(path, 0o777) == 0 || errno == EEXIST else { throw failure(path) }
  }

  private static func write(_ bytes: [UInt8], to path: String) throws(CommandError) {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw failure(path) }
    defer { close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
      guard count > 0 else { throw failure(path) }
      rest = rest.dropFirst(count)
    }
  }

  private static func failure(_ path: String) -> CommandError {
    .refused("\(path): \(unsafe String(cString: strerror(errno)))", name: "notWritten")
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
  if context.isJSON {
    let result: Value = [
      "plugin": .text(name), "language": .text(language.rawValue), "folder": .text(folder),
      "files": .list(skeleton.files.map { .text($0.path) }),
    ]
    context.console.print(result.json)
  } else {
    context.console.print(
      """
      \(name), a plugin in \(language == .c ? "C" : language.rawValue.capitalizedFirst), is in \(folder). Next:

        cd \(folder) && make
        HEADERD_PLUGIN_PATH="$PWD/build" headerd &
        headerctl header open demo --behavior \(name) --drawer bar:64

      Its README.md tells the rest.
      """)
  }
  return ExitStatus.done
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
