// SPDX-License-Identifier: MIT
//
// A plugin's file, checked and mapped. The file is opened once and copied to memory; owner and permissions are checked
// on the same descriptor, and the copy is what is mapped. So overwriting the file in place does not affect the daemon,
// and a rebuilt file can be loaded again. Incomplete files never reach the dynamic loader (FileContent.swift).
//
// A library is never unmapped, because the Swift runtime keeps records that point into it. The same content loaded
// again is the same image (MappedImages.swift).

internal import CHeaderPlugin
private import CLinux
private import Glibc
internal import HeaderModel
private import Posix
private import Synchronization

/// The users who may own a plugin's file.
public struct PluginOwnership: Equatable, Sendable {
  /// The daemon's user; root may own plugins as well.
  public var user: UInt32
  /// The daemon's primary group: the only one that may write.
  public var group: UInt32

  /// The ownership that this process accepts.
  public static var ofThisProcess: PluginOwnership { PluginOwnership(user: geteuid(), group: getegid()) }

  /// Files of this user, or of root, that at most this group may write.
  public init(user: UInt32, group: UInt32) {
    self.user = user
    self.group = group
  }

  /// Why a file is not trusted, nil when it is.
  func objection(owner: UInt32, group fileGroup: UInt32, mode: UInt32, path: String) -> String? {
    if owner != 0 && owner != user {
      return "\(path) belongs to user \(owner), expected root or user \(user)"
    }
    if mode & 0o002 != 0 {
      return "\(path) can be written by everybody (mode \(octal(mode))); chmod o-w it"
    }
    if mode & 0o020 != 0 && fileGroup != group {
      return "\(path) can be written by group \(fileGroup) (mode \(octal(mode))), expected group \(group) or chmod g-w"
    }
    return nil
  }

  private func octal(_ mode: UInt32) -> String { "0" + String(mode & 0o7777, radix: 8) }
}

@safe struct LoadedLibrary {
  /// The plugin's table; stays readable for good, since the library is never unmapped.
  let table: UnsafePointer<header_plugin>

  private typealias Entry = @convention(c) (UInt16, UInt16) -> UnsafePointer<header_plugin>?

  /// Maps a copy of a file, unless the same content is mapped already, and asks for its table.
  /// - Throws: `pluginRefused` with the check that failed: `load`, `symbol`, `abi`, `table`; `limitExceeded`.
  init(path: String, images: MappedImages, copy: Int32, content: UInt64) throws(HeaderError) {
    let handle = try unsafe images.handle(content, path) { () throws(HeaderError) in
      let name = "/proc/self/fd/\(Self.nextSpelling())\(copy)"
      guard let handle = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) else {
        throw .refused(path, check: "load", "it cannot be loaded: \(Self.loaderMessage(hiding: name, path))")
      }
      return unsafe handle
    }
    let table = try unsafe images.table(of: content) { () throws(HeaderError) in
      guard let symbol = unsafe dlsym(handle, "header_plugin_entry") else {
        throw .refused(path, check: "symbol", "it has no header_plugin_entry, so it is no headerd plugin")
      }
      let entry = unsafe unsafeBitCast(symbol, to: Entry.self)
      guard let table = unsafe entry(UInt16(HEADER_ABI_MAJOR), UInt16(HEADER_ABI_MINOR)) else {
        throw .refused(
          path, check: "abi",
          "it does not serve plugin ABI \(HEADER_ABI_MAJOR).\(HEADER_ABI_MINOR), which this headerd speaks; it may need a "
            + "later version of headerd")
      }
      return unsafe table
    }
    unsafe self.table = table
    let (major, minor) = unsafe (table.pointee.abi_major, table.pointee.abi_minor)
    guard major == HEADER_ABI_MAJOR else {
      throw .refused(
        path, check: "abi", "it was built for plugin ABI \(major).\(minor), this headerd speaks \(HEADER_ABI_MAJOR).x")
    }
    let size = unsafe Int(table.pointee.struct_size)
    let expected = unsafe MemoryLayout<header_plugin>.size
    guard size >= expected else {
      throw .refused(path, check: "table", "its table is \(size) bytes, expected \(expected)")
    }
  }

  /// Which content a file has now, nil when it cannot be read.
  static func content(of path: String) -> UInt64? {
    let file = open(path)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    // Read rather than mapped, since another process may truncate the file at any moment.
    let copy = unsafe linux_memfd_create("content")
    guard copy >= 0 else { return nil }
    defer { close(copy) }
    var size = 0
    while true {
      let sent = sendfile(copy, file, nil, 1 << 30)
      guard sent >= 0 else { return nil }
      if sent == 0 { return FileContent.hash(copy, size: size) }
      size += sent
    }
  }

  /// Opens a file. If it is a pipe, does not wait for a writer.
  private static func open(_ path: String) -> Int32 {
    unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
  }

  /// Opens, checks and copies a file into memory; returns the copy's descriptor and its size in bytes. The copy cannot be changed.
  static func copy(_ path: String, _ ownership: PluginOwnership) throws(HeaderError) -> (Int32, size: Int) {
    let source = open(path)
    guard source >= 0 else { throw .refused(path, check: "load", "it cannot be opened: \(errorText())") }
    defer { close(source) }
    var status = stat()
    guard unsafe fstat(source, &status) == 0 else { throw .refused(path, check: "load", "fstat: \(errorText())") }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .refused(path, check: "load", "it is no regular file") }
    if let objection = ownership.objection(
      owner: status.st_uid, group: status.st_gid, mode: status.st_mode, path: path)
    {
      let check = status.st_uid != 0 && status.st_uid != ownership.user ? "owner" : "permissions"
      throw .refused(path, check: check, objection, isWhole: true)
    }
    // The kernel takes names of 249 bytes, a path may be longer.
    let target = unsafe linux_memfd_create("lib\(Plugin.name(ofFile: path)).so")
    guard target >= 0 else { throw .refused(path, check: "load", "memfd_create: \(errorText())") }
    var left = Int(status.st_size)
    while left > 0 {
      let sent = sendfile(target, source, nil, left)
      guard sent > 0 else {
        let text = sent == 0 ? "it became shorter while it was read" : errorText()
        close(target)
        throw .refused(path, check: "load", text)
      }
      left -= sent
    }
    // Sealed, the copy reaches other processes as it was checked, even if one of them is hostile.
    do throws(SystemError) {
      try seal(target, .content)
    } catch {
      close(target)
      throw .refused(path, check: "load", "its copy cannot be sealed: \(error.text)")
    }
    return (target, Int(status.st_size))
  }

  /// The loader knows libraries by name, for the whole process, and would hand back an older image for a name that it has
  /// seen. So each load spells the same folder otherwise: its number in binary, `./` for 1 and `/` for 0.
  private static func nextSpelling() -> String {
    String(loads.add(1, ordering: .relaxed).newValue, radix: 2).map { $0 == "1" ? "./" : "/" }.joined()
  }

  private static func errorText() -> String { SystemError.last.text }

  private static func loaderMessage(hiding name: String, _ path: String) -> String {
    guard let text = unsafe dlerror() else { return "no reason given" }
    let message = unsafe String(cString: text)
    return message.hasPrefix(name) ? path + message.dropFirst(name.count) : message
  }
}

extension HeaderError {
  /// A file that is another one than a moment ago.
  static func changed(_ path: String) -> HeaderError {
    .refused(path, check: "load", "it was replaced while it was loaded; try again")
  }

  /// A plugin that is not taken: which check failed and why.
  static func refused(_ path: String, check: String, _ why: String, isWhole: Bool = false) -> HeaderError {
    HeaderError(
      .pluginRefused, isWhole ? why : "\(path): \(why)",
      facts: ["check": .text(check), "path": .text(path)])
  }
}

/// Counts the loads of this process: several threads may load.
private let loads = Atomic(0)
