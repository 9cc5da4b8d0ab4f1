// SPDX-License-Identifier: MIT
//
// Which config file, which socket, which plugin folders; and the hint for misspelled names.

import HeaderConfig
import HeaderCore
import Testing

@Test func configFiles() {
  let all: (String) -> Bool = { _ in true }
  let none: (String) -> Bool = { _ in false }
  let xdg = ["XDG_CONFIG_HOME": "/c", "HOME": "/h"]
  #expect(Config.path(option: "x.toml", environment: xdg, exists: none) == "x.toml")
  #expect(Config.path(option: nil, environment: xdg, exists: all) == "/c/headerd/headerd.toml")
  #expect(Config.path(option: nil, environment: ["HOME": "/h/"], exists: all) == "/h/.config/headerd/headerd.toml")
  #expect(Config.path(option: nil, environment: ["XDG_CONFIG_HOME": "c"], exists: all) == "/etc/headerd/headerd.toml")
  #expect(
    Config.path(option: nil, environment: xdg) { $0.hasPrefix("/etc") } == "/etc/headerd/headerd.toml")
  #expect(Config.path(option: nil, environment: xdg, exists: none) == nil)
}

@Test func socketPaths() {
  let environment = ["HEADERD_SOCKET": "/e.sock", "XDG_RUNTIME_DIR": "/run/user/7"]
  let runtime = ["HEADERD_SOCKET": "", "XDG_RUNTIME_DIR": "/run/user/7/"]
  func resolve(
    _ option: String?, _ environment: [String: String], _ configured: String?, _ user: UInt32
  ) -> SocketPath {
    SocketPath.resolve(option: option, environment: environment, configured: configured, user: user)
  }
  #expect(resolve("o", environment, "/c", 7) == SocketPath(path: "o", origin: .option))
  #expect(resolve(nil, environment, "/c", 7) == SocketPath(path: "/e.sock", origin: .environment))
  #expect(resolve(nil, runtime, "/c", 7) == SocketPath(path: "/c", origin: .config))
  let user = resolve(nil, runtime, nil, 7)
  #expect(user == SocketPath(path: "/run/user/7/headerd/headerd.sock", origin: .runtimeFolder))
  #expect(user.folderToMake == "/run/user/7/headerd")
  #expect(resolve(nil, [:], nil, 0) == SocketPath(path: "/run/headerd/headerd.sock", origin: .systemFolder))
  let other = resolve(nil, ["XDG_RUNTIME_DIR": "relative"], nil, 1000)
  #expect(other == SocketPath(path: "/tmp/headerd-1000/headerd.sock", origin: .temporaryFolder))
  #expect(other.folderToMake == "/tmp/headerd-1000")
  #expect(resolve("o", [:], nil, 7).folderToMake == nil)
}

@Test func foldersOfPlugins() {
  func folders(
    _ path: String?, _ configured: [String], _ executable: String?, isInstalled: Bool = true
  ) -> [String] {
    pluginFolders(
      environment: path.map { ["HEADERD_PLUGIN_PATH": $0] } ?? [:], configured: configured, executable: executable,
      exists: { _ in isInstalled })
  }
  let (program, installed) = ("/usr/bin/headerd", "/usr/lib/headerd/plugins")
  #expect(folders(nil, ["/c"], program) == ["/c", installed])
  #expect(folders("/a::b:", ["/c"], program) == ["/a", "b", "/c", installed])
  #expect(folders("", [], nil) == [])
  #expect(folders(nil, [], "/bin/headerd") == ["/lib/headerd/plugins"])
  // As built: beside the program.
  let built = "/src/.build/release/headerd"
  #expect(folders("/a", ["/c"], built, isInstalled: false) == ["/a", "/c", "/src/.build/release"])
  #expect(folders(nil, [], "/headerd", isInstalled: false) == ["/"])
}

@Test(arguments: [
  ("sokcet", "socket"), ("linebytes", "lineBytes"), ("line_bytes", "lineBytes"), ("strem", "stream"), ("x", nil),
  ("", nil), ("lis", "list"), ("replay", "replay"), ("completely-different", nil), ("go", "to"),
])
func hints(_ name: String, _ expected: String?) {
  #expect(nearest(to: name, in: ["socket", "lineBytes", "stream", "list", "replay", "a", "to"]) == expected)
}

/// Who abbreviates, or writes out, means the name with all the letters, and not one that is nearer by edits.
@Test(arguments: [
  ("minHeight", "minimumHeight"), ("minheight", "minimumHeight"), ("hight", "height"), ("heigth", "height"),
  ("maxHeight", "maximumHeight"), ("bkgdColor", "backgroundColor"), ("delegatesList", "delegates"),
  ("dele", "delegates"),
  ("delgates", "delegates"), ("stickiness", nil), ("mt", nil), ("mht", nil),
])
func abbreviations(_ name: String, _ expected: String?) {
  let names = ["height", "maximumHeight", "minimumHeight", "backgroundColor", "delegates", "sticky"]
  #expect(nearest(to: name, in: names) == expected)
}

@Test func ofTwoLongFormsTheShorter() {
  #expect(nearest(to: "config", in: ["configuration", "configure"]) == "configure")
  #expect(nearest(to: "minimumHeight", in: ["height", "minHeight"]) == "minHeight")
}

@Test func ofEquallyNearNamesTheFirst() {
  #expect(nearest(to: "cat", in: ["bat", "hat", "car"]) == "bat")
  #expect(nearest(to: "cat", in: ["bat", "cart", "cat"]) == "cat")
  #expect(nearest(to: "cat", in: []) == nil)
}

@Test func limitsHaveEveryNameOnce() {
  #expect(Set(Limits.entries.map(\.name)).count == Limits.entries.count)
  // One row a property: a limit without a row could neither be set nor told.
  #expect(Mirror(reflecting: Limits()).children.compactMap(\.label) == Limits.entries.map(\.name))
}
