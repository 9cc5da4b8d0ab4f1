// SPDX-License-Identifier: MIT
//
// Which socket, which folders of plugins and presets.

import Installation
import Testing

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

@Test func foldersOfPresets() {
  let environment = ["HEADERD_PRESET_PATH": "/a::/b"]
  #expect(
    presetFolders(environment: environment, configured: ["/c"], executable: "/usr/bin/headerd")
      == ["/a", "/b", "/c", "/usr/share/headerd/presets"])
  #expect(presetFolders(environment: [:], executable: nil) == [])
}
