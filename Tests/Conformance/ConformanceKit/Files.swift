// SPDX-License-Identifier: MIT
//
// The little that running recordings needs of the file system: read a file, find the recordings under a folder, know
// where the program itself lies (its plugins lie beside it).

private import Glibc

/// Reading files and folders.
public enum Files {
  /// The bytes of a file; nil when it cannot be read.
  public static func read(_ path: String) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { _ = close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
      guard count >= 0 else { return nil }
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }

  /// The `.json` files under a path at any depth, sorted by path; a path that is no folder stands for itself.
  public static func recordings(under path: String) -> [String] {
    guard let names = entries(of: path) else { return [path] }
    return names.flatMap { name -> [String] in
      let inner = "\(path)/\(name)"
      if isFolder(inner) { return recordings(under: inner) }
      return name.hasSuffix(".json") ? [inner] : []
    }.sorted()
  }

  /// The folder that the running program lies in.
  public static var ofThisProgram: String {
    guard let path = unsafe realpath("/proc/self/exe", nil) else { return "." }
    defer { unsafe free(path) }
    let parts = unsafe String(cString: path).split(separator: "/").dropLast()
    return "/" + parts.joined(separator: "/")
  }

  /// The names in a folder, none when it is none.
  public static func names(in folder: String) -> [String] { entries(of: folder) ?? [] }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The names in a folder, nil when it is none.
  private static func entries(of folder: String) -> [String]? {
    guard let directory = unsafe opendir(folder) else { return nil }
    defer { _ = unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
}
