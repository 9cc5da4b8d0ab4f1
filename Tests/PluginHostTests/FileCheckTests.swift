// SPDX-License-Identifier: MIT
//
// What a plugin's file must be before a byte of it runs: a regular file of root's or ours that no stranger may write.

import DaemonTestKit
import Foundation
import HeaderModel
import PluginHost
import Testing

@Suite struct FileCheckTests {
  let folder: Folder
  init() throws { folder = try Folder() }

  @Test func `a good file loads, also through a symbolic link`() throws {
    try folder.compile("Real", "PLUGIN_NAME=\"Faulty\"")
    try FileManager.default.createSymbolicLink(atPath: folder.file("Faulty"), withDestinationPath: "libReal.so")
    let registry = try folder.registry("Faulty")
    let plugin = try #require(registry.plugin(named: "Faulty"))
    #expect(plugin.version == "1.0" && plugin.abi == "1.2" && plugin.summary == "A plugin for tests.")
    #expect(registry.behaviorNames == ["Faulty"])
    #expect(registry.available.contains("Faulty") && registry.available.contains("ShyNavBar"))
  }

  @Test func `a file of one byte is read to its end, and is no library`() throws {
    try folder.write("x", to: folder.file("Faulty"))
    try folder.set(mode: 0o755, of: folder.file("Faulty"))
    #expect(try folder.refusal().message.contains("file too short"))
  }

  @Test func `whether a file has changed is told by its content`() throws {
    let path = try folder.compile()
    let registry = try folder.registry("Faulty")
    let file = URL(fileURLWithPath: path)
    let content = try Data(contentsOf: file)
    for (next, isUnchanged) in [(content, true), (content + [0], false), (content, true)] {
      try next.write(to: file)
      #expect(registry.isUnchanged("Faulty") == isUnchanged && registry.fileIsNew(of: "Faulty") == !isUnchanged)
    }
    try FileManager.default.removeItem(at: file)
    #expect(!registry.isUnchanged("Faulty") && !registry.fileIsNew(of: "Faulty"))
  }

  /// A disk may fail in the middle of a file, here a file of memory at an address that nothing is at.
  @Test func `a file that opens and cannot be read is neither new nor unchanged`() throws {
    let path = try folder.compile()
    let registry = try folder.registry("Faulty")
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/proc/self/mem")
    #expect(!registry.isUnchanged("Faulty") && !registry.fileIsNew(of: "Faulty"))
  }

  @Test func `everybody may write`() throws {
    let path = try folder.compile()
    try folder.set(mode: 0o757, of: path)
    let refusal = try folder.refusal()
    #expect(refusal.check == "permissions")
    #expect(refusal.message == "DIR/libFaulty.so can be written by everybody (mode 0757); chmod o-w it")
  }

  @Test func `another group may write, ours may`() throws {
    let path = try folder.compile()
    try folder.set(mode: 0o775, of: path)
    let ours = PluginOwnership.ofThisProcess
    let other = PluginOwnership(user: ours.user, group: ours.group + 1)
    let refusal = try folder.refusal(ownership: other)
    #expect(refusal.check == "permissions")
    #expect(
      refusal.message
        == "DIR/libFaulty.so can be written by group \(ours.group) (mode 0775), expected group \(ours.group + 1) or chmod g-w"
    )
    #expect(throws: Never.self) { try folder.registry("Faulty") }
  }

  /// Root may own plugins of whoever runs the daemon, and a mode that is refused is told as such.
  @Test func `everybody may write a file of root's`() throws {
    let path = try folder.compile()
    try folder.set(mode: 0o757, of: path)
    let ours = PluginOwnership.ofThisProcess
    let others = PluginOwnership(user: 12_345, group: ours.group)
    #expect(try folder.refusal(ownership: ours.user == 0 ? others : ours).check == "permissions")
  }

  @Test func `somebody else's`() throws {
    let path = try folder.compile()
    let ours = PluginOwnership.ofThisProcess
    var ownership = PluginOwnership(user: ours.user + 1, group: ours.group)
    var owner = ours.user
    if ours.user == 0 {
      owner = 12_345
      ownership = ours
      try #require(unsafe chown(path, owner, gid_t.max) == 0)
    }
    let refusal = try folder.refusal(ownership: ownership)
    #expect(refusal.check == "owner")
    #expect(refusal.message == "DIR/libFaulty.so belongs to user \(owner), expected root or user \(ownership.user)")
  }

  @Test(.enabled(if: geteuid() != 0, "root reads everything")) func `one that cannot be read`() throws {
    let path = try folder.compile()
    try folder.set(mode: 0o200, of: path)
    let refusal = try folder.refusal()
    #expect(refusal.check == "load" && refusal.message == "DIR/libFaulty.so: it cannot be opened: Permission denied")
  }

  /// What lies in the place of a library.
  enum Odd: String, CaseIterable { case directory, pipe, empty, text, danglingLink, nothing }

  @Test(arguments: [
    (Odd.directory, "load", "DIR/libFaulty.so: it is no regular file"),
    (.pipe, "load", "DIR/libFaulty.so: it is no regular file"),
    (.empty, "load", "DIR/libFaulty.so: it cannot be loaded: DIR/libFaulty.so: file too short"),
    (.text, "load", "DIR/libFaulty.so: it cannot be loaded: DIR/libFaulty.so: file too short"),
    (.danglingLink, "", "there is no plugin \"Faulty\" (libFaulty.so); looked in DIR, PRODUCTS"),
    (.nothing, "", "there is no plugin \"Faulty\" (libFaulty.so); looked in DIR, PRODUCTS"),
  ])
  func `what is no library`(_ odd: Odd, _ check: String, _ message: String) throws {
    let path = folder.file("Faulty")
    switch odd {
    case .directory: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    case .pipe: try #require(unsafe mkfifo(path, 0o600) == 0)
    case .empty: try folder.write("", to: path)
    case .text: try folder.write("not a library", to: path)
    case .danglingLink: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "gone.so")
    case .nothing: break
    }
    let refusal = try folder.refusal()
    #expect(refusal.check == check)
    #expect(refusal.message == message.replacingOccurrences(of: "PRODUCTS", with: TestFiles.build))
  }

  @Test func `a library that is cut off is never mapped`() throws {
    let path = try folder.compile()
    let whole = try Data(contentsOf: URL(filePath: path))
    // Where the loader would have touched pages that are not there.
    for count in Array(stride(from: 0, to: whole.count, by: whole.count / 24)) + [63, 64, 65, whole.count - 1] {
      try whole.prefix(count).write(to: URL(filePath: path))
      let refusal = try folder.refusal()
      #expect(refusal.check == "load", "\(count)")
      #expect(count < 64 || refusal.message.contains(" \(count) bytes"), "\(refusal.message)")
    }
    try whole.write(to: URL(filePath: path))
    #expect(throws: Never.self) { try folder.registry("Faulty") }
  }

  @Test func `an ELF file that is no library, and tables that speak of nothing on earth`() throws {
    let object = ["-c", "-fPIC", "-w", "-I", Project.include, "-o", folder.file("Faulty"), Project.faulty]
    try Toolchain.run("clang", object)
    let refusal = try folder.refusal()
    let reason = "it cannot be loaded: DIR/libFaulty.so: only ET_DYN and ET_EXEC can be loaded"
    #expect(refusal.message == "DIR/libFaulty.so: \(reason)")

    var bytes = [UInt8](try Data(contentsOf: URL(filePath: try folder.compile())))
    for place in 40..<48 { bytes[place] = 0xFF }
    try Data(bytes).write(to: URL(filePath: folder.file("Faulty")))
    let odd = try folder.refusal()
    #expect(odd.check == "load" && odd.message.contains(" \(bytes.count) bytes"), "\(odd.message)")
  }

  @Test func `a library whose sections have no names is whole`() throws {
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: try folder.compile())))
    for place in 62..<64 { bytes[place] = 0 }
    try Data(bytes).write(to: URL(filePath: folder.file("Faulty")))
    #expect(try folder.registry("Faulty").plugins[0].name == "Faulty")
  }

  @Test func `a name that is none never becomes a path`() throws {
    for name in ["../Faulty", "/tmp/x", "", "a b", "libFaulty.so/..", "Fau\u{0}lty"] {
      let registry = try folder.registry()
      let error = #expect(throws: HeaderError.self) { try registry.load(name) }
      #expect(error?.name == .pluginNotFound)
      #expect(error?.message == "\"\(name)\" is no plugin's name: give the file's name without folder, lib and .so")
    }
  }

  @Test func `a path of any length the system takes`() throws {
    var deep = folder.path
    for _ in 0..<6 { deep += "/" + String(repeating: "d", count: 60) }
    try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: try folder.compile(), toPath: "\(deep)/libFaulty.so")
    let registry = PluginRegistry(folders: [deep])
    #expect(try registry.load("Faulty").name == "Faulty")
  }

  @Test func `two registries that load different files do not get each other's`() throws {
    let other = try Folder()
    for index in 0..<5 {
      try folder.compile("Faulty", "VERSION=\(10 + index)")
      try other.compile("Faulty", "VERSION=\(20 + index)")
      #expect(try folder.registry("Faulty").plugins[0].version == "\(10 + index).0")
      #expect(try other.registry("Faulty").plugins[0].version == "\(20 + index).0")
    }
  }

  /// Says of each file what its process would have said of it.
  private final class Trial: PluginTrial {
    let isolation: PluginIsolation
    let content: UInt64

    init(_ isolation: PluginIsolation, content: UInt64) { (self.isolation, self.content) = (isolation, content) }

    func isolation(of path: String) -> PluginIsolation { isolation }
    func tryPlugin(at path: String) throws(HeaderError) -> DescribedPlugin {
      DescribedPlugin(name: "Faulty", version: "of the trial", abi: "1.2", content: content, behaviors: [])
    }
  }

  @Test(arguments: [(PluginIsolation.none, "1.0"), (.trial, "1.0"), (.process, "of the trial")])
  func `only what belongs in a process is not loaded here`(_ isolation: PluginIsolation, _ version: String) throws {
    try folder.compile()
    let content = try folder.registry("Faulty").plugins[0].content
    let registry = try folder.registry()
    registry.trial = Trial(isolation, content: content)
    let plugin = try registry.load("Faulty")
    #expect(plugin.version == version && plugin.isIsolated == (isolation == .process))
  }

  @Test func `the first folder that has a plugin wins`() throws {
    let other = try Folder()
    try folder.compile("Faulty", "VERSION=2")
    try other.compile("Faulty", "VERSION=3")
    let registry = PluginRegistry(folders: [other.path, folder.path])
    #expect(try registry.load("Faulty").version == "3.0")
    #expect(registry.available == ["Faulty"])
  }
}
